"""Two players change places, in an event that is played by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Frozen, Name, Refusal, Said
from table_core.tournament.by_hand import NOT_BY_HAND
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import Instant, SeatsSwapped
from table_core.tournament.state import Facts, State


class SwapSeats(Frozen, frozen=True):
    """These two change places. Where tables report who sits there, they move one after the other instead."""

    one: Name
    other: Name
    why: Said = ""


def swap_seats(state: State, wanted: SwapSeats, now: Instant, facts: Facts) -> Decision:
    if not state.by_hand:
        return Refusal(reason=f"{NOT_BY_HAND} Move one of them to a free seat first.", rule="")
    one, other = state.seats.at.get(wanted.one), state.seats.at.get(wanted.other)
    if one is None or other is None or wanted.one == wanted.other:
        return Refusal(reason="Name two players who have a seat.", rule="")
    control = state.book.tournament.seat_change_by_player
    if control is not None and not control.value and state.started is not None and not wanted.why:
        return refused(state.book, "seat_change_by_player", "No change of seat without the director's reason.")
    rule = control.rule if control is not None else ""
    return (SeatsSwapped(wanted.one, one, wanted.other, other, wanted.why, rule),)


def _swapped(state: State, event: SeatsSwapped, now: Instant) -> None:
    at = state.seats.at
    if at.get(event.one) != event.one_was or at.get(event.other) != event.other_was:
        raise ConflictError(f"{event.one} and {event.other} do not sit there any more")
    at[event.one], at[event.other] = event.other_was, event.one_was
    for player in (event.one, event.other):
        state.seats.tables[at[player].table].players[at[player].seat] = player


COMMANDS: Mapping[type, Any] = {SwapSeats: swap_seats}
REDUCERS: Mapping[type, Any] = {SeatsSwapped: _swapped}
