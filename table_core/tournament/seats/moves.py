"""A player's way to another table: confirmed, left after the hand, in transit, seated and counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from table_core.cards import parse_card, rank_of
from table_core.hand.seats import clockwise_from
from table_core.messages import CardText, Chips, Few, Frozen, Many, Name, Refusal, Said, Seat
from table_core.tournament.by_hand import stack_by_hand
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    CardsDealt,
    ClockStopped,
    Instant,
    MoveConfirmed,
    MoveLeft,
    MoveSeated,
    MoveWithdrawn,
    SeatAt,
    TableClosed,
    TournamentEvent,
)
from table_core.tournament.field.lookup import who_waits
from table_core.tournament.penalties import carried
from table_core.tournament.policies import SuitsInDraws
from table_core.tournament.seats.balance import balance, table_to_break
from table_core.tournament.seats.button import dealer
from table_core.tournament.seats.chairs import beside_another, is_full, make_room, may_open, note_final_table
from table_core.tournament.seats.draw import DrawSeats, draw_seats
from table_core.tournament.state import Facts, Move, MoveStage, State, Status, TableSeats
from table_core.tournament.stops import let_go_on, stop_clock


class ConfirmMove(Frozen, frozen=True):
    """Confirm what is proposed for `player`; with `to`, the director's own move, for the reason `why`: not to the
    table of somebody whom the player is kept apart from, unless `anyway` says why."""

    player: Name
    to: SeatAt | None = None
    why: Said = ""
    anyway: Said = ""


class BreakTable(Frozen, frozen=True):
    """One table fewer, as it is proposed: everybody draws a seat, or the table's players fill free seats."""

    table: Name
    anyway: Said = ""


class DealForMove(Frozen, frozen=True):
    """Cards that were dealt to see who moves. Several tables: one card each, the low card gives a player. One
    table: a card for each player in the order of the deal, from the dealer's left, wherever the button is."""

    tables: Many[Name]
    cards: Few[CardText]


class ReportLeft(Frozen, frozen=True):
    """The player got up after the hand with this rack."""

    move: Name
    rack: Chips


class ReportSeated(Frozen, frozen=True):
    """The player sits at the new table; `rack` as counted there."""

    move: Name
    rack: Chips


class WithdrawMove(Frozen, frozen=True):
    move: Name
    why: Said = ""


def confirm_move(state: State, wanted: ConfirmMove, now: Instant, facts: Facts) -> Decision:
    start = state.seats.at.get(wanted.player)
    if start is None:
        return Refusal(reason=f"{wanted.player} does not sit anywhere.", rule="")
    if any(move.ordered.player == wanted.player for move in state.seats.moves.values()):
        return Refusal(reason=f"{wanted.player} is being moved already.", rule="")
    id_ = next_move(state)
    if wanted.to is not None:
        table = state.seats.tables.get(wanted.to.table)
        opens = table is not None and may_open(state, table)
        if table is None or not (table.open or opens) or wanted.to.seat not in table.free():
            return Refusal(reason=f"{str(wanted.to).capitalize()} is not free.", rule="")
        if is_full(state, table, wanted.player) and wanted.to.table != start.table:
            return refused(state.book, "seats_per_table", f"Table {wanted.to.table} is full.")
        together = beside_another(state, wanted.player, table)
        if together is not None and wanted.to.table != start.table and not wanted.anyway:
            return together
        control = state.book.tournament.seat_change_by_player
        if control is not None and not control.value and state.started is not None and not wanted.why:
            return refused(state.book, "seat_change_by_player", "No change of seat without the director's reason.")
        rule = control.rule if control is not None else ""
        return at_once(
            state,
            MoveConfirmed(
                id_, wanted.player, start, wanted.to, wanted.anyway or wanted.why or "the director's", rule
            ),
        )
    found = next((move for move in balance(state, facts) if move.player == wanted.player), None)
    if found is None:
        return Refusal(reason=f"No move is proposed for {wanted.player}: name a seat and the reason.", rule="")
    playing = [name for name, fact in facts.items() if fact.in_hand]
    if found.waits_for_all and playing and not _holds_tables(state):
        reason = f"Moves wait until the hands at all tables are over: table {', '.join(playing)} plays."
        return refused(state.book, "balance_waits_for_all_hands", reason)
    if state.by_hand:
        return at_once(state, MoveConfirmed(id_, found.player, found.start, found.to, found.why, found.rule))
    waits = found.waits_for_all
    confirmed = MoveConfirmed(id_, found.player, found.start, found.to, found.why, found.rule, waits)
    return (confirmed, *_stopped(state, now))


