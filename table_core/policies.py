"""The rulebook's parameters for dealers and directors.

A silent book falls back to `base`; where `base` is silent too the parameter is None.
"""

from __future__ import annotations

from msgspec import Struct

from table_core.parameters import Rule


class Policies(Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters that tracker and rulings read; None where neither the book nor `base` has one."""

    decks_alternate: Rule[bool] | None = None  # no deck is dealt twice running
    level_applies_from: Rule[str] | None = None  # what must have happened before it for the old level to stay
    run_it_times: Rule[int] | None = None  # boards by agreement when all-in
    leaving_kills_hand: Rule[bool] | None = None  # at once
    hidden_chips_after_all_in: Rule[str] | None = None
    bounty_chip_is_all_in: Rule[bool] | None = None
    # rulings on betting
    declared_raise_motions: Rule[str] | None = None
    misunderstanding_share: Rule[float] | None = None  # part of the bet put in from which no claim is possible
    unaware_of_raise_until_next_action: Rule[bool] | None = None
    out_of_turn_check: Rule[str] | None = None  # the seat's limit at its next action
    out_of_turn_bet: Rule[str] | None = None
    out_of_turn_call: Rule[str] | None = None
    skipped_player_actions_behind: Rule[int] | None = None
    call_clock_after_seconds: Rule[int] | None = None
    clock_seconds: Rule[int] | None = None
    clock_warning_seconds: Rule[int] | None = None
    clock_by_direction: Rule[bool] | None = None  # the floor must have said so
    clock_expiry_kills: Rule[str] | None = None
    # dealing errors
    misdeal_deadline_counts: Rule[str] | None = None  # seats whose actions count
    misdeal_first_cards_exposed: Rule[int] | None = None  # a misdeal for one exposed; 0: any card
    misdeal_first_cards_otherwise: Rule[int] | None = None  # as another sentence of the book has it
    misdeal_exposed_count: Rule[int] | None = None
    misdeal_boxed_count: Rule[int] | None = None
    misdeal_extra_card_count: Rule[int] | None = None
    misdeal_button_wrong: Rule[bool] | None = None
    exposed_card_replacement: Rule[str] | None = None
    card_seen_by_neighbour: Rule[str] | None = None
    extra_card: Rule[str] | None = None
    flop_overdeal: Rule[str] | None = None
    burn_error_before_flop: Rule[str] | None = None
    exposed_burn: Rule[str] | None = None
    single_boxed_card: Rule[str] | None = None
    reshuffle_on_request: Rule[bool] | None = None  # before the deal
    # dead hands and the muck
    fold_without_a_bet_kills: Rule[bool] | None = None  # out of turn too
    forward_discard_needs_next_action: Rule[bool] | None = None
    muck_contact_kills: Rule[bool] | None = None  # always, rather than where it is ruled so
    cards_into_other_hand_kill_both: Rule[bool] | None = None  # rather than the thrower's
    flipped_by_other_kills: Rule[bool] | None = None
    acted_with_joker_kills: Rule[bool] | None = None
    dropped_card_plays: Rule[bool] | None = None
    # showing
    show_request_by: Rule[str] | None = None
    show_request_by_winner_live: Rule[bool] | None = None
    show_one_show_all: Rule[str] | None = None
    miscall_may_forfeit: Rule[bool] | None = None
    # rulings, penalties and conduct
    director_conflict_of_interest: Rule[bool] | None = None
    penalties: Rule[tuple[str, ...]] | None = None  # mildest first
    penalties_by_steps: Rule[bool] | None = None  # each infraction of a player brings the next one
