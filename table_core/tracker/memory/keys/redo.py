"""Presses that UNDO took back and that REDO can bring again."""

from __future__ import annotations

from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.slice import Slice


class Redo(Slice):
    """What each UNDO in a row took back, the last one last. It ends with the next other press."""

    taken_back: tuple[tuple[Press, ...], ...] = ()
    seq: int = 0  # the last event of the UNDO, or of the last REDO

    def keep(self, presses: tuple[Press, ...]) -> None:
        self.taken_back = (*self.taken_back, presses)

    def take_last(self) -> tuple[Press, ...]:
        *others, last = self.taken_back
        self.taken_back = tuple(others)
        return last

    def forget(self) -> None:
        self.taken_back = ()

    def said_until(self, seq: int) -> None:
        self.seq = seq
