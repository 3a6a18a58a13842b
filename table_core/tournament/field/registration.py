"""Registration, the waiting list, signing in.

A command that the book forbids is refused with its rule; with `anyway` (the director's reason) it is carried out.
What contradicts the facts, a player who is not registered, is refused always.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Frozen, Name, Refusal, Text
from table_core.tournament.clock import MINUTE_MS
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    Cancelled,
    CheckedOff,
    Instant,
    LatenessAnnounced,
    OfferedSeat,
    Registered,
    SignedIn,
)
from table_core.tournament.field.lookup import entrant_of, known
from table_core.tournament.state import Entrant, Facts, State, Status


class Register(Frozen, frozen=True):
    """`member`, `adult` (of the book's age) and `regular` are what the registration desk has checked."""

    player: Name
    member: bool = False
    adult: bool = False
    regular: bool = False
    anyway: Text = ""


class Cancel(Frozen, frozen=True):
    player: Name
    anyway: Text = ""


class SignIn(Frozen, frozen=True):
    player: Name


class CheckOff(Frozen, frozen=True):
    player: Name


class AnnounceLateness(Frozen, frozen=True):
    player: Name


def places_left(state: State) -> int | None:
    """Places of the event that nobody has; None without a limit."""
    limit = state.book.tournament.max_entrants
    if limit is None:
        return None
    taken = sum(
        entrant.status not in (Status.WAITING, Status.CANCELLED) for entrant in state.field.entrants.values()
    )
    return max(0, limit.value - taken)


def register(state: State, wanted: Register, now: Instant, facts: Facts) -> Decision:
    book = state.book.tournament
    known = state.field.entrants.get(wanted.player)
    if known is not None and known.status is not Status.CANCELLED:
        return Refusal(reason=f"{wanted.player} is on the list already: {known.status}.", rule="")
    fault = None
    if book.min_age is not None and not wanted.adult:
        reason = f"Entrants must be {book.min_age.value} or older: check an identity card and say so."
        fault = refused(state.book, "min_age", reason)
    elif book.membership_required is not None and book.membership_required.value and not wanted.member:
        fault = refused(state.book, "membership_required", "Only members may play: check the membership.")
    rule = book.max_entrants.rule if book.max_entrants is not None else ""
    left = places_left(state)
    waiting = left == 0 or (bool(state.field.waiting) and left is not None)
    if waiting and fault is None:
        overbooked = book.overbooked
        if overbooked is None or overbooked.value == "refuse":
            fault = refused(state.book, "max_entrants", f"The event is full: {_limit(state)} players.")
        else:
            rule = overbooked.rule
    if fault is not None and not wanted.anyway:
        return fault
    waits = waiting and not wanted.anyway
    return (Registered(wanted.player, wanted.member, wanted.adult, wanted.regular, waits, rule),)


def cancel(state: State, wanted: Cancel, now: Instant, facts: Facts) -> Decision:
    """A place that becomes free goes to the first of the waiting list (ccp.membership.7)."""
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.status not in (Status.WAITING, Status.REGISTERED):
        return Refusal(reason=f"{wanted.player} has entered; take the entry back instead.", rule="")
    closes = state.book.tournament.registration_closes_minutes_before
    if closes is not None and state.starts is not None and not wanted.anyway:
        until = state.starts - closes.value * MINUTE_MS
        if now.wall > until:
            reason = f"Cancelling ended {closes.value} minutes before the start."
            return refused(state.book, "registration_closes_minutes_before", reason)
    return (Cancelled(wanted.player), *next_waiting(state, freed=entrant.status is Status.REGISTERED))


def next_waiting(state: State, *, freed: bool = True) -> tuple[OfferedSeat, ...]:
    """The offer of a freed place, where somebody waits for one."""
    waiting = state.field.waiting
    if not freed or not waiting:
        return ()
    overbooked = state.book.tournament.overbooked
    if overbooked is not None and overbooked.value == "regulars_then_lottery":  # the lottery is a person's
        waiting.sort(key=lambda name: not state.field.entrants[name].regular)
    return (OfferedSeat(waiting[0], overbooked.rule if overbooked is not None else ""),)


def sign_in(state: State, wanted: SignIn, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    return entrant if isinstance(entrant, Refusal) else (SignedIn(wanted.player),)


def check_off(state: State, wanted: CheckOff, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    return entrant if isinstance(entrant, Refusal) else (CheckedOff(wanted.player),)


def announce_lateness(state: State, wanted: AnnounceLateness, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    posted = state.book.tournament.late_blinds_posted
    return (LatenessAnnounced(wanted.player, posted.rule if posted is not None else ""),)


def _limit(state: State) -> int:
    limit = state.book.tournament.max_entrants
    return limit.value if limit is not None else 0


# ------------------------------------------------------------------------------------------------ reducers


def _registered(state: State, event: Registered, now: Instant) -> None:
    known = state.field.entrants.pop(event.player, None)
    if known is not None and known.status is not Status.CANCELLED:
        raise ConflictError(f"{event.player} is registered already")
    status = Status.WAITING if event.waiting else Status.REGISTERED
    entrant = Entrant(event.player, now, status, event.member, event.adult, event.regular)
    state.field.entrants[event.player] = entrant


def _cancelled(state: State, event: Cancelled, now: Instant) -> None:
    entrant_of(state, event.player, Status.WAITING, Status.REGISTERED).status = Status.CANCELLED


def _offered(state: State, event: OfferedSeat, now: Instant) -> None:
    entrant_of(state, event.player, Status.WAITING).status = Status.REGISTERED


def _signed_in(state: State, event: SignedIn, now: Instant) -> None:
    entrant_of(state, event.player).signed_in = True


def _checked_off(state: State, event: CheckedOff, now: Instant) -> None:
    entrant_of(state, event.player).checked_off = True


def _lateness(state: State, event: LatenessAnnounced, now: Instant) -> None:
    entrant_of(state, event.player).lateness_announced = True


COMMANDS: Mapping[type, Any] = {
    Register: register,
    Cancel: cancel,
    SignIn: sign_in,
    CheckOff: check_off,
    AnnounceLateness: announce_lateness,
}
REDUCERS: Mapping[type, Any] = {
    Registered: _registered,
    Cancelled: _cancelled,
    OfferedSeat: _offered,
    SignedIn: _signed_in,
    CheckedOff: _checked_off,
    LatenessAnnounced: _lateness,
}
