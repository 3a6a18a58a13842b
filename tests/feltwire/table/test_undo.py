"""UNDO is the table before the press, whatever came since: rulings, kills, keys read anew, the director."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from table_core.messages import AwaySet, FactKind, Key, MakeRuling, Refused, Rewound, Seat, SetPresence
from table_core.projections.history import HistoryCollector
from tests.table_under_test import TableUnderTest
from tests.undone.twins import facts

KEYPAD = ("keypad",)
KILLS: dict[str, Callable[[TableUnderTest], object]] = {
    "no kill": lambda table: None,
    "a kill": lambda table: table.start(),
    "a power cut": lambda table: (table.vault.power_cut(), table.start()),
}


def begun(seats: int = 4) -> TableUnderTest:
    table = TableUnderTest(seats, devices=KEYPAD)
    table.press(Key.NEW_HAND)
    return table


def called_behind_a_raise() -> tuple[TableUnderTest, list[TableUnderTest]]:
    """The table, and what it was before each of its three presses."""
    table, were = begun(), list[TableUnderTest]()
    for keys in (("400", Key.BET_RAISE), (Key.CHECK_CALL,), (Key.CHECK_CALL,)):
        were.append(copy.deepcopy(table))
        table.press(*keys)
        table.wait(2_000)
    return table, were


def string_bet_ruled(table: TableUnderTest) -> None:
    """The raise of seat 4 was none: the ruling takes its raise and what came behind it back."""
    table.press("4", Key.SEAT, "43", Key.FLOOR)
    table.wait(3_000)
    ruling = table.open_ruling
    assert ruling is not None, table.of(Refused)
    choice = next(n for n, option in enumerate(ruling.options, start=1) if "call" in option.text)
    table.press(str(choice), Key.STREET)
    table.wait(3_000)


@pytest.mark.parametrize("kill", KILLS)
def test_behind_a_ruling_that_took_presses_back_each_undo_is_one_of_them(kill: str) -> None:
    table, were = called_behind_a_raise()
    before = copy.deepcopy(table)
    string_bet_ruled(table)
    cut = table.of(Rewound)
    assert len(cut) == 1
    assert facts(table)["log"] != facts(before)["log"]
    KILLS[kill](table)
    table.press(Key.UNDO)  # the ruling; its incident is asked again
    table.wait(3_000)
    assert facts(table)["log"] == facts(before)["log"]
    table.press(Key.UNDO)  # the incident
    table.wait(3_000)
    assert facts(table) == facts(before)
    KILLS[kill](table)
    for was in reversed(were):
        table.press(Key.UNDO)
        table.wait(3_000)
        assert facts(table)["log"] == facts(was)["log"]
        assert facts(table)["seats"] == facts(was)["seats"]


def test_the_history_says_of_no_fact_that_counts_again_that_it_is_taken_back() -> None:
    table, _ = called_behind_a_raise()
    string_bet_ruled(table)
    table.press(Key.UNDO)
    history = HistoryCollector()
    for envelope in table.envelopes:
        history.apply(envelope, 1)
    stands = [
        fact.text for fact in history.view("01", ()).facts if fact.kind == FactKind.ACTION and not fact.taken_back
    ]
    assert stands == ["Seat 4: raise to 400", "Seat 1: call 400", "Seat 2: call 350"]


@pytest.mark.parametrize("kill", KILLS)
def test_undo_goes_press_by_press_to_the_start_of_the_hand_and_behind_it(kill: str) -> None:
    table = begun()
    were = []
    for keys in (
        (Key.CHECK_CALL,),
        ("400", Key.BET_RAISE),
        (Key.FOLD,),
        (Key.CHECK_CALL,),
        (Key.CHECK_CALL,),
        (Key.STREET,),
        ("2", Key.AWAY),
        (Key.CHECK_CALL,),
        (Key.FLOOR,),
    ):
        were.append(copy.deepcopy(table))
        table.press(*keys)
        table.wait(3_000)
    KILLS[kill](table)
    for was in reversed(were):
        table.press(Key.UNDO)
        table.wait(3_000)
        assert facts(table) == facts(was)
    (refused,) = table.of(Refused, table.press(Key.UNDO))
    assert "its deal has begun" in refused.reason


def test_a_key_that_had_the_round_read_anew_is_taken_back_alone() -> None:
    """Seat 4 called, seat 1 raised, the others folded; the camera saw folds alone, seat 4 as its first act.
    The keys come afterwards, and with one of them the round is read in its order."""
    table = TableUnderTest(4, devices=("keypad", "shoe", "camera"))
    table.start_hand("Ah", "Kd", "7c", "2s", "As", "Kc", "2d", "9s")
    for seat in (2, 3, 4):
        table.see(f"seat-{seat}-cards")
        table.wait(1_500)
    for keys in ((Key.CHECK_CALL,), ("400", Key.BET_RAISE), (Key.FOLD,), (Key.FOLD,), (Key.FOLD,)):
        before = copy.deepcopy(table)
        table.press(*keys, in_a_row=True)
        if [one for one in table.of(Rewound) if one.why == "keys read in their order"]:
            break
    else:
        pytest.fail("no round was read anew")
    table.press(Key.UNDO)
    for one in (table, before):
        one.wait(5_000)
    assert facts(table)["log"] == facts(before)["log"]


def test_what_the_director_said_in_between_stays() -> None:
    table = begun()
    without = copy.deepcopy(table)
    table.press(Key.CHECK_CALL)
    away = SetPresence("t-1", Seat(2), "", away=True)
    for one in (table, without):
        one.command(away)
    table.press(Key.UNDO)
    for one in (table, without):
        one.wait(5_000)
    assert facts(table) == facts(without)
    assert len([one for one in table.of(AwaySet) if one.away]) == 1


def test_a_ruling_of_the_director_in_between_locks_the_table_and_changes_nothing() -> None:
    table = begun()
    table.press("400", Key.BET_RAISE)
    table.wait(2_000)
    table.command(MakeRuling("t-1", "string_bet", "call", Seat(4), ruler="Ruth"))
    table.wait(2_000)
    before = facts(table)
    (refused,) = table.of(Refused, table.press(Key.UNDO))
    assert "director" in refused.reason
    table.wait(3_000)
    assert {**facts(table), "notices": 0} == {**before, "notices": 0}
