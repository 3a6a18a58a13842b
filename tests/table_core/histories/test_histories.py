"""Histories: what one format says, the next one says too, and the chips end where they ended at the table."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from table_core.histories.ohh_write import ohh_text
from table_core.histories.phh_write import phh_text, phhs_text
from table_core.histories.played import PlayedHand, from_events, play
from table_core.histories.recorded import HistoryError, RecordedHand, Where
from table_core.messages import (
    AnyEvent,
    BetCorrected,
    Chips,
    HandEnded,
    HandKilled,
    HandRetrieved,
    HandStarted,
    HandTabled,
    Level,
    LevelChanged,
    Seat,
    Source,
)
from tests.table_core.hand.random_hand import random_hand
from tests.table_core.histories.reading import parse_ohh, parse_phh
from tests.table_core.histories.test_phh import HAND
from tests.table_core.table import BASE

WHERE = Where("Friday", "07", 11, started="2026-07-04T18:05:09Z")
seeds = st.integers(0, 2**32)
many = settings(max_examples=150, deadline=None)


def told(seed: int) -> PlayedHand:
    return from_events(random_hand(seed), where=WHERE)


def same(hand: RecordedHand) -> RecordedHand:
    """A history without what belongs to one file only: its name, its lines, its wording."""
    actions = tuple(replace(action, line=0, text="") for action in hand.actions)
    return replace(hand, file="", actions=actions)


# ------------------------------------------------------------------------------------------------ PHH


@given(seeds)
@many
def test_phh_says_everything_that_the_history_of_a_hand_says(seed: int) -> None:
    hand = told(seed).recorded
    text = phh_text(hand)
    (again,) = parse_phh(text, "x.phh")
    assert same(again) == same(hand)
    assert phh_text(again) == text


@given(seeds)
@many
def test_a_written_hand_played_again_ends_with_the_same_stacks(seed: int) -> None:
    hand = told(seed).recorded
    (again,) = parse_phh(phh_text(hand), "x.phh")
    ended = play(again, BASE).events[-1]
    assert isinstance(ended, HandEnded)
    assert tuple(share.amount for share in ended.stacks) == hand.finishing_stacks


def test_fields_and_comments_that_the_program_does_not_use_are_written_again() -> None:
    text = HAND.replace("min_bet = 20", "min_bet = 40\ncurrency = 'EUR'\nauthor = \"O'Neil\"\nyear = 2023")
    (hand,) = parse_phh(text, "x.phh")
    written = phh_text(hand)
    assert hand.more == {"min_bet": 40, "currency": "EUR", "author": "O'Neil", "year": 2023}
    assert "all-in: shown before the board" in written
    (again,) = parse_phh(written, "x.phh")
    assert same(again) == same(hand)


def test_several_hands_go_into_sections() -> None:
    hands = [told(seed).recorded for seed in (1, 2)]
    again = parse_phh(phhs_text(hands), "day.phhs")
    assert [same(hand) for hand in again] == [same(hand) for hand in hands]
    assert [hand.file for hand in again] == ["day.phhs#1", "day.phhs#2"]


def test_a_dead_small_blind_puts_the_big_blind_first() -> None:
    seed = next(seed for seed in range(99) if told(seed).recorded.small_blind is None)
    hand = told(seed).recorded
    written = phh_text(hand)
    assert f"blinds_or_straddles = [{hand.level.big_blind}, 0" in written
    assert f"_small_blind = {hand.level.small_blind}" in written


# ------------------------------------------------------------------------------------------------ OHH


@given(seeds)
@many
def test_an_ohh_read_played_and_written_again_is_the_same_text(seed: int) -> None:
    text = ohh_text([told(seed)])
    (hand,) = parse_ohh(text, "x.ohh")
    assert ohh_text([play(hand, BASE)]) == text


@given(seeds)
@many
def test_phh_to_ohh_to_phh_keeps_the_finishing_stacks(seed: int) -> None:
    first = told(seed).recorded
    (read,) = parse_phh(phh_text(first), "x.phh")
    (over,) = parse_ohh(ohh_text([play(read, BASE)]), "x.ohh")
    (back,) = parse_phh(phh_text(over), "x.phh")
    ended = play(back, BASE).events[-1]
    assert isinstance(ended, HandEnded)
    assert back.finishing_stacks == first.finishing_stacks
    assert tuple(share.amount for share in ended.stacks) == first.finishing_stacks
    assert (back.where, back.level, back.small_blind) == (first.where, first.level, first.small_blind)


def killed(hand: PlayedHand, seat: Seat, after: type) -> tuple[AnyEvent, ...]:
    """The events of a hand with one more after the first of its kind: the hand at `seat` is dead."""
    events = list(hand.events)
    place = next(number for number, event in enumerate(events) if isinstance(event, after))
    events.insert(place + 1, HandKilled(seat, "absent", "wfp.procedures.8", Source.DIRECTOR))
    return tuple(events)


def test_a_hand_killed_in_the_betting_is_a_fold_in_the_history() -> None:
    (recorded,) = parse_phh(HAND, "x.phh")
    hand = from_events(killed(play(recorded, BASE), Seat(2), HandStarted))
    assert [action.text for action in hand.recorded.actions[3:5]] == ["p2 f", "p3 cbr 60"]


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (BetCorrected(Seat(1), Chips(5), Chips(20), Source.DIRECTOR), "a bet was corrected by a ruling"),
        (
            LevelChanged(Level(2, Chips(10), Chips(20)), Source.DIRECTOR),
            "its blinds were changed in the deal",
        ),
        (HandRetrieved(Seat(1), Source.DIRECTOR), "a hand was given back by a ruling"),
    ],
)
def test_what_no_history_can_tell_is_refused_with_its_reason(event: AnyEvent, why: str) -> None:
    events = random_hand(1)
    with pytest.raises(HistoryError, match=why):
        from_events([*events[:-1], event, events[-1]], file="table 07, hand 3")


def test_there_is_no_bet_preflop_and_a_raise_is_what_was_added() -> None:
    (recorded,) = parse_phh(HAND, "x.phh")
    content = json.loads(ohh_text([play(recorded, BASE)]))["ohh"]
    preflop, flop = content["rounds"][0]["actions"], content["rounds"][1]["actions"]
    assert content["spec_version"] == "1.4.6"
    assert {"action": "Raise", "amount": 60, "player_id": 3}.items() <= preflop[-3].items()
    assert [entry["action"] for entry in flop] == ["Check", "Bet", "Call"]
    assert flop[1] == {"action_number": 1, "player_id": 3, "action": "Bet", "amount": 740, "is_allin": True}
    assert content["rounds"][-1]["street"] == "Showdown"
    assert content["pots"][0]["player_wins"] == [{"player_id": 1, "win_amount": 1650, "contributed_rake": 0}]


def foreign() -> dict[str, Any]:
    """A hand as another program writes it: nothing of our own, players in no order, decimals."""
    return {
        "ohh": {
            "spec_version": "1.4.6",
            "site_name": "Elsewhere",
            "game_number": "x-17",
            "table_name": "T",
            "game_type": "Holdem",
            "bet_limit": {"bet_type": "NL", "bet_cap": 0.0},
            "table_size": 9,
            "dealer_seat": 4,
            "small_blind_amount": 10.0,
            "big_blind_amount": 20.0,
            "ante_amount": 5.0,
            "hero_player_id": None,
            "players": [
                {"id": 7, "seat": 4, "name": "Cy", "starting_stack": 500.0},
                {"id": 3, "seat": 8, "name": "Ann", "starting_stack": 500.0},
                {"id": 9, "seat": 2, "name": "Ben", "starting_stack": 500.0},
            ],
            "rounds": [
                {
                    "id": 0,
                    "street": "Preflop",
                    "cards": "",
                    "actions": [
                        {"action_number": 0, "player_id": 9, "action": "Post Ante", "amount": 5.0},
                        {"action_number": 1, "player_id": 3, "action": "Post SB", "amount": 10.0},
                        {"action_number": 2, "player_id": 9, "action": "Post BB", "amount": 20.0},
                        {"action_number": 3, "player_id": 7, "action": "Raise", "amount": 60.0},
                        {"action_number": 4, "player_id": 3, "action": "Fold"},
                        {"action_number": 5, "player_id": 9, "action": "Raise", "amount": 140.0},
                        {"action_number": 6, "player_id": 7, "action": "Fold"},
                    ],
                }
            ],
            "pots": [{"number": 0, "amount": 135.0, "player_wins": [{"player_id": 9, "win_amount": 135.0}]}],
        }
    }


def test_a_foreign_ohh_is_numbered_from_the_left_of_its_button() -> None:
    (hand,) = parse_ohh(json.dumps(foreign()), "x.ohh")
    assert hand.players == ("Ann", "Ben", "Cy")
    assert (hand.small_blind, hand.big_blind, hand.table_seats, hand.button_seat) == (1, 2, (8, 2, 4), 4)
    assert (hand.level.ante, hand.level.big_blind_ante) == (0, 5)  # only the big blind posted one
    assert hand.finishing_stacks == (490, 570, 440)
    ended = play(hand, BASE).events[-1]
    assert isinstance(ended, HandEnded)
    assert tuple(share.amount for share in ended.stacks) == (490, 570, 440)


def test_numbers_may_be_texts_and_the_other_way_round() -> None:
    content = foreign()
    content["ohh"] |= {"table_size": "9", "dealer_seat": str(content["ohh"]["dealer_seat"]), "game_number": 77}
    (hand,), (same,) = parse_ohh(json.dumps(content), "x.ohh"), parse_ohh(json.dumps(foreign()), "x.ohh")
    assert (hand.hand, hand.finishing_stacks, hand.button_seat) == (77, same.finishing_stacks, same.button_seat)


def test_several_hands_stand_one_after_another() -> None:
    hands = parse_ohh(ohh_text([told(1), told(2)]), "day.ohh")
    assert [hand.file for hand in hands] == ["day.ohh#1", "day.ohh#2"]


@pytest.mark.parametrize(
    ("where", "value", "error"),
    [
        (("game_type",), "Omaha", "x.ohh:1: ohh.game_type: Omaha NL; expected Holdem"),
        (("small_blind_amount",), 0.005, "x.ohh:1: ohh.small_blind_amount: 0.005; expected a whole number of"),
        (("pots", 0, "rake"), [1], "x.ohh:1: ohh.pots[0].rake: '[1]'; expected a number"),
        (
            ("players", 0, "starting_stack"),
            10**40,
            "x.ohh:1: ohh.players[0].starting_stack: 1.00000e+40; expected 0 to",
        ),
        (("dealer_seat",), "four", "x.ohh:1: ohh.dealer_seat: Expected `int`, got `str`"),
        (("rounds", 0, "street"), "Third", "x.ohh:1: ohh.rounds[0].street: 'Third'; expected one of Preflop"),
        (("rounds", 0, "actions", 3, "action"), "Bet", "x.ohh:1: ohh.rounds[0].actions[3].action: 'Bet' preflop"),
        (
            ("rounds", 0, "actions", 3, "action"),
            "Straddle",
            "x.ohh:1: ohh.rounds[0].actions[3].action: a straddle; expected a small and a big blind",
        ),
        (
            ("rounds", 0, "actions", 3, "player_id"),
            1,
            "x.ohh:1: ohh.rounds[0].actions[3].player_id: no player 1 in this hand",
        ),
        (("rounds", 0, "cards"), ["Ah"], "x.ohh:1: ohh.rounds[0].cards: 1 cards; expected 0"),
        (
            ("pots", 0, "player_wins", 0, "player_id"),
            1,
            "x.ohh:1: ohh.pots[0].player_wins[0].player_id: no player 1",
        ),
    ],
)
def test_a_wrong_ohh_is_answered_with_its_path_and_what_was_expected(
    where: tuple[str | int, ...], value: object, error: str
) -> None:
    content = foreign()
    part: Any = content["ohh"]
    for step in where[:-1]:
        part = part[step]
    part[where[-1]] = value
    with pytest.raises(HistoryError) as raised:
        parse_ohh(json.dumps(content), "x.ohh")
    assert str(raised.value).startswith(error)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('\n{"ohh": }', "x.ohh:2: not JSON"),
        ("", "x.ohh:1: no hand"),
        ('{"hh": {}}', "x.ohh:1: the hand: Object missing required field `ohh`"),
        ('{"ohh": {"pots": NaN}}', "x.ohh:1: not JSON: JSON is malformed: invalid character at 'NaN}}'"),
        ('{"ohh": {"else": ' + "[" * 5_000, "x.ohh:1: not JSON: nested too deep"),
    ],
)
def test_what_is_no_ohh_says_so(text: str, error: str) -> None:
    with pytest.raises(HistoryError) as raised:
        parse_ohh(text, "x.ohh")
    assert str(raised.value).startswith(error)


def test_a_winner_to_whom_everyone_folded_may_show() -> None:
    text = HAND[: HAND.index("  'p3 cbr 60'")] + "  'p3 cbr 60', 'p1 f', 'p2 f', 'p3 sm 2c2d',\n]\nhand = 12\n"
    (hand,) = parse_phh(text, "x.phh")
    events = play(hand, BASE).events
    shown = events[-1]
    assert isinstance(shown, HandTabled)
    assert (shown.seat, shown.cards) == (3, ("2c", "2d"))
    (again,) = parse_phh(phh_text(from_events(events).recorded), "y.phh")
    assert "p3 sm 2c2d" in phh_text(again)
