"""Everybody's seat at once: drawn from a seed, by cards that people drew, by standing, or as the director says.

A draw from a seed is recorded with it (`chance.py`). By seat cards the suit is the table and the rank the seat,
counted from the ace, which has the button (ccp.seating.3, ccp.seating.5, ccp.seating.6).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from heapq import heappop, heapreplace
from itertools import accumulate
from typing import Any

from table_core.messages import CardText, Frozen, Many, Name, Refusal, Said, Seat
from table_core.tournament.chance import shuffled
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    ButtonSet,
    Instant,
    PlayerSeated,
    Redraw,
    SeatAt,
    Seated,
    SeatsDrawn,
    TimeOutCarried,
)
from table_core.tournament.penalties import carried
from table_core.tournament.seats.button import without_cards
from table_core.tournament.seats.chairs import (
    meets,
    most,
    most_at_start,
    note_final_table,
    places,
    usable,
)
from table_core.tournament.seats.seating import sit
from table_core.tournament.state import Entrant, Facts, State, Status, TableSeats

MOST_SWAPS = 1_000  # limit of attempts; pairs that cannot be separated are reported
CARD_SUITS = "shcd"  # of the seat cards of table 1, 2, 3, 4
CARD_RANKS = "A23456789TJQK"


class SeatCard(Frozen, frozen=True):
    """The seat card that a player drew."""

    player: Name
    card: CardText


class DrawSeats(Frozen, frozen=True):
    """Draw everybody's seat. `tables`: those to play on; none given: as many as the field needs. `seed`: another
    one than the tournament's. `dealers` draw the aces, one for each table. `drawn`: the seat cards of people."""

    seed: Said = ""
    why: Redraw = Redraw.START
    tables: Many[Name] = ()
    dealers: Many[Name] = ()
    drawn: Many[SeatCard] = ()


class AssignSeats(Frozen, frozen=True):
    """The director says who sits where; everybody who plays has one seat. Not in a seat that is reserved for
    another, nor at the table of who is to be kept apart, unless `anyway` says why."""

    seats: Many[Seated]
    why: Redraw = Redraw.START
    anyway: Said = ""


def draw_seats(state: State, wanted: DrawSeats, now: Instant, facts: Facts) -> Decision:
    """Seats for everybody who plays, spread as evenly as possible over the tables."""
    if fault := _not_now(state, wanted.why, facts):
        return fault
    players = playing(state)
    if not players:
        return Refusal(reason="Nobody has entered: there is nobody to seat.", rule="")
    tables = tables_for(state, len(players), wanted.tables)
    if isinstance(tables, Refusal):
        return tables
    if wanted.dealers and (len(wanted.dealers) != len(tables) or not set(wanted.dealers) <= set(players)):
        return Refusal(reason=f"{len(tables)} tables: name as many dealers, of those who play.", rule="")
    book = state.book.tournament
    said = book.initial_seating if wanted.why is Redraw.START else book.table_break_reseat
    rule = said.rule if said is not None else ""
    seed = wanted.seed or f"{state.seed}/{wanted.why}/{len(players)}"
    fixed = _fixed(state, players, tables, wanted)
    chairs = _chairs(state, players, tables, fixed)
    if (free := sum(map(len, chairs.values()))) < len(players):
        reason = f"{len(players)} players and {free} seats that are not kept for others: name more tables."
        return refused(state.book, "seats_per_table", reason)
    if wanted.drawn:
        seats = _by_cards(wanted.drawn, players, chairs)
        if isinstance(seats, str):
            return Refusal(reason=seats, rule=rule)
    else:
        seats = _drawn(state, players, chairs, fixed, seed, wanted.dealers)
    by_cards = wanted.drawn or (book.initial_seating is not None and book.initial_seating.value == "seat_cards")
    cards = tuple(_card_of(chairs, seated.at) for seated in seats) if by_cards and len(tables) <= 4 else ()
    names = tuple(table.plan.table for table in tables)
    drawn = SeatsDrawn(wanted.why, names, seats, rule, seed, cards)
    return (drawn, *_buttons(state, seats), *_time_outs(state, seats, facts))


def assign_seats(state: State, wanted: AssignSeats, now: Instant, facts: Facts) -> Decision:
    if fault := _not_now(state, wanted.why, facts):
        return fault
    everybody = set(playing(state))
    names, places = [seated.player for seated in wanted.seats], [seated.at for seated in wanted.seats]
    if set(names) != everybody or len(names) != len(everybody):
        missing = ", ".join(sorted(everybody ^ set(names))) or "a player is named twice"
        return Refusal(reason=f"One seat for everybody who plays: {missing}.", rule="")
    tables = state.seats.tables
    wrong = [at for at in places if at.table not in tables or at.seat not in usable(tables[at.table])]
    if wrong or len(set(places)) < len(places):
        reason = f"There is no {wrong[0]}." if wrong else "A seat is named twice."
        return Refusal(reason=reason, rule="")
    control = state.book.tournament.initial_seating
    used = tuple(dict.fromkeys(at.table for at in places))
    allowed = most_at_start(state) if wanted.why is Redraw.START else most(state)
    full = [name for name in used if sum(at.table == name for at in places) > allowed]
    if full:
        return refused(state.book, "seats_per_table", f"Table {full[0]} has more than {allowed} players.")
    if not wanted.anyway and (fault := _not_as_asked(state, wanted.seats)) is not None:
        return fault
    rule = control.rule if control is not None else ""
    drawn = SeatsDrawn(wanted.why, used, wanted.seats, rule)
    return (drawn, *_buttons(state, wanted.seats), *_time_outs(state, wanted.seats, facts))


