"""Seeded hands, stopped at the moments at which an incident is raised: on each street, before and after the action
has moved on."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import NamedTuple

from feltwire.config import TableConfig
from table_core.messages import Acted, BoardDealt, Chips, Key, Level, Seat, SeatStack, Street
from tests.fuzz.generator import StepGenerator
from tests.fuzz.steps import Press, Touch
from tests.fuzz.table import FuzzedTable

DEVICES: dict[str, tuple[str, ...]] = {
    "all": ("keypad", "shoe", "camera"),
    "shoe+keys": ("keypad", "shoe"),
    "camera+keys": ("keypad", "camera"),
    "keys": ("keypad",),
    "screen": (),
}
LEVELS = (Level(1, Chips(50), Chips(100)), Level(2, Chips(100), Chips(200)))
MOST_STEPS = 400
BOARD = 5
MOST_HANDS = 200  # tried until one goes to the river
_NAMES_A_SEAT = frozenset({Key.FOLD, Key.CHECK_CALL, Key.TABLED, Key.MUCK, Key.AWARD, Key.SPLIT, Key.ALL_IN})


class Moment(NamedTuple):
    """A table at one moment of a hand. `acted`: how many actions its street has seen; `name` says it in words."""

    table: FuzzedTable
    street: Street
    acted: int
    name: str


def config_of(book: str, chance: random.Random) -> TableConfig:
    """A table of three to six players with 800 to 10,000 chips each."""
    seats = sorted(chance.sample(range(1, 10), chance.randint(3, 6)))
    stacks = tuple(SeatStack(Seat(seat), Chips(chance.choice([800, 2_000, 10_000])), f"P{seat}") for seat in seats)
    return TableConfig("sweep", "01", "unused", stacks, LEVELS, max(seats), rulebook=book, smallest_chip=Chips(25))


def moments(book: str, devices: str, seed: int) -> list[Moment]:
    """Of the first hand from `seed` on that goes to the river: each street as it begins, behind its first action
    and behind its third, and the pot pushed."""
    for attempt in range(MOST_HANDS):
        found = list(_play(book, devices, f"sweep {seed} {attempt}"))
        if {Street.RIVER, Street.SHOWDOWN} <= {moment.street for moment in found}:
            return found
    raise LookupError(f"no hand of seed {seed} goes to the river under {book} with {devices}")


def _play(book: str, devices: str, seed: str) -> Iterator[Moment]:
    chance = random.Random(seed)
    config = config_of(book, chance)
    there = DEVICES[devices]
    table = FuzzedTable(config, there)
    table.connect()
    generator = StepGenerator(config, there, chance)
    generator.wildness, generator.keys = 0.0, 1.0
    number, reached = 0, set[tuple[Street, int]]()
    for _ in range(MOST_STEPS):
        step = generator.next(table)
        if isinstance(step, Press) and not there:
            touch(table, *step.keys)
        else:
            step.at(table)
        projection = table.node.table
        if projection.hand is None:
            continue
        if number and (projection.hand_number != number or not projection.in_hand):
            yield Moment(copy.deepcopy(table), Street.SHOWDOWN, 0, "the pot pushed")
            return
        number = projection.hand_number
        at = (projection.hand.street, acts_on_the_street(table))
        if projection.question is not None:
            continue
        if (
            projection.hand.legal() is None
            and len(projection.hand.live_seats) > 1
            and len(projection.hand.board) == BOARD
        ):
            at = (Street.SHOWDOWN, 1)
        elif projection.hand.legal() is None or at[1] not in (0, 1, 3):
            continue
        if at not in reached:
            reached.add(at)
            name = "the betting closed" if at[0] is Street.SHOWDOWN else f"{at[0]}, {at[1]} acted"
            yield Moment(copy.deepcopy(table), *at, name)


def acts_on_the_street(table: FuzzedTable) -> int:
    """Actions of players on the street that is being played."""
    count = 0
    for logged in table.node.table.hand_log:
        if isinstance(logged.event, Acted):
            count += 1
        elif isinstance(logged.event, BoardDealt):
            count = 0
    return count


def touch(table: FuzzedTable, *keys: Key | str) -> None:
    """Keys of a keypad that is not there, as touches on the dealer's screen."""
    seat: int | None = None
    number: int | None = None
    for key in keys:
        if isinstance(key, str):
            number = int(key)
        elif key is Key.SEAT:
            seat, number = number, None
        else:
            named = key in _NAMES_A_SEAT and number is not None and seat is None
            Touch(key, number if named else seat, None if named else number).at(table)
            seat = number = None
