"""How each event changes the state of a hand. Nothing here decides; what happened is folded as it happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_core.hand import fold_betting, fold_cards, fold_ending, fold_opening, fold_rulings
from table_core.hand.state import NOBODY, HandState
from table_core.messages import (
    Acted,
    AnyEvent,
    AwaySet,
    BetCorrected,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    CardExposed,
    Counted,
    DealClosed,
    HandEnded,
    HandKilled,
    HandMucked,
    HandResumed,
    HandRetrieved,
    HandsBeaten,
    HandStarted,
    HandTabled,
    Misdealt,
    Post,
    Posted,
    PotAwarded,
    Reported,
    ResultEntered,
    Source,
)


def _nothing(state: HandState, event: CardExposed | DealClosed | Reported) -> None:
    """Recorded for everyone to read; the hand is as it was."""


def begins_step(state: HandState, event: AnyEvent) -> bool:
    """Whether `event` answered a command, rather than followed from the event before it."""
    match event:
        case Posted():
            return event.what is Post.STRADDLE
        case HandKilled() | Counted():
            return event.source is not Source.ENGINE
        case BetReturned():  # chopped blinds; else it follows once nobody is to act
            return state.to_act != NOBODY
        case PotAwarded():  # pots of the last hand standing follow from the fold that left it alone
            return not (state.awarded or state.beaten or state.settling)
        case HandsBeaten():
            return not (state.awarded or state.beaten)
        case BettingClosed() | HandEnded():
            return False
        case _:
            return True


FOLD: dict[type, Callable[[HandState, Any], None]] = {
    HandStarted: fold_opening.started,
    Posted: fold_opening.posted,
    Acted: fold_betting.acted,
    BetReturned: fold_betting.bet_returned,
    BettingClosed: fold_betting.betting_closed,
    BoardDealt: fold_cards.board_dealt,
    BoardRead: fold_cards.board_read,
    CardExposed: _nothing,
    Reported: _nothing,
    DealClosed: _nothing,
    HandTabled: fold_cards.tabled,
    HandMucked: fold_cards.mucked,
    HandKilled: fold_rulings.killed,
    HandRetrieved: fold_rulings.retrieved,
    BetCorrected: fold_betting.bet_corrected,
    Counted: fold_rulings.counted,
    AwaySet: fold_rulings.away_set,
    Misdealt: fold_ending.misdealt,
    HandResumed: fold_opening.resumed,
    HandsBeaten: fold_ending.beaten,
    PotAwarded: fold_ending.pot_awarded,
    ResultEntered: fold_ending.result_entered,
    HandEnded: fold_ending.ended,
}
