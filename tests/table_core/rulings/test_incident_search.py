"""The search for an incident knows what dealers say; every incident is found by its title, its number and its
words."""

from __future__ import annotations

import pytest

from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.incident_search import incidents_for


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("out of turn", "out_of_turn"),
        ("acted early", "out_of_turn"),
        ("string bet", "string_bet"),
        ("strng bet", "string_bet"),
        ("exposed card", "exposed"),
        ("the card was flashed", "exposed"),
        ("short", "bet_size"),
        ("undercall", "bet_size"),
        ("raise too small", "bet_size"),
        ("forward motion", "forward_motion"),
        ("joker", "joker"),
        ("no burn", "burn_missing"),
        ("four card flop", "flop_overdeal"),
        ("folded by mistake", "retrieve"),
        ("wrong button", "button_wrong"),
        ("premature turn", "board_premature"),
        ("one chip", "declared"),
        ("split pot missed", "pot_query"),
        ("time", "clock"),
    ],
)
def test_what_dealers_say_finds_the_incident_first(said: str, key: str) -> None:
    assert incidents_for(said)[0].key == key


def test_a_misdeal_is_each_incident_that_can_be_one() -> None:
    found = {incident.key for incident in incidents_for("misdeal")}
    assert {"exposed", "extra_card", "first_card_wrong", "left_out", "button_wrong"} <= found


def test_a_word_is_found_while_it_is_typed() -> None:
    for typed in ("str", "stri", "string"):
        assert incidents_for(typed)[0].key == "string_bet"


def test_a_number_is_the_incident_or_its_beginning() -> None:
    assert [one.key for one in incidents_for("43")] == ["string_bet"]
    assert {one.no // 10 for one in incidents_for("4")} == {4}


def test_every_incident_has_words_of_dealers_and_is_found_by_its_title_and_number() -> None:
    for key, incident in INCIDENTS.items():
        assert key in {one.key for one in incidents_for(incident.title)}
        assert [one.key for one in incidents_for(str(incident.no))] == [key]


def test_what_nobody_calls_so_finds_nothing() -> None:
    assert incidents_for("xyzzy") == incidents_for("") == incidents_for("?!") == ()
