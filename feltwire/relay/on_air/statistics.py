"""How each player has played the event, as of a time: the hands that this relay followed, over all of its
tables."""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from dataclasses import dataclass, field

from table_core.messages import Millis, SeatStats
from table_core.statistics import Tally

Hand = tuple[str, tuple[int, int]]  # its table and first event: epoch, seq


@dataclass(slots=True)
class Statistics:
    """The sums of each player, with the times from which on they hold.

    >>> known = Statistics()
    >>> known.add(("01", (1, 7)), Millis(5), {"p1": Tally(hands=1)})
    >>> known.of("p1", Millis(4)), known.of("p1", Millis(5)).hands
    (None, 1)
    """

    event: str = ""  # whose hands these are, as the station said it last
    _hands: set[Hand] = field(default_factory=set)
    _sums: dict[str, list[tuple[Millis, Tally]]] = field(default_factory=dict)

    def add(self, which: Hand, ended_at: Millis, hand: Mapping[str, Tally]) -> bool:
        """A hand that ended then counts, once; whether it adds anything."""
        if which in self._hands or not hand:
            return False
        self._hands.add(which)
        for player, tally in hand.items():
            sums = self._sums.setdefault(player, [])
            at, before = sums[-1] if sums else (ended_at, Tally())
            sums.append((max(at, ended_at), before.plus(tally)))
        return True

    def begin_anew(self) -> None:
        """Another event began."""
        self._hands.clear()
        self._sums.clear()

    def of(self, player: str, when: Millis) -> SeatStats | None:
        """As of this time; None where the player has played no hand."""
        sums = self._sums.get(player, [])
        place = bisect.bisect_right(sums, when, key=lambda one: one[0])
        return sums[place - 1][1].shown() if place else None
