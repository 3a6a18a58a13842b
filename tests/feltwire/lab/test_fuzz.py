"""Random input of every kind leaves a consistent table. A small share of `python -m tests.fuzz`."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from table_core.messages import (
    CardText,
    HandEnded,
    HandStarted,
    Key,
    Refused,
    Rewound,
    Ruled,
    Seat,
)
from tests.fuzz.facts import Broken, Witness
from tests.fuzz.session import play, replay
from tests.fuzz.table import FuzzedTable
from tests.table_under_test import TableUnderTest

SESSIONS, STEPS = 10, 160


def test_whatever_is_done_every_fact_holds_and_the_next_hand_can_begin() -> None:
    happened: Counter[type] = Counter()
    for number in range(SESSIONS):
        session = play(f"7/{number}", STEPS)
        assert not session.failure
        happened.update(type(event) for event in session.events)
    for kind, least in {HandStarted: 15, HandEnded: 10, Ruled: 5, Rewound: 7, Refused: 25}.items():
        assert happened[kind] >= least, (kind, happened)


@pytest.mark.parametrize(
    ("seed", "steps"),
    [
        pytest.param("42/70", 600, id="a ruling brought back what was mislaid"),
        pytest.param("31/737", 300, id="heads-up behind a misdeal"),
        pytest.param("42/149", 600, id="a count that was taken back stayed at a seat beside the hand"),
    ],
)
def test_a_session_that_once_broke_holds(seed: str, steps: int) -> None:
    session = play(seed, steps)
    assert not session.failure
    assert len(session.done) == steps


def test_the_same_seed_is_the_same_session() -> None:
    once, again = play("7/3", 60), play("7/3", 60)
    assert once.done == again.done == replay(once.room, once.done).done
    assert [type(event) for event in once.events] == [type(event) for event in again.events]


def begun() -> FuzzedTable:
    """A hand of which the shoe dealt every card, and a witness who saw it begin."""
    table = FuzzedTable(TableUnderTest().node.memory.config, ("keypad", "shoe", "camera"))
    table.connect()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    return table


def test_a_witness_speaks_up_where_a_card_is_said_that_nobody_turned_up() -> None:
    table = begun()
    witness = Witness(table)
    table.screen += b' "7c" '
    with pytest.raises(Broken, match="nobody turned up"):
        witness.look(table)
    table.face_up.add(CardText("7c"))
    witness.look(table)


def test_a_witness_speaks_up_where_chips_come_from_nowhere() -> None:
    table = begun()
    witness = Witness(table)
    witness.projection.seats[Seat(1)].stack += 1  # not of this hand, so that it shows when the hand is over
    hand = witness.projection.hand
    assert hand is not None
    hand.state.stacks[Seat(1)] = hand.state.stacks[Seat(1)] + 1
    table.press(Key.FOLD)
    with pytest.raises(Broken, match=r"\+1 chips came of"):
        witness.look(table)


def test_a_hand_late_in_the_session_is_no_more_work_than_an_early_one() -> None:
    """Calls are counted, not time: a button's round further on, the same hand takes the same work."""
    table = TableUnderTest()
    work = [calls_of_a_hand(table) for _ in range(46)]
    assert table.node.table.hands_played == 46
    early, late = sum(work[10:13]), sum(work[43:46])
    assert late <= early * 1.02, (early, late)


def calls_of_a_hand(table: TableUnderTest) -> int:
    """Functions called for one whole hand: NEW HAND, six cards, an UNDO, and two folds."""
    count = 0

    def called(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(called)
    try:
        table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
        for key in (Key.FOLD, Key.UNDO, Key.FOLD, Key.FOLD):
            table.press(key)
            table.wait(3_000)
        for seat in table.seats():
            table.see(f"seat-{seat}-cards")
    finally:
        sys.setprofile(None)
    return count
