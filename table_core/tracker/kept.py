"""Seats, times, chips and cards as the tracker's notes hold them: without the bounds of messages.

A note is written in every step and read at a start. Whatever can be written of these types can be read; what of a
message lies in a slice was within its bounds when it was observed or recorded.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from table_core.messages import CardText, Chips, Millis, Seat
else:
    Seat = Millis = Chips = int
    CardText = str

__all__ = ["CardText", "Chips", "Millis", "Seat"]
