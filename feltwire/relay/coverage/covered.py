"""One table as the coverage follows it: the events that its machine signed, each behind the one before.

It is apart from what decides about releases: a table that cannot be followed here delays no card, and releases
none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from feltwire.ledger.chain import LedgerHead, hash_of
from feltwire.ledger.granted import EventStatus, judge, lineage_of
from feltwire.ledger.signing import signed_by
from feltwire.relay.hand import HandRecord
from table_core.messages import (
    Envelope,
    HandStarted,
    Leaseholder,
    Millis,
    StoredEvent,
    Street,
    TableState,
    TableView,
)

FIRST_ASK_MS = 3_000  # an event on its way is not asked for
ASK_AGAIN_MS = 15_000
ASKS = 8
MOST_AHEAD = 3_000  # events that wait for the ones before
FOLLOWED_HANDS = 2  # behind NEW HAND the hand before may go on
MOST_EVENTS = 5_000  # of a hand


@dataclass(slots=True)
class CoveredTable:
    """`who` is the leaseholder; nothing is taken before the station names it."""

    venue: str
    table: str
    who: Leaseholder | None = None
    head: LedgerHead | None = None
    hands: list[HandRecord] = field(default_factory=list)
    view_of: tuple[int, int] = (0, 0)  # the event that the newest state is as of
    _ahead: dict[tuple[int, int], tuple[StoredEvent, bytes]] = field(default_factory=dict)
    _ask_at: Millis | None = None
    _asked: int = 0

    def granted(self, who: Leaseholder) -> None:
        known = self.who
        if known is not None and lineage_of(known) == lineage_of(who) and who.epoch < known.epoch:
            return  # an outdated message
        if known is not None and lineage_of(known) != lineage_of(who):
            self.head, self.hands, self._ahead, self.view_of = None, [], {}, (0, 0)
            self._ask_at, self._asked = None, 0
        self.who = who

    # ------------------------------------------------------------------------------------ events

    def take(self, envelope: StoredEvent, raw: bytes, now: Millis) -> Iterator[HandRecord]:
        """The hands that an event changed, and those behind it that waited for it."""
        at = (envelope.epoch, envelope.seq)
        if self.who is None or (self.head is not None and at <= (self.head.epoch, self.head.seq)):
            return
        if (envelope.venue, envelope.table) != (self.venue, self.table):
            return
        if judge(self.who, *at, raw) is not EventStatus.ACCEPTED:
            return
        if self.head is not None and not self.head.follows(envelope):
            if len(self._ahead) < MOST_AHEAD:
                self._ahead[at] = envelope, raw
            self._ask_at = Millis(now + FIRST_ASK_MS) if self._ask_at is None else self._ask_at
            return
        yield from self._follow(envelope, raw, now)
        yield from self._catch_up(now)

    def _catch_up(self, now: Millis) -> Iterator[HandRecord]:
        """The events that came before the one that was missing."""
        while self._ahead and self.head is not None:
            following = next((at for at, (one, _) in self._ahead.items() if self.head.follows(one)), None)
            if following is None:
                break
            yield from self._follow(*self._ahead.pop(following), now)
        if self.head is not None:
            here = (self.head.epoch, self.head.seq)
            self._ahead = {at: one for at, one in self._ahead.items() if at > here}
        if not self._ahead:
            self._ask_at, self._asked = None, 0

    def _follow(self, envelope: StoredEvent, raw: bytes, now: Millis) -> Iterator[HandRecord]:
        self.head = LedgerHead(envelope.epoch, envelope.seq, hash_of(raw))
        if not isinstance(envelope, Envelope):
            self.hands = []  # what it changed is not known
            return
        if isinstance(envelope.data, HandStarted):
            at = (envelope.epoch, envelope.seq)
            self.hands = [*self.hands, HandRecord(self.table, envelope.epoch, envelope.data, began=at)]
            self.hands = self.hands[-FOLLOWED_HANDS:]
        if not self.hands or len(self.hands[-1].events) > MOST_EVENTS:
            return
        newest = self.hands[-1]
        newest.add(envelope, now)
        yield newest
        if newest.taken_back:
            self.hands.pop()
            if self.hands:
                self.hands[-1].add(envelope, now)
                yield self.hands[-1]

    def asks(self, now: Millis) -> tuple[int, int] | None:
        """The first event that is missing, where it is time to ask for it; epoch and seq."""
        if self._ask_at is None or now < self._ask_at or self.head is None:
            return None
        if self._asked >= ASKS:
            return None
        self._asked += 1
        self._ask_at = Millis(now + ASK_AGAIN_MS)
        return self.head.epoch, self.head.seq + 1

    def gives_up(self, now: Millis) -> Iterator[HandRecord]:
        """What is missing does not come: follow on from the next event. The hand in between is not told."""
        if self._ask_at is None or now < self._ask_at or self._asked < ASKS:
            return
        self.hands, self._ask_at, self._asked = [], None, 0
        at = min(self._ahead)
        yield from self._follow(*self._ahead.pop(at), now)
        yield from self._catch_up(now)
        self._ask_at = Millis(now + FIRST_ASK_MS) if self._ahead else None

    @property
    def wakes_at(self) -> Millis | None:
        return self._ask_at

    # ------------------------------------------------------------------------------------ states

    def between_hands(self, state: TableState, raw: bytes) -> TableView | None:
        """The table's public state, where it is newer, its machine signed it, and no hand is under way."""
        view = state.view
        at = (view.epoch, view.as_of)
        if self.who is None or view.epoch != self.who.epoch or at <= self.view_of:
            return None
        if (view.venue, view.table) != (self.venue, self.table) or not signed_by(raw, TableState, self.who.key):
            return None
        self.view_of = at
        return view if view.street is Street.DONE else None

    def line_of(self, hand: HandRecord) -> str:
        """The name of the hand's line: it is another one for every deal of a number, and in each tournament."""
        lineage = lineage_of(self.who)[:8] if self.who is not None else ""
        return line_name(self.table, lineage, hand.began)


def line_name(table: str, lineage: str, began: tuple[int, int]) -> str:
    """`began`: the event of the riffle."""
    return f"{table}/{lineage[:8]}/{began[0]}.{began[1]}"
