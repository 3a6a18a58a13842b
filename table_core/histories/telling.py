"""What of a table's hand a history can tell. Histories know betting and cards, but no rulings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    BetCorrected,
    BettingClosed,
    BoardDealt,
    Chips,
    HandEnded,
    HandKilled,
    HandMucked,
    HandResumed,
    HandRetrieved,
    HandStarted,
    LevelChanged,
    Misdealt,
    PotAwarded,
    ResultEntered,
)

_BEYOND_HISTORIES: dict[type, str] = {
    HandResumed: "its beginning was not observed",
    ResultEntered: "only its result is known",
    Misdealt: "it was a misdeal",
    BetCorrected: "a bet was corrected by a ruling",
    LevelChanged: "its blinds were changed in the deal",
    HandRetrieved: "a hand was given back by a ruling",
}


def beyond_histories(events: Sequence[AnyEvent]) -> str | None:
    """Why no hand history can tell these events, None when one can."""
    for event in events:
        if type(event) in _BEYOND_HISTORIES:
            return _BEYOND_HISTORIES[type(event)]
        if isinstance(event, HandStarted) and (event.extra_small_blinds or event.extra_big_blinds):
            return "a seat posted blinds that it had missed"
        if isinstance(event, HandStarted | HandEnded) and event.carried:
            return "chips were carried from one hand to the next"
        if isinstance(event, PotAwarded) and not event.shares and event.amount:
            return "the pot was impounded"
    return None


def as_history(events: Sequence[AnyEvent]) -> Iterator[AnyEvent]:
    """The events with a killed hand as a fold, or as a muck once betting is over."""
    last_act = max((number for number, event in enumerate(events) if isinstance(event, Acted)), default=-1)
    closed = False
    for number, event in enumerate(events):
        if isinstance(event, BettingClosed | BoardDealt):
            closed = isinstance(event, BettingClosed)
        if not isinstance(event, HandKilled):
            yield event
        elif closed and number > last_act:
            yield HandMucked(event.seat, event.source)
        else:
            yield Acted(event.seat, Action.FOLD, Chips(0), Chips(0), False, event.source)
