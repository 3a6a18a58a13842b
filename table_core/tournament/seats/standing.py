"""Seats of a season's final event, by the standing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table_core.messages import Frozen, Many, Name, Refusal, Seat
from table_core.rulebook import Rulebook
from table_core.tournament.chance import shuffled
from table_core.tournament.decision import Decision, refused
from table_core.tournament.events import Instant, Redraw, SeatAt, Seated, SeatsDrawn
from table_core.tournament.seats.chairs import usable
from table_core.tournament.seats.draw import playing
from table_core.tournament.state import Facts, State


class SeatByStanding(Frozen, frozen=True):
    """Seats of the final event by the season's standing, the leader first; who is beyond the chart draws one."""

    players: Many[Name]


def final_seats(players: Sequence[str], rulebook: Rulebook) -> tuple[tuple[str, str], ...]:
    """Each player with a seat (`T1S5`), in the order of the season's standing (rpl.toc.8). Players beyond the
    chart have an empty seat: the director draws theirs."""
    chart = rulebook.tournament.final_event_seating
    seats = chart.value if chart is not None else ()
    return tuple((name, seats[at] if at < len(seats) else "") for at, name in enumerate(players))


def seat_by_standing(state: State, wanted: SeatByStanding, now: Instant, facts: Facts) -> Decision:
    chart = state.book.tournament.final_event_seating
    if chart is None:
        return refused(state.book, "final_event_seating", "The book has no seats by standing.")
    tables = list(state.seats.tables.values())
    players = playing(state)
    if set(wanted.players) != set(players) or len(wanted.players) != len(players):
        return Refusal(reason="Name everybody who plays, each once.", rule=chart.rule)
    seats: dict[str, SeatAt] = {}
    for player, seat in final_seats(wanted.players, state.book):
        if seat:
            number, _, at = seat.removeprefix("T").partition("S")
            if int(number) > len(tables) or int(at) not in usable(tables[int(number) - 1]):
                return Refusal(reason=f"There is no table {number} seat {at}.", rule=chart.rule)
            seats[player] = SeatAt(tables[int(number) - 1].plan.table, Seat(int(at)))
    charted = set(seats.values())
    used = tables[: max(int(seat[1]) for seat in chart.value)]
    left = [SeatAt(t.plan.table, n) for t in used for n in usable(t) if SeatAt(t.plan.table, n) not in charted]
    beyond = [name for name in wanted.players if name not in seats]
    if len(beyond) > len(left):
        return refused(state.book, "seats_per_table", f"{len(beyond)} players have no seat.")
    seed = f"{state.seed}/standing/{len(players)}"
    seats |= dict(zip(beyond, shuffled(left, seed), strict=False))
    seated = tuple(Seated(name, seats[name]) for name in wanted.players)
    return (
        SeatsDrawn(Redraw.START, tuple(t.plan.table for t in used), seated, chart.rule, seed if beyond else ""),
    )


COMMANDS: Mapping[type, Any] = {SeatByStanding: seat_by_standing}
REDUCERS: Mapping[type, Any] = {}
