"""The same workloads on other projects' engines and evaluator, each imported only where it is measured."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from feltwire.lab.bench.hands import BIG_BLIND, SEATS, SMALL_BLIND, STACK
from table_core.cards import DECK, Card

Workload = Iterator[None]

_SEED = 3


def texasholdem_check_down() -> Workload:
    from texasholdem import ActionType, PlayerState

    game = _texasholdem_game()
    while _texasholdem_start(game):
        while game.is_hand_running():
            checks = game.players[game.current_player].state is PlayerState.IN
            game.take_action(ActionType.CHECK if checks else ActionType.CALL)
        yield


def texasholdem_random() -> Workload:
    from texasholdem import ActionType

    random.seed(_SEED)
    draw = random.Random(_SEED).random
    game = _texasholdem_game()
    while _texasholdem_start(game):
        while game.is_hand_running():
            moves = game.get_available_moves()
            actions = moves.action_types
            if ActionType.CHECK in actions:  # as ours: no folding where one can check
                actions = [action for action in actions if action is not ActionType.FOLD]
            action = actions[int(draw() * len(actions))]
            if action is ActionType.RAISE:
                totals = moves.raise_range
                game.take_action(action, total=totals[int(draw() * len(totals))])
            else:
                game.take_action(action)
        yield


def _texasholdem_game() -> Any:
    from texasholdem import TexasHoldEm

    return TexasHoldEm(buyin=STACK, big_blind=BIG_BLIND, small_blind=SMALL_BLIND, max_players=SEATS)


def _texasholdem_start(game: Any) -> bool:
    for player in game.players:
        player.chips = STACK
    game.start_hand()
    return True


def pokerkit_check_down() -> Workload:
    while True:
        state = _pokerkit_state()
        while state.status:
            state.check_or_call()
        yield


def pokerkit_random() -> Workload:
    draw = random.Random(_SEED).random
    while True:
        state = _pokerkit_state()
        while state.status:
            _pokerkit_act(state, draw)
        yield


def _pokerkit_act(state: Any, draw: Callable[[], float]) -> None:
    choices = [state.check_or_call]
    if state.checking_or_calling_amount:
        choices.append(state.fold)
    low = state.min_completion_betting_or_raising_to_amount
    if low is not None:
        high = state.max_completion_betting_or_raising_to_amount
        choices.append(partial(state.complete_bet_or_raise_to, low + int(draw() * (high - low + 1))))
    choices[int(draw() * len(choices))]()


def _pokerkit_state() -> Any:
    from pokerkit import Automation, NoLimitTexasHoldem

    return NoLimitTexasHoldem.create_state(
        tuple(Automation), True, 0, (SMALL_BLIND, BIG_BLIND), BIG_BLIND, (STACK,) * SEATS, SEATS
    )


def rlcard_check_down() -> Workload:
    from rlcard.games.nolimitholdem.round import Action

    return _rlcard(lambda legal: Action.CHECK_CALL if Action.CHECK_CALL in legal else legal[0])


def rlcard_random() -> Workload:
    from rlcard.games.nolimitholdem.round import Action

    draw = random.Random(_SEED).random
    raises = (Action.RAISE_HALF_POT, Action.RAISE_POT, Action.ALL_IN)

    def choose(legal: Sequence[Any]) -> Any:
        kinds = [[action for action in legal if action is kind] for kind in (Action.FOLD, Action.CHECK_CALL)]
        kinds.append([action for action in legal if action in raises])
        kinds = [kind for kind in kinds if kind]
        chosen = kinds[int(draw() * len(kinds))]
        return chosen[int(draw() * len(chosen))]

    return _rlcard(choose)


def _rlcard(choose: Callable[[Sequence[Any]], Any]) -> Workload:
    from rlcard.games.nolimitholdem import Game

    game = Game(num_players=SEATS)
    game.configure({"game_num_players": SEATS, "chips_for_each": STACK, "dealer_id": None})
    game.small_blind, game.big_blind = SMALL_BLIND, BIG_BLIND
    while True:
        game.init_game()
        while not game.is_over():
            game.step(choose(game.get_legal_actions()))
        game.get_payoffs()
        yield


def phevaluator_each(hands: Sequence[tuple[Card, ...]]) -> None:
    """The C function itself, without the wrapper that looks at its arguments first."""
    from phevaluator._pheval import evaluate_7cards

    for hand in hands:
        evaluate_7cards(*hand)


def phevaluator_heads_up(first: tuple[Card, Card], second: tuple[Card, Card]) -> tuple[int, int, int]:
    """Boards won by the first hand, by the second and by both: every board dealt. Lower is better here."""
    from phevaluator._pheval import evaluate_7cards

    stub = [card for card in DECK if card not in first + second]
    won = lost = tied = 0
    for board in combinations(stub, 5):
        mine = evaluate_7cards(*first, *board)
        theirs = evaluate_7cards(*second, *board)
        if mine < theirs:
            won += 1
        elif mine > theirs:
            lost += 1
        else:
            tied += 1
    return won, lost, tied
