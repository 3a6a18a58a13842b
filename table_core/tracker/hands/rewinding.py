"""Going back to a stated fact of the hand, with or without another one in its place.

`plan` says what would follow, from the public state alone: the station shows it before the director decides, and
the table carries out the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    ActedOutOfTurn,
    AnyHandCommand,
    AwardPots,
    AwaySet,
    BoardDealt,
    BoardRead,
    Chips,
    DealBoard,
    HandMucked,
    HandTabled,
    PotAwarded,
    Refusal,
    Refused,
    Ruled,
    Seat,
    Source,
)
from table_core.projections.table_state import Logged, TableState
from table_core.projections.words import chips, describe
from table_core.rulings.keyed_as_folded import FOLLOWS, follows, once_more
from table_core.tracker.hands.undo import UNDOABLE, take_back_from
from table_core.tracker.hands.undo_extent import can_be_taken_back, said_by_person
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

RULE = "base.undo"
Instead = Act | AwardPots
_APART = (Acted, AwaySet, HandTabled, HandMucked, PotAwarded)  # facts of one press that can be told apart


@dataclass(slots=True)
class Rewinding:
    """What going back to `first` leads to: `again` is carried out anew behind it, `not_kept` cannot be."""

    first: Logged
    instead: Instead | None
    replaced: str
    hand: Hand  # as it is then
    again: list[AnyHandCommand] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    not_kept: list[str] = field(default_factory=list)
    why: str = ""  # that cannot be kept


def points(log: Sequence[Logged]) -> list[int]:
    """The facts of the hand that can be gone back to, by their number."""
    return [one.seq for one in can_be_taken_back(log, UNDOABLE) if _start_of(log, one) is one]


def _start_of(log: Sequence[Logged], one: Logged) -> Logged:
    """Where a press did more than act (a ruling, a counted all-in) it goes back as a whole."""
    if not said_by_person(one):
        return one
    group = [other for other in log if other.cause == one.cause]
    if all(isinstance(other.event, (*_APART, *FOLLOWS, BoardDealt, BoardRead)) for other in group):
        return one
    return next(other for other in group if isinstance(other.event, UNDOABLE))


def plan(table: TableState, seq: int, instead: Instead | None) -> Rewinding | Refusal:
    """What going back to the fact `seq` leads to, or why that cannot be."""
    log = table.hand_log
    if seq not in points(log):
        gone = "it is of an earlier hand, is taken back already, or follows from another"
        return Refusal(f"That cannot be taken back: {gone}", RULE)
    named = next(one for one in log if one.seq == seq)
    ruled = next((one for one in log if one.seq > seq and isinstance(one.event, Ruled)), None)
    if ruled is not None and ruled.cause != named.cause:
        return Refusal(f"{describe(ruled.event)}: that came after it, take it back first", RULE)
    if instead is None:
        behind = [one for one in log if one.seq > seq]
        hand = table.hand_as_of(named.seq - 1)
        return Rewinding(named, None, describe(named.event), hand, not_kept=_told(behind))
    instead = replace(instead, source=Source.DIRECTOR)
    return _replacing(table, named, instead)


def _replacing(table: TableState, named: Logged, instead: Instead) -> Rewinding | Refusal:
    """`instead` in the place of the fact; where it does not fit there, in the place of what nobody said before it:
    the fold that the camera saw of a seat that had called."""
    log = table.hand_log
    wrong = Refusal("", RULE)
    for first in (named, *_unsaid_before(log, named)):
        hand = table.hand_as_of(first.seq - 1)
        answer = hand.push(instead)
        if isinstance(answer, Refusal):
            wrong = wrong if wrong.reason else answer
            continue
        replaced = "; ".join(_told(one for one in log if first.seq <= one.seq <= named.seq))
        planned = Rewinding(first, instead, replaced, hand)
        _keep(planned, [one for one in log if one.seq > named.seq])
        return planned
    return wrong


def _unsaid_before(log: Sequence[Logged], named: Logged) -> Iterator[Logged]:
    """Actions that were seen or filled in, right before the fact, the last one first."""
    for one in reversed([one for one in log if one.seq < named.seq]):
        if not isinstance(one.event, Acted) or one.event.source not in (Source.CAMERA, Source.ASSUMED):
            return
        yield one


def _keep(planned: Rewinding, behind: Sequence[Logged]) -> None:
    """Push what stands behind the replaced fact once more, up to the first that does not fit any longer."""
    for place, one in enumerate(behind):
        awarded = isinstance(one.event, PotAwarded) and one.event.why != "dealer"
        if awarded or follows(one.event) or isinstance(one.event, ActedOutOfTurn):
            continue
        command = once_more(one.event)
        answer = planned.hand.push(command) if command is not None else None
        if command is None or isinstance(answer, Refusal):
            planned.not_kept = _told(behind[place:])
            planned.why = answer.reason if isinstance(answer, Refusal) else "It has to be said again"
            return
        planned.again.append(command)
        planned.kept += [describe(answer[0])] if answer else []


def _told(facts: Iterable[Logged]) -> list[str]:
    told = [describe(one.event) for one in facts if not follows(one.event)]
    return [words for words in told if words]


def sentences(table: TableState, planned: Rewinding) -> list[str]:
    """What going back would do, for the director to read before."""
    if planned.instead is None:
        said = [f"Taken back: {planned.replaced}."]
    else:
        said = [f"{_words(planned.instead)}, instead of: {planned.replaced}."]
    if planned.kept:
        said.append(f"Kept behind it: {'; '.join(planned.kept)}.")
    if planned.not_kept and planned.why:
        said.append(f"Cannot be kept: {'; '.join(planned.not_kept)}. {planned.why.rstrip('.')}.")
    elif planned.not_kept:
        said.append(f"Taken back with it: {'; '.join(planned.not_kept)}.")
    changed = [f"seat {seat} {chips(then)} (now {chips(now)})" for seat, now, then in _stacks(table, planned)]
    said.append(f"Stacks become: {', '.join(changed)}." if changed else "No stack changes.")
    legal = planned.hand.legal()
    if legal is not None:
        said.append(f"Then seat {legal.seat} is to act.")
    return said


def _stacks(table: TableState, planned: Rewinding) -> list[tuple[Seat, Chips, Chips]]:
    """Stacks that differ: now and then."""
    hand = table.hand
    counted = {one.seat: one.stack for one in table.stacks_all()}  # of a hand that is over they may differ
    now = hand.stacks if hand is not None and not hand.ended else counted
    then = planned.hand.stacks
    return [(seat, now[seat], then[seat]) for seat in sorted(then) if now.get(seat, then[seat]) != then[seat]]


def _words(instead: Instead) -> str:
    if isinstance(instead, AwardPots):
        seats = " and ".join(f"seat {seat}" for seat in instead.winners)
        return f"The pot to {seats}" if seats else "The pot by the cards"
    amount = f" to {chips(instead.to)}" if instead.to is not None else ""
    return f"Seat {instead.seat}: {instead.action}{amount}"


def rewind(unit: UnitOfWork, state: TrackerState, seq: int, instead: Instead | None, cause: str) -> None:
    """Carry it out; the caller settles what follows."""
    planned = plan(unit.table, seq, instead)
    if isinstance(planned, Refusal):
        unit.record(Refused(planned.reason, planned.rule, cause=cause))
        return
    state.timers.stop(Check.STREET_SAID)
    state.presses.propose(None)
    take_back_from(unit, state, planned.first)
    if planned.instead is not None:
        unit.push(planned.instead)
    for command in planned.again:
        if unit.push(command) is None and isinstance(command, DealBoard):
            state.board.street_dealt()
