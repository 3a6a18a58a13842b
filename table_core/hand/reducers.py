"""How each event changes the state of a hand. Nothing here decides; what happened is applied as it happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_core.hand import reduce_betting, reduce_cards, reduce_ending, reduce_opening, reduce_rulings
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
        case HandKilled() | Counted():
            return event.source is not Source.ENGINE
        case BetReturned():  # chopped blinds; else it follows once nobody is to act
            return state.to_act != NOBODY
        case PotAwarded():  # pots of the last hand standing follow from the fold that left it alone
            return not (state.awarded or state.beaten or state.settling)
        case HandsBeaten():
            return not (state.awarded or state.beaten)
        case Posted() | BettingClosed() | HandEnded():
            return False
        case _:
            return True


REDUCERS: dict[type, Callable[[HandState, Any], None]] = {
    HandStarted: reduce_opening.started,
    Posted: reduce_opening.posted,
    Acted: reduce_betting.acted,
    BetReturned: reduce_betting.bet_returned,
    BettingClosed: reduce_betting.betting_closed,
    BoardDealt: reduce_cards.board_dealt,
    BoardRead: reduce_cards.board_read,
    CardExposed: _nothing,
    Reported: _nothing,
    DealClosed: _nothing,
    HandTabled: reduce_cards.tabled,
    HandMucked: reduce_cards.mucked,
    HandKilled: reduce_rulings.killed,
    HandRetrieved: reduce_rulings.retrieved,
    BetCorrected: reduce_betting.bet_corrected,
    Counted: reduce_rulings.counted,
    AwaySet: reduce_rulings.away_set,
    Misdealt: reduce_ending.misdealt,
    HandResumed: reduce_opening.resumed,
    HandsBeaten: reduce_ending.beaten,
    PotAwarded: reduce_ending.pot_awarded,
    ResultEntered: reduce_ending.result_entered,
    HandEnded: reduce_ending.ended,
}
