"""Who gets which seat: the draw, the first button, players who join late, seats reserved or closed.

A draw comes from a seed that is recorded with it (`chance.py`), or from cards that people drew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table_core.cards import Card, card_text, parse_card, rank_of, suit_of
from table_core.hand.seats import clockwise_from
from table_core.messages import CardText, Frozen, Name, Refusal, Seat, Text
from table_core.messages.base import Few, Many
from table_core.rulebook import Rulebook
from table_core.tournament.chance import drawn_cards, shuffled
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    ButtonSet,
    Instant,
    KeptApart,
    PlayerSeated,
    Redraw,
    SeatAt,
    Seated,
    SeatReserved,
    SeatsDrawn,
    TableClosed,
)
from table_core.tournament.policies import InitialButton, SuitsInDraws
from table_core.tournament.state import Facts, State, Status, TableFacts, TableSeats

MOST_SWAPS = 1_000  # limit of attempts; pairs that cannot be separated are reported

# ------------------------------------------------------------------------------------------------ commands


class DrawSeats(Frozen, frozen=True):
    """Draw everybody's seat. `tables`: those to play on; none given: as many as the field needs. `seed`: another
    one than the tournament's."""

    seed: Text = ""
    why: Redraw = Redraw.START
    tables: Many[Name] = ()


class AssignSeats(Frozen, frozen=True):
    """The director says who sits where; everybody who plays has one seat."""

    seats: Many[Seated]
    why: Redraw = Redraw.START


class SetButton(Frozen, frozen=True):
    """The first button of a table, by the cards drawn there (`cards` by seat), or by the seed."""

    table: Name
    seed: Text = ""
    seats: Few[Seat] = ()
    cards: Few[CardText] = ()


class SeatPlayer(Frozen, frozen=True):
    """A player who joins. `at` only where the director chooses the seat."""

    player: Name
    at: SeatAt | None = None


class ReserveSeat(Frozen, frozen=True):
    player: Name
    at: SeatAt
    why: Text = ""


class KeepApart(Frozen, frozen=True):
    one: Name
    other: Name


# ------------------------------------------------------------------------------------------------ the draw


def draw_seats(state: State, wanted: DrawSeats, now: Instant, facts: Facts) -> Decision:
    """Seats for everybody who plays, spread as evenly as possible over the tables."""
    players = [name for name, entrant in state.field.entrants.items() if entrant.status is Status.PLAYING]
    if not players:
        return Refusal(reason="Nobody has entered: there is nobody to seat.", rule="")
    tables = _tables_for(state, len(players), wanted.tables)
    if isinstance(tables, Refusal):
        return tables
    seed = wanted.seed or f"{state.seed}/{wanted.why}/{len(players)}"
    seats = _drawn(state, players, tables, seed)
    book = state.book.tournament
    said = book.initial_seating if wanted.why is Redraw.START else book.table_break_reseat
    rule = said.rule if said is not None else ""
    names = tuple(table.plan.table for table in tables)
    return (SeatsDrawn(wanted.why, names, seats, rule, seed),)


def assign_seats(state: State, wanted: AssignSeats, now: Instant, facts: Facts) -> Decision:
    playing = {name for name, entrant in state.field.entrants.items() if entrant.status is Status.PLAYING}
    names, places = [seated.player for seated in wanted.seats], [seated.at for seated in wanted.seats]
    if set(names) != playing or len(names) != len(playing):
        missing = ", ".join(sorted(playing ^ set(names))) or "a player is named twice"
        return Refusal(reason=f"One seat for everybody who plays: {missing}.", rule="")
    tables = state.seats.tables
    wrong = [at for at in places if at.table not in tables or at.seat not in _usable(tables[at.table])]
    if wrong or len(set(places)) < len(places):
        reason = f"There is no {wrong[0]}." if wrong else "A seat is named twice."
        return Refusal(reason=reason, rule="")
    control = state.book.tournament.initial_seating
    used = tuple(dict.fromkeys(at.table for at in places))
    return (SeatsDrawn(wanted.why, used, wanted.seats, control.rule if control is not None else ""),)


