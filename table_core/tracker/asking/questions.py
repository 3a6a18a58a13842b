"""Questions on the dealer screen: the kinds, how one is asked, which one is open.

The kind travels as text. It names the seats too that the question is about: `tabled-3-4`, or that may be the
answer: `award-1-6`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from table_core.messages import Answered, Asked, Key, Seat, Source
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


class Question(StrEnum):
    RULING = "ruling"  # the public question behind which an incident is ruled on
    BOARD_UNREAD = "board_unread"  # is the street out?
    MISSED_ACTIONS = "missed_actions"  # did all check or call before the street?
    MISSED_BEFORE = "missed_before"  # did those before a later seat fold or check?
    TABLED = "tabled"  # do these seats' hands lie face up?
    AWARD = "award"  # who won?
    SPLIT = "split"  # are these all who share the pot?
    RESULT_ONLY = "result_only"  # did this seat win what is in, in a hand that nobody keyed?
    PRESENT = "present"  # was this seat there all along, whose hand is dead because it was keyed as away?
    HAND_OPEN = "hand_open"  # is the hand over that nobody keyed to its end?


WITHDRAWN = (Question.MISSED_ACTIONS, Question.BOARD_UNREAD, Question.TABLED)  # by UNDO: they came by themselves


def ask(unit: UnitOfWork, what: Question, text: str, *, key: Key = Key.STREET, seats: Sequence[Seat] = ()) -> None:
    unit.record(Asked(unit.table.questions_asked + 1, "-".join([what, *map(str, seats)]), text, key))


def asked(unit: UnitOfWork) -> Question | None:
    """The open question; None without one, and for a kind that only an earlier version asked."""
    question = unit.table.question
    kind = "" if question is None else question.kind.partition("-")[0]
    return next((what for what in Question if what == kind), None)


def asked_seats(unit: UnitOfWork) -> tuple[Seat, ...]:
    """The seats that the open question names."""
    question = unit.table.question
    seats = [] if question is None else question.kind.split("-")[1:]
    return tuple([Seat(int(seat)) for seat in seats])


def answer(unit: UnitOfWork, words: str, source: Source = Source.KEY) -> None:
    """Answer the open question; nothing without one."""
    if unit.table.question is not None:
        unit.record(Answered(unit.table.question.question, words, source))


def busy(unit: UnitOfWork) -> bool:
    """Whether a question is open that cannot wait; a ruling can, and is asked again afterwards."""
    return unit.table.question is not None and asked(unit) is not Question.RULING


def as_it_is(unit: UnitOfWork, state: TrackerState, what: Question) -> str:
    """A question about the hand as it is now: what UNDO withdrew is not asked again about the same."""
    return f"{what} {len(unit.table.hand_log)} {len(state.deal.handles)}"