def _not_as_asked(state: State, seats: Sequence[Seated]) -> Refusal | None:
    """Why these seats are not what was arranged: a seat is reserved for another, or a pair is kept apart."""
    for one in seats:
        owner = state.seats.tables[one.at.table].reserved.get(one.at.seat, one.player)
        if owner != one.player:
            reason = f"{str(one.at).capitalize()} is reserved for {owner}."
            return refused(state.book, "reserved_seats", reason)
    at = {one.player: one.at.table for one in seats}
    apart = (sorted(pair) for pair in state.seats.apart if pair <= at.keys())
    met = next((pair for pair in apart if at[pair[0]] == at[pair[1]]), None) if len(set(at.values())) > 1 else None
    if met is None:
        return None
    return refused(state.book, "keep_pairs_apart", f"{met[0]} and {met[1]} are kept apart: table {at[met[0]]}.")


def _time_outs(state: State, seats: Sequence[Seated], facts: Facts) -> tuple[TimeOutCarried, ...]:
    return tuple(event for one in seats for event in carried(state, one.player, facts, one.at.table))


def _buttons(state: State, seats: Sequence[Seated]) -> tuple[ButtonSet, ...]:
    """The buttons that nobody has to draw."""
    at: dict[str, list[Seat]] = {}
    for seated in seats:
        at.setdefault(seated.at.table, []).append(seated.at.seat)
    return without_cards(state.book, at)


def _not_now(state: State, why: Redraw, facts: Facts) -> Refusal | None:
    """A draw gives everybody a seat: whoever is on the way to one sits down first. The first draw gives everybody
    the starting stack: not behind a hand."""
    if state.seats.moves:
        return Refusal(reason=f"Moves are under way: {', '.join(state.seats.moves)}.", rule="")
    played = state.by_hand or any(fact.hand for fact in facts.values())
    if why is not Redraw.START or state.started is None or not played:
        return None
    return Refusal(reason="Cards have been dealt: draw for merged tables or for the final table.", rule="")


def playing(state: State) -> list[str]:
    return [name for name, entrant in state.field.entrants.items() if entrant.status is Status.PLAYING]


def tables_for(state: State, players: int, names: Sequence[str]) -> list[TableSeats] | Refusal:
    """The tables to play on, with places for everybody."""
    known = state.seats.tables
    unknown = [name for name in names if name not in known]
    if unknown:
        return Refusal(reason=f"There is no table {unknown[0]}; there are: {', '.join(known)}.", rule="")
    chosen = [known[name] for name in names] or list(known.values())
    chairs = [len(usable(table)) for table in chosen]
    limit = most(state)
    if state.started is None and sum(min(held, limit) for held in chairs) < players:
        limit = most_at_start(state)
    seats = list(accumulate(min(held, limit) for held in chairs))
    if not seats or seats[-1] < players:
        reason = f"{players} players and {seats[-1] if seats else 0} seats: name more tables."
        return refused(state.book, "seats_per_table", reason)
    return chosen if names else chosen[: bisect_left(seats, players) + 1]


Chairs = Mapping[str, Sequence[Seat]]  # the seats to be drawn at each table, in order


def _fixed(
    state: State, players: Sequence[str], tables: Sequence[TableSeats], wanted: DrawSeats
) -> dict[str, SeatAt]:
    """Seats that are not drawn: those reserved, and those that were drawn with the entry."""
    playing, names = set(players), {table.plan.table for table in tables}
    fixed = {}
    if wanted.why is Redraw.START and not wanted.seed and not wanted.drawn and not state.seats.drawn:
        fixed = {name: at for name, at in state.seats.at.items() if at.table in names}
    return fixed | {
        name: SeatAt(table.plan.table, seat)
        for table in tables
        for seat, name in table.reserved.items()
        if name in playing
    }


def _chairs(
    state: State, players: Sequence[str], tables: Sequence[TableSeats], fixed: Mapping[str, SeatAt]
) -> Chairs:
    """The seats that are played on: as even as the tables' chairs allow, fixed ones first."""
    held: dict[str, set[Seat]] = {table.plan.table: set() for table in tables}
    for at in fixed.values():
        held[at.table].add(at.seat)
    limit = most_at_start(state) if state.started is None else most(state)
    order: list[list[Seat]] = []  # each table's chairs in the order in which they are taken
    for table in tables:
        first = sorted(held[table.plan.table])
        others = [seat for seat in usable(table) if seat not in table.reserved and seat not in first]
        order.append([*first, *others][:limit])
    counts = _evenly(len(players), [len(seats) for seats in order])
    return {table.plan.table: sorted(order[no][: counts[no]]) for no, table in enumerate(tables)}


