"""The reducer of each event. Reducers decide nothing; they apply what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from table_core.hand import duties
from table_core.hand.reducers import betting, cards, ending, opening, rulings
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
    DutiesSet,
    HandEnded,
    HandKilled,
    HandMucked,
    HandResumed,
    HandRetrieved,
    HandsBeaten,
    HandStarted,
    HandTabled,
    LevelChanged,
    Misdealt,
    Posted,
    PotAwarded,
    Reported,
    ResultEntered,
    Source,
)


def _nothing(state: HandState, event: CardExposed | Reported) -> None:
    """No change to the hand; the event is recorded for readers."""


def begins_step(state: HandState, event: AnyEvent) -> bool:
    """Whether `event` answered a command, rather than followed from the event before it."""
    match event:
        case HandKilled() | Counted():
            return event.source is not Source.ENGINE
        case Acted():  # a bound action follows from what brought the turn to its seat
            return not (state.duties and event.source is Source.ENGINE and duties.is_bound(state))
        case BetReturned():  # chopped blinds; else it follows once nobody is to act
            return state.to_act != NOBODY
        case PotAwarded():  # pots of the last hand standing follow from the fold that left it alone
            return not (state.awarded or state.beaten or state.settling)
        case HandsBeaten():
            return not (state.awarded or state.beaten)
        case DealClosed():  # else it follows from the first act
            return not state.dealt
        case Posted() | BettingClosed() | HandEnded():
            return False
        case _:
            return True


REDUCERS: Final[dict[type, Callable[[HandState, Any], None]]] = {
    HandStarted: opening.started,
    Posted: opening.posted,
    Acted: betting.acted,
    BetReturned: betting.bet_returned,
    BettingClosed: betting.betting_closed,
    BoardDealt: cards.board_dealt,
    BoardRead: cards.board_read,
    CardExposed: _nothing,
    Reported: _nothing,
    DealClosed: rulings.deal_closed,
    LevelChanged: opening.level_changed,
    HandTabled: cards.tabled,
    HandMucked: cards.mucked,
    HandKilled: rulings.killed,
    DutiesSet: rulings.duties_set,
    HandRetrieved: rulings.retrieved,
    BetCorrected: betting.bet_corrected,
    Counted: rulings.counted,
    AwaySet: rulings.away_set,
    Misdealt: ending.misdealt,
    HandResumed: opening.resumed,
    HandsBeaten: ending.beaten,
    PotAwarded: ending.pot_awarded,
    ResultEntered: ending.result_entered,
    HandEnded: ending.ended,
}
