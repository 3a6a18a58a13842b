"""A round of betting is read as it was played, in whatever order keys and the camera's readings come.

Rounds are drawn, and with them which folds are keyed and when each observation comes. Observations of
neighbouring acts come in another order each time, all of them within the tracker's waiting times.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec import Struct

from feltwire.config import TableConfig
from feltwire.lab.scenario.table import TableInMemory
from table_core.messages import (
    Act,
    Acted,
    Action,
    Chips,
    Key,
    Legal,
    Level,
    Refusal,
    Rewound,
    Seat,
    SeatStack,
)

ROUNDS, ORDERS = 15, 3  # of rounds that are keyed late one in ninety stays in doubt, none of these
WAIT_MS = 10_000  # longer than anything waits
LATE_MS, BETWEEN_KEYS_MS = 1_500, 400


class Played(Struct, frozen=True):
    """An act, whether it is keyed, and whether its chips are counted."""

    act: Acted
    after_ms: int
    keyed: bool
    counted: bool


def at_table(seats: int) -> TableInMemory:
    players = tuple(SeatStack(Seat(no), Chips(10_000), f"P{no}") for no in range(1, seats + 1))
    config = TableConfig(
        venue="v", table="1", data="", seats=players, levels=(Level(1, Chips(50), Chips(100)),), button=Seat(1)
    )
    table = TableInMemory(config, ("keypad", "shoe", "camera"))
    table.start_hand()
    return table


def drawn_round(rnd: random.Random) -> tuple[int, list[Played]]:
    """The number of seats, and a whole round before the flop."""
    seats, keyed = rnd.randrange(3, 9), rnd.choice([0.0, 0.5, 1.0])
    hand = at_table(seats).node.table.hand
    assert hand is not None
    played: list[Played] = []
    raises = 0
    with hand.trial():
        while (legal := hand.legal()) is not None:
            act = drawn_act(rnd, legal, raises)
            answer = hand.push(act)
            assert not isinstance(answer, Refusal)
            did = answer[0]
            assert isinstance(did, Acted)
            raises += act.action is Action.RAISE
            folds = act.action is Action.FOLD
            counted = did.added > 0 and rnd.random() < 0.6
            played.append(Played(did, rnd.randrange(300, 2_500), not folds or rnd.random() < keyed, counted))
    return seats, played


def drawn_act(rnd: random.Random, legal: Legal, raises: int) -> Act:
    if rnd.random() < 0.12 and raises < 2 and legal.min_to:
        return Act(legal.seat, Action.RAISE, Chips(legal.min_to + 100 * rnd.randrange(4)))
    if legal.can_check:
        return Act(legal.seat, Action.CHECK)
    return Act(legal.seat, Action.CALL if rnd.random() < 0.5 else Action.FOLD)


def observations(rnd: random.Random, played: list[Played], *, late: bool) -> Iterator[tuple[int, Played, bool]]:
    """When what comes: of which act, and whether it is the key. `late`: all keys when the round is over."""
    now, key_at = 0, 0
    end = sum(one.after_ms for one in played) + LATE_MS
    for one in played:
        now += one.after_ms
        yield now + rnd.randrange(100, 600), one, False
        if one.keyed:
            key_at = max(key_at + 150, now + rnd.randrange(200, 1_400))
            end += BETWEEN_KEYS_MS
            yield end if late else key_at, one, True


def observed(seats: int, coming: list[tuple[int, Played, bool]]) -> tuple[list[tuple[Seat, Action, Chips]], int]:
    """The acts on the books in the end, and how often something was taken back."""
    table = at_table(seats)
    began, before = table.now, len(table.events)
    for at, one, is_key in sorted(coming, key=lambda came: came[0]):
        table.wait(max(0, began + at - table.now))
        zone = f"seat-{one.act.seat}"
        if is_key:
            table.press(*keys(one.act))
        elif one.act.action is Action.FOLD:
            table.see(f"{zone}-cards")
        elif one.counted:
            table.see_chips(f"{zone}-bet", one.act.to, pieces=3)
    table.wait(WAIT_MS)
    acted = [logged.event for logged in table.node.table.hand_log if isinstance(logged.event, Acted)]
    back = sum(isinstance(event, Rewound) for event in table.events[before:])
    return [(act.seat, act.action, act.to) for act in acted], back


def keys(act: Acted) -> list[Key | str]:
    if act.action in (Action.BET, Action.RAISE):
        return [str(act.to), Key.BET_RAISE]
    return [Key.FOLD if act.action is Action.FOLD else Key.CHECK_CALL]


@pytest.mark.parametrize("late", [False, True], ids=["as-played", "keyed-when-it-is-over"])
def test_a_round_is_read_as_it_was_played_in_whatever_order_it_is_observed(late: bool) -> None:
    for number in range(ROUNDS):
        seats, played = drawn_round(random.Random(f"round/{number}"))
        truth = [(one.act.seat, one.act.action, one.act.to) for one in played]
        for order in range(ORDERS):
            coming = list(observations(random.Random(f"order/{number}/{order}"), played, late=late))
            read, taken_back = observed(seats, coming)
            assert read == truth, (number, order)
            assert late or not taken_back, (number, order)
