"""The catalogue that ships with the program, and the rulebooks that cite it."""

import pytest

from table_core.catalogue import HANDLING_IN_WORDS, Handling, catalogue, find_rule
from table_core.rulebook import load_rulebook, rulebook_ids


def test_every_rule_of_five_rulebooks_and_of_tda_is_there() -> None:
    profiles = [row.profile for row in catalogue()]
    counts = {"ccp": 219, "cpp": 49, "wfp": 226, "home": 164, "rpl": 262}
    assert {profile: profiles.count(profile) for profile in counts} == counts
    assert profiles.count("base") > 0


def test_each_row_says_what_it_is_about_and_what_must_follow() -> None:
    for row in catalogue():
        assert row.statement, row.id
        assert row.expected, row.id
        assert row.inputs, row.id
        assert row.id.split(".")[0] == ("tda" if row.profile == "base" else row.profile)


def test_every_kind_of_handling_is_told_in_words() -> None:
    assert set(HANDLING_IN_WORDS) == set(Handling)


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_whatever_a_rulebook_cites_is_in_the_catalogue(book_id: str) -> None:
    book = load_rulebook(book_id)
    for section in (book.rules, book.policies):
        for name in section.__struct_fields__:
            rule = getattr(section, name)
            for rule_id in () if rule is None else (rule.rule, *rule.also):
                assert find_rule(rule_id), f"{book_id}: {name} cites {rule_id}"
    for name in book.cites.__struct_fields__:
        cited = getattr(book.cites, name)
        assert cited is None or find_rule(cited), f"{book_id}: {name}"
