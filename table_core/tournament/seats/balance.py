"""Tables kept equal, tables that break: what the book asks for now, as proposals.

A proposal is computed anew from the seats and from what the tables report, so it is never out of date. A person
confirms it, and it becomes a move (`moves.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from table_core.cards import parse_card
from table_core.hand.seats import clockwise_from
from table_core.messages import CardText, Few, Frozen, Many, Name, Number, Seat, Text
from table_core.tournament.chance import drawn_cards
from table_core.tournament.events import Redraw, SeatAt
from table_core.tournament.seats.chairs import places
from table_core.tournament.seats.seating import due_first
from table_core.tournament.state import Facts, MoveStage, State, TableFacts, TableSeats


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
    """Fewer tables, the last one first. `redraw`: everybody draws a seat at the tables of `keep`; else `moves`
    take the players of the broken table."""

    table: Name
    left: Number
    rule: Name
    redraw: Redraw | None = None
    moves: Few[MoveProposal] = ()
    keep: Many[Name] = ()


@dataclass(slots=True)
class _Table:
    """A table as it will be when the moves under way are done."""

    name: str
    players: dict[Seat, str]
    free: list[Seat]
    vacated: set[Seat]
    fact: TableFacts | None
    arriving: set[str] = field(default_factory=set)


def table_to_break(
    state: State, facts: Facts, *, asked: bool = False, anyway: bool = False
) -> BreakProposal | None:
    """The table that the book breaks at this number of players, or None. `asked`: also where it leaves that to the
    director; `anyway`: the director wants it."""
    tables, left = state.seats.open_tables(), state.field.playing
    if len(tables) < 2 or state.field.busts:
        return None
    seats = accumulate(places(state, table) for table in tables[:-1])
    enough = (no for no, held in enumerate(seats, 1) if left <= min(held, _limit(state, no, asked=asked)))
    kept = next(enough, None)
    if kept is None and not anyway:
        return None
    book = state.book.tournament
    how = book.table_break_reseat
    cited = how or book.table_breaks_at or book.final_table_size or book.seats_per_table
    rule = cited.rule if cited is not None else ""
    broken = tables[-1]
    if (how is not None and how.value == "redraw") or (len(tables) == 2 and how is None):
        kept = kept or len(tables) - 1
        why = Redraw.FINAL_TABLE if kept == 1 else Redraw.TABLES_MERGED
        names = tuple(table.plan.table for table in tables[:kept])
        return BreakProposal(broken.plan.table, left, rule, why, keep=names)
    return BreakProposal(broken.plan.table, left, rule, None, _fill(state, facts, broken, rule))


def _limit(state: State, tables: int, *, asked: bool) -> int:
    """Players left at which so many tables are enough, as far as seats do not limit them."""
    book = state.book.tournament
    at, optional = book.table_breaks_at, book.table_break_optional_until
    if at is not None and tables <= len(at.value):
        return at.value[-tables]
    if optional is not None and state.seats.began_with <= optional.value and not asked:
        return 0
    if tables == 1 and book.final_table_size is not None:
        return book.final_table_size.value
    return state.field.playing


def _fill(state: State, facts: Facts, broken: TableSeats, rule: str) -> tuple[MoveProposal, ...]:
    """The broken table's players into free seats, the emptiest table first; cards drawn for the order."""
    tables = [table for table in _tables(state, facts) if table.name != broken.plan.table]
    seats = sorted(broken.players)
    cards = drawn_cards(len(seats), f"{state.seed}/break/{broken.plan.table}/{state.field.playing}")
    order = [seat for _, seat in sorted(zip(cards, seats, strict=True), key=lambda drawn: -drawn[0])]
    moves = []
    for seat in order:
        player = broken.players[seat]
        with_seats = [table for table in tables if table.free]
        if not with_seats:
            break
        table = min(with_seats, key=lambda table: (_meets(state, player, table), len(table.players)))
        to = due_first(table.free, table.fact)
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
        moves.append(_move(state, facts, fullest, fewest, len(moves)))
    return tuple(moves)


def overtaken(state: State) -> tuple[str, ...]:
    """Confirmed moves that no longer make two tables more equal, because players went out since; the director
    withdraws them, or not."""
    trigger, mover = state.book.tournament.balance_at_difference, state.book.tournament.balance_mover
    if state.field.busts or trigger is None or mover is None:
        return ()
    moves = state.seats.moves
    will_be = {name: len(table.players) for name, table in state.seats.tables.items()}
    for move in moves.values():
        will_be[move.ordered.start.table] -= move.stage is MoveStage.CONFIRMED
        will_be[move.ordered.to.table] += 1
    return tuple(
        name
        for name, move in moves.items()
        if move.stage is MoveStage.CONFIRMED
        and move.ordered.rule == mover.rule
        and will_be[move.ordered.start.table] - will_be[move.ordered.to.table] + 2 < trigger.value
    )


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


def _move(state: State, facts: Facts, fullest: Sequence[_Table], target: _Table, number: int) -> MoveProposal:
    book = state.book.tournament
    turn = state.moves_made + number
    source = fullest[0]
    tied: tuple[str, ...] = ()
    if len(fullest) > 1:
        tied = tuple(table.name for table in fullest)
        source = fullest[_low_card(state, tied, turn)]
    by_vacancy = book.balance_target_seat is not None and book.balance_target_seat.value != "first_due_big_blind"
    by_position = book.balance_mover is not None and book.balance_mover.value == "same_position"
    open_seats = [seat for seat in target.vacated if seat in target.free]
    to = min(open_seats, key=lambda seat: _position(target, seat), default=None)
    known = target.fact is not None and source.fact is not None
    dealt = state.seats.dealt
    if dealt is not None and dealt.seats and dealt.tables == (source.name,) and dealt.turn == turn:
        order = _from(source, dealt.seats[_lowest(dealt.cards)])
    elif by_position and to is not None and known:
        order = _from(source, _at_position(source, _position(target, to)))
    else:
        order = _from(source, _next_big_blind(source))
    mover = next((seat for seat in order if not _meets(state, source.players[seat], target)), order[0])
    if to is None or not by_vacancy:
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


def _low_card(state: State, tables: Sequence[str], turn: int) -> int:
    """Which of these tables gives a player: that of the low card, of those dealt there or drawn from the seed."""
    dealt = state.seats.dealt
    if dealt is not None and not dealt.seats and set(dealt.tables) == set(tables) and dealt.turn == turn:
        return tables.index(dealt.tables[_lowest(dealt.cards)])
    cards = drawn_cards(len(tables), f"{state.seed}/balance/{turn}/{'-'.join(tables)}")
    return min(range(len(tables)), key=lambda at: cards[at])


def _lowest(cards: Sequence[CardText]) -> int:
    """The place of the low card; the ace is high, and of equal ranks clubs are lowest."""
    return min(range(len(cards)), key=lambda at: parse_card(cards[at]))


def _from(table: _Table, first: Seat) -> list[Seat]:
    """Who may leave the table, from `first` clockwise; players who just arrive stay."""
    staying = [seat for seat, player in table.players.items() if player not in table.arriving or seat == first]
    return [first, *(seat for seat in clockwise_from(first, staying) if seat != first)]


def _meets(state: State, player: str, table: _Table) -> bool:
    there = set(table.players.values())
    return any(player in pair and pair - {player} <= there for pair in state.seats.apart)


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
