"""Behind a break, and where the table plays no more, the record says that the hand stands: no card of a next one
confirms its award. UNDO refuses from there on; the floor corrects."""

from __future__ import annotations

import pytest

from feltwire.table.node import UNDO_MS, TableNode
from feltwire.table.table_io import ProcessStarted
from table_core.messages import (
    AnyEvent,
    At,
    ChangeSeats,
    Chips,
    Counted,
    FollowClock,
    HandStarted,
    Key,
    Level,
    Mark,
    Millis,
    Noticed,
    Refused,
    Rewind,
    Rewound,
    Seat,
    SeatStack,
    SetSchedule,
)
from table_core.projections.table_state import HAND_STANDS
from table_core.tracker.hands.rewinding import points
from tests.table_under_test import LEVEL, TableUnderTest

CARDS = ("Ah", "Kd", "7c", "As", "Kc", "2d")
SCHEDULE = (LEVEL, Level(1, Chips(50), Chips(100), is_break=True), Level(2, Chips(100), Chips(200)))


def clock_at(table: TableUnderTest, entry: int) -> list[AnyEvent]:
    mark = Mark("b" * 16, table.now, entry, 600_000, running=True)
    return table.command(FollowClock(f"t-clock-{entry}-{len(table.events)}", 1, mark, break_rule="ccp.timer.8"))


def awarded(*, in_break: bool = True) -> TableUnderTest:
    """A hand that two folds end, in the break that came meanwhile."""
    table = TableUnderTest()
    table.command(SetSchedule("t-schedule", 1, SCHEDULE))
    clock_at(table, 0)
    table.start_hand(*CARDS)
    if in_break:
        clock_at(table, 1)
    table.press(Key.FOLD)
    table.press(Key.FOLD)
    assert not table.node.table.in_hand
    return table


def stands(table: TableUnderTest) -> int:
    return sum(notice.kind == HAND_STANDS for notice in table.of(Noticed))


def test_the_last_hand_before_a_break_stands_five_seconds_after_its_award() -> None:
    table = awarded()
    table.wait(UNDO_MS - 1)
    assert stands(table) == 0
    table.wait(1)
    assert stands(table) == 1
    (refused,) = table.of(Refused, table.press(Key.UNDO))
    assert "71 FLOOR" in refused.reason
    assert not table.node.table.in_hand
    table.wait(600_000)
    assert stands(table) == 1, "it is said once"


def test_until_then_undo_takes_the_award_back_and_it_does_not_stand() -> None:
    table = awarded()
    table.press(Key.UNDO)
    assert table.node.table.in_hand
    table.wait(60_000)
    assert stands(table) == 0
    table.press(Key.FOLD)
    table.wait(UNDO_MS)
    assert stands(table) == 1


def test_between_two_hands_of_a_level_nothing_stands_before_the_next_deal() -> None:
    table = awarded(in_break=False)
    table.wait(3_600_000)
    assert stands(table) == 0
    table.press(Key.UNDO)
    assert table.node.table.in_hand


def test_a_break_that_comes_later_finds_the_hand_over() -> None:
    table = awarded(in_break=False)
    table.wait(60_000)
    clock_at(table, 1)
    assert stands(table) == 1


@pytest.mark.parametrize("left", ["clock", "record"])
def test_a_break_of_an_older_schedule_is_none(left: str) -> None:
    table = awarded(in_break=False)
    if left == "record":
        table.command(SetSchedule("t-schedule-2", 2, SCHEDULE))
    table.command(FollowClock("t-late", 1, Mark("b" * 16, table.now, 1 if left == "record" else 0, 600_000)))
    table.wait(60_000)
    assert stands(table) == 0


def test_while_the_floor_is_called_it_does_not_stand() -> None:
    table = awarded()
    table.press(Key.FLOOR)
    table.wait(60_000)
    assert stands(table) == 0
    table.press(Key.UNDO)
    assert stands(table) == 1, "the call was taken back"


def test_an_open_ruling_and_its_question_keep_it_open() -> None:
    table = awarded()
    table.press("7", "1", Key.FLOOR)
    assert table.node.table.question is not None
    assert table.node.state.rulings.open
    table.wait(60_000)
    assert stands(table) == 0


def test_a_count_behind_it_is_taken_back_and_the_hand_is_not() -> None:
    table = awarded()
    table.wait(UNDO_MS)
    table.press("1", Key.SEAT, "9", "9", "0", "0", Key.COUNT)
    assert table.of(Counted)
    table.press(Key.UNDO)
    assert table.node.table.seats[Seat(1)].stack == 10_000
    table.press(Key.UNDO)
    assert not table.node.table.in_hand


def test_the_director_goes_back_in_it_and_it_stands_anew() -> None:
    table = awarded()
    table.wait(UNDO_MS)
    last = points(table.node.table.hand_log)[-2]
    table.command(Rewind("t-back", last, None, 1, table.node.table.seq, by="Ben (floor)"))
    assert table.of(Rewound)
    assert table.node.table.in_hand
    table.press(Key.FOLD)
    table.wait(UNDO_MS)
    assert stands(table) == 2


def test_behind_the_break_a_hand_begins_and_undo_of_it_leaves_the_one_before() -> None:
    table = awarded()
    table.wait(UNDO_MS)
    clock_at(table, 2)
    table.press(Key.NEW_HAND)
    assert len(table.of(HandStarted)) == 2
    table.press(Key.UNDO)
    assert not table.node.table.in_hand
    table.press(Key.UNDO)
    assert not table.node.table.in_hand, "it stood before"


def test_a_table_whose_players_have_left_says_that_its_hand_stands() -> None:
    table = awarded(in_break=False)
    epoch, seq = table.node.table.seats_changed_at
    leave = tuple(SeatStack(seat, Chips(table.node.table.seats[seat].stack)) for seat in table.node.table.seats)
    table.command(ChangeSeats("t-broken", leave, after_epoch=epoch, after_seq=seq))
    table.wait(UNDO_MS)
    assert stands(table) == 1


def test_a_restart_in_the_break_says_it_once() -> None:
    table = awarded()
    table.wait(UNDO_MS)
    projection = table.node.table
    again = type(projection)(projection.venue, projection.table, projection.rulebook)
    for envelope in table.envelopes:
        again.apply(envelope, "")
    assert (again.over, again.stood_at) == (True, projection.stood_at)


def test_a_restart_right_behind_the_award_leaves_time_for_its_undo() -> None:
    table = awarded()
    node = TableNode(
        table.config, table.vault, known=lambda *_: (), stamp=lambda now: At("later", now), boot=2, ledger="1"
    )
    node.recover(list(table.stored), table.notes.get)
    node.step(ProcessStarted(), table.now)
    assert not node.table.stood_at
    _, wakes = node.step(None, Millis(table.now + UNDO_MS - 1))
    assert not node.table.stood_at
    assert wakes == table.now + UNDO_MS
    node.step(None, Millis(table.now + UNDO_MS))
    assert node.table.stood_at
