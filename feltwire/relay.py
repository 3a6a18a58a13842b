"""`feltwire relay`: keeps sealed cards, releases a hand's when its time has come, and serves the overlays.

The only process that can open a sealed card. Put it with the broadcast, not with the tables.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from starlette.applications import Starlette

from display.app import create_app
from feltwire import topics
from feltwire.boottime import at, boot_millis
from feltwire.concealed import harden_process
from feltwire.config import RelayConfig, load
from feltwire.node_io import Publish, Say, Show
from feltwire.process import Process, add_config, main
from feltwire.relay_io import AckSealed, Effect, ForgetEvents, KeepBox, KeepEvent, Opened, OpenHand, Release
from feltwire.relay_keys import RelayKeys
from feltwire.relay_node import RelayNode
from feltwire.relay_store import RelayStore
from feltwire.releases import ReleasesLog
from table_core.messages import encode

log = logging.getLogger(__name__)

HELP = "Delay and release of hidden cards: keeps what tables seal, shows overlays, signs what it releases."
EXAMPLE = "feltwire relay --config /etc/feltwire/relay.toml"

LEAVES = ("event", "state", "sealed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser, "the relay")


def run(args: argparse.Namespace) -> int:
    harden_process()
    return main(lambda: RelayProcess(load(args.config, RelayConfig)))


class RelayProcess(Process):
    """A `RelayNode` with its adapters, its keys and its disk."""

    def __init__(self, config: RelayConfig) -> None:
        super().__init__()
        self.config = config
        with self._opening():
            self._keys = RelayKeys.load(config.key)
            self._listen(config.web)
            data = Path(config.data)
            self.store = self._open(RelayStore.open(data / "relay.db"))
            self.releases = ReleasesLog(data / "releases.jsonl", config.venue, self._keys.signing)
            same_delay = self.store.under_delay(config.delay_s)
            self.node = RelayNode(config, self.store.inboxes())
            self._restore(same_delay)
            self._drive(self.node, "relay")
            self._subscribe()

    def _subscribe(self) -> None:
        config = self.config
        self._connect(
            config.broker,
            f"{config.venue}-relay",
            [topics.table(config.venue, table, leaf) for table in config.tables for leaf in LEAVES],
        )

    def _restore(self, same_delay: bool) -> None:
        if self.node.delay_s is None:
            log.warning("delay_s = %r is no number of seconds: nothing is ever released", self.config.delay_s)
        elif not same_delay:
            log.warning("delay_s was changed: hands played under the other delay stay sealed")
        now = boot_millis()
        for table in self.config.tables:
            for effect in self.node.restore(table, self.store.events(table), now):
                self._perform(effect)

    def start(self) -> None:
        for table in self.config.tables:
            log.info("the overlay of table %s is at %s/overlay/%s", table, self.address, table)
        super().start()

    def _app(self) -> Starlette:
        config = self.config
        return create_app(hub=self.hub, pages={"overlay"}, venue=config.venue, tables=config.tables)

    def _perform(self, effect: Effect) -> None:
        match effect:
            case KeepBox():
                self.store.keep_box(effect.table, effect.card)
            case AckSealed():
                self.store.acked(effect.table, effect.ack.epoch, effect.ack.seq)
                topic = topics.table(self.config.venue, effect.table, "sealed/ack")
                self.bus.publish(topic, encode(effect.ack))
            case KeepEvent():
                self.store.keep_event(effect.table, effect.hand, effect.raw)
            case ForgetEvents():
                self.store.forget_events(effect.table, effect.hand)
            case OpenHand():
                openings = map(self._keys.open, self.store.boxes(effect.table, effect.hand))
                found = tuple(opening for opening in openings if opening is not None)
                self.driver.put(Opened(effect.table, effect.hand, found))
            case Release():
                self.releases.append(effect.openings, at(boot_millis()))
                log.info("table %s: hand %d released", effect.table, effect.hand)
            case Publish() | Show() | Say():
                self._tell(effect)
