"""Money that is paid out: prizes, deals, the best hand, bounties."""

from __future__ import annotations

from table_core.messages import CardText, Few, Frozen, Name, Number, Text
from table_core.tournament.events.base import Cents, TournamentEvent


class Payment(Frozen, frozen=True):
    """Cents for a player."""

    player: Name
    amount: Cents


class DealMade(TournamentEvent, frozen=True, tag="deal_made"):
    """The players who are left share the prizes that are left; places are played for. `noted`: it is their own
    affair, and places pay what they pay. `warning` says what a deal ought not to do, with its rule."""

    shares: Few[Payment]
    method: Text
    rule: Name
    noted: bool = False
    warning: Text = ""


class PrizePaid(TournamentEvent, frozen=True, tag="prize_paid"):
    """`to` is who got the money where that is not the player: the organiser of another event."""

    player: Name
    amount: Cents
    to: Text = ""
    rule: Name = ""


class ShownHand(Frozen, frozen=True):
    """A hand that a player tabled: their cards, and the board."""

    player: Name
    table: Name
    hand: Number
    cards: Few[CardText]
    board: Few[CardText]


class BestHandWon(TournamentEvent, frozen=True, tag="best_hand_won"):
    """What the best hand of the night paid; several hands tied."""

    shares: Few[Payment]
    hands: Few[ShownHand]
    rule: Name = ""


class CashCounted(TournamentEvent, frozen=True, tag="cash_counted"):
    amount: Cents


class CashMoved(TournamentEvent, frozen=True, tag="cash_moved"):
    """Money that a player gave beside entries and rebuys, below 0 that went back to the player: paid twice,
    say."""

    player: Name
    amount: Cents
    why: Text


class TargetNamed(TournamentEvent, frozen=True, tag="target_named"):
    """The player is the target of this bounty game; `carried` cents come from the tournament before."""

    game: Name
    player: Name
    carried: Cents
    rule: Name


class BountyEntered(TournamentEvent, frozen=True, tag="bounty_entered"):
    player: Name
    game: Name
    paid: Cents
    rule: Name


class BountyWon(TournamentEvent, frozen=True, tag="bounty_won"):
    """What a bounty game paid; `over` goes to the same game of the next tournament."""

    game: Name
    shares: Few[Payment]
    over: Cents
    rule: Name
    why: Text = ""  # a person decided it


class BountyChipsWon(TournamentEvent, frozen=True, tag="bounty_chips_won"):
    """A player's own bounty chip went to `player`."""

    out: Name
    player: Name
    rule: Name


class BountyChipsCashed(TournamentEvent, frozen=True, tag="bounty_chips_cashed"):
    player: Name
    chips: Number
    amount: Cents
    rule: Name


class PayoutsSet(TournamentEvent, frozen=True, tag="payouts_set"):
    """What the places of this event pay, in per cent of the purse, first place first."""

    payouts: Few[float]
    why: Text = ""


class BountyAsked(TournamentEvent, frozen=True, tag="bounty_asked"):
    """No sentence of the book says whose the money on a target is; a person decides."""

    game: Name
    player: Name
    why: Text
    rule: Name = ""
