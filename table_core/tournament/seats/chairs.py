"""How many players a table may hold, and which of its seats somebody may have."""

from __future__ import annotations

from table_core.messages import Refusal, Seat
from table_core.rulebook import Rulebook
from table_core.tournament.decision import refused
from table_core.tournament.events import Instant, SeatAt
from table_core.tournament.state import State, Status, TableSeats


def most(state: State) -> int:
    """Players a table may hold."""
    limit = state.book.tournament.seats_per_table
    return limit.value if limit is not None else state.book.rules.max_seats.value


def most_at_start(state: State) -> int:
    """As `most`, with the player more that a table may begin with (wfp.seating.8)."""
    extra = state.book.tournament.extra_seat_at_start
    return most(state) + (extra is not None and extra.value)


def chairs_of(book: Rulebook) -> int:
    """Chairs of a table, where nobody says how many it has: for a full one, with the player more of the start."""
    full, extra = book.tournament.seats_per_table, book.tournament.extra_seat_at_start
    most = book.rules.max_seats.value
    return most if full is None else min(most, full.value + (extra is not None and extra.value))


def usable(table: TableSeats) -> list[Seat]:
    return [Seat(n) for n in range(1, table.plan.seats + 1) if n not in table.plan.unavailable]


def places(state: State, table: TableSeats) -> int:
    return min(most(state), len(usable(table)))


def is_full(state: State, table: TableSeats, player: str = "") -> bool:
    """Whether the table has as many players as the book allows, with those who are on the way; `player` is not
    counted."""
    held = {*table.players.values(), *table.reserved.values()} - {player}
    return len(held) >= most(state)


def may_open(state: State, table: TableSeats) -> bool:
    """Whether a table that is not played on may be opened for a player: by hand, where nobody sits."""
    return state.by_hand and state.seats.drawn and not table.open and not table.players


def meets(state: State, player: str, table: TableSeats) -> bool:
    """Whether somebody whom `player` is kept apart from sits at the table, or is on the way there."""
    if not state.seats.apart:
        return False
    there = {*table.players.values(), *table.reserved.values()}
    return any(player in pair and pair - {player} <= there for pair in state.seats.apart)


def beside_another(state: State, player: str, table: TableSeats) -> Refusal | None:
    """Why the player is not put at this table: somebody there is to be kept apart (home.seating.3)."""
    there = {*table.players.values(), *table.reserved.values()}
    pairs = (pair - {player} for pair in state.seats.apart if player in pair)
    other = next((name for pair in pairs for name in pair if name in there), None)
    if other is None:
        return None
    reason = f"{player} and {other} are kept apart, and {other} is at table {table.plan.table}."
    return refused(state.book, "keep_pairs_apart", reason)


def make_room(state: State, at: SeatAt) -> None:
    """Whoever is out of chips in a seat that somebody else was given has none: the bust was confirmed before that,
    and is taken back."""
    table = state.seats.tables.get(at.table)
    player = table.players.get(at.seat) if table is not None else None
    if table is not None and player is not None and state.field.entrants[player].status is Status.BUSTED:
        del table.players[at.seat], state.seats.at[player]


def note_final_table(state: State, now: Instant) -> None:
    """Since when one table is left of several."""
    if len(state.seats.open_tables()) != 1 or state.seats.began_with < 2:
        state.seats.final_since = None
    elif state.seats.final_since is None:
        state.seats.final_since = now
