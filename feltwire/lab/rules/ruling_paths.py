"""Mutants of the rulings and of what the table notices: one for each incident that cannot be raised and each check
that is not made.

They are registered beside those of the engine (`paths.py`).
"""

from __future__ import annotations

from typing import Any

from feltwire.lab.rules.mutants import MUTANTS, Mutant, mutant
from table_core.messages import CardExposed, Source
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.cites import citations
from table_core.tracker.camera.chips import of_seat

# Which rules each incident speaks about, by their keys in `rulings/cites.toml`, and its topics in the catalogue.
ABOUT: dict[str, tuple[str, str]] = {
    "exposed": (
        "exposed_first exposed_count exposed_flashed_by_dealer exposed_by_player exposed_claim_late "
        "exposed_off_table",
        "exposed-card",
    ),
    "boxed": ("boxed_count boxed_later", "boxed-card"),
    "extra_card": ("extra_count", "extra-card"),
    "wrong_number": ("wrong_number dead_wrong_number", ""),
    "out_of_sequence": ("out_of_sequence", ""),
    "first_card_wrong": ("first_card_wrong", ""),
    "no_right_to_cards": ("no_right_to_cards", ""),
    "left_out": ("left_out", ""),
    "button_wrong": ("button_wrong", ""),
    "missed_blind": ("missed_blind", ""),
    "freeroll": ("freeroll", "forfeited-pot"),
    "joker": ("joker_replaced joker_acted joker_unlooked", "joker"),
    "foreign_card": ("foreign_in_hand foreign_in_stub", ""),
    "duplicate": ("duplicate", ""),
    "short_deck": ("short_deck", ""),
    "deck_check": ("deck_checked", ""),
    "reshuffle": ("reshuffle", ""),
    "stub_fouled": ("stub_fouled", ""),
    "burn_missing": ("burn_flop_reshuffled", ""),
    "burn_double": ("burn_before_flop burn_in_time burn_later_cards burn_all_in", "burn-error"),
    "burn_exposed": ("burn_exposed_again burn_exposed_river burn_exposed_shown", ""),
    "flop_overdeal": ("flop_scrambled", "flop-overdeal"),
    "board_premature": ("board_premature redeal_flop redeal_turn redeal_river", "premature-board board-redeal"),
    "out_of_turn": ("out_of_turn_binds", "out-of-turn"),
    "skipped": ("skipped", ""),
    "string_bet": ("string_bet declared_raise", "string-bet"),
    "declared": ("declaration", ""),
    "forward_motion": ("forward_motion chips_released", ""),
    "misunderstood": ("misunderstood misunderstood_share", "gross-misunderstanding"),
    "unaware": ("unaware", ""),
    "forward_discard": ("forward_discard", ""),
    "muck_contact": ("muck_contact", ""),
    "retrieve": ("", "muck-retrieval"),
    "into_other_hand": ("into_other_hand", ""),
    "flipped": ("flipped", ""),
    "unprotected": ("unprotected", ""),
    "dropped": ("dropped", ""),
    "left_table": ("left_table", "presence-live-hand"),
    "keyed_as_folded": ("fairness", ""),
    "keyed_wrong": ("fairness", ""),
    "show_request": ("show_request", "show-request"),
    "shown_to_one": ("shown", "showing-cards"),
    "play_board": ("play_board", "play-the-board"),
    "miscall": ("miscall", ""),
    "pot_query": ("pot_query pot_rebuilt result_stands", "pot-correction"),
    "impound": ("impound", ""),
    "hidden_chips": ("hidden_chips hidden_chips_out", "hidden-chips"),
    "run_it": ("run_it", "side-agreements"),
    "override": ("fairness", "ruling-authority"),
    "dispute": ("final third_party", ""),
    "late_report": ("in_time", "ruling-deadline"),
    "conduct": ("intent", ""),
}


def _without(incident: str) -> Any:
    """`options_of` that knows no way for one incident."""

    def wrap(options_of: Any) -> Any:
        return lambda unit, state, opened: () if opened.incident == incident else options_of(unit, state, opened)

    return wrap


for _incident, (_keys, _topics) in ABOUT.items():
    _rules = frozenset(rule for key in _keys.split() for rule in citations()[key])
    _name = f"nobody can rule on: {INCIDENTS[_incident].title.lower()}"
    MUTANTS[_name] = Mutant(
        _name,
        "table_core.tracker.ruling.facts:options_of",
        _without(_incident),
        frozenset(_topics.split()),
        frozenset(),
        _rules,
    )


