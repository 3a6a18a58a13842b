"""The rules page: the reference under the rulebook in force, searched, with the house's settings marked."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from display.app import create_app
from display.push import Hub
from display.reference import RuleEntry, RuleQuery, entries
from table_core.catalogue import Handling, catalogue
from table_core.reference import in_words, settings_of
from table_core.rulebook import Rulebook, load_rulebook

WFP = load_rulebook("wfp")
HOUSE = WFP.with_house({"raise_cap": 3})


def found(rulebook: Rulebook, asked: RuleQuery) -> dict[str, RuleEntry]:
    return {entry.row.id: entry for entry in entries(rulebook, asked)}


def page(path: str, rulebook: Rulebook | None = None) -> str:
    async def ask() -> str:
        app = create_app(hub=Hub(), pages={"rules"}, venue="hall", tables=(), rulebook=rulebook)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://feltwire") as client:
            answer = await client.get(path)
            assert answer.status_code == 200
            return answer.text

    return asyncio.run(ask())


def test_in_force_are_the_books_own_rules_and_those_it_falls_back_to() -> None:
    rules = found(WFP, RuleQuery())
    assert {row.id for row in catalogue() if row.profile == "wfp"} <= rules.keys()
    assert not rules["wfp.nolimit.4"].fallback
    assert rules["tda.RP-11"].fallback
    assert "home.how.1" not in rules


def test_a_search_and_the_two_choices_narrow_the_rules() -> None:
    rules = found(WFP, RuleQuery("odd chip", "all", Handling.ENGINE))
    assert {"wfp.ties.5a", "ccp.showdown.7"} <= rules.keys()
    assert {entry.row.handling for entry in rules.values()} == {Handling.ENGINE}
    assert {entry.row.profile for entry in entries(WFP, RuleQuery(book="rpl"))} == {"rpl"}


def test_a_rule_says_what_it_sets() -> None:
    (setting,) = found(WFP, RuleQuery())["wfp.nolimit.4"].settings
    assert in_words(setting.parameter) == "short all in reopens"
    assert in_words(setting.value) == "when total faced is a full raise"
    assert not setting.overridden


def test_what_the_house_overrides_is_marked_and_comes_first() -> None:
    overridden = [entry for entry in entries(HOUSE, RuleQuery()) if entry.overridden]
    assert overridden
    assert entries(HOUSE, RuleQuery())[: len(overridden)] == overridden
    rule = WFP.rules.raise_cap.rule
    assert [setting.house for setting in settings_of(rule, HOUSE)] == [3]
    text = page("/rules", HOUSE)
    assert "1 setting of the house over it" in text
    assert "The house says 3." in text


def test_every_rule_of_every_book_can_be_read_and_linked_to() -> None:
    text = page("/rules?book=all")
    for row in catalogue():
        assert f'<li id="{row.id}"' in text
    assert f"{len(catalogue())} rules" in text


@pytest.mark.parametrize("query", ["q=<script>alert(1)</script>", "book=nowhere&handling=nobody", "q=zzzz"])
def test_strange_questions_are_answered_plainly(query: str) -> None:
    text = page(f"/rules?{query}")
    assert "<script>alert" not in text
    assert "In force:" in text
