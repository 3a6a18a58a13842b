"""A card that lies face up and that no device has read, named on the screen: of the board, or of a tabled hand."""

from __future__ import annotations

from typing import Final

from table_core.cards import DECK, card_text
from table_core.messages import (
    UNKNOWN_CARD,
    CardText,
    DeviceState,
    ReadBoard,
    Refusal,
    Refused,
    Seat,
    Source,
    TableHand,
)
from table_core.tracker.dealing.board import camera_reads_board
from table_core.tracker.hands.showdown import award_when_ready
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

RULE: Final = "base.board"
# The number of a press is the place, from 1, and behind it the card in two digits, in the order of the deck: 01 is
# the two of clubs, 52 the ace of spades.
CARDS: Final = tuple(card_text(card) for card in DECK)
_PLACE: Final = 100


def card_named(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """`305 CARD` names the third card of the board, with seat 4 `152 CARD` the first of its tabled hand. A card
    that is known stays: UNDO takes a wrong name back. A hand that was not tabled has no card to be named."""
    place, card = divmod(press.number or 0, _PLACE)
    hand = unit.table.hand
    if hand is None or hand.ended or not 1 <= card <= len(CARDS):
        unit.record(Refused("No card is to be named now. Nothing entered", RULE))
        return
    seat, name = press.seat, CARDS[card - 1]
    lies = hand.board if seat is None else hand.tabled.get(seat, ())
    if not 1 <= place <= len(lies):
        unit.record(Refused(_no_card(seat), RULE))
    elif lies[place - 1] != UNKNOWN_CARD:
        unit.record(Refused(f"The card is known: {lies[place - 1]}. Wrong? UNDO takes back who named it", RULE))
    elif _is_read_by_camera(unit, state, seat):
        unit.record(Refused("The camera reads these cards: nothing is to be named", RULE))
    else:
        _name(unit, state, seat, (*lies[: place - 1], name, *lies[place:]))


def _name(unit: UnitOfWork, state: TrackerState, seat: Seat | None, cards: tuple[CardText, ...]) -> None:
    command = ReadBoard(cards, (Source.SCREEN,)) if seat is None else TableHand(seat, cards, (Source.SCREEN,))
    refusal = unit.push(command)
    if isinstance(refusal, Refusal):
        unit.record(Refused(refusal.reason, refusal.rule))
    elif seat is not None:
        award_when_ready(unit, state)


def _no_card(seat: Seat | None) -> str:
    if seat is None:
        return "No such card lies on the board. Nothing entered"
    return f"Seat {seat} has not tabled its hand: its cards are nobody's to name"


def _is_read_by_camera(unit: UnitOfWork, state: TrackerState, seat: Seat | None) -> bool:
    if seat is None:
        return camera_reads_board(unit, state)
    return unit.table.devices.get("camera") is DeviceState.OK and seat not in state.seat_cards.unseen
