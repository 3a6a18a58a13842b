"""Counts of stacks: which are asked for, and what one says that differs from the records.

A stack is arithmetic since its last count. Dealers count at their tables, the director counts anywhere; whichever
came last holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from table_core.messages import Amount, Chips, Frozen, Many, Name, Number, Refusal, Seat
from table_core.tournament.decision import Decision
from table_core.tournament.events import Instant, StackCorrected, StackCounted
from table_core.tournament.state import Facts, MoveStage, State, Status, TableCount, TableFacts


class CountStack(Frozen, frozen=True):
    """The director counted what a player has in front."""

    player: Name
    stack: Amount


class CorrectStack(Frozen, frozen=True):
    """The records are to follow the director's count of what a player has in front. Where the other chips are is
    still to be found."""

    player: Name
    stack: Amount


class CountsAsked(Frozen, frozen=True):
    """Stacks of a table that are to be counted; `why`: start, all_in, departure, arrival, colour_up or break."""

    table: Name
    why: Name
    seats: Many[Seat]


class CountItem(Frozen, frozen=True):
    """A count that differs from the records, open until one agrees. The difference came about behind hand
    `agreed_hand` of table `agreed_table` (0: never counted) and up to `hand` of `table`."""

    player: Name
    table: Name
    seat: Seat
    counted: Chips
    expected: Chips
    agreed_table: Name
    agreed_hand: Number
    hand: Number

    def hands(self) -> str:
        """`"hands 13 to 20 of table 1"`"""
        if self.agreed_table == self.table and self.agreed_hand == self.hand - 1:
            return f"hand {self.hand} of table {self.table}"
        if self.agreed_table == self.table and self.agreed_hand < self.hand:
            return f"hands {self.agreed_hand + 1} to {self.hand} of table {self.table}"
        if self.agreed_table == self.table:
            return f"behind hand {self.hand} of table {self.table}"
        first = f"hand {self.agreed_hand + 1} of table {self.agreed_table}"
        return f"from {first} to hand {self.hand} of table {self.table}"


class _Last(Frozen, frozen=True):
    """The last count of a player: where, behind which hand, and how many the table had reported until then."""

    table: Name
    hand: Number
    stack: Chips
    expected: Chips
    at_table: Number
    step: Number = 0


def count_items(state: State, facts: Facts) -> tuple[CountItem, ...]:
    """One for each player whose last count differs."""
    return tuple(_items(state, facts))


def _items(state: State, facts: Facts) -> Iterator[CountItem]:
    reported = _reported(facts)
    for player, at in state.seats.at.items():
        counts = _counts_of(state, player, at.table, reported)
        if not counts or counts[-1].stack == counts[-1].expected:
            continue
        agreed = next((one for one in reversed(counts) if one.stack == one.expected), None)
        table, hand = (agreed.table, agreed.hand) if agreed is not None else (counts[0].table, 0)
        last = counts[-1]
        yield CountItem(player, last.table, at.seat, last.stack, last.expected, table, hand, last.hand)


def _reported(facts: Facts) -> dict[str, list[tuple[str, TableCount]]]:
    """The counts at tables by player."""
    found: dict[str, list[tuple[str, TableCount]]] = {}
    for table, fact in facts.items():
        for count in fact.counts:
            found.setdefault(count.player, []).append((table, count))
    return found


def _counts_of(
    state: State, player: str, here: str, reported: Mapping[str, Sequence[tuple[str, TableCount]]]
) -> list[_Last]:
    """Every count of a player that is known, oldest first: those of tables that the player has left, the
    director's, and those of the present table where they belong among these."""
    at_tables = reported.get(player, ())
    found = [_at_table(table, one) for table, one in at_tables if table != here]
    found += [
        _Last(event.table, event.hand, event.stack, event.expected, event.at_table, step)
        for step, event in state.chips.counts.get(player, [])
    ]
    for one in [one for table, one in at_tables if table == here]:
        behind = (at for at, known in enumerate(found) if known.table == here and known.at_table >= one.no)
        place = next(behind, len(found))
        found.insert(place, _at_table(here, one, found[place - 1].step if place else 0))
    return found


