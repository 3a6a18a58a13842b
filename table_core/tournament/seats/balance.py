"""Tables kept equal, tables that break: what the book asks for now, as proposals.

A proposal is computed anew from the seats and from what the tables report, so it is never out of date. A person
confirms it, and it becomes a move (`moves.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from table_core.cards import rank_of
from table_core.hand.seats import clockwise_from
from table_core.messages import Frozen, Name, Number, Seat, Text
from table_core.messages.base import Few
from table_core.tournament.chance import drawn_cards
from table_core.tournament.events import Redraw, SeatAt
from table_core.tournament.seats.seating import due_first
from table_core.tournament.state import Facts, State, TableFacts, TableSeats

ACE = 12  # its rank


class MoveProposal(Frozen, frozen=True):
    """One player to another table. `tied`: cards decided which of these tables gives a player."""

    player: Name
    start: SeatAt
    to: SeatAt
    why: Text
    rule: Name
    tied: Few[Name] = ()
    waits_for_all: bool = False  # until the hands at all tables are over


class BreakProposal(Frozen, frozen=True):
    """One table fewer. `redraw`: everybody draws a seat; else `moves` take the broken table's players."""

    table: Name
    left: Number
    rule: Name
    redraw: Redraw | None = None
    moves: Few[MoveProposal] = ()


@dataclass(slots=True)
class _Table:
    """A table as it will be when the moves under way are done."""

    name: str
    players: dict[Seat, str]
    free: list[Seat]
    vacated: set[Seat]
    fact: TableFacts | None
    arriving: set[str] = field(default_factory=set)


def table_to_break(state: State, facts: Facts, *, anyway: bool = False) -> BreakProposal | None:
    """The table that the book breaks at this number of players, or None. `anyway`: a person wants it."""
    tables = state.seats.open_tables()
    left = state.field.playing
    if len(tables) < 2 or state.field.busts or (not anyway and left > _limit(state, len(tables))):
        return None
    book = state.book.tournament
    at = book.table_breaks_at
    final = len(tables) == 2
    rule = (at or book.final_table_size or book.seats_per_table or book.initial_button).rule
    broken = tables[-1]
    how = book.table_break_reseat
    if (how is not None and how.value in ("redraw", "merge")) or (final and how is None):
        why = Redraw.FINAL_TABLE if final else Redraw.TABLES_MERGED
        return BreakProposal(broken.plan.table, left, how.rule if how is not None else rule, why)
    return BreakProposal(
        broken.plan.table, left, rule, None, _fill(state, facts, broken, how.rule if how else rule)
    )


def _limit(state: State, tables: int) -> int:
    """Players left at which one of this many tables breaks."""
    book = state.book.tournament
    most = book.seats_per_table.value if book.seats_per_table is not None else state.book.rules.max_seats.value
    plans = sorted((_places(table, most) for table in state.seats.open_tables()), reverse=True)
    seats = sum(plans[: tables - 1])
    at = book.table_breaks_at
    if at is not None and tables - 2 < len(at.value):
        return min(seats, at.value[len(at.value) - (tables - 1)])
    if tables == 2 and book.final_table_size is not None:
        return min(seats, book.final_table_size.value)
    return seats


def _places(table: TableSeats, most: int) -> int:
    return min(most, table.plan.seats - len(table.plan.unavailable))


def _fill(state: State, facts: Facts, broken: TableSeats, rule: str) -> tuple[MoveProposal, ...]:
    """The broken table's players into free seats, the emptiest table first; cards drawn for the order."""
    tables = [table for table in _tables(state, facts) if table.name != broken.plan.table]
    seats = sorted(broken.players)
    cards = drawn_cards(len(seats), f"{state.seed}/break/{broken.plan.table}/{state.field.playing}")
    order = [seat for _, seat in sorted(zip(cards, seats, strict=True), key=lambda drawn: -drawn[0])]
    moves = []
    for seat in order:
        table = min((t for t in tables if t.free), key=lambda t: len(t.players), default=None)
        if table is None:
            break
        to = due_first(table.free, table.fact)
        player = broken.players[seat]
        table.free.remove(to)
        table.players[to] = player
        start = SeatAt(broken.plan.table, seat)
        moves.append(MoveProposal(player, start, SeatAt(table.name, to), "the table breaks", rule))
    return tuple(moves)


