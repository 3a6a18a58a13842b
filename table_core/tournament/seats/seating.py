"""Players who join while it is played, seats that are reserved, pairs that are kept apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table_core.hand.seats import clockwise_from
from table_core.messages import Frozen, Name, Refusal, Said, Seat
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import Instant, KeptApart, PlayerSeated, SeatAt, SeatReserved, TableClosed
from table_core.tournament.seats.chairs import (
    beside_another,
    is_full,
    make_room,
    may_open,
    meets,
    note_final_table,
)
from table_core.tournament.state import Facts, State, Status, TableFacts, TableSeats


class SeatPlayer(Frozen, frozen=True):
    """A player who joins. `at` only where the director chooses the seat."""

    player: Name
    at: SeatAt | None = None
    anyway: Said = ""


class ReserveSeat(Frozen, frozen=True):
    player: Name
    at: SeatAt
    why: Said = ""


class KeepApart(Frozen, frozen=True):
    one: Name
    other: Name


def seat_player(state: State, wanted: SeatPlayer, now: Instant, facts: Facts) -> Decision:
    """A seat for a player who has entered: at the emptiest table, in the seat that the book gives a newcomer."""
    entrant = state.field.entrants.get(wanted.player)
    if entrant is None or entrant.status is not Status.PLAYING:
        return Refusal(reason=f"{wanted.player} has not entered: take the entry first.", rule="")
    if wanted.player in state.seats.at:
        return Refusal(reason=f"{wanted.player} sits at {state.seats.at[wanted.player]}.", rule="")
    if wanted.at is not None:
        table = state.seats.tables.get(wanted.at.table)
        if table is None or wanted.at.seat not in {*table.free(), *_own(table, wanted.player)}:
            return Refusal(reason=f"{wanted.at} is not free.".capitalize(), rule="")
        if is_full(state, table, wanted.player):
            return refused(state.book, "seats_per_table", f"Table {wanted.at.table} is full.")
        together = beside_another(state, wanted.player, table)
        if together is not None and not wanted.anyway:
            return together
        at = wanted.at
    else:
        found = newcomer_seat(state, facts, wanted.player)
        if found is None:
            return refused(state.book, "seats_per_table", "No open table has a free seat.")
        at = found
    rule = state.book.tournament.newcomer_between_button_and_blind
    return (PlayerSeated(wanted.player, at, rule.rule, waits=not rule.value),)


def _own(table: TableSeats, player: str) -> list[Seat]:
    return [seat for seat, name in table.reserved.items() if name == player]


def newcomer_seat(state: State, facts: Facts, player: str = "") -> SeatAt | None:
    """The free seat of the emptiest table that is due for the big blind first (wfp.procedures.12), at a table
    without somebody whom the player is kept apart from, where there is one."""
    with_seats = [t for t in state.seats.open_tables() if t.free() and not is_full(state, t, player)]
    if not with_seats:
        return None
    table = min(with_seats, key=lambda table: (meets(state, player, table), len(table.players)))
    return SeatAt(table.plan.table, due_first(table.free(), facts.get(table.plan.table)))


def due_first(free: Sequence[Seat], fact: TableFacts | None) -> Seat:
    """Of the free seats the one that is due for the big blind first: clockwise from the last big blind."""
    if fact is None or fact.big_blind is None:
        return min(free)
    return clockwise_from(fact.big_blind, free)[0]


def reserve_seat(state: State, wanted: ReserveSeat, now: Instant, facts: Facts) -> Decision:
    table = state.seats.tables.get(wanted.at.table)
    if table is None or wanted.at.seat not in table.free():
        return Refusal(reason=f"{str(wanted.at).capitalize()} is not free.", rule="")
    rule = state.book.tournament.reserved_seats
    if rule is not None and not rule.value:
        return refused(state.book, "reserved_seats", "No seats are kept for anybody.")
    return (SeatReserved(wanted.at, wanted.player, wanted.why, rule.rule if rule is not None else ""),)


def keep_apart(state: State, wanted: KeepApart, now: Instant, facts: Facts) -> Decision:
    if wanted.one == wanted.other:
        return Refusal(reason="Name two players.", rule="")
    rule = state.book.tournament.keep_pairs_apart
    if rule is not None and not rule.value:
        return refused(state.book, "keep_pairs_apart", "Nobody is kept apart from anybody.")
    return (KeptApart(wanted.one, wanted.other, rule.rule if rule is not None else ""),)


# ------------------------------------------------------------------------------------------------ reducers


def sit(state: State, player: str, at: SeatAt) -> None:
    make_room(state, at)
    table = state.seats.tables.get(at.table)
    entrant = state.field.entrants.get(player)
    if table is None or at.seat in table.players:
        raise ConflictError(f"{at} is taken")
    if entrant is None or entrant.status is not Status.PLAYING or player in state.seats.at:
        raise ConflictError(f"{player} cannot sit down")
    if table.reserved.get(at.seat) == player:
        del table.reserved[at.seat]
    table.players[at.seat] = player
    table.vacated.discard(at.seat)
    state.seats.at[player] = at


def _on_seated(state: State, event: PlayerSeated, now: Instant) -> None:
    opens = event.at.table in state.seats.tables and may_open(state, state.seats.tables[event.at.table])
    sit(state, event.player, event.at)
    if state.started is None and not state.seats.drawn:  # drawn with the entry
        state.seats.tables[event.at.table].open = True
    else:
        table = state.seats.tables[event.at.table]
        table.open = table.open or opens
        table.joined += 1


def _on_reserved(state: State, event: SeatReserved, now: Instant) -> None:
    state.seats.tables[event.at.table].reserved[event.at.seat] = event.player


def _on_apart(state: State, event: KeptApart, now: Instant) -> None:
    state.seats.apart.add(frozenset((event.one, event.other)))


def _on_closed(state: State, event: TableClosed, now: Instant) -> None:
    table = state.seats.tables[event.table]
    table.open, table.closed_by = False, event.rule
    note_final_table(state, now)


COMMANDS: Mapping[type, Any] = {
    SeatPlayer: seat_player,
    ReserveSeat: reserve_seat,
    KeepApart: keep_apart,
}
REDUCERS: Mapping[type, Any] = {
    PlayerSeated: _on_seated,
    SeatReserved: _on_reserved,
    KeptApart: _on_apart,
    TableClosed: _on_closed,
}
