"""What went wrong in the tournament and waits for a person: each item says what is, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from feltwire.runtime.views import Part
from feltwire.station.tournament.words import named
from table_core.messages import Frozen, Millis, Name, Text
from table_core.tournament.events import Instant, elapsed_ms
from table_core.tournament.hand_for_hand import still_playing
from table_core.tournament.state import Facts, Move, MoveStage, State

NOT_HEARD = Part("Tables that are not heard", page="/station", asks=True)
REPORTING = Part("Tables that are connected", page="/station/chips")
NEVER = "never"  # about a table that is silent: it was not heard at all
LATE_MS = 180_000  # a player who has not got up after the hand, or has not arrived


class Item(Frozen, frozen=True):
    """`since` is wall time in ms since 1970, `about` the id of the dispute or move."""

    kind: Name
    text: Text
    do: Text
    table: Name = ""
    since: Millis | None = None
    about: Name = ""


def trouble(
    state: State,
    facts: Facts,
    now: Instant,
    *,
    disk: str,
    silent: Mapping[str, Millis],
    mute: tuple[str, ...],
    unheard: Collection[str],
    by_hand: Collection[str],
    names: Mapping[str, str],
    reporting: Sequence[str] = (),
) -> Mapping[Part, Callable[[], Iterator[Item]]]:
    """What waits for a person now, by what it is about. `disk`: why nothing can be recorded; `silent`: tables that
    are gone, with the wall time at which they were heard last, and `unheard` those that never were; `mute`:
    tables that answer nothing; `by_hand`: those without a device; `reporting`: those that are heard."""
    tables = [table.plan.table for table in state.seats.open_tables()]
    return {
        Part("Whether the disk takes records", asks=True): lambda: _disk(disk),
        NOT_HEARD: lambda: tables_not_heard(tables, silent, mute, unheard, by_hand),
        Part("Moves on the way", page="/station/seats", asks=True): lambda: _moves(state, facts, now, names),
        Part("Disputes and hand for hand", page="/station/clock", asks=True): lambda: _stops(state, facts),
        Part("Decks to change", page="/station/seats"): lambda: _decks(state, now),
        REPORTING: lambda: _reporting(state, reporting),
    }


def _reporting(state: State, tables: Sequence[str]) -> Iterator[Item]:
    """Tables that are heard, and whose reports do not count, because the event is played by hand."""
    if state.by_hand and tables and state.finished is None:
        which = f"Table {', '.join(tables)} is connected"
        text = f"{which}, and the event is played by hand: nothing that it reports counts."
        do = "Leave it so, or count every stack and let the tables report: Chips, Played by hand."
        yield Item("reporting", text, do)


def _disk(why: str) -> Iterator[Item]:
    if why:
        text = f"The station's disk takes nothing: {why}. No press does anything until it does."
        yield Item("disk", text, "Free space on it, or replace it. The tables play on and keep what they record.")


def tables_not_heard(
    names: Sequence[str],
    silent: Mapping[str, Millis],
    mute: Collection[str],
    unheard: Collection[str],
    by_hand: Collection[str],
) -> Iterator[Item]:
    """Those `by_hand` have no device that could be switched on."""
    for name in names:
        if name in silent and name in unheard:
            text = f"Table {name} has not been heard since the station was started."
            first = "Look at" if name in by_hand else "Switch it on, or look at"
            do = f"{first} its power and its network. It may be played on without the station."
            yield Item("silent", text, do, name, silent[name], NEVER)
        elif name in silent:
            text = f"Table {name} is silent. It plays on by its schedule; what happens there comes later."
            do = "Look at its power and its network. Move nobody to it until it is back."
            yield Item("silent", text, do, name, silent[name])
        elif name in mute:
            text = f"Table {name} is there, but does not answer what it was told."
            yield Item("no_answer", text, "Look at its screen; start its machine again if it stands still.", name)


def _moves(state: State, facts: Facts, now: Instant, names: Mapping[str, str]) -> Iterator[Item]:
    for id_, move in state.seats.moves.items():
        if move.since is None or elapsed_ms(move.since, now) < LATE_MS:
            continue
        who, start, to = named(move.ordered.player, names), move.ordered.start, move.ordered.to
        if move.stage is MoveStage.IN_TRANSIT:
            text = f"{who} left table {start.table} with {move.rack:,} chips and does not sit at {to} yet."
            do = f"Look for the player, and at table {to.table}: a hand there ends before anybody sits down."
            yield Item("not_arrived", text, do, to.table, move.since.wall, id_)
        elif not _plays(facts, move):
            text = f"{who} was told to move to {to} and has not left table {start.table}."
            do = f"Look at table {start.table}; withdraw the move if the player stays."
            yield Item("not_left", text, do, start.table, move.since.wall, id_)


def _plays(facts: Facts, move: Move) -> bool:
    if move.ordered.waits_for_all:
        return any(fact.in_hand for fact in facts.values())
    fact = facts.get(move.ordered.start.table)
    return fact is not None and fact.in_hand


def _stops(state: State, facts: Facts) -> Iterator[Item]:
    for id_, dispute in state.disputes.items():
        text = f"Dispute at table {dispute.table}" + (f": {dispute.why}." if dispute.why else ".")
        yield Item("dispute", text, "Decide it; what waits for it goes on then.", dispute.table, about=id_)
    waiting = still_playing(state, facts) if state.hand_for_hand is not None else []
    if waiting:
        text = f"Hand for hand: table {', '.join(waiting)} still plays, the others wait."
        yield Item("hand_for_hand", text, "Nothing, unless that table has stopped.", waiting[0])


def _decks(state: State, now: Instant) -> Iterator[Item]:
    """Decks that were played as long as the book has it (home.suggest.c)."""
    most = state.book.tournament.deck_change_minutes
    if most is None or state.started is None or state.finished is not None:
        return
    for table in state.seats.open_tables():
        since = table.deck_since or state.started
        if elapsed_ms(since, now) >= most.value * 60_000:
            name = table.plan.table
            text = f"Table {name} has played {most.value} minutes with its deck ({most.rule})."
            yield Item("deck", text, "Change the deck.", name, since.wall)
