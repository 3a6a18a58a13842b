"""An evening from a seed: a room, a table, what is done there, and what must hold after each doing."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from feltwire.config import TableConfig
from table_core.messages import Chips, Hint, Level, Seat, SeatStack
from table_core.rulebook import load_rulebook, rulebook_ids
from tests.fingers.dealer import Dealer
from tests.fingers.doings import Doing, told
from tests.fingers.facts import (
    Broken,
    Witness,
    is_the_same_after_a_restart,
    next_hand_begins,
    undo_comes_to_an_end,
)
from tests.fingers.table import FingeredTable

DEVICES = (("keypad", "shoe", "camera"), ("keypad", "shoe"), ("keypad", "camera"), ("keypad",))
HOUSES: tuple[dict[str, object], ...] = ({}, {}, {"straddle": True}, {"button": "moving"})
LOOKS = 0.02  # how often everything is looked at closely
TOGETHER = 25  # doings that a table and its restarted twin are both told


class Room(NamedTuple):
    config: TableConfig
    devices: tuple[str, ...]


class Failure(NamedTuple):
    """What broke, and what was done up to there."""

    why: str
    done: list[Doing]
    error: BaseException


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


def play(seed: str, doings: int) -> tuple[Room, Failure | None]:
    """So many doings from `seed`; the failure where a fact did not hold."""
    chance = random.Random(seed)
    room = room_of(chance)
    dealer = Dealer(room.config, room.devices, chance)
    looks = random.Random(f"looks {seed}")
    return room, _do_all(room, dealer.next, doings, lambda: looks.random() < LOOKS)


def replay(room: Room, done: Sequence[Doing]) -> Failure | None:
    """The same doings again, with every fact looked at after the last of them."""
    again = iter(done)
    return _do_all(room, lambda _: next(again), len(done), lambda: False)


def _do_all(
    room: Room, choose: Callable[[FingeredTable], Doing], doings: int, looks: Callable[[], bool]
) -> Failure | None:
    done: list[Doing] = []
    try:
        evening = Evening(room)
        for _ in range(doings):
            done.append(choose(evening.table))
            evening.do(done[-1])
            if looks():
                evening.look_closely()
        evening.look_closely()
    except Exception as error:  # noqa: BLE001 - whatever a table throws is what is looked for
        return Failure(f"{type(error).__name__}: {error}", done, error)
    return None


class Evening:
    """A table, its witness, and for a while its twin that was restarted."""

    def __init__(self, room: Room) -> None:
        self.table = FingeredTable(room.config, room.devices)
        self.table.connect()
        self._witness = Witness(self.table)
        self._twin: FingeredTable | None = None
        self._together = 0

    def do(self, doing: Doing) -> None:
        before = len(self.table.events)
        doing.at(self.table)
        self._witness.look(self.table)
        if self._twin is not None:
            self._same(self._twin, doing, before)

    def look_closely(self) -> None:
        """A restart that must be no other table, UNDO to the start, and the next hand; on copies."""
        self._twin, self._together = is_the_same_after_a_restart(self.table), TOGETHER
        undo_comes_to_an_end(self.table)
        next_hand_begins(self.table)

    def _same(self, twin: FingeredTable, doing: Doing, before: int) -> None:
        been = len(twin.events)
        doing.at(twin)
        if twin.said_since(been) != self.table.said_since(before):
            raise Broken(
                f"after a restart {told(doing)} does something else: {twin.said_since(been)} "
                f"and not {self.table.said_since(before)}"
            )
        self._together -= 1
        if not self._together:
            self._twin = None


def shorter(room: Room, failure: Failure) -> Failure:
    """As few of the doings as still break something the same way."""
    kind = failure.why[:40]
    size = len(failure.done) // 2
    while size:
        at = 0
        while at < len(failure.done):
            fewer = [*failure.done[:at], *failure.done[at + size :]]
            found = replay(room, fewer)
            if found is not None and found.why[:40] == kind:
                failure = found
            else:
                at += size
        size //= 2
    return failure
