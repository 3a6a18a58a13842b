"""`feltwire relay`: keeps sealed cards, releases a hand's when its time has come, and serves the overlays.

The only process that can open a sealed card. Put it with the broadcast, not with the tables.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from display.app import create_app
from display.push import Hub
from feltwire import topics
from feltwire.boottime import at, boot_millis
from feltwire.bus import Bus
from feltwire.concealed import harden_process
from feltwire.config import RelayConfig, load
from feltwire.node import Driver
from feltwire.relay_keys import RelayKeys
from feltwire.relay_node import (
    AckSealed,
    Arrived,
    Effect,
    ForgetEvents,
    KeepBox,
    KeepEvent,
    Opened,
    OpenHand,
    Publish,
    RelayNode,
    Release,
    Say,
    Show,
)
from feltwire.relay_store import RelayStore
from feltwire.releases import ReleasesLog
from feltwire.web import listen, serve_until
from table_core.messages import encode

log = logging.getLogger(__name__)

HELP = "Delay and release of hidden cards: keeps what tables seal, shows overlays, signs what it releases."
EXAMPLE = "feltwire relay --config /etc/feltwire/relay.toml"

LEAVES = ("event", "state", "sealed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", required=True, metavar="FILE", help="TOML file of the relay")


def run(args: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    harden_process()
    process = RelayProcess(load(args.config, RelayConfig))
    process.start()
    try:
        process.serve()
    finally:
        process.stop()
    return 1 if process.driver.failed.is_set() else 0


class RelayProcess:
    """Everything around one node; `start`, `serve` (blocks), `stop`."""

    def __init__(self, config: RelayConfig) -> None:
        self.config = config
        self.hub = Hub()
        self._keys = RelayKeys.load(config.key)
        self._listener = listen(config.web)
        data = Path(config.data)
        self.store = RelayStore.open(data / "relay.db")
        self.releases = ReleasesLog(data / "releases.jsonl", config.venue, self._keys.signing)
        same_delay = self.store.under_delay(config.delay_s)
        self.node = RelayNode(config, self.store.inboxes())
        self._restore(same_delay)
        self.driver = Driver(self.node, self._perform, name="relay")
        self.bus = Bus(
            config.broker,
            client_id=f"{config.venue}-relay",
            subscriptions=[topics.table(config.venue, table, leaf) for table in config.tables for leaf in LEAVES],
            on_message=lambda topic, payload: self.driver.put(Arrived(topic, payload)),
            on_up=lambda: log.info("connected to the broker at %s", config.broker.url),
            on_down=lambda reason: log.warning("%s", reason),
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
        host, port = self._listener.getsockname()[:2]
        for table in self.config.tables:
            log.info("the overlay of table %s is at http://%s:%s/overlay/%s", table, host, port, table)
        self.driver.start()
        self.bus.start()

    def serve(self) -> None:
        config = self.config
        app = create_app(hub=self.hub, pages={"overlay"}, venue=config.venue, tables=config.tables)
        serve_until(app, self._listener, self.driver.failed)

    def stop(self) -> None:
        self.bus.stop()
        self.driver.stop()
        self._listener.close()
        self.store.close()

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
            case Publish():
                self.bus.publish(effect.topic, effect.payload)
            case Show():
                self.hub.publish(effect.channel, effect.snapshot)
            case Say():
                log.info("%s", effect.text)
