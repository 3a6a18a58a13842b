"""What the camera sees at a seat's place now."""

from __future__ import annotations

from table_core.messages import DeviceState, Seat
from table_core.tracker.desk import Desk
from table_core.tracker.state import TrackerState


def cards_are_gone(desk: Desk, state: TrackerState, seat: Seat) -> bool:
    """The camera saw this seat's two backs in this hand and sees an empty place now."""
    return desk.table.devices.get("camera") is DeviceState.OK and state.seat_cards.is_empty(seat)
