"""Rebuys, purchases in the break, add-ons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Chips, Frozen, Name, Refusal, Text
from table_core.tournament.decision import Decision, refused
from table_core.tournament.events import CENTS, BustDropped, ChipsBought, Instant, Purchase, RebuyAnnounced
from table_core.tournament.field.lookup import entrant_of, known, stack_of
from table_core.tournament.state import Entrant, Facts, State, Status, level_in_play


class AnnounceRebuy(Frozen, frozen=True):
    player: Name
    anyway: Text = ""


class Buy(Frozen, frozen=True):
    """A rebuy or an add-on is paid. `stack` is what the player has in front, where no table reports it."""

    player: Name
    kind: Purchase
    stack: Chips = Chips(0)
    anyway: Text = ""


def announce_rebuy(state: State, wanted: AnnounceRebuy, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    binds = state.book.tournament.rebuy_announced_binds
    return (RebuyAnnounced(wanted.player, binds.rule if binds is not None else ""),)


def buy(state: State, wanted: Buy, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
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
    reported = stack_of(state, entrant.player, facts)
    stack = wanted.stack if reported is None else reported
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
        if limit is None or not in_first_break(state, now):
            return refused(state.book, "rebuy_below_at_break", "That is for the first break.")
        if stack > limit.value:
            reason = f"{entrant.player} has {stack:,}; in the break {limit.value:,} or fewer may buy."
            return refused(state.book, "rebuy_below_at_break", reason)
        return None
    before = book.rebuy_before_level
    if before is not None and level_in_play(facts) >= before.value:
        return refused(
            state.book, "rebuy_before_level", f"Rebuys ended with the first hand of level {before.value}."
        )
    below = book.rebuy_below
    if below is not None and stack > below.value:
        reason = f"{entrant.player} has {stack:,}; a rebuy is for {below.value:,} or fewer."
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


# ------------------------------------------------------------------------------------------------ reducers


def _rebuy_announced(state: State, event: RebuyAnnounced, now: Instant) -> None:
    entrant_of(state, event.player).rebuy_announced = True


def _bought(state: State, event: ChipsBought, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.PLAYING, Status.BUSTED)
    entrant.bought[event.kind] = entrant.bought.get(event.kind, 0) + 1
    entrant.rebuy_announced = False
    entrant.paid += event.paid
    entrant.pool += event.paid
    entrant.chips += event.chips


COMMANDS: Mapping[type, Any] = {
    AnnounceRebuy: announce_rebuy,
    Buy: buy,
}
REDUCERS: Mapping[type, Any] = {
    RebuyAnnounced: _rebuy_announced,
    ChipsBought: _bought,
}