def _evenly(players: int, chairs: Sequence[int]) -> Sequence[int]:
    """How many sit at each table: one more at the first tables that have a chair left."""
    counts = [0] * len(chairs)
    open_ = [(0, no) for no in range(len(chairs)) if chairs[no]]
    for _ in range(min(players, sum(chairs))):
        count, no = open_[0]
        counts[no] = count + 1
        if counts[no] < chairs[no]:
            heapreplace(open_, (count + 1, no))
        else:
            heappop(open_)
    return counts


def _card_of(chairs: Chairs, at: SeatAt) -> CardText:
    """The seat card of a seat: the ace is the first of its table."""
    return CARD_RANKS[chairs[at.table].index(at.seat)] + CARD_SUITS[list(chairs).index(at.table)]


def _by_cards(drawn: Sequence[SeatCard], players: Sequence[str], chairs: Chairs) -> tuple[Seated, ...] | str:
    """Who sits where by the cards that they drew, or what is wrong with them."""
    deck = {
        _card_of(chairs, at): at for table, seats in chairs.items() for at in (SeatAt(table, s) for s in seats)
    }
    if {one.player for one in drawn} != set(players) or len(drawn) != len(players):
        return "One card for everybody who plays."
    if {one.card for one in drawn} != set(deck):
        return f"The seat cards are: {' '.join(deck)}."
    seats = {deck[one.card]: one.player for one in drawn}
    return tuple(Seated(seats[at], at) for at in deck.values())


def _drawn(
    state: State,
    players: list[str],
    chairs: Chairs,
    fixed: Mapping[str, SeatAt],
    seed: str,
    dealers: Sequence[str],
) -> tuple[Seated, ...]:
    """One seat each: fixed seats, the dealers' aces, then the others; pairs apart where the tables allow it."""
    order_of = [SeatAt(table, seat) for table, seats in chairs.items() for seat in seats]
    free = set(order_of)
    taken = {name: at for name, at in fixed.items() if at in free}
    if dealers:
        aces = [SeatAt(table, seats[0]) for table, seats in chairs.items()]
        taken |= dict(zip(shuffled(list(dealers), f"{seed}/dealers"), aces, strict=True))
    held = set(taken.values())
    drawing = shuffled([name for name in players if name not in taken], seed)
    order = dict(zip(drawing, (at for at in order_of if at not in held), strict=True))
    _part(state, order, taken)
    whole = {**order, **taken}
    place = {at: number for number, at in enumerate(order_of)}
    return tuple(Seated(name, whole[name]) for name in sorted(whole, key=lambda name: place[whole[name]]))


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

    alone: set[str] = set()  # for whom there is no seat apart from the others
    for _ in range(MOST_SWAPS):
        clash = next((name for name in order if name not in alone and meets(name, order[name])), None)
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
            alone.add(clash)


def _on_draw(state: State, event: SeatsDrawn, now: Instant) -> None:
    if state.seats.moves:
        raise ConflictError("a move is under way")
    for table in state.seats.tables.values():
        table.open = table.plan.table in event.tables
        table.players, table.button, table.vacated = {}, None, set()
        table.joined, table.redrawn, table.dealer = 0, event.why is not Redraw.START, None
    note_final_table(state, now)
    state.seats.at, state.seats.drawn = {}, True
    for seated in event.seats:
        sit(state, seated.player, seated.at)


# ------------------------------------------------------------------------------------------------ with the entry


def seat_with_entry(state: State, entrant: Entrant) -> tuple[PlayerSeated, ...]:
    """The seat that is drawn when the entry is paid, where the book has it so (rpl.seating.1): at random at the
    emptiest of the tables that everybody on the list needs."""
    rule = state.book.tournament.initial_seating
    if rule is None or rule.value != "random_draw" or state.started is not None or state.seats.drawn:
        return ()
    tables = tables_for(state, max(state.field.placed, 1), ())
    if isinstance(tables, Refusal):
        return ()
    reserved = ((SeatAt(t.plan.table, seat), name) for t in tables for seat, name in t.reserved.items())
    own = next((at for at, name in reserved if name == entrant.player), None)
    with_seats = [t for t in tables if len(t.players) + len(t.reserved) < places(state, t)]
    if own is None and with_seats:
        table = min(with_seats, key=lambda table: (meets(state, entrant.player, table), len(table.players)))
        seed = f"{state.seed}/entry/{entrant.player}/{entrant.entries}"
        own = SeatAt(table.plan.table, shuffled(table.free(), seed)[0])
    return (PlayerSeated(entrant.player, own, rule.rule),) if own is not None else ()


COMMANDS: Mapping[type, Any] = {DrawSeats: draw_seats, AssignSeats: assign_seats}
REDUCERS: Mapping[type, Any] = {SeatsDrawn: _on_draw}
