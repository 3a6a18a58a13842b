"""Begin and end of hands: the first riffle, hands left open, undo, and keys between hands."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from table_core.hand.hand import Hand
from table_core.messages import (
    MOST_CHIPS,
    Acted,
    AnyHandCommand,
    AwardPots,
    AwaySet,
    BetReturned,
    BoardDealt,
    Chips,
    ChopBlinds,
    Counted,
    DealCorrected,
    DeviceState,
    FloorCalled,
    HandMucked,
    HandTabled,
    Key,
    LevelBegan,
    Millis,
    Noticed,
    PotAwarded,
    Refused,
    ResultEntered,
    ResultOnly,
    Rewound,
    Ruled,
    Seat,
    SeatsSet,
    SetAway,
    Source,
    StartHand,
    Street,
)
from table_core.projections.table import Logged
from table_core.projections.words import describe
from table_core.tracker import waits
from table_core.tracker.asking.questions import Question, answer, ask, asked
from table_core.tracker.dealing.deal import place_card, say_doubt
from table_core.tracker.dealing.evidence import close_deal, mislay
from table_core.tracker.hands.showdown import award_as_named, name_winners
from table_core.tracker.hands.undoing import (
    TIMER,
    camera_alone,
    first_seen_since,
    hold,
    last_press,
    said_by_person,
)
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.notices import Doubt
from table_core.tracker.ruling.director import locked
from table_core.tracker.ruling.opening import brought_back
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

_UNDOABLE = (Acted, AwaySet, BetReturned, HandTabled, HandMucked, PotAwarded, Ruled, ResultEntered)


def new_hand(
    unit: UnitOfWork,
    state: TrackerState,
    now: Millis,
    source: Source = Source.KEY,
    passed: Sequence[int] | None = None,
) -> None:
    """The first riffle. An open hand is closed only on a second press.

    `passed`: handles of cards that belong to this deal already; without it, where nobody pressed NEW HAND, all
    that passed since the last hand.
    """
    table = unit.table
    if table.in_hand and not _close_open_hand(unit, state, now):
        return
    if len(table.able_to_play()) < 2:
        unit.record(Refused("Fewer than two seats have chips; the director sets the seats", "tda.32"))
        return
    if table.next_level is None:
        unit.record(Refused("No level is known yet; wait for the director's schedule", "tda.23"))
        return
    if passed is None:
        passed = () if source in (Source.KEY, Source.SCREEN) else state.loose.handles
    close_deal(unit, state)
    state.end_hand()
    state.forget_faces()
    number = table.hand_number + 1
    unit.begin_deal(number, [handle for handle in passed if handle])
    positions = table.positions()
    start = StartHand(
        hand=number,
        button=positions.button,
        small_blind=positions.small_blind,
        big_blind=positions.big_blind,
        level=table.next_level,
        seats=table.stacks_next(),
        source=source,
        extra_small_blinds=positions.extra_small_blinds,
        extra_big_blinds=positions.extra_big_blinds,
        away=tuple([seat for seat in table.able_to_play() if table.seats[seat].away]),
        carried=Chips(table.carried),
        carried_for=table.carried_for,
    )
    left_out = table.without_right()
    refusal = unit.push(start)
    if refusal is not None:
        unit.record(Refused(refusal.reason, refusal.rule))
    rule = table.rulebook.rules.forfeited_pot_closed.rule
    for seat in left_out:
        text = f"Seat {seat} gets no hand: the pot is for the players of the forfeited deal"
        unit.record(Noticed("no_hand", text, seat, rule))
    carried = itertools.count(1)
    for handle in passed:
        place_card(unit, state, next(carried) if handle else 0)


def start_unkeyed(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Begin a hand whose NEW HAND was forgotten: a betting key came and a full deal has left the shoe."""
    dealt_in = len(unit.table.able_to_play())
    if unit.table.in_hand or dealt_in < 2 or len(state.loose.cards) != 2 * dealt_in:
        return False
    new_hand(unit, state, now, Source.SHOE)
    unit.record(Noticed("new_hand_not_keyed", "Hand begun with the first card: NEW HAND was not pressed"))
    return True