def _at_table(table: str, one: TableCount, step: int = 0) -> _Last:
    return _Last(table, one.hand, one.stack, one.was, one.no, step)


def counts_asked(state: State, facts: Facts, now: Instant) -> tuple[CountsAsked, ...]:
    """What is to be counted now, table by table."""
    clock = state.clock if state.started is not None else None
    in_break = clock is not None and clock.mark.boot == now.boot and clock.level(now.at).is_break
    leaving = {m.ordered.player for m in state.seats.moves.values() if m.stage is MoveStage.CONFIRMED}
    reported = _reported(facts)
    asked = sorted(
        (at.table, why, at.seat)
        for player, at in state.seats.at.items()
        if (fact := facts.get(at.table)) is not None
        and at.seat in fact.stacks
        and state.field.entrants[player].status is Status.PLAYING
        and (counts := _counts_of(state, player, at.table, reported)) is not None
        and (why := _why(state, counts, fact, at.seat, in_break=in_break, leaving=player in leaving))
    )
    return tuple(
        CountsAsked(table, why, tuple(seat for *_, seat in one))
        for (table, why), one in groupby(asked, key=lambda each: each[:2])
    )


def _why(
    state: State, counts: Sequence[_Last], fact: TableFacts, seat: Seat, *, in_break: bool, leaving: bool
) -> str:
    if not counts:
        return "start"
    last = counts[-1]
    if last.table != fact.table:
        return "arrival"
    coloured = state.chips.coloured.get(fact.table)
    if coloured is not None and last.step < coloured[0] and last.at_table <= coloured[1]:
        return "colour_up"
    if fact.all_in.get(seat, 0) > last.hand:
        return "all_in"
    if leaving and last.hand < fact.hand:
        return "departure"
    return "break" if in_break and last.hand < fact.hand and not fact.in_hand else ""


def count_stack(state: State, wanted: CountStack | CorrectStack, now: Instant, facts: Facts) -> Decision:
    at = state.seats.at.get(wanted.player)
    fact = facts.get(at.table) if at is not None else None
    if state.by_hand and at is not None:
        return (StackCounted(wanted.player, wanted.stack, wanted.stack, at.table),)
    if at is None or fact is None:
        return Refusal(reason=f"{wanted.player} sits at no table that reports.", rule="")
    expected = fact.stacks.get(at.seat, Chips(0))
    where = at.table, fact.hand, max((one.no for one in fact.counts), default=0)
    if isinstance(wanted, CountStack):
        return (StackCounted(wanted.player, wanted.stack, expected, *where),)
    if wanted.stack == expected:
        return Refusal(reason=f"{wanted.player} has {expected:,} by the records already.", rule="")
    return (StackCorrected(wanted.player, wanted.stack, wanted.stack - expected, *where),)


# ------------------------------------------------------------------------------------------------ reducers


def _counted(state: State, event: StackCounted, now: Instant) -> None:
    if state.by_hand:
        state.chips.by_hand[event.player] = (event.stack, now)
        return
    state.chips.step += 1
    state.chips.counts.setdefault(event.player, []).append((state.chips.step, event))


def _corrected(state: State, event: StackCorrected, now: Instant) -> None:
    """As a count that agrees: the records are what was counted."""
    where = event.table, event.hand, event.at_table
    _counted(state, StackCounted(event.player, event.stack, event.stack, *where), now)
    state.chips.corrected[event.player] = state.chips.corrected.get(event.player, 0) + event.by


COMMANDS: Mapping[type, Any] = {CountStack: count_stack, CorrectStack: count_stack}
REDUCERS: Mapping[type, Any] = {StackCounted: _counted, StackCorrected: _corrected}
