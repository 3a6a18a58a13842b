"""The director of the simulated room: opens the tournament, settles what waits in the queue, presses this and
that.

A press that gets no answer is pressed again under the same id, as a page does it. Whatever was answered without
a refusal counts as done: the room must still know it at the end.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from display.night_state import CHANNELS, night_in
from feltwire.runtime.node_io import Arrived, Publish, Reply
from feltwire.station.process import StationProcess
from feltwire.station.station_io import Directed, Effect
from table_core.messages import ItemKind, QueueView
from tests.simulation.machine import WALL_MS, Machine
from tests.simulation.story import PRESSES, Story

PATIENCE_MS = 2_500  # for an answer
TRIES = 3
SETTLED = (ItemKind.CLAIM, ItemKind.BUST, ItemKind.IMBALANCE, ItemKind.BREAK_TABLE, ItemKind.PENALTY)
NOTHING_NEW = "It is so already"
STACK = 1_000


@dataclass
class Press:
    id: str
    command: str
    arguments: dict[str, Any]
    must: bool = False  # pressed until it is answered, and again where it was refused
    tries: int = 0
    at: int = 0


class SimulatedStation(StationProcess):
    """`feltwire station`; `replies` are its answers to presses, `announces` hears each clock that it sends,
    `hears` the topic of each message that comes."""

    replies: dict[str, Reply]
    announces: Callable[[bytes], None]
    hears: Callable[[str], None]

    def _connect(self, *given: Any, **more: Any) -> None:
        super()._connect(*given, on_message=self._came, **more)

    def _came(self, topic: str, payload: bytes) -> None:
        self.hears(topic)
        self.driver.put(Arrived(topic, payload))

    def _perform(self, effect: Effect) -> None:
        if isinstance(effect, Publish) and effect.topic.endswith("/clock"):
            self.announces(effect.payload)
        if isinstance(effect, Reply):
            self.replies[effect.id] = self._honest(effect)
        super()._perform(effect)


class Director:
    """`accepted` are presses that the station answered with yes, `refused` counts the others. `is_abandoned` says
    whether no machine that is up has a table's lease, so that a claim is to be granted."""

    def __init__(
        self, story: Story, station: Machine, chance: random.Random, is_abandoned: Callable[[str], bool]
    ) -> None:
        self.replies: dict[str, Reply] = {}
        self.accepted: list[Press] = []
        self.refused = 0
        self.opened = not story.tournament
        self._story = story
        self._station = station
        self._chance = chance
        self._is_abandoned = is_abandoned
        self._count = 0
        self._todo: deque[Press] = deque(self._opening() if story.tournament else ())
        self._waiting: Press | None = None

    # ------------------------------------------------------------------------------------- a look

    def look(self) -> None:
        """Twice a second: an answer is read, or the next thing is pressed."""
        process = self._station.process
        if not isinstance(process, SimulatedStation):
            return
        if self._waiting is not None:
            self._wait_for(process, self._waiting)
        elif self._todo:
            self._press(process, self._todo[0])
        else:
            wanted = None if self.opened else self._before_play(process)
            wanted = wanted or self._wanted(process)
            if wanted is not None:
                self._todo.append(wanted)

    def press(self, number: int, table: str) -> None:
        """A press of the story."""
        self._todo.append(self._named(PRESSES[number], table))

    def _wait_for(self, process: SimulatedStation, press: Press) -> None:
        reply = self.replies.get(press.id)
        if reply is None:
            if self._station.host.world.now - press.at > PATIENCE_MS * 1_000:
                if press.tries < TRIES or press.must:
                    self._press(process, press)
                else:
                    self._done()
            return
        if not reply.refused:
            if not reply.text.startswith(NOTHING_NEW):
                self.accepted.append(press)
        else:
            self.refused += 1
            if press.must and self._is_wanted_still(process, press):
                self._todo[0] = self._made(press.command, press.arguments, must=True)
                self._waiting = None
                # With a wrong clock a night may stay closed to entries; tables are handed over all the same.
                if (wanted := self._wanted(process)) is not None:
                    self._todo.appendleft(wanted)
                return
        self._done()

    def _done(self) -> None:
        self._todo.popleft()
        self._waiting = None

    def _press(self, process: SimulatedStation, press: Press) -> None:
        press.tries += 1
        press.at = self._station.host.world.now
        self._waiting = press
        process.driver.put(Directed(press.id, press.command, press.arguments, by="Tess"))

    def _made(self, command: str, arguments: dict[str, Any], *, must: bool = False) -> Press:
        self._count += 1
        return Press(f"press-{self._count}", command, arguments, must)

    # ------------------------------------------------------------------------------- the tournament

    def _opening(self) -> Iterator[Press]:
        """What comes before the first hand. One table is left half empty, where there are two."""
        story = self._story
        seats = max(story.players, 2)
        tables = [{"table": table, "seats": max(seats + 1, 4)} for table in story.tables]
        house = {"starting_stack": STACK, "seats_per_table": max(seats + 1, 4)}
        opened = {"name": "Friday", "tables": tables, "seed": story.seed, "house": house, "starts": WALL_MS}
        yield self._made("open", opened, must=True)
        players = [f"p{no}" for no in range(1, len(story.tables) * story.players + 1)]
        for player in players:
            yield self._made(
                "register", {"player": player, "member": True, "adult": True, "regular": True}, must=True
            )
            yield self._made("enter", {"player": player}, must=True)
        yield self._draw()

    def _draw(self) -> Press:
        return self._made("draw_seats", {"tables": list(self._story.tables)}, must=True)

    def _before_play(self, process: SimulatedStation) -> Press | None:
        """The draw, where it was taken back; cards in the air, once everybody sits."""
        night = self.night(process)
        if not _is_drawn(night):
            return self._draw()
        tables = [table for table in night.get("tables", ()) if table["open"]]
        if not tables or not all(seat["there"] for table in tables for seat in table["seats"]):
            return None
        self.opened = True
        return self._made("start", {}, must=True)

    def _is_wanted_still(self, process: SimulatedStation, press: Press) -> bool:
        """A step of the opening that was refused because it was done before an answer was lost, is done."""
        night = self.night(process)
        match press.command:
            case "open":
                return not night.get("name")
            case "register" | "enter":
                statuses = {one["player"]: one["status"] for one in night.get("field", ())}
                status = statuses.get(press.arguments["player"])
                return status is None if press.command == "register" else status == "registered"
            case "draw_seats":
                return not _is_drawn(night)
            case "start":
                return not night.get("started")
        return False

    def night(self, process: StationProcess) -> dict[str, Any]:
        """The tournament as the station's pages have it."""
        return night_in(process.hub, CHANNELS)

    # -------------------------------------------------------------------------------- what waits

    def _wanted(self, process: SimulatedStation) -> Press | None:
        """The button of something that waits in the queue."""
        shown = process.hub.latest("queue")
        if shown is None or self._chance.random() < 0.3:
            return None
        for item in msgspec.json.decode(shown.data, type=QueueView).items:
            if item.primary is None or item.kind not in SETTLED:
                continue
            if item.kind is ItemKind.CLAIM and not self._is_abandoned(item.table):
                continue
            primary = item.primary
            if item.also and self._chance.random() < 0.3:
                primary = self._chance.choice(item.also)
            return self._made(primary.command, dict(primary.arguments))
        return None

    # ------------------------------------------------------------------------------- this and that

    def _named(self, name: str, table: str) -> Press:
        chance, process = self._chance, self._station.process
        night = self.night(process) if isinstance(process, SimulatedStation) else {}
        match name:
            case "undo":
                # Chips that were bought and are lost since are in play: without the purchase there are too many.
                log = [record for record in night.get("log", []) if "Chips bought" not in "".join(record["with"])]
                record = log[0]["no"] if log else 0
                return self._made("undo", {"record": record, "why": "a wrong press"})
            case "hand_over":
                return self._claimed(process, table)
            case "set_seats" if not self._story.tournament:
                seats = [
                    {"seat": no, "stack": STACK, "player": f"q{no}"} for no in range(1, self._story.players + 1)
                ]
                return self._made("set_seats", {"table": table, "seats": seats})
            case "ask_count":
                return self._made("ask_count", {"table": table, "seat": 1})
            case "leave":
                player = f"p{chance.randint(1, self._story.players)}"
                return self._made(chance.choice(["leave", "return"]), {"player": player})
            case "give_penalty":
                player = f"p{chance.randint(1, self._story.players)}"
                penalty = {
                    "player": player,
                    "reason": "spoke about a hand in play",
                    "kind": "dealt_out",
                    "hands": 1,
                }
                return self._made("give_penalty", penalty)
        return self._made(name, {})

    def _claimed(self, process: object, table: str) -> Press:
        shown = process.hub.latest("queue") if isinstance(process, SimulatedStation) else None
        items = msgspec.json.decode(shown.data, type=QueueView).items if shown is not None else ()
        for item in items:
            if item.kind is ItemKind.CLAIM and item.table == table and item.primary is not None:
                return self._made("hand_over", dict(item.primary.arguments))
        return self._made("hand_over", {"table": table, "ledger": "", "key": ""})


def _is_drawn(night: dict[str, Any]) -> bool:
    """Whether everybody's seat is drawn, and that was not taken back."""
    return any(
        record["event"]["type"] == "seats_drawn" and not record["undone"] for record in night.get("log", ())
    )
