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

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from feltwire.config import RelayConfig
from feltwire.ledger.granted import key_of
from feltwire.relay.feed.waiting import HandsWaiting
from feltwire.relay.followed import FollowedTable
from feltwire.relay.hand import HandRecord
from feltwire.relay.inbox import SealedInbox
from feltwire.relay.on_air.air_delay import air_delay, air_floor, parse_delay
from feltwire.relay.on_air.event_on_air import EventOnAir
from feltwire.relay.on_air.past import (
    EventSeen,
    FiguresAnew,
    HandBegan,
    HandCounted,
    HandReleased,
    Past,
    Seen,
    TableAnew,
    decode_event,
)
from feltwire.relay.on_air.players import Players
from feltwire.relay.on_air.statistics import Statistics
from feltwire.relay.on_air.table_on_air import OVERLAY, PREVIEW, TableOnAir
from feltwire.relay.on_air.timeline import Timeline
from feltwire.relay.relay_io import (
    AirDelaySeen,
    DropHand,
    Effect,
    HandHeld,
    HandKey,
    Input,
    KeepPast,
    Opened,
    PlayersListed,
    SealedUpto,
    SignRelease,
)
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Quarantined, Say
from feltwire.runtime.parts import Parts
from feltwire.runtime.views import Views
from table_core.commitment import Opening
from table_core.messages import (
    Ack,
    AirDelay,
    Beat,
    ClockState,
    LaterVersion,
    Leaseholder,
    Malformed,
    Millis,
    SealedCard,
    Status,
    TableLeaseholder,
    TableState,
    TableView,
    TournamentField,
    decode,
    decode_stored,
    encode,
    is_written,
)

RELAY = "relay"  # its name at the broker
PAST_MS = (
    3_600_000  # what is kept beyond the delays: for a longer air delay, and hands that wait for their release
)


