"""Places of the event: how many there are, who waits for one, who is sure of one, who is locked out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from table_core.messages import Frozen, Many, Name, Number, Refusal, Said
from table_core.tournament.chance import shuffled
from table_core.tournament.clock import MINUTE_MS
from table_core.tournament.decision import Decision, refused
from table_core.tournament.events import (
    Instant,
    LockedOut,
    LotsDrawn,
    OfferedSeat,
    PassedOver,
    PlaceLost,
    elapsed_ms,
)
from table_core.tournament.field.lookup import entrant_of, known
from table_core.tournament.state import Entrant, Facts, State, Status

REGULARS_THEN_LOTTERY = "regulars_then_lottery"
NEXT_PLAYER_CALL = "next_player_call"  # who waits gets the place of a player who goes out


class PassOver(Frozen, frozen=True):
    """The player who was offered a place is not there: the next name is offered it. The player keeps the place on
    the list, for the next call."""

    player: Name


class LockOut(Frozen, frozen=True):
    """Who still waits when entry has ended does not play."""


class DrawLots(Frozen, frozen=True):
    """The last to arrive draw lots for the places that are left to them; regulars among them come first."""

    players: Many[Name]
    seed: Said = ""


class Places(Frozen, frozen=True):
    """The published limit, who has a place, and how many wait. `left` is None without a limit."""

    limit: Number | None
    taken: Number
    left: Number | None
    waiting: Number


def places(state: State) -> Places:
    limit, taken = state.book.tournament.max_entrants, state.field.placed
    if _by_next_player_call(state):
        taken -= state.field.out
    left = None if limit is None else max(0, limit.value - taken)
    if left and _by_next_player_call(state) and state.field.out and state.seats.open_tables():
        left = min(left, max(0, _chairs(state) - _on_the_way(state)))  # an eleventh chair has gone (wfp.seating.8)
    return Places(None if limit is None else limit.value, taken, left, state.field.queued)


def next_waiting(state: State, freed: int = 1, without: Iterable[str] = ()) -> tuple[OfferedSeat, ...]:
    """Offers of so many freed places to who waits, those sure of a seat first, but not to `without`."""
    if not freed or not state.field.queued:
        return ()
    rule = state.book.tournament.overbooked
    regulars_first = rule is not None and rule.value == REGULARS_THEN_LOTTERY
    waiting = [state.field.entrants[name] for name in state.field.waiting if name not in without]
    waiting.sort(key=lambda one: (not guaranteed(state, one), regulars_first and not one.regular))
    return tuple(OfferedSeat(one.player, rule.rule if rule is not None else "") for one in waiting[:freed])


def called_up(state: State, now: Instant, out: Iterable[str]) -> tuple[OfferedSeat, ...]:
    """Who joins the game for players who go out, where the book calls the next player and entry is open."""
    if not _by_next_player_call(state) or not state.field.queued or _entry_ended(state, now):
        return ()
    gone = set(out)
    return next_waiting(state, max(0, min(len(gone), _chairs(state, gone) - _on_the_way(state))))


def _chairs(state: State, gone: Collection[str] = ()) -> int:
    """Chairs that nobody has once these players have gone: an extra one goes with the first of them."""
    book = state.book.tournament
    most = book.seats_per_table.value if book.seats_per_table is not None else state.book.rules.max_seats.value
    free = 0
    for table in state.seats.open_tables():
        staying = sum(player not in gone for player in table.players.values())
        free += max(0, min(most, table.plan.seats - len(table.plan.unavailable)) - staying - len(table.reserved))
    return free


def _on_the_way(state: State) -> int:
    """Players with a place and without a chair."""
    return sum(
        one.status is Status.REGISTERED or (one.status is Status.PLAYING and one.player not in state.seats.at)
        for one in state.field.entrants.values()
    )


def guaranteed(state: State, entrant: Entrant) -> bool:
    """Whether the player is sure of a seat: signed up early enough and signed in before the start, newly a member
    and there by the start, or locked out of the event before (wfp.seating.3, wfp.seating.4)."""
    rule = state.book.tournament.guaranteed_minutes_before
    if rule is None:
        return False
    if entrant.locked_out_before:
        return True
    begins = state.started.wall if state.started is not None else None
    if entrant.applied:  # by the time of the start; signing in has until the first shuffle
        by = state.starts if state.starts is not None else begins
        return by is None or entrant.registered.wall <= by
    early = state.starts is None or entrant.registered.wall <= state.starts - rule.value * MINUTE_MS
    there = entrant.signed_in and (begins is None or entrant.signed_in.wall <= begins)
    return bool(entrant.online and early and there)


def gives_way(state: State, newcomer: Entrant) -> tuple[PlaceLost, ...]:
    """Who loses the place to a newcomer who is sure of a seat: the last on the list who has not entered and cannot
    become sure of one (wfp.seating.3)."""
    rule = state.book.tournament.guaranteed_minutes_before
    if rule is None or not guaranteed(state, newcomer):
        return ()
    registered = (one for one in state.field.entrants.values() if one.status is Status.REGISTERED)
    signed_in = (replace(one, signed_in=one.signed_in or one.registered) for one in registered)
    unsure = [one.player for one in signed_in if not guaranteed(state, one)]
    return tuple(PlaceLost(player, rule.rule) for player in unsure[-1:])


def lock_outs(state: State, now: Instant) -> tuple[str, ...]:
    """Who may be locked out now: players without a place who are not sure of one."""
    if not _by_next_player_call(state) or not state.field.queued or not _entry_ended(state, now):
        return ()
    entrants = state.field.entrants
    return tuple(name for name in state.field.waiting if not guaranteed(state, entrants[name]))


def _by_next_player_call(state: State) -> bool:
    rule = state.book.tournament.overbooked
    return rule is not None and rule.value == NEXT_PLAYER_CALL


def _entry_ended(state: State, now: Instant) -> bool:
    until, started = state.book.tournament.late_entry_until_minutes, state.started
    return until is not None and started is not None and elapsed_ms(started, now) >= until.value * MINUTE_MS


def pass_over(state: State, wanted: PassOver, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.status is not Status.REGISTERED or not entrant.offered:
        return Refusal(reason=f"{wanted.player} was not offered a place.", rule="")
    rule = state.book.tournament.overbooked
    passed = {*state.field.passed, wanted.player}
    return (
        PassedOver(wanted.player, rule.rule if rule is not None else ""),
        *next_waiting(state, without=passed),
    )


def draw_lots(state: State, wanted: DrawLots, now: Instant, facts: Facts) -> Decision:
    """As many get a place as of `players` have one now; nobody who has entered loses it."""
    rule = state.book.tournament.overbooked
    if rule is None or rule.value != REGULARS_THEN_LOTTERY:
        return refused(state.book, "overbooked", "The book draws no lots for places.")
    entrants = [state.field.entrants.get(name) for name in wanted.players]
    found = [one for one in entrants if one is not None and one.status in (Status.WAITING, Status.REGISTERED)]
    if len(found) < len(entrants) or not found:
        return Refusal(reason="Name players who are on the list and have not entered.", rule=rule.rule)
    seed = wanted.seed or f"{state.seed}/lots/{len(found)}"
    order = sorted(shuffled(found, seed), key=lambda one: not one.regular)
    held = sum(one.status is Status.REGISTERED for one in found)
    names = tuple(one.player for one in order)
    return (LotsDrawn(names, held, rule.rule, seed),)


def lock_out(state: State, wanted: LockOut, now: Instant, facts: Facts) -> Decision:
    names, rule = lock_outs(state, now), state.book.tournament.late_entry_until_minutes
    if not names or rule is None:
        return refused(state.book, "late_entry_until_minutes", "Nobody is to be locked out now.")
    return tuple(LockedOut(name, rule.rule) for name in names)


# ------------------------------------------------------------------------------------------------ reducers


def _offered(state: State, event: OfferedSeat, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.WAITING)
    entrant.status, entrant.offered = Status.REGISTERED, True
    state.field.placed += 1
    state.field.queued -= 1


def _passed_over(state: State, event: PassedOver, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.REGISTERED)
    entrant.status, entrant.offered = Status.WAITING, False
    state.field.placed -= 1
    state.field.queued += 1
    state.field.passed.add(event.player)


def _place_lost(state: State, event: PlaceLost, now: Instant) -> None:
    entrant_of(state, event.player, Status.REGISTERED).status = Status.WAITING
    state.field.placed -= 1
    state.field.queued += 1


def _lots(state: State, event: LotsDrawn, now: Instant) -> None:
    for at, name in enumerate(event.players):
        entrant = entrant_of(state, name, Status.WAITING, Status.REGISTERED)
        entrant.status = Status.REGISTERED if at < event.placed else Status.WAITING


def _locked_out(state: State, event: LockedOut, now: Instant) -> None:
    entrant_of(state, event.player, Status.WAITING).status = Status.LOCKED_OUT
    state.field.queued -= 1


COMMANDS: Mapping[type, Any] = {PassOver: pass_over, LockOut: lock_out, DrawLots: draw_lots}
REDUCERS: Mapping[type, Any] = {
    OfferedSeat: _offered,
    PassedOver: _passed_over,
    PlaceLost: _place_lost,
    LockedOut: _locked_out,
    LotsDrawn: _lots,
}
