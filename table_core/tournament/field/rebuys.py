"""Rebuys, purchases in the break, add-ons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Amount, Chips, Frozen, Name, Refusal, Said
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    CENTS,
    BustDropped,
    Cents,
    ChipsBought,
    Instant,
    PlayerSeated,
    Purchase,
    RebuyAnnounced,
    RebuyPaid,
    Reinstated,
    TournamentEvent,
    in_cents,
)
from table_core.tournament.field.entries import buy_in, price_fault
from table_core.tournament.field.lookup import entrant_of, known, stack_of
from table_core.tournament.money.bounties import target_rebuys
from table_core.tournament.seats.seating import newcomer_seat
from table_core.tournament.state import Entrant, Facts, State, Status, level_in_play


class AnnounceRebuy(Frozen, frozen=True):
    """The player says before the cards are dealt that they buy in again."""

    player: Name
    anyway: Said = ""


class Buy(Frozen, frozen=True):
    """A rebuy or an add-on is paid: `paid` cents, what the book has it cost unless given. `stack` is what the
    player has in front, where no table reports it."""

    player: Name
    kind: Purchase
    stack: Amount = Chips(0)
    paid: Cents | None = None
    anyway: Said = ""


def announce_rebuy(state: State, wanted: AnnounceRebuy, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    binds = state.book.tournament.rebuy_announced_binds
    if binds is None or not binds.value:
        return (RebuyAnnounced(wanted.player, binds.rule if binds is not None else ""),)
    if entrant.owes is not None:
        return Refusal(reason=f"{wanted.player} has announced one already.", rule=binds.rule)
    if out := _out_of_play(entrant):
        return out
    kind = open_rebuy(state, wanted.player, now, facts)
    if kind is None and not wanted.anyway:
        in_break = state.clock is not None and in_first_break(state, now) and not _is_gone(state, entrant, facts)
        asked = Buy(wanted.player, Purchase.BREAK if in_break else Purchase.REBUY)
        return buying_fault(state, entrant, asked, now, facts) or Refusal(reason="No rebuy is open.", rule="")
    kind = kind or Purchase.REBUY
    chips = _chips(state)
    if isinstance(chips, Refusal):
        return chips
    dropped = _taken_back(state, wanted.player, "playing behind")
    bust = dropped[0].bust if dropped else ""
    open_games = target_rebuys(state, wanted.player) if dropped else ()
    return (
        RebuyAnnounced(wanted.player, binds.rule, chips, price_of(state, kind), bust, kind),
        *dropped,
        *open_games,
    )


def _is_gone(state: State, entrant: Entrant, facts: Facts) -> bool:
    return not stack_of(state, entrant.player, facts)


def _out_of_play(entrant: Entrant) -> Refusal | None:
    reason = f"{entrant.player} is not in the event: {entrant.status}."
    return None if entrant.in_play else Refusal(reason=reason, rule="")


def price_of(state: State, kind: Purchase) -> int:
    """Cents of a rebuy or an add-on: the book's, for an add-on else that of a rebuy, else the buy-in."""
    book = state.book.tournament
    price = book.rebuy_price
    if kind is Purchase.ADD_ON and book.add_on_price is not None:
        price = book.add_on_price
    return in_cents(price.value) if price is not None else buy_in(state)


def _price_fault(state: State, kind: Purchase, paid: int) -> Refusal | None:
    """Why a rebuy or an add-on does not cost that."""
    book, price = state.book.tournament, price_of(state, kind)
    own = "add_on_price" if kind is Purchase.ADD_ON and book.add_on_price is not None else "rebuy_price"
    if getattr(book, own) is None:
        return price_fault(state, paid)
    return None if paid == price else refused(state.book, own, f"It is exactly {price / CENTS:,.2f}.")


def _chips(state: State, kind: Purchase = Purchase.REBUY) -> Chips | Refusal:
    """What a rebuy or an add-on buys."""
    book = state.book.tournament
    chips = book.rebuy_chips if book.rebuy_chips is not None else book.starting_stack
    if kind is Purchase.ADD_ON and book.add_on_chips is not None:
        chips = book.add_on_chips
    if chips is None:
        return refused(state.book, "rebuy_chips", "No book says how many chips that buys: set rebuy_chips.")
    return Chips(chips.value)


def _taken_back(state: State, player: str, why: str) -> tuple[BustDropped, ...]:
    return tuple(
        BustDropped(id_, player, why)
        for id_, bust in state.field.busts.items()
        if any(out.player == player for out in bust.out)
    )


