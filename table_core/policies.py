"""What a rulebook says to directors, clocks and dealers; the hand engine does not ask for these.

A book that is silent falls back to `base`; where `base` is silent as well there is no entry (None).
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from table_core.parameters import Rule


class ChipRace(StrEnum):
    """What becomes of odd chips when a denomination leaves play."""

    CARD_RACE = "card_race"  # by cards, at most one new chip a player, nobody is raced out
    EXCHANGE_OR_RACE = "exchange_or_race"  # two or more odd chips are one new chip; single ones race
    ROUND_UP = "round_up"  # every odd amount becomes one new chip


class Policies(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry a matter; None where neither the book nor `base` speaks."""

    # entry, field and seating
    min_age: Rule[int] | None = None  # years
    membership_required: Rule[bool] | None = None
    max_entrants: Rule[int] | None = None
    registration_closes_minutes_before: Rule[int] | None = None  # before the start
    overbooked: Rule[str] | None = None  # who waits, and who is taken first
    seats_per_table: Rule[int] | None = None
    initial_seating: Rule[str] | None = None
    keep_pairs_apart: Rule[bool] | None = None
    reserved_seats: Rule[bool] | None = None
    seat_change_by_player: Rule[bool] | None = None
    table_breaks_at: Rule[tuple[int, ...]] | None = (
        None  # players left at which three tables become two, and two one
    )
    table_break_reseat: Rule[str] | None = None
    final_table_size: Rule[int] | None = None
    balance_at_difference: Rule[int] | None = None  # players between the fullest and the emptiest table
    balance_mover: Rule[str] | None = None
    balance_target_seat: Rule[str] | None = None
    balance_source_tie: Rule[str] | None = None
    balance_waits_for_all_hands: Rule[bool] | None = None
    # late, absent and away players
    late_entry_until_level: Rule[int] | None = None  # first hand of this level
    late_entry_until_minutes: Rule[int] | None = None  # after the start
    late_penalty_chips: Rule[int] | None = None  # at the start of each of the first three levels
    late_penalty_big_blinds: Rule[int] | None = None
    late_stack_cap: Rule[float] | None = None  # of the starting stack, after the deadline
    late_blinds_posted: Rule[bool] | None = None
    no_show_removed_after_minutes: Rule[int] | None = None  # or at the next level, whichever comes first
    no_show_suspended: Rule[bool] | None = None  # for the next date
    absence_forfeit_minutes: Rule[int] | None = None
    leaving_kills_hand: Rule[bool] | None = None  # at once
    missed_blinds: Rule[str] | None = None
    # money, prizes and league
    buy_in: Rule[int] | None = None  # dollars
    starting_stack: Rule[int] | None = None
    early_bonus: Rule[int] | None = None  # chips
    rebuys: Rule[int] | None = None  # a player
    rebuy_before_level: Rule[int] | None = None
    rebuy_below: Rule[int] | None = None  # stack at which a rebuy is offered in play
    rebuy_below_at_break: Rule[int] | None = None
    rebuy_chips: Rule[int] | None = None
    rebuy_announced_binds: Rule[bool] | None = None
    add_on: Rule[bool] | None = None
    purse_share: Rule[float] | None = None  # of the pool
    payouts: Rule[tuple[float, ...]] | None = None  # per cent by place
    payout_odd_unit_to: Rule[str] | None = None
    prize_deals: Rule[bool] | None = None
    bounties: Rule[str] | None = None
    bounty_unclaimed: Rule[str] | None = None
    bounty_tie: Rule[str] | None = None
    bounty_chip_is_all_in: Rule[bool] | None = None
    points_from_entrants: Rule[int] | None = None
    final_event_provisional_seats: Rule[int] | None = None
    final_event_min_events: Rule[int] | None = None
    final_event_tie_at_cut_both_in: Rule[bool] | None = None
    final_event_last_chance_seat: Rule[int] | None = None
    final_event_seating: Rule[tuple[str, ...]] | None = None  # seats by standing
    # clock, levels and chips
    first_level: Rule[tuple[int, ...]] | None = None  # blinds
    level_minutes: Rule[int] | None = None
    level_minutes_from_fifth: Rule[int] | None = None
    level_applies_from: Rule[str] | None = None
    break_every_minutes: Rule[int] | None = None
    break_minutes: Rule[int] | None = None
    first_break_after_level: Rule[int] | None = None
    break_skipped_by_agreement: Rule[bool] | None = None
    clock_stops_for_balancing: Rule[bool] | None = None
    chip_race: Rule[ChipRace] | None = None
    nightly_chip_race: Rule[ChipRace] | None = None  # regular nightly games
    chips_off_table: Rule[str] | None = None
    hidden_chips_after_all_in: Rule[str] | None = None
    # dealer, deck and button
    dealer: Rule[str] | None = None
    decks: Rule[str] | None = None
    shuffles: Rule[int] | None = None  # at least
    button_redraw_new_share: Rule[float] | None = None  # of new players at a table
    heads_up_first_card: Rule[str] | None = None
    run_it_times: Rule[int] | None = None  # boards by agreement when all-in
    # rulings on betting
    declared_raise_motions: Rule[str] | None = None
    misunderstanding_share: Rule[float] | None = None  # of the bet put in: no claim any more
    unaware_of_raise_until_next_action: Rule[bool] | None = None
    out_of_turn_check: Rule[str] | None = None  # what it costs at the next turn
    out_of_turn_bet: Rule[str] | None = None
    out_of_turn_call: Rule[str] | None = None
    skipped_player_actions_behind: Rule[int] | None = None
    call_clock_after_seconds: Rule[int] | None = None
    clock_seconds: Rule[int] | None = None
    clock_warning_seconds: Rule[int] | None = None
    clock_called_by: Rule[str] | None = None
    clock_expiry_kills: Rule[str] | None = None
    # dealing errors
    misdeal_first_cards_exposed: Rule[int] | None = (
        None  # first cards of which one exposed is a misdeal; 0: any card
    )
    misdeal_exposed_count: Rule[int] | None = None
    misdeal_boxed_count: Rule[int] | None = None
    misdeal_extra_card_count: Rule[int] | None = None
    misdeal_button_wrong: Rule[bool] | None = None
    exposed_card_replacement: Rule[str] | None = None
    card_seen_by_neighbour: Rule[str] | None = None
    extra_card: Rule[str] | None = None
    flop_overdeal: Rule[str] | None = None
    flop_redeal_burns: Rule[int] | None = None
    burn_error_before_flop: Rule[str] | None = None
    burn_error_until: Rule[str] | None = None
    burn_error_all_in_until: Rule[str] | None = None
    exposed_burn: Rule[str] | None = None
    premature_board_plays: Rule[bool] | None = None
    premature_turn: Rule[str] | None = None
    premature_river: Rule[str] | None = None
    single_boxed_card: Rule[str] | None = None
    joker_found: Rule[str] | None = None
    defective_deck: Rule[str] | None = None
    missing_card_voids: Rule[bool] | None = None
    fouled_stub: Rule[str] | None = None
    reshuffle_on_request: Rule[bool] | None = None  # before the deal
    # dead hands and the muck
    forward_discard_needs_next_action: Rule[bool] | None = None
    fold_needs_a_bet: Rule[bool] | None = None
    muck_contact_kills: Rule[bool] | None = None  # always, rather than where it is ruled so
    cards_into_other_hand_kill_both: Rule[bool] | None = None  # rather than the thrower's
    flipped_by_other_kills: Rule[bool] | None = None
    acted_with_joker_kills: Rule[bool] | None = None
    dropped_card_plays: Rule[bool] | None = None
    # showing
    show_request_by: Rule[str] | None = None
    show_request_by_winner_live: Rule[bool] | None = None
    show_one_show_all: Rule[str] | None = None
    showing_live_hand: Rule[str] | None = None
    play_board_declared_before_mucking: Rule[bool] | None = None
    miscall_may_forfeit: Rule[bool] | None = None
    # rulings, penalties and conduct
    pot_impound: Rule[bool] | None = None
    fairness_override: Rule[bool] | None = None
    director_conflict_of_interest: Rule[str] | None = None
    penalties: Rule[tuple[str, ...]] | None = None  # mildest first
    disqualified_chips: Rule[str] | None = None
    cell_phone: Rule[str] | None = None
    table_language: Rule[str] | None = None
    guests_behind_players: Rule[bool] | None = None
