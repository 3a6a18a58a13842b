"""The relay without its I/O: when a hand's cards are released, and what the overlay shows.

Hidden cards of a hand are released when four conditions hold: the deal of the next hand stands, or the table's
record says that none follows and this one stands (the ruling deadline); the configured delay has passed since
this relay saw the hand end (boot time); the relay has every event of the hand; and so has the station. It asks
the table for missing events. A restart begins the delay again. A missing, malformed or negative delay means
*never*; so does a changed delay, for the hands played under the previous one. Folded hands are released where
`release_folded` has been on since the hand began.

Public facts are shown with the same delay, so that they agree with a delayed picture. After a release the hand is
shown once more with its cards, then the table again.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace

from feltwire.config import RelayConfig
from feltwire.ledger.granted import key_of, lineage_of
from feltwire.relay.followed import FollowedTable
from feltwire.relay.hand import HandRecord
from feltwire.relay.inbox import SealedInbox
from feltwire.relay.relay_io import DropHand, Effect, Input, Opened, OpenHand, SealedUpto, SignRelease
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Quarantined, Say, Show
from feltwire.runtime.parts import Parts
from feltwire.runtime.views import Fault, Part, Views
from table_core.commitment import Opening
from table_core.messages import (
    Ack,
    Beat,
    CardDealt,
    Chips,
    LaterVersion,
    Leaseholder,
    Malformed,
    Millis,
    OverlayPot,
    OverlaySeat,
    OverlayView,
    SealedCard,
    Status,
    Street,
    TableLeaseholder,
    TableState,
    TableView,
    decode,
    decode_stored,
    encode,
)

RELAY = "relay"  # its name at the broker
RECAP_MS = 8_000  # how long a released hand is shown
MOST_VIEWS = 20_000  # of one table that wait for the delay, one an event
_DELAY = re.compile(r"\d{1,6}(\.\d{1,3})?", re.ASCII)


def parse_delay(text: str) -> float | None:
    """Seconds; None (never) for anything that is not a number of seconds."""
    return float(text) if _DELAY.fullmatch(text.strip()) else None


@dataclass(slots=True)
class _Picture:
    """What the overlay of a table shows now and next."""

    views: deque[tuple[Millis, OverlayView]] = field(default_factory=deque)
    newest: OverlayView | None = None  # what the table shows, recap or not
    recap_until: Millis | None = None


class RelayNode:
    """`inboxes`: what was acknowledged to each table, from the store; `leaseholders`: those of the tables;
    `sealed_upto`: by table and lineage, what stays sealed whatever is set now; `same_delay`: the tables that the
    run before followed under the same delay, None for all."""

    def __init__(
        self,
        config: RelayConfig,
        inboxes: Mapping[str, SealedInbox] | None = None,
        leaseholders: Mapping[str, Leaseholder] | None = None,
        views: Views | None = None,
        parts: Parts | None = None,
        *,
        sealed_upto: Mapping[tuple[str, str], SealedUpto] | None = None,
        same_delay: Container[str] | None = None,
    ) -> None:
        self._views = views if views is not None else Views()
        self._parts = parts or Parts()
        self._config = config
        self.delay_s = parse_delay(config.delay_s)
        self._delay_ms = Millis(round((self.delay_s or 0) * 1000))
        self._tables = {
            name: FollowedTable(
                config.venue,
                name,
                (leaseholders or {}).get(name),
                (inboxes or {}).get(name, SealedInbox()),
                config.release_folded,
                same_delay is None or name in same_delay,
                {lineage: upto for (table, lineage), upto in (sealed_upto or {}).items() if table == name},
            )
            for name in config.tables
        }
        self._pictures = {name: _Picture() for name in config.tables}

    def restore(self, table: str, raws: Iterable[bytes], now: Millis) -> list[Effect]:
        """Follow the stored events of hands not yet released; their delay begins again."""
        return [] if self.delay_s is None else list(self._tables[table].restore(raws, now))

    def step(self, given: Input | None, now: Millis) -> tuple[list[Effect], Millis | None]:
        effects: list[Effect] = []
        match given:
            case Arrived() if given.topic == topics.tournament(self._config.venue, "beat"):
                effects += self._beat(given.payload)
            case Arrived():
                effects += self._arrived(given, now)
            case Opened():
                effects += self._opened(given, now)
            case Quarantined():
                effects.append(Say(given.words, "warning", "quarantine"))
            case BusUp():
                effects.append(Say(f"connected to the broker at {self._config.broker.url}"))
                status = topics.process(self._config.venue, RELAY, "status")
                effects.append(Publish(status, encode(Status(online=True)), retain=True))
            case BusDown():
                effects.append(Say(given.why, "warning"))
        for name in self._tables:
            effects += self._parts.run(f"the releases of table {name}", partial(self._falls_due, name, now))
        return effects, self._wake_at()

    # ------------------------------------------------------------------------------ what comes in

    def _beat(self, raw: bytes) -> list[Effect]:
        """A beat of the station is said back: this relay is there."""
        try:
            beat = decode(raw, Beat)
        except Malformed as error:
            return [Say(f"the station's beat is malformed and was ignored ({error})", "warning", "malformed beat")]
        beat = replace(beat, cannot_show=self._views.newest)
        return [Publish(topics.process(self._config.venue, RELAY, "beat"), encode(beat), qos=0)]

    def _arrived(self, given: Arrived, now: Millis) -> list[Effect]:
        leased = topics.table_of_leaseholder(given.topic)
        where = (leased, "charge") if leased is not None else topics.split_table(given.topic)
        if where is None or where[0] not in self._tables:
            return []
        table, leaf = self._tables[where[0]], where[1]
        try:
            return list(self._heard(table, leaf, given.payload, now))
        except LaterVersion as error:
            text = f"table {table.table} has a later version ({error}): update the relay, it follows nothing of it"
            return [Say(text, "warning", f"later {table.table}")]
        except Malformed as error:
            text = f"table {table.table}: a message on {leaf} is malformed and was ignored ({error})"
            return [Say(text, "warning", f"malformed {table.table}")]

    def _heard(self, table: FollowedTable, leaf: str, raw: bytes, now: Millis) -> Iterator[Effect]:
        match leaf:
            case "charge":
                lease = decode(raw, TableLeaseholder)
                if lease.table == table.table:
                    yield from table.granted(lease.leaseholder, now)
            case "sealed":
                card = decode(raw, SealedCard)
                yield from table.sealed(card, raw, now, keep=self.delay_s is not None)
            case "ack":
                table.acknowledged(decode(raw, Ack))
            case "state":
                yield from self._state(table, decode(raw, TableState).view, raw, now)
            case "event" if self.delay_s is not None:
                yield from table.follow(decode_stored(raw), raw, now)

    def _state(self, table: FollowedTable, view: TableView, raw: bytes, now: Millis) -> Iterator[Effect]:
        before = table.drawn
        yield from table.take_state(view, raw, now)
        views = self._pictures[table.table].views
        if table.drawn != before and len(views) < MOST_VIEWS:
            shown = self._views.show(
                Part(f"The overlay of table {table.table}", table.table),
                lambda: overlay_of(view, self.delay_s),
                lambda fault: self._not_shown(table.table, view.hand, fault),
            )
            views.append((Millis(now + self._delay_ms), shown))

    # ----------------------------------------------------------------------------- what goes out

    def _falls_due(self, name: str, now: Millis) -> list[Effect]:
        return [*self._tables[name].ask(now), *self._due(name, now)]

    def _due(self, name: str, now: Millis) -> list[Effect]:
        table, picture = self._tables[name], self._pictures[name]
        effects: list[Effect] = []
        due = table.next_out if table.opening is None else None
        if due is not None and self._release_at(due) <= now:
            if table.is_collected(due):
                hand = table.open_next()
                table.settling.reset()
                effects.append(OpenHand(name, hand.epoch, hand.started.hand, hand.attempt, self._lineage(table)))
            else:
                effects += table.ask_for_acknowledgement(due, now)
        changed = False
        while picture.views and picture.views[0][0] <= now:
            picture.newest = picture.views.popleft()[1]
            changed = True
        if picture.recap_until is not None:
            if picture.recap_until > now:
                return effects
            picture.recap_until, changed = None, True
        if changed and picture.newest is not None:
            effects += self._show(name, picture.newest)
        return effects

    def _opened(self, given: Opened, now: Millis) -> list[Effect]:
        table = self._tables[given.table]
        hand = table.opening
        if hand is None or (hand.epoch, hand.started.hand) != (given.epoch, given.hand):
            return []
        table.opening = None
        if given.again:
            return list(table.never(hand, "a hand of this number was released before"))
        # A box says which machine sealed it: whoever is said to be the table, it opens for no other one.
        key = None if table.who is None else key_of(table.who, given.epoch)
        boxes = [opening for opening in given.openings if opening.key == key]
        released = hand.allowed(boxes, folded=hand.folded_too)
        self._pictures[given.table].recap_until = Millis(now + RECAP_MS)
        openings = tuple(opening for _, opening in released)
        return [
            SignRelease(given.table, given.hand, hand.attempt, self._lineage(table), openings),
            DropHand(given.table, given.epoch, given.hand, frozenset(hand.promised)),
            *self._without_a_box(hand, boxes),
            *self._show(given.table, self._recap(hand, released)),
        ]

    def _recap(self, hand: HandRecord, released: list[tuple[CardDealt, Opening]]) -> OverlayView:
        return self._views.show(
            Part(f"The hand released at table {hand.table}", hand.table),
            lambda: hand.recap(released, delay_s=self.delay_s),
            lambda fault: self._not_shown(hand.table, hand.started.hand, fault),
        )

    def _not_shown(self, table: str, hand: int, fault: Fault) -> OverlayView:
        """An empty felt that says so."""
        return OverlayView(table, table, hand, Street.DONE, (), Chips(0), (), self.delay_s, last=f"{fault.words}.")

    def _without_a_box(self, hand: HandRecord, boxes: Iterable[Opening]) -> Iterator[Effect]:
        """Report cards that may be released but whose boxes are not here; they stay sealed."""
        here = {box.commitment() for box in boxes}
        missing = sum(promise not in here for promise in hand.places(folded=hand.folded_too))
        if missing:
            which = f"table {hand.table}: hand {hand.started.hand}"
            yield Say(f"{which}: {missing} of its cards stay sealed: their boxes did not come", "warning")

    @staticmethod
    def _lineage(table: FollowedTable) -> str:
        return "" if table.who is None else lineage_of(table.who)

    def _show(self, table: str, view: OverlayView) -> list[Effect]:
        raw = self._views.show(
            Part(f"The overlay of table {table} as it is sent", table),
            lambda: encode(view),
            lambda fault: encode(self._not_shown(table, view.hand, fault)),
        )
        return [Publish(topics.overlay(self._config.venue, table), raw), Show(f"overlay/{table}", raw)]

    def _release_at(self, hand: HandRecord) -> Millis:
        assert hand.ended_at is not None
        return Millis(hand.ended_at + self._delay_ms)

    def _next_look(self, table: FollowedTable, hand: HandRecord) -> Millis:
        due = self._release_at(hand)
        return due if table.is_collected(hand) else max(due, table.settling.due_at())

    def _wake_at(self) -> Millis | None:
        times: list[Millis] = []
        for name, table in self._tables.items():
            picture = self._pictures[name]
            times += [due for due, _ in list(picture.views)[:1]]
            due = table.next_out if table.opening is None else None
            times += [self._next_look(table, due)] if due is not None else []
            times += [picture.recap_until] if picture.recap_until is not None else []
            times += [table.asking.due_at()] if table.missing else []
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
        pots=tuple(OverlayPot(*pot) for pot in zip(view.pots, view.contenders, strict=False)),
    )
