"""Further boards, where a ruling has the board run more than once: reading them, and awarding in parts."""

from __future__ import annotations

from collections.abc import Sequence

from table_core.cards import parse_card
from table_core.hand.hand import Hand
from table_core.hand.pots import split
from table_core.messages import (
    UNKNOWN_CARD,
    BoardDealt,
    BoardsAgreed,
    CardExposed,
    CardText,
    Chips,
    ExposeCard,
    HandEnded,
    PotAwarded,
    Seat,
    Share,
    Source,
    ZoneSeen,
)
from table_core.ranking import describe_value, rank_hand
from table_core.tracker.unit_of_work import UnitOfWork

BOARD = 5


def boards_wanted(unit: UnitOfWork) -> int:
    """The number of boards of this hand."""
    agreed = [logged.event for logged in unit.table.hand_log if isinstance(logged.event, BoardsAgreed)]
    return agreed[-1].boards if agreed else 1


def board_seen(unit: UnitOfWork, seen: ZoneSeen) -> None:
    """Take a reading of `board-2` or `board-3`; its cards lie face up and are public."""
    hand = unit.table.hand
    if hand is None or hand.ended or boards_wanted(unit) < seen.zone.run:
        return
    to = str(seen.zone)
    known = _cards_of(unit, to)
    for card in seen.cards[: BOARD - len(_shared(unit))]:
        if card not in known:
            unit.push(ExposeCard(to, card, (Source.CAMERA,)))


def boards(unit: UnitOfWork) -> list[tuple[CardText, ...]] | None:
    """Every board, complete; None while one is not."""
    hand = unit.table.hand
    assert hand is not None
    shared = _shared(unit)
    found = [hand.board, *[(*shared, *_cards_of(unit, f"board-{no}")) for no in range(2, boards_wanted(unit) + 1)]]
    return found if all(len(board) == BOARD and UNKNOWN_CARD not in board for board in found) else None


def award_boards(unit: UnitOfWork) -> bool:
    """Award each pot in equal parts, one per board, and end the hand; whether it did."""
    hand, whole = unit.table.hand, boards(unit)
    if hand is None or whole is None or not hand.ready_to_award:
        return False
    pots = hand.pots
    for no, pot in reversed([*enumerate(pots)]):
        shares, words = _shares(unit, hand, pot.amount, pot.eligible, whole)
        unit.record(PotAwarded(no, pot.amount, pot.eligible, shares, "cards", words))
    stacks = sorted(hand.stacks.items())
    out = tuple([seat for seat, stack in stacks if not stack])
    unit.record(HandEnded(hand.number, tuple([Share(seat, stack) for seat, stack in stacks]), out))
    return True


def _shares(
    unit: UnitOfWork, hand: Hand, amount: int, eligible: Sequence[Seat], whole: Sequence[Sequence[CardText]]
) -> tuple[tuple[Share, ...], str]:
    """The shares of one pot; odd chips go to the earlier boards."""
    won: dict[int, int] = {}
    words = []
    index = hand.state.ring.index  # of a seat
    parts = split(amount, list(range(len(whole))), unit.table.smallest_chip)
    for (_, part), board in zip(parts, whole, strict=True):
        values = {seat: _value(board, hand.tabled[seat]) for seat in eligible if seat in hand.tabled}
        best = max(values.values())
        winners = sorted(index[seat] for seat, value in values.items() if value == best)
        words.append(describe_value(best))
        for winner, chips in split(part, winners, unit.table.smallest_chip):
            won[winner] = won.get(winner, 0) + chips
    seats = hand.state.ring.seats
    return tuple([Share(seats[at], Chips(chips)) for at, chips in sorted(won.items()) if chips]), "; ".join(words)


def _value(board: Sequence[CardText], cards: Sequence[CardText]) -> int:
    return rank_hand(tuple([parse_card(card) for card in (*board, *cards)]))


def _shared(unit: UnitOfWork) -> tuple[CardText, ...]:
    """The board at the time when running it more than once was agreed."""
    board: tuple[CardText, ...] = ()
    for logged in unit.table.hand_log:
        if isinstance(logged.event, BoardDealt):
            board += logged.event.cards
        elif isinstance(logged.event, BoardsAgreed):
            return board
    return board


def _cards_of(unit: UnitOfWork, to: str) -> tuple[CardText, ...]:
    events = [logged.event for logged in unit.table.hand_log]
    return tuple([event.card for event in events if isinstance(event, CardExposed) and event.to == to])
