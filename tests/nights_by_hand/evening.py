"""What really happens in an evening that no table reports: who wins whose chips, and who goes out.

The station knows nothing of it but what the director presses. `Evening` is what it is judged by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random


@dataclass(slots=True)
class Bust:
    """A player who lost the last chips in hand `hand`, with what they had when it began, and who won."""

    player: str
    hand: int
    stack: int
    by: str


@dataclass(slots=True)
class Evening:
    """`stacks` of who plays, `out` in order: the hands, each with who went out in it."""

    stack: int
    stacks: dict[str, int] = field(default_factory=dict)
    out: list[list[Bust]] = field(default_factory=list)
    given: int = 0
    hands: int = 0

    def sits_down(self, player: str, chips: int) -> None:
        self.stacks[player] = self.stacks.get(player, 0) + chips
        self.given += chips

    def hand(self, table: Sequence[str], random: Random) -> list[Bust]:
        """A hand of who sits at one table: small pots mostly, all-ins of two or more of them else."""
        self.hands += 1
        there = [player for player in table if player in self.stacks]
        if len(there) < 2:
            return []
        random.shuffle(there)
        winner, losers = there[0], there[1 : 2 + (random.random() < 0.35) + (random.random() < 0.2)]
        before = {player: self.stacks[player] for player in there}
        all_in = random.random() < 0.5
        for loser in losers:
            lost = min(before[loser], before[winner]) if all_in else random.randint(0, min(before.values()) // 4)
            self.stacks[loser] -= lost
            self.stacks[winner] += lost
        gone = [Bust(one, self.hands, before[one], winner) for one in losers if not self.stacks[one]]
        for bust in gone:
            del self.stacks[bust.player]
        if gone:
            self.out.append(gone)
        return gone

    def back(self, player: str) -> None:
        """The player buys in again: nothing of the bust counts."""
        self.out = [left for hand in self.out if (left := [one for one in hand if one.player != player])]

    def places(self) -> dict[str, int]:
        """Of everybody who is out: in one hand who had more is better, equal stacks share."""
        found: dict[str, int] = {}
        best = len(self.stacks)
        for hand in reversed(self.out):
            ranked = sorted(hand, key=lambda bust: -bust.stack)
            for bust in ranked:
                level = next(at for at, other in enumerate(ranked) if other.stack == bust.stack)
                found[bust.player] = best + 1 + level
            best += len(hand)
        return found
