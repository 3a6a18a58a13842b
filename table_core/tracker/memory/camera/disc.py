"""The seat where the button disc lies, and the hand for which it is checked. Both outlive a hand."""

from __future__ import annotations

from table_core.tracker.kept import Seat
from table_core.tracker.memory.slice import Slice


class DiscWatch(Slice):
    seat: Seat | None = None
    hand: int = 0  # number of the hand in progress, 0 between hands

    def read(self, seat: Seat, *, lies_there: bool) -> None:
        if lies_there:
            self.seat = seat
        elif self.seat == seat:
            self.seat = None

    def follow_hand(self, number: int) -> bool:
        """Whether another hand is in progress than before."""
        began, self.hand = bool(number) and number != self.hand, number
        return began
