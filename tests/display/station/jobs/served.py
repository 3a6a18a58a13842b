"""A room whose station is served: its node, its pages and its tables, live, in one process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from display.actions import ActionRefused
from display.app import create_app
from display.identity.signin import SignIn
from display.presses import TimedPress
from display.push import Hub
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived
from feltwire.table.table_io import BeatCame
from table_core.messages import Beat, decode
from tests.display.conftest import Recorded, Running
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station_room import VENUE

TICK_MS = 50


class Served(Recorded):
    """`Actions` that the room's station carries out. Its time runs; what it shows is published."""

    def __init__(self, room: NightRoom, hub: Hub) -> None:
        super().__init__()
        self.room = room
        self._hub = hub
        self._asked: dict[str, bytes] = {}  # table: the ruling that it asks for
        self._shown: dict[str, bytes] = {}
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        for _ in range(1_200 // TICK_MS):
            self._tick()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        with self._lock:
            reply = self.room.press(command, **arguments)
            self._publish()
        if reply.refused:
            choices = [asdict(one) for one in reply.choices]
            raise ActionRefused(reply.text, rule=reply.rule, about=reply.about, choices=choices)
        return str(reply.text)

    def holds(self, fact: Callable[[NightRoom], bool]) -> bool:
        with self._lock:
            return fact(self.room)

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(TICK_MS / 1000):
            with self._lock:
                self._tick()

    def _tick(self) -> None:
        """Time passes at the tables too; they hear the station's beat, by which they know a late command."""
        pages = self.room.station.pages
        beat = pages["beat"]
        self.room.wait(TICK_MS)
        for table in self.room.tables.values():
            table.wait(TICK_MS)
            if pages["beat"] is not beat:
                table.give(BeatCame(decode(pages["beat"], Beat)))
        self.room.deliver()
        self._send_rulings()
        self._publish()

    def _send_rulings(self) -> None:
        """What tables tell the station alone: a ruling that is asked for."""
        for name, table in self.room.tables.items():
            if self._asked.get(name, b"") != table.ruling_screen:
                self._asked[name] = raw = table.ruling_screen
                self.room.deliver(self.room.station.give(Arrived(topics.table(VENUE, name, "ruling"), raw)))

    def _publish(self) -> None:
        pages = self.room.station.pages
        for channel, snapshot in list(pages.items()):
            if self._shown.get(channel) is not snapshot:
                self._shown[channel] = snapshot
                self._hub.publish(channel, snapshot)


@contextmanager
def served(room: NightRoom) -> Iterator[tuple[Served, str, str]]:
    """The room, its address, and a link that signs the director in."""
    hub, signin = Hub(), SignIn()
    station = Served(room, hub)
    app = create_app(
        hub=hub,
        pages={"station", "clock", "rules", "announcements", "table"},
        venue=VENUE,
        title="Friday",
        tables=tuple(room.tables),
        actions=station,
        signin=signin,
        touchscreen=False,
        rulebook=lambda: room.station.node.rulebook,
    )
    web = Running(app)
    try:
        yield station, web.url, signin.new_link()
    finally:
        web.stop()
        station.stop()
