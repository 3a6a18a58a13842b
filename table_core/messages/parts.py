"""What commands, events and views are put together from: a level, a stack, a share of a pot."""

from __future__ import annotations

from table_core.messages.base import Chips, Frozen, Seat


class Level(Frozen, frozen=True):
    """One level of the schedule. `minutes` is its length; a hand keeps the level that it began with."""

    no: int
    small_blind: Chips
    big_blind: Chips
    ante: Chips = Chips(0)  # from each player
    big_blind_ante: Chips = Chips(0)  # from the big blind, for the table
    minutes: float = 20
    is_break: bool = False


class SeatStack(Frozen, frozen=True):
    seat: Seat
    stack: Chips
    player: str = ""


class Share(Frozen, frozen=True):
    seat: Seat
    amount: Chips


class ResumedSeat(Frozen, frozen=True):
    """A player where a hand is resumed: chips behind and in front, and whether the hand is still live."""

    seat: Seat
    stack: Chips
    bet: Chips = Chips(0)
    live: bool = True
    player: str = ""


class ResumedPot(Frozen, frozen=True):
    """A collected pot where a hand is resumed, and the seats that can win it."""

    amount: Chips
    seats: tuple[Seat, ...]
