"""The line of the dealer screen that is never empty. In each scenario it is read after every step as well
(`feltwire/lab/scenario/play.py`)."""

from __future__ import annotations

from random import Random

import pytest

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    CardDealt,
    Chips,
    DealBoard,
    DeviceState,
    Key,
    QuestionView,
    Seat,
    Street,
)
from table_core.projections.next_step import next_step
from table_core.projections.table_state import SeatState, TableState
from tests.table_core.hand.random_hand import random_hand
from tests.table_core.table import BASE, level, start


def table_of(hand: Hand | None, **stacks: int) -> TableState:
    table = TableState("club", "01", BASE, hand=hand, next_level=level(100, 200), button=Seat(1))
    table.seats = {Seat(int(no.removeprefix("s"))): SeatState(no, stack) for no, stack in stacks.items()}
    return table


def dealt(**stacks: int) -> tuple[Hand, TableState]:
    hand = Hand(BASE)
    hand.push(start({int(no.removeprefix("s")): stack for no, stack in stacks.items()}, level(100, 200)))
    return hand, table_of(hand, **stacks)


def test_whose_turn_it_is_and_what_it_costs() -> None:
    hand, table = dealt(s1=10_000, s2=10_000, s3=10_000)
    assert next_step(table) == "Seat 3 to act: 200 to call"
    hand.push(Act(Seat(3), Action.CALL))
    hand.push(Act(Seat(1), Action.CALL))
    assert next_step(table) == "Seat 2 to act: may check"


def test_a_street_that_is_due() -> None:
    hand, table = dealt(s1=10_000, s2=10_000)
    hand.push(Act(Seat(2), Action.CALL))
    hand.push(Act(Seat(1), Action.CHECK))
    assert next_step(table) == "Burn, then deal the flop: STREET"
    table.devices["camera"] = DeviceState.OK
    assert next_step(table) == "Burn, then deal the flop"
    to = ("seat-2", "seat-1", "seat-2", "seat-1", "burn", "board", "board", "board")
    table.places = {place: CardDealt(place, to, None) for place, to in enumerate(to[:-1], start=1)}
    assert next_step(table) == "Burn, then deal the flop", "one card is still in the shoe"
    table.places[8] = CardDealt(8, to[-1], None)
    assert next_step(table) == "The flop is dealt: the camera reads it"
    del table.devices["camera"]
    assert next_step(table) == "STREET when the flop lies there"


def test_hands_that_are_turned_up_behind_an_all_in() -> None:
    hand, table = dealt(s1=10_000, s2=10_000)
    hand.push(Act(Seat(2), Action.RAISE, Chips(10_000)))
    hand.push(Act(Seat(1), Action.CALL))
    assert next_step(table) == "Turn both hands up, then STREET: the flop"
    while hand.street is not Street.SHOWDOWN:
        cards = {Street.PREFLOP: ("Ah", "Td", "7c"), Street.FLOP: ("2s",), Street.TURN: ("Jd",)}
        hand.push(DealBoard(cards[hand.street]))
    assert next_step(table) == "Showdown: seats 1, 2 turn up their hands"


def test_who_shows_first() -> None:
    hand, table = dealt(s1=10_000, s2=10_000, s3=10_000)
    hand.push(Act(Seat(3), Action.CALL))
    hand.push(Act(Seat(1), Action.CALL))
    hand.push(Act(Seat(2), Action.CHECK))
    for cards in (("Ah", "Td", "7c"), ("2s",), ("Jd",)):
        hand.push(DealBoard(cards))
        for _ in range(3):
            assert hand.to_act is not None
            hand.push(Act(hand.to_act, Action.CHECK))
    assert next_step(table) == "Showdown: seat 1 first, then 2, 3"


def test_between_hands_the_blinds_that_are_due_are_said_and_a_dead_one() -> None:
    said = next_step(table_of(None, s1=10_000, s2=10_000, s3=10_000))
    assert said == "No hand: NEW HAND with the first riffle. Button 1, small blind 2: 100, big blind 3: 200"
    gone = table_of(None, s1=10_000, s3=10_000, s4=10_000)
    gone.button_set, gone.small_blind, gone.big_blind = False, Seat(1), Seat(2)
    assert next_step(gone).endswith("Button 1, no small blind (dead), big blind 3: 200")
    assert next_step(table_of(None, s1=10_000, s2=0)) == "No hand: fewer than two players have chips"


def test_side_pots_are_named_with_the_seats_that_can_win_them() -> None:
    hand, table = dealt(s1=3_000, s2=10_000, s3=10_000)
    hand.push(Act(Seat(3), Action.RAISE, Chips(10_000)))
    hand.push(Act(Seat(1), Action.CALL))
    hand.push(Act(Seat(2), Action.CALL))
    for cards in (("Ah", "Td", "7c"), ("2s",), ("Jd",)):
        hand.push(DealBoard(cards))
    table.question = QuestionView(1, "award", "Winner?", Key.AWARD)
    assert next_step(table) == "Who wins? Seat number, AWARD. Main 9,000: 1, 2, 3 · side 14,000: 2, 3"


@pytest.mark.parametrize("seed", range(40))
def test_no_state_of_a_hand_leaves_it_empty(seed: int) -> None:
    hand = Hand(BASE)
    random = Random(seed)
    for event in random_hand(seed):
        hand.apply(event)
        table = table_of(hand, **{f"s{seat}": 10_000 for seat in hand.seats})
        if random.random() < 0.3:
            table.devices["camera"] = DeviceState.OK
        assert next_step(table)
