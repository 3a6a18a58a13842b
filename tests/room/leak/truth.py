"""What truly happened at the tables: which cards lay face up, from when on."""

from __future__ import annotations

import bisect
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOREVER = 1 << 62


@dataclass
class TrueHand:
    """`drawn` are the cards in the order in which they left the deck; times are boot time in milliseconds."""

    number: int
    began: int
    ended: int = FOREVER  # the next first riffle, or the table's word that its end stands
    drawn: list[str] = field(default_factory=list)
    drawn_at: list[int] = field(default_factory=list)
    dealt_to: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    face_up: dict[str, int] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)  # hole cards that were never thrown away
    goes_out: int = 0  # when the relay may release it at the earliest, where that is later than `ended`

    def public(self, at: int) -> frozenset[str]:
        return frozenset(card for card, since in self.face_up.items() if since <= at)

    def released(self, at: int) -> frozenset[str]:
        """What the relay may have shown by then: after the next first riffle the hands that were kept, too."""
        return self.public(at) | (self.kept if at >= max(self.ended, self.goes_out) else frozenset())


class Truth:
    """Every hand of every table, from the witnesses' files."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.hands: dict[str, list[TrueHand]] = defaultdict(list)
        for line in lines:
            self._take(json.loads(line))
        self._began = {table: [hand.began for hand in hands] for table, hands in self.hands.items()}

    @classmethod
    def read(cls, paths: Iterable[Path]) -> Truth:
        return cls(line for path in paths if path.exists() for line in path.read_text().splitlines())

    def _take(self, said: dict) -> None:  # type: ignore[type-arg]
        hands, at = self.hands[said["table"]], said["at"]
        if said["what"] == "hand":
            if hands:
                hands[-1].ended = at
            hands.append(TrueHand(said["hand"], at))
            return
        if said["what"] == "pressed":  # only shows that the dealer goes on
            return
        hand = hands[-1]
        match said["what"]:
            case "drawn":
                hand.drawn.append(said["card"])
                hand.drawn_at.append(at)
            case "dealt":
                hand.dealt_to[said["seat"]].append(said["card"])
                hand.kept.add(said["card"])
            case "thrown_away":
                hand.kept -= set(hand.dealt_to[said["seat"]])
            case "face_up":
                for card in said["cards"]:
                    hand.face_up.setdefault(card, at)

    def numbered(self, table: str, number: int) -> list[TrueHand]:
        """The deals of hand `number` (more than one when it was dealt again)."""
        return [hand for hand in self.hands.get(table, ()) if hand.number == number]

    def release(
        self,
        ends: Mapping[tuple[str, int], int],
        delay_ms: int,
        *,
        folded: bool,
        stood: Mapping[tuple[str, int], int] | None = None,
    ) -> None:
        """The relay releases hands: `ends` is when each was awarded for the last time, by table and number. Where
        one is dealt again under its number, each deal counts as over when the last one is. `stood`: when a table
        said that a hand stands, with none behind it."""
        for table, hands in self.hands.items():
            for hand in hands:
                hand.ended = min(hand.ended, (stood or {}).get((table, hand.number), FOREVER))
                hand.goes_out = ends.get((table, hand.number), FOREVER) + delay_ms
                if folded:
                    hand.kept |= {card for cards in hand.dealt_to.values() for card in cards}

    def around(self, table: str, at: int) -> list[TrueHand]:
        """The hand being dealt at `at` and the one before it."""
        place = bisect.bisect_right(self._began.get(table, []), at)
        return self.hands.get(table, [])[max(0, place - 2) : place]

    @property
    def count(self) -> int:
        return sum(len(hands) for hands in self.hands.values())

    @property
    def hidden(self) -> int:
        """Cards that left a deck and never lay face up."""
        return sum(len(set(h.drawn) - h.face_up.keys()) for hands in self.hands.values() for h in hands)
