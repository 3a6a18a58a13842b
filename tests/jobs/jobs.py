"""The ten jobs: what the hand is like before, what the dealer says, what the record must say then."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from table_core.messages import Key
from tests.jobs.table import JobTable, Refused, View
from tests.jobs.ways import Way

MOST = 3  # presses of a part, the digits of an amount apart
LIVE = (4, 5)  # who goes to the showdown


@dataclass(frozen=True)
class Part:
    """Something that a dealer says at once: `do` it, then the table shows what is `right`. `before`: what happens
    until then is pressed for the dealer."""

    do: Callable[[Way], None]
    right: Callable[[View], bool]
    before: Callable[[JobTable], None] = lambda _table: None


@dataclass(frozen=True)
class Job:
    name: str
    parts: tuple[Part, ...]
    stacks: Mapping[int, int] = field(default_factory=dict)


def seat(view: View, no: int) -> View:
    return next(one for one in view["seats"] if one["seat"] == no)


def acts(view: View) -> int:
    """The seat that is to act, 0 for nobody."""
    return view["legal"]["seat"] if view["legal"] else 0


# ------------------------------------------------------------------------------------------- before


def new_hand(table: JobTable) -> None:
    """Six players, the button at seat 1: seat 4 acts first."""
    table.press(Key.NEW_HAND)


def opened(table: JobTable) -> None:
    """Seat 4 calls, and all but seats 3 and 5 fold; seat 3 checks last."""
    new_hand(table)
    for key in (Key.CHECK_CALL, Key.CHECK_CALL, Key.FOLD, Key.FOLD, Key.FOLD):
        table.press(key)


def one_call_left(table: JobTable) -> None:
    """Seat 4 raised, seat 5 called, the blinds fold but seat 3, which has 200 to call."""
    new_hand(table)
    table.press(Key.BET_RAISE, amount=300)
    for key in (Key.CHECK_CALL, Key.FOLD, Key.FOLD, Key.FOLD):
        table.press(key)


def to_the_showdown(table: JobTable) -> None:
    """Seats 4 and 5 have checked it down."""
    new_hand(table)
    for key in (Key.CHECK_CALL, Key.CHECK_CALL, Key.FOLD, Key.FOLD, Key.FOLD, Key.FOLD):
        table.press(key)
    for _street in range(3):
        table.press(Key.STREET)
        for _seat in LIVE:
            table.press(Key.CHECK_CALL)


def all_in_called(table: JobTable) -> None:
    """Behind the short all-in of seat 4: seat 5 is all-in for more, seat 6 calls, the others fold."""
    table.press(Key.ALL_IN)
    table.press(Key.CHECK_CALL)
    for _seat in range(3):
        table.press(Key.FOLD)
    for _street in range(3):
        table.press(Key.STREET)


def awarded_wrongly(table: JobTable) -> None:
    to_the_showdown(table)
    table.press(Key.AWARD, seat=5)


def three_keys_ago(table: JobTable) -> None:
    """Seat 4 called and was keyed as folded; seats 5 and 6 have folded since."""
    new_hand(table)
    for _seat in range(3):
        table.press(Key.FOLD)


def raised_too_little(table: JobTable) -> None:
    """Seat 4 raises to 300; seat 5 says raise, and puts in 400."""
    new_hand(table)
    table.press(Key.BET_RAISE, amount=300)
    with contextlib.suppress(Refused):
        table.press(Key.BET_RAISE, amount=400)


# ------------------------------------------------------------------------------------------- what is said


def keyed(*keys: Key) -> Callable[[Way], None]:
    """Each of the keys once."""

    def do(way: Way) -> None:
        for key in keys:
            way.key(key)

    return do


def of_seat(*says: tuple[int, Key]) -> Callable[[Way], None]:
    """A seat and its key, of each in turn."""

    def do(way: Way) -> None:
        for no, key in says:
            way.seat(no)
            way.key(key)

    return do


def raise_to(way: Way) -> None:
    way.amount(1200)
    way.key(Key.BET_RAISE)


def split(way: Way) -> None:
    way.seat(4)
    way.key(Key.SPLIT)
    way.key(Key.POT_PUSHED)


def award_both(way: Way) -> None:
    of_seat((4, Key.AWARD))(way)
    way.wins_the_rest(5)


def put_right(way: Way) -> None:
    way.key(Key.UNDO)
    of_seat((4, Key.AWARD))(way)


def count(way: Way) -> None:
    way.seat(4)
    way.amount(9800)
    way.key(Key.COUNT)


def rule_too_little(way: Way) -> None:
    way.rule(74, "^1[. ]", 5)


# ------------------------------------------------------------------------------------------- the jobs


def stacks(view: View) -> dict[int, int]:
    return {one["seat"]: one["stack"] for one in view["seats"]}


JOBS = {
    job.name: job
    for job in (
        Job("raise to 1,200", (Part(raise_to, lambda view: seat(view, 4)["bet"] == 1200, new_hand),)),
        Job("a row of folds", (Part(of_seat((1, Key.STREET)), lambda view: acts(view) == 1, new_hand),)),
        Job(
            "call and street",
            (
                Part(
                    keyed(Key.CHECK_CALL, Key.STREET),
                    lambda view: view["street"] == "flop" and view["pot"] == 950,
                    one_call_left,
                ),
            ),
        ),
        Job(
            "all-in, side pot, award",
            (
                Part(keyed(Key.ALL_IN), lambda view: seat(view, 4)["all_in"] is True, new_hand),
                Part(
                    award_both,
                    lambda view: (stacks(view)[4], stacks(view)[5]) == (1950, 4800),
                    all_in_called,
                ),
            ),
            {4: 600, 5: 3000},
        ),
        Job(
            "split pot",
            (Part(split, lambda view: stacks(view)[4] == stacks(view)[5] == 10_075, to_the_showdown),),
        ),
        Job("undo three keys", (Part(keyed(*[Key.UNDO] * 3), lambda view: acts(view) == 4, three_keys_ago),)),
        Job("wrong seat awarded", (Part(put_right, lambda view: stacks(view)[4] == 10_250, awarded_wrongly),)),
        Job(
            "away and back",
            (
                Part(of_seat((5, Key.AWAY)), lambda view: seat(view, 5)["away"] is True),
                Part(of_seat((5, Key.AWAY)), lambda view: seat(view, 5)["away"] is False),
            ),
        ),
        Job(
            "a ruling",
            (Part(rule_too_little, lambda view: seat(view, 5)["bet"] == 500, raised_too_little),),
        ),
        Job("correct a count", (Part(count, lambda view: stacks(view)[4] == 9800),)),
    )
}
