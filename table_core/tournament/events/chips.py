"""Chips: coloured up, counted by a person, corrected."""

from __future__ import annotations

from table_core.messages import CardText, Chips, Few, Many, Name, Number, Seat, SeatChips, Signed, Text
from table_core.tournament.events.base import TournamentEvent


class ColouredUp(TournamentEvent, frozen=True, tag="coloured_up"):
    """Chips of value `old` left play at a table. `changes`: what each player has more, or less; `cards` were drawn
    by `racing`, in this order."""

    table: Name
    old: Chips
    new: Chips
    changes: Few[SeatChips]
    rule: Name
    racing: Few[Seat] = ()
    cards: Many[CardText] = ()
    at_table: Number = 0  # counts that the table had reported by then


class StackCounted(TournamentEvent, frozen=True, tag="stack_counted"):
    """A person counted a player's stack behind hand `hand` of `table`; `expected` is what the records had, and
    `at_table` how many counts the table had reported by then."""

    player: Name
    stack: Chips
    expected: Chips
    table: Name = ""
    hand: Number = 0
    at_table: Number = 0


class StackCorrected(TournamentEvent, frozen=True, tag="stack_corrected"):
    """A person counted a player's stack, and the records follow: the player's table has `by` more, below 0 less,
    for that player. What is counted is as in `StackCounted`."""

    player: Name
    stack: Chips
    by: int
    table: Name = ""
    hand: Number = 0
    at_table: Number = 0


class ChipsGiven(TournamentEvent, frozen=True, tag="chips_given"):
    """Chips from the bank for the player; below 0 back to it."""

    player: Name
    chips: Signed
    why: Text
