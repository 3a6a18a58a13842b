"""*Resume from here* within a hand, said by the director: level, button, stacks and who is in."""

from __future__ import annotations

import random
from typing import Any

import pytest

from feltwire.table.table_io import CommandCame
from table_core.messages import (
    AnyEvent,
    CardDealt,
    Chips,
    HandEnded,
    HandResumed,
    Key,
    Level,
    Misdealt,
    Noticed,
    Refused,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Rewound,
    Ruled,
    Seat,
    SeatsSet,
    SetHand,
    Street,
    encode,
)
from tests.table_under_test import TableUnderTest

LEVEL = Level(4, Chips(200), Chips(400))


def on_the_turn(**other: Any) -> ResumeHand:
    """Seats 1 and 3 play for 2,000; seat 2 has folded."""
    seats = (
        ResumedSeat(Seat(1), Chips(9_000)),
        ResumedSeat(Seat(2), Chips(9_500), live=False),
        ResumedSeat(Seat(3), Chips(9_500)),
    )
    facts: dict[str, Any] = {
        "hand": 7,
        "button": Seat(2),
        "small_blind": Seat(3),
        "big_blind": Seat(1),
        "level": LEVEL,
        "street": Street.TURN,
        "board": ("3h", "4h", "5s", "Kd"),
        "seats": seats,
        "pots": (ResumedPot(Chips(2_000), (Seat(1), Seat(3))),),
        "to_act": Seat(3),
    }
    return ResumeHand(**{**facts, **other})


def set_hand(table: TableUnderTest, hand: ResumeHand, name: str = "t-1") -> list[AnyEvent]:
    return table.give(CommandCame(encode(SetHand(name, hand))))


def resumed_unseen() -> TableUnderTest:
    """A machine that came in the middle of a hand: it knows of no card and no action before."""
    table = TableUnderTest()
    set_hand(table, on_the_turn())
    return table


def test_a_hand_of_which_the_table_knows_nothing_goes_on_and_is_played_to_its_end() -> None:
    table = resumed_unseen()
    assert (table.view.hand, table.view.street, table.view.button, table.view.level) == (7, Street.TURN, 2, LEVEL)
    assert [one.kind for one in table.of(Noticed)] == ["hand_resumed"]
    table.press("1000", Key.BET_RAISE, Key.FOLD)
    assert table.stacks() == [9_000, 9_500, 11_500]
    assert [ended.hand for ended in table.of(HandEnded)] == [7]


def test_the_cards_that_are_out_take_their_places_unread_and_the_next_one_is_the_burn() -> None:
    table = resumed_unseen()
    dealt = table.of(CardDealt)
    assert [one.to for one in dealt] == [
        *("seat-3", "seat-1", "seat-2") * 2,
        *("burn", "board", "board", "board", "burn", "board"),
    ]
    assert {one.commitment for one in dealt} == {None}
    table.deal("2c")
    assert table.of(CardDealt)[-1].to == "burn"


def test_the_hand_in_progress_is_replaced() -> None:
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    events = set_hand(table, on_the_turn(hand=1))
    assert table.of(HandResumed, events)
    assert not table.of(HandEnded)
    assert table.view.pot == 2_000


def test_what_cannot_be_is_refused_with_a_reason_and_changes_nothing() -> None:
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    before = table.view
    (refused,) = table.of(Refused, set_hand(table, on_the_turn(board=("3h",))))
    assert "4 cards" in refused.reason
    assert refused.cause == "t-1"
    assert table.view.street is before.street
    assert table.view.seats == before.seats


def test_a_second_riffle_leaves_a_resumed_hand_unobserved() -> None:
    table = resumed_unseen()
    table.press(Key.NEW_HAND)
    events = table.press(Key.NEW_HAND)
    (seats,) = table.of(SeatsSet, events)
    assert seats.gap
    assert [(one.seat, one.stack) for one in seats.seats] == [(1, 9_000), (2, 9_500), (3, 9_500)]
    assert table.view.hand == 8


def test_where_nobody_saw_what_was_put_in_a_void_hand_gives_nothing_back() -> None:
    table = resumed_unseen()
    events = table.press("22", Key.FLOOR, Key.STREET)  # a card of another deck: the hand should be void
    assert [ruled.option for ruled in table.of(Ruled, events)] == ["stub"]
    assert not table.of(Misdealt)
    assert table.view.pot == 2_000


def test_undo_reaches_back_to_the_resumption_and_no_further() -> None:
    table = resumed_unseen()
    table.press("1000", Key.BET_RAISE)
    assert table.of(Rewound, table.press(Key.UNDO))
    assert table.view.legal is not None
    assert table.view.legal.seat == 3
    assert table.of(Refused, table.press(Key.UNDO))


@pytest.mark.parametrize("seed", range(30))
def test_whenever_a_hand_is_resumed_no_chip_is_lost_and_it_goes_on(seed: int) -> None:
    chance = random.Random(seed)
    table = TableUnderTest(seats=4)
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d", "9h", "Td")
    before = sum(table.stacks()) + table.view.pot
    for _ in range(chance.randrange(6)):
        if table.view.legal is not None:
            table.press(*chance.choice([(Key.CHECK_CALL,), (Key.FOLD,), ("600", Key.BET_RAISE), (Key.ALL_IN,)]))
    seat = str(chance.randint(1, 4))
    table.press(seat, Key.SEAT, "85", Key.FLOOR)
    option = str(chance.randint(1, 4))
    resumed = table.of(HandResumed, table.press(option, Key.STREET))
    assert sum(table.stacks()) + table.view.pot == before
    if resumed:
        (event,) = resumed
        assert table.view.legal is not None
        assert table.view.legal.seat == Seat(int(seat)) == event.to_act
        for _ in event.seats:  # at most: those before the seat to act have acted
            table.press(Key.FOLD)
        assert table.view.legal is None
        assert sum(table.stacks()) + table.view.pot == before
    elif table.node.table.in_hand:
        table.press("0", Key.STREET)
        assert table.view.question is None or table.view.question.kind != "ruling"