def buy(state: State, wanted: Buy, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    binds = state.book.tournament.rebuy_announced_binds
    if wanted.kind is not Purchase.ADD_ON and entrant.owes is not None:
        return (RebuyPaid(wanted.player, entrant.owes, binds.rule if binds is not None else ""),)
    again = _in_again(state, entrant, wanted, facts)
    if not again and (out := _out_of_play(entrant)):
        return out
    fault = buying_fault(state, entrant, wanted, now, facts) or _counted_otherwise(state, wanted, facts)
    if fault is not None and not wanted.anyway:
        return fault
    price = price_of(state, wanted.kind) if wanted.paid is None else wanted.paid
    if fault := _price_fault(state, wanted.kind, price):
        return fault
    chips = _chips(state, wanted.kind)
    if isinstance(chips, Refusal):
        return chips
    allowed = state.book.tournament.rebuys or state.book.tournament.rebuys_unlimited
    bought = ChipsBought(wanted.player, wanted.kind, price, chips, allowed.rule if allowed is not None else "")
    back = _taken_back(state, wanted.player, "bought in again")
    return (*again, bought, *back, *(target_rebuys(state, wanted.player) if back else ()))


def _in_again(state: State, entrant: Entrant, wanted: Buy, facts: Facts) -> tuple[TournamentEvent, ...]:
    """By hand who is out may still buy in again: in the old seat, or in one for a newcomer where somebody has
    it."""
    at = state.field.seats_of_gone.get(entrant.player)
    if not went_by_hand(state, entrant) or wanted.kind is Purchase.ADD_ON or at is None:
        return ()
    back = Reinstated(entrant.player, Chips(0), "bought in again")
    table = state.seats.tables[at.table]
    if table.open and at.seat in table.free():
        return (back,)
    seat, rule = (
        newcomer_seat(state, facts, entrant.player),
        state.book.tournament.newcomer_between_button_and_blind,
    )
    return (back, PlayerSeated(entrant.player, seat, rule.rule)) if seat is not None else (back,)


def went_by_hand(state: State, entrant: Entrant) -> bool:
    """Whether the player is out by a press of the director, in an event that is played by hand."""
    bust = state.field.went.get(entrant.player)
    return (
        state.by_hand and entrant.status is Status.OUT and bust is not None and bust.bust in state.field.together
    )


def _counted_otherwise(state: State, wanted: Buy, facts: Facts) -> Refusal | None:
    """The table has another stack than whoever sells the chips: one of the two is wrong."""
    reported = stack_of(state, wanted.player, facts)
    if not wanted.stack or reported is None or reported == wanted.stack:
        return None
    reason = f"The table has {reported:,} for {wanted.player}, not {wanted.stack:,}: count the stack first."
    return Refusal(reason=reason, rule="")


def buying_fault(state: State, entrant: Entrant, wanted: Buy, now: Instant, facts: Facts) -> Refusal | None:
    """Why the book does not allow this rebuy or add-on now."""
    book = state.book.tournament
    reported = stack_of(state, entrant.player, facts)
    stack = wanted.stack if reported is None else reported
    if wanted.kind is Purchase.ADD_ON:
        if book.add_on is None or not book.add_on.value:
            return refused(state.book, "add_on", "There are no add-ons.")
        return None
    most = book.rebuys
    unlimited = most is None and book.rebuys_unlimited is not None and book.rebuys_unlimited.value
    if not unlimited and (most is None or most.value == 0):
        return refused(state.book, "rebuys", "There are no rebuys.")
    had = sum(entrant.bought.get(kind, 0) for kind in (Purchase.REBUY, Purchase.BREAK))
    if most is not None and had >= most.value:
        return refused(state.book, "rebuys", f"{entrant.player} has had {most.value} already, the most there is.")
    if wanted.kind is Purchase.BREAK:
        limit = book.rebuy_below_at_break
        if limit is None or not in_first_break(state, now):
            return refused(state.book, "rebuy_below_at_break", "That is for the first break.")
        if stack > limit.value:
            reason = f"{entrant.player} has {stack:,}; in the break {limit.value:,} or fewer may buy."
            return refused(state.book, "rebuy_below_at_break", reason)
        return None
    if (late := _too_late(state, entrant, facts)) is not None:
        return late
    below = book.rebuy_below
    if below is not None and stack > below.value:
        reason = f"{entrant.player} has {stack:,}; a rebuy is for {below.value:,} or fewer."
        return refused(state.book, "rebuy_below", reason)
    return None


def _too_late(state: State, entrant: Entrant, facts: Facts) -> Refusal | None:
    """Why the level of the book ends rebuys for this player. It is the loss that has to come before it: who lost
    the last chips in time may take the time to pay (ccp.buyin.3, rpl.league.6)."""
    before = state.book.tournament.rebuy_before_level
    if before is None or level_in_play(facts) < before.value:
        return None
    bust = next(
        (one for one in state.field.busts.values() if any(o.player == entrant.player for o in one.out)), None
    )
    if bust is None and went_by_hand(state, entrant):
        bust = state.field.went[entrant.player]
    if bust is not None and bust.level < before.value:
        return None
    reason = f"Rebuys ended with the first hand of level {before.value}."
    if bust is not None and level_in_play(facts, frozenset({bust.table})) < before.value:
        reason = (
            f"Another table had dealt its first hand of level {before.value}, table {bust.table} has not: the "
            "book does not say whose first hand it is. Decide it with a reason."
        )
    return refused(state.book, "rebuy_before_level", reason[:1].upper() + reason[1:])


def open_rebuy(state: State, player: str, now: Instant, facts: Facts) -> Purchase | None:
    """How a player who is out of chips may buy in again, in play or in the break; None where there is no way."""
    entrant = state.field.entrants[player]
    kinds = (Purchase.REBUY, Purchase.BREAK)
    allowed = (kind for kind in kinds if buying_fault(state, entrant, Buy(player, kind), now, facts) is None)
    return next(allowed, None)


def rebuys_open(state: State, now: Instant) -> bool:
    """Whether the book has a rebuy now for somebody who has had none, as far as the clock says."""
    clock, book = state.clock, state.book.tournament
    if state.started is None or state.finished is not None or clock is None or clock.mark.boot != now.boot:
        return False
    unlimited = book.rebuys is None and book.rebuys_unlimited is not None and book.rebuys_unlimited.value
    if not unlimited and not (book.rebuys is not None and book.rebuys.value):
        return False
    before = book.rebuy_before_level
    return before is None or clock.playing_level(now.at).no < before.value or in_first_break(state, now)


def rebuy_in_words(state: State, kind: Purchase) -> str:
    """What it costs, what it brings and until when it is open."""
    chips, before = _chips(state), state.book.tournament.rebuy_before_level
    price = f"{price_of(state, kind) / CENTS:.2f}" + (
        f" for {chips:,} chips" if not isinstance(chips, Refusal) else ""
    )
    if kind is Purchase.BREAK:
        return f"{price}, in this break."
    if before is None:
        return f"{price}."
    return f"{price}. Open until the first hand of level {before.value} is dealt ({before.rule})."


def in_first_break(state: State, now: Instant) -> bool:
    """Whether the clock stands in the first break; without a clock, whoever sells the chips knows it."""
    if state.clock is None:
        return True
    after = state.book.tournament.first_break_after_level
    if not state.clock.level(now.at).is_break:
        return False
    return after is None or state.clock.playing_level(now.at).no == after.value


# ------------------------------------------------------------------------------------------------ reducers


def _rebuy_announced(state: State, event: RebuyAnnounced, now: Instant) -> None:
    entrant = entrant_of(state, event.player)
    if not event.chips:
        return
    entrant.bought[event.kind] = entrant.bought.get(event.kind, 0) + 1
    entrant.chips += event.chips
    entrant.owes = event.owed
    entrant.announced_after = event.bust


def _rebuy_paid(state: State, event: RebuyPaid, now: Instant) -> None:
    entrant = entrant_of(state, event.player)
    if entrant.owes is None:
        raise ConflictError(f"{event.player} owes no rebuy")
    entrant.owes = None
    entrant.paid += event.paid
    entrant.pool += event.paid


def _bought(state: State, event: ChipsBought, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.PLAYING, Status.BUSTED)
    entrant.bought[event.kind] = entrant.bought.get(event.kind, 0) + 1
    entrant.paid += event.paid
    entrant.pool += event.paid
    entrant.chips += event.chips
    if event.player in state.chips.by_hand:
        state.chips.by_hand[event.player] = (state.chips.by_hand[event.player][0] + event.chips, now)


COMMANDS: Mapping[type, Any] = {
    AnnounceRebuy: announce_rebuy,
    Buy: buy,
}
REDUCERS: Mapping[type, Any] = {
    RebuyAnnounced: _rebuy_announced,
    RebuyPaid: _rebuy_paid,
    ChipsBought: _bought,
}