def _tables_for(state: State, players: int, names: Sequence[str]) -> list[TableSeats] | Refusal:
    """The tables to play on, with places for everybody."""
    known = state.seats.tables
    unknown = [name for name in names if name not in known]
    if unknown:
        return Refusal(reason=f"There is no table {unknown[0]}; there are: {', '.join(known)}.", rule="")
    chosen = [known[name] for name in names] or list(known.values())
    places = [min(len(_usable(table)), _most(state)) for table in chosen]
    if sum(places) < players:
        reason = f"{players} players and {sum(places)} seats: name more tables."
        return refused(state.book, "seats_per_table", reason)
    if names:
        return chosen
    needed = 0
    while sum(places[:needed]) < players:
        needed += 1
    return chosen[:needed]


def _most(state: State) -> int:
    """Players a table may hold."""
    most = state.book.tournament.seats_per_table
    return most.value if most is not None else state.book.rules.max_seats.value


def _usable(table: TableSeats) -> list[Seat]:
    return [Seat(n) for n in range(1, table.plan.seats + 1) if n not in table.plan.unavailable]


def _drawn(state: State, players: list[str], tables: list[TableSeats], seed: str) -> tuple[Seated, ...]:
    """One seat each: even tables, reserved seats first, pairs kept apart where the tables allow it."""
    fewest, more = divmod(len(players), len(tables))
    holds = {name: (table, seat) for table in tables for seat, name in table.reserved.items()}
    seats: list[SeatAt] = []
    for number, table in enumerate(tables):
        count = fewest + (number < more)
        reserved = [seat for name, (other, seat) in holds.items() if other is table and name in players]
        others = [seat for seat in _usable(table) if seat not in table.reserved]
        chosen = sorted([*reserved, *others[: count - len(reserved)]])
        seats += [SeatAt(table.plan.table, seat) for seat in chosen]
    taken = {name: SeatAt(table.plan.table, seat) for name, (table, seat) in holds.items() if name in players}
    drawing = shuffled([name for name in players if name not in taken], seed)
    order = dict(zip(drawing, (at for at in seats if at not in taken.values()), strict=True))
    _part(state, order, taken)
    whole = {**order, **taken}
    return tuple(Seated(name, whole[name]) for name in sorted(whole, key=lambda name: seats.index(whole[name])))


def _part(state: State, order: dict[str, SeatAt], taken: Mapping[str, SeatAt]) -> None:
    """Exchange seats until no pair that is kept apart shares a table, as far as that is possible."""

    def meets(name: str, at: SeatAt) -> bool:
        return any(
            other.table == at.table
            for pair in state.seats.apart
            if name in pair
            for companion in pair - {name}
            if (other := order.get(companion) or taken.get(companion)) is not None
        )

    for _ in range(MOST_SWAPS):
        clash = next((name for name in order if meets(name, order[name])), None)
        if clash is None:
            return
        here = order[clash]
        for name, there in order.items():
            if there.table != here.table and not meets(clash, there):
                order[clash], order[name] = there, here
                if not meets(name, here):
                    break
                order[clash], order[name] = here, there
        else:
            return


# ------------------------------------------------------------------------------------------------ the button


def set_button(state: State, wanted: SetButton, now: Instant, facts: Facts) -> Decision:
    table = state.seats.tables.get(wanted.table)
    if table is None or not table.players:
        return Refusal(reason=f"Nobody sits at table {wanted.table}.", rule="")
    seats = sorted(table.players)
    if wanted.cards:
        if set(wanted.seats) != set(seats) or len(wanted.cards) != len(wanted.seats):
            return Refusal(reason=f"One card for each of the seats {', '.join(map(str, seats))}.", rule="")
        drawn = {seat: parse_card(text) for seat, text in zip(wanted.seats, wanted.cards, strict=True)}
    else:
        drawn = dict(
            zip(seats, drawn_cards(len(seats), wanted.seed or f"{state.seed}/button/{wanted.table}"), strict=True)
        )
    by_seat_cards = state.book.tournament.initial_button.value is InitialButton.ACE and not wanted.cards
    try:  # of seat cards, the ace is the first seat
        button = min(drawn) if by_seat_cards else initial_button(state.book, drawn)
    except ValueError as error:
        return refused(state.book, "suits_in_draws", f"{error}.")
    cards = tuple(card_text(drawn[seat]) for seat in sorted(drawn))
    return (ButtonSet(wanted.table, button, state.book.tournament.initial_button.rule, cards),)


