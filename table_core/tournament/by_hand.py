"""An event that is played by hand: no table reports anything, and the director says what happens.

There are no hands then, only the clock. A stack is known where somebody counted it (`ChipState.by_hand`). Chips
are in play or have left it; nobody keeps an account of where they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Chips, Frozen, Many, Refusal
from table_core.tournament.decision import ConflictError, Decision
from table_core.tournament.events import Instant, PlayedByHand, StackBrought, StackOf
from table_core.tournament.field.lookup import who_waits
from table_core.tournament.state import Facts, State, Status, TableFacts

NOT_BY_HAND = "Tables report this event: that is for an event that is played by hand."


class PlayByHand(Frozen, frozen=True):
    """The event is played by hand from now on, or by what tables report. For the tables everybody at a seat has to
    be counted: `stacks`, of those for whom no count is known."""

    on: bool
    stacks: Many[StackOf] = ()


def facts_of(state: State, facts: Facts, now: Instant) -> Facts:
    """What the rules of the night go by: what tables report, or by hand the clock alone. Each table plays the
    level that the clock has; there are no hands and no stacks."""
    if not state.by_hand:
        return facts
    clock = state.clock
    if state.started is None or clock is None or clock.mark.boot != now.boot:
        return {}
    level = clock.playing_level(now.at).no
    return {table.plan.table: TableFacts(table.plan.table, level=level) for table in state.seats.open_tables()}


def play_by_hand(state: State, wanted: PlayByHand, now: Instant, facts: Facts) -> Decision:
    if wanted.on == state.by_hand:
        return ()
    if state.field.busts:
        return Refusal(reason=f"Decide the pending bust first: {who_waits(state, state.field.busts)}.", rule="")
    if state.seats.moves:
        return Refusal(reason=f"Moves are under way: {', '.join(state.seats.moves)}.", rule="")
    if wanted.on:
        if playing := [name for name, fact in facts.items() if fact.in_hand]:
            return Refusal(reason=f"Table {', '.join(playing)} is in a hand: end it first.", rule="")
        known = stacks_known(state, facts)
        return (PlayedByHand(True, tuple(StackOf(player, Chips(stack)) for player, stack in known.items())),)
    if state.started is None:
        return (PlayedByHand(False),)
    return _for_tables(state, wanted)


def _for_tables(state: State, wanted: PlayByHand) -> Decision:
    """Every stack at a seat, so that the tables begin with what lies there."""
    given = {one.player: one.stack for one in wanted.stacks}
    stacks = {player: given.get(player, stack_by_hand(state, player)) for player in state.seats.at}
    unknown = [player for player, stack in stacks.items() if not stack]
    if unknown:
        return Refusal(reason=f"Count every stack first; not counted: {', '.join(unknown)}.", rule="")
    if strange := given.keys() - stacks.keys():
        return Refusal(reason=f"{', '.join(sorted(strange))}: not at a seat.", rule="")
    entrants = state.field.entrants
    there = sum(one.chips - one.removed for one in entrants.values()) + state.chips.changed
    found = sum(stack or 0 for stack in stacks.values())
    if found != there:
        more = "too many" if found > there else "missing"
        reason = (
            f"The stacks make {found:,}; {there:,} are in play: {abs(found - there):,} are {more}. Count again."
        )
        return Refusal(reason=reason, rule="")
    brought = (StackBrought(player, Chips(stack)) for player, stack in stacks.items() if stack is not None)
    return (PlayedByHand(False), *brought)


def stacks_known(state: State, facts: Facts) -> dict[str, int]:
    """The chips of everybody seated whose table has said them; by hand, of everybody whom somebody counted."""
    at = state.seats.at
    if state.by_hand:
        return {player: stack for player, (stack, _) in state.chips.by_hand.items() if player in at}
    known = {player: facts[seat.table].stacks.get(seat.seat) for player, seat in at.items() if seat.table in facts}
    return {player: stack for player, stack in known.items() if stack is not None}


def stack_by_hand(state: State, player: str) -> int | None:
    """What somebody counted in front of the player, with what came to it since; None where nobody did."""
    known = state.chips.by_hand.get(player)
    return known[0] if known is not None else None


# ------------------------------------------------------------------------------------------------ reducers


def _played(state: State, event: PlayedByHand, now: Instant) -> None:
    if not state.opened or event.on == state.by_hand:
        raise ConflictError("the event is played so already")
    state.by_hand = event.on
    seated = {name for name, one in state.field.entrants.items() if one.status is Status.PLAYING}
    known = {one.player: (int(one.stack), now) for one in event.stacks if one.player in seated}
    state.chips.by_hand = known if event.on else {}


COMMANDS: Mapping[type, Any] = {PlayByHand: play_by_hand}
REDUCERS: Mapping[type, Any] = {PlayedByHand: _played, StackBrought: lambda state, event, now: None}
