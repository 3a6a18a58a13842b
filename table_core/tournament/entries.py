"""The field: registration, the waiting list, entry, late comers, rebuys, absences.

A command that the book forbids is refused with its rule; with `anyway` (the director's reason) it is carried out.
What contradicts the facts (a player who is not registered, chips that nobody has) is refused always.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Chips, Frozen, Millis, Name, Number, Refusal, Text
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    BustDropped,
    Cancelled,
    CheckedOff,
    ChipsBought,
    Docked,
    Entered,
    Forfeited,
    Instant,
    LatenessAnnounced,
    Left,
    OfferedSeat,
    Purchase,
    RebuyAnnounced,
    Registered,
    Returned,
    SignedIn,
    elapsed_ms,
)
from table_core.tournament.state import Entrant, Facts, State, Status, level_in_play

MINUTE_MS = 60_000
CENTS = 100
LATE_PENALTY_LEVELS = 3  # ccp.late.4: as each of the first three levels begins

# ------------------------------------------------------------------------------------------------ commands


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


class Enter(Frozen, frozen=True):
    """The player's entry is paid. `chips` only where the book leaves them to the director."""

    player: Name
    chips: Chips | None = None
    anyway: Text = ""


class AnnounceRebuy(Frozen, frozen=True):
    player: Name
    anyway: Text = ""


class Buy(Frozen, frozen=True):
    """A rebuy or an add-on is paid. `stack` is what the player has in front now."""

    player: Name
    kind: Purchase
    stack: Chips = Chips(0)
    in_break: bool = False
    anyway: Text = ""


class Leave(Frozen, frozen=True):
    player: Name
    notified: bool = False


class Return(Frozen, frozen=True):
    player: Name


class DockLatePlayers(Frozen, frozen=True):
    """Take what late players owe for the beginning of this level."""

    level: Number


class Forfeit(Frozen, frozen=True):
    """The director takes a stack out of play and its player out of the event."""

    player: Name
    chips: Chips
    why: Text
    rule: Name = ""
    disqualified: bool = False


# ------------------------------------------------------------------------------------------------ registration


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
    entrant = _known(state, wanted.player)
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
    entrant = _known(state, wanted.player)
    return entrant if isinstance(entrant, Refusal) else (SignedIn(wanted.player),)


def check_off(state: State, wanted: CheckOff, now: Instant, facts: Facts) -> Decision:
    entrant = _known(state, wanted.player)
    return entrant if isinstance(entrant, Refusal) else (CheckedOff(wanted.player),)


def announce_lateness(state: State, wanted: AnnounceLateness, now: Instant, facts: Facts) -> Decision:
    entrant = _known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    posted = state.book.tournament.late_blinds_posted
    return (LatenessAnnounced(wanted.player, posted.rule if posted is not None else ""),)


# ------------------------------------------------------------------------------------------------ entry


def enter(state: State, wanted: Enter, now: Instant, facts: Facts) -> Decision:
    """Entry with the stack that the book gives: bonus for the early, penalty for the late."""
    entrant = _known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.status is not Status.REGISTERED:
        return Refusal(reason=f"{wanted.player} cannot enter: {entrant.status}.", rule="")
    book = state.book.tournament
    stack = wanted.chips if wanted.chips is not None else (book.starting_stack and book.starting_stack.value)
    if not stack:
        reason = "The book leaves the starting stack to the event: set starting_stack, or name the chips."
        return refused(state.book, "starting_stack", reason)
    rule = book.starting_stack.rule if book.starting_stack is not None else ""
    docked = 0
    if state.started is not None:
        late = late_entry(state, entrant, now, facts)
        if isinstance(late, Refusal) and not wanted.anyway:
            return late
        if not isinstance(late, Refusal):
            docked, rule = late
        if docked >= stack:  # the book has no least stack: a person names one, and it stands as named
            if not wanted.anyway:
                return Refusal(reason=f"The penalty of {docked} takes the whole stack: name the chips.", rule=rule)
            docked = 0
        cap = book.late_stack_cap
        if wanted.anyway and cap is not None and isinstance(late, Refusal):
            whole = book.starting_stack.value if book.starting_stack is not None else stack
            stack, rule = min(stack, round(whole * cap.value)), cap.rule
    bonus = early_bonus(state, entrant)
    price = (book.buy_in.value if book.buy_in is not None else 0) * CENTS
    pool = pool_share(state, price)
    return (
        Entered(
            wanted.player, paid=price, pool=pool, chips=Chips(stack), bonus=Chips(bonus),
            docked=Chips(docked), rule=rule,
        ),
    )  # fmt: skip


