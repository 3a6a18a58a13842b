"""The number of motions in which the chips of a zone came, for rulings on single chips and string bets."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.chips.zone import ZoneChips


@dataclass
class MotionCounter:
    """Counts, for one zone, how often chips were added between two times that it lay still."""

    motions: int = 0
    _there: ZoneChips = field(default_factory=ZoneChips)

    def still(self, chips: ZoneChips) -> int:
        """The zone is at rest again with these chips; the number of motions since it was empty.

        Chips that are taken back or pushed about are no motion; nor is a reading without information, as of a
        resting hand.
        """
        if chips.pieces == 0:
            self.motions, self._there = 0, chips
        elif chips.low > self._there.low:
            self.motions, self._there = self.motions + 1, chips
        elif chips.low or chips.pieces is not None:
            self._there = chips
        return self.motions

    def forget(self) -> None:
        self.motions, self._there = 0, ZoneChips()