def _close_open_hand(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Whether the open hand is closed now: awarded if its cards are known, else on a second press."""
    hand = unit.table.hand
    assert hand is not None
    acted = any(isinstance(logged.event, Acted) for logged in unit.table.hand_log)
    untouched = not acted and not state.deal.handles
    if untouched and hand.legal() is not None and now - state.thinking.since < waits.NEW_HAND_TWICE_MS:
        unit.record(Noticed("new_hand_twice", f"NEW HAND pressed twice; hand {hand.number} has begun"))
        return False
    if unit.push(AwardPots()) is None:
        return True
    if not state.presses.closing_asked:
        state.presses.closing_is_asked()
        mislay(state)  # somebody says that another deal has begun: cards to come may be its cards
        text = f"Hand {hand.number} is still open ({hand.street}). NEW HAND again leaves it unobserved"
        ask(unit, Question.HAND_OPEN, text, key=Key.NEW_HAND)
        return False
    _leave_unobserved(unit)
    return True


def _leave_unobserved(unit: UnitOfWork) -> None:
    """Close the open hand without a result: stacks stay as at its beginning until they are counted."""
    number = unit.table.hand_number
    unit.record(SeatsSet(unit.table.stacks_at_start(), None, gap=True, source=Source.KEY))
    unit.record(Noticed("hand_not_observed", f"Hand {number} was not observed to its end: count stacks"))


def close_for_next(unit: UnitOfWork) -> None:
    """The next hand has begun: the open one is awarded if its cards are known, else left unobserved."""
    if unit.table.in_hand and unit.push(AwardPots()) is not None:
        _leave_unobserved(unit)


def leave_unkeyed(unit: UnitOfWork, state: TrackerState) -> None:
    """Close a hand that nobody keyed and whose cards are all gone, for a key that belongs between hands."""
    keyed = any(said_by_person(logged) for logged in unit.table.hand_log)
    if unit.table.in_hand and state.seat_cards.swept and not keyed:
        _leave_unobserved(unit)
        close_deal(unit, state)
        state.end_hand()


def take_back_ruling(unit: UnitOfWork, state: TrackerState) -> None:
    """The director takes the last ruling back; where the table has gone on since, UNDO comes first."""
    log = unit.table.hand_log
    last = next((logged for logged in reversed(log) if isinstance(logged.event, _UNDOABLE)), None)
    first = _first_of_group(log, last).event if last is not None else None
    if isinstance(first, Ruled) and first.by == "director":
        undo(unit, state, by_director=True)
    elif last is not None and any(isinstance(one.event, Ruled) and one.event.by == "director" for one in log):
        text = f"{describe(last.event)} came after the ruling: take that back at the table first"
        unit.record(Refused(text, "base.undo"))
    else:
        unit.record(Refused("The director has ruled on nothing in this hand", "base.undo"))


def undo(unit: UnitOfWork, state: TrackerState, *, by_director: bool = False) -> None:
    """Take back the last effective press of this hand with its consequences; between hands, the last count."""
    if state.counts.counted and not unit.table.in_hand and not by_director:
        count = state.counts.take_last()
        was = Chips(unit.table.seats[count.seat].stack)
        unit.record(Counted(count.seat, count.before, was, Source.KEY))
        return
    log = unit.table.hand_log
    seen_since = first_seen_since(log, _UNDOABLE) if state.presses.undid else None
    last = seen_since or last_press(log, _UNDOABLE)
    if last is None:
        unit.record(Refused("Nothing to take back in this hand", "base.undo"))
        return
    state.presses.undo()
    first = seen_since or _first_of_group(log, last)
    kept = locked(unit, first.event) if isinstance(first.event, Ruled) else None
    if kept is not None and not by_director:
        unit.record(kept)
        return
    # What a ruling had taken back comes again with the ruling undone.
    again = list(unit.table.removed.get(first.cause, [])) if isinstance(first.event, Ruled) else []
    # Cards that left the deck stay where they are: undo takes back what was said, not what was dealt.
    cut = tuple(logged.seq for logged in log if logged.seq >= first.seq)
    why = next(describe(logged.event) for logged in log if logged.seq == first.seq)
    state.presses.forget_waiting()
    state.showdown.forget_tabled()
    ended = not unit.table.in_hand
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
            unit, state, Doubt.MISCOUNTED, "Cards were dealt by a ruling that is taken back: the shoe opens none"
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
    whole = (*_UNDOABLE, Counted)  # an all-in that was counted
    return next(logged for logged in log if logged.cause == last.cause and isinstance(logged.event, whole))


def award(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """The dealer says who won: `4 AWARD`, or `3 SPLIT 5 SPLIT POT PUSHED`."""
    seat = press.of_seat
    hand = unit.table.hand
    if hand is None or hand.ended or seat is None or seat not in hand.live_seats:
        unit.record(Refused("AWARD takes a seat that is still in the hand", "base.award"))
        return
    camera = unit.table.devices.get("camera") is DeviceState.OK
    if camera and state.seat_cards.shows_one(seat) and seat not in hand.tabled and hand.tabled:
        text = f"Seat {seat} has shown one card: both must lie face up to win ({seat} TABLED where they do)"
        unit.record(Refused(text, unit.table.rulebook.cites.must_table))
    elif press.key is Key.SPLIT:
        state.showdown.split_with(seat)
    elif not hand.betting_over:
        _ask_for_result(unit, state, seat)
    else:
        name_winners(unit, state, (seat,), press.source)


def _ask_for_result(unit: UnitOfWork, state: TrackerState, seat: Seat) -> None:
    """An award while betting is open: nobody keyed the end of the hand (real-tables.md, 4)."""
    state.showdown.ask_result(seat)
    text = f"Hand not keyed to its end: seat {seat} won what is in? STREET = yes, then count stacks"
    ask(unit, Question.RESULT_ONLY, text)


def hand_goes_on(unit: UnitOfWork, state: TrackerState) -> bool:
    """A betting key or UNDO behind an AWARD that only asked: the hand is not over. Whether something was asked."""
    if asked(unit) is not Question.RESULT_ONLY:
        return False
    state.showdown.take_result()
    answer(unit, "The hand goes on")
    return True


def enter_result(unit: UnitOfWork, state: TrackerState, source: Source) -> None:
    """Close the hand with its winner alone, marked as not observed."""
    winner = state.showdown.take_result()
    answer(unit, "Result only", source)
    if winner is None:
        return
    refusal = unit.push(ResultOnly((winner,), source=source))
    if refusal is not None:
        unit.record(Refused(refusal.reason, refusal.rule))


def pot_pushed(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """Pots were pushed as the screen says: award what is still open."""
    table = unit.table
    if state.showdown.splitting:
        winners = state.showdown.take_splitting()
        if _folded_to_the_blinds(table.hand):
            _push(unit, ChopBlinds(press.source))
        else:
            name_winners(unit, state, winners, press.source)
    elif table.in_hand:
        _push(unit, award_as_named(state.showdown.named, press.source))


def _folded_to_the_blinds(hand: Hand | None) -> bool:
    """Only the blinds have cards, and the flop is not dealt: a split pot is a chop of the blinds."""
    return (
        hand is not None
        and hand.street is Street.PREFLOP
        and not hand.betting_over
        and set(hand.live_seats) == {hand.small_blind, hand.big_blind}
    )


def _push(unit: UnitOfWork, command: AnyHandCommand) -> None:
    """Push a command; record a refusal."""
    refusal = unit.push(command)
    if refusal is not None:
        unit.record(Refused(refusal.reason, refusal.rule))


def between_hands(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """Button, stacks and level are set between hands; during a hand the dealer is told to wait."""
    if unit.table.in_hand:
        unit.record(Refused("Between hands only: finish this hand first", "base.between_hands"))
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
    """Whether the disc's seat can be the button; it may be empty (tda.32)."""
    seat = press.of_seat
    if seat is None or not 1 <= seat <= waits.HIGHEST_SEAT:
        unit.record(Refused(f"Button here: seat (1 to {waits.HIGHEST_SEAT}), BUTTON", "tda.32"))
        return
    unit.record(SeatsSet(unit.table.stacks_all(), seat, source=press.source))


def _old_level(unit: UnitOfWork) -> None:
    level = unit.table.next_level
    before = [other for other in unit.table.schedule if level is not None and other.no < level.no]
    if not before:
        unit.record(Refused("There is no level before this one", "tda.23"))
        return
    unit.record(LevelBegan(before[-1]))


def away(unit: UnitOfWork, press: Press) -> None:
    seat = press.of_seat
    if seat is None or seat not in unit.table.seats:
        unit.record(Refused("Away: seat, AWAY", "base.away"))
        return
    away_now = not unit.table.seats[seat].away
    in_hand = unit.table.hand is not None and unit.table.in_hand and seat in unit.table.hand.seats
    if not in_hand or unit.push(SetAway(seat, away_now, press.source)) is not None:
        unit.record(AwaySet(seat, away_now, press.source))


def floor(unit: UnitOfWork) -> None:
    unit.record(FloorCalled(not unit.table.floor))
