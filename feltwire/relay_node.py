"""The relay without its I/O: when a hand's cards may go out, and what the overlay shows meanwhile.

Hidden cards of a hand go out when three things are true: the next hand has begun (the ruling deadline), the
configured delay has passed since this relay saw the hand end (boot time), and the relay saw every event of the
hand; what it missed it asks the table for. A restart begins the delay anew. A delay that is missing, malformed or
negative means *never*; so does one that was changed, for the hands played under another.

Public facts run behind by the same delay, so that they agree with a delayed picture. After a release the hand
is shown once more with its cards, then the table again.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from feltwire import topics
from feltwire.chain import LedgerHead, hash_of
from feltwire.config import RelayConfig
from feltwire.node_io import Arrived, BusDown, BusUp, Publish, Say, Show
from feltwire.patience import Patience
from feltwire.relay_hand import HandRecord
from feltwire.relay_inbox import SealedInbox
from feltwire.relay_io import (
    AckSealed,
    Effect,
    ForgetEvents,
    Input,
    KeepBox,
    KeepEvent,
    Opened,
    OpenHand,
    Release,
)
from table_core.messages import (
    Envelope,
    HandStarted,
    Millis,
    OverlaySeat,
    OverlayView,
    Resend,
    SealedCard,
    TableView,
    decode_envelope,
    encode,
)

RECAP_MS = 8_000  # how long a released hand is shown
ASKS = 12  # for one event, over about two and a half minutes
_DELAY = re.compile(r"\d{1,6}(\.\d{1,3})?", re.ASCII)


def parse_delay(text: str) -> float | None:
    """Seconds; None (never) for anything that is not plainly a number of seconds."""
    return float(text) if _DELAY.fullmatch(text.strip()) else None


@dataclass(slots=True)
class _Table:
    """What the relay knows of one table."""

    inbox: SealedInbox = field(default_factory=SealedInbox)
    head: LedgerHead | None = None
    reported: tuple[int, int] = (0, 0)  # the last event that the table is known to have: epoch, seq
    asking: Patience = field(default_factory=Patience)
    asked: int = 0  # how often, since the last event that came in its turn
    current: HandRecord | None = None  # until its ruling deadline
    waiting: deque[HandRecord] = field(default_factory=deque)  # for the delay
    opening: HandRecord | None = None  # asked to be opened
    views: deque[tuple[Millis, OverlayView]] = field(default_factory=deque)
    newest: OverlayView | None = None  # what the table shows, recap or not
    as_of: tuple[int, int] = (0, 0)
    recap_until: Millis | None = None


class RelayNode:
    """`inboxes`: what the store says was acknowledged to each table before."""

    def __init__(self, config: RelayConfig, inboxes: dict[str, SealedInbox] | None = None) -> None:
        self._config = config
        self.delay_s = parse_delay(config.delay_s)
        self._delay_ms = Millis(round((self.delay_s or 0) * 1000))
        known = inboxes or {}
        self._tables = {name: _Table(inbox=known.get(name, SealedInbox())) for name in config.tables}

    def restore(self, table: str, raws: Iterable[bytes], now: Millis) -> list[Effect]:
        """Follow the stored events of hands not yet released: their delay begins anew."""
        effects = [effect for raw in raws for effect in self._follow(table, decode_envelope(raw), raw, now)]
        return [effect for effect in effects if not isinstance(effect, KeepEvent)]

    def step(self, given: Input | None, now: Millis) -> tuple[list[Effect], Millis | None]:
        effects: list[Effect] = []
        match given:
            case Arrived():
                effects += self._arrived(given, now)
            case Opened():
                effects += self._opened(given, now)
            case BusUp():
                effects.append(Say(f"connected to the broker at {self._config.broker.url}"))
            case BusDown():
                effects.append(Say(given.why, "warning"))
        for name in self._tables:
            effects += self._ask(name, now)
            effects += self._due(name, now)
        return effects, self._wake_at()

    # ------------------------------------------------------------------------------ what comes in

    def _arrived(self, given: Arrived, now: Millis) -> list[Effect]:
        where = topics.split_table(given.topic)
        if where is None or where[0] not in self._tables:
            return []
        table, leaf = where
        try:
            if leaf == "sealed":
                return self._sealed(table, msgspec.json.decode(given.payload, type=SealedCard))
            if leaf == "state":
                self._state(table, msgspec.json.decode(given.payload, type=TableView), now)
            elif leaf == "event":
                return self._follow(table, decode_envelope(given.payload), given.payload, now)
        except msgspec.DecodeError as error:
            return [Say(f"table {table}: a message on {leaf} is malformed and was left ({error})")]
        return []

    def _sealed(self, table: str, card: SealedCard) -> list[Effect]:
        effects: list[Effect] = [KeepBox(table, card)]
        ack = self._tables[table].inbox.take(card.epoch, card.sealed_seq)
        if ack is not None:
            effects.append(AckSealed(table, ack))
        return effects

    def _state(self, table: str, view: TableView, now: Millis) -> None:
        state = self._tables[table]
        self._report(state, (view.epoch, view.as_of), now)
        if (view.epoch, view.as_of) > state.as_of:  # a machine that was replaced may still speak
            state.as_of = (view.epoch, view.as_of)
            state.views.append((Millis(now + self._delay_ms), overlay_of(view, self.delay_s)))

    def _follow(self, table: str, envelope: Envelope, raw: bytes, now: Millis) -> list[Effect]:
        state = self._tables[table]
        if self.delay_s is None or envelope.table != table:
            return []
        at = (envelope.epoch, envelope.seq)
        if state.head is not None and at <= (state.head.epoch, state.head.seq):
            return []
        effects: list[Effect] = []
        if state.head is not None and not state.head.follows(envelope):
            if not self._contradicts(state, envelope):
                self._report(state, at, now)
                return []  # it comes again, behind what is missing
            effects += self._give_up(table, "its events do not continue each other")
        state.head = LedgerHead(envelope.epoch, envelope.seq, hash_of(raw))
        state.asked = 0
        state.asking.moved(now)
        if isinstance(envelope.data, HandStarted):
            effects += self._riffle(table)
            state.current = HandRecord(table, envelope.data)
        if state.current is not None:
            state.current.add(envelope.seq, envelope.data, now)
            effects.append(KeepEvent(table, state.current.started.hand, raw))
        return effects

    def _contradicts(self, state: _Table, envelope: Envelope) -> bool:
        """It stands where the next event should, and does not continue the one before: what this relay heard last
        was taken back when another machine became the table."""
        assert state.head is not None
        in_turn = (envelope.epoch, envelope.seq) == (state.head.epoch, state.head.seq + 1)
        # Twice asked for the rest of an epoch, the table begins its answer with the next one: there is no rest.
        no_rest = envelope.epoch > state.head.epoch and envelope.seq == 1 and state.asked > 1
        return in_turn or no_rest

    def _report(self, state: _Table, at: tuple[int, int], now: Millis) -> None:
        """The table is known to have this event; it may just be under way."""
        if at > state.reported and not self._missing(state):
            state.asking.moved(now)
        state.reported = max(state.reported, at)

    def _missing(self, state: _Table) -> bool:
        return state.head is not None and state.reported > (state.head.epoch, state.head.seq)

    def _ask(self, table: str, now: Millis) -> list[Effect]:
        """Ask for what is missing, ever less often; a table that cannot give it leaves its hand sealed."""
        state = self._tables[table]
        if self.delay_s is None or state.head is None or not self._missing(state) or not state.asking.due(now):
            return []
        if state.asked >= ASKS:
            return self._give_up(table, "an event of it did not come")
        state.asked += 1
        state.asking.said(now)
        resend = Resend(f"relay-{now}", state.head.epoch, state.head.seq + 1)
        return [Publish(topics.table(self._config.venue, table, "resend"), encode(resend))]

    def _give_up(self, table: str, why: str) -> list[Effect]:
        """Follow on from whatever comes next."""
        state = self._tables[table]
        hand, state.current, state.head, state.asked = state.current, None, None, 0
        return self._never(table, hand, why) if hand is not None else []

    def _riffle(self, table: str) -> list[Effect]:
        """The next hand begins: the ruling deadline of the one before."""
        state = self._tables[table]
        hand, state.current = state.current, None
        if hand is None:
            return []
        if hand.void or hand.ended_at is None:
            return self._never(table, hand, "it was not played to its end")
        hand.riffled = True
        state.waiting.append(hand)
        return []

    def _never(self, table: str, hand: HandRecord, why: str) -> list[Effect]:
        number = hand.started.hand
        return [ForgetEvents(table, number), Say(f"table {table}: hand {number} stays sealed: {why}")]

    # ----------------------------------------------------------------------------- what goes out

    def _due(self, table: str, now: Millis) -> list[Effect]:
        state = self._tables[table]
        effects: list[Effect] = []
        if state.opening is None and state.waiting and self._release_at(state.waiting[0]) <= now:
            state.opening = state.waiting.popleft()
            effects.append(OpenHand(table, state.opening.started.hand))
        changed = False
        while state.views and state.views[0][0] <= now:
            state.newest = state.views.popleft()[1]
            changed = True
        if state.recap_until is not None:
            if state.recap_until > now:
                return effects
            state.recap_until, changed = None, True
        if changed and state.newest is not None:
            effects += self._show(table, state.newest)
        return effects

    def _opened(self, given: Opened, now: Millis) -> list[Effect]:
        state = self._tables[given.table]
        hand = state.opening
        if hand is None or hand.started.hand != given.hand:
            return []
        state.opening = None
        released = hand.allowed(given.openings, folded=self._config.release_folded)
        state.recap_until = Millis(now + RECAP_MS)
        return [
            Release(given.table, given.hand, tuple(opening for _, opening in released)),
            ForgetEvents(given.table, given.hand),
            *self._show(given.table, hand.recap(released, delay_s=self.delay_s)),
        ]

    def _show(self, table: str, view: OverlayView) -> list[Effect]:
        raw = encode(view)
        return [Publish(topics.overlay(self._config.venue, table), raw), Show(f"overlay/{table}", raw)]

    def _release_at(self, hand: HandRecord) -> Millis:
        assert hand.ended_at is not None
        return Millis(hand.ended_at + self._delay_ms)

    def _wake_at(self) -> Millis | None:
        times: list[Millis] = []
        for state in self._tables.values():
            times += [due for due, _ in list(state.views)[:1]]
            times += [self._release_at(hand) for hand in list(state.waiting)[:1] if state.opening is None]
            times += [state.recap_until] if state.recap_until is not None else []
            times += [state.asking.due_at()] if self.delay_s is not None and self._missing(state) else []
        return min(times, default=None)


def overlay_of(view: TableView, delay_s: float | None) -> OverlayView:
    """The public part of a table for the overlay: backs, and cards that were tabled."""
    return OverlayView(
        table=view.table,
        feed=view.table,
        hand=view.hand,
        street=view.street,
        board=view.board,
        pot=view.pot,
        seats=tuple(OverlaySeat(s.seat, s.player, s.stack, s.cards, s.folded, s.won) for s in view.seats),
        delay_s=delay_s,
        level=view.level,
        last=view.last,
    )