def early_bonus(state: State, entrant: Entrant) -> int:
    """Chips for who registered before the hour that the book names (cpp.chips.2), minutes before the start."""
    bonus, until = state.book.tournament.early_bonus, state.book.tournament.early_bonus_minutes_before
    if bonus is None or state.starts is None:
        return 0
    last = state.starts - (until.value if until is not None else 0) * MINUTE_MS
    return bonus.value if entrant.registered.wall < last else 0


def late_entry(state: State, entrant: Entrant, now: Instant, facts: Facts) -> tuple[int, str] | Refusal:
    """Chips taken off an entry after the start, with the rule; or why it is too late."""
    book = state.book.tournament
    until = book.late_entry_until_level
    if until is not None and level_in_play(facts) >= until.value and not entrant.lateness_announced:
        reason = f"Entry ended with the first hand of level {until.value}."
        return refused(state.book, "late_entry_until_level", reason)
    minutes = book.late_entry_until_minutes
    started = state.started
    if minutes is not None and started and elapsed_ms(started, now) >= minutes.value * MINUTE_MS:
        reason = f"Entry ended {minutes.value} minutes after the start."
        return refused(state.book, "late_entry_until_minutes", reason)
    if until is not None and until.value == 1 and level_in_play(facts) == 0:
        return 0, until.rule  # paid before the first hand is on time (home.procedures.2)
    in_blinds = book.late_penalty_big_blinds
    if in_blinds is not None and state.clock is not None:
        return in_blinds.value * state.clock.playing_level(now.at).big_blind, in_blinds.rule
    posted = book.late_blinds_posted
    return 0, posted.rule if posted is not None else ""


def pool_share(state: State, price: int) -> int:
    """What of an entry goes to the players' money: the price without the fee."""
    fee = state.book.tournament.entry_fee
    return price - (fee.value * CENTS if fee is not None else 0)


def dock_late_players(state: State, wanted: DockLatePlayers, now: Instant, facts: Facts) -> Decision:
    docked = late_penalties(state, wanted.level)
    if not docked:
        return refused(state.book, "late_penalty_chips", f"No late player owes anything for level {wanted.level}.")
    return docked


def late_penalties(state: State, level: int) -> tuple[Docked, ...]:
    """What confirmed late players lose as `level` begins, who are not at their seat (ccp.late.4). No more than the
    stack that was given: what becomes of a stack that is too small, a person decides."""
    penalty = state.book.tournament.late_penalty_chips
    if penalty is None or not 1 <= level <= LATE_PENALTY_LEVELS:
        return ()
    mark = f"level-{level}"
    return tuple(
        Docked(entrant.player, Chips(penalty.value), mark, penalty.rule)
        for entrant in state.field.entrants.values()
        if entrant.status is Status.PLAYING
        and entrant.lateness_announced
        and entrant.away is not None
        and mark not in entrant.marks
    )


# ------------------------------------------------------------------------------------------------ rebuys


def announce_rebuy(state: State, wanted: AnnounceRebuy, now: Instant, facts: Facts) -> Decision:
    entrant = _known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    binds = state.book.tournament.rebuy_announced_binds
    return (RebuyAnnounced(wanted.player, binds.rule if binds is not None else ""),)


def buy(state: State, wanted: Buy, now: Instant, facts: Facts) -> Decision:
    entrant = _known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if not entrant.in_play:
        return Refusal(reason=f"{wanted.player} is not in the event: {entrant.status}.", rule="")
    fault = buying_fault(state, entrant, wanted, now, facts)
    if fault is not None and not wanted.anyway:
        return fault
    book = state.book.tournament
    price = (book.buy_in.value if book.buy_in is not None else 0) * CENTS
    chips = book.rebuy_chips if book.rebuy_chips is not None else book.starting_stack
    if chips is None:
        return refused(state.book, "rebuy_chips", "No book says how many chips that buys: set rebuy_chips.")
    rule = book.rebuys.rule if book.rebuys is not None else ""
    bought = ChipsBought(wanted.player, wanted.kind, price, Chips(chips.value), rule)
    pending = (
        BustDropped(id_, wanted.player, "bought in again")
        for id_, bust in state.field.busts.items()
        if any(out.player == wanted.player for out in bust.out)
    )
    return (bought, *pending)


