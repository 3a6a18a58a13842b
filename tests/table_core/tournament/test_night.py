"""A night from the first registration to the winner, as its records tell it."""

from __future__ import annotations

import pytest

from table_core.messages import Chips, Refusal, Seat
from table_core.tournament.events import Out
from table_core.tournament.field.busts import ConfirmBust, ReportBust
from table_core.tournament.night import Undo
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


def test_what_something_later_rests_on_is_not_taken_back() -> None:
    played = Simulated("rpl", 9, seed=4)
    played.open()
    refused = played.night.do(Undo(2), played.now, {}, id_="undo")
    assert isinstance(refused, Refusal)
    assert "Take that back first" in refused.reason
