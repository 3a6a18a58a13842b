"""A station in memory without a table: an event is played there by hand, through its presses and channels."""

from __future__ import annotations

from typing import Any

import msgspec

from display.night_state import CHANNELS, night_of
from feltwire.lab.station.memory import MemoryStation
from table_core.messages import Millis, QueueItem, QueueView, RoomView
from tests.feltwire.station_room import config

HOUSE = {"starting_stack": 2_000, "seats_per_table": 9, "buy_in": 20, "rebuys_unlimited": True}


class StationByHand(MemoryStation):
    """A station without a table in its configuration."""

    def __init__(self, book: str = "base") -> None:
        super().__init__(config((), rulebook=book, title="Friday"))
        self.up()
        self._presses = 0

    def do(self, command: str, **arguments: Any) -> str:
        self._presses += 1
        reply = self.press(command, f"press-{self._presses}", **arguments)
        assert not reply.refused, (command, arguments, reply)
        self.wait(200)
        return reply.text

    def run_up(self, players: int, **house: Any) -> None:
        self.do("open", name="Friday", house=HOUSE | house)
        for no in range(1, players + 1):
            self.do("register", player=f"p{no}", member=True, adult=True)
            self.do("enter", player=f"p{no}")
        self.do("draw_seats")
        self.do("start")

    def pass_at_once(self, ms: int = 1_000) -> None:
        """Time passes at once, and pages have what they are shown then."""
        self.now = Millis(self.now + ms)
        self.give(None)

    @property
    def event(self) -> dict[str, Any]:
        self.pass_at_once()
        return night_of(self.pages.get(channel) for channel in CHANNELS)

    @property
    def items(self) -> tuple[QueueItem, ...]:
        """What waits for a person."""
        self.pass_at_once()
        return msgspec.json.decode(self.pages["queue"], type=QueueView).items

    @property
    def queue(self) -> list[str]:
        return [item.fact for item in self.items]

    @property
    def room(self) -> RoomView:
        return msgspec.json.decode(self.pages["room"], type=RoomView)
