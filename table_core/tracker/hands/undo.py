"""UNDO: the last press of the hand is taken back with its consequences."""

from __future__ import annotations

from collections.abc import Sequence

from table_core.messages import (
    Acted,
    AwaySet,
    BetReturned,
    BoardDealt,
    Chips,
    Counted,
    DealClosed,
    DealCorrected,
    HandMucked,
    HandTabled,
    LevelChanged,
    PotAwarded,
    Refused,
    ResultEntered,
    Rewound,
    Ruled,
    Source,
)
from table_core.projections.table_state import Logged
from table_core.projections.words import describe
from table_core.tracker import waits
from table_core.tracker.dealing.deal import place_card, say_doubt
from table_core.tracker.dealing.evidence import mislay
from table_core.tracker.hands.undo_extent import (
    TIMER,
    camera_alone,
    first_seen_since,
    hold,
    last_press,
    sent_by_director,
)
from table_core.tracker.memory.notices import Doubt
from table_core.tracker.ruling.director import locked
from table_core.tracker.ruling.opening import brought_back
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

UNDOABLE = (Acted, AwaySet, BetReturned, LevelChanged, HandTabled, HandMucked, PotAwarded, Ruled, ResultEntered)


def take_back_ruling(unit: UnitOfWork, state: TrackerState) -> None:
    """The director takes the last ruling back; where the table has gone on since, UNDO comes first."""
    log = unit.table.hand_log
    undoable = (one for one in reversed(log) if isinstance(one.event, UNDOABLE) and not sent_by_director(one))
    last = next(undoable, None)
    first = _first_of_group(log, last).event if last is not None else None
    if isinstance(first, Ruled) and first.by == "director":
        undo(unit, state, by_director=True)
    elif last is not None and any(isinstance(one.event, Ruled) and one.event.by == "director" for one in log):
        text = f"{describe(last.event)} came after the ruling: take that back at the table first"
        unit.record(Refused(text, "base.undo"))
    else:
        unit.record(Refused("The director has ruled on nothing in this hand", "base.undo"))


def street_that_did_nothing(unit: UnitOfWork, state: TrackerState) -> bool:
    """UNDO right behind a STREET that changed nothing takes that STREET back, and no action before it. Whether it
    was so; the next UNDO goes on from there."""
    seq, log = state.presses.take_idle_street(), unit.table.hand_log
    if seq is None or any(logged.seq > seq for logged in log) or not unit.table.in_hand:
        return False
    last = last_press(log, UNDOABLE)
    if last is None:
        return False
    did = describe(_first_of_group(log, last).event)
    unit.record(Refused(f"STREET changed nothing and is taken back; UNDO again takes back: {did}", "base.undo"))
    return True


def undo(unit: UnitOfWork, state: TrackerState, *, by_director: bool = False) -> None:
    """Take back the last effective press of this hand with its consequences; between hands, the last count."""
    if state.counts.counted and not unit.table.in_hand and not by_director:
        count = state.counts.take_last()
        was = Chips(unit.table.seats[count.seat].stack)
        unit.record(Counted(count.seat, count.before, was, Source.KEY))
        return
    log = unit.table.hand_log
    seen_since = first_seen_since(log, UNDOABLE) if state.presses.undid else None
    last = seen_since or last_press(log, UNDOABLE)
    if last is None:
        unit.record(Refused("Nothing to take back in this hand", "base.undo"))
        return
    state.presses.undo()
    first = seen_since or _first_of_group(log, last)
    kept = locked(unit, first.event) if isinstance(first.event, Ruled) else None
    if kept is not None and not by_director:
        unit.record(kept)
        return
    take_back_from(unit, state, first)


def take_back_from(unit: UnitOfWork, state: TrackerState, first: Logged) -> None:
    """Take back `first` and everything of this hand behind it, but for the cards that were dealt."""
    log = unit.table.hand_log
    # Undoing a ruling restores what it had taken back.
    again = list(unit.table.removed.get(first.cause, [])) if isinstance(first.event, Ruled) else []
    # Dealt cards stay: undo takes back what a person entered, not what was dealt.
    cut = tuple(logged.seq for logged in log if logged.seq >= first.seq)
    why = next(describe(logged.event) for logged in log if logged.seq == first.seq)
    state.presses.forget_waiting()
    state.showdown.forget_tabled()
    ended = not unit.table.in_hand
    if ended:
        state.counts.end_hand()  # they go with it
    gone = [logged.event for logged in log if logged.seq in cut]
    if any(isinstance(event, BoardDealt) for event in gone) and not any(isinstance(e, Ruled) for e in gone):
        state.board.lay_there(tuple(unit.table.hand.board) if unit.table.hand is not None else ())
    unit.record(Rewound(first.seq - 1, cut, why))
    brought_back(unit, state, cut)
    hold(state, first)
    if ended and unit.table.in_hand:
        dealt_meanwhile(unit, state)
    _doubt_the_deal(unit, state, [logged for logged in log if logged.seq in cut])
    for event in again:
        unit.record(event)


def _doubt_the_deal(unit: UnitOfWork, state: TrackerState, gone: Sequence[Logged]) -> None:
    """A ruling on the deal is taken back after cards were dealt by it: places are unknown."""
    ruled = {logged.cause for logged in gone if isinstance(logged.event, Ruled)}
    corrected = [
        logged.event for logged in gone if logged.cause in ruled and isinstance(logged.event, DealCorrected)
    ]
    if corrected:
        state.notices.unsettle_deal()
    if any(correction.after < len(state.deal.handles) for correction in corrected):
        mislay(state)
        say_doubt(
            unit,
            state,
            Doubt.MISCOUNTED,
            "Cards were dealt by a ruling that is taken back: the shoe is not used in this hand",
        )


def dealt_meanwhile(unit: UnitOfWork, state: TrackerState) -> None:
    """The hand was not over: the few cards that passed since are its next ones; more would be its stub."""
    passed = state.loose.take()
    if len(passed) <= waits.FLOP_AND_BURNS:
        for handle in passed:
            place_card(unit, state, handle, just_now=False)


def _first_of_group(log: list[Logged], last: Logged) -> Logged:
    """The first undoable event of the press that led to `last`; an event of the camera goes alone."""
    if not last.cause or last.cause == TIMER or camera_alone(last):
        return last
    whole = (*UNDOABLE, Counted, DealClosed)  # an all-in that was counted, a deal that the press said to be over
    return next(logged for logged in log if logged.cause == last.cause and isinstance(logged.event, whole))
