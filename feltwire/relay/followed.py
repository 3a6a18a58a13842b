"""One table as the relay follows it: its leaseholder, the events that came, and its open hands.

Only events of granted epochs, signed by the granted machine, are followed. Every event of a hand must be there,
each linked to the previous one, and the station must have acknowledged it: what it has not, another machine that
takes the table over does not have either. Missing events are asked for, with a growing back-off; where they
cannot be had, the hand stays sealed and its boxes are deleted.

What may be released of a hand is decided when its number is first dealt; later settings only take away. Where this
run of the relay did not see that, the setting of that time is not known, and the strictest holds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from feltwire.ledger.chain import LedgerHead, hash_of, read_row
from feltwire.ledger.granted import EventStatus, judge, key_of, lineage_of
from feltwire.ledger.signing import signed_by
from feltwire.relay.hand import HandRecord
from feltwire.relay.inbox import SealedInbox
from feltwire.relay.on_air.past import HandBegan, HandCounted, TableAnew
from feltwire.relay.on_air.statistics import Statistics
from feltwire.relay.on_air.timeline import At, Timeline
from feltwire.relay.relay_io import (
    AckSealed,
    DropHand,
    DropStale,
    Effect,
    KeepBox,
    KeepEvent,
    KeepFollowed,
    KeepLeaseholder,
    KeepPast,
    KeepSealedUpto,
    OpenHand,
    SealedUpto,
)
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.backoff import ASK_AGAIN_AT_MOST_MS, Backoff
from feltwire.runtime.node_io import Publish, Say
from table_core.messages import (
    Ack,
    Envelope,
    HandStarted,
    Leaseholder,
    Millis,
    Resend,
    SealedCard,
    StoredEvent,
    TableState,
    TableView,
    encode,
)
from table_core.projections.table import deal_stands
from table_core.statistics import of_hand

ASKS = 12  # for one event, over about two and a half minutes
REFUSED_AGAIN_MS = 600_000  # what is refused is said this often

MOST_EVENTS = 5_000  # of one hand
MOST_WAITING = 2_000  # hands for the delay: of a week


@dataclass(slots=True)
class FollowedTable:
    """`who` is the leaseholder; None until the station names it, and nothing is followed before.

    `folded_too`: folded hands are to be released, of hands that begin from now on. `same_delay`: the run before
    followed this table under the same delay. `sealed_upto`: by lineage, what stays sealed whatever is set now.
    """

    venue: str
    table: str
    who: Leaseholder | None = None
    inbox: SealedInbox = field(default_factory=SealedInbox)
    folded_too: bool = False
    same_delay: bool = True
    sealed_upto: dict[str, SealedUpto] = field(default_factory=dict)
    looked_at: At | None = None  # where the table was when this run first heard it: what began before began unseen
    looked_hand: int = 0  # the number of its hand there
    in_touch: bool = True  # it said how it stands since this relay is at the broker
    is_live: bool = False  # an event came from behind there, which no broker retains
    head: LedgerHead | None = None
    collected: At = (0, 0)  # the last event that the station has acknowledged
    reported: At = (0, 0)  # the last event that the table is known to have
    hinted: At = (0, 0)  # the same as something says that is not signed
    drawn: At = (0, 0)  # the newest of its states that was taken
    early: At | None = None  # the first event of an epoch of which the station had said nothing yet
    asking: Backoff = field(default_factory=Backoff)
    asked: int = 0  # how often, since the last event that came in its turn
    settling: Backoff = field(default_factory=Backoff)  # until the station acknowledges a hand that is due
    current: HandRecord | None = None  # until its ruling deadline
    begun: HandRecord | None = None  # the hand behind it, while NEW HAND can be taken back
    raws: list[bytes] = field(default_factory=list)  # of that
    waiting: deque[HandRecord] = field(default_factory=deque)  # for the delay
    opening: HandRecord | None = None  # asked to be opened
    timeline: Timeline = field(default_factory=Timeline)
    statistics: Statistics = field(default_factory=Statistics)
    refused: int = 0
    refused_at: Millis | None = None

    # --------------------------------------------------------------------------------- who is it

    def granted(self, who: Leaseholder, now: Millis) -> Iterator[Effect]:
        """Take the leaseholder that the station names. A known epoch keeps its key."""
        known = self.who
        if known is not None and lineage_of(known) == lineage_of(who):
            if who.epoch < known.epoch:
                return  # an outdated message
            if key_of(who, known.epoch) not in (known.key, None):
                yield Say(f"table {self.table}: the station names another key for epoch {known.epoch}", "warning")
                return
        if who == known:
            return
        self.who = who
        yield KeepLeaseholder(self.table, who)
        if known is None or lineage_of(known) != lineage_of(who):
            self.reported = self.hinted = self.drawn = self.collected = (0, 0)
            self.looked_at, self.is_live = None, False
            self.timeline = Timeline()
            if known is not None:
                yield KeepPast(TableAnew(self.table))
        yield from self._drop_what_is_over(new_table=known is not None and lineage_of(known) != lineage_of(who))
        if who.past and self.head is not None:
            self.reported = max(self.reported, (who.past[-1].epoch, who.past[-1].last_seq))
        if self.early is not None and self.early[0] <= who.epoch:
            (epoch, seq), self.early = self.early, None
            self.hinted = max(self.hinted, (epoch, seq))
            self.asking.reset()
            if self.head is None:
                yield self._resend(epoch, 1, now)

    def _drop_what_is_over(self, *, new_table: bool) -> Iterator[Effect]:
        """Drop hands that a replaced machine reported after its epoch was over; the station never collected
        them."""
        over = [hand for hand in self.hands() if new_table or not self._within(hand.last)]
        self.waiting = deque([hand for hand in self.waiting if hand not in over])
        self.opening = None if self.opening in over else self.opening
        if self.head is not None and (new_table or not self._within((self.head.epoch, self.head.seq))):
            self.head = None
        played = (self.current, self.begun)
        if any(hand in over for hand in played if hand is not None) or self.head is None:
            over += [hand for hand in played if hand is not None and hand not in over]
            self.current, self.begun, self.raws = None, None, []
        for hand in over:
            yield from self.never(hand, "another machine is the table since")
        yield from self._tidy()

    @property
    def lineage(self) -> str:
        """Tells the hands of two tournaments apart; empty while nobody is known to be the table."""
        return "" if self.who is None else lineage_of(self.who)

    def _within(self, at: At) -> bool:
        assert self.who is not None
        last = next((past.last_seq for past in self.who.past if past.epoch == at[0]), 0)
        return at[0] == self.who.epoch or at[1] <= last

    def hands(self) -> list[HandRecord]:
        """Those that are played or wait for their release."""
        return [hand for hand in (self.opening, *self.waiting, self.current, self.begun) if hand is not None]

    def _tidy(self) -> Iterator[Effect]:
        """Delete boxes of hands before the oldest that may still be released."""
        assert self.who is not None
        oldest = min([(hand.epoch, hand.started.hand) for hand in self.hands()], default=(self.who.epoch, 0))
        yield DropStale(self.table, *oldest)

    def refuse(self, now: Millis) -> Iterator[Effect]:
        """Log a message that is not the leaseholder's: one line, and from time to time their number."""
        self.refused += 1
        if self.refused_at is None or now - self.refused_at >= REFUSED_AGAIN_MS:
            self.refused_at = now
            text = f"table {self.table}: what its machine did not sign is refused ({self.refused} so far)"
            yield Say(text, "warning")

    # ------------------------------------------------------------------------------- what it says

    def sealed(self, card: SealedCard, raw: bytes, now: Millis, *, keep: bool) -> Iterator[Effect]:
        """Take a box of a granted epoch, signed by its machine."""
        key = None if self.who is None else key_of(self.who, card.epoch)
        if key is None or not signed_by(raw, SealedCard, key):
            yield from self.refuse(now)
            return
        if keep:
            yield KeepBox(self.table, card)
        ack = self.inbox.take(card.epoch, card.sealed_seq)
        if ack is not None:
            yield AckSealed(self.table, ack)

    def restore(self, raws: Iterable[bytes], now: Millis) -> Iterator[Effect]:
        """Follow the stored events of hands whose beginning an earlier run saw, or noted as unseen."""
        for raw in raws:
            for effect in self.follow(read_row(self.table, 0, 0, raw), raw, now, stored=True):
                if not isinstance(effect, KeepEvent):
                    yield effect

    def follow(self, envelope: StoredEvent, raw: bytes, now: Millis, *, stored: bool = False) -> Iterator[Effect]:
        at = (envelope.epoch, envelope.seq)
        if self.head is not None and at <= (self.head.epoch, self.head.seq):
            return
        word = EventStatus.NOT_GRANTED if self.who is None else judge(self.who, *at, raw)
        if word is not EventStatus.ACCEPTED or (envelope.venue, envelope.table) != (self.venue, self.table):
            if word is EventStatus.NOT_GRANTED:
                self.early = min(self.early or at, at)
            if self.who is not None:
                yield from self.refuse(now)
            return
        if self.head is not None and not self.head.follows(envelope):
            if at != (self.head.epoch, self.head.seq + 1):
                self._report(at, now)
                return  # it comes again, behind what is missing
            yield from self._give_up("its events do not continue each other")
        self.head = LedgerHead(*at, hash_of(raw))
        self.asked = 0
        self.asking.moved(now)
        self.is_live = self.is_live or (not stored and self.looked_at is not None and at > self.looked_at)
        if not isinstance(envelope, Envelope):
            yield from self._lose_hand("an event of it cannot be read")
            return
        if isinstance(envelope.data, HandStarted):
            yield from self._riffle(at, envelope.data, seen=stored or self._begins_now(at, envelope.data))
        elif deal_stands(envelope.data):
            yield from self._hand_is_over()
        hand = self.begun or self.current
        if hand is not None and len(hand.events) >= MOST_EVENTS:
            yield from self._lose_hand(f"it has more than {MOST_EVENTS} events")
        elif hand is not None:
            hand.add(envelope, now)
            yield KeepEvent(self.table, hand.started.hand, raw)
            self.raws += [raw] if hand is self.begun else []
        if self.begun is not None and self.begun.taken_back:
            yield from self._goes_on(envelope, now)

    def acknowledged(self, ack: Ack) -> None:
        """The station has recorded every event up to this one. An epoch of which it has not said whose it is may
        have left events behind."""
        if self.who is not None and ack.epoch <= self.who.epoch:
            self.collected = max(self.collected, (ack.epoch, ack.seq))

    def over(self, began: At | None) -> HandRecord | None:
        """The hand that began with this event, where it has ended and its cards are to be released still."""
        hands = (hand for hand in (*self.waiting, self.current) if hand is not None)
        ended = (hand for hand in hands if hand.ended_at is not None and not hand.void and not hand.stays_sealed)
        return next((hand for hand in ended if hand.began == began), None)

    @property
    def next_out(self) -> HandRecord | None:
        """The hand that goes out next, once its delay is over: the oldest behind its ruling deadline, else the one
        whose end the table says to stand, in a break or because it plays no more."""
        if self.waiting:
            return self.waiting[0]
        last = self.current
        stands = last is not None and last.stands and not last.void and not last.stays_sealed
        # The floor may have gone back in it behind what came so far; where the next deal stands, nobody may.
        return last if stands and self.in_touch and not self.missing else None

    def open_next(self) -> Iterator[Effect]:
        """Take the hand that goes out next to be opened: it is `opening` from now on."""
        hand = self.next_out
        assert hand is not None
        if self.waiting:
            self.waiting.popleft()
        else:
            self.current = None
            yield from self._count(hand)
        self.opening = hand
        self.settling.reset()
        yield OpenHand(self.table, hand.epoch, hand.started.hand, hand.attempt, self.lineage)

    def is_collected(self, hand: HandRecord) -> bool:
        return hand.last <= self.collected

    def ask_for_acknowledgement(self, hand: HandRecord, now: Millis) -> Iterator[Effect]:
        """The table says its last event once more, and the station acknowledges it again: this relay may have
        missed it. Where none comes for half a minute, that is said once."""
        if not self.settling.due(now):
            return
        before = self.settling.wait_ms
        self.settling.said(now)
        if before < self.settling.wait_ms == ASK_AGAIN_AT_MOST_MS:
            which = f"table {self.table}: hand {hand.started.hand} waits"
            todo = "look at the station, and make the broker's access list again if it was made before an update"
            yield Say(f"{which}: the station's acknowledgement of its end does not come; {todo}", "warning")
        if self.head is not None:
            yield self._resend_from(self.head.epoch, self.head.seq, now)

    def take_state(self, view: TableView, raw: bytes, now: Millis) -> Iterator[Effect]:
        """Take a newer state; it becomes `drawn`. The event that it is as of may still be on its way."""
        at = (view.epoch, view.as_of)
        if self.who is None or view.epoch != self.who.epoch:
            return  # a machine that was replaced still speaks
        if (view.venue, view.table) != (self.venue, self.table) or not signed_by(raw, TableState, self.who.key):
            yield from self.refuse(now)
            return
        self.in_touch = True
        if at <= self.drawn:
            return  # said again
        self.drawn = at
        if not self.is_live:  # what the broker retains may be of long ago; a table that comes back says more
            self.looked_at, self.looked_hand = at, view.hand
            if not self.same_delay:
                yield from self._seal(hands=view.hand)
                yield KeepFollowed(self.table)
        self._report(at, now)

    def _report(self, at: At, now: Millis) -> None:
        if at > self.reported and not self.missing:
            self.asking.moved(now)
        self.reported = max(self.reported, at)

    @property
    def missing(self) -> bool:
        return self.head is not None and max(self.reported, self.hinted) > (self.head.epoch, self.head.seq)

    def ask(self, now: Millis) -> Iterator[Effect]:
        """Ask for missing events, with a growing back-off; where the table cannot give them, the hand stays
        sealed."""
        if self.head is None or not self.missing or not self.asking.due(now):
            return
        if self.asked >= ASKS and self.reported > (self.head.epoch, self.head.seq):
            yield from self._give_up("an event of it did not come")
        elif self.asked >= ASKS:  # anybody with its certificate may have said so
            self.hinted, self.asked = (self.head.epoch, self.head.seq), 0
        else:
            self.asked += 1
            yield self._resend(self.head.epoch, self.head.seq + 1, now)

    def _resend(self, epoch: int, seq: int, now: Millis) -> Publish:
        self.asking.said(now)
        return self._resend_from(epoch, seq, now)

    def _resend_from(self, epoch: int, seq: int, now: Millis) -> Publish:
        resend = Resend(f"relay-{now}", epoch, seq)
        return Publish(topics.table(self.venue, self.table, "resend"), encode(resend))

    # ------------------------------------------------------------------------------------- hands

    def _give_up(self, why: str) -> Iterator[Effect]:
        """Follow on from the next event that comes."""
        self.head, self.asked = None, 0
        yield from self._lose_hand(why)

    def _lose_hand(self, why: str) -> Iterator[Effect]:
        hands, self.current, self.begun, self.raws = (self.current, self.begun), None, None, []
        for hand in hands:
            if hand is not None:
                yield from self.never(hand, why)

    def _begins_now(self, at: At, started: HandStarted) -> bool:
        """Whether this run sees the hand begin, and its number was not dealt before."""
        return self.looked_at is not None and at > self.looked_at and started.hand > self.looked_hand

    def _riffle(self, at: At, started: HandStarted, *, seen: bool) -> Iterator[Effect]:
        """NEW HAND. The hand before is over with the first card or act behind it."""
        yield from self._hand_is_over()
        number, sealed = started.hand, self._sealed()
        folded_too = seen and self.folded_too and number > sealed.folds
        stays_sealed = number <= sealed.hands or not (seen or self.same_delay)
        yield from self._seal(folds=0 if folded_too else number, hands=number if stays_sealed else 0)
        self.begun = HandRecord(
            self.table, at[0], started, folded_too=folded_too, stays_sealed=stays_sealed, began=at
        )
        self.timeline.begin(at)
        yield KeepPast(HandBegan(self.table, at))
        yield from self._tidy()

    def _goes_on(self, rewound: Envelope, now: Millis) -> Iterator[Effect]:
        """NEW HAND was taken back: the hand before goes on."""
        if self.begun is not None:
            self.timeline.take_back(self.begun.began)
            yield KeepPast(HandBegan(self.table, self.begun.began, on=False))
        raws, self.begun, self.raws = self.raws, None, []
        if self.current is not None:
            self.current.add(rewound, now)
            for raw in raws:  # they stay as long as that hand
                yield KeepEvent(self.table, self.current.started.hand, raw)

    def _hand_is_over(self) -> Iterator[Effect]:
        """The deal that began stands: the ruling deadline of the hand before it."""
        if self.begun is None:
            return
        hand, self.current, self.begun, self.raws = self.current, self.begun, None, []
        if hand is not None:
            yield from self._count(hand)
        if hand is not None and (hand.void or hand.ended_at is None):
            yield from self.never(hand, "it was not played to its end")
        elif hand is not None and hand.stays_sealed:
            yield from self.never(hand, "it began before this relay followed the table under this delay")
        elif hand is not None and len(self.waiting) >= MOST_WAITING:
            yield from self.never(hand, f"{MOST_WAITING} hands wait to be released already")
        elif hand is not None:
            self.waiting.append(hand)
        yield from self._tidy()

    def _count(self, hand: HandRecord) -> Iterator[Effect]:
        """The hand stands: it counts in the players' figures."""
        tallies = of_hand(hand.events.values()) if hand.ended_at is not None else {}
        if hand.ended_at is not None and self.statistics.add((self.table, hand.began), hand.ended_at, tallies):
            yield KeepPast(HandCounted(self.table, hand.began, hand.ended_at, tallies, self.statistics.event))

    def _sealed(self) -> SealedUpto:
        return SealedUpto() if self.who is None else self.sealed_upto.get(lineage_of(self.who), SealedUpto())

    def _seal(self, *, folds: int = 0, hands: int = 0) -> Iterator[Effect]:
        assert self.who is not None
        before, lineage = self._sealed(), lineage_of(self.who)
        upto = SealedUpto(max(before.folds, folds), max(before.hands, hands))
        if upto != before:
            self.sealed_upto[lineage] = upto
            yield KeepSealedUpto(self.table, lineage, upto)

    def never(self, hand: HandRecord, why: str) -> Iterator[Effect]:
        number = hand.started.hand
        yield DropHand(self.table, hand.epoch, number, frozenset(hand.promised))
        yield Say(f"table {self.table}: hand {number} stays sealed: {why}")
