"""UNDO of NEW HAND: until a card leaves the shoe, or without one until somebody acts, nothing was pressed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import pytest

from feltwire.table.node import UNDO_MS
from feltwire.table.table_io import DeviceSaid
from table_core.messages import (
    ChangeSeats,
    Chips,
    DeviceState,
    HandStarted,
    Key,
    Misdealt,
    Refused,
    Seat,
    SeatStack,
)
from tests.table_under_test import TableUnderTest
from tests.undone.twins import facts

CARDS = ("Ah", "Kd", "7c", "As", "Kc", "2d")
DEVICES = (("keypad",), ("keypad", "shoe"), ("keypad", "camera"), ("keypad", "shoe", "camera"))


def folded(devices: Sequence[str] = DEVICES[-1]) -> TableUnderTest:
    """Seat 1 and 2 folded to seat 3."""
    table = TableUnderTest(devices=devices)
    table.press(Key.NEW_HAND)
    if "shoe" in devices:
        table.deal(*CARDS)
    table.press(Key.FOLD)
    table.press(Key.FOLD)
    return table


def awarded() -> TableUnderTest:
    """Played to the river by keys alone, and AWARD to seat 2."""
    table = TableUnderTest(devices=("keypad",))
    table.press(Key.NEW_HAND)
    for key in (Key.CHECK_CALL, Key.CHECK_CALL, Key.CHECK_CALL):
        table.press(key)
    for _ in range(3):
        table.wait(2_000)
        table.press(Key.STREET)
    table.wait(2_000)
    table.press("2", Key.AWARD)
    assert not table.node.table.in_hand
    return table


def unobserved() -> TableUnderTest:
    """Seat 1 has folded, and NEW HAND came once: it is asked whether the hand is left unobserved."""
    table = TableUnderTest(devices=("keypad",))
    table.press(Key.NEW_HAND)
    table.press(Key.FOLD)
    table.wait(3_000)
    table.press(Key.NEW_HAND)
    assert table.view.question is not None
    return table


BEFORE: dict[str, Callable[[], TableUnderTest]] = {
    **{f"folded {' '.join(devices)}": (lambda devices=devices: folded(devices)) for devices in DEVICES},
    "nothing was played": lambda: TableUnderTest(devices=("keypad",)),
    "awarded": awarded,
    "unobserved": unobserved,
}
BETWEEN: dict[str, Callable[[TableUnderTest], object]] = {
    "nothing": lambda table: None,
    "a kill": lambda table: table.start(),
    "a power cut": lambda table: (table.vault.power_cut(), table.start()),
    "the camera sees a seat": lambda table: table.see("seat-1-cards"),
    "a while": lambda table: table.wait(30_000),
    "twice": lambda table: (table.press(Key.UNDO), table.wait(2_000), table.press(Key.NEW_HAND)),
}


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("before", BEFORE)
def test_it_is_as_if_it_had_not_been_pressed(before: str, between: str) -> None:
    table = BEFORE[before]()
    without = copy.deepcopy(table)
    hand = table.node.table.hand_number
    table.press(Key.NEW_HAND)
    assert table.node.table.hand_number == hand + 1
    BETWEEN[between](table)
    table.press(Key.UNDO)
    assert table.of(Misdealt) == []
    if between == "the camera sees a seat":
        BETWEEN[between](without)
    for one in (table, without):
        one.advance(max(table.now, without.now) + 5_000)
    assert facts(table) == facts(without)
    for one in (table, without):
        one.press(Key.UNDO)
        one.wait(5_000)
    assert facts(table) == facts(without), "the next UNDO is about the hand before"
    for one in (table, without):
        one.press(Key.NEW_HAND)
        one.wait(2_000)
    assert facts(table) == facts(without)


def test_its_number_button_and_blinds_are_those_of_the_next_deal() -> None:
    table = folded()
    table.press(Key.NEW_HAND)
    table.press(Key.UNDO)
    table.press(Key.NEW_HAND)
    first, early, second = table.of(HandStarted)
    assert early == second
    assert (first.hand, second.hand) == (1, 2)


def test_the_award_before_it_goes_back_with_the_next_undo() -> None:
    table = awarded()
    table.press(Key.NEW_HAND)
    table.press(Key.UNDO)
    table.press(Key.UNDO)
    table.press("3", Key.AWARD)
    assert table.stacks() == [9_900, 9_900, 10_200]


def test_not_once_a_card_has_left_the_shoe() -> None:
    table = folded()
    table.press(Key.NEW_HAND)
    table.deal("Ah")
    (refused,) = table.of(Refused, table.press(Key.UNDO))
    assert "its deal has begun" in refused.reason
    assert table.view.hand == 2


def test_nor_by_a_card_of_the_idle_deck() -> None:
    table = folded()
    table.press(Key.NEW_HAND)
    table.deal("Ah", note="other_deck")
    assert table.of(Refused, table.press(Key.UNDO))
    assert table.view.hand == 2


def test_nor_once_somebody_has_acted_whatever_became_of_it() -> None:
    table = folded(("keypad", "camera"))
    table.press(Key.NEW_HAND)
    for seat in (1, 2, 3):
        table.see(f"seat-{seat}-cards", backs=2)
    table.press(Key.CHECK_CALL)
    table.press(Key.UNDO)
    (refused,) = table.of(Refused, table.press(Key.UNDO))
    assert "its deal has begun" in refused.reason
    assert table.view.hand == 2


def test_a_press_since_is_taken_back_before_it() -> None:
    table = folded(("keypad",))
    table.press(Key.NEW_HAND)
    table.press("2", Key.AWAY)
    table.press(Key.UNDO)
    assert (table.view.hand, table.view.seats[1].away) == (2, False)
    table.press(Key.UNDO)
    assert table.view.hand == 1


def test_a_shoe_that_was_away_since_is_trusted_no_more_in_the_hand_that_goes_on() -> None:
    table = folded()
    table.press(Key.NEW_HAND)
    for state in (DeviceState.OFF, DeviceState.OK):
        table.give(DeviceSaid("shoe", state))
    table.press(Key.UNDO)
    assert table.node.state.notices.doubts()


def test_the_shoe_knows_the_cards_of_the_hand_that_goes_on_behind_button_and_new_hand() -> None:
    table = folded(("keypad", "shoe"))
    known = dict(table.vault.places)
    table.press("2", Key.BUTTON_HERE)
    table.press(Key.NEW_HAND)
    assert table.vault.places == {}
    table.press(Key.UNDO)
    table.press(Key.UNDO)
    table.press(Key.UNDO)
    assert (table.view.hand, table.node.table.in_hand) == (1, True)
    assert table.vault.places == known != {}


def test_players_who_left_with_their_chips_when_it_was_pressed_keep_the_award_as_it_is() -> None:
    table = folded(("keypad",))
    epoch, seq = table.node.table.seats_changed_at
    leaves = ChangeSeats(
        "t-1", after_epoch=epoch, after_seq=seq, leave=(SeatStack(Seat(1), Chips(10_000), ""),), marks=("left-1",)
    )
    assert table.command(leaves) == [], "it waits for an UNDO of the award"
    table.press(Key.NEW_HAND)
    stacks = {seat: held.stack for seat, held in table.node.table.seats.items()}
    table.press(Key.UNDO)
    (refused,) = table.of(Refused, table.press(Key.UNDO))
    assert "count the stacks" in refused.reason
    assert (table.node.table.in_hand, {seat: held.stack for seat, held in table.node.table.seats.items()}) == (
        False,
        stacks,
    )


def test_seats_that_wait_for_the_end_of_the_hand_wait_on_where_it_is_taken_back() -> None:
    table = folded(("keypad",))
    table.wait(UNDO_MS + 1_000)
    table.press(Key.NEW_HAND)
    epoch, seq = table.node.table.seats_changed_at
    come = ChangeSeats("t-1", after_epoch=epoch, after_seq=seq, take=(SeatStack(Seat(7), Chips(900), "p7"),))
    assert table.command(come) == []
    table.press(Key.UNDO)
    table.press(Key.UNDO)
    assert (table.view.hand, table.node.table.in_hand, 7 in table.node.table.seats) == (1, True, False)


def test_where_another_machine_became_the_table_it_is_refused() -> None:
    table = folded(("keypad",))
    table.press(Key.NEW_HAND)
    table.node.state.at_new_hand = None  # its memory is not there
    assert table.of(Refused, table.press(Key.UNDO))
    assert table.view.hand == 2
