"""A card that lies face up unread is named on the screen, where no camera reads it."""

from __future__ import annotations

from feltwire.table.table_io import DeviceSaid, Touched
from table_core.messages import DeviceState, Key, Refused, Seat
from table_core.tracker.keys.named_card import CARDS
from tests.table_under_test import TableUnderTest


def name(table: TableUnderTest, place: int, card: str, seat: int | None = None) -> None:
    at = None if seat is None else Seat(seat)
    table.give(Touched(Key.CARD, at, 100 * place + CARDS.index(card) + 1))


def on_the_flop() -> TableUnderTest:
    table = TableUnderTest(2, ())
    table.press(Key.NEW_HAND)
    table.press(Key.CHECK_CALL, Key.CHECK_CALL, Key.STREET)
    assert table.view.board == ("??", "??", "??")
    return table


def refused(table: TableUnderTest) -> str:
    return table.of(Refused)[-1].reason


def test_cards_of_the_board_are_named_one_by_one_and_one_undo_takes_one_name_back() -> None:
    table = on_the_flop()
    name(table, 2, "Td")
    name(table, 1, "Ah")
    assert table.view.board == ("Ah", "Td", "??")
    assert table.view.last.startswith("Board: Ah Td unread")
    table.press(Key.UNDO)
    assert table.view.board == ("??", "Td", "??")


def test_a_card_that_is_known_or_lies_elsewhere_or_is_not_there_is_refused() -> None:
    table = on_the_flop()
    name(table, 1, "Ah")
    name(table, 1, "Kd")
    assert "known: Ah" in refused(table)
    name(table, 2, "Ah")
    assert table.view.board == ("Ah", "??", "??")
    name(table, 4, "Kd")
    assert "No such card" in refused(table)


def test_the_cards_of_a_tabled_hand_decide_once_all_are_named_and_no_other_hand_can_be_named() -> None:
    table = on_the_flop()
    name(table, 1, "Kd", seat=1)
    assert "has not tabled" in refused(table)
    for place, card in enumerate(("Ah", "Td", "7c"), start=1):
        name(table, place, card)
    for place, card in ((4, "2s"), (5, "Jd")):
        table.press(Key.CHECK_CALL, Key.CHECK_CALL)
        table.wait(2_000)
        table.press(Key.STREET)
        name(table, place, card)
    table.press(Key.CHECK_CALL, Key.CHECK_CALL)
    for seat in (1, 2):
        table.press(str(seat), Key.TABLED)
    table.wait(2_000)
    table.press(Key.STREET)
    for seat, cards in ((1, ("Ac", "Ad")), (2, ("3c", "4d"))):
        assert [one.tabled for one in table.view.seats if one.seat == seat] == [True]
        for place, card in enumerate(cards, start=1):
            name(table, place, card, seat)
    assert [(one.seat, one.won) for one in table.view.seats if one.won] == [(1, 200)]


def test_where_a_camera_reads_nothing_is_named() -> None:
    table = on_the_flop()
    table.give(DeviceSaid("camera", DeviceState.OK))
    name(table, 1, "Ah")
    assert "The camera reads" in refused(table)