def balance(state: State, facts: Facts) -> tuple[MoveProposal, ...]:
    """The moves that make the tables equal as the book has it; none while a table is to break, or while a player
    of the hand before may be out."""
    trigger = state.book.tournament.balance_at_difference
    if trigger is None or state.started is None or state.field.busts or table_to_break(state, facts) is not None:
        return ()
    tables = _tables(state, facts)
    moves: list[MoveProposal] = []
    while len(tables) > 1:
        fewest = min(tables, key=lambda table: (len(table.players), _distance(table)))
        most = max(len(table.players) for table in tables)
        if most - len(fewest.players) < trigger.value or not fewest.free:
            return tuple(moves)
        fullest = [table for table in tables if len(table.players) == most]
        moves.append(_move(state, fullest, fewest, len(moves)))
    return tuple(moves)


def _tables(state: State, facts: Facts) -> list[_Table]:
    tables = {
        table.plan.table: _Table(
            table.plan.table, dict(table.players), table.free(), set(table.vacated), facts.get(table.plan.table)
        )
        for table in state.seats.open_tables()
    }
    for move in state.seats.moves.values():
        ordered = move.ordered
        if ordered.start.table in tables:
            tables[ordered.start.table].players.pop(ordered.start.seat, None)
        if ordered.to.table in tables:
            tables[ordered.to.table].players[ordered.to.seat] = ordered.player
            tables[ordered.to.table].arriving.add(ordered.player)
    return list(tables.values())


def _move(state: State, fullest: Sequence[_Table], target: _Table, number: int) -> MoveProposal:
    book = state.book.tournament
    source = fullest[0]
    tied: tuple[str, ...] = ()
    if len(fullest) > 1:
        names = [table.name for table in fullest]
        cards = drawn_cards(len(fullest), f"{state.seed}/balance/{state.moves_made + number}/{'-'.join(names)}")
        low = min(range(len(fullest)), key=lambda at: (rank_of(cards[at]), cards[at]))
        source, tied = fullest[low], tuple(names)
    by_position = book.balance_mover is not None and book.balance_mover.value == "same_position"
    open_seats = [seat for seat in target.vacated if seat in target.free]
    to = min(open_seats, key=lambda seat: _position(target, seat), default=None)
    if by_position and to is not None and target.fact is not None and source.fact is not None:
        mover = _at_position(source, _position(target, to))
    else:
        mover = _next_big_blind(source)
    if to is None or not by_position:
        to = due_first(target.free, target.fact)
    player = source.players.pop(mover)
    target.players[to] = player
    target.free.remove(to)
    target.arriving.add(player)
    target.vacated.discard(to)
    rule = book.balance_mover.rule if book.balance_mover is not None else ""
    waits = book.balance_waits_for_all_hands is not None and book.balance_waits_for_all_hands.value
    why = f"table {source.name} has {len(source.players) + 1}, table {target.name} {len(target.players) - 1}"
    return MoveProposal(player, SeatAt(source.name, mover), SeatAt(target.name, to), why, rule, tied, waits)


def _distance(table: _Table) -> int:
    """Places from the button to the seat that became free: the nearest is filled first (ccp.moving.5)."""
    return min((_position(table, seat) for seat in table.vacated), default=100) if table.fact is not None else 100


def _position(table: _Table, seat: Seat) -> int:
    """How many places left of the button `seat` is, counting players; the player left of the button is 1."""
    button = table.fact.button if table.fact is not None else None
    if button is None:
        return 1
    order = clockwise_from(button, {*table.players, seat})
    return order.index(seat) + 1


def _at_position(table: _Table, position: int) -> Seat:
    """The seat so many places left of the button, of players who did not just arrive."""
    button = table.fact.button if table.fact is not None and table.fact.button is not None else Seat(0)
    order = clockwise_from(button, table.players)
    return order[min(position, len(order)) - 1]


def _next_big_blind(table: _Table) -> Seat:
    """Who is due for the big blind next."""
    last = table.fact.big_blind if table.fact is not None else None
    staying = [seat for seat, player in table.players.items() if player not in table.arriving]
    return clockwise_from(last if last is not None else Seat(0), staying)[0]
