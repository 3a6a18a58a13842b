"""Whether the camera has seen a seat's cards go."""

from __future__ import annotations

from table_core.messages import DeviceState, Seat
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def cards_are_gone(unit: UnitOfWork, state: TrackerState, seat: Seat) -> bool:
    """Whether the camera works, saw this seat's two backs in this hand and sees an empty zone now."""
    return unit.table.devices.get("camera") is DeviceState.OK and state.seat_cards.is_empty(seat)
