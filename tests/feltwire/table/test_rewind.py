"""The director goes back to a stated fact of the hand, and puts another one in its place."""

from __future__ import annotations

from feltwire.table.table_io import CommandCame
from table_core.messages import (
    Act,
    Acted,
    Action,
    AwardPots,
    Chips,
    Envelope,
    Key,
    PotAwarded,
    Refusal,
    Refused,
    Rewind,
    Rewound,
    Seat,
    Source,
    Street,
    encode,
)
from table_core.tracker.hands.rewinding import Instead, plan, points, sentences
from tests.table_under_test import TableUnderTest


def go_back(
    table: TableUnderTest, seq: int, instead: Instead | None = None, seen: int | None = None
) -> list[Envelope]:
    """What the table records of the director's command, who had seen it as of the event `seen`."""
    before = len(table.envelopes)
    command = Rewind(f"t-{before}", seq, instead, 1, seen, by="Ben (floor)")
    table.give(CommandCame(encode(command)))
    return table.envelopes[before:]


def said(table: TableUnderTest, seq: int, instead: Instead | None = None) -> str:
    """What the director reads before."""
    planned = plan(table.node.table, seq, instead)
    return planned.reason if isinstance(planned, Refusal) else " ".join(sentences(table.node.table, planned))


def of_seat(table: TableUnderTest, seat: int) -> int:
    """The last action of the seat."""
    return next(
        one.seq for one in reversed(table.envelopes) if isinstance(one.data, Acted) and one.data.seat == seat
    )


def raised_and_called() -> TableUnderTest:
    """Three players, 50/100: seat 1 raises to 300, the small blind calls; the big blind is to act."""
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.press("3", "00", Key.BET_RAISE)
    table.press(Key.CHECK_CALL)
    return table


def on_the_flop() -> TableUnderTest:
    table = raised_and_called()
    table.press(Key.CHECK_CALL)
    table.deal("9c", "2c", "3d", "4h")
    table.see("board", "2c", "3d", "4h")
    return table


def turn(table: TableUnderTest) -> int | None:
    return table.view.legal.seat if table.view.legal is not None else None


def test_going_back_takes_back_the_fact_and_all_behind_it() -> None:
    table = raised_and_called()
    (rewound, *_) = go_back(table, of_seat(table, 1))
    assert isinstance(rewound.data, Rewound)
    assert rewound.by == "Ben (floor)"
    assert turn(table) == 1
    assert [seat.bet for seat in table.view.seats] == [0, 50, 100]


def test_another_amount_stands_in_its_place_and_what_was_keyed_behind_it_is_kept() -> None:
    table = raised_and_called()
    does = go_back(table, of_seat(table, 1), Act(Seat(1), Action.RAISE, Chips(400)))
    assert [(one.data.seat, one.data.to, one.data.source) for one in does if isinstance(one.data, Acted)] == [
        (1, 400, Source.DIRECTOR),
        (2, 400, Source.KEY),
    ]
    assert turn(table) == 3


def test_the_director_reads_before_what_is_kept_and_what_the_stacks_become() -> None:
    table = raised_and_called()
    table.press(Key.FOLD)
    text = said(table, of_seat(table, 1), Act(Seat(1), Action.FOLD))
    assert "Seat 1: fold, instead of: Seat 1: raise to 300." in text
    assert "Kept behind it: Seat 2: call 50; Seat 3: fold." in text, "the call is of another amount now"
    assert "Stacks become: seat 1 10,000 (now 9,700), seat 2 10,100 (now 9,700)." in text


def test_what_is_said_before_is_what_the_table_does() -> None:
    table = on_the_flop()
    instead = Act(Seat(1), Action.CALL)
    planned = plan(table.node.table, of_seat(table, 1), instead)
    assert not isinstance(planned, Refusal)
    go_back(table, of_seat(table, 1), instead)
    assert turn(table) == planned.hand.to_act
    assert table.view.board == planned.hand.board
    assert {seat.seat: seat.stack for seat in table.view.seats} == dict(planned.hand.stacks)


