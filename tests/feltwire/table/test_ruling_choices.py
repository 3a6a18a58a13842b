"""What the table's own screen offers to rule on: six that are likely as things stand, or what was searched for,
each with what it would change. Nothing is recorded by asking."""

from __future__ import annotations

import pytest

from feltwire.runtime.node_io import Reply
from feltwire.table.table_io import CommandCame, RulingsAsked
from table_core.catalogue import find_rule
from table_core.messages import Grant, Key, RaisableView, Seat, encode
from table_core.rulings.likely import SHOWN
from table_core.tracker.waits import LOOKED_MS
from tests.table_under_test import TableUnderTest

HANDS = ("Ah", "Kd", "7c", "As", "Kc", "2d")
CALL, RAISE, FOLD, STREET = Key.CHECK_CALL, Key.BET_RAISE, Key.FOLD, Key.STREET


def dealt(*presses: str | Key, devices: tuple[str, ...] = ("keypad", "shoe", "camera")) -> TableUnderTest:
    table = TableUnderTest(devices=devices)
    table.connect()
    table.start_hand(*HANDS)
    if presses:
        table.press(*presses)
    return table


def named(table: TableUnderTest, seat: int | None = None, words: str = "") -> dict[str, RaisableView]:
    about = None if seat is None else Seat(seat)
    return {one.incident: one for one in reversed(table.choices(about, words).choices)}


@pytest.mark.parametrize(
    ("presses", "incident", "seat"),
    [
        ((), "exposed", 1),  # who got the last card
        ((FOLD,), "exposed", 1),
        ((), "button_wrong", None),
        (("600", RAISE), "string_bet", 1),
        (("600", RAISE), "declared", 1),
        (("600", RAISE), "out_of_turn", 3),
        (("600", RAISE), "bet_size", 2),
        (("600", RAISE, CALL), "misunderstood", 2),
        (("600", RAISE, CALL), "bet_size", 2),
        ((CALL, CALL, CALL), "burn_missing", None),
        ((CALL, CALL, CALL), "burn_double", None),
        ((FOLD,), "keyed_as_folded", 1),
        ((FOLD,), "out_of_turn", 3),
    ],
)
def test_what_a_rule_is_about_is_offered_when_it_can_have_happened(
    presses: tuple[str | Key, ...], incident: str, seat: int | None
) -> None:
    offered = named(dealt(*presses))
    assert len(offered) <= SHOWN
    assert incident in offered
    assert offered[incident].seat == seat


def test_an_act_out_of_turn_is_the_first() -> None:
    table = dealt("3", Key.SEAT, CALL)
    first = table.choices().choices[0]
    assert (first.incident, first.seat) == ("out_of_turn", 3)


def test_a_raise_that_was_refused_for_its_size_is_the_first() -> None:
    table = dealt("150", RAISE)
    first = table.choices().choices[0]
    assert (first.incident, first.seat) == ("bet_size", 1)
    assert first.effect == "seat 1: 0 → 200; seat 2 to act"


def test_behind_the_hand_the_award_comes_first() -> None:
    table = dealt(FOLD, FOLD)
    table.advance(table.now + 60_000)
    assert table.choices().choices[0].incident == "pot_query"


def test_each_can_be_raised_and_says_what_its_first_answer_changes() -> None:
    for presses in ((), ("600", RAISE), ("600", RAISE, CALL), (CALL, CALL, CALL), (FOLD,), (FOLD, FOLD)):
        for one in dealt(*presses).choices().choices:
            table = dealt(*presses)
            assert one.effect
            seat = () if one.seat is None else (str(one.seat), Key.SEAT)
            table.press(*seat, str(one.no), Key.FLOOR)
            ruling = table.open_ruling
            assert ruling is not None, one
            assert (ruling.incident, ruling.seat) == (one.incident, one.seat)
            first = ruling.options[0]
            assert all(find_rule(option.rule) is not None for option in ruling.options)
            assert one.effect in (first.effect, first.asks.partition("?")[0], first.text, "of which seat?")


def test_asking_records_nothing_and_opens_nothing() -> None:
    table = dealt("600", RAISE)
    before = (len(table.envelopes), dict(table.notes), table.node.state.rulings.open)
    table.choices()
    table.choices(Seat(2), "exposed card")
    assert (len(table.envelopes), dict(table.notes), table.node.state.rulings.open) == before


def test_words_find_it_with_the_seat_that_is_likely_or_why_it_cannot_be_raised_now() -> None:
    table = dealt("600", RAISE)
    assert named(table, words="string bet")["string_bet"].seat == 1
    assert named(table, 2, "string bet")["string_bet"].why == "String bet: seat 2 has not acted before the flop"
    assert "no ruling for this now" in named(table, words="premature flop")["board_premature"].why


def test_the_effect_of_an_option_is_what_the_engine_does() -> None:
    table = dealt("600", RAISE)
    table.press("1", Key.SEAT, "43", Key.FLOOR)
    ruling = table.open_ruling
    assert ruling is not None
    assert ruling.options[0].effect == "seat 1: 600 → 100"
    table.advance(table.now + LOOKED_MS)
    table.press("1", STREET)
    assert table.view.seats[0].bet == 100


def test_a_hand_that_dies_says_who_wins_what() -> None:
    table = dealt("600", RAISE, FOLD)
    table.press("3", Key.SEAT, "51", Key.FLOOR)
    ruling = table.open_ruling
    assert ruling is not None
    dead = next(option for option in ruling.options if option.option == "dead")
    assert dead.effect == "seat 3 dead; seat 1 wins 250"
    table.advance(table.now + LOOKED_MS)
    table.press(str(dead.no), STREET)
    assert table.view.seats[0].won == 250


def test_a_machine_that_is_not_the_table_offers_nothing() -> None:
    table = dealt()
    table.give(CommandCame(encode(Grant("other", "another machine", 2)), lease=True))
    assert not table.node.lease.plays
    effects, _ = table.node.step(RulingsAsked(id="asked"), table.now)
    assert [effect.refused for effect in effects if isinstance(effect, Reply)] == [True]
