"""A tournament night in the simulated room: whole, and what its checks notice."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from feltwire.cli import main
from feltwire.lab.demo.night.balance import unequal_now
from feltwire.lab.demo.night.dealer import Dealt, Sign
from feltwire.lab.demo.night.director import wrong_now
from feltwire.lab.demo.night.report import wrong_at_the_end, wrong_hands
from feltwire.lab.demo.night.room import levels_of
from feltwire.lab.demo.night.told import told
from table_core.messages import At, Chips, Envelope, HandEnded, Millis, Seat, Share
from tests.room.nights import BOOKS, plan_nights, play
from tests.table_core.tournament.simulated import Simulated


@pytest.mark.room
@pytest.mark.mosquitto
@pytest.mark.slow("a whole tournament: fifteen players at three tables, from registration to payout")
def test_a_night_through_real_processes_ends_with_every_chip_seat_place_and_prize_right(tmp_path: Path) -> None:
    night = play(tmp_path / "night", seed=7, tables=3)
    assert night.wrong == ()
    assert (night.players, night.tables, night.breaks) == (15, 3, 2)
    assert night.hands >= 14  # at least one for each who went out
    assert night.snapshots > 100


# ------------------------------------------------------------------------------------ what the checks notice

SEATED: dict[str, Any] = {
    "started": 1,
    "chips": {"missing": 0},
    "log": [{"no": 9}],
    "tables": [{"seats": [{"player": "Ann"}]}, {"seats": [{"player": "Bo"}]}],
    "moves": [{"player": "Cy", "stage": "in_transit"}],
    "field": [
        {"player": "Ann", "status": "playing", "place": None, "why_out": ""},
        {"player": "Bo", "status": "busted", "place": None, "why_out": ""},
        {"player": "Cy", "status": "playing", "place": None, "why_out": ""},
        {"player": "Di", "status": "out", "place": 4, "why_out": "busted"},
    ],
}


def test_a_snapshot_in_which_everybody_has_one_seat_is_right() -> None:
    assert list(wrong_now(SEATED)) == []


def test_missing_chips_doubled_players_and_players_without_a_place_are_noticed() -> None:
    night = copy.deepcopy(SEATED)
    night["chips"]["missing"] = 100
    night["tables"][1]["seats"].append({"player": "Ann"})
    night["field"][3]["place"] = None
    night["moves"].append({"player": "Nobody", "stage": "in_transit"})
    assert list(wrong_now(night)) == [
        "100 chips are missing after record 9",
        "Ann is playing and has 2 seats",
        "Di is out without a place",
        "nobody knows who these are: ['Nobody']",
    ]


def test_tables_that_differ_too_much_without_a_proposal_are_noticed() -> None:
    night = copy.deepcopy(SEATED) | {
        "finished": None,
        "busts": [],
        "moves": [],
        "proposals": {"moves": [], "break": None},
    }
    for name, table, players in (("01", night["tables"][0], 4), ("02", night["tables"][1], 2)):
        table |= {"table": name, "open": True, "seats": [{"player": f"{name}{no}"} for no in range(players)]}
    (wrong,) = unequal_now(night, 2)
    assert wrong == "the tables have {'01': 4, '02': 2} players, and no move is proposed after record 9"
    on_the_way = {"player": "010", "start": {"table": "01"}, "to": {"table": "02"}, "stage": "confirmed"}
    assert list(unequal_now(night | {"moves": [on_the_way]}, 2)) == []
    assert list(unequal_now(night | {"proposals": {"moves": [{"player": "010"}], "break": None}}, 2)) == []
    assert list(unequal_now(night, 3)) == []


def test_a_page_that_differs_from_the_records_and_prizes_that_were_not_paid_are_noticed() -> None:
    played = Simulated("home", 9, 3)
    played.play()
    state = played.night.state
    page = [
        {"player": p, "place": one.place, "status": str(one.status)} for p, one in state.field.entrants.items()
    ]
    shown = {"field": page, "chips": {"missing": 0}}
    assert list(wrong_at_the_end(played.night, shown)) == []
    page[0]["place"] = 99
    assert any("the page shows" in what for what in wrong_at_the_end(played.night, shown))
    state.prizes.paid.popitem()
    assert any(what.startswith("paid ") for what in wrong_at_the_end(played.night, shown))


def test_a_hand_that_the_ledger_has_otherwise_than_the_felt_is_noticed() -> None:
    ended = HandEnded(1, (Share(Seat(1), Chips(100)), Share(Seat(2), Chips(300))))
    log = [Envelope("v", "01", 1, 1, At("b", Millis(0)), "", "", ended)]
    assert list(wrong_hands("01", log, Dealt(stacks={1: {Seat(1): Chips(100), Seat(2): Chips(300)}}))) == []
    (wrong,) = wrong_hands("01", log, Dealt(stacks={1: {Seat(1): Chips(400), Seat(2): Chips(0)}}))
    assert wrong.startswith("table 01, hand 1: ")


# ------------------------------------------------------------------------------------------------ its parts


def test_a_dealer_begins_as_many_hands_as_the_director_lets() -> None:
    sign = Sign()
    assert not sign.take_turn(0)
    sign.one_hand()
    assert not sign.idle
    assert sign.take_turn(0)
    sign.turn_over()
    assert not sign.idle, "no hand could begin"
    assert sign.take_turn(0)
    sign.turn_over(4)
    assert not sign.take_turn(0)
    assert (sign.idle, sign.hand) == (True, 4)
    sign.deal_on()
    assert all(sign.take_turn(0) for _ in range(3))
    sign.hold()
    assert not sign.take_turn(0)


def test_the_schedule_doubles_and_has_its_break_before_the_smallest_chips_leave() -> None:
    levels = levels_of(20, 10)
    assert [level.small_blind for level in levels[:4]] == [25, 50, 0, 100]
    assert [level.no for level in levels[:4]] == [1, 2, 0, 3]
    assert [round(level.minutes * 60) for level in levels[:4]] == [20, 20, 10, 20]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            {"type": "bust_confirmed", "players": ["a", "b"], "places": [3, 12]},
            "Bo is out, 12th. Ann is out, 3rd.",
        ),
        ({"type": "chips_bought", "player": "a", "chips": 1_500}, "Ann buys in again: 1,500 chips."),
        ({"type": "prize_paid", "player": "b", "amount": 1_250}, "Bo is paid 12.50."),
        ({"type": "clock_changed"}, ""),
    ],
)
def test_what_happens_is_told_in_a_sentence(event: dict[str, Any], sentence: str) -> None:
    assert told({"event": event}, {"names": {"a": "Ann", "b": "Bo"}, "finished": None}) == sentence


def test_who_moves_is_named_on_the_way_and_who_wins_with_the_last_bust() -> None:
    night = {"names": {"a": "Ann", "b": "Bo"}, "finished": 1, "field": [{"player": "b", "place": 1}]}
    move = {
        "type": "move_confirmed",
        "move": "move-1",
        "player": "a",
        "to": {"table": "01", "seat": 3},
        "why": "equal",
    }
    assert told({"event": move}, night) == "Ann is to move to table 01 seat 3: equal."
    left = {"type": "move_left", "move": "move-1", "rack": 1_200, "player": "a"}
    assert told({"event": left}, night) == "Ann is on the way with 1,200 chips."
    last = {"type": "bust_confirmed", "players": ["a"], "places": [2]}
    assert told({"event": last}, night) == "Ann is out, 2nd. Bo has all the chips and wins."


def test_a_night_has_no_number_of_hands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--night", "--hands", "3"]) == 2
    assert "--night" in capsys.readouterr().err


def test_nights_of_one_seed_are_the_same_plan_and_one_in_four_has_four_tables() -> None:
    nights = plan_nights(8, 1)
    assert nights == plan_nights(8, 1)
    assert [tables for _, tables, _ in nights].count(4) == 2
    assert len({seed for seed, _, _ in nights}) == 8
    assert {book for _, _, book in nights} == set(BOOKS)
