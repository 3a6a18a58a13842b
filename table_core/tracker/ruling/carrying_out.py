"""A ruling carried out: `ruled` becomes public, and its consequences follow in the same commit."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from table_core.messages import (
    BoardDealt,
    CardText,
    DealBoard,
    Millis,
    Noticed,
    PotAwarded,
    Refusal,
    Refused,
    ResumeHand,
    Rewound,
    Ruled,
    Seat,
)
from table_core.projections.words import describe
from table_core.rulings.case import Correct, Option, Push, Record, StartClock, Step, TakeBack
from table_core.rulings.cites import ours
from table_core.tracker.dealing.deal import deal_of, not_at_places
from table_core.tracker.keys import called_clock
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.ruling.resuming import resume_hand
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def decide(
    unit: UnitOfWork,
    state: TrackerState,
    opened: OpenIncident,
    option: Option,
    now: Millis,
    *,
    in_line: bool,
    by: str = "table",
    ruler: str = "",
    reason: str = "",
    note: str = "",
) -> None:
    """Record the ruling and carry out everything that it does; all of it or nothing. Where it is taken back, a
    incident that was `in_line` is open again."""
    ruled = Ruled(
        opened.incident,
        option.key,
        option.text,
        option.rule,
        opened.seat,
        opened.amount,  # type: ignore[arg-type]
        by,
        ruler,
        reason,
        note,
        option.replaced or _replaced(unit, option),
        opened.opened_at,
        now,
        option.impounded,
        option.carried,
    )
    unit.record(ruled)
    if in_line:
        state.rulings.was_ruled_on(opened, unit.table.seq)
    dead = _dead(unit)
    for step in option.steps:
        refusal = _carry_out(unit, state, step, now)
        if refusal is not None:
            _cut_group(unit, f"{option.text}: not possible")
            state.notices.unsettle_deal()
            unit.record(Refused(refusal.reason, refusal.rule))
            return
    for seat in dead - _dead(unit):
        state.folds.take_back(seat)  # its cards need not lie there yet


def _dead(unit: UnitOfWork) -> set[Seat]:
    hand = unit.table.hand
    return set() if hand is None else {*hand.seats} - {*hand.live_seats}


def _replaced(unit: UnitOfWork, option: Option) -> str:
    """The first event that the ruling takes back, as text."""
    back = next((step for step in option.steps if isinstance(step, TakeBack)), None)
    if back is None:
        return ""
    return next((describe(logged.event) for logged in unit.table.hand_log if logged.seq == back.seq), "")


def _carry_out(unit: UnitOfWork, state: TrackerState, step: Step, now: Millis) -> Refusal | None:
    match step:
        case Push(command=ResumeHand() as command):
            return resume_hand(unit, state, command)
        case Push():
            refusal = unit.push(step.command)
            if refusal is None and isinstance(step.command, DealBoard):
                state.board.street_dealt()
            return refusal
        case Record(event=Noticed() as notice):
            unit.record(replace(notice, rule=ours(unit.table.rulebook.id, notice.rule)))
        case Record():
            unit.record(step.event)
        case TakeBack():
            cut = tuple(
                [log.seq for log in unit.table.hand_log if log.seq >= step.seq and log.cause != unit.cause]
            )
            hand, gone = unit.table.hand, [log for log in unit.table.hand_log if log.seq in cut]
            if hand is not None and any(isinstance(log.event, BoardDealt) for log in gone):
                state.board.lay_there(tuple(hand.board))
            if any(isinstance(log.event, PotAwarded) for log in gone):
                state.showdown.name(())  # who won is said anew
            if cut:
                state.undoable.forget_since(step.seq)
                unit.record(Rewound(step.seq - 1, cut, "by a ruling"))
        case Correct():
            _correct(unit, state, step)
        case StartClock():
            called_clock.start(unit, state, step.seat, now)
    return None


def _correct(unit: UnitOfWork, state: TrackerState, step: Correct) -> None:
    change = deal_of(unit, state).change_to(step.deal, unit.table.placed())
    if state.deal.handles:  # without a shoe there is no deal to correct
        unit.record(change)
    state.board.lay_there(())
    if state.presses.waiting and any(moved.to == "stub" for moved in change.moved):
        state.presses.forget_waiting()
        unit.record(Noticed("keys_void", "Keys for the street that goes back count no more"))
    if state.board.seen is not None and (change.moved or change.reshuffled or step.some_stay):
        board = deal_of(unit, state).places("board")
        seen = state.board.seen.cards
        leave = tuple([card for card in seen if _leaves_the_board(unit, card, board)])
        state.board.bar(leave, some_stay=step.some_stay)
    state.notices.settle_deal()


def _leaves_the_board(unit: UnitOfWork, card: CardText, board: Sequence[int]) -> bool:
    """A card that lies on the board and that the ruling puts elsewhere; one that the shoe does not know stays out
    of the way until it is taken up and laid down again."""
    hand = unit.table.hand
    if hand is not None and card in hand.board:
        return False
    return bool(not_at_places(unit, [card], board))


def _cut_group(unit: UnitOfWork, why: str) -> None:
    """Take back what this press has recorded so far, and what it had cut counts again."""
    table = unit.table
    cut = sorted(
        [logged.seq for logged in table.hand_log if logged.cause == unit.cause] + table.cut_by(unit.cause)
    )
    if cut:
        unit.record(Rewound(cut[0] - 1, tuple(cut), why))
