"""What a rulebook says about tournaments: read by the tournament at the station (`night.py`)."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from table_core.notices import PenaltyKind
from table_core.parameters import Dollars, Rule


class LevelBegins(StrEnum):
    CLOCK = "clock"
    FIRST_HAND = "first_hand"


class DeckReason(StrEnum):
    NEW_DEALER = "new_dealer"
    DAMAGED_CARD = "damaged_card"
    PLAYER = "player"  # asked for it
    ROTATION = "rotation"  # the book's time is over


class InitialButton(StrEnum):
    SEAT_ONE = "seat_one"
    HIGH_CARD = "high_card"  # the highest card drawn, suits deciding between equal ranks
    ACE = "ace"  # the seat whose drawn card is the ace: cards of one suit, ace to nine


class SuitsInDraws(StrEnum):
    SPADES_HIGH = "spades_high"  # spades, hearts, diamonds, clubs
    EQUAL = "equal"


class BustRank(StrEnum):
    """Players who go out in the same hand."""

    LARGER_START_STACK = "larger_start_stack"  # ranks higher; equal stacks tie
    TIE = "tie"


class KnockoutCredit(StrEnum):
    """Whose knock-out it is when several hands win the chips."""

    LARGEST_STACK = "largest_stack"
    SHARED = "shared"


class ChipRace(StrEnum):
    """What becomes of odd chips when a denomination leaves play."""

    CARD_RACE = "card_race"  # by cards, at most one new chip a player, nobody is raced out
    EXCHANGE_OR_RACE = "exchange_or_race"  # two or more odd chips are one new chip; single ones race
    ROUND_UP = "round_up"  # every odd amount becomes one new chip


class PrizeDeals(StrEnum):
    """What becomes of a deal between the players who are left."""

    PAID = "paid"  # it replaces what their places pay
    NOTED = "noted"  # places pay what they pay; the deal is the players' own affair
    REFUSED = "refused"


class OddUnit(StrEnum):
    """Who gets a stake, or cents, that do not divide."""

    FIRST_PLACE = "first_place"
    LAST_PLACE = "last_place"


class BountyGame(StrEnum):
    TWO_TARGETS = "two_targets"  # A and B, with hunters who pay
    CHIP_PER_PLAYER = "chip_per_player"


class BountyUnclaimed(StrEnum):
    """Whose the money on a target is who outlasts every hunter."""

    OUTLASTING_TARGET = "outlasting_target"
    CARRIED_OVER = "carried_over"  # to the same game of the next tournament


class BountyOfOutsider(StrEnum):
    """Whose the money is when somebody outside the game takes the target."""

    CARRIED_OVER = "carried_over"
    GIVEN_BACK = "given_back"  # to the hunters, equally


class BountyTie(StrEnum):
    SPLIT = "split"
    LARGEST_STACK = "largest_stack"


class Tournament(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry an incident; None where neither the book nor `base` speaks."""

    # the first button and newcomers
    initial_button: Rule[InitialButton]
    suits_in_draws: Rule[SuitsInDraws]
    newcomer_between_button_and_blind: Rule[bool]  # may be dealt in there at once
    # who is out
    simultaneous_bust_rank: Rule[BustRank]
    knockout_credit: Rule[KnockoutCredit]
    best_hand_needs_river: Rule[bool]  # best hand of the night
    best_hand_needs_both_hole_cards: Rule[bool]
    # penalties
    penalty_ladder: Rule[tuple[PenaltyKind, ...]]  # of minor infractions, by how often
    major_penalties: Rule[tuple[PenaltyKind, ...]]  # of major ones: a person chooses
    # entry, field and seating
    min_age: Rule[int] | None = None  # years
    membership_required: Rule[bool] | None = None
    members_may_apply: Rule[bool] | None = None  # who has applied plays before the number is there
    max_entrants: Rule[int] | None = None
    entry_opens_minutes_before: Rule[int] | None = None  # before the start: money is taken from then on
    registration_closes_minutes_before: Rule[int] | None = None  # before the start
    guaranteed_minutes_before: Rule[int] | None = None  # who signed up earlier and is there has a seat for sure
    overbooked: Rule[str] | None = None  # who waits, and who is taken first
    seats_per_table: Rule[int] | None = None
    extra_seat_at_start: Rule[bool] | None = None  # a table may begin with one player more
    initial_seating: Rule[str] | None = None
    seating_opens_minutes_before: Rule[int] | None = None  # before the start
    keep_pairs_apart: Rule[bool] | None = None
    reserved_seats: Rule[bool] | None = None
    seat_change_by_player: Rule[bool] | None = None
    table_breaks_at: Rule[tuple[int, ...]] | None = None  # players left when one table fewer is played
    # of an event that began with so many tables or fewer: breaks that those counts do not name are the director's
    table_break_optional_until: Rule[int] | None = None
    table_break_reseat: Rule[str] | None = None
    final_table_size: Rule[int] | None = None
    balance_at_difference: Rule[int] | None = None  # players between the fullest and the emptiest table
    balance_mover: Rule[str] | None = None
    balance_target_seat: Rule[str] | None = None
    balance_by_cards: Rule[bool] | None = None  # cards are dealt for which table, or which player, gives way
    balance_waits_for_all_hands: Rule[bool] | None = None
    play_halts_at_difference: Rule[int] | None = None  # players fewer than at the fullest table: no hand begins
    # late, absent and away players
    late_entry_until_level: Rule[int] | None = None  # first hand of this level
    late_entry_until_minutes: Rule[int] | None = None  # after the start
    unsold_stacks: Rule[bool] | None = None  # starting stacks in empty seats, for who comes late
    late_penalty_chips: Rule[int] | None = None  # at the start of each of the first three levels
    late_penalty_big_blinds: Rule[int] | None = None
    late_stack_cap: Rule[float] | None = None  # of the starting stack, after the deadline
    no_show_removed_after_minutes: Rule[int] | None = None  # or at the next level, whichever comes first
    no_show_level_begins: Rule[LevelBegins] | None = None  # the next level, for that
    no_show_suspended: Rule[bool] | None = None  # for the next date
    absence_forfeit_minutes: Rule[int] | None = None
    absence_longer_than_limit: Rule[bool] | None = None  # not yet in the instant in which that time is over
    # money, prizes and league
    buy_in: Rule[Dollars] | None = None  # dollars of an entry, exactly
    buy_in_most: Rule[Dollars] | None = None  # dollars of one entry or rebuy
    play_is_free: Rule[bool] | None = None  # no setting of the house brings in money
    published_structure: Rule[str] | None = None  # where the blind structure is published
    published_payouts: Rule[str] | None = None
    money_posted: Rule[bool] | None = None  # buy-in and prizes, on the clock; not only where it is false
    refund_after_first_hand: Rule[bool] | None = None
    re_entries: Rule[int] | None = None  # of a player who is out, as long as entry is open
    starting_stack: Rule[int] | None = None
    early_bonus: Rule[int] | None = None  # chips
    early_bonus_until: Rule[str] | None = None  # time of day before which one registers for it; none: the start
    fee_for_food: Rule[Dollars] | None = None  # dollars of the buy-in that are not prize money, as those below
    fee_for_extra_prizes: Rule[Dollars] | None = None
    fee_for_best_hand: Rule[Dollars] | None = None  # for the best hand of the night
    entry_fee: Rule[Dollars] | None = None  # the organiser's
    rebuys: Rule[int] | None = None  # a player
    rebuys_unlimited: Rule[bool] | None = None  # where `rebuys` names no number
    rebuy_before_level: Rule[int] | None = None
    rebuy_below: Rule[int] | None = None  # stack at which a rebuy is offered in play
    rebuy_below_at_break: Rule[int] | None = None
    rebuy_chips: Rule[int] | None = None
    rebuy_price: Rule[Dollars] | None = None  # where it is not the buy-in
    rebuy_announced_binds: Rule[bool] | None = None
    add_on: Rule[bool] | None = None
    add_on_price: Rule[Dollars] | None = None  # where it is not the price of a rebuy
    add_on_chips: Rule[int] | None = None  # where they are not those of a rebuy
    purse_share: Rule[float] | None = None  # of the pool
    flight_of: Rule[str] | None = None  # the event whose prizes are played for on its final day
    payouts: Rule[tuple[float, ...]] | None = None  # per cent by place
    payout_stakes: Rule[tuple[tuple[int, ...], ...]] | None = None  # stakes by place; each row's sum is its field
    guarantee: Rule[Dollars] | None = None  # dollars that the purse has at least
    payout_unit: Rule[Dollars] | None = None  # dollars: prizes and shares of deals are whole units
    payout_odd_unit_to: Rule[OddUnit] | None = None
    seat_prizes: Rule[tuple[tuple[int, str], ...]] | None = None  # places that win an entry elsewhere: whose
    satellite_seat: Rule[Dollars] | None = None  # of an entry elsewhere: as many are won as the purse has
    satellite_to: Rule[str] | None = None  # whose event that is
    seat_prize_to_organiser: Rule[bool] | None = None  # it is paid to the organiser of that event
    prize_deals: Rule[PrizeDeals] | None = None
    deal_leaves_stake: Rule[bool] | None = None  # a deal on all the money is warned of
    best_hand_tie_splits: Rule[bool] | None = None  # its prize
    bounties: Rule[BountyGame] | None = None
    bounty_entry_until_seated: Rule[bool] | None = None  # a late player's
    bounty_unclaimed: Rule[BountyUnclaimed] | None = None
    bounty_of_outsider: Rule[BountyOfOutsider] | None = None
    bounty_tie: Rule[BountyTie] | None = None
    bounty_price: Rule[Dollars] | None = None  # dollars: a target, or a bounty chip
    points_from_entrants: Rule[int] | None = None
    points_need_sign_in: Rule[bool] | None = None  # signed in, and checked off before sitting down
    points_by_place: Rule[tuple[int, ...]] | None = None  # first place first; further places get the last value
    final_event_provisional_seats: Rule[int] | None = None
    final_event_min_events: Rule[int] | None = None
    final_event_tie_at_cut_both_in: Rule[bool] | None = None
    final_event_last_chance_seat: Rule[int] | None = None
    final_event_seating: Rule[tuple[str, ...]] | None = None  # seats by standing
    # clock, levels and chips
    first_level: Rule[tuple[int, ...]] | None = None  # blinds
    level_minutes: Rule[int] | None = None
    level_minutes_from_fifth: Rule[int] | None = None
    break_every_minutes: Rule[int] | None = None
    break_minutes: Rule[int] | None = None
    breaks_at_level_end: Rule[bool] | None = None  # rather than in the middle of a level
    meals: Rule[tuple[tuple[str, int], ...]] | None = None  # time of day ("13:00"), minutes
    start_time: Rule[str] | None = None  # of day, at which the clock starts by itself
    blinds_double_after_minutes: Rule[int] | None = None
    first_break_after_level: Rule[int] | None = None
    break_skipped_by_agreement: Rule[bool] | None = None
    clock_stops_for_balancing: Rule[bool] | None = None
    clock_stops_for_disputes: Rule[bool] | None = None
    no_new_hands_while_stopped: Rule[bool] | None = None
    no_new_hands_in_break: Rule[bool] | None = None
    clock_may_be_delegated: Rule[bool] | None = None  # to a table
    event_may_be_cancelled: Rule[bool] | None = None
    deck_changed_for: Rule[tuple[DeckReason, ...]] | None = None
    deck_change_minutes: Rule[int] | None = None  # a deck is played so long, then another one
    chip_race: Rule[ChipRace] | None = None
    nightly_chip_race: Rule[ChipRace] | None = None  # regular nightly games
    chip_set: Rule[tuple[tuple[int, int], ...]] | None = None  # (value, how many) of all the chips there are
    starting_chips: Rule[tuple[tuple[int, int], ...]] | None = None  # (value, how many) of a starting stack
    # dealer, deck and button
    dealer: Rule[str] | None = None
    button_redraw_new_share: Rule[float] | None = None  # of new players at a table
    # rulings, penalties and conduct
    result_stands_from_next_riffle: Rule[bool] | None = None  # of a hand: nobody is in again by it
    time_out_minutes: Rule[int] | None = None
    missed_merge_is_out: Rule[bool] | None = None  # the final table forms while a time-out runs
    hand_for_hand_minutes: Rule[int] | None = None  # that the clock is charged for each hand
    disqualified_chips_leave: Rule[bool] | None = None  # play; else they stay at the table and post their blinds
