"""Stacks that players pay for: entries, stacks sold from empty seats, rebuys, add-ons."""

from __future__ import annotations

from enum import StrEnum

from table_core.messages import Chips, Name, Text
from table_core.tournament.events.base import Cents, SeatAt, TournamentEvent


class Entered(TournamentEvent, frozen=True, tag="entered"):
    """The entry is paid, or free, and the starting stack is the player's. `docked` of it is taken off at once."""

    player: Name
    paid: Cents
    pool: Cents
    chips: Chips
    bonus: Chips = Chips(0)
    docked: Chips = Chips(0)
    rule: Name = ""
    why: Text = ""  # it was too late, and the director let the player in


class EntryGiven(TournamentEvent, frozen=True, tag="entry_given"):
    """The entry of `player` was that of `other` all along."""

    player: Name
    other: Name
    why: Text = ""


class Refunded(TournamentEvent, frozen=True, tag="refunded"):
    """The player gave the entry back, with its chips, for all that was paid."""

    player: Name
    paid: Cents
    rule: Name = ""


class StackPlaced(TournamentEvent, frozen=True, tag="stack_placed"):
    """A starting stack in an empty seat, for who comes late."""

    stack: Name
    at: SeatAt
    chips: Chips
    rule: Name


class StackSold(TournamentEvent, frozen=True, tag="stack_sold"):
    """The player has bought the stack as it is, with its seat."""

    stack: Name
    player: Name
    paid: Cents
    pool: Cents
    rule: Name


class Docked(TournamentEvent, frozen=True, tag="docked"):
    """Chips taken off a stack as a penalty; they leave play. `mark` (`level-2`) names what it is for, so that it
    is taken once."""

    player: Name
    chips: Chips
    mark: Name
    rule: Name


class Purchase(StrEnum):
    REBUY = "rebuy"  # with the stack gone, or below the book's limit
    BREAK = "break"  # in the first break
    ADD_ON = "add_on"


class RebuyAnnounced(TournamentEvent, frozen=True, tag="rebuy_announced"):
    """A rebuy is announced before the cards. Where that binds, the player plays behind: `chips` count at once,
    and `owed` cents are to be paid. `bust` is the pending report that it takes back."""

    player: Name
    rule: Name = ""
    chips: Chips = Chips(0)
    owed: Cents = 0
    bust: Name = ""
    kind: Purchase = Purchase.REBUY


class RebuyPaid(TournamentEvent, frozen=True, tag="rebuy_paid"):
    """An announced rebuy is paid."""

    player: Name
    paid: Cents
    rule: Name = ""


class ChipsBought(TournamentEvent, frozen=True, tag="chips_bought"):
    player: Name
    kind: Purchase
    paid: Cents
    chips: Chips
    rule: Name = ""
