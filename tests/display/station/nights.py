"""A real station in memory behind the pages: what is pressed is decided there, and its pages are published."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import msgspec

from display.actions import ActionRefused, PinWanted
from display.identity.signin import pressed_by, proven_effect
from display.presses import TimedPress
from display.push import Hub
from feltwire.station.tournament.commands import FORMS
from feltwire.station.tournament.pages.forms import command_view
from tests.display.conftest import Recorded
from tests.feltwire.night_room import NightRoom, publish_night


class Station(Recorded):
    """`Actions` that a room's station carries out."""

    def __init__(self, hub: Hub, room: NightRoom) -> None:
        super().__init__()
        self.hub, self.room = hub, room
        self._lock = threading.Lock()
        self.publish()

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        self.calls.append((command, arguments))
        with self.elsewhere() as room:
            reply = room.pressed_by(pressed_by(), command, proven=proven_effect(), **arguments)
        if reply.unproven:
            raise PinWanted(reply.text, reply.unproven)
        if reply.refused:
            choices = [asdict(one) for one in reply.choices]
            raise ActionRefused(reply.text, rule=reply.rule, about=reply.about, choices=choices)
        return str(reply.text)

    async def sheet(self, name: str) -> bytes:
        return bytes(self.room.station.node.tournament.pages.sheet(name))

    @contextmanager
    def elsewhere(self) -> Iterator[NightRoom]:
        """What happens in the room, a press at a time; then the pages draw it.

        A page presses in the server's thread while the test goes on, and by itself behind a press (a seat behind
        an entry)."""
        with self._lock:
            yield self.room
            self.publish()

    def publish(self) -> None:
        self.room.wait(1_100)
        self.hub.publish("commands", msgspec.json.encode(command_view(FORMS)))
        publish_night(self.hub, self.room)
        self.hub.publish("clock", self.room.station.pages["clock"])


def opened(players: int = 0) -> NightRoom:
    room = NightRoom()
    house = {"starting_stack": 2_000, "buy_in": 20, "payouts": [50, 30, 20]}
    room.do("open", name="Friday", house=house)
    for no in range(1, players + 1):
        room.do("register_new", name=NAMES[(no - 1) % len(NAMES)], member=True, adult=True)
    return room


def running(players: int = 14, *, begun: bool = True) -> NightRoom:
    room = opened(players)
    for no in range(1, players + 1):
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=list(room.tables))
    for table in room.tables:
        room.do("set_button", table=table)
    if begun:
        room.do("start")
    return room


NAMES = (
    *("Ann Example", "Bo Larsen", "Cy Young", "Dana Novak", "Emil Berg", "Fay Okafor", "Gus Petit", "Hana Sato"),
    *("Ivo Marin", "Jo Fischer", "Kai Lund", "Lea Rossi", "Max Weber", "Nia Brown"),
)