def buying_fault(state: State, entrant: Entrant, wanted: Buy, now: Instant, facts: Facts) -> Refusal | None:
    """Why the book does not allow this rebuy or add-on now."""
    book = state.book.tournament
    if wanted.kind is Purchase.ADD_ON:
        if book.add_on is None or not book.add_on.value:
            return refused(state.book, "add_on", "There are no add-ons.")
        return None
    allowed = book.rebuys
    if allowed is None or allowed.value == 0:
        return refused(state.book, "rebuys", "There are no rebuys.")
    if sum(entrant.bought.get(kind, 0) for kind in (Purchase.REBUY, Purchase.BREAK)) >= allowed.value:
        return refused(
            state.book, "rebuys", f"{entrant.player} has had {allowed.value} already, the most there is."
        )
    if wanted.kind is Purchase.BREAK:
        limit = book.rebuy_below_at_break
        if limit is None or not wanted.in_break or not in_first_break(state, now):
            return refused(state.book, "rebuy_below_at_break", "That is for the first break.")
        if wanted.stack > limit.value:
            reason = f"{entrant.player} has {wanted.stack:,}; in the break {limit.value:,} or fewer may buy."
            return refused(state.book, "rebuy_below_at_break", reason)
        return None
    before = book.rebuy_before_level
    if before is not None and level_in_play(facts) >= before.value:
        return refused(
            state.book, "rebuy_before_level", f"Rebuys ended with the first hand of level {before.value}."
        )
    below = book.rebuy_below
    if below is not None and wanted.stack > below.value:
        reason = f"{entrant.player} has {wanted.stack:,}; a rebuy is for {below.value:,} or fewer."
        return refused(state.book, "rebuy_below", reason)
    return None


def in_first_break(state: State, now: Instant) -> bool:
    """Whether the clock stands in the first break; without a clock, whoever sells the chips knows it."""
    if state.clock is None:
        return True
    after = state.book.tournament.first_break_after_level
    if not state.clock.level(now.at).is_break:
        return False
    return after is None or state.clock.playing_level(now.at).no == after.value


# ------------------------------------------------------------------------------------------------ absence


def leave(state: State, wanted: Leave, now: Instant, facts: Facts) -> Decision:
    entrant = _known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if not entrant.in_play or entrant.away is not None:
        return Refusal(reason=f"{wanted.player} is not at a table.", rule="")
    return (Left(wanted.player, wanted.notified),)


def come_back(state: State, wanted: Return, now: Instant, facts: Facts) -> Decision:
    entrant = _known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.away is None:
        return Refusal(reason=f"{wanted.player} was not away.", rule="")
    return (Returned(wanted.player),)


class Absence(Frozen, frozen=True):
    """A stack that a person may take out of play now, or that ends at `left_ms` from now."""

    player: Name
    left_ms: Millis
    rule: Name
    why: Text
    suspended: bool = False


def absences(state: State, now: Instant, facts: Facts) -> tuple[Absence, ...]:
    """Everybody whose absence has a limit, the most urgent first. `left_ms` 0: a person may remove them."""
    book = state.book.tournament
    found: list[Absence] = []
    for entrant in state.field.entrants.values():
        if entrant.status is not Status.PLAYING or entrant.away is None:
            continue
        never_came = entrant.entered is not None and entrant.away == entrant.entered
        limit = book.no_show_removed_after_minutes if never_came else book.absence_forfeit_minutes
        if limit is None or (entrant.notified and not never_came) or entrant.lateness_announced:
            continue
        since = state.started if never_came and state.started is not None else entrant.away
        left = limit.value * MINUTE_MS - elapsed_ms(since, now)
        if never_came and level_in_play(facts) >= 2:  # at the new level, or after so long, whichever is first
            left = 0
        barred = never_came and book.no_show_suspended is not None and book.no_show_suspended.value
        why = "has not come" if never_came else "has not come back"
        found.append(Absence(entrant.player, Millis(max(0, left)), limit.rule, why, barred))
    return tuple(sorted(found, key=lambda absence: absence.left_ms))


def forfeit(state: State, wanted: Forfeit, now: Instant, facts: Facts) -> Decision:
    entrant = _known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if not entrant.in_play:
        return Refusal(reason=f"{wanted.player} is not in the event: {entrant.status}.", rule="")
    due = next((absence for absence in absences(state, now, facts) if absence.player == wanted.player), None)
    rule = wanted.rule or (due.rule if due is not None else "")
    removed = state.book.tournament.disqualified_chips
    if wanted.disqualified and not wanted.rule and removed is not None:
        rule = removed.rule
    barred = due is not None and due.suspended and not due.left_ms
    return (Forfeited(wanted.player, wanted.chips, rule, wanted.why, barred, wanted.disqualified),)


def _known(state: State, player: str) -> Entrant | Refusal:
    entrant = state.field.entrants.get(player)
    return entrant if entrant is not None else Refusal(reason=f"{player} is not registered.", rule="")


def _limit(state: State) -> int:
    limit = state.book.tournament.max_entrants
    return limit.value if limit is not None else 0