class RelayNode:
    """`inboxes`: what was acknowledged to each table, from the store; `leaseholders`: those of the tables;
    `sealed_upto`: by table and lineage, what stays sealed whatever is set now; `same_delay`: the tables that the
    run before followed under the same delay, None for all; `air_s`: the air delay that somebody wants, empty for
    that of the settings; `wall` gives the wall time of a boot time, None where none is known; `unshown`: released
    hands whose page waited when the run before ended."""

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
        air_s: str = "",
        wall: Callable[[Millis], Millis | None] = lambda now: None,
        unshown: Iterable[HandKey] = (),
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
        self.players, self._statistics = Players(), Statistics()
        for table in self._tables.values():
            table.statistics = self._statistics
        self._on_air = {name: self._way_out(table, OVERLAY) for name, table in self._tables.items()}
        self._preview = {name: self._way_out(table, PREVIEW) for name, table in self._tables.items()}
        preview_s = parse_delay(config.preview_s)
        self._preview_ms = None if preview_s is None else Millis(round(preview_s * 1_000))
        self.air_floor = air_floor(config.delay_s, config.air_floor_s)
        self._air_unsaid = False
        self.air_ms = self._air(air_s)
        self._event = EventOnAir(self._views, players=self.players)
        self._wall = wall
        self._unshown = HandsWaiting(tuple(unshown))
        self._of_event = {
            topics.tournament(config.venue, "clock"): ("clock", self._clock),
            topics.tournament(config.venue, "field"): ("field", self._field),
        }
        self._previewed_event = EventOnAir(self._views, PREVIEW, self._event.timeline, self.players)

    def _way_out(self, table: FollowedTable, channel: str) -> TableOnAir:
        return TableOnAir(self._config.venue, table, self.players, self._views, self.delay_s, channel)

    @property
    def tables(self) -> Collection[FollowedTable]:
        return self._tables.values()

    def go_on(self, past: Iterable[Past]) -> None:
        """What an earlier run showed, in order, before `restore`: the pictures go on where they were."""
        for one in past:
            match one:
                case Seen() if one.table in self._tables:
                    self._tables[one.table].timeline.show(one.view, one.at, one.wall)
                case HandBegan() if one.table in self._tables:
                    timeline = self._tables[one.table].timeline
                    (timeline.begin if one.on else timeline.take_back)(one.began)
                case HandReleased() if one.table in self._tables:
                    self._tables[one.table].timeline.release(one.began, one.hand)
                case TableAnew() if one.table in self._tables:
                    self._tables[one.table].timeline = Timeline()
                case HandCounted():
                    self._statistics.add((one.table, one.began), one.at, one.tallies)
                    self._statistics.event = one.event or self._statistics.event
                case EventSeen():
                    said = decode_event(one)
                    if said is not None:
                        self._goes_on(said, one)

    def _goes_on(self, said: ClockState | TournamentField, seen: EventSeen) -> None:
        if isinstance(said, ClockState):
            self._event.timeline.show(said, seen.at, seen.wall)
            return
        self.players.take(said)
        self._statistics.event = said.event or self._statistics.event
        self._event.timeline.show_field(said, seen.at, seen.wall)

    def restore(self, table: str, raws: Iterable[bytes], now: Millis) -> list[Effect]:
        """Follow the stored events of hands not yet released; their delay begins again."""
        return [] if self.delay_s is None else list(self._tables[table].restore(raws, now))

    def step(self, given: Input | None, now: Millis) -> tuple[list[Effect], Millis | None]:
        effects: list[Effect] = []
        match given:
            case Arrived() if given.topic == topics.tournament(self._config.venue, "beat"):
                effects += self._beat(given.payload, now)
            case Arrived() if given.topic in self._of_event:
                effects += self._about_event(given, now)
            case Arrived():
                effects += self._arrived(given, now)
            case Opened():
                effects += self._opened(given, now)
            case AirDelaySeen():
                effects += self._air_delay_seen(given.text)
            case PlayersListed():
                self.players.take_list(given.listed)
            case HandHeld():
                self._unshown.held(given, now)
            case Quarantined():
                effects.append(Say(given.words, "warning", "quarantine"))
            case BusUp():
                effects.append(Say(f"connected to the broker at {self._config.broker.url}"))
                status = topics.process(self._config.venue, RELAY, "status")
                effects.append(Publish(status, encode(Status(online=True)), retain=True))
                effects += self._tell_air_delay()
            case BusDown():
                effects.append(Say(given.why, "warning"))
                for table in self._tables.values():
                    table.in_touch = False
        for name in self._tables:
            effects += self._parts.run(f"the releases of table {name}", partial(self._falls_due, name, now))
        effects += self._parts.run("the tournament on air", lambda: self._event.show(now, self.air_ms))
        effects += self._parts.run(
            "the tournament's preview", lambda: self._previewed_event.show(now, self._preview_ms)
        )
        effects += self._unshown.due(now, self.air_ms)
        return effects, self._wake_at(now)

    # ------------------------------------------------------------------------------ what comes in

    def _beat(self, raw: bytes, now: Millis) -> list[Effect]:
        """A beat of the station is said back: this relay is there."""
        try:
            beat = decode(raw, Beat)
        except Malformed as error:
            return [Say(f"the station's beat is malformed and was ignored ({error})", "warning", "malformed beat")]
        self._event.timeline.beat(beat, now)
        beat = replace(beat, cannot_show=self._views.newest)
        answer = Publish(topics.process(self._config.venue, RELAY, "beat"), encode(beat), qos=0)
        return [answer, *(self._tell_air_delay() if self._air_unsaid else ())]

    def _about_event(self, given: Arrived, now: Millis) -> list[Effect]:
        """The tournament's clock and its field, for what is on air of them."""
        what, hear = self._of_event[given.topic]
        try:
            news = hear(given.payload, now)
        except Malformed as error:
            return [
                Say(f"the station's {what} cannot be read ({error}); not taken", "warning", f"malformed {what}")
            ]
        self._event.timeline.forget(Millis(now - self.keep_ms))
        return [KeepPast(one) for one in news]

    def _clock(self, raw: bytes, now: Millis) -> list[Past]:
        wall = self._wall(now)
        shown = self._event.timeline.show(decode(raw, ClockState), now, wall)
        return [EventSeen(now, wall, raw)] if shown else []

    def _field(self, raw: bytes, now: Millis) -> list[Past]:
        field, wall, news = decode(raw, TournamentField), self._wall(now), list[Past]()
        if field.event and self._statistics.event not in ("", field.event):
            self._statistics.begin_anew()
            news.append(FiguresAnew())
        self._statistics.event = field.event or self._statistics.event
        self.players.take(field)
        if self._event.timeline.show_field(field, now, wall):
            news.append(EventSeen(now, wall, raw, is_clock=False))
        return news

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
        if table.drawn != before:
            shown = table.timeline.show(view, now, self._wall(now))
            table.timeline.forget(Millis(now - self.keep_ms))
            yield KeepPast(Seen(table.table, shown.at, shown.wall, shown.view))

    @property
    def keep_ms(self) -> int:
        """How far back a timeline goes."""
        return (self.air_ms or 0) + self._delay_ms + PAST_MS

    def _air(self, wanted_s: str) -> Millis | None:
        return air_delay(wanted_s or self._config.air_delay_s, self.air_floor)

    def _air_delay_seen(self, text: str) -> Iterator[Effect]:
        before, self.air_ms = self.air_ms, self._air(text)
        if self.air_ms is None:
            yield Say(f"the air delay {text!r} is no plain number of seconds: nothing is on air", "warning")
        elif self.air_ms != before:
            yield Say(f"what is on air lies {self.air_ms / 1_000:g} s back")
        yield from self._tell_air_delay()

    def _tell_air_delay(self) -> Iterator[Publish]:
        """The delay box holds the video back as long. In a room whose version does not know this message, with the
        first beat of one that does."""
        self._air_unsaid = not is_written("AirDelay")
        if not self._air_unsaid:
            said = AirDelay(None if self.air_ms is None else self.air_ms / 1_000)
            yield Publish(topics.process(self._config.venue, RELAY, "air"), encode(said), retain=True)

    # ----------------------------------------------------------------------------- what goes out

    def _falls_due(self, name: str, now: Millis) -> list[Effect]:
        return [*self._tables[name].ask(now), *self._due(name, now)]

    def _due(self, name: str, now: Millis) -> list[Effect]:
        table = self._tables[name]
        effects: list[Effect] = []
        due = table.next_out if table.opening is None else None
        if due is not None and self._release_at(due) <= now:
            if table.is_collected(due):
                effects += table.open_next()
            else:
                effects += table.ask_for_acknowledgement(due, now)
        return [*effects, *self._put_on_air(name, now)]

    def _put_on_air(self, name: str, now: Millis) -> list[Effect]:
        return [
            *self._on_air[name].show(now, self.air_ms),
            *self._preview[name].show(now, self._preview_ms),
        ]

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
        openings = tuple(opening for _, opening in released)
        on_air = hand.on_air(released)
        table.timeline.release(hand.began, on_air)
        self._on_air[given.table].release(now, hand.began, self.air_ms)
        which = HandKey(given.table, table.lineage, given.hand, hand.attempt)
        self._unshown.add(which, now if hand.ended_at is None else hand.ended_at)
        return [
            SignRelease(which.table, which.hand, which.attempt, which.lineage, openings, (hand, on_air)),
            DropHand(given.table, given.epoch, given.hand, frozenset(hand.promised)),
            KeepPast(HandReleased(given.table, hand.began, on_air)),  # only what is in the log of releases
            *self._without_a_box(hand, boxes),
        ]

    def _without_a_box(self, hand: HandRecord, boxes: Iterable[Opening]) -> Iterator[Effect]:
        """Report cards that may be released but whose boxes are not here; they stay sealed."""
        here = {box.commitment() for box in boxes}
        missing = sum(promise not in here for promise in hand.places(folded=hand.folded_too))
        if missing:
            which = f"table {hand.table}: hand {hand.started.hand}"
            yield Say(f"{which}: {missing} of its cards stay sealed: their boxes did not come", "warning")

    def _release_at(self, hand: HandRecord) -> Millis:
        assert hand.ended_at is not None
        return Millis(hand.ended_at + self._delay_ms)

    def _next_look(self, table: FollowedTable, hand: HandRecord) -> Millis:
        due = self._release_at(hand)
        return due if table.is_collected(hand) else max(due, table.settling.due_at())

    def _picture_changes(self, name: str, now: Millis) -> list[Millis]:
        return [
            *self._on_air[name].changes_at(now, self.air_ms),
            *self._preview[name].changes_at(now, self._preview_ms),
        ]

    def _wake_at(self, now: Millis) -> Millis | None:
        times = self._event.wake_at(now, self.air_ms) + self._previewed_event.wake_at(now, self._preview_ms)
        times += self._unshown.next_at(self.air_ms)
        for name, table in self._tables.items():
            times += self._picture_changes(name, now)
            due = table.next_out if table.opening is None else None
            times += [self._next_look(table, due)] if due is not None else []
            times += [table.asking.due_at()] if table.missing else []
        return min(times, default=None)
