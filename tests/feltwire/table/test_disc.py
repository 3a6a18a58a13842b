"""The button disc after a restart and at a new machine: read again like everything else that lies there."""

from __future__ import annotations

from feltwire.table.table_io import ZoneCame
from table_core.messages import Key, Noticed, Seat, Zone, ZoneReading
from table_core.tracker.state import TrackerState, decode_state, encode_state
from tests.table_under_test import TableUnderTest

LATE_MS = 10_000  # a dealer has moved the disc by then


def disc(table: TableUnderTest, seat: int, *, there: bool = True) -> None:
    table.give(ZoneCame(ZoneReading(Zone.button(seat), button=there)))


def pointed_out(table: TableUnderTest) -> list[Seat | None]:
    return [notice.seat for notice in table.of(Noticed) if notice.kind == "button_elsewhere"]


def test_a_tracker_that_was_stored_knows_where_the_disc_lies() -> None:
    table = TableUnderTest()
    disc(table, 3)
    assert decode_state(encode_state(table.node.state)).disc.seat == 3


def test_a_machine_that_knows_nothing_reads_disc_and_hands_again_and_points_out_what_differs() -> None:
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.node.memory.state = TrackerState()  # as a new machine has it
    disc(table, 3)
    for seat in (1, 2, 3):
        table.see(f"seat-{seat}-cards", backs=2)
    assert (table.node.state.disc.seat, table.node.state.seat_cards.had_cards) == (3, (1, 2, 3))
    assert pointed_out(table) == []
    table.wait(LATE_MS)
    assert pointed_out(table) == [3]


def test_a_disc_where_the_button_is_and_one_that_nobody_sees_are_not_worth_a_word() -> None:
    for seat, there in ((1, True), (3, False)):
        table = TableUnderTest()
        disc(table, 3)
        disc(table, 3, there=False)
        disc(table, seat, there=there)
        table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
        table.wait(LATE_MS)
        assert pointed_out(table) == []


def test_a_disc_seen_at_two_seats_one_after_the_other_lies_at_the_second() -> None:
    table = TableUnderTest()
    disc(table, 3)
    disc(table, 2)
    disc(table, 3, there=False)  # the zone that it left is read last
    assert table.node.state.disc.seat == 2


def test_button_without_a_seat_means_the_disc_and_without_a_disc_is_refused() -> None:
    table = TableUnderTest()
    table.press(Key.BUTTON_HERE)
    assert table.view.button == 1
    disc(table, 2)
    table.press(Key.BUTTON_HERE)
    assert table.view.button == 2
    table.press("3", Key.BUTTON_HERE)
    assert table.view.button == 3
