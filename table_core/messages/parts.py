"""Parts of commands, events and views: a level, a stack, a share of a pot."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from table_core.messages.base import Chips, Few, Frozen, Name, Number, Seat, Signed
from table_core.messages.vocabulary import Owes, Wish


class Level(Frozen, frozen=True):
    """One level or break of the schedule. `minutes` is its length; a hand keeps the level that it began with.

    `what` names a break (`dinner`); chips of the value `colour_up` leave play in it, 0: none.
    """

    no: Number
    small_blind: Chips
    big_blind: Chips
    ante: Chips = Chips(0)  # from each player
    big_blind_ante: Chips = Chips(0)  # from the big blind, for the table
    minutes: Annotated[float, Meta(ge=0, le=100_000)] = 20
    is_break: bool = False
    what: Name = ""
    colour_up: Chips = Chips(0)


class SeatStack(Frozen, frozen=True):
    seat: Seat
    stack: Chips
    player: Name = ""


class DeskWish(Frozen, frozen=True):
    """What is asked for whom: the player at `seat`, or of a late entry the seat where somebody stands, None for
    any."""

    what: Wish
    seat: Seat | None = None


class SeatChips(Frozen, frozen=True):
    """Chips put in front of a player or, below 0, taken away."""

    seat: Seat
    chips: Signed
    player: Name = ""


class Share(Frozen, frozen=True):
    seat: Seat
    amount: Chips


class Duty(Frozen, frozen=True):
    """What a seat owes at its next turn, and by which rule. `to` is the total in front behind a bet or raise.

    `until_wager`: it ends when somebody bets, calls or raises before that turn. `behind_check`: it holds only
    where the action right before that turn is a check.
    """

    owes: Owes
    rule: Name
    to: Chips | None = None
    until_wager: bool = False
    behind_check: bool = False


class ResumedSeat(Frozen, frozen=True):
    """A player where a hand is resumed: chips behind and in front, and whether the hand is still live."""

    seat: Seat
    stack: Chips
    bet: Chips = Chips(0)
    live: bool = True
    player: Name = ""


class ResumedPot(Frozen, frozen=True):
    """A collected pot where a hand is resumed, and the seats that can win it."""

    amount: Chips
    seats: Few[Seat]
