"""Stacks that were counted since the last hand, so that a count can be taken back."""

from __future__ import annotations

import msgspec

from table_core.tracker.kept import Chips, Seat
from table_core.tracker.memory.slice import Slice


class StackCount(msgspec.Struct, frozen=True):
    """`before`: the stack as it stood before it was counted."""

    seat: Seat
    before: Chips


class Counts(Slice):
    counted: tuple[StackCount, ...] = ()

    def count(self, seat: Seat, before: Chips) -> None:
        self.counted = (*self.counted, StackCount(seat, before))

    def take_last(self) -> StackCount:
        *others, last = self.counted
        self.counted = tuple(others)
        return last

    def end_hand(self) -> None:
        self.counted = ()
