"""Cards on the table: the board, hands that are tabled or mucked, exposed cards."""

from __future__ import annotations

from typing import Final

from table_core.hand import showdown
from table_core.hand.engine import Answer, Engine
from table_core.hand.face_up import bits_of
from table_core.hand.reducers.cards import tabled
from table_core.hand.state import NOBODY, HandState
from table_core.messages import (
    UNKNOWN_CARD,
    BoardDealt,
    BoardRead,
    CardExposed,
    DealBoard,
    ExposeCard,
    HandMucked,
    HandTabled,
    MuckHand,
    ReadBoard,
    Refusal,
    Seat,
    Street,
    TableHand,
)

_FLOP: Final = Street.FLOP  # looked up once
NEXT_STREET: Final = {Street.PREFLOP: Street.FLOP, Street.FLOP: Street.TURN, Street.TURN: Street.RIVER}


def deal_board(hand: Engine, command: DealBoard) -> Answer:
    state = hand.state
    if not state.awaiting_board:
        return _not_due(hand)
    street, cards = NEXT_STREET[state.street], command.cards
    bits, due = bits_of(cards), 3 if street is _FLOP else 1
    if bits & state.face_up or bits.bit_count() != due or len(cards) != due:  # else all of them new, and read
        wrong = wrong_street(hand, command)
        if wrong:
            return hand.refuse(wrong, hand.rulebook.cites.board)
    return hand.step(BoardDealt(street, cards, command.sources))


def wrong_street(hand: Engine, command: DealBoard) -> str | None:
    """Why these cards cannot be the next street; None when they can."""
    street = NEXT_STREET[hand.state.street]
    due = 3 if street is _FLOP else 1
    if len(command.cards) != due:
        return f"The {street} has {_cards(due)}, not {len(command.cards)}."
    return hand.wrong_cards(command.cards)


def _not_due(hand: Engine) -> Refusal:
    cites = hand.rulebook.cites
    if hand.state.to_act != NOBODY:
        return hand.refuse(f"Betting is not closed: seat {hand.to_act} is to act.", cites.premature_board)
    if hand.ended and len(hand.board) < 5:
        return hand.refuse("No board card is due: the hand is over.", cites.after_the_hand)
    return hand.refuse("No board card is due.", cites.board)


def read_board(hand: Engine, command: ReadBoard) -> Answer:
    board, cites = hand.board, hand.rulebook.cites
    if not hand.state.under_way or len(command.cards) != len(board):
        return hand.refuse(f"The board has {_cards(len(board))}, not {len(command.cards)}.", cites.board)
    for before, now in zip(board, command.cards, strict=True):
        if before not in (UNKNOWN_CARD, now):
            return hand.refuse(f"The board shows {before}, not {now}.", cites.board)
    wrong = hand.wrong_cards(command.cards, board=False)
    if wrong:
        return hand.refuse(wrong, cites.board)
    return hand.step(BoardRead(command.cards, command.sources))


def table_hand(hand: Engine, command: TableHand) -> Answer:
    """Table a hand. It is recorded whenever it happens, and again when the cards are read later. A winner to
    whom everyone folded may show after the award."""
    state, seat, cards = hand.state, command.seat, command.cards
    gone = hand.gone(seat)
    if gone and not may_show_behind(state, seat):
        return hand.refuse(gone, hand.rulebook.cites.dead_hand)
    bits = bits_of(cards)
    if bits & state.face_up or bits.bit_count() != 2 or len(cards) != 2:  # else two new cards, both read
        wrong = wrong_hand(hand, command)
        if wrong:
            return hand.refuse(*wrong)
    event = HandTabled(seat, cards, command.sources)
    hand.journal.steps.append(event)
    tabled(state, event)
    return (event,)


def may_show_behind(state: HandState, seat: Seat) -> bool:
    """Whether the hand is over and the seat won it as the last one in."""
    return state.street is Street.DONE and state.alone and state.ring.seats_in(state.live) == (seat,)


def wrong_hand(hand: Engine, command: TableHand) -> tuple[str, str] | None:
    """Why these cards cannot be a hand, and the rule; None when they can."""
    if len(command.cards) != 2:
        return f"A hand is {_cards(2)}, not {len(command.cards)}.", hand.rulebook.cites.dealing
    wrong = hand.wrong_cards(command.cards, command.seat)
    return (wrong, hand.rulebook.cites.must_table) if wrong else None


def muck_hand(hand: Engine, command: MuckHand) -> Answer:
    state, seat = hand.state, command.seat
    gone = hand.gone(seat)
    if gone:
        return hand.refuse(gone, hand.rulebook.cites.dead_hand)
    if not hand.betting_over:
        return hand.refuse(f"Betting goes on: seat {seat} folds in turn.", hand.rulebook.cites.action_in_turn)
    refusal = showdown.may_muck(state, state.ring.index[seat])
    return refusal or hand.step(HandMucked(seat, command.source))


def expose_card(hand: Engine, command: ExposeCard) -> Answer:
    """Everyone is told which card it was (ccp.announcements.4)."""
    wrong = hand.wrong_cards((command.card,))
    if not hand.state.under_way:
        wrong = "No hand is being played."
    elif command.card == UNKNOWN_CARD:
        wrong = "An exposed card has a name: read it first."
    if wrong:
        return hand.refuse(wrong, hand.rulebook.cites.dealing)
    return hand.step(CardExposed(command.to, command.card, command.sources))


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
