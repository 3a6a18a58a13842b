"""`feltwire relay`: keeps sealed cards, releases them after the deadline and the delay, and serves the overlays.

It is the only process that can open a sealed card. Run it at the broadcast, not at the tables.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from starlette.applications import Starlette

from display.app import create_app
from display.feed import FEATURE
from feltwire.config import ConfigError, RelayConfig, load
from feltwire.ledger.releases import ReleasesLog
from feltwire.ledger.store import LedgerError
from feltwire.relay.coverage.coverage import OFF, Coverage
from feltwire.relay.desk.audit import AUDIT, Audit
from feltwire.relay.desk.desk import AIR, ProducersDesk
from feltwire.relay.desk.gauge import Delays, gauge_of, longest_of
from feltwire.relay.desk.programme import PROGRAMME, Programme
from feltwire.relay.feed.feed import Feed, checked_origins
from feltwire.relay.keys import RelayKeys
from feltwire.relay.node import RELAY, RelayNode
from feltwire.relay.on_air.air_delay import SETTINGS_SAY, in_words, parse_delay, read_air_delay
from feltwire.relay.on_air.past import FOLDER, PastFiles
from feltwire.relay.on_air.players import Listed, photo_route, read_list
from feltwire.relay.relay_io import (
    AckSealed,
    AirDelaySeen,
    DropHand,
    DropStale,
    Effect,
    HandHeld,
    KeepBox,
    KeepEvent,
    KeepFollowed,
    KeepLeaseholder,
    KeepPast,
    KeepSealedUpto,
    Opened,
    OpenHand,
    PlayersListed,
    ShowHand,
    SignRelease,
)
from feltwire.relay.relay_store import ALL_LINES, RelayStore
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus_port import Will
from feltwire.runtime.concealed import harden_process
from feltwire.runtime.host import Host
from feltwire.runtime.node_io import Arrived, BusUp, Publish, Say, Show
from feltwire.runtime.pages.faults import PageFaults
from feltwire.runtime.pages.figures import Figure
from feltwire.runtime.pages.people_store import PeopleStore
from feltwire.runtime.pages.signing_in import at_relay
from feltwire.runtime.process import Process, add_config, main
from feltwire.runtime.views import Part
from table_core.messages import Millis, Status, encode, encode_page

log = logging.getLogger(__name__)

HELP = "Delay and release of hidden cards: keeps what tables seal, shows overlays, signs what it releases."
EXAMPLE = "feltwire relay --config /etc/feltwire/relay/relay.toml"

SETTINGS = "settings"  # what the audit calls them
BY_FILE, BY_START = "a file of the relay's machine", "a start of the relay"  # who, where no person pressed

GAUGE = Part("The gauge of the delays")

PUBLIC_LEAVES = ("event", "state")
OWN_LEAVES = ("sealed", "ack")  # of the tables of its settings alone
LOOK_S = 1.0  # how often that is read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser, "the relay")


def run(args: argparse.Namespace) -> int:
    harden_process()
    return main(lambda host: RelayProcess(load(args.config, RelayConfig), host), args.log)


class RelayProcess(Process):
    """A `RelayNode` with its adapters, its keys and its disk."""

    holds_cards = True

    def __init__(self, config: RelayConfig, host: Host | None = None) -> None:
        super().__init__(host)
        if FEATURE in config.tables:
            raise ConfigError(
                f"tables: {FEATURE!r} is the name of whichever table the producer points to; rename it"
            )
        self.config = config
        self._released = 0  # hands, since the start
        self._overlays = topics.overlay(config.venue, "")
        self.origins = checked_origins(config.feed_origins)
        self._air_s = read_air_delay(Path(config.data))
        self._air_changing = Lock()  # held while the file is written or read: a press is noted once
        self._listed: dict[str, Listed] = {}
        self._wrong_list = ""
        with self._opening():
            self._disk = self.recording = self._open(
                self.host.disk(lambda why: None, lambda: None)
            )  # the log says it
            self._keys = RelayKeys.load(config.key)
            self._listen(config.web)
            data = Path(config.data)
            self.store = self._open(RelayStore.open(data / "relay.db"))
            self.audit = Audit(
                data / AUDIT, config.venue, self._keys.signing, lambda: self.host.at(self.host.now())
            )
            self._people = self._open(PeopleStore.open(data / "relay.people"))
            self.signin = at_relay(self._people, data, self.address)
            self.programme = Programme(
                data / PROGRAMME,
                config.tables,
                self.audit,
                hub=self.hub,
                bus=lambda sent: self._tell(sent),
                topic=lambda table: topics.overlay(config.venue, table),
                now=self.host.now,
            )
            self._desk = ProducersDesk(
                self.programme,
                self.audit,
                data,
                lambda: (self.node.air_ms, self.node.air_floor),
                self._air_delay_is,
                self._air_changing,
            )
            self.releases = ReleasesLog(
                data / "releases.jsonl", config.venue, self._keys.signing, certain=self.store.log_end()[0]
            )
            self.feed = self._open(Feed(data, config.venue, self._keys.signing, self.hub, self.views))
            end = self.store.log_end()
            if end[0] != ALL_LINES and not self.releases.had(end):
                log.warning(
                    "%s: lines are missing that this relay wrote; released hands stay so", self.releases.path
                )
            self._past = PastFiles(data / FOLDER, self.host.boot, self.host.now, lambda: self.node.keep_ms)
            self._same_delay = self.store.begin_run(config.delay_s, config.tables)
            self.node = self._node()
            self._restore()
            self._drive(self.node, "relay", data)
            self.coverage = self._covers()
            self._subscribe()
            self._open(self.host.regularly(self._look_at_air_delay, "air delay", LOOK_S))
            self._open(self.host.regularly(self._look_at_players, "list of players", LOOK_S))
            self._open(self.host.regularly(self.programme.look, "programme", LOOK_S))

    def _look_at_players(self) -> None:
        """The producer's list changes without a restart."""
        listed, wrong = read_list(Path(self.config.data))
        if wrong and wrong != self._wrong_list:
            log.warning("%s", wrong)
        self._wrong_list = wrong
        if listed != self._listed:
            self._listed = listed
            self.driver.put(PlayersListed(listed))

    def _look_at_air_delay(self) -> None:
        """The air delay changes without a restart."""
        with self._air_changing:
            wanted = read_air_delay(Path(self.config.data))
            if wanted == self._air_s:
                return
            text = f"{in_words(self._air_s)} → {in_words(wanted)}"
            # On record first, as at the desk; what is no number takes everything off air whatever the disk does.
            if self._note(BY_FILE, AIR, text) or (wanted and parse_delay(wanted) is None):
                self._air_delay_is(wanted)

    def _air_delay_is(self, wanted: str) -> None:
        self._air_s = wanted
        self.driver.put(AirDelaySeen(wanted))

    def _beat(self) -> None:
        super()._beat()
        self.hub.publish("gauge", self.views.snapshot(GAUGE, self._gauge))

    def _gauge(self) -> bytes:
        tables, longest = self.node.tables, longest_of(self.node.tables, self.programme.longest)
        if longest is not None and longest != self.programme.longest:
            self.programme.keep_longest(longest)
        node = self.node
        card = None if node.delay_s is None else Millis(round(node.delay_s * 1_000))
        delays = Delays(card, node.air_ms, node.air_floor, self.config.release_folded)
        return encode_page(gauge_of(tables, delays, longest, self.host.now(), broker=self.bus.is_up))

    def _note_settings(self) -> None:
        """Settings that decide what is shown when, where this start found others than the one before."""
        config = self.config
        said = {
            "card delay": config.delay_s,
            AIR: config.air_delay_s,
            "floor": config.air_floor_s,
            "folded hands": "released" if config.release_folded else "sealed",
            "tables": " ".join(config.tables),
        }
        text = ", ".join(f"{name} {value or 'not set'}" for name, value in said.items())
        last = self.audit.last(SETTINGS)
        before = last.text.rpartition(" → ")[2] if last is not None else ""
        if before != text:
            self._note(BY_START, SETTINGS, f"{before} → {text}" if before else text)
        known = self.audit.last(AIR)
        before = known.text.rpartition(" → ")[2] if known is not None else SETTINGS_SAY
        wanted = in_words(self._air_s)
        if before != wanted:  # the file was written while no relay ran
            self._note(BY_START, AIR, f"{before} → {wanted}")

    def _note(self, who: str, what: str, text: str) -> bool:
        """Whether it is on record."""
        try:
            self.audit.note(who, what, text)
        except LedgerError as error:
            self._tell(Say(f"not in the audit ({error}): {who}: {what}", "warning", "audit"))
            return False
        return True

    def _covers(self) -> Coverage | None:
        if self.config.coverage == OFF:
            return None
        try:
            return self._open(
                Coverage(
                    self.config,
                    self.host,
                    self.hub,
                    air=lambda: (self.node.air_ms, self.programme.on_air.cut),
                    note=self._note,
                    publish=lambda effect: self._tell(effect),
                )
            )
        except LedgerError as error:  # it only shows: releases go on without it
            log.error("there is no live coverage: %s", error)
            return None

    def _arrived(self, topic: str, payload: bytes) -> None:
        """The coverage hears every table of the room, the node those of its settings."""
        where = topics.split_table(topic)
        leased = topics.table_of_leaseholder(topic)
        table = leased if leased is not None else where[0] if where is not None else None
        if table is None or table in self.config.tables:
            self.driver.put(Arrived(topic, payload))
        if self.coverage is not None:
            self.coverage.hear(topic, payload)

    def _subscribe(self) -> None:
        config = self.config
        several = config.tables if self.coverage is None else ("+",)
        self._connect(
            config.broker,
            f"{config.venue}-relay",
            [
                # First: what tables say counts only once it is known who they are.
                *(topics.tournament(config.venue, f"charge/{table}") for table in several),
                *(topics.table(config.venue, table, leaf) for table in several for leaf in PUBLIC_LEAVES),
                *(topics.table(config.venue, table, leaf) for table in config.tables for leaf in OWN_LEAVES),
                *(topics.tournament(config.venue, leaf) for leaf in ("beat", "clock", "field")),
            ],
            venue=config.venue,
            data=Path(config.data),
            will=Will(topics.process(config.venue, RELAY, "status"), encode(Status(online=False))),
            on_up=self._broker_is_back,
            program=topics.process(config.venue, RELAY, "program"),
            machine=RELAY,
            on_message=self._arrived,
        )

    def _broker_is_back(self) -> None:
        self.driver.put(BusUp())
        self.programme.send_again()

    def _rebuilt(self) -> tuple[RelayNode, list[BusUp]]:
        self.node = self._node()
        self.node.players.take_list(self._listed)
        self._restore()
        return self.node, self._bus_state()

    def _node(self) -> RelayNode:
        inboxes, leaseholders = self.store.inboxes(), self.store.leaseholders()
        return RelayNode(
            self.config,
            inboxes,
            leaseholders,
            self.views,
            self.parts,
            sealed_upto=self.store.sealed_upto(),
            same_delay=self._same_delay,
            air_s=self._air_s,
            wall=lambda _: self.host.wall(),
            unshown=self.feed.waiting(),
        )

    def _restore(self) -> None:
        if self.node.air_ms is None:
            log.warning("nothing is on air: delay_s, air_floor_s or the air delay is no number of seconds")
        if self.node.delay_s is None:
            log.warning("delay_s = %r is no number of seconds: nothing is ever released", self.config.delay_s)
            self.store.drop_all()
        now = self.host.now()
        self.node.go_on(self._past.read())
        for table in self.config.tables:
            if self.node.delay_s is not None and table not in self._same_delay:
                log.warning("table %s was not followed under this delay: its earlier hands stay sealed", table)
            for effect in self.node.restore(table, self.store.events(table), now):
                self._perform(effect)

    def start(self) -> None:
        link = Path(self.config.data) / "producer-link"
        log.info("the producer's desk is at %s/broadcast; the link in %s signs in", self.address, link)
        self._note_settings()
        for table in self.config.tables:
            log.info("table %s is on air at %s/air/%s", table, self.address, table)
        if self.coverage is not None:
            log.info("the live coverage is at %s/coverage", self.address)
            events = {table: self.store.events(table) for table in self.config.tables}
            self.coverage.start(self.store.leaseholders(), events)
        super().start()

    def _app(self) -> Starlette:
        config = self.config
        return create_app(
            faults=PageFaults(self.views),
            extra_routes=[photo_route(Path(config.data))],
            hub=self.hub,
            pages={"air", "broadcast"},
            signin=self.signin,
            desk=self._desk,
            coverage=self.coverage,
            reach=self.reach,
            venue=config.venue,
            tables=config.tables,
            feed=self.feed,
            feed_origins=self.origins,
            look=self.look,
        )

    def _figures(self) -> Iterator[Figure]:
        yield from super()._figures()
        yield Figure("feltwire_hands_released_total", self._released)

    def stop(self) -> None:
        self._disk.close()
        super().stop()

    def _perform(self, effect: Effect) -> None:
        match effect:
            case OpenHand():
                self.driver.put(opened(self.store, self._keys, effect))
            case ShowHand() if self.programme.on_air.cut:
                self.driver.put(HandHeld(effect.hand, effect.ended_at))
            case Show():
                self.programme.show(effect)
            case Publish() if effect.topic.startswith(self._overlays):
                self.programme.send(effect)
            case Publish() | Say():
                self._tell(effect)
            case KeepPast():
                self._past.write(effect.past)
            case _:
                # While the disk refuses it nothing is acknowledged, released or shown.
                self._disk.must(lambda: self._keep(effect))
        if isinstance(effect, AckSealed):
            self.bus.publish(topics.table(self.config.venue, effect.table, "sealed/ack"), encode(effect.ack))

    def _keep(self, effect: Effect) -> None:
        match effect:
            case KeepBox():
                self.store.keep_box(effect.table, effect.card)
            case AckSealed():
                self.store.acked(effect.table, effect.ack.epoch, effect.ack.seq)
            case KeepEvent():
                self.store.keep_event(effect.table, effect.hand, effect.raw)
            case KeepSealedUpto():
                self.store.keep_sealed_upto(effect.table, effect.lineage, effect.upto)
            case KeepFollowed():
                self.store.keep_followed(effect.table, self.config.delay_s)
            case KeepLeaseholder():
                self.store.keep_leaseholder(effect.table, effect.leaseholder)
            case DropHand():
                self.store.drop_hand(effect.table, effect.epoch, effect.hand, effect.promises)
            case DropStale():
                self.store.drop_stale(effect.table, effect.epoch, effect.hand)
            case SignRelease():
                self.releases.append(effect.openings, self.host.at(self.host.now()))
                self.feed.keep(effect, self.store, self.releases, self.node.players)
                self.store.released(effect.table, effect.lineage, effect.hand, effect.attempt, self.releases.end)
                self._released += 1
                if self.coverage is not None and effect.told is not None:
                    self.coverage.released(effect.table, effect.lineage, *effect.told)
                log.info("table %s: hand %d released", effect.table, effect.hand)
            case ShowHand():
                self.feed.show(effect)


def opened(store: RelayStore, keys: RelayKeys, wanted: OpenHand) -> Opened:
    """What the boxes of a hand say, unless the hand was released before; without cards whose promise was made in a
    hand that is over, and is told again."""
    if store.was_released(wanted.table, wanted.lineage, wanted.hand, wanted.attempt):
        return Opened(wanted.table, wanted.epoch, wanted.hand, (), again=True)
    openings = map(keys.open, store.boxes(wanted.table, wanted.epoch, wanted.hand))
    found = tuple(
        opening for opening in openings if opening is not None and not store.is_spent(opening.commitment())
    )
    return Opened(wanted.table, wanted.epoch, wanted.hand, found)