def at_once(state: State, *confirmed: MoveConfirmed) -> tuple[TournamentEvent, ...]:
    """These moves; by hand with the whole way: nobody says when a player gets up or sits down."""
    if not state.by_hand:
        return confirmed
    racks = {move.player: Chips(stack_by_hand(state, move.player) or 0) for move in confirmed}
    return tuple(
        event
        for move in confirmed
        for event in (
            move,
            MoveLeft(move.move, racks[move.player], move.player),
            MoveSeated(move.move, racks[move.player], move.player),
        )
    )


def next_move(state: State) -> str:
    """An id that no move under way has: where one was taken back, later ones keep theirs."""
    under_way = [int(id_.removeprefix("move-")) for id_ in state.seats.moves]
    return f"move-{max([state.moves_made, *under_way]) + 1}"


def deal_for_move(state: State, wanted: DealForMove, now: Instant, facts: Facts) -> Decision:
    """The ace is high, and suits decide where the book ranks them; else equal low cards are dealt again."""
    book = state.book.tournament
    named = [state.seats.tables.get(name) for name in wanted.tables]
    if book.balance_by_cards is None or not book.balance_by_cards.value or not named or None in named:
        return refused(state.book, "balance_by_cards", "Name the tables; the book has to deal cards for moves.")
    seats: tuple[Seat, ...] = ()
    if len(wanted.tables) == 1:
        table = state.seats.tables[wanted.tables[0]]
        seats = _deal_order(table, dealer(state, table, facts))
    if len(wanted.cards) != len(seats or wanted.tables) or len(set(wanted.cards)) < len(wanted.cards):
        return refused(state.book, "balance_by_cards", f"{len(seats or wanted.tables)} different cards.")
    ranks = [rank_of(parse_card(card)) for card in wanted.cards]
    if book.suits_in_draws.value is SuitsInDraws.EQUAL and ranks.count(min(ranks)) > 1:
        return refused(state.book, "balance_by_cards", "Equal low cards: deal again.")
    return (CardsDealt(wanted.tables, seats, wanted.cards, state.moves_made, book.balance_by_cards.rule),)


def _deal_order(table: TableSeats, dealer: Seat | None) -> tuple[Seat, ...]:
    """The seats from the dealer's left; a dealer who does not play sits before seat 1."""
    return clockwise_from(dealer if dealer is not None else Seat(0), table.players)


def _holds_tables(state: State) -> bool:
    """Whether no table begins a hand while tables are balanced: the hands that are played are the last ones before
    the move (ccp.timer.8)."""
    book = state.book.tournament
    stops, held = book.clock_stops_for_balancing, book.no_new_hands_while_stopped
    return stops is not None and stops.value and held is not None and held.value


def _stopped(state: State, now: Instant) -> tuple[ClockStopped, ...]:
    """The clock stands while tables are balanced, where the book says so (ccp.timer.7)."""
    return stop_clock(state, now, state.book.tournament.clock_stops_for_balancing)


def _goes_on(state: State, last: str, now: Instant) -> tuple[ClockStopped, ...]:
    """The clock goes on with the last move."""
    return let_go_on(state, now, state.book.tournament.clock_stops_for_balancing, move=last)


def break_table(state: State, wanted: BreakTable, now: Instant, facts: Facts) -> Decision:
    """A redraw waits until no hand is in progress; players of a broken table move after their own hand."""
    if state.field.busts:
        return Refusal(reason=f"Decide the pending bust first: {who_waits(state, state.field.busts)}.", rule="")
    proposed = table_to_break(state, facts, asked=True, anyway=bool(wanted.anyway))
    if proposed is None or proposed.table != wanted.table:
        last = state.seats.open_tables()[-1:]
        reason = f"{state.field.playing} players are left: no table breaks yet."
        if proposed is not None and last:
            reason = f"Table {proposed.table} breaks first."
        return refused(state.book, "table_breaks_at", reason)
    if state.seats.moves:
        return Refusal(reason=f"Moves are under way: {', '.join(state.seats.moves)}.", rule="")
    if proposed.redraw is None:
        first = int(next_move(state).removeprefix("move-"))
        moves = tuple(
            MoveConfirmed(f"move-{first + at}", move.player, move.start, move.to, move.why, move.rule)
            for at, move in enumerate(proposed.moves)
        )
        return (TableClosed(wanted.table, proposed.rule), *at_once(state, *moves))
    if playing := [name for name, fact in facts.items() if fact.in_hand]:
        return Refusal(
            reason=f"Everybody draws a seat: table {', '.join(playing)} still plays.", rule=proposed.rule
        )
    return draw_seats(state, DrawSeats(why=proposed.redraw, tables=proposed.keep), now, facts)


