"""What a director says of an event that no table reports."""

from __future__ import annotations

from table_core.messages import Chips, Few, Frozen, Many, Name, Text
from table_core.tournament.events.base import SeatAt, TournamentEvent


class StackOf(Frozen, frozen=True):
    """What a player has in front."""

    player: Name
    stack: Chips


class PlayedByHand(TournamentEvent, frozen=True, tag="played_by_hand"):
    """From now on no table reports anything (`on`), or tables do. `stacks` are those that tables had said."""

    on: bool
    stacks: Many[StackOf] = ()


class StackBrought(TournamentEvent, frozen=True, tag="stack_brought"):
    """What the player has in front as tables begin to report: all that the player's table gives."""

    player: Name
    chips: Chips


class OutByHand(TournamentEvent, frozen=True, tag="out_by_hand"):
    """The player lost the last chips. Who has the same `together` went out in the same hand: this player began it
    with more chips than `more_than`, and with as many as `level_with`. `by` won the chips, `stack` of them; 0: not
    said. The places follow from all that are out (`field/out_by_hand.py`)."""

    player: Name
    together: Name
    by: Few[Name] = ()
    stack: Chips = Chips(0)
    more_than: Few[Name] = ()
    level_with: Few[Name] = ()
    rule: Name = ""


class SeatsSwapped(TournamentEvent, frozen=True, tag="seats_swapped"):
    """Two players changed places."""

    one: Name
    one_was: SeatAt
    other: Name
    other_was: SeatAt
    why: Text = ""
    rule: Name = ""