# ------------------------------------------------------------------------------------------------ reducers


def _entrant(state: State, player: str, *statuses: Status) -> Entrant:
    entrant = state.field.entrants.get(player)
    if entrant is None or (statuses and entrant.status not in statuses):
        what = "not registered" if entrant is None else entrant.status
        raise ConflictError(f"{player} is {what}")
    return entrant


def _registered(state: State, event: Registered, now: Instant) -> None:
    known = state.field.entrants.pop(event.player, None)
    if known is not None and known.status is not Status.CANCELLED:
        raise ConflictError(f"{event.player} is registered already")
    status = Status.WAITING if event.waiting else Status.REGISTERED
    entrant = Entrant(event.player, now, status, event.member, event.adult, event.regular)
    state.field.entrants[event.player] = entrant


def _cancelled(state: State, event: Cancelled, now: Instant) -> None:
    _entrant(state, event.player, Status.WAITING, Status.REGISTERED).status = Status.CANCELLED


def _offered(state: State, event: OfferedSeat, now: Instant) -> None:
    _entrant(state, event.player, Status.WAITING).status = Status.REGISTERED


def _signed_in(state: State, event: SignedIn, now: Instant) -> None:
    _entrant(state, event.player).signed_in = True


def _checked_off(state: State, event: CheckedOff, now: Instant) -> None:
    _entrant(state, event.player).checked_off = True


def _lateness(state: State, event: LatenessAnnounced, now: Instant) -> None:
    _entrant(state, event.player).lateness_announced = True


def _entered(state: State, event: Entered, now: Instant) -> None:
    entrant = _entrant(state, event.player, Status.REGISTERED)
    entrant.status = Status.PLAYING
    entrant.entered = now
    entrant.entries += 1
    entrant.paid += event.paid
    entrant.pool += event.pool
    entrant.chips += event.chips + event.bonus
    entrant.removed += event.docked
    state.field.playing += 1
    for other in state.field.entrants.values():  # whoever is out already is outlasted by one more
        if other.place is not None:
            other.place += 1


def _docked(state: State, event: Docked, now: Instant) -> None:
    entrant = _entrant(state, event.player, Status.PLAYING)
    if event.mark in entrant.marks:
        raise ConflictError(f"{event.player} has paid that penalty")
    entrant.marks.add(event.mark)
    entrant.removed += event.chips


def _rebuy_announced(state: State, event: RebuyAnnounced, now: Instant) -> None:
    _entrant(state, event.player).rebuy_announced = True


def _bought(state: State, event: ChipsBought, now: Instant) -> None:
    entrant = _entrant(state, event.player, Status.PLAYING, Status.BUSTED)
    entrant.bought[event.kind] = entrant.bought.get(event.kind, 0) + 1
    entrant.rebuy_announced = False
    entrant.paid += event.paid
    entrant.pool += event.paid
    entrant.chips += event.chips


def _left(state: State, event: Left, now: Instant) -> None:
    entrant = _entrant(state, event.player, Status.PLAYING)
    entrant.away, entrant.notified = now, event.notified


def _returned(state: State, event: Returned, now: Instant) -> None:
    entrant = _entrant(state, event.player)
    entrant.away, entrant.notified = None, False


def _forfeited(state: State, event: Forfeited, now: Instant) -> None:
    entrant = _entrant(state, event.player, Status.PLAYING, Status.BUSTED)
    entrant.removed += event.chips
    entrant.status = Status.OUT
    entrant.why_out = event.why
    entrant.suspended = event.suspended
    entrant.place = None if event.disqualified else state.field.playing
    state.field.playing -= 1
    at = state.seats.at.pop(event.player, None)
    if at is not None:
        del state.seats.tables[at.table].players[at.seat]


COMMANDS: Mapping[type, Any] = {
    Register: register,
    Cancel: cancel,
    SignIn: sign_in,
    CheckOff: check_off,
    AnnounceLateness: announce_lateness,
    Enter: enter,
    AnnounceRebuy: announce_rebuy,
    Buy: buy,
    Leave: leave,
    Return: come_back,
    Forfeit: forfeit,
    DockLatePlayers: dock_late_players,
}
REDUCERS: Mapping[type, Any] = {
    Registered: _registered,
    Cancelled: _cancelled,
    OfferedSeat: _offered,
    SignedIn: _signed_in,
    CheckedOff: _checked_off,
    LatenessAnnounced: _lateness,
    Entered: _entered,
    Docked: _docked,
    RebuyAnnounced: _rebuy_announced,
    ChipsBought: _bought,
    Left: _left,
    Returned: _returned,
    Forfeited: _forfeited,
}