def buttons_to_draw(state: State) -> tuple[str, ...]:
    """Tables where the share of newcomers since the last draw asks for a new draw of the button (cpp.dealer.4)."""
    share = state.book.tournament.button_redraw_new_share
    if share is None or state.started is None:
        return ()
    tables = state.seats.open_tables()
    return tuple(t.plan.table for t in tables if t.players and t.joined >= share.value * len(t.players))


def initial_button(rulebook: Rulebook, drawn: Mapping[Seat, Card]) -> Seat:
    """The seat that has the button on hand 1; `drawn` is one card for each seat, as the book draws them.

    Raise `ValueError` for no seats, or when a tie of ranks must be drawn again.
    """
    if not drawn:
        raise ValueError("no seats to give the button to")
    tournament = rulebook.tournament
    if tournament.initial_button.value is InitialButton.SEAT_ONE:
        return min(drawn)
    suits_count = tournament.suits_in_draws.value is SuitsInDraws.SPADES_HIGH

    def worth(seat: Seat) -> tuple[int, int]:
        return rank_of(drawn[seat]), suit_of(drawn[seat]) if suits_count else 0

    best = max(worth(seat) for seat in drawn)
    highest = [seat for seat in drawn if worth(seat) == best]
    if len(highest) > 1:
        raise ValueError(f"seats {', '.join(map(str, sorted(highest)))} drew the same rank: draw again")
    return highest[0]


# ------------------------------------------------------------------------------------------------ who joins


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
        at = wanted.at
    else:
        found = newcomer_seat(state, facts)
        if found is None:
            return refused(state.book, "seats_per_table", "No open table has a free seat.")
        at = found
    rule = state.book.tournament.newcomer_between_button_and_blind
    return (PlayerSeated(wanted.player, at, rule.rule, waits=not rule.value),)


def _own(table: TableSeats, player: str) -> list[Seat]:
    return [seat for seat, name in table.reserved.items() if name == player]


def newcomer_seat(state: State, facts: Facts) -> SeatAt | None:
    """The free seat of the emptiest table that is due for the big blind first (wfp.procedures.12)."""
    open_tables = [t for t in state.seats.open_tables() if t.free() and len(t.players) < _most(state)]
    if not open_tables:
        return None
    table = min(open_tables, key=lambda table: len(table.players))
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
    return (SeatReserved(wanted.at, wanted.player, wanted.why),)


def keep_apart(state: State, wanted: KeepApart, now: Instant, facts: Facts) -> Decision:
    if wanted.one == wanted.other:
        return Refusal(reason="Name two players.", rule="")
    rule = state.book.tournament.keep_pairs_apart
    return (KeptApart(wanted.one, wanted.other, rule.rule if rule is not None else ""),)


# ------------------------------------------------------------------------------------------------ reducers


def _on_draw(state: State, event: SeatsDrawn, now: Instant) -> None:
    if state.seats.moves:
        raise ConflictError("a move is under way")
    for table in state.seats.tables.values():
        table.open = table.plan.table in event.tables
        table.players, table.button, table.vacated = {}, None, set()
        table.joined = 0
    state.seats.at = {}
    for seated in event.seats:
        _sit(state, seated.player, seated.at)


def _sit(state: State, player: str, at: SeatAt) -> None:
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
    _sit(state, event.player, event.at)
    state.seats.tables[event.at.table].joined += 1


def _on_button(state: State, event: ButtonSet, now: Instant) -> None:
    table = state.seats.tables[event.table]
    table.button, table.joined = event.seat, 0


def _on_reserved(state: State, event: SeatReserved, now: Instant) -> None:
    state.seats.tables[event.at.table].reserved[event.at.seat] = event.player


def _on_apart(state: State, event: KeptApart, now: Instant) -> None:
    state.seats.apart.add(frozenset((event.one, event.other)))


def _on_closed(state: State, event: TableClosed, now: Instant) -> None:
    state.seats.tables[event.table].open = False


COMMANDS: Mapping[type, Any] = {
    DrawSeats: draw_seats,
    AssignSeats: assign_seats,
    SetButton: set_button,
    SeatPlayer: seat_player,
    ReserveSeat: reserve_seat,
    KeepApart: keep_apart,
}
REDUCERS: Mapping[type, Any] = {
    SeatsDrawn: _on_draw,
    ButtonSet: _on_button,
    PlayerSeated: _on_seated,
    SeatReserved: _on_reserved,
    KeptApart: _on_apart,
    TableClosed: _on_closed,
}
