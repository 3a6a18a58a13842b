"""A night from the first registration to the winner, as its records tell it."""

from __future__ import annotations

import pytest

from table_core.messages import Chips, Refusal, Seat
from table_core.tournament.events import ClockChanged, Left, Out, Redraw, SeatAt, Seated
from table_core.tournament.field.absences import Leave
from table_core.tournament.field.busts import ConfirmBust, ReportBust
from table_core.tournament.night import COMMANDS, Undo
from table_core.tournament.seats.draw import AssignSeats, DrawSeats
from table_core.tournament.seats.moves import ConfirmMove
from table_core.tournament.state import Status
from tests.table_core.tournament.simulated import Simulated

BOOKS = ("wfp", "rpl", "home", "ccp", "cpp", "base")


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("entrants", [9, 27, 60])
def test_a_night_keeps_its_chips_its_seats_and_its_money(book: str, entrants: int) -> None:
    played = Simulated(book, entrants, seed=1)
    played.play(Simulated.assert_holds)
    played.assert_ends_right()


def test_a_bust_that_is_taken_back_puts_the_player_on_the_seat_again() -> None:
    played = Simulated("rpl", 27, seed=3)
    played.open()
    table = played.night.state.seats.open_tables()[0]
    player, seat = table.players[Seat(4)], Seat(4)
    played.do(ReportBust(table.plan.table, 1, (Out(player, Chips(500)),)))
    confirmed = played.do(ConfirmBust((f"{table.plan.table}-1",)))
    assert played.night.state.field.entrants[player].place == 26, "one of 27 comes late"
    played.do(Undo(confirmed[0].no))
    assert played.night.state.field.entrants[player].status is Status.BUSTED
    assert played.night.state.seats.tables[table.plan.table].players[seat] == player


def test_the_clock_stands_once_there_is_a_winner_and_goes_on_where_there_is_none_after_all() -> None:
    played = Simulated("rpl", 9, seed=1)
    played.play()
    night = played.night
    assert night.state.finished is not None
    assert night.state.clock is not None
    assert not night.state.clock.mark.running
    stopped = next(record for record in reversed(night.records) if isinstance(record.event, ClockChanged))
    assert night.group(stopped.no) > {stopped.no}, "the bust that left one player did it"
    played.do(Undo(stopped.no))
    assert night.state.finished is None
    assert night.state.clock.mark.running


def test_what_something_later_rests_on_is_not_taken_back() -> None:
    played = Simulated("rpl", 9, seed=4)
    played.open()
    refused = played.night.do(Undo(2), played.now, {}, id_="undo")
    assert isinstance(refused, Refusal)
    assert "Take that back first" in refused.reason


def test_who_is_out_of_chips_does_not_leave_the_table_before_the_bust_is_decided() -> None:
    played = Simulated("rpl", 9, seed=4)
    played.open()
    table = played.night.state.seats.open_tables()[0]
    player = table.players[Seat(4)]
    played.do(ReportBust(table.plan.table, 1, (Out(player, Chips(500)),)))
    refused = played.night.do(Leave(player), played.now, {}, id_="leave")
    assert isinstance(refused, Refusal)
    assert "decide the bust first" in refused.reason


@pytest.mark.parametrize("everybody", [False, True])
def test_while_a_player_is_on_the_way_to_another_table_no_seats_are_drawn(everybody: bool) -> None:
    played = Simulated("rpl", 27, seed=4)
    played.open()
    state = played.night.state
    start, target, *_ = state.seats.open_tables()
    free = SeatAt(target.plan.table, target.free()[0])
    played.do(ConfirmMove(start.players[Seat(4)], free, "a friend sits beside him"))
    drawn = AssignSeats(tuple(map(seated, state.seats.at.items())), Redraw.TABLES_MERGED)
    command = drawn if everybody else DrawSeats(Redraw.TABLES_MERGED)
    refused = played.night.do(command, played.now, played.facts, id_="draw")
    assert isinstance(refused, Refusal)
    assert refused.reason == "Moves are under way: move-1."


def seated(at: tuple[str, SeatAt]) -> Seated:
    return Seated(*at)


def test_a_decision_that_contradicts_the_night_leaves_it_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Simulated("rpl", 9, seed=4)
    played.open()
    night = played.night
    player = next(iter(night.state.field.entrants))
    monkeypatch.setitem(COMMANDS, Leave, lambda *_: (Left(player), Left("nobody")))  # type: ignore[arg-type]
    records = len(night.records)
    refused = night.do(Leave(player), played.now, {}, id_="leave")
    assert isinstance(refused, Refusal), "and nothing is put aside for it"
    assert refused.reason == "That cannot be done now: nobody is not registered."
    assert len(night.records) == records
    assert night.state.field.entrants[player].away is None
