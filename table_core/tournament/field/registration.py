"""Registration, signing in.

A command that the book forbids is refused with its rule; with `anyway` (the director's reason) it is carried out.
What contradicts the facts, a player who is not registered, is refused always.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Frozen, Name, Refusal, Said, Wall
from table_core.tournament.clock import MINUTE_MS
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    Barred,
    Cancelled,
    CheckedOff,
    Instant,
    LatenessAnnounced,
    MemberConfirmed,
    Registered,
    SignedIn,
)
from table_core.tournament.field.lookup import entrant_of, known
from table_core.tournament.field.waiting_list import gives_way, next_waiting, places
from table_core.tournament.penalties import may_not_play
from table_core.tournament.state import Entrant, Facts, State, Status, level_in_play


class Register(Frozen, frozen=True):
    """`member`, `adult` (of the book's age) and `regular` are what the registration desk has checked. `online`: a
    sign-up from outside, not at the desk, at `signed_up` (wall time) where that was not now. `applied`: a new
    member whose number comes later. `locked_out_before`: of the event before this one."""

    player: Name
    member: bool = False
    adult: bool = False
    regular: bool = False
    anyway: Said = ""
    online: bool = False
    signed_up: Wall | None = None
    applied: bool = False
    locked_out_before: bool = False


class Cancel(Frozen, frozen=True):
    player: Name
    anyway: Said = ""


class SignIn(Frozen, frozen=True):
    player: Name


class CheckOff(Frozen, frozen=True):
    player: Name


class AnnounceLateness(Frozen, frozen=True):
    player: Name


class ConfirmMember(Frozen, frozen=True):
    """A new member has got the number."""

    player: Name


class Bar(Frozen, frozen=True):
    """The player may not enter this event: suspended at the last one."""

    player: Name
    why: Said
    rule: Name = ""


class RefuseEntry(Frozen, frozen=True):
    """Who breaks the code of conduct may not play in this event; a registration is cancelled."""

    player: Name
    why: Said


def register(state: State, wanted: Register, now: Instant, facts: Facts) -> Decision:
    book = state.book.tournament
    known = state.field.entrants.get(wanted.player)
    if known is not None and known.status is not Status.CANCELLED:
        return Refusal(reason=f"{wanted.player} is on the list already: {known.status}.", rule="")
    at = now if wanted.signed_up is None else Instant(now.boot, now.at, wanted.signed_up)
    fault = _not_admitted(state, wanted) or _closed(state, at, "Signing up" if wanted.online else "")
    rule = book.max_entrants.rule if book.max_entrants is not None else ""
    room = places(state)
    waiting = room.left == 0 or (bool(room.waiting) and room.left is not None)
    if waiting and fault is None:
        overbooked = book.overbooked
        if overbooked is None or overbooked.value == "refuse":
            fault = refused(state.book, "max_entrants", f"The event is full: {room.limit} players.")
        else:
            rule = overbooked.rule
    if fault is not None and not wanted.anyway:
        return fault
    newcomer = Entrant(wanted.player, at, Status.REGISTERED, online=wanted.online)
    newcomer.applied, newcomer.locked_out_before = wanted.applied, wanted.locked_out_before
    lost = gives_way(state, newcomer) if waiting and not wanted.anyway else ()
    waiting = waiting and not lost
    return (
        *lost,
        Registered(
            wanted.player,
            wanted.member,
            wanted.adult,
            wanted.regular,
            waiting and not wanted.anyway,
            rule,
            wanted.online,
            wanted.signed_up,
            wanted.applied,
            wanted.locked_out_before,
        ),
    )


def _not_admitted(state: State, wanted: Register) -> Refusal | None:
    """Why this person may not play in the event: age, membership, a bar."""
    book = state.book.tournament
    if kept_from := may_not_play(state, wanted.player):
        return kept_from
    if book.min_age is not None and not wanted.adult:
        reason = f"Entrants must be {book.min_age.value} or older: check an identity card and say so."
        return refused(state.book, "min_age", reason)
    if book.membership_required is not None and book.membership_required.value and not wanted.member:
        applying = book.members_may_apply
        if not (wanted.applied and applying is not None and applying.value):
            return refused(state.book, "membership_required", "Only members may play: check the membership.")
    return None


def _closed(state: State, at: Instant, what: str) -> Refusal | None:
    """Why it is too late for it (ccp.membership.6); nothing to say where `what` is empty."""
    closes = state.book.tournament.registration_closes_minutes_before
    if not what or closes is None or state.starts is None or at.wall <= state.starts - closes.value * MINUTE_MS:
        return None
    reason = f"{what} ended {closes.value} minutes before the start."
    return refused(state.book, "registration_closes_minutes_before", reason)


def cancel(state: State, wanted: Cancel, now: Instant, facts: Facts) -> Decision:
    """A place that becomes free goes to the first of the waiting list (ccp.membership.7)."""
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.status not in (Status.WAITING, Status.REGISTERED):
        return Refusal(reason=f"{wanted.player} has entered; take the entry back instead.", rule="")
    fault = _closed(state, now, "Cancelling")
    if fault is not None and not wanted.anyway:
        return fault
    return (Cancelled(wanted.player), *next_waiting(state, int(entrant.status is Status.REGISTERED)))


def confirm_member(state: State, wanted: ConfirmMember, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.member or not entrant.applied:
        return Refusal(reason=f"{wanted.player} waits for no membership.", rule="")
    rule = state.book.tournament.members_may_apply
    return (MemberConfirmed(wanted.player, rule.rule if rule is not None else ""),)


def bar(state: State, wanted: Bar, now: Instant, facts: Facts) -> Decision:
    rule = state.book.tournament.no_show_suspended
    if not wanted.rule and (rule is None or not rule.value):
        return refused(state.book, "no_show_suspended", "The book bars nobody: name the rule.")
    return (Barred(wanted.player, wanted.why, wanted.rule or (rule.rule if rule is not None else "")),)


def refuse_entry(state: State, wanted: RefuseEntry, now: Instant, facts: Facts) -> Decision:
    entrant = state.field.entrants.get(wanted.player)
    rule = state.book.notices.refusal.rule
    if entrant is not None and entrant.in_play:
        return Refusal(reason=f"{wanted.player} has entered: give a penalty instead.", rule=rule)
    refused = Barred(wanted.player, wanted.why, rule)
    if entrant is None or entrant.status not in (Status.WAITING, Status.REGISTERED):
        return (refused,)
    freed = int(entrant.status is Status.REGISTERED)
    return (refused, Cancelled(wanted.player, rule), *next_waiting(state, freed))


def sign_in(state: State, wanted: SignIn, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    return entrant if isinstance(entrant, Refusal) else (SignedIn(wanted.player),)


def check_off(state: State, wanted: CheckOff, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    opens = state.book.tournament.seating_opens_minutes_before
    if opens is not None and state.starts is not None and now.wall < state.starts - opens.value * MINUTE_MS:
        reason = f"Seating begins {opens.value} minutes before the start."
        return refused(state.book, "seating_opens_minutes_before", reason)
    return (CheckedOff(wanted.player),)


def announce_lateness(state: State, wanted: AnnounceLateness, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    late = state.book.cites.late_player or ""
    return (LatenessAnnounced(wanted.player, late, level_in_play(facts) > 0),)


# ------------------------------------------------------------------------------------------------ reducers


def _registered(state: State, event: Registered, now: Instant) -> None:
    known = state.field.entrants.pop(event.player, None)
    if known is not None and known.status is not Status.CANCELLED:
        raise ConflictError(f"{event.player} is registered already")
    at = now if event.signed_up is None else Instant(now.boot, now.at, event.signed_up)
    entrant = Entrant(event.player, at, Status.REGISTERED, event.member, event.adult, event.regular)
    entrant.online, entrant.applied = event.online, event.applied
    entrant.locked_out_before = event.locked_out_before
    state.field.entrants[event.player] = entrant
    if event.waiting:
        entrant.status = Status.WAITING
        state.field.queued += 1
    else:
        state.field.placed += 1


def _cancelled(state: State, event: Cancelled, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.WAITING, Status.REGISTERED)
    if entrant.status is Status.WAITING:
        state.field.queued -= 1
    else:
        state.field.placed -= 1
        state.field.passed.clear()
    entrant.status = Status.CANCELLED


def _member(state: State, event: MemberConfirmed, now: Instant) -> None:
    entrant_of(state, event.player).member = True


def _barred(state: State, event: Barred, now: Instant) -> None:
    state.field.barred[event.player] = event


def _signed_in(state: State, event: SignedIn, now: Instant) -> None:
    entrant_of(state, event.player).signed_in = now


def _checked_off(state: State, event: CheckedOff, now: Instant) -> None:
    entrant_of(state, event.player).checked_off = True


def _lateness(state: State, event: LatenessAnnounced, now: Instant) -> None:
    entrant = entrant_of(state, event.player)
    entrant.lateness_announced, entrant.told_after_first_hand = True, event.after_first_hand


COMMANDS: Mapping[type, Any] = {
    Register: register,
    Cancel: cancel,
    SignIn: sign_in,
    CheckOff: check_off,
    AnnounceLateness: announce_lateness,
    ConfirmMember: confirm_member,
    Bar: bar,
    RefuseEntry: refuse_entry,
}
REDUCERS: Mapping[type, Any] = {
    Registered: _registered,
    Cancelled: _cancelled,
    MemberConfirmed: _member,
    Barred: _barred,
    SignedIn: _signed_in,
    CheckedOff: _checked_off,
    LatenessAnnounced: _lateness,
}
