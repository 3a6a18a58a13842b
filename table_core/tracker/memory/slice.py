"""The base of every slice of the tracker's memory."""

from __future__ import annotations

import msgspec


class Slice(msgspec.Struct, omit_defaults=True):
    def end_hand(self) -> None:
        """Drop what ends with the hand. A slice without this method outlives a hand."""

    def forget_play(self) -> None:
        """Drop keys and readings of the play so far: the hand is resumed from what a person says."""
