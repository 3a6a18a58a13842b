"""The current decision, since when it is due, and the clock that was called on it."""

from __future__ import annotations

from table_core.tracker.kept import Millis, Seat
from table_core.tracker.memory.slice import Slice


class Thinking(Slice):
    decision: str = ""  # names hand, street, number of actions and seat
    since: Millis = Millis(0)
    clock: Seat | None = None  # the seat that the clock was called on

    def follow(self, decision: str, now: Millis) -> bool:
        """Whether it is a new decision; its thinking time begins here."""
        if decision == self.decision:
            return False
        self.decision, self.since = decision, now
        return True

    def call_clock(self, seat: Seat) -> None:
        self.clock = seat

    def stop_clock(self) -> None:
        self.clock = None

    def taken_back_to(self, found: Thinking) -> None:
        """A press was taken back: the decision before it, and no clock that was called since."""
        self.decision, self.since = found.decision, found.since
        self.clock = self.clock if found.clock is not None else None

    def end_hand(self) -> None:
        self.clock = None
