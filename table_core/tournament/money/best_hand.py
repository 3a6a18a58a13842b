"""Best hand of the night: which hands count for its prize, which is the best, and what it pays.

Only hands that were tabled are known to the event, so a hand that was not shown is never in the running.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from table_core.cards import Card, parse_card
from table_core.messages import Frozen, Refusal
from table_core.ranking import rank_hand
from table_core.rulebook import Rulebook
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import CENTS, BestHandWon, Instant, Payment, ShownHand
from table_core.tournament.money.icm import to_cents
from table_core.tournament.state import Facts, State


class AwardBestHand(Frozen, frozen=True):
    """Pay the prize for the best hand that was shown tonight."""


def counts_as_best_hand(hole: Sequence[Card], board: Sequence[Card], rulebook: Rulebook) -> bool:
    """Whether a hand that was shown is in the running: the river dealt (rpl.league.3a), and both hole cards needed
    for its best five (rpl.league.3b)."""
    tournament = rulebook.tournament
    if len(hole) != 2 or len(board) < (5 if tournament.best_hand_needs_river.value else 3):
        return False
    return not tournament.best_hand_needs_both_hole_cards.value or _needs_both(tuple(hole), tuple(board))


def _needs_both(hole: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    whole = rank_hand(hole + board)
    fewer = [(hole[0], *board), (hole[1], *board)]
    return all(rank_hand(cards) < whole for cards in fewer if len(cards) >= 5)


@cache
def _cards(texts: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(parse_card(text) for text in texts)


def best_hands(shown: Iterable[ShownHand], rulebook: Rulebook) -> tuple[ShownHand, ...]:
    """The best of those that count; several where they tie."""
    best: list[ShownHand] = []
    value = 0
    for hand in shown:
        hole, board = _cards(hand.cards), _cards(hand.board)
        if not counts_as_best_hand(hole, board, rulebook):
            continue
        worth = rank_hand(hole + board)
        if worth > value:
            best, value = [hand], worth
        elif worth == value:
            best.append(hand)
    return tuple(best)


def best_of_night(state: State, facts: Facts) -> tuple[ShownHand, ...]:
    """The best hand as the tables have shown it until now."""
    return best_hands((hand for fact in facts.values() for hand in fact.shown), state.book)


def best_hand_pool(state: State) -> int:
    """Cents that the entries have brought in for it."""
    fee = state.book.tournament.fee_for_best_hand
    entries = sum(entrant.entries for entrant in state.field.entrants.values())
    return entries * fee.value * CENTS if fee is not None else 0


def award_best_hand(state: State, wanted: AwardBestHand, now: Instant, facts: Facts) -> Decision:
    if state.prizes.best_hand is not None:
        return Refusal(reason="The best hand of the night is paid.", rule="")
    money, best = best_hand_pool(state), best_of_night(state, facts)
    if not money:
        return refused(state.book, "fee_for_best_hand", "Nobody paid for a best hand: set fee_for_best_hand.")
    if not best:
        return refused(state.book, "best_hand_needs_both_hole_cards", "No hand that counts was shown.")
    ties = state.book.tournament.best_hand_tie_splits
    players = list(dict.fromkeys(hand.player for hand in best))
    players = players if ties is None or ties.value else players[:1]
    parts = to_cents([money / len(players)] * len(players), money)
    shares = tuple(Payment(name, part) for name, part in zip(players, parts, strict=True))
    river = state.book.tournament.best_hand_needs_river
    return (BestHandWon(shares, best, ties.rule if ties is not None and len(players) > 1 else river.rule),)


# ------------------------------------------------------------------------------------------------ reducers


def _won(state: State, event: BestHandWon, now: Instant) -> None:
    if state.prizes.best_hand is not None:
        raise ConflictError("the best hand of the night is paid")
    state.prizes.best_hand = {share.player: share.amount for share in event.shares}


COMMANDS: Mapping[type, Any] = {AwardBestHand: award_best_hand}
REDUCERS: Mapping[type, Any] = {BestHandWon: _won}
