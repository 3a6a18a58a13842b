"""The mutants of code paths, one per rule. The name says what is then wrong at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from feltwire.lab.rules.mutants import mutant
from table_core.hand.deal import to_seat
from table_core.messages import Acted, Action, Chips, Key, Post, Refusal

_BLINDS = (Post.SMALL_BLIND, Post.BIG_BLIND)
_NO = Refusal("No.", "")

# ---------------------------------------------------------------------------------------- round the table


@mutant(
    "table_core.hand.seats:clockwise_from",
    topics=["action-order", "heads-up", "deal-order"],
    rules=["ccp.hand.5"],
)
def _play_goes_round_the_other_way(clockwise_from: Any) -> Any:
    return lambda start, seats: clockwise_from(start, seats)[::-1]


@mutant("table_core.hand.deal:deal_order", rules=["rpl.holdem.1"])
def _everybody_gets_three_cards(deal_order: Any) -> Any:
    return lambda seats, button: (*(to_seat(seat) for seat in seats), *deal_order(seats, button))


@mutant(
    "table_core.hand.button:next_positions",
    topics=["dead-button", "button-rotation", "heads-up"],
    rules=["ccp.moving.7", "ccp.showdown.10"],
)
def _button_and_blinds_stay_where_they_are(next_positions: Any) -> Any:
    def stay(button: Any, small_blind: Any, big_blind: Any, *others: Any) -> Any:
        moved = next_positions(button, small_blind, big_blind, *others)
        return replace(moved, button=button, small_blind=small_blind, big_blind=big_blind)

    return stay


@mutant("table_core.hand.button:corrected_positions", topics=["button-error"])
def _a_corrected_button_forgets_who_has_paid(corrected_positions: Any) -> Any:
    def forget(*arguments: Any, **options: Any) -> Any:
        positions = corrected_positions(*arguments, **options)
        return replace(positions, small_blind=positions.big_blind, big_blind=positions.button)

    return forget


@mutant("table_core.hand.opening:started", topics=["hand-start"])
def _a_hand_forgets_its_number_its_level_and_its_button(started: Any) -> Any:
    def forget(*arguments: Any) -> Any:
        event = started(*arguments)
        blinds = replace(event.level, small_blind=1, big_blind=2)
        return replace(event, hand=0, level=blinds, button=event.big_blind)

    return forget


# ----------------------------------------------------------------------------------------- what is posted


@mutant(
    "table_core.hand.opening:posts",
    topics=["blind-posting", "short-blind", "absent-player", "late-player", "missed-blind"],
    cites=["blinds"],
    rules=["home.procedures.5", "ccp.late.5", "ccp.leaving.2", "cpp.absent.1"],
)
def _nobody_posts_a_blind(posts: Any) -> Any:
    def without(*arguments: Any) -> Iterator[Any]:
        return (post for post in posts(*arguments) if post.what not in _BLINDS)

    return without


@mutant("table_core.projections.next_hand:able_to_play", topics=["absent-player"])
def _players_who_are_away_are_not_dealt_in(able_to_play: Any) -> Any:
    return lambda table: tuple(seat for seat in able_to_play(table) if not table.seats[seat].away)


# ------------------------------------------------------------------------------------------------ betting


@mutant("table_core.hand.opening:unit_of", rules=["wfp.nolimit.12", "rpl.nolimit.13"])
def _every_chip_plays(unit_of: Any) -> Any:
    return lambda *arguments: Chips(1)


@mutant("table_core.hand.betting:may_raise", topics=["blind-option"])
def _the_big_blind_has_no_option(may_raise: Any) -> Any:
    def no_option(state: Any, index: int) -> bool:
        return bool(may_raise(state, index)) and state.ring.seats[index] != state.start.big_blind

    return no_option


@mutant("table_core.hand.hand:Hand.push", rules=["rpl.blindrules.8"])
def _whoever_raises_first_has_an_option_behind_the_callers(push: Any) -> Any:
    def with_option(self: Any, command: Any) -> Any:
        answer = push(self, command)
        if getattr(command, "action", None) is Action.RAISE and isinstance(answer, tuple):
            self.state.pending |= 1 << self.state.ring.index[command.seat]
        return answer

    return with_option


@mutant("table_core.hand.betting:may_raise", topics=["short-allin-reopen"])
def _any_short_all_in_opens_the_betting_again(may_raise: Any) -> Any:
    del may_raise
    return lambda state, index: True


@mutant("table_core.hand.state:HandState.least_to", topics=["min-raise", "min-bet"])
def _a_raise_of_one_chip_is_enough(least_to: Any) -> Any:
    del least_to
    return property(lambda state: state.high + 1)


@mutant("table_core.hand.hand:Hand.push", topics=["declarations"])
def _a_check_is_refused(push: Any) -> Any:
    return lambda self, command: _NO if getattr(command, "action", None) is Action.CHECK else push(self, command)


@mutant("table_core.hand.hand:Hand.push", topics=["dead-hand"])
def _a_fold_is_refused(push: Any) -> Any:
    return lambda self, command: _NO if getattr(command, "action", None) is Action.FOLD else push(self, command)


@mutant("table_core.hand.hand:Hand.push", topics=["all-in"], cites=["all_in"])
def _nobody_may_go_all_in(push: Any) -> Any:
    def without(self: Any, command: Any) -> Any:
        answer = push(self, command)
        if isinstance(answer, tuple) and any(isinstance(event, Acted) and event.all_in for event in answer):
            self.pop()
            return _NO
        return answer

    return without


@mutant(
    "table_core.tracker.keys.betting:act",
    topics=["out-of-turn"],
    cites=["action_in_turn"],
    rules=["wfp.betting.5", "home.betting.5", "rpl.betting.7"],
)
def _whoever_acts_acts_for_the_seat_to_act(act: Any) -> Any:
    def for_the_seat_to_act(unit: Any, state: Any, press: Any, *refuse: Any) -> Any:
        number = press.number if press.key is Key.BET_RAISE else None  # of another key it is a seat
        return act(unit, state, replace(press, seat=None, number=number), *refuse)

    return for_the_seat_to_act


@mutant("table_core.hand.engine:Engine.drop_absent", topics=["presence-live-hand"])
def _absent_players_are_waited_for(drop_absent: Any) -> Any:
    del drop_absent

    def wait(self: Any, indices: int, events: Any, rule: str = "") -> None:
        del events, rule
        self.state.away &= ~indices

    return wait


@mutant("table_core.hand.state:HandState.awaiting_board", topics=["deal-order"], cites=["premature_board"])
def _the_board_may_come_before_betting_is_over(awaiting_board: Any) -> Any:
    del awaiting_board
    return property(lambda state: len(state.board) < 5 and not state.alone)


@mutant("table_core.hand.rulings:too_late", topics=["misdeal-deadline"])
def _a_misdeal_can_be_called_at_any_time(too_late: Any) -> Any:
    del too_late
    return lambda rulebook, players, wagers: False


@mutant("table_core.hand.rulings:correct_bet", topics=["bet-correction", "bet-placement"])
def _a_bet_of_too_little_stays_as_it_is(correct_bet: Any) -> Any:
    del correct_bet
    return lambda hand, command: hand.refuse("It stays as it is.", "")


# --------------------------------------------------------------------------------------- showdown and pots


@mutant("table_core.hand.pots:split", topics=["tie-split"], rules=["ccp.showdown.4", "rpl.ties.1"])
def _a_tie_is_won_by_one_hand(split: Any) -> Any:
    return lambda amount, winners, unit, **options: split(amount, winners[:1], unit, **options)


@mutant("table_core.hand.pots:split", topics=["odd-chip"])
def _odd_chips_are_not_broken_down(split: Any) -> Any:
    return lambda amount, winners, unit, **options: split(amount, winners, 4 * unit, **options)


@mutant("table_core.hand.pots:layers", topics=["side-pots", "short-blind"], cites=["side_pots"])
def _there_is_one_pot_for_everybody(layers: Any) -> Any:
    del layers
    return lambda paid, contenders, dead: [(sum(paid) + dead, contenders)] if sum(paid) + dead else []


@mutant("table_core.ranking:rank_hand", rules=["ccp.ranking.1"])
def _every_hand_is_worth_the_same(rank_hand: Any) -> Any:
    some_hand = rank_hand(range(0, 28, 4))
    return lambda cards: some_hand


@mutant("table_core.ranking:rank_on_board", topics=["hand-ranking", "cards-speak", "pot-award"])
def _every_hand_at_the_showdown_is_worth_the_same(rank_on_board: Any) -> Any:
    return lambda board, hands: rank_on_board(board, hands[:1]) * len(hands)


# ------------------------------------------------------------------------------------------- what is seen


@mutant("table_core.hand.engine:Engine.gone", topics=["stub-secrecy", "muck-retrieval"])
def _a_mucked_hand_may_be_turned_up(gone: Any) -> Any:
    del gone
    return lambda self, seat: None


@mutant("table_core.projections.words:describe", topics=["dealer-duties"])
def _nothing_is_announced(describe: Any) -> Any:
    del describe
    return lambda event: ""
