"""Every chip is accounted for: what was given out and where it is.

A stack is arithmetic since its last count; the tables do that. Here the sums are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Chips, Frozen, Name, Number, Refusal, Seat
from table_core.messages.base import Signed
from table_core.tournament.decision import Decision
from table_core.tournament.events import Instant, StackCounted
from table_core.tournament.state import Facts, State, Status


class ChipAccount(Frozen, frozen=True):
    """Chips of the whole event. `issued` less `removed` should be on tables, in pots and in transit; `missing` is
    what should be there and is not, below 0 where there are too many."""

    issued: Number
    removed: Number
    on_tables: Number
    in_pots: Number
    in_transit: Number
    missing: Signed


def chip_account(state: State, facts: Facts) -> ChipAccount:
    """The account now. Tables that have not reported a stack are taken at what the records say."""
    entrants = state.field.entrants.values()
    issued = sum(entrant.chips for entrant in entrants) + state.chips.changed
    removed = sum(entrant.removed for entrant in entrants)
    reported = {table for table in facts if reports_stacks(facts, table)}
    by_reports = sum(sum(facts[table].stacks.values()) for table in reported)
    seated = (state.field.entrants[player] for player, at in state.seats.at.items() if at.table not in reported)
    by_records = sum(entrant.chips - entrant.removed for entrant in seated)
    in_pots = sum(fact.pot for fact in facts.values())
    in_transit = sum(move.rack or 0 for move in state.seats.moves.values())
    on_tables = by_reports + by_records
    missing = issued - removed - on_tables - in_pots - in_transit
    return ChipAccount(issued, removed, on_tables, in_pots, in_transit, missing)


def reports_stacks(facts: Facts, table: str) -> bool:
    """Whether a table counts its stacks itself: it has some, or has played and all have left."""
    fact = facts.get(table)
    return fact is not None and bool(fact.stacks or fact.hand)


def seats_to_count(state: State, facts: Facts) -> tuple[tuple[str, Seat], ...]:
    """Seats whose stack was counted otherwise than the records had it, and not agreed since."""
    found = {count.player: count for count in state.chips.counted}
    return tuple(
        (state.seats.at[player].table, state.seats.at[player].seat)
        for player, count in found.items()
        if count.stack != count.expected and player in state.seats.at
    )


class CountStack(Frozen, frozen=True):
    player: Name
    stack: Chips


def count_stack(state: State, wanted: CountStack, now: Instant, facts: Facts) -> Decision:
    at = state.seats.at.get(wanted.player)
    fact = facts.get(at.table) if at is not None else None
    if at is None or fact is None:
        return Refusal(reason=f"{wanted.player} sits at no table that reports.", rule="")
    return (StackCounted(wanted.player, wanted.stack, fact.stacks.get(at.seat, Chips(0))),)


# ------------------------------------------------------------------------------------------------ chip sets


def players_carried(chips: Mapping[int, int], stack: Mapping[int, int]) -> int:
    """For how many players a set of chips is enough: `chips` of the set and of one stack, how many by value."""
    return min((chips.get(value, 0) // count for value, count in stack.items() if count), default=0)


# ------------------------------------------------------------------------------------------------ reducers


def _counted(state: State, event: StackCounted, now: Instant) -> None:
    entrant = state.field.entrants.get(event.player)
    if entrant is not None and entrant.status is Status.PLAYING:
        state.chips.counted = [count for count in state.chips.counted if count.player != event.player]
        state.chips.counted.append(event)


COMMANDS: Mapping[type, Any] = {CountStack: count_stack}
REDUCERS: Mapping[type, Any] = {StackCounted: _counted}
