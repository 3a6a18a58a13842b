"""Rulebooks are data with a rule id beside every value."""

import ast
import re
from pathlib import Path

import msgspec
import pytest

import table_core
from table_core.parameters import Rules
from table_core.policies import Policies
from table_core.rulebook import Reopening, RulebookError, load_rulebook, rulebook_ids
from table_core.tournament.policies import Tournament

CORE = Path(table_core.__file__).parent


def test_base_follows_the_common_tournament_rules() -> None:
    base = load_rulebook("base")
    assert base.rules.short_all_in_reopens.value is Reopening.TOTAL_FACED
    assert base.rules.short_all_in_reopens.rule == "tda.47"
    assert base.rules.max_seats.value == 11


@pytest.mark.parametrize("rulebook_id", rulebook_ids())
def test_every_value_cites_a_rule(rulebook_id: str) -> None:
    book = msgspec.to_builtins(load_rulebook(rulebook_id))
    cites = [rule for rule in book["cites"].values() if rule is not None]  # else every book is silent
    cited = [rule["rule"] for rule in book["rules"].values()] + cites
    assert all(re.fullmatch(r"(tda|wfp|rpl|ccp|cpp|home)\.[\w.-]+", rule) for rule in cited)


def test_a_rulebook_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(RulebookError, match="no rulebook 'vegas'; there are: base"):
        load_rulebook("vegas")


def names_read(folder: Path) -> set[str]:
    """Parameters that the modules of a folder read: `….rules.NAME`, `policies.NAME`, `case.policy("NAME")`."""
    names = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith(("rules", "policies")):
                names.add(node.attr)
            elif (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "policy"
            ):
                names |= {part.value for part in node.args if isinstance(part, ast.Constant)}
    return names


def test_every_parameter_that_a_house_may_set_is_read_by_the_rules() -> None:
    read = {name for folder in ("hand", "tracker", "rulings", "projections") for name in names_read(CORE / folder)}
    assert [name for name in (*Rules.__struct_fields__, *Policies.__struct_fields__) if name not in read] == []


@pytest.mark.parametrize("name", Tournament.__struct_fields__)
def test_a_house_cannot_set_what_waits_for_the_tournament(name: str) -> None:
    with pytest.raises(RulebookError, match=f"'{name}' cannot be set: it belongs to one tournament"):
        load_rulebook("wfp").with_house({name: 1})


def test_a_house_cannot_set_what_does_not_exist() -> None:
    with pytest.raises(RulebookError, match="no parameter 'shuffles' to set; there are: acted_with_joker_kills,"):
        load_rulebook("cpp").with_house({"shuffles": 4})


def test_every_setting_of_a_tournament_is_read_at_the_station() -> None:
    read = {
        node.attr
        for folder in (CORE / "tournament", CORE.parent / "feltwire" / "station")
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    }
    assert [name for name in Tournament.__struct_fields__ if name not in read] == []
