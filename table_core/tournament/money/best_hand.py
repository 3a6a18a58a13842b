"""Best hand of the night: which hands count for its prize, which is the best, and what it pays.

Only hands that were tabled are known to the event, so a hand that was not shown is never in the running. A hand of
which a card was not read, its own or one of the board, is compared with nothing: it may be the best, so a person
looks before the prize is paid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from table_core.cards import Card, parse_card
from table_core.messages import UNKNOWN_CARD, Few, Frozen, Name, Refusal, Text
from table_core.ranking import rank_hand
from table_core.rulebook import Rulebook
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import BestHandWon, Instant, Payment, ShownHand, in_cents
from table_core.tournament.money.icm import to_cents
from table_core.tournament.state import Facts, State


class AwardBestHand(Frozen, frozen=True):
    """Pay the prize for the best hand that was shown tonight. Where hands were shown of which a card was not read,
    `anyway` says why it is the best all the same; with it, `players` may name who has it by what people saw."""

    players: Few[Name] = ()
    anyway: Text = ""


def counts_as_best_hand(hole: Sequence[Card], board: Sequence[Card], rulebook: Rulebook) -> bool:
    """Whether a hand that was shown is in the running: the river dealt (rpl.league.3a), and both hole cards needed
    for its best five (rpl.league.3b)."""
    if len(hole) != 2 or len(board) < _least_board(rulebook):
        return False
    both = rulebook.tournament.best_hand_needs_both_hole_cards
    return not both.value or _needs_both(tuple(hole), tuple(board))


def _least_board(rulebook: Rulebook) -> int:
    return 5 if rulebook.tournament.best_hand_needs_river.value else 3


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
        if _is_unread(hand):
            continue
        hole, board = _cards(hand.cards), _cards(hand.board)
        if not counts_as_best_hand(hole, board, rulebook):
            continue
        worth = rank_hand(hole + board)
        if worth > value:
            best, value = [hand], worth
        elif worth == value:
            best.append(hand)
    return tuple(best)


def unread_hands(state: State, facts: Facts) -> tuple[ShownHand, ...]:
    """Hands that may be the best and cannot be compared: a card of each was not read."""
    hands = (hand for fact in facts.values() for hand in fact.shown)
    least = _least_board(state.book)
    return tuple(hand for hand in hands if _is_unread(hand) and len(hand.cards) == 2 and len(hand.board) >= least)


def _is_unread(hand: ShownHand) -> bool:
    return UNKNOWN_CARD in hand.cards or UNKNOWN_CARD in hand.board


def best_of_night(state: State, facts: Facts) -> tuple[ShownHand, ...]:
    """The best hand as the tables have shown it until now."""
    return best_hands((hand for fact in facts.values() for hand in fact.shown), state.book)


def best_hand_pool(state: State) -> int:
    """Cents that the entries have brought in for it."""
    fee = state.book.tournament.fee_for_best_hand
    entries = sum(entrant.entries for entrant in state.field.entrants.values())
    return entries * in_cents(fee.value) if fee is not None else 0


def award_best_hand(state: State, wanted: AwardBestHand, now: Instant, facts: Facts) -> Decision:
    if state.prizes.best_hand is not None:
        return Refusal(reason="The best hand of the night is paid.", rule="")
    money, best = best_hand_pool(state), best_of_night(state, facts)
    if not money:
        return refused(state.book, "fee_for_best_hand", "Nobody paid for a best hand: set fee_for_best_hand.")
    unread = unread_hands(state, facts)
    if unread and not wanted.anyway:
        return refused(state.book, "best_hand_needs_both_hole_cards", _unread(unread))
    if wanted.players and not wanted.anyway:
        return Refusal(reason="Every hand that was shown was read: the best one has the prize.", rule="")
    strange = [player for player in wanted.players if player not in state.field.entrants]
    if strange:
        return Refusal(reason=f"{strange[0]} is not in the event.", rule="")
    if not (best or wanted.players):
        return refused(state.book, "best_hand_needs_both_hole_cards", "No hand that counts was shown.")
    best = () if wanted.players else best
    ties = state.book.tournament.best_hand_tie_splits
    players = list(dict.fromkeys(wanted.players or (hand.player for hand in best)))
    players = players if wanted.players or ties is None or ties.value else players[:1]
    parts = to_cents([money / len(players)] * len(players), money)
    shares = tuple(Payment(name, part) for name, part in zip(players, parts, strict=True))
    river = state.book.tournament.best_hand_needs_river
    return (BestHandWon(shares, best, ties.rule if ties is not None and len(players) > 1 else river.rule),)


def _unread(hands: Sequence[ShownHand]) -> str:
    """What a person looks at before the prize is paid."""
    each = [f"{hand.player} at table {hand.table} in hand {hand.hand}" for hand in hands[:3]]
    more = f" and {len(hands) - 3} more" if len(hands) > 3 else ""
    return (
        f"Not every card was read of what was shown by {'; '.join(each)}{more}: any of these may be the best. "
        "Ask who saw it, then say who has the best hand."
    )


# ------------------------------------------------------------------------------------------------ reducers


def _won(state: State, event: BestHandWon, now: Instant) -> None:
    if state.prizes.best_hand is not None:
        raise ConflictError("the best hand of the night is paid")
    state.prizes.best_hand = {share.player: share.amount for share in event.shares}


COMMANDS: Mapping[type, Any] = {AwardBestHand: award_best_hand}
REDUCERS: Mapping[type, Any] = {BestHandWon: _won}
