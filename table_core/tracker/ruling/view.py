"""An open incident as the table's own screen shows it: options, and what devices and keys say about it."""

from __future__ import annotations

from table_core.hand.dealing import NEXT_STREET
from table_core.messages import OptionView, Ruled, RulingView
from table_core.projections.words import chips
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Case, taken_by_street
from table_core.rulings.register import Group, Incident
from table_core.tracker.asking.questions import Question, asked
from table_core.tracker.ruling.facts import case_of, options_of
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

# What the number that was said is, where it is no chips.
_NUMBERED = {
    "exposed": "Card of the seat",
    "boxed": "Boxed cards",
    "extra_card": "Cards too many",
    "skipped": "Players who acted behind",
    "burn_missing": "Cards on the board then",
    "burn_double": "Burns",
}


def view_of(unit: UnitOfWork, state: TrackerState) -> RulingView | None:
    """The open question for the table's own screen."""
    question = unit.table.question
    opened = state.rulings.open[0] if state.rulings.open else None
    if opened is None or question is None or asked(unit) is not Question.RULING:
        return None
    incident = INCIDENTS[opened.incident]
    allowed = options_of(unit, state, opened)
    options = tuple(
        OptionView(no, option.key, option.text, option.rule, option.asks, option.effect)
        for no, option in enumerate(allowed, 1)
    )
    history = tuple(
        [_with_rule(ruled) for ruled in unit.table.seat_rulings if ruled.seat == opened.seat][-5:]
        if opened.seat is not None
        else ()
    )
    deadline = "until the next first riffle" if incident.after_hand else "in this hand"
    seen = seen_of(case_of(unit, state, opened))
    return RulingView(
        question.question,
        opened.incident,
        incident.title,
        opened.seat,
        options,
        deadline,
        history,
        seen,
        1 if taken_by_street(allowed) is not None else 0,
        "director" if opened.by_director else "table",
        "" if opened.by_director else _holds(unit, incident),
    )


def _holds(unit: UnitOfWork, incident: Incident) -> str:
    """What a key does not do before this is ruled on: it is about nothing else."""
    hand = unit.table.hand
    if hand is None or not unit.table.in_hand:
        return "The next hand waits"
    if incident.group is Group.BOARD and hand.awaiting_board:
        return f"The {NEXT_STREET[hand.street]} waits"
    return ""


def _with_rule(ruled: Ruled) -> str:
    """The words of a ruling and its rule, which the words of another book's practice name already."""
    return ruled.text if "the book is silent" in ruled.text else f"{ruled.text} ({ruled.rule})"


def seen_of(case: Case) -> tuple[str, ...]:
    """Text of what devices and keys show about an incident: evidence for the person who rules, no judgement."""
    said = []
    if case.first_motion is not None:
        said.append(f"Camera: the first motion brought {chips(case.first_motion)}")
    if case.put_in is not None and case.put_in != case.first_motion:
        said.append(f"Camera: {chips(case.put_in)} lie there now")
    if case.came_in > 1 and case.put_in == case.first_motion:  # else the amounts say it
        said.append(f"Camera: the chips came in {case.came_in} motions")
    if case.one_chip:
        said.append("Camera: one chip lies there")
    if case.early is not None:
        to = "" if case.early.to is None else f" {chips(case.early.to)}"
        said.append(f"Keyed before its turn: {case.early.action}{to}")
    if case.early_behind:
        said.append(f"Players who acted behind: {len(case.early_behind)}")
    if case.card:
        said.append(f"A card lies face up at seat {case.seat}" if case.seat else "A card lies face up")
    if case.amount is not None and case.incident in _NUMBERED:
        said.append(f"{_NUMBERED[case.incident]}: {case.amount}")
    elif case.amount is not None and not INCIDENTS[case.incident].number_is_seat:
        said.append(f"Amount said: {chips(case.amount)}")
    return tuple(said)
