"""Impossible numbers: a negative stack, one of four thousand digits, a seat that no table has."""

from __future__ import annotations

import pytest

from display.actions import Touch
from feltwire.table.table_io import CommandCame, Touched
from table_core.messages import (
    MOST_CHIPS,
    Chips,
    Key,
    Malformed,
    Refused,
    Seat,
    SeatsSet,
    SeatStack,
    SetSeats,
    convert,
    decode,
    decode_envelope,
    encode,
)
from table_core.tracker.state import TrackerState, decode_state, encode_faces, encode_state
from tests.table_under_test import TableUnderTest

NO_STACKS = [-5_000, -1, MOST_CHIPS + 1, 10**18, 10**4000]


def again(state: TrackerState) -> TrackerState:
    """The tracker's memory as a restart finds it."""
    return decode_state(encode_state(state), encode_faces(state))


@pytest.mark.parametrize("typed", [str(MOST_CHIPS + 1), "9" * 13, "1" + "0" * 13, "5" * 300])
def test_a_count_with_too_many_digits_is_refused(typed: str) -> None:
    """Cut short, it would be another number."""
    table = TableUnderTest()
    (refused,) = table.of(Refused, table.press("1", Key.SEAT, typed, Key.COUNT))
    assert refused.rule == "base.count"
    assert table.stacks() == [10_000] * 3


def test_zeros_before_a_number_are_nothing() -> None:
    table = TableUnderTest()
    table.press("2", Key.SEAT, "0" * 300 + "500", Key.COUNT)
    assert table.stacks() == [10_000, 500, 10_000]


def test_counts_are_taken_back_one_by_one_also_after_a_restart() -> None:
    table = TableUnderTest()
    table.press("1", Key.SEAT, "700", Key.COUNT, "2", Key.SEAT, "900", Key.COUNT, "1", Key.SEAT, "800", Key.COUNT)
    assert table.stacks() == [800, 900, 10_000]
    table.node.memory.state = again(table.node.state)
    stacks = []
    for _ in range(3):
        table.press(Key.UNDO)
        stacks.append(table.stacks())
    assert stacks == [[700, 900, 10_000], [700, 10_000, 10_000], [10_000, 10_000, 10_000]]
    assert table.of(Refused, table.press(Key.UNDO))


@pytest.mark.parametrize("stack", NO_STACKS)
def test_nor_is_such_a_touch_read(stack: int) -> None:
    with pytest.raises(Malformed, match="amount"):
        convert({"key": int(Key.COUNT), "seat": 2, "amount": stack}, Touch)
    with pytest.raises(Malformed, match="amount"):
        decode(b'{"key":37,"seat":2,"amount":%s}' % str(stack).encode(), Touch)


@pytest.mark.parametrize("stack", NO_STACKS)
def test_nor_does_one_come_from_the_station(stack: int) -> None:
    table = TableUnderTest()
    seats = SetSeats("t/1", (SeatStack(Seat(1), Chips(7)), SeatStack(Seat(2), Chips(1))))
    raw = encode(seats).replace(b'"stack":7', b'"stack":%s' % str(stack).encode())
    assert not table.of(SeatsSet, table.give(CommandCame(raw)))


def test_a_seat_that_no_table_has_is_refused_and_the_table_can_be_taken_up_again() -> None:
    table = TableUnderTest()
    table.press(Key.D9, Key.D000, Key.D000, Key.SEAT)
    assert again(table.node.state) == table.node.state
    for key in (Key.FOLD, Key.TABLED, Key.AWAY, Key.STREET, Key.COUNT, Key.BUTTON_HERE, Key.FLOOR, Key.AWARD):
        for digits in ((Key.D9, Key.D000, Key.D000, Key.SEAT, Key.D1), (Key.D9, Key.D000, Key.D000)):
            table.press(*digits, key)
            assert again(table.node.state) == table.node.state
    assert all(decode_envelope(encode(envelope)) == envelope for envelope in table.envelopes)


def test_whole_stacks_of_the_most_that_may_be_counted_can_be_played_for() -> None:
    table = TableUnderTest()
    for seat in (1, 2, 3):
        table.give(Touched(Key.COUNT, Seat(seat), Chips(MOST_CHIPS)))
    table.give(Touched(Key.NEW_HAND))
    for _ in range(3):
        table.give(Touched(Key.ALL_IN))
    assert table.view.pot == 3 * MOST_CHIPS
    assert all(decode_envelope(encode(envelope)) == envelope for envelope in table.envelopes)
