"""Starting stacks in empty seats for who comes late: they post blinds until somebody buys one or it is removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Chips, Frozen, Name, Refusal, Said
from table_core.tournament.decision import ConflictError, Decision, refused, unused
from table_core.tournament.events import Docked, Instant, SeatAt, StackPlaced, StackSold
from table_core.tournament.field.entries import buy_in, late_entry, pool_share
from table_core.tournament.field.finishing import play_goes_on
from table_core.tournament.field.late_blinds import penalty_in_blinds
from table_core.tournament.field.lookup import entrant_of, known
from table_core.tournament.seats.chairs import is_full
from table_core.tournament.seats.seating import sit
from table_core.tournament.state import Entrant, Facts, State, Status


class PlaceStack(Frozen, frozen=True):
    """A starting stack at a seat that nobody has bought yet; it gets an id, `stack-1`. `forfeit` removes it."""

    at: SeatAt


class SellStack(Frozen, frozen=True):
    """A registered player buys the stack, as it is now, with its seat."""

    stack: Name
    player: Name
    anyway: Said = ""


def place_stack(state: State, wanted: PlaceStack, now: Instant, facts: Facts) -> Decision:
    book = state.book.tournament
    rule = book.unsold_stacks
    if rule is None or not rule.value:
        return refused(state.book, "unsold_stacks", "The book puts no stacks in empty seats.")
    table = state.seats.tables.get(wanted.at.table)
    if not state.seats.drawn or table is None or wanted.at.seat not in table.free() or is_full(state, table):
        return Refusal(reason=f"{str(wanted.at).capitalize()} is not free.", rule=rule.rule)
    if book.starting_stack is None:
        return refused(state.book, "starting_stack", "The book leaves the starting stack to the event: set it.")
    stack = unused("stack-", 0, state.field.entrants)
    return (StackPlaced(stack, wanted.at, Chips(book.starting_stack.value), rule.rule),)


def sell_stack(state: State, wanted: SellStack, now: Instant, facts: Facts) -> Decision:
    stack, entrant = state.field.entrants.get(wanted.stack), known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if (
        stack is None
        or not stack.unsold
        or stack.status is not Status.PLAYING
        or wanted.stack not in state.seats.at
    ):
        return Refusal(reason=f"{wanted.stack} is no stack that can be bought.", rule="")
    if entrant.status is not Status.REGISTERED:
        return Refusal(reason=f"{wanted.player} cannot enter: {entrant.status}.", rule="")
    late = late_entry(state, entrant, now, facts) if state.started is not None else None
    if isinstance(late, Refusal) and not wanted.anyway:
        return late
    price, rule = buy_in(state), state.book.tournament.unsold_stacks
    sold = StackSold(
        wanted.stack, wanted.player, price, pool_share(state, price), rule.rule if rule is not None else ""
    )
    docked = penalty_in_blinds(state, now, facts, None) if entrant.lateness_announced and state.started else None
    if isinstance(docked, Refusal):
        docked = None  # two big blinds are in play: the director says which one, with `penalty`
    return (sold, *([Docked(wanted.player, Chips(docked[0]), "late", docked[1])] if docked and docked[0] else []))


# ------------------------------------------------------------------------------------------------ reducers


def _placed(state: State, event: StackPlaced, now: Instant) -> None:
    if event.stack in state.field.entrants:
        raise ConflictError(f"{event.stack} is there already")
    stack = Entrant(event.stack, now, Status.PLAYING, chips=event.chips, away=now, unsold=True)
    state.field.entrants[event.stack] = stack
    sit(state, event.stack, event.at)


def _sold(state: State, event: StackSold, now: Instant) -> None:
    stack = entrant_of(state, event.stack, Status.PLAYING)
    buyer = entrant_of(state, event.player, Status.REGISTERED)
    at = state.seats.at.pop(event.stack)
    del state.seats.tables[at.table].players[at.seat]
    buyer.status, stack.status = Status.PLAYING, Status.CANCELLED
    buyer.entries += 1
    buyer.paid += event.paid
    buyer.pool += event.pool
    buyer.chips, buyer.removed = buyer.chips + stack.chips, buyer.removed + stack.removed
    stack.chips = stack.removed = 0
    state.field.playing += 1
    for other in state.field.entrants.values():  # whoever is out already is outlasted by one more
        if other.place is not None:
            other.place += 1
    play_goes_on(state)
    sit(state, event.player, at)


COMMANDS: Mapping[type, Any] = {PlaceStack: place_stack, SellStack: sell_stack}
REDUCERS: Mapping[type, Any] = {StackPlaced: _placed, StackSold: _sold}
