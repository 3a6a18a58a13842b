"""Keys that change no play: COUNT, BUTTON and the old level between hands; AWAY and FLOOR at any time."""

from __future__ import annotations

from table_core.messages import (
    MOST_CHIPS,
    AwaySet,
    Chips,
    Counted,
    FloorCalled,
    HandEnded,
    HandKilled,
    Key,
    LevelBegan,
    Noticed,
    Refused,
    Report,
    RetrieveHand,
    Seat,
    SeatsSet,
    SetAway,
    Source,
)
from table_core.projections import next_hand
from table_core.tracker import waits
from table_core.tracker.asking.questions import Question, answer, ask, asked, asked_seats, busy
from table_core.tracker.dealing.deal import set_away
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def between_hands(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """Button, stacks and level are set between hands; during a hand the dealer is told to wait."""
    if unit.table.in_hand:
        unit.record(
            Refused(
                f"{press.key.name.replace('_', ' ')} is for between hands: finish this hand first",
                "base.between_hands",
            )
        )
        return
    if press.key is Key.COUNT:
        _count(unit, state, press)
    elif press.key is Key.BUTTON_HERE:
        _button_here(unit, press)
    else:
        _old_level(unit)


def _count(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    seat = press.seat
    if seat is None or press.number is None or seat not in unit.table.seats:
        unit.record(Refused("Count: seat, SEAT, amount, COUNT", "base.count"))
        return
    if not 0 <= press.number <= MOST_CHIPS:
        unit.record(Refused(f"A stack is 0 to {MOST_CHIPS:,} chips", "base.count"))
        return
    was = Chips(unit.table.seats[seat].stack)
    state.counts.count(seat, was)
    unit.record(Counted(seat, Chips(press.number), was, press.source))


def _button_here(unit: UnitOfWork, press: Press) -> None:
    """Where the disc lies; the seat may be empty (tda.32). Behind a hand not seen to its end no seat is due."""
    seat = press.of_seat
    if seat is None or not 1 <= seat <= waits.HIGHEST_SEAT:
        unit.record(Refused(f"Button here: seat (1 to {waits.HIGHEST_SEAT}), BUTTON", "tda.32"))
        return
    due = next_hand.positions(unit.table).button if len(next_hand.able_to_play(unit.table)) >= 2 else seat
    known = any(isinstance(logged.event, HandEnded) for logged in unit.table.hand_log)
    unit.record(SeatsSet(unit.table.stacks_all(), seat, source=press.source))
    if known and seat != due:
        rule = unit.table.rulebook.rules.button.rule
        unit.record(Noticed("button_not_due", f"By the last hand the button is due at seat {due}", seat, rule))


def _old_level(unit: UnitOfWork) -> None:
    level = unit.table.next_level
    before = [other for other in unit.table.schedule if level is not None and other.no < level.no]
    if not before:
        unit.record(Refused("There is no level before this one", "tda.23"))
        return
    unit.record(LevelBegan(before[-1]))


def away(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """`5 AWAY`: the player is away, or back. Once more behind a player who is back and whose hand is dead for its
    absence: it was there all along."""
    seat = press.of_seat
    present = asked_seats(unit) if asked(unit) is Question.PRESENT else ()
    if present and seat in (None, *present):
        answer(unit, f"Seat {present[0]} was there", press.source)
        refusal = unit.push(Report(RetrieveHand(present[0], press.source)))
        if refusal is not None:
            unit.record(Refused(refusal.reason, refusal.rule))
        return
    if seat is None or seat not in unit.table.seats:
        unit.record(Refused("Away: seat, AWAY", "base.away"))
        return
    set_away(unit, state, SetAway(seat, not unit.table.seats[seat].away, press.source))
    if not unit.table.seats[seat].away and _died_away(unit, seat) and not busy(unit):
        text = f"Seat {seat}'s hand is dead: it was away. Was it there all along? {seat} AWAY = yes"
        ask(unit, Question.PRESENT, text, key=Key.AWAY, seats=(seat,))


def _died_away(unit: UnitOfWork, seat: Seat) -> bool:
    """Whether the seat has no hand because its player was keyed as away, and the hand goes on."""
    hand, log = unit.table.hand, unit.table.hand_log
    if hand is None or hand.ended or seat in hand.live_seats:
        return False
    died = [one.event for one in log if isinstance(one.event, HandKilled) and one.event.seat == seat]
    return bool(died) and died[-1].source is Source.ENGINE


def it_goes_on(unit: UnitOfWork) -> bool:
    """Whether somebody has acted since it was asked if the seat was there: its hand stays dead."""
    last = unit.table.hand_log[-1].event if unit.table.hand_log else None
    return not (isinstance(last, AwaySet) and last.seat in asked_seats(unit))


def floor(unit: UnitOfWork) -> None:
    unit.record(FloorCalled(not unit.table.floor))
