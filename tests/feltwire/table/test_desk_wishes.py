"""What a table asks of the tournament's desk: two presses and a seat, on record and signed as a floor call is."""

from __future__ import annotations

from feltwire.runtime.node_io import BusDown
from feltwire.station.queue.of_tables import items_of_wishes
from table_core.messages import (
    ChangeSeats,
    Chips,
    DeskAsked,
    DeskWish,
    ItemKind,
    Key,
    Refused,
    Seat,
    SeatChips,
    SeatStack,
    Wish,
)
from tests.table_under_test import TableUnderTest

REBUY_2 = DeskWish(Wish.REBUY, Seat(2))


def asked() -> TableUnderTest:
    table = TableUnderTest()
    table.connect()
    table.press("2", Key.SEAT, "91", Key.FLOOR)
    return table


def test_a_wish_is_an_event_of_the_table_and_the_director_reads_whose_it_is() -> None:
    table = asked()
    assert table.of(DeskAsked) == [DeskAsked(REBUY_2)]
    assert any(b"desk_asked" in raw for raw in table.published)
    (item,) = items_of_wishes(table.view)
    assert (item.kind, item.seat) == (ItemKind.MONEY, 2)
    assert item.fact == f"Table 01 asks for a rebuy for {table.view.seats[1].player}."


def test_pressed_again_and_undone_it_is_asked_no_more() -> None:
    table = asked()
    table.press("2", Key.SEAT, "91", Key.FLOOR)
    assert table.view.wishes == ()
    table.press(Key.UNDO)
    assert table.view.wishes == (REBUY_2,)
    assert list(items_of_wishes(table.view)) != []


def test_in_a_hand_undo_takes_the_wish_alone() -> None:
    table = TableUnderTest()
    table.connect()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.press("600", Key.BET_RAISE)
    table.press("3", Key.SEAT, "92", Key.FLOOR)
    assert table.view.wishes == (DeskWish(Wish.SEAT_CHANGE, Seat(3)),)
    table.press(Key.UNDO)
    assert table.view.wishes == ()
    assert table.view.seats[0].bet == 600


def test_what_comes_ends_it() -> None:
    table = asked()
    epoch, seq = table.node.table.seats_changed_at
    more = (SeatChips(Seat(2), Chips(5_000)),)
    table.command(ChangeSeats("more", add=more, after_epoch=epoch, after_seq=seq))
    assert table.view.wishes == ()
    table.press("93", Key.FLOOR)
    assert table.view.wishes == (DeskWish(Wish.LATE_ENTRY),)
    epoch, seq = table.node.table.seats_changed_at
    come = (SeatStack(Seat(7), Chips(10_000), "Zoe"),)
    table.command(ChangeSeats("come", take=come, after_epoch=epoch, after_seq=seq))
    assert table.view.wishes == ()


def test_without_a_station_or_a_player_nothing_is_asked() -> None:
    table = asked()
    table.press("8", Key.SEAT, "91", Key.FLOOR)
    assert table.of(Refused)[-1].reason == "Nobody sits at seat 8"
    table.press("91", Key.FLOOR)
    assert table.of(Refused)[-1].reason == "For whom? Seat, SEAT, 91 FLOOR"
    table.press("3", Key.SEAT, "93", Key.FLOOR)
    assert table.of(Refused)[-1].reason.startswith("Seat 3 is taken")
    table.give(BusDown("the network is gone"))
    table.press("3", Key.SEAT, "91", Key.FLOOR)
    assert table.of(Refused)[-1].reason == "No station is there: tell the director"
    assert table.view.wishes == (REBUY_2,)
