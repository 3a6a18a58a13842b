"""`feltwire clock`: a wall display. It subscribes to the station's clock and serves it to its own browser.

Everything is kept in memory: a wall that is started while station and network are gone shows what the broker
retained, or that it is waiting.
"""

from __future__ import annotations

import argparse
import logging

from display.app import create_app
from display.push import Hub
from feltwire import topics
from feltwire.boottime import boot_id
from feltwire.bus import Bus
from feltwire.clock_node import ClockNode
from feltwire.config import ClockConfig, load
from feltwire.node import Driver
from feltwire.station_io import Arrived, BusDown, BusUp, Say, Show
from feltwire.web import listen, serve_until

log = logging.getLogger(__name__)

HELP = "A wall display with the blind clock; it counts on when station, broker and network are gone."
EXAMPLE = "feltwire clock --config /etc/feltwire/clock.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", required=True, metavar="FILE", help="TOML file of this display")


def run(args: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    process = ClockProcess(load(args.config, ClockConfig))
    process.start()
    try:
        process.serve()
    finally:
        process.stop()
    return 1 if process.driver.failed.is_set() else 0


class ClockProcess:
    """Everything around one node; `start`, `serve` (blocks), `stop`."""

    def __init__(self, config: ClockConfig) -> None:
        self.config = config
        self.hub = Hub()
        self.driver = Driver(ClockNode(config, boot=boot_id()), self._perform, name=f"clock-{config.name}")
        self.bus = self._make_bus()
        self.listener = listen(config.web)

    def _make_bus(self) -> Bus:
        config = self.config
        return Bus(
            config.broker,
            client_id=f"{config.venue}-clock-{config.name}",
            subscriptions=[topics.tournament(config.venue, leaf) for leaf in ("clock", "beat")],
            on_message=lambda topic, payload: self.driver.put(Arrived(topic, payload)),
            on_up=lambda: self.driver.put(BusUp()),
            on_down=lambda reason: self.driver.put(BusDown(reason)),
        )

    def start(self) -> None:
        host, port = self.listener.getsockname()[:2]
        log.info("the clock is at http://%s:%s/clock", host, port)
        log.info("waiting for the broker at %s", self.config.broker.url)
        self.driver.start()
        self.bus.start()

    def serve(self) -> None:
        config = self.config
        app = create_app(hub=self.hub, pages={"clock"}, venue=config.venue, tables=(), title=config.title)
        serve_until(app, self.listener, self.driver.failed)

    def stop(self) -> None:
        self.bus.stop()
        self.driver.stop()
        self.listener.close()

    def _perform(self, effect: Say | Show) -> None:
        match effect:
            case Show():
                self.hub.publish(effect.channel, effect.snapshot, event_id=effect.event_id)
            case Say():
                log.log(logging.WARNING if effect.level == "warning" else logging.INFO, "%s", effect.text)
