"""Presses that UNDO took back and that REDO can bring again."""

from __future__ import annotations

import msgspec

from table_core.messages import QuestionView
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.slice import Slice


class TakenBack(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one UNDO took back: presses, or the question that it withdrew."""

    presses: tuple[Press, ...] = ()
    question: QuestionView | None = None


class Redo(Slice):
    """What each UNDO in a row took back, the last one last. It ends with the next other press."""

    undone: tuple[TakenBack, ...] = ()
    seq: int = 0  # the last event of the UNDO, or of the last REDO

    def keep(self, presses: tuple[Press, ...]) -> None:
        self.undone = (*self.undone, TakenBack(presses))

    def keep_question(self, question: QuestionView) -> None:
        self.undone = (*self.undone, TakenBack(question=question))

    def take_last(self) -> TakenBack:
        *others, last = self.undone
        self.undone = tuple(others)
        return last

    def forget(self) -> None:
        self.undone = ()

    def said_until(self, seq: int) -> None:
        self.seq = seq
