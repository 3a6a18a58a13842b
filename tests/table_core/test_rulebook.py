"""Rulebooks are data with a rule id beside every value."""

import re

import msgspec
import pytest

from table_core.rulebook import Reopening, RulebookError, load_rulebook, rulebook_ids


def test_base_follows_the_common_tournament_rules() -> None:
    base = load_rulebook("base")
    assert base.rules.short_all_in_reopens.value is Reopening.TOTAL_FACED
    assert base.rules.short_all_in_reopens.rule == "tda.47"
    assert base.rules.max_seats.value == 11


@pytest.mark.parametrize("rulebook_id", rulebook_ids())
def test_every_value_cites_a_rule(rulebook_id: str) -> None:
    book = msgspec.to_builtins(load_rulebook(rulebook_id))
    cited = [rule["rule"] for rule in book["rules"].values()] + list(book["cites"].values())
    assert all(re.fullmatch(r"(tda|wfp|rpl|ccp|cpp|home)\.[\w.-]+", rule) for rule in cited)


def test_a_rulebook_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(RulebookError, match="no rulebook 'vegas'; there are: base"):
        load_rulebook("vegas")
