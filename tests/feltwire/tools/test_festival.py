"""A share of `python -m tests.differential.histories`: two tables of each room, read by PokerKit."""

from __future__ import annotations

import pytest

from tests.differential.festival import NIGHTS, ROOMS, Place
from tests.differential.histories import Found, judged, report, try_place
from tests.differential.parsers import PARSERS, Parser, Read, Refused, with_hero

POKERKIT = [one for one in PARSERS if one.name == "pokerkit"]


def test_exports_of_a_festival_have_each_number_once_and_another_program_reads_their_stacks() -> None:
    found = Found()
    for room in range(ROOMS):
        for table in (1, 2):
            try_place(found, Place(room, table), POKERKIT, hands=1, seed=7)
    assert judged(found).wrong == []
    assert (found.hands, len(found.games), len(found.tournaments)) == (30, 30, ROOMS * NIGHTS)
    assert found.read["pokerkit", "read, with the same numbers and stacks"] > 10


def test_a_program_that_reads_otherwise_and_one_that_is_not_there_are_said() -> None:
    absent = Parser("absent", "pip install absent", lambda hands: (_ for _ in ()).throw(ImportError()))
    wrong = Parser("wrong", "", lambda hands: (Read("1", "2", {}) for _ in hands))
    refuses = Parser(
        "refuses", "", lambda hands: (Refused("no such line") for _ in hands), ((r"^Table", "tables"),)
    )
    found = Found()
    try_place(found, Place(0, 1), [absent, wrong, refuses], hands=1, seed=7)
    try_place(found, Place(0, 1), [], hands=1, seed=7)
    said = "\n".join(report(judged(found)))
    assert "absent is not installed: pip install absent" in said
    assert "wrong reads other numbers" in said
    assert "wrong reads other stacks" in said
    assert "refuses: 5 refused: tables" in said
    assert "comes 2 times" in said


@pytest.mark.parametrize("shown", [True, False])
def test_only_who_showed_cards_can_be_the_hero(shown: bool) -> None:
    text = f"*** HOLE CARDS ***\nAnn: checks\n{'Ann: shows [Ah Kh] (high card Ace)' if shown else 'Ann: folds'}\n"
    found = with_hero(text)
    assert (found is not None) is shown
    assert found is None or "*** HOLE CARDS ***\nDealt to Ann [Ah Kh]\nAnn: checks" in found
