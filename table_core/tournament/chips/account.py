"""Every chip is accounted for: what was given out and where it is.

A stack is arithmetic since its last count; the tables do that. Here the sums are compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from table_core.messages import Few, Frozen, Number, Signed
from table_core.tournament.state import Facts, State


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
    """The account now. Tables that have not reported a stack are taken at what the records say. By hand nobody
    says where chips are: all that are in play are on tables."""
    entrants = state.field.entrants.values()
    issued = sum(entrant.chips for entrant in entrants) + state.chips.changed
    removed = sum(entrant.removed for entrant in entrants)
    if state.by_hand:
        return ChipAccount(issued, removed, max(0, issued - removed), 0, 0, 0)
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


# ------------------------------------------------------------------------------------------------ chip sets


class ChipSet(Frozen, frozen=True):
    """The chips of a starting stack, (value, how many), and how many players the room's chips are for; None where
    the event does not say which chips there are."""

    stack: Few[tuple[int, int]]
    pieces: Number
    worth: Number
    carries: Number | None = None


def chip_set(state: State) -> ChipSet | None:
    """None where the starting stack of the event is not the one whose chips the book names."""
    book = state.book.tournament
    stack = book.starting_chips.value if book.starting_chips is not None else ()
    worth = sum(value * count for value, count in stack)
    if not stack or (book.starting_stack is not None and book.starting_stack.value != worth):
        return None
    there = book.chip_set
    carries = players_carried(dict(there.value), dict(stack)) if there is not None else None
    return ChipSet(stack, sum(count for _, count in stack), worth, carries)


def players_carried(chips: Mapping[int, int], stack: Mapping[int, int]) -> int:
    """For how many players a set of chips is enough: `chips` of the set and of one stack, how many by value."""
    return min((chips.get(value, 0) // count for value, count in stack.items() if count), default=0)
