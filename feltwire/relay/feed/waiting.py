"""Released hands whose page waits until viewers have seen them.

With an air delay longer than the delay of the cards a hand is released before it is on air: its page would tell
the end of it. So it is shown once its end lies the air delay back, whatever that is by then. With an air delay
that is no number nothing is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from feltwire.relay.relay_io import HandHeld, HandKey, ShowHand
from table_core.messages import Millis

HELD_AGAIN_MS = 1_000


@dataclass(slots=True)
class HandsWaiting:
    """`unshown` waited when the run before ended: their delay begins again."""

    unshown: Iterable[HandKey] = ()
    _since: dict[HandKey, tuple[Millis, Millis]] = field(default_factory=dict)  # its end, and when it is looked at

    def add(self, hand: HandKey, ended_at: Millis) -> None:
        """It is released; `ended_at`: boot time of its end."""
        self._since[hand] = (ended_at, ended_at)

    def held(self, held: HandHeld, now: Millis) -> None:
        """Everything is cut: it is tried again a second later."""
        self._since[held.hand] = (held.ended_at, Millis(now + HELD_AGAIN_MS))

    def due(self, now: Millis, air_ms: Millis | None) -> list[ShowHand]:
        """The hands that are shown now, in the order of their ends."""
        for hand in self.unshown:
            self.add(hand, now)
        self.unshown = ()
        if air_ms is None:
            return []
        shown = [hand for hand in self._since if self._at(hand, air_ms) <= now]
        shown.sort(key=lambda hand: self._since[hand])
        return [ShowHand(hand, self._since.pop(hand)[0]) for hand in shown]

    def next_at(self, air_ms: Millis | None) -> list[Millis]:
        return [] if air_ms is None else [self._at(hand, air_ms) for hand in self._since]

    def _at(self, hand: HandKey, air_ms: Millis) -> Millis:
        ended_at, look_at = self._since[hand]
        return Millis(max(ended_at + air_ms, look_at))
