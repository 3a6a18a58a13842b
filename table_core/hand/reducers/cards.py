"""Reducers of cards on the table: the board, and hands that are tabled or mucked."""

from __future__ import annotations

from typing import Final

from table_core.hand.face_up import bits_of
from table_core.hand.reducers.betting import close_betting
from table_core.hand.seats import members
from table_core.hand.state import NOBODY, HandState
from table_core.messages import BoardDealt, BoardRead, HandMucked, HandTabled, Street

_RIVER: Final = Street.RIVER  # looked up once


def board_dealt(state: HandState, event: BoardDealt) -> None:
    if not state.closed:  # a street reported early: seats that had not acted count as calling
        missing = {index: state.high - state.bets[index] for index in members(state.able)}
        state.short = {index: chips for index, chips in missing.items() if chips > 0}
        close_betting(state)
    state.dealt = True
    state.board += event.cards
    state.face_up |= bits_of(event.cards)
    state.street = event.street
    if state.able & (state.able - 1):
        state.closed = False
        state.aggressor = NOBODY
        state.raises = 0
        state.last_raise = state.minimum_bet(event.street)
        state.pending = state.able
        state.to_act = (state.able & -state.able).bit_length() - 1  # the lowest seat index
    elif event.street is _RIVER:
        state.street = Street.SHOWDOWN


def board_read(state: HandState, event: BoardRead) -> None:
    state.board = event.cards
    state.face_up |= bits_of(event.cards)


def tabled(state: HandState, event: HandTabled) -> None:
    index = state.ring.index[event.seat]
    state.tabled[index] = cards = event.cards
    state.face_up |= bits_of(cards)


def mucked(state: HandState, event: HandMucked) -> None:
    index = state.ring.index[event.seat]
    bit = 1 << index
    if state.is_last_of_pot(index):
        state.last_of_pot |= bit
    state.live &= ~bit
    state.able &= ~bit
    state.mucked |= bit
