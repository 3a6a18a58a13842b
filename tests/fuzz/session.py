"""A session from a seed: a room, a table, what is done there, and what must hold after each step."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from feltwire.config import TableConfig
from table_core.messages import AnyEvent, Chips, Hint, Level, Seat, SeatStack
from table_core.rulebook import load_rulebook, rulebook_ids
from tests.fuzz.facts import (
    Broken,
    Witness,
    is_the_same_after_a_restart,
    next_hand_begins,
    undo_comes_to_an_end,
)
from tests.fuzz.generator import StepGenerator
from tests.fuzz.steps import Step, step_text
from tests.fuzz.table import FuzzedTable
from tests.views import of_a_table

DEVICES = (("keypad", "shoe", "camera"), ("keypad", "shoe"), ("keypad", "camera"), ("keypad",))
HOUSES: tuple[dict[str, object], ...] = ({}, {}, {"blind_chop": True}, {"button": "moving"})
LOOKS = 0.02  # how often everything is looked at closely
SAME_WAY = 40  # characters by which two failures are the same
TOGETHER = 25  # steps that a table and its restarted twin are both told


class Room(NamedTuple):
    config: TableConfig
    devices: tuple[str, ...]


class Played(NamedTuple):
    """What was done, what the table recorded, and the fact that did not hold, if any."""

    room: Room
    done: list[Step]
    events: list[AnyEvent]
    error: Exception | None = None

    @property
    def failure(self) -> str:
        """Empty where every fact held."""
        return "" if self.error is None else f"{type(self.error).__name__}: {self.error}"


def room_of(chance: random.Random) -> Room:
    book, house = chance.choice(rulebook_ids()), chance.choice(HOUSES)
    most = load_rulebook(book).with_house(house).rules.max_seats.value
    count = min(chance.choice([2, 2, 3, 3, 4, 6, 9, 11]), most)
    stacks = tuple(
        SeatStack(Seat(seat), Chips(chance.choice([150, 500, 2_000, 10_000, 10_000])))
        for seat in range(1, count + 1)
    )
    ante = chance.choice([0, 0, 25, 100])
    first = Level(1, Chips(50), Chips(100), big_blind_ante=Chips(ante))
    levels = (first, Level(2, Chips(100), Chips(200), ante=Chips(25)))
    config = TableConfig(
        "hall",
        "01",
        "unused",
        stacks,
        levels,
        count,
        rulebook=book,
        house=dict(house),
        smallest_chip=Chips(chance.choice([1, 25])),
        hints=chance.choice([(), tuple(Hint)]),
    )
    return Room(config, chance.choice(DEVICES))


def play(seed: str, steps: int) -> Played:
    """So many steps from `seed`, or as many as it takes until a fact does not hold."""
    chance = random.Random(seed)
    room = room_of(chance)
    generator = StepGenerator(room.config, room.devices, chance)
    looks = random.Random(f"looks {seed}")
    return _do_all(room, generator.next, steps, lambda: looks.random() < LOOKS)


def replay(room: Room, done: Sequence[Step]) -> Played:
    """The same steps again, with every fact looked at after the last of them."""
    again = iter(done)
    return _do_all(room, lambda _: next(again), len(done), lambda: False)


def _do_all(room: Room, choose: Callable[[FuzzedTable], Step], steps: int, looks: Callable[[], bool]) -> Played:
    session = Session(room)
    done: list[Step] = []
    played = Played(room, done, session.table.events)
    try:
        for _ in range(steps):
            done.append(choose(session.table))
            session.do(done[-1])
            if looks():
                session.look_closely()
        session.look_closely()
    except Exception as error:  # noqa: BLE001  (whatever a table throws is what is looked for)
        return played._replace(error=error)
    return played


class Session:
    """A table, its witness, and for a while its twin that was restarted."""

    def __init__(self, room: Room) -> None:
        self.table = FuzzedTable(room.config, room.devices)
        self.table.connect()
        self._witness = Witness(self.table)
        self._book = load_rulebook(room.config.rulebook).with_house(room.config.house)
        self._mutants = random.Random(f"{room}")
        self._twin: FuzzedTable | None = None
        self._together = 0

    def do(self, step: Step) -> None:
        before = len(self.table.events)
        step.at(self.table)
        self._witness.look(self.table)
        if self._twin is not None:
            self._same(self._twin, step, before)

    def look_closely(self) -> None:
        """A restart that must be no other table, UNDO to the start, and the next hand; on copies. And everything
        that is made of its record, as it is and with what nobody read or named."""
        self._twin, self._together = is_the_same_after_a_restart(self.table), TOGETHER
        undo_comes_to_an_end(self.table)
        next_hand_begins(self.table)
        of_a_table.every_view(self.table.envelopes, self._book, self._mutants)

    def _same(self, twin: FuzzedTable, step: Step, before: int) -> None:
        been = len(twin.events)
        step.at(twin)
        if twin.said_since(been) != self.table.said_since(before):
            raise Broken(
                f"after a restart {step_text(step)} does something else: {twin.said_since(been)} "
                f"and not {self.table.said_since(before)}"
            )
        self._together -= 1
        if not self._together:
            self._twin = None


def shorter(played: Played) -> Played:
    """As few of the steps as still break something the same way."""
    size = len(played.done) // 2
    while size:
        at = 0
        while at < len(played.done):
            fewer = replay(played.room, [*played.done[:at], *played.done[at + size :]])
            if fewer.failure[:SAME_WAY] == played.failure[:SAME_WAY]:
                played = fewer
            else:
                at += size
        size //= 2
    return played
