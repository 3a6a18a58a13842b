"""The rulebook's parameters for the hand engine, with their types and choices."""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")
Dollars = int | float  # money of a book, to the cent: 40 or 40.5


class ButtonMethod(StrEnum):
    """How the button moves when players leave."""

    DEAD = "dead"  # every player posts the blinds due; button or small blind may be at an empty seat
    MOVING = "moving"  # the button moves to the next player; a player who would skip a blind posts it as well


class SmallBlindBust(StrEnum):
    """Where the dead button is when the small blind of the last hand is out."""

    EMPTY_SEAT = "empty_seat"
    STAYS = "stays"  # at the same player


class HeadsUpButton(StrEnum):
    SMALL_BLIND = "small_blind"  # the button posts the small blind
    BIG_BLIND = "big_blind"  # the player left of the button posts the small blind


class AnteOrder(StrEnum):
    """What a short stack pays first. Each is paid in full before the other begins."""

    ANTE_FIRST = "ante_first"
    BLIND_FIRST = "blind_first"


class Blind(StrEnum):
    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"


class MinRaise(StrEnum):
    LAST_FULL_RAISE = "last_full_raise"  # at least the last full bet or raise of the round
    MINIMUM_BET = "minimum_bet"  # at least the minimum bet of the street, however large the bet
    NONE = "none"  # the book names no least bet or raise: any amount above the bet


class ShortAllIn(StrEnum):
    """Below which size an all-in raise is short."""

    LEGAL_RAISE = "legal_raise"  # the smallest raise that the book allows
    LAST_BET = "last_bet"  # the last bet or raise, also where smaller raises are allowed


class ClosedTo(StrEnum):
    """Who may not raise over a short all-in."""

    WHO_ACTED = "who_acted"
    WHO_CHECKED_OR_CALLED = "who_checked_or_called"  # who bet or raised last may


class Reopening(StrEnum):
    """When short all-ins give a player who has acted the right to raise again."""

    TOTAL_FACED = "when_total_faced_is_a_full_raise"  # several short all-ins add up for whoever faces them
    SINGLE_RAISE = "when_one_raise_was_full"


class RaiseOver(StrEnum):
    """The smallest raise over a short all-in."""

    ALL_IN_PLUS_MINIMUM = "all_in_plus_minimum"
    LAST_FULL_BET_PLUS_MINIMUM = "last_full_bet_plus_minimum"  # as if the all-in were not there


class SingleChip(StrEnum):
    """What one silent chip is."""

    FULL_VALUE = "full_value"
    CALL = "call"


class SilentChips(StrEnum):
    """What several silent chips are, facing a bet."""

    RAISE_FROM_HALF = "raise_from_half"  # half a raise or more counts as the smallest full raise, less as a call
    TOTAL = "total"  # a raise to their total
    CALL = "call"  # a raise must be declared


class CorrectUntil(StrEnum):
    """How long a wager of too little is brought up to size."""

    ROUND_ENDS = "round_ends"
    POT_AWARDED = "pot_awarded"


class Presence(StrEnum):
    """By when a player must be at the table for the hand to be live."""

    FIRST_CARD = "first_card"
    DEAL_COMPLETE = "deal_complete"
    WHILE_DEALT = (
        "while_dealt"  # the same, and the hand is dropped when the action comes; so is a blind that is all-in
    )
    ACTION = "action"  # a blind that is all-in is dropped when it would have had to act
    OWN_TURN = "own_turn"  # nobody acts for an absent player; a blind that is all-in has no turn and plays


class MuckRetrieval(StrEnum):
    NEVER = "never"
    DIRECTOR = "director"  # the director may, nobody else


class ShowdownOrder(StrEnum):
    LAST_AGGRESSOR = "last_aggressor"  # of the last street; without one the first seat left of the button
    LEFT_OF_BUTTON = "left_of_button"


class PotOrder(StrEnum):
    LAST_SIDE_POT_FIRST = "last_side_pot_first"
    MAIN_POT_FIRST = "main_pot_first"


class OddChip(StrEnum):
    FIRST_LEFT_OF_BUTTON = "first_left_of_button"
    NEXT_POT = "next_pot"  # stays in the pot of the next hand


class Rule(Struct, Generic[T], frozen=True, forbid_unknown_fields=True):
    """One parameter, the id of the rule that sets it, and further rules that say the same."""

    value: T
    rule: str
    also: tuple[str, ...] = ()


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters that the hand engine reads."""

    # positions
    max_seats: Rule[int]
    button: Rule[ButtonMethod]
    small_blind_bust_button: Rule[SmallBlindBust]
    heads_up_button: Rule[HeadsUpButton]
    # antes and blinds
    ante_order: Rule[AnteOrder]
    big_blind_ante_order: Rule[AnteOrder]
    chips_after_ante: Rule[int]  # with fewer left a player is out and gets no cards
    big_blind_in_small_blinds: Rule[int]  # 0: at any level
    short_big_blind_counts_full: Rule[bool]
    extra_small_blind_live: Rule[bool]  # of a seat that posts both blinds
    blind_chop: Rule[bool]
    forfeited_pot_closed: Rule[bool]  # carried chips of a forfeited deal are for its players alone
    # betting
    min_bet_by_street: Rule[tuple[Blind, Blind, Blind, Blind]]
    min_raise: Rule[MinRaise]
    raise_cap: Rule[int]  # bets and raises a street; 0: no limit
    check_raise: Rule[bool]
    short_all_in: Rule[ShortAllIn]
    short_all_in_closed_to: Rule[ClosedTo]
    short_all_in_reopens: Rule[Reopening]
    raise_over_short_bet: Rule[RaiseOver]
    raise_over_short_raise: Rule[RaiseOver]
    short_call_corrected_until: Rule[CorrectUntil]
    correction_reopens: Rule[bool]  # whether a corrected bet lets earlier callers raise
    # words and chips
    smaller_chips_play: Rule[bool]  # chips below the smallest in play may be wagered
    bring_in_chips: Rule[tuple[int, ...]]  # denominations; wagers are in the chip of the big blind; none: any chip
    single_chip_opens: Rule[SingleChip]
    single_chip_facing_bet: Rule[SingleChip]
    silent_chips: Rule[SilentChips]
    # the deal
    misdeal_deadline_actions: Rule[int]  # after so many players have acted there is no misdeal; 0: no such limit
    misdeal_deadline_wagers: Rule[int]  # ... or so many with chips
    presence: Rule[Presence]
    muck_retrieval: Rule[MuckRetrieval]
    # showdown and pots
    showdown_order: Rule[ShowdownOrder]
    all_in_face_up: Rule[bool]
    beaten_hand_may_muck: Rule[bool]
    pot_order: Rule[PotOrder]
    losers_killed_before_award: Rule[bool]
    odd_chip: Rule[OddChip]


class Cites(Struct, frozen=True, forbid_unknown_fields=True):
    """Ids of rules without a choice in them, by what they are about; refusals cite them."""

    hand_start: str
    blinds: str
    action_in_turn: str
    facing_a_bet: str
    all_in: str
    dealing: str
    board: str
    premature_board: str
    misdeal: str
    dead_hand: str
    must_table: str
    cards_speak: str
    pot_award: str
    side_pots: str
    undersized_bet: str
    after_the_hand: str  # nobody sees what would have come
    late_player: str | None = None  # whose blinds are posted until the player comes; None: all books are silent