def test_an_impossible_fact_changes_nothing_and_says_why() -> None:
    table = raised_and_called()
    (refused,) = go_back(table, of_seat(table, 1), Act(Seat(3), Action.CALL))
    assert isinstance(refused.data, Refused)
    assert refused.data.reason == said(table, of_seat(table, 1), Act(Seat(3), Action.CALL))
    assert turn(table) == 3


def test_posted_blinds_and_what_was_taken_back_are_nothing_to_go_back_to() -> None:
    table = raised_and_called()
    assert points(table.node.table.hand_log) == [of_seat(table, 1), of_seat(table, 2)]
    called = of_seat(table, 2)
    go_back(table, called)
    for gone in (2, called):
        (refused,) = go_back(table, gone)
        assert isinstance(refused.data, Refused)
        assert "cannot be taken back" in refused.data.reason


def test_who_had_not_seen_the_next_action_is_refused_with_that_action() -> None:
    table = raised_and_called()
    seen = table.envelopes[-1].seq
    table.press(Key.FOLD)
    (refused,) = go_back(table, of_seat(table, 1), seen=seen)
    assert isinstance(refused.data, Refused)
    assert "Seat 3: fold" in refused.data.reason


def test_a_street_that_lies_there_is_kept_behind_a_replaced_action() -> None:
    table = on_the_flop()
    board = table.view.board
    assert len(board) == 3
    go_back(table, of_seat(table, 3), Act(Seat(3), Action.CALL))
    assert (table.view.board, table.view.street) == (board, Street.FLOP)


def test_what_does_not_fit_any_longer_is_named_with_the_reason() -> None:
    table = on_the_flop()
    text = said(table, of_seat(table, 3), Act(Seat(3), Action.RAISE, Chips(900)))
    assert "Cannot be kept: Flop: 2c 3d 4h." in text
    go_back(table, of_seat(table, 3), Act(Seat(3), Action.RAISE, Chips(900)))
    assert turn(table) == 1
    table.press(Key.FOLD)
    table.press(Key.CHECK_CALL)
    assert len(table.view.board) == 3, "the flop still lies there"


def test_a_call_was_of_the_seat_that_the_camera_had_folded() -> None:
    table = TableUnderTest(4)
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d", "8h", "8d")
    table.see("seat-1-cards", backs=2)
    table.press("3", "00", Key.BET_RAISE)  # seat 4
    table.see("seat-1-cards")  # its cards are lifted to look at, and it calls
    table.wait(1_500)
    table.press(Key.CHECK_CALL)  # taken for seat 2's
    assert [seat.seat for seat in table.view.seats if seat.folded] == [1]
    instead = Act(Seat(1), Action.CALL)
    assert "Seat 1: call, instead of: " in said(table, of_seat(table, 2), instead)
    go_back(table, of_seat(table, 2), instead)
    assert not [seat.seat for seat in table.view.seats if seat.folded]
    assert turn(table) == 2


def test_the_pot_goes_to_another_seat() -> None:
    table = raised_and_called()
    table.press(Key.FOLD)
    for street in (("9c", "2c", "3d", "4h"), ("9d", "5h"), ("9h", "6s")):
        table.deal(*street)
        table.see("board", *table.view.board, *street[1:])
        table.press(Key.CHECK_CALL)
        table.press(Key.CHECK_CALL)
    table.press("1", Key.AWARD)
    assert not table.node.table.in_hand
    award = next(one for one in reversed(table.envelopes) if isinstance(one.data, PotAwarded))
    go_back(table, award.seq, AwardPots((Seat(2),)))
    assert {seat.seat: seat.won for seat in table.view.seats if seat.won} == {2: 700}
    table.press("2", Key.SEAT, "9000", Key.COUNT)
    award = next(one for one in reversed(table.envelopes) if isinstance(one.data, PotAwarded))
    text = said(table, award.seq, AwardPots((Seat(1),)))
    assert "Cannot be kept: Seat 2 counted: 9,000" in text
    assert "seat 1 10,400 (now 9,700), seat 2 9,700 (now 9,000)" in text
    assert not table.node.table.in_hand
