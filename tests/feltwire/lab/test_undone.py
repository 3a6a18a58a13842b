"""A press and its UNDO are as if nothing had been pressed. A small share of `python -m tests.undone`."""

from __future__ import annotations

from collections import Counter

from tests.undone.twins import Tried, evening


def test_a_press_that_is_taken_back_leaves_the_table_as_it_was_and_as_it_goes_on() -> None:
    tried = [one for number in (0, 1, 3, 7, 9) for one in evening(f"d/{number}", 120)]
    assert [one for one in tried if one.differs] == []
    keys = Counter(one.key for one in tried)
    assert len(tried) >= 40
    assert {"FOLD", "CHECK_CALL", "BET_RAISE", "STREET", "FLOOR", "SEAT FLOOR", "AWARD", "AWAY"} <= keys.keys()
    assert keys["NEW_HAND"]


def test_what_differs_is_said_by_key_and_fact() -> None:
    assert Tried("d/0#3", "STREET", ("wait",), "board", "[]", "['??']").cause == "STREET …: board"
