"""Entry with its stack: bonus for the early, penalties and limits for the late."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Amount, Chips, Frozen, Name, Number, Refusal, Said
from table_core.rulebook import Rulebook
from table_core.tournament.clock import MINUTE_MS
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    CENTS,
    Cents,
    Docked,
    Entered,
    Instant,
    OfferedSeat,
    Refunded,
    elapsed_ms,
    in_cents,
)
from table_core.tournament.field.finishing import play_goes_on
from table_core.tournament.field.late_blinds import penalty_in_blinds
from table_core.tournament.field.lookup import entrant_of, known, stack_of
from table_core.tournament.field.waiting_list import next_waiting, places
from table_core.tournament.local_day import time_of_day
from table_core.tournament.money.fees import fees
from table_core.tournament.seats.draw import seat_with_entry
from table_core.tournament.state import Entrant, Facts, State, Status, level_in_play

MONEY_SETTINGS = (
    *("buy_in", "rebuys", "rebuys_unlimited", "rebuy_price", "add_on", "add_on_price", "bounty_price"),
    *("entry_fee", "fee_for_food", "fee_for_extra_prizes", "fee_for_best_hand"),
)
BAGGED = "The day is over and its chips are in bags: undo that first."
LATE_PENALTY_LEVELS = 3  # ccp.late.4: as each of the first three levels begins


class Enter(Frozen, frozen=True):
    """The player's entry is paid: `paid` cents, the buy-in unless given. `chips` only where the book leaves
    them to the director. `big_blind`: which one a penalty is counted in, where two are in play. `exception`:
    why the stack is larger than the book allows after the deadline; it is `chips` then, or a whole one. A
    player who is out enters again where the event allows it."""

    player: Name
    chips: Amount | None = None
    paid: Cents | None = None
    anyway: Said = ""
    exception: Said = ""
    big_blind: Amount | None = None


class Refund(Frozen, frozen=True):
    """The entry is taken back with its chips, and paid back."""

    player: Name
    anyway: Said = ""


class DockLatePlayers(Frozen, frozen=True):
    """Take what late players owe for the beginning of this level."""

    level: Number


def enter(state: State, wanted: Enter, now: Instant, facts: Facts) -> Decision:
    """Entry with the stack that the book gives: bonus for the early, penalty for the late."""
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if state.bags:
        return Refusal(reason=BAGGED, rule="")
    book = state.book.tournament
    again = entrant.status is Status.OUT and (book.re_entries is not None or bool(wanted.anyway))
    if again and book.re_entries is not None and entrant.entries > book.re_entries.value and not wanted.anyway:
        return refused(state.book, "re_entries", f"{wanted.player} has entered again as often as may be.")
    from_list = entrant.status is Status.WAITING and bool(wanted.anyway) and places(state).left != 0
    if entrant.status is not Status.REGISTERED and not (again or from_list):
        if entrant.status is Status.WAITING:
            return refused(state.book, "overbooked", f"{wanted.player} is on the waiting list: no place is free.")
        return Refusal(reason=f"{wanted.player} cannot enter: {entrant.status}.", rule="")
    opens = book.entry_opens_minutes_before
    if opens is not None and state.starts is not None and now.wall < state.starts - opens.value * MINUTE_MS:
        reason = f"Money is taken from {opens.value} minutes before the start."
        return refused(state.book, "entry_opens_minutes_before", reason)
    price = buy_in(state) if wanted.paid is None else wanted.paid
    if fault := price_fault(state, price):
        return fault
    stack = wanted.chips if wanted.chips is not None else (book.starting_stack and book.starting_stack.value)
    if not stack:
        reason = "The book leaves the starting stack to the event: set starting_stack, or name the chips."
        return refused(state.book, "starting_stack", reason)
    rule = book.starting_stack.rule if book.starting_stack is not None else ""
    docked, bonus, why = 0, 0 if again else early_bonus(state, entrant), ""
    if state.started is not None:
        late = late_entry(state, entrant, now, facts, wanted.big_blind)
        if isinstance(late, Refusal) and not (wanted.anyway or wanted.exception):
            return late
        if not isinstance(late, Refusal):
            docked, rule = late
        if docked >= stack:  # the book has no least stack: a person names one, and it stands as named
            if not wanted.anyway or wanted.chips is None:
                return Refusal(reason=f"The penalty of {docked} takes the whole stack: name the chips.", rule=rule)
            docked = 0
        if isinstance(late, Refusal):
            why, rule = wanted.exception or wanted.anyway, late.rule
            capped = late_stack(state, wanted, stack)
            if isinstance(capped, Refusal):
                return capped
            if capped is not None:  # of the whole stack: no bonus on top
                (stack, rule), bonus = capped, 0
    pool = pool_share(state, price)
    offered = (OfferedSeat(wanted.player, book.overbooked.rule if book.overbooked else ""),) if from_list else ()
    return (
        *offered,
        Entered(
            wanted.player, paid=price, pool=pool, chips=Chips(stack), bonus=Chips(bonus),
            docked=Chips(docked), rule=rule, why=why,
        ),
        *seat_with_entry(state, entrant),
    )  # fmt: skip


def late_stack(state: State, wanted: Enter, stack: int) -> tuple[int, str] | Refusal | None:
    """The stack of who enters after the deadline by the director's leave, with the rule; None where the book sets
    no most."""
    book, cap = state.book.tournament, state.book.tournament.late_stack_cap
    if cap is None:
        return None
    whole = book.starting_stack.value if book.starting_stack is not None else stack
    most = round(whole * cap.value)
    if wanted.exception:
        return stack, cap.rule
    if wanted.chips is not None and wanted.chips > most:
        reason = f"After the deadline {most:,} chips are the most; an exception needs its reason."
        return Refusal(reason=reason, rule=cap.rule)
    return min(stack, most), cap.rule


def early_bonus(state: State, entrant: Entrant) -> int:
    """Chips for who registered before the time of day that the book names (cpp.chips.2), or before the start."""
    bonus, until = state.book.tournament.early_bonus, state.book.tournament.early_bonus_until
    minutes = time_of_day(until.value) if until is not None else None
    last: float | None = state.starts
    if minutes is not None and state.local_day is not None:
        last = state.local_day.at(minutes)
    return bonus.value if bonus is not None and last is not None and entrant.registered.wall < last else 0


def late_entry(
    state: State, entrant: Entrant, now: Instant, facts: Facts, big_blind: Chips | None = None
) -> tuple[int, str] | Refusal:
    """Chips taken off an entry after the start, with the rule; or why it is too late."""
    book = state.book.tournament
    until = book.late_entry_until_level
    level = level_in_play(facts)
    if until is not None and until.value > 1 and not level and state.clock is not None:
        level = state.clock.playing_level(now.at).no  # no table reports hands: by the clock
    if until is not None and level >= until.value and not entrant.lateness_announced:
        reason = f"Entry ended with the first hand of level {until.value}."
        return refused(state.book, "late_entry_until_level", reason)
    if until is not None and entrant.told_after_first_hand:
        reason = f"{entrant.player} told it after the first hand; the book does not say until when one may."
        return refused(state.book, "late_entry_until_level", reason)
    minutes = book.late_entry_until_minutes
    started = state.started
    over = minutes is not None and started is not None and elapsed_ms(started, now) >= minutes.value * MINUTE_MS
    if minutes is not None and over and not entrant.offered:  # whose seat opened before may sit down in it
        reason = f"Entry ended {minutes.value} minutes after the start."
        return refused(state.book, "late_entry_until_minutes", reason)
    if until is not None and until.value == 1 and level_in_play(facts) == 0:
        return 0, until.rule  # paid before the first hand is on time (home.procedures.2)
    in_blinds = penalty_in_blinds(state, now, facts, big_blind)
    return in_blinds if in_blinds is not None else (0, state.book.cites.late_player or "")


def buy_in(state: State) -> int:
    """Cents of an entry, by the book."""
    price = state.book.tournament.buy_in
    return in_cents(price.value) if price is not None else 0


def price_fault(state: State, paid: int) -> Refusal | None:
    """Why this is not what an entry or a rebuy costs, in cents: the whole buy-in, no part of it and no more."""
    book = state.book.tournament
    if book.buy_in is not None and paid != buy_in(state):
        reason = f"It is exactly {buy_in(state) / CENTS:,.2f}, not {paid / CENTS:,.2f}."
        return refused(state.book, "buy_in", reason)
    if book.buy_in_most is not None and paid > in_cents(book.buy_in_most.value):
        reason = f"{paid / CENTS:,.2f} is more than the most of {book.buy_in_most.value:,}."
        return refused(state.book, "buy_in_most", reason)
    return None


def paid_play_fault(book: Rulebook) -> Refusal | None:
    """Why these settings of the house cannot be: they bring in money where play is free."""
    free, settings = book.tournament.play_is_free, book.tournament
    asked = [name for name in MONEY_SETTINGS if (rule := getattr(settings, name)) is not None and rule.value]
    if free is None or not free.value or not asked:
        return None
    return Refusal(reason=f"Play is free: {', '.join(asked)} cannot be set.", rule=free.rule)


def pool_share(state: State, price: int) -> int:
    """What of an entry goes to the players' money: the price without the fees."""
    return max(0, price - sum(fees(state).values()))


