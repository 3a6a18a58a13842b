"""`feltwire clock`: a wall display. It subscribes to the station's clock and serves it to its own browser.

The clock is kept in memory: a display started while station and network are gone shows the clock that the broker
retained, or that it is waiting. Its data folder, if any, holds only the list of revoked certificates.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from pathlib import Path

from starlette.applications import Starlette

from display.app import create_app
from feltwire.config import ClockConfig, load
from feltwire.private_files import data_folder
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus_port import Will
from feltwire.runtime.certificates.trust import name_of
from feltwire.runtime.host import Host
from feltwire.runtime.node_io import BusUp
from feltwire.runtime.pages.faults import PageFaults
from feltwire.runtime.pages.figures import Figure, of_clock
from feltwire.runtime.process import Process, add_config, main
from feltwire.wall_clock.node import ClockNode, Effect
from table_core.messages import ClockState, Status, encode

log = logging.getLogger(__name__)

HELP = "A wall display with the blind clock; it counts on when station, broker and network are gone."
EXAMPLE = "feltwire clock --config /etc/feltwire/clock/clock.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser, "this display")


def run(args: argparse.Namespace) -> int:
    return main(lambda host: ClockProcess(load(args.config, ClockConfig), host), args.log)


class ClockProcess(Process):
    """A `ClockNode` with its adapters."""

    def __init__(self, config: ClockConfig, host: Host | None = None) -> None:
        super().__init__(host)
        self.config = config
        with self._opening():
            self._listen(config.web)
            self._name = name_of(config.broker, config.name)
            self._drive(self._node(), f"clock-{config.name}")
            self._subscribe()

    def _node(self) -> ClockNode:
        return ClockNode(self.config, boot=self.host.boot, name=self._name, views=self.views)

    def _subscribe(self) -> None:
        config, data = self.config, None
        if self.config.data:
            data_folder(data := Path(self.config.data))
        self._connect(
            config.broker,
            f"{config.venue}-clock-{config.name}",
            [topics.tournament(config.venue, leaf) for leaf in ("clock", "beat", "field")],
            venue=config.venue,
            data=data,
            will=Will(topics.process(config.venue, self._name, "status"), encode(Status(online=False))),
            program=topics.process(config.venue, self._name, "program"),
            machine=self._name,
        )

    def _rebuilt(self) -> tuple[ClockNode, list[BusUp]]:
        return self._node(), self._bus_state()

    def start(self) -> None:
        log.info("the clock is at %s/clock", self.address)
        log.info("waiting for the broker at %s", self.config.broker.url)
        super().start()

    def _app(self) -> Starlette:
        config = self.config
        return create_app(
            faults=PageFaults(self.views),
            hub=self.hub,
            pages={"clock"},
            venue=config.venue,
            tables=(),
            title=config.title,
            look=self.look,
            language=config.language,
        )

    def _figures(self) -> Iterator[Figure]:
        yield from super()._figures()
        yield from self._shown_as("clock", ClockState, of_clock)

    def _perform(self, effect: Effect) -> None:
        self._tell(effect)
