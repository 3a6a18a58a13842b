"""Our Open Hand Histories against the specification, field by field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_core.histories.ohh_write import ohh_text
from table_core.histories.played import from_events
from table_core.histories.recorded import Where
from tests.table_core.hand.random_hand import random_hand
from tests.table_core.histories.ohh_spec import faults


def written(seed: int, *, unread: bool = True) -> dict[str, Any]:
    where = Where("Friday", "07", 11, started="2026-11-21T07:36:05Z")
    return dict(json.loads(ohh_text([from_events(random_hand(seed, unread=unread), where=where)])))


@given(st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_every_hand_is_as_the_specification_has_it(seed: int) -> None:
    assert faults(written(seed)) == []


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("game_number", 12, "ohh.game_number: 12; expected text"),
        ("game_number", None, "ohh.game_number: missing; expected text"),
        ("start_date_utc", "yesterday", "expected a time in UTC"),
        ("table_size", True, "expected a whole number"),
        ("dealer", 1, "ohh.dealer: no such field"),
        ("small_blind_amount", -1, "expected an amount"),
        ("game_type", "Hold'em", "expected one of Holdem"),
        ("bet_limit.bet_type", "No Limit", "ohh.bet_limit.bet_type"),
        ("tournament_info", None, "ohh.tournament_info: missing"),
        ("tournament_info.speed.type", "normal", "expected one of Normal"),
        ("tournament_info.currency", "$", "expected three letters"),
        ("flags", [], "ohh.flags: no hero; expected Observed"),
        ("players.0.id", 99, "player_id: no such player"),
        ("players.0.seat", 12, "ohh.table_size: a player sits behind it"),
        ("rounds.0.street", "Pre-Flop", "expected one of Preflop"),
        ("rounds.0.actions.0.action", "Posts", "expected one of Dealt Cards"),
        ("rounds.0.actions.0.action", "Bet", "Bet before the flop"),
        ("rounds.0.actions.0.action_number", 4, "expected action_number 0, 1, 2"),
        ("rounds.0.id", 1, "expected round 0, Preflop"),
        ("pots.0.player_wins.0.win_amount", 10**6, "is won of"),
    ],
)
def test_what_is_not_as_the_specification_has_it_is_named_with_its_path(path: str, value: Any, said: str) -> None:
    content = written(3, unread=False)
    *way, last = path.split(".")
    part: Any = content["ohh"]
    for step in way:
        part = part[int(step) if step.isdecimal() else step]
    part[int(last) if last.isdecimal() else last] = value
    assert any(said in one for one in faults(content)), faults(content)
