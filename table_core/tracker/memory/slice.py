"""What every slice of the tracker's memory has."""

from __future__ import annotations

import msgspec


class Slice(msgspec.Struct, omit_defaults=True):
    def end_hand(self) -> None:
        """Forget what is over with the hand; where a slice does not say what, it outlives a hand."""

    def forget_play(self) -> None:
        """Forget what was said and seen of the play so far: the hand goes on from what a person says."""
