"""In how many motions the chips of a zone came: what rules about single chips and string bets ask."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.chips.zone import ZoneChips


@dataclass
class MotionCounter:
    """Counts, for one zone, how often chips were added between two times that it lay still."""

    motions: int = 0
    _there: ZoneChips = field(default_factory=ZoneChips)

    def still(self, chips: ZoneChips) -> int:
        """The zone lies still again with these chips; in how many motions they came since it was empty.

        Chips taken back or only pushed about are no arrival; nor is a look that says nothing, as at a
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