def refund(state: State, wanted: Refund, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.status is not Status.PLAYING:
        return Refusal(reason=f"{wanted.player} has no entry to give back: {entrant.status}.", rule="")
    allowed = state.book.tournament.refund_after_first_hand
    dealt = level_in_play(facts) > 0
    if dealt and (allowed is None or not allowed.value) and not wanted.anyway:
        reason = "Cards were dealt: nothing is refunded or cashed out."
        return refused(state.book, "refund_after_first_hand", reason)
    back = Refunded(wanted.player, entrant.paid, allowed.rule if allowed is not None else "")
    return (back, *next_waiting(state))


def dock_late_players(state: State, wanted: DockLatePlayers, now: Instant, facts: Facts) -> Decision:
    docked = late_penalties(state, wanted.level, facts)
    if not docked:
        return refused(state.book, "late_penalty_chips", f"No late player owes anything for level {wanted.level}.")
    return docked


def level_now(state: State, now: Instant) -> int:
    """The number of the level that is played by the clock; 0 before the start, and while no clock is there."""
    clock = state.clock
    runs = clock is not None and state.started is not None and clock.mark.boot == now.boot
    return clock.playing_level(now.at).no if clock is not None and runs else 0


def late_penalties(state: State, level: int, facts: Facts) -> tuple[Docked, ...]:
    """What confirmed late players lose as `level` begins, who are not at their seat (ccp.late.4). No more than
    they have: what becomes of a player without chips, a person decides."""
    penalty = state.book.tournament.late_penalty_chips
    if penalty is None or not 1 <= level <= LATE_PENALTY_LEVELS:
        return ()
    mark = f"level-{level}"
    docked = []
    for entrant in state.field.entrants.values():
        late = entrant.status is Status.PLAYING and entrant.lateness_announced and entrant.away is not None
        stack = stack_of(state, entrant.player, facts)
        chips = penalty.value if stack is None else min(penalty.value, stack)
        if late and chips and mark not in entrant.marks:
            docked.append(Docked(entrant.player, Chips(chips), mark, penalty.rule))
    return tuple(docked)


# ------------------------------------------------------------------------------------------------ reducers


def _entered(state: State, event: Entered, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.REGISTERED, Status.OUT)
    state.field.out -= entrant.status is Status.OUT
    was = entrant.place  # of one who enters again: whoever went out before keeps the place
    entrant.status, entrant.place, entrant.why_out = Status.PLAYING, None, ""
    entrant.entries += 1
    entrant.paid += event.paid
    entrant.pool += event.pool
    entrant.chips += event.chips + event.bonus
    entrant.removed += event.docked
    state.field.playing += 1
    others = state.field.entrants.values() if was is not None or state.field.out else ()
    for other in others:  # whoever is out already is outlasted by one more
        if other.place is not None and (was is None or other.place < was):
            other.place += 1
    play_goes_on(state)


def _refunded(state: State, event: Refunded, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.PLAYING)
    entrant.status = Status.CANCELLED
    state.field.placed -= 1
    state.field.passed.clear()
    entrant.entries = entrant.paid = entrant.pool = entrant.chips = entrant.removed = 0
    entrant.bought = {}
    state.field.playing -= 1
    at = state.seats.at.pop(event.player, None)
    if at is not None:
        del state.seats.tables[at.table].players[at.seat]


def _docked(state: State, event: Docked, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.PLAYING)
    if event.mark in entrant.marks:
        raise ConflictError(f"{event.player} has paid that penalty")
    entrant.marks.add(event.mark)
    entrant.removed += event.chips


COMMANDS: Mapping[type, Any] = {
    Enter: enter,
    Refund: refund,
    DockLatePlayers: dock_late_players,
}
REDUCERS: Mapping[type, Any] = {
    Entered: _entered,
    Refunded: _refunded,
    Docked: _docked,
}
