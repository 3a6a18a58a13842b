"""The station changes seats between two hands: who leaves takes the chips along, who comes brings them."""

from __future__ import annotations

from typing import Any

import pytest

from feltwire.table.node import UNDO_MS
from feltwire.table.table_io import CommandCame
from table_core.messages import (
    AnyEvent,
    ChangeSeats,
    Chips,
    HandEnded,
    HandStarted,
    Key,
    Refused,
    Seat,
    SeatChips,
    SeatsChanged,
    SeatStack,
    encode,
)
from tests.table_under_test import TableUnderTest

CARDS = ("Ah", "Kd", "7c", "As", "Kc", "2d")
DRAWN = (SeatStack(Seat(4), Chips(2_000), "p4"), SeatStack(Seat(6), Chips(2_000), "p6"))


def at(table: TableUnderTest) -> dict[str, Any]:
    epoch, seq = table.node.table.seats_changed_at
    return {"after_epoch": epoch, "after_seq": seq}


def told(table: TableUnderTest, **wanted: Any) -> list[AnyEvent]:
    command = ChangeSeats(f"t-{len(table.events)}-{len(wanted)}", **{**at(table), **wanted})
    return table.give(CommandCame(encode(command)))


def sits(table: TableUnderTest) -> dict[int, tuple[str, int]]:
    return {seat: (held.player, held.stack) for seat, held in table.node.table.seats.items()}


def drawn(table: TableUnderTest) -> TableUnderTest:
    told(table, take=DRAWN, everybody=True, button=Seat(4), hand=1, marks=("draw",))
    return table


def test_in_a_hand_the_players_leave_when_it_is_over_with_what_they_have_then() -> None:
    table = TableUnderTest()
    table.start_hand(*CARDS)
    assert (
        told(table, leave=(SeatStack(Seat(2), Chips(10_000)),), take=(SeatStack(Seat(7), Chips(900), "p7"),)) == []
    )
    assert table.node.table.in_hand
    table.press(Key.FOLD)
    table.press(Key.FOLD)
    table.wait(UNDO_MS)
    (ended,), (changed,) = table.of(HandEnded), table.of(SeatsChanged)
    assert changed.left[0].stack == {one.seat: one.amount for one in ended.stacks}[Seat(2)] == 9_950
    assert sits(table) == {1: ("", 10_000), 3: ("", 10_050), 7: ("p7", 900)}


def test_a_called_floor_that_is_taken_back_between_hands_leaves_the_chips_that_wait_for_the_next_pot() -> None:
    table = TableUnderTest()
    table.start_hand(*CARDS)
    table.press(Key.FOLD)
    table.press(Key.FOLD)
    told(table, take=(SeatStack(Seat(7), Chips(900), "p7"),))
    table.wait(UNDO_MS)
    projection = table.node.table
    assert projection.hand_log == []
    projection.carried = 40  # as a ruling on the hand before leaves them
    table.press(Key.FLOOR)
    assert projection.floor
    table.press(Key.UNDO)
    assert (projection.floor, projection.carried) == (False, 40)


def test_a_later_command_replaces_one_that_waits() -> None:
    table = TableUnderTest()
    table.start_hand(*CARDS)
    for seat in (1, 2):
        table.give(
            CommandCame(encode(ChangeSeats(f"t-{seat}", (SeatStack(Seat(seat), Chips(10_000)),), **at(table))))
        )
    table.press(Key.FOLD)
    table.press(Key.FOLD)
    table.wait(UNDO_MS)
    assert [one.seat for changed in table.of(SeatsChanged) for one in changed.left] == [2]


def test_the_next_hand_is_dealt_to_who_sits_there_then() -> None:
    table = drawn(TableUnderTest())
    told(table, take=(SeatStack(Seat(9), Chips(900), "p9"),))
    table.start_hand(*CARDS)
    started = table.of(HandStarted)[-1]
    assert started.hand == 1
    assert {one.seat: one.player for one in started.seats} == {4: "p4", 6: "p6", 9: "p9"}


def test_who_takes_another_seat_of_the_table_keeps_the_stack() -> None:
    table = drawn(TableUnderTest())
    told(table, leave=DRAWN[:1], take=(SeatStack(Seat(9), Chips(1), "p4"),))
    assert sits(table) == {6: ("p6", 2_000), 9: ("p4", 2_000)}


def test_chips_that_were_bought_are_added_once_and_marked() -> None:
    table = drawn(TableUnderTest())
    told(table, add=(SeatChips(Seat(4), 500, "p4"),), marks=("chips-17",))
    assert sits(table)[4] == ("p4", 2_500)
    assert table.of(SeatsChanged)[-1].marks == ("chips-17",)


def test_a_new_draw_takes_everybody_away_and_begins_with_hand_1() -> None:
    table = drawn(TableUnderTest())
    assert sits(table) == {4: ("p4", 2_000), 6: ("p6", 2_000)}
    assert (table.view.button, table.view.hand) == (4, 0)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"leave": (SeatStack(Seat(4), Chips(0), "somebody"),)}, "does not sit there"),
        ({"leave": (SeatStack(Seat(4), Chips(0), "p4"),)}, "Seat 4 has chips again"),
        ({"take": (SeatStack(Seat(4), Chips(500), "p9"),)}, "Seat 4 is taken"),
        ({"add": (SeatChips(Seat(4), -(10**9), "p4"),)}, "so many chips"),
        ({"add": (SeatChips(Seat(4), 100, "p6"),)}, "so many chips"),
        ({"take": (SeatStack(Seat(9), Chips(5), "a"), SeatStack(Seat(9), Chips(5), "b"))}, "taken"),
        ({"take": (SeatStack(Seat(9), Chips(10**13), "a"),)}, "at most"),
        ({"after_seq": 1, "take": (SeatStack(Seat(9), Chips(5), "a"),)}, "have changed since"),
    ],
)
def test_what_does_not_fit_the_seats_is_refused_whole(wrong: dict[str, Any], says: str) -> None:
    table = drawn(TableUnderTest())
    before = sits(table)
    (refused,) = (event for event in told(table, **wrong) if isinstance(event, Refused))
    assert says in refused.reason
    assert sits(table) == before
