"""A share of `python -m tests.people`, with a new seed each time."""

from __future__ import annotations

import secrets
from random import Random

from tests.people.desk import Pairs, Tried, try_pairs, try_spellings


def test_no_spelling_of_a_banned_name_is_let_in() -> None:
    seed, tried = secrets.token_hex(4), Tried()
    try_spellings(300, Random(seed), tried)
    assert not tried.evaded, f"seed {seed}"
    assert tried.outcomes["equal"], "spellings that are the same name are among them"
    assert tried.outcomes["perhaps"], "and those about which a person is asked"


def test_of_two_people_none_are_equal_and_few_are_asked_about() -> None:
    seed, pairs = secrets.token_hex(4), Pairs()
    try_pairs(3_000, Random(seed), pairs)
    assert pairs.share("equal") == 0, f"seed {seed}: {pairs.shown}"
    assert pairs.share("perhaps") <= 0.015, f"seed {seed}: {pairs.shown}"
