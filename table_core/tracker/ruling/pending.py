"""Pending incidents: the first one is asked about; a press answers it; what settles it closes it.

Publicly only *a ruling is being made* is known; the incident, the seat and the options stay on the table's own
screen until a person confirms one.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_core.messages import Millis, Noticed, Refused, Source
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Option, taken_by_street
from table_core.rulings.cites import cited_here
from table_core.rulings.register import REASONS, Group
from table_core.tracker.asking import questions
from table_core.tracker.asking.questions import Question, ask, asked
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.ruling.carrying_out import decide
from table_core.tracker.ruling.facts import case_of, options_of
from table_core.tracker.ruling.opening import no_seat
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

PUBLIC_TEXT = "A ruling is being made"


def ask_next(unit: UnitOfWork, state: TrackerState) -> None:
    """Ask about the first open incident when nothing else is asked."""
    table = unit.table
    over = table.hand is not None and not table.in_hand
    if over:
        state.rulings.hand_is_over(
            lambda one: INCIDENTS[one.incident].after_hand or INCIDENTS[one.incident].before_hand
        )
    first = state.rulings.open[0] if state.rulings.open else None
    if asked(unit) is Question.RULING and not _about(state, first):
        questions.answer(unit, "Nothing to rule" if first is None else "Another ruling first", Source.ENGINE)
    if first is not None and table.question is None:
        ask(unit, Question.RULING, PUBLIC_TEXT)
        state.rulings.is_asked(first)


def _about(state: TrackerState, first: OpenIncident | None) -> bool:
    """Whether the question in front is about this incident."""
    return first is not None and state.rulings.asked is not None and first.same(state.rulings.asked)


def is_directors(state: TrackerState) -> bool:
    """Whether the incident in front is for the director: keys of the table do not answer it."""
    return bool(state.rulings.open) and state.rulings.open[0].by_director


def needs_number(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether STREET alone does not answer the incident in front, which is not about the board."""
    first = state.rulings.open[0] if state.rulings.open else None
    if first is None or INCIDENTS[first.incident].group is Group.BOARD:
        return False
    options = options_of(unit, state, first)
    return bool(options) and taken_by_street(options) is None


def close_declared(unit: UnitOfWork, state: TrackerState) -> None:
    """Close the question what was said, because a key has said it (home.betting.5) or the street is over."""
    for opened in state.rulings.open:
        if opened.incident == "declared" and not opened.by_person and _is_declared(unit, state, opened):
            close(unit, state, opened, "Declared by the key", Source.ENGINE)


def _is_declared(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> bool:
    if not unit.table.in_hand or opened.seat is None:
        return True
    case = case_of(unit, state, opened)
    last = case.last_act(opened.seat)
    said = last is not None and last[0].seq != opened.act and last[1].source in (Source.KEY, Source.SCREEN)
    return said or case.street_over


def answer(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """STREET takes the default, `2 STREET` the second option, `0 STREET` dismisses; `302 STREET` takes the second
    option for the third reason of the list."""
    if not state.rulings.open or unit.table.question is None:
        return
    press = _with_reason(press)
    opened = state.rulings.open[0]
    options = options_of(unit, state, opened)
    refused = _not_ruled(state, opened, options, press, now)
    if refused is not None:
        unit.record(refused)
        return
    opened = state.rulings.take_first()
    if press.number == 0 or not options:
        questions.answer(unit, "Nothing to rule", press.source)
        return
    option = options[(press.number or 1) - 1]
    questions.answer(unit, "Ruled", press.source)
    decide(unit, state, opened, option, now, in_line=True, reason=press.reason)


def _with_reason(press: Press) -> Press:
    """Hundreds are the number of a reason, where there is such a reason."""
    reason, option = divmod(press.number or 0, 100)
    if not 0 < reason <= len(REASONS):
        return press
    return replace(press, number=option or None, reason=REASONS[reason - 1])


def _not_ruled(
    state: TrackerState, opened: OpenIncident, options: tuple[Option, ...], press: Press, now: Millis
) -> Refused | None:
    """Why this press rules on nothing: it came too soon to have read the question, the ruling is the
    director's, or the press names no option."""
    number = press.number
    if not state.presses.looked_at(now):
        return Refused("A ruling is asked for now: read it, then press again", "base.ruling")
    if opened.by_director:
        return Refused("The director makes this ruling", "base.ruling")
    if number == 0 or not options:
        return None
    if number is None and taken_by_street(options) is None and not options[0].asks:
        return Refused(f"Say which option: 1 STREET = {options[0].text}", options[0].rule)
    if (number or 1) > len(options):
        there = f"are {len(options)} options" if len(options) > 1 else "is 1 option"
        return Refused(f"There {there}; 0 for none", options[0].rule)
    asks = options[(number or 1) - 1].asks
    return Refused(asks, options[(number or 1) - 1].rule) if asks else None


def give_amount(unit: UnitOfWork, state: TrackerState, press: Press) -> bool:
    """`500 COUNT` sets the amount of the open incident (chips, or the other seat); whether it did."""
    if not state.rulings.open or asked(unit) is not Question.RULING or press.seat is not None:
        return False
    incident = INCIDENTS[state.rulings.open[0].incident]
    if (strange := no_seat(unit.table, incident, press.number)) is not None:
        unit.record(Refused(strange, cited_here(unit.table.rulebook.id, "fairness")))
    else:
        state.rulings.give_amount(press.number)
    return True


def close(
    unit: UnitOfWork, state: TrackerState, opened: OpenIncident, words: str, source: Source = Source.DIRECTOR
) -> None:
    """Remove the incident; if it was in front, answer its question."""
    in_front = bool(state.rulings.open) and state.rulings.open[0].same(opened)
    state.rulings.close(opened)
    if asked(unit) is Question.RULING and in_front:
        questions.answer(unit, words, source)


def hold_riffle(unit: UnitOfWork, state: TrackerState) -> bool:
    """NEW HAND while a ruling is asked for: whether it is refused. Pressed again, the hand stands as played."""
    if not state.rulings.open:
        return False
    if not state.presses.closing_asked:
        state.presses.ask_to_close(asked=True)
        unit.record(Refused("A ruling is asked for. NEW HAND again drops it: the hand stands", "base.ruling"))
        return True
    state.presses.ask_to_close(asked=False)  # whether an open hand is over is a question of its own
    left = len(state.rulings.open)
    what = f"{left} open rulings" if left > 1 else "An open ruling"
    unit.record(Noticed("not_ruled", f"{what} closed by the riffle: the hand stands"))
    state.rulings.keep(lambda _: False)
    return False