def _cited(*keys: str) -> frozenset[str]:
    return frozenset(rule for key in keys for rule in citations()[key])


@mutant(
    "table_core.tracker.camera.chips:seen_in_bet_zone",
    topics=["single-chip", "multi-chip", "bet-placement"],
    rules=_cited("blinds_checked", "chips_checked", "bets_stay", "bounty_chip", "declaration"),
)
def _nobody_looks_at_the_bets(seen_in_bet_zone: Any) -> Any:
    del seen_in_bet_zone
    return lambda *seen: None


@mutant(
    "table_core.tracker.camera.chips:seen_in_bet_zone", rules=["wfp.nolimit.6", "home.betting.7", "rpl.nolimit.7"]
)
def _chips_bind_as_soon_as_they_are_seen(seen_in_bet_zone: Any) -> Any:
    def binding(unit: Any, state: Any, seat: Any, seen: Any, now: Any) -> None:
        seen_in_bet_zone(unit, state, seat, seen, now)
        amounts_to = of_seat(unit, state, seat)
        if amounts_to is not None:
            unit.push(amounts_to[0])

    return binding


@mutant(
    "table_core.tracker.camera.chips:seen_in_stack_zone",
    topics=["chip-visibility"],
    rules=_cited("only_tournament_chips", "all_in_every_chip"),
)
def _nobody_looks_at_the_stacks(seen_in_stack_zone: Any) -> Any:
    del seen_in_stack_zone
    return lambda *seen: None


@mutant("table_core.tracker.keys.called_clock:start", topics=["clock-called"], rules=_cited("clock_expired"))
def _the_called_clock_never_runs(start: Any) -> Any:
    del start
    return lambda *called: None


@mutant("table_core.tracker.keys.called_clock:time_pressed", topics=["stop-action"], rules=_cited("away_time"))
def _time_means_nothing(time_pressed: Any) -> Any:
    del time_pressed
    return lambda *pressed: None


@mutant("table_core.tracker.dealing.deal:_same_deck", topics=["deck-handling"], rules=_cited("decks_alternate"))
def _any_deck_may_be_dealt(same_deck: Any) -> Any:
    del same_deck
    return lambda *dealt: None


@mutant("table_core.tracker.dealing.irregular:order_of_board", rules=_cited("board_order"))
def _board_cards_may_lie_anywhere(order_of_board: Any) -> Any:
    del order_of_board
    return lambda *cards: None


@mutant("table_core.tracker.asking.overdue:ask_for_missed_keys", rules=["rpl.deal.3"])
def _nobody_asks_for_missed_keys(ask: Any) -> Any:
    del ask
    return lambda *missed: None


@mutant("table_core.hand.showdown:award", topics=["must-show"])
def _the_pot_goes_to_whoever_is_left(award: Any) -> Any:
    return lambda state, groups, unit: award(state, [*groups, state.live & -state.live], unit)


@mutant(
    "table_core.tracker.dealing.board:read_board",
    topics=["stub-secrecy"],
    rules=[
        "ccp.etiquette.2",
        "wfp.infractions.4o",
        "home.suggest.8",
        "home.procedures.10",
        "rpl.procedures.12",
    ],
)
def _what_would_have_come_is_told(read_board: Any) -> Any:
    def told(unit: Any, state: Any) -> Any:
        hand, seen = unit.table.hand, state.board.seen
        if hand is not None and hand.ended and seen is not None:
            for card in set(seen.cards) - set(hand.board):
                unit.record(CardExposed("board", card, (Source.CAMERA,)))
        return read_board(unit, state)

    return told


@mutant("table_core.tracker.hands.showdown:read_hands", topics=["stub-secrecy"])
def _a_mucked_hand_that_is_turned_over_is_told(read_hands: Any) -> Any:
    def told(unit: Any, state: Any) -> Any:
        hand, readings = unit.table.hand, state.seat_cards.readings
        for seat in () if hand is None else set(readings) & set(hand.mucked):
            for card in readings[seat].cards:
                unit.record(CardExposed(f"seat-{seat}", card, (Source.CAMERA,)))
        return read_hands(unit, state)

    return told
