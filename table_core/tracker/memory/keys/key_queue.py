"""Betting keys in quick succession: a round that was played first and keyed afterwards."""

from __future__ import annotations

from table_core.messages import Refused
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.slice import Slice


class KeyQueue(Slice):
    presses: tuple[Press, ...] = ()
    after: int = 0  # seq of the event before what they may be about
    refused: tuple[Refused, ...] = ()  # what waits for the last of them

    def begin(self, after: int) -> None:
        self.presses, self.after = (), after

    def enqueue(self, press: Press) -> None:
        self.presses = (*self.presses, press)

    def refuse_later(self, refused: Refused) -> None:
        self.refused = (*self.refused, refused)

    def end(self) -> tuple[Refused, ...]:
        """End the queue; the refusals that it held."""
        refused = self.refused
        self.presses, self.refused = (), ()
        return refused

    def taken_back_to(self, found: KeyQueue) -> None:
        """A press was taken back: the keys before it. Where no timer waits for more, the next key begins anew."""
        self.presses, self.after, self.refused = found.presses, found.after, found.refused

    def end_hand(self) -> None:
        self.end()

    forget_play = end_hand
