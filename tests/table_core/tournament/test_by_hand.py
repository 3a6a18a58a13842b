"""An event that is played by hand: one press and a player is out; nothing is counted, and nothing is missing."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from table_core.messages import Chips, Level, Millis, Refusal, Seat
from table_core.tournament.by_hand import PlayByHand, facts_of, stacks_known
from table_core.tournament.chips.account import chip_account
from table_core.tournament.chips.counts import CountStack
from table_core.tournament.events import Instant, Purchase, SeatAt, StackOf, TablePlan
from table_core.tournament.field.entries import Enter
from table_core.tournament.field.out_by_hand import PutOut
from table_core.tournament.field.rebuys import Buy
from table_core.tournament.field.registration import Register
from table_core.tournament.hand_for_hand import SetHandForHand, still_playing
from table_core.tournament.night import Night, Undo
from table_core.tournament.opening import GoToLevel, Open, Start
from table_core.tournament.seats.balance import balance
from table_core.tournament.seats.draw import DrawSeats
from table_core.tournament.seats.moves import BreakTable, ConfirmMove
from table_core.tournament.seats.swap import SwapSeats
from table_core.tournament.state import State

LEVELS = tuple(Level(no, Chips(25 * no), Chips(50 * no), minutes=20) for no in range(1, 7))
NOW = Instant("b", Millis(0), Millis(1_767_225_600_000))
HOUSE = {"starting_stack": 5_000, "buy_in": 20, "seats_per_table": 9, "rebuys_unlimited": True}


class ByHand:
    """`players` at as many tables of nine as they need; cards are in the air."""

    def __init__(self, players: int, book: str = "base", **house: Any) -> None:
        self.night = Night()
        tables = tuple(TablePlan(f"{no:02}", 9) for no in range(1, 6))
        self.do(Open("Friday", book, tables, LEVELS, "seed", HOUSE | house, by_hand=True))
        for no in range(1, players + 1):
            self.do(Register(f"p{no}", member=True, adult=True))
            self.do(Enter(f"p{no}"))
        self.do(DrawSeats())
        self.do(Start())

    @property
    def state(self) -> State:
        return self.night.state

    def answer(self, command: Any) -> Any:
        return self.night.do(command, NOW, {}, id_=f"press-{len(self.night.records)}")

    def do(self, command: Any) -> int:
        """The number of the first record."""
        done = self.answer(command)
        assert not isinstance(done, Refusal), (command, done)
        return int(done[0].no) if done else 0

    def places(self) -> dict[str, int]:
        return {one.player: one.place for one in self.state.field.entrants.values() if one.place is not None}


def test_one_press_puts_a_player_out_and_nothing_is_missing() -> None:
    event = ByHand(12)
    event.do(PutOut("p1"))
    assert event.places() == {"p1": 12}
    assert "p1" not in event.state.seats.at
    account = chip_account(event.state, facts_of(event.state, {}, NOW))
    assert (account.issued, account.on_tables, account.missing) == (60_000, 60_000, 0)
    assert isinstance(event.answer(PutOut("p1")), Refusal)
    assert event.state.field.undecided == []


def test_who_won_has_the_chips_where_both_stacks_are_known() -> None:
    event = ByHand(4)
    event.do(CountStack("p2", Chips(3_000)))
    event.do(PutOut("p1", by=("p2",), stack=Chips(4_000)))
    assert event.state.field.knockouts == {"p2": 1}
    assert stacks_known(event.state, {}) == {"p2": 7_000}


@pytest.mark.parametrize("order", list(permutations(("most", "middle", "least"))))
def test_places_of_one_hand_follow_from_who_had_more_in_whatever_order_they_are_reported(
    order: tuple[str, str, str],
) -> None:
    event = ByHand(9)
    name = {"most": "p1", "middle": "p2", "least": "p3"}
    rank = {"p1": 1, "p2": 2, "p3": 3}
    gone: list[str] = []
    for player in (name[one] for one in order):
        fewer = tuple(other for other in gone if rank[other] > rank[player])
        event.do(PutOut(player, same_hand=gone[0] if gone else "", more_than=fewer))
        gone.append(player)
    assert event.places() == {"p1": 7, "p2": 8, "p3": 9}


def test_who_is_found_out_of_an_earlier_hand_ranks_with_it() -> None:
    event = ByHand(9)
    event.do(PutOut("p1"))
    event.do(PutOut("p2"))
    event.do(PutOut("p3"))
    event.do(PutOut("p4", same_hand="p1", more_than=("p1",)))
    assert event.places() == {"p1": 9, "p4": 8, "p2": 7, "p3": 6}
    event.do(PutOut("p5", same_hand="p2"))
    assert event.places() == {"p1": 9, "p4": 8, "p5": 7, "p2": 6, "p3": 5}


def test_level_stacks_share_and_wait_for_a_person() -> None:
    event = ByHand(9)
    event.do(PutOut("p1"))
    event.do(PutOut("p2", same_hand="p1", level_with=("p1",)))
    assert event.places() == {"p1": 8, "p2": 8}
    assert [one.players for one in event.state.field.undecided] == [["p1", "p2"]]


def test_an_earlier_one_that_is_taken_back_moves_the_places_of_those_behind_it() -> None:
    event = ByHand(9)
    first = event.do(PutOut("p1"))
    event.do(PutOut("p2"))
    both = event.do(PutOut("p3", same_hand="p2", more_than=("p2",)))
    assert event.places() == {"p1": 9, "p2": 8, "p3": 7}
    event.do(Undo(first))
    assert event.places() == {"p2": 9, "p3": 8}
    event.do(PutOut("p1"))
    assert event.places() == {"p1": 7, "p2": 9, "p3": 8}
    event.do(Undo(both))
    assert event.places() == {"p1": 8, "p2": 9}


def test_the_last_one_left_is_the_winner_and_the_undo_plays_on() -> None:
    event = ByHand(3)
    event.do(PutOut("p1"))
    last = event.do(PutOut("p2"))
    assert event.state.finished is not None
    assert event.places() == {"p1": 3, "p2": 2, "p3": 1}
    event.do(Undo(last))
    assert event.state.finished is None
    assert event.places() == {"p1": 3}


def test_who_is_out_buys_in_again_in_the_old_seat_as_long_as_the_book_has_it() -> None:
    event = ByHand(9, rebuy_before_level=3)
    at = event.state.seats.at["p1"]
    event.do(PutOut("p1", by=("p2",)))
    event.do(PutOut("p3"))
    event.do(Buy("p1", Purchase.REBUY))
    assert event.state.seats.at["p1"] == at
    assert event.places() == {"p3": 9}
    assert event.state.field.knockouts.get("p2", 0) == 0
    event.do(PutOut("p4"))
    event.do(GoToLevel(2))
    event.do(Buy("p4", Purchase.REBUY))  # who lost the last chips in time may take the time to pay
    event.do(PutOut("p5"))
    late = event.answer(Buy("p5", Purchase.REBUY))
    assert isinstance(late, Refusal)
    assert "Rebuys ended" in late.reason


def test_moves_and_breaks_are_done_at_once_and_undone_with_one_undo() -> None:
    event = ByHand(20)
    before = dict(event.state.seats.at)
    to = SeatAt("01", Seat(9))
    moved = event.do(ConfirmMove("p1", to, "the director's"))
    assert (event.state.seats.at["p1"], event.state.seats.moves) == (to, {})
    event.do(Undo(moved))
    assert event.state.seats.at == before
    for no in range(1, 3):
        event.do(PutOut(f"p{no}"))
    tables = [table.plan.table for table in event.state.seats.open_tables()]
    event.do(BreakTable(tables[-1]))
    assert [table.plan.table for table in event.state.seats.open_tables()] == tables[:-1]
    assert len(event.state.seats.at) == 18


def test_two_players_change_places() -> None:
    event = ByHand(12)
    one, other = event.state.seats.at["p1"], event.state.seats.at["p2"]
    swapped = event.do(SwapSeats("p1", "p2", "the director's"))
    assert (event.state.seats.at["p1"], event.state.seats.at["p2"]) == (other, one)
    assert event.state.seats.tables[other.table].players[other.seat] == "p1"
    event.do(Undo(swapped))
    assert event.state.seats.at["p1"] == one


def test_a_table_is_opened_by_who_moves_there() -> None:
    event = ByHand(9)
    event.do(ConfirmMove("p1", SeatAt("02", Seat(1)), "a new table"))
    assert [table.plan.table for table in event.state.seats.open_tables()] == ["01", "02"]


def test_levels_are_those_of_the_clock_and_hand_for_hand_waits_for_no_table() -> None:
    event = ByHand(12)
    event.do(GoToLevel(1))
    facts = facts_of(event.state, {}, NOW)
    assert {fact.level for fact in facts.values()} == {2}
    event.do(SetHandForHand(True))
    assert still_playing(event.state, facts) == []
    assert balance(event.state, facts) == ()


def test_tables_take_over_with_the_stacks_that_were_counted() -> None:
    event = ByHand(4)
    event.do(PutOut("p4"))
    refused = event.answer(PlayByHand(False))
    assert isinstance(refused, Refusal)
    assert all(player in refused.reason for player in ("p1", "p2", "p3"))
    wrong = event.answer(PlayByHand(False, tuple(StackOf(f"p{no}", Chips(5_000)) for no in (1, 2, 3))))
    assert isinstance(wrong, Refusal)
    assert "5,000 are missing" in wrong.reason
    stacks = {"p1": 12_000, "p2": 5_000, "p3": 3_000}
    event.do(PlayByHand(False, tuple(StackOf(player, Chips(stack)) for player, stack in stacks.items())))
    assert not event.state.by_hand
    assert isinstance(event.answer(PutOut("p1")), Refusal)


def test_what_needs_an_event_by_hand_is_refused_where_tables_report() -> None:
    night = Night()
    night.do(Open("Friday", "base", (TablePlan("01", 9),), LEVELS, "seed", HOUSE), NOW, {})
    for no in (1, 2):
        night.do(Register(f"p{no}", adult=True), NOW, {})
        night.do(Enter(f"p{no}"), NOW, {})
    night.do(DrawSeats(), NOW, {})
    night.do(Start(), NOW, {})
    for command in (PutOut("p1"), SwapSeats("p1", "p2")):
        answer = night.do(command, NOW, {})
        assert isinstance(answer, Refusal)
        assert "played by hand" in answer.reason
