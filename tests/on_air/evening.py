"""A relay's evening: hands of a random table reach it late, twice, in part or not; its settings change, it is
killed, people press nonsense. Everything that goes out is judged and kept."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from feltwire.config import RelayConfig
from feltwire.ledger.signing import LedgerKey
from feltwire.relay.keys import RelayKeys
from feltwire.relay.node import RelayNode
from feltwire.relay.on_air.past import Past
from feltwire.relay.process import opened
from feltwire.relay.relay_io import (
    AckSealed,
    AirDelaySeen,
    DropHand,
    DropStale,
    Effect,
    Input,
    KeepBox,
    KeepEvent,
    KeepFollowed,
    KeepLeaseholder,
    KeepPast,
    KeepSealedUpto,
    OpenHand,
    ShowHand,
    SignRelease,
)
from feltwire.relay.relay_store import RelayStore
from feltwire.runtime.node_io import Arrived, BusUp, Publish, Say, Show
from table_core.messages import Ack, Millis, Noticed, Resend, TableState, encode
from table_core.projections.table_state import HAND_STANDS
from tests.on_air.dealt import AT, TABLE, VENUE, Forget, Place, Table, Told
from tests.on_air.oracle import Oracle, public_cards
from tests.room.leak.notation import cards_in

KEYS = RelayKeys.generate()
HANDS = 8
SECOND = 1_000
PAUSES = (0, 0, 0, 0.1, 1, 3, 31, 400, 90_000)  # seconds; the longest is a machine that slept a day
AIR = ("", "0", "5", "7.5", "60", "300", "3600")
NO_AIR = ("-1", "1e9", "NaN", "inf", "٣٠", "３０", "later", "0x1e", "+30", "1_000", "unreadable", "empty")
DELAYS = ("0", "5", "30", "30", "30", "1800")
NO_DELAYS = ("", "never", "-1", "soon", "1e1", "３０")
FLOORS = ("", "", "", "10", "600")
NO_FLOORS = ("none", "-5")
SELDOM = 0.15  # of settings that are no number
RUN_ON = ("cards_in_ms", "wall_ms", "shot_clock", "left_ms")  # pages count on by themselves
STRANGER = LedgerKey(bytes(range(1, 33)))
BASE = f"fw/{VENUE}/table/{TABLE}"


@dataclass(frozen=True)
class Out:
    """Something that went out: on the bus, to the pages, into the log."""

    now: int
    what: str
    where: str
    body: bytes


@dataclass
class Evening:
    """`finds` are faults; `outs` all that went out. `chance` decides everything but the cards."""

    folder: Path
    seed: str
    other: Forget
    finds: list[str] = field(default_factory=list)
    outs: list[Out] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    first_out: dict[Place, int] = field(default_factory=dict)  # when each card went out or lay face up
    newest: dict[str, dict[str, Any]] = field(default_factory=dict)  # by channel, of this run
    past: list[Past] = field(default_factory=list)  # what a restart goes on with

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.table = Table(
            self.folder / "run", bytes.fromhex(KEYS.public_hex), self.chance, random.Random(f"{self.seed} deck"),
            self.other,
        )  # fmt: skip
        self.oracle = Oracle()
        self.now = 1_000_000
        self.wake_at: Millis | None = None
        self.told: list[Told] = []
        self.unanswered = False
        self.station_is_up = True
        self.delay, self.air, self.floor = self.chance.choice(DELAYS), self.chance.choice(AIR), ""
        self.folded = self.chance.random() < 0.6
        self.start()

    # ------------------------------------------------------------------------------------ what happens

    def play(self, hands: int = HANDS) -> None:
        for _ in range(hands):
            for told in self.table.hand():
                self.tell(told)
                if self.chance.random() < 0.3:
                    self.wait(self.chance.choice(PAUSES[3:6]))
                if self.chance.random() < 0.03:
                    self.disturb()
            self.disturb()
            self.wait(self.chance.choice(PAUSES))
        self.station_is_up, self.unanswered = True, False
        for told in self.table.hand():
            self.tell(told)
        self.wait(10_000)

    def tell(self, told: Told) -> None:
        """The table says an event, with its boxes and its state; each may be lost, and come twice."""
        chance = self.chance
        self.told.append(told)
        self.oracle.signed(told.envelope, told.hand)
        for box in told.boxes:
            if chance.random() > 0.002:
                self.step(Arrived(f"{BASE}/sealed", box))
        if chance.random() > 0.01:
            self.event(told)
        if chance.random() < 0.01:
            self.event(chance.choice(self.told[-40:]))
        if chance.random() > 0.01:
            self.state(told)
        if chance.random() < 0.01:
            self.state(chance.choice(self.told[-40:]))
        self.acknowledge()

    def event(self, told: Told) -> None:
        self.oracle.heard_event(told.envelope, self.now)
        self.step(Arrived(f"{BASE}/event", told.raw))

    def state(self, told: Told) -> None:
        self.oracle.heard_state(told.shown, self.now)
        self.step(Arrived(f"{BASE}/state", told.shown.raw))

    def acknowledge(self) -> None:
        """The station says that it has everything up to the newest event."""
        if self.station_is_up and self.told:
            last = self.told[-1].envelope
            self.oracle.acknowledged = max(self.oracle.acknowledged, (last.epoch, last.seq))
            self.step(Arrived(f"{BASE}/ack", encode(Ack(last.epoch, last.seq))))

    def disturb(self) -> None:
        chance = self.chance
        match chance.choice(
            ["air", "air", "restart", "restart", "settings", "station", "deaf", "epoch", "forge", "again"]
        ):
            case "air":
                self.air = self._some(AIR, NO_AIR)
                self.step(AirDelaySeen(self.air))
            case "restart":
                self.start()
            case "settings":
                what = chance.choice(["delay", "folded", "floor"])
                self.delay = self._some(DELAYS, NO_DELAYS) if what == "delay" else self.delay
                self.folded = chance.random() < 0.6 if what == "folded" else self.folded
                self.floor = self._some(FLOORS, NO_FLOORS) if what == "floor" else self.floor
                self.start()
            case "station":
                self.station_is_up = not self.station_is_up
                self.acknowledge()
            case "deaf":  # the table cannot be asked for a while
                self.unanswered = not self.unanswered
            case "epoch":
                self.table.next_epoch()
                if chance.random() < 0.2:  # from a backup of some hands ago
                    self.table.number = max(0, self.table.number - 2)
                self.step(Arrived(f"fw/{VENUE}/tournament/charge/{TABLE}", encode(self.table.leaseholder)))
            case "forge":
                self.forge()
            case "again":
                self.step(BusUp())

    def _some(self, good: Sequence[str], bad: Sequence[str]) -> str:
        return self.chance.choice(bad if self.chance.random() < SELDOM else good)

    def forge(self) -> None:
        """Whoever has a certificate, but not the table's key."""
        entry = self.table.head.link(
            Noticed(HAND_STANDS, "the hand stands"), at=AT, venue=VENUE, table=TABLE, key=STRANGER
        )
        self.step(Arrived(f"{BASE}/event", entry.raw))
        view = msgspec.structs.replace(self.told[-1].shown.view, as_of=entry.head.seq)
        self.step(Arrived(f"{BASE}/state", STRANGER.sign(TableState(view))))

    # ----------------------------------------------------------------------------------- the relay

    def start(self) -> None:
        """Start the relay, or start it again after a kill."""
        config = RelayConfig(
            VENUE, str(self.folder), "", (TABLE,), self.delay, self.folded, air_floor_s=self.floor
        )  # fmt: skip
        store = self.store = RelayStore.open(self.folder / "relay.db")
        store._store.connection.execute("PRAGMA synchronous=OFF")
        same = store.begin_run(self.delay, (TABLE,))
        self.node = RelayNode(
            config, store.inboxes(), store.leaseholders(), sealed_upto=store.sealed_upto(), same_delay=same,
            air_s=self.air,
        )  # fmt: skip
        self.newest = {}
        self.oracle.began_run(self.now, _seconds(self.delay), folded=self.folded)
        if self.node.delay_s is None:
            store.drop_all()
        self.node.go_on(self.past)
        self.perform(self.node.restore(TABLE, store.events(TABLE), Millis(self.now)))
        self.step(None)
        self.step(Arrived(f"fw/{VENUE}/tournament/charge/{TABLE}", encode(self.table.leaseholder)))
        if self.told:  # what the broker retains
            self.state(self.told[-1])

    def step(self, given: Input | None) -> None:
        effects, self.wake_at = self.node.step(given, Millis(self.now))
        self.perform(effects)

    def wait(self, seconds: float) -> None:
        end = self.now + round(seconds * SECOND)
        rounds = 0
        while self.wake_at is not None and self.wake_at <= end and rounds < 2_000:
            self.now = max(self.now, self.wake_at)
            rounds += 1
            self.step(None)
        self.now = end
        self.step(None)

    def perform(self, effects: Sequence[Effect]) -> None:
        answers: list[Callable[[], None]] = []  # they come behind what the node has to do already
        for effect in effects:
            match effect:
                case KeepBox():
                    self.store.keep_box(effect.table, effect.card)
                case AckSealed():
                    self.store.acked(effect.table, effect.ack.epoch, effect.ack.seq)
                case KeepPast():
                    self.past.append(effect.past)
                case KeepEvent():
                    self.store.keep_event(effect.table, effect.hand, effect.raw)
                case KeepSealedUpto():
                    self.store.keep_sealed_upto(effect.table, effect.lineage, effect.upto)
                case KeepFollowed():
                    self.store.keep_followed(effect.table, self.delay)
                case KeepLeaseholder():
                    self.store.keep_leaseholder(effect.table, effect.leaseholder)
                case DropHand():
                    self.store.drop_hand(effect.table, effect.epoch, effect.hand, effect.promises)
                case DropStale():
                    self.store.drop_stale(effect.table, effect.epoch, effect.hand)
                case OpenHand():
                    answers.append(partial(self.step, opened(self.store, KEYS, effect)))
                case SignRelease():
                    self._signed(effect)
                case ShowHand():
                    number = (effect.hand.hand, effect.hand.attempt)
                    faults = self.oracle.faults_of_page(number, self.now, self._behind())
                    self.finds += [f"{self.now}: hand {number[0]}: {fault}" for fault in faults]
                    self._went_out("page", f"{number}", b"")
                case Publish() if effect.topic.endswith("/resend"):
                    self._went_out("publish", effect.topic, effect.payload)
                    wanted = msgspec.json.decode(effect.payload, type=Resend)
                    answers.append(partial(self._answer, wanted))
                case Publish():
                    self._went_out("publish", effect.topic, effect.payload)
                case Show():
                    self._went_out("show", effect.channel, effect.snapshot)
                case Say():
                    self._went_out("say", effect.level, effect.text.encode())

        for answer in answers:
            answer()

    def _answer(self, wanted: Resend) -> None:
        if self.unanswered:
            return
        for told in list(self.told):
            if (told.envelope.epoch, told.envelope.seq) >= (wanted.epoch, wanted.from_seq):
                self.event(told)
        self.acknowledge()

    # ----------------------------------------------------------------------------- what is looked at

    def _signed(self, effect: SignRelease) -> None:
        self.store.released(effect.table, effect.lineage, effect.hand, effect.attempt)
        commitments = {opening.commitment() for opening in effect.openings}
        of = [hand for hand in self.table.hands if commitments & hand.by_commitment.keys()]
        if not of:  # a hand that goes out without any card
            self.oracle.out_numbers.add((effect.hand, effect.attempt))
            return
        faults = self.oracle.faults_of_release(of[0], effect.openings, self.now)
        self.finds += [f"{self.now}: hand {effect.hand}: {fault}" for fault in faults]
        self.counts["hands released"] += 1
        self.counts["cards released"] += len(effect.openings)
        self._went_out("release", str(effect.hand), b" ".join(sorted(o.card.encode() for o in effect.openings)))
        for commitment in commitments:
            for dealt in of:
                if commitment in dealt.by_commitment:
                    self.first_out.setdefault((dealt.index, *dealt.by_commitment[commitment]), self.now)

    def _went_out(self, what: str, where: str, body: bytes) -> None:
        self.outs.append(Out(self.now, what, where, body))
        self.counts[what] += 1
        if what == "say" or where.endswith("resend"):
            if named := [*cards_in(body.decode())]:
                self.finds.append(f"{self.now}: {what} names {named}")
        elif what not in ("release", "page"):
            seen = json.loads(body)
            if what == "show":
                self._says_something_new(where, seen)
            where = where.removeprefix(f"fw/{VENUE}/")
            if where == f"overlay/{TABLE}":
                self._picture(seen, self._behind())
            elif where == f"preview/{TABLE}":
                self._picture(seen, 0)
            else:
                self.finds += [f"{self.now}: {where} names {card}" for card in _named(seen)]

    def _says_something_new(self, channel: str, seen: dict[str, Any]) -> None:
        """A message that says what the one before said tells by its time of something that is not on air yet."""
        said = {name: value for name, value in seen.items() if name not in RUN_ON}
        said["waits"] = seen.get("cards_in_ms") is not None
        if self.newest.get(channel) == said:
            self.finds.append(f"{self.now}: {channel} says once more what it said")
        self.newest[channel] = said

    def _picture(self, seen: dict[str, Any], behind_ms: int | None) -> None:
        shown = self.table.marks
        faults = self.oracle.faults_of_picture(seen, shown, self.now, behind_ms)
        self.finds += [f"{self.now}: hand {seen['hand']}: {fault}" for fault in faults]
        faces = {card for seat in seen["seats"] for card in seat.get("cards", ()) if card != "??"}
        self.counts["pictures"] += 1
        self.counts["pictures with faces"] += bool(faces)
        self.counts["shares"] += sum(seat.get("share") is not None for seat in seen["seats"])

    def _behind(self) -> int | None:
        """How far what is on air lies back at least, by the documents."""
        delay, floor = _seconds(self.delay, never=0.0), _seconds(self.floor, empty=0.0)
        air = _seconds(self.air, empty=0.0)
        if delay is None or floor is None or air is None:
            return None
        return round(max(delay, floor, air) * SECOND)

    def face_up(self) -> dict[int, frozenset[str]]:
        """What lay face up of each deal at any time."""
        return {hand.index: frozenset(public_cards(hand)) for hand in self.table.hands}


def _seconds(text: str, *, empty: float | None = None, never: float | None = None) -> float | None:
    """A plain number of seconds: digits, at most six, and at most three behind a point; ASCII."""
    if text == "":
        return empty if never is None else never
    if text == "never":
        return never
    whole, point, part = text.partition(".")
    digits = set("0123456789")
    good = 1 <= len(whole) <= 6 and {*whole} <= digits and {*part} <= digits
    return float(text) if good and (not point or 1 <= len(part) <= 3) else None


def _named(value: Any) -> list[str]:
    """Every card that a message names anywhere."""
    if isinstance(value, dict):
        return [card for key, inner in value.items() for card in [*_named(key), *_named(inner)]]
    if isinstance(value, list):
        return [card for inner in value for card in _named(inner)]
    return [*cards_in(value, whole_value=True)] if isinstance(value, str) else []