def report_left(state: State, wanted: ReportLeft, now: Instant, facts: Facts) -> Decision:
    move = state.seats.moves.get(wanted.move)
    if move is None or move.stage is not MoveStage.CONFIRMED:
        return Refusal(reason=f"{wanted.move} does not wait for a player to leave.", rule="")
    player = move.ordered.player
    return (MoveLeft(wanted.move, wanted.rack, player), *carried(state, player, facts))


def report_seated(state: State, wanted: ReportSeated, now: Instant, facts: Facts) -> Decision:
    move = state.seats.moves.get(wanted.move)
    if move is None or move.stage is not MoveStage.IN_TRANSIT:
        return Refusal(reason=f"Nobody is on the way for {wanted.move}.", rule="")
    player, to = move.ordered.player, move.ordered.to.table
    seated = (MoveSeated(wanted.move, wanted.rack, player), *carried(state, player, facts, to))
    return (*seated, *_goes_on(state, wanted.move, now))


def withdraw_move(state: State, wanted: WithdrawMove, now: Instant, facts: Facts) -> Decision:
    move = state.seats.moves.get(wanted.move)
    if move is None:
        return Refusal(reason=f"There is no move {wanted.move} under way.", rule="")
    if move.stage is MoveStage.IN_TRANSIT:
        reason = f"{move.ordered.player} has left the table: seat the player, then move on or back."
        return Refusal(reason=reason, rule="")
    return (MoveWithdrawn(wanted.move, wanted.why, move.ordered.player), *_goes_on(state, wanted.move, now))


# ------------------------------------------------------------------------------------------------ reducers


def _confirmed(state: State, event: MoveConfirmed, now: Instant) -> None:
    make_room(state, event.to)
    table = state.seats.tables[event.to.table]
    if state.seats.at.get(event.player) != event.start or event.to.seat not in table.free():
        raise ConflictError(f"{event.player} cannot move to {event.to}")
    state.moves_made += 1
    state.seats.moves[event.move] = Move(event, since=now)
    table.reserved[event.to.seat] = event.player


def _left(state: State, event: MoveLeft, now: Instant) -> None:
    move = _under_way(state, event.move, MoveStage.CONFIRMED)
    move.stage, move.rack, move.since = MoveStage.IN_TRANSIT, event.rack, now
    start = state.seats.at.pop(move.ordered.player)
    table = state.seats.tables[start.table]
    del table.players[start.seat]
    if not table.players and not table.reserved:  # the last one has left
        table.open = False
        note_final_table(state, now)


def _seated(state: State, event: MoveSeated, now: Instant) -> None:
    move = _under_way(state, event.move, MoveStage.IN_TRANSIT)
    to, player = move.ordered.to, move.ordered.player
    table = state.seats.tables[to.table]
    if to.seat in table.players or state.field.entrants[player].status is not Status.PLAYING:
        raise ConflictError(f"{player} cannot sit down at {to}")
    del state.seats.moves[event.move]
    table.reserved.pop(to.seat, None)
    table.open = table.open or may_open(state, table)
    table.players[to.seat] = player
    table.joined += 1
    table.vacated.discard(to.seat)
    state.seats.at[player] = to
    if state.seats.final_since is not None and state.book.tournament.button_redraw_new_share is not None:
        table.redrawn = not state.seats.moves  # the final table begins (cpp.dealer.4)


def _withdrawn(state: State, event: MoveWithdrawn, now: Instant) -> None:
    move = _under_way(state, event.move, MoveStage.CONFIRMED)
    del state.seats.moves[event.move]
    state.seats.tables[move.ordered.to.table].reserved.pop(move.ordered.to.seat, None)


def _dealt(state: State, event: CardsDealt, now: Instant) -> None:
    state.seats.dealt = event


def _clock_stopped(state: State, event: ClockStopped, now: Instant) -> None:
    if state.clock is None:
        raise ConflictError("there is no clock")
    state.clock = replace(state.clock, mark=event.mark)
    state.stopped_by_book = not event.goes_on


def _under_way(state: State, id_: str, stage: MoveStage) -> Move:
    move = state.seats.moves.get(id_)
    if move is None or move.stage is not stage:
        raise ConflictError(f"{id_} is not {stage.replace('_', ' ')}")
    return move


COMMANDS: Mapping[type, Any] = {
    ConfirmMove: confirm_move,
    BreakTable: break_table,
    DealForMove: deal_for_move,
    ReportLeft: report_left,
    ReportSeated: report_seated,
    WithdrawMove: withdraw_move,
}
REDUCERS: Mapping[type, Any] = {
    MoveConfirmed: _confirmed,
    MoveLeft: _left,
    MoveSeated: _seated,
    MoveWithdrawn: _withdrawn,
    ClockStopped: _clock_stopped,
    CardsDealt: _dealt,
}
