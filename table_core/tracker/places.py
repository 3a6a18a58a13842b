"""What the camera sees at a seat's place now."""

from __future__ import annotations

from table_core.messages import DeviceState, Seat
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def cards_are_gone(unit: UnitOfWork, state: TrackerState, seat: Seat) -> bool:
    """The camera saw this seat's two backs in this hand and sees an empty place now."""
    return unit.table.devices.get("camera") is DeviceState.OK and state.seat_cards.is_empty(seat)
