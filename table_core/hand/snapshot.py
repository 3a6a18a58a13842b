"""A frozen view of a hand, for readers that must not change it."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from table_core.messages import CardText, Chips, Duty, Level, Seat, Street


class CollectedPot(NamedTuple):
    """A pot in the middle and the live seats that can win it."""

    amount: Chips
    eligible: tuple[Seat, ...]


class SeatSnapshot(Struct, frozen=True):
    """One player of the hand. `paid` is what is in the pots and in front; `tabled` is empty for backs."""

    seat: Seat
    stack: Chips
    bet: Chips
    paid: Chips
    folded: bool
    mucked: bool
    all_in: bool
    tabled: tuple[CardText, ...]


class HandSnapshot(Struct, frozen=True):
    """The whole state of a hand; equal snapshots are equal hands. Seats go clockwise from the button."""

    hand: int
    level: Level
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    street: Street
    board: tuple[CardText, ...]
    seats: tuple[SeatSnapshot, ...]
    pots: tuple[CollectedPot, ...]
    to_act: Seat | None
    pending: tuple[Seat, ...]  # seats that must still act on this street
    may_raise: tuple[Seat, ...]  # those of them to whom betting is open
    bet_to_match: Chips
    full_bet: Chips  # what the last full bet or raise made it
    full_raise: Chips  # size of the last full bet or raise
    aggressor: Seat | None  # the last to bet or raise on the last street with betting
    betting_closed: bool
    dead: Chips  # chips in the main pot that belong to no bet
    away: tuple[Seat, ...]
    beaten: tuple[Seat, ...]
    short_calls: tuple[tuple[Seat, Chips], ...]
    duties: tuple[tuple[Seat, tuple[Duty, ...]], ...]
