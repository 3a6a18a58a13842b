"""The result of a hand as the dealer says it: AWARD, SPLIT, POT PUSHED, or the winner alone."""

from __future__ import annotations

from collections.abc import Mapping

from table_core.hand.hand import Hand
from table_core.messages import (
    AnyHandCommand,
    AwardPots,
    ChopBlinds,
    DeviceState,
    Key,
    Noticed,
    Refusal,
    Refused,
    ResultOnly,
    Seat,
    Source,
    Street,
)
from table_core.projections.words import chips
from table_core.tracker.asking.questions import Question, answer, ask, asked, busy
from table_core.tracker.hands.several_boards import boards_wanted
from table_core.tracker.hands.showdown import award_as_named, name_winners
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def award(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """The dealer says who won: `4 AWARD`, or `3 SPLIT 5 SPLIT POT PUSHED`; `3 SPLIT POT PUSHED` of two hands."""
    seat = press.of_seat
    hand = unit.table.hand
    if hand is not None and hand.ended:
        _awarded_already(unit, seat)
        return
    if hand is None or seat is None or seat not in hand.live_seats:
        unit.record(Refused(_not_in_the_hand(hand, seat), "base.award"))
        return
    camera = unit.table.devices.get("camera") is DeviceState.OK
    if camera and state.seat_cards.shows_one(seat) and seat not in hand.tabled and hand.tabled:
        text = f"Seat {seat} has shown one card: both must lie face up to win ({seat} TABLED where they do)"
        unit.record(Refused(text, unit.table.rulebook.cites.must_table))
    elif press.key is Key.SPLIT and (early := _no_split_yet(hand)) is not None:
        unit.record(early)
    elif press.key is Key.SPLIT:
        _split(unit, state, hand, seat)
    elif boards_wanted(unit) > 1:
        each = f"{boards_wanted(unit)} boards: each winner with SPLIT, then POT PUSHED"
        unit.record(Refused(f"{each}; who wins all of them alone", "base.award"))
    elif not hand.state.dealt and {*hand.live_seats} - {*hand.away} == {seat}:
        _push(unit, AwardPots(source=press.source))  # nobody else is there
    elif not hand.betting_over:
        _ask_for_result(unit, state, seat)
    else:
        name_winners(unit, state, (seat,), press.source)


def _split(unit: UnitOfWork, state: TrackerState, hand: Hand, seat: Seat) -> None:
    """This seat has a share of the pot; where two hands are left, the other has the rest of it."""
    only_two = len(hand.live_seats) == 2 and not state.showdown.named and boards_wanted(unit) == 1
    for one in (seat, *hand.live_seats) if only_two else (seat,):
        state.showdown.split_with(one)
    _say_split(unit, state)


def _no_split_yet(hand: Hand) -> Refused | None:
    """Why nothing is split while somebody may still act, but for a chop of the blinds."""
    if hand.betting_over:
        return None
    if _folded_to_the_blinds(hand):
        chopped = hand.decide(ChopBlinds())
        return Refused(chopped.reason, chopped.rule) if isinstance(chopped, Refusal) else None
    legal = hand.legal()
    who = "a street is still to come" if legal is None else f"seat {legal.seat} is to act"
    return Refused(f"SPLIT is for the showdown: {who}", "base.award")


def _not_in_the_hand(hand: Hand | None, seat: Seat | None) -> str:
    if hand is None:
        return "No hand has begun: nothing to award"
    gone = "Type the seat first, then AWARD" if seat is None else hand.gone(seat) or f"Seat {seat} has no hand"
    return f"{gone.rstrip('.')}. Still in: {', '.join(map(str, sorted(hand.live_seats)))}"


def _awarded_already(unit: UnitOfWork, seat: Seat | None) -> None:
    """AWARD behind the end of the hand: for a seat that won nothing changes; else the winners are told."""
    won = unit.table.won()
    if seat in won:
        _nothing_new(unit, f"Seat {seat} has won {chips(won[seat])} already")
        return
    told = f"Awarded already: {_each(won)}. A wrong award: 71 FLOOR"
    unit.record(Refused(told if won else "The hand is over: nothing to award", "base.award"))


def _each(won: Mapping[Seat, int]) -> str:
    """`seat 2 won 600, seat 4 won 150`."""
    return ", ".join(f"seat {seat} won {chips(amount)}" for seat, amount in sorted(won.items()))


def _nothing_new(unit: UnitOfWork, text: str) -> None:
    """The pot was pushed before the key came. Nothing is said where a camera may have been faster than the key."""
    if unit.table.devices.get("camera") is not DeviceState.OK:
        unit.record(Noticed("again", text))


def _say_split(unit: UnitOfWork, state: TrackerState) -> None:
    """The seats that are named so far stand there until the pot is pushed."""
    *others, last = map(str, state.showdown.splitting)
    text = f"Splitting: seats {', '.join(others)} and {last}. All named: POT PUSHED" if others else _alone(last)
    if not busy(unit) or asked(unit) is Question.SPLIT:
        ask(unit, Question.SPLIT, text, key=Key.POT_PUSHED)


def _alone(seat: object) -> str:
    return f"Splitting: seat {seat} alone. Others: seat, SPLIT; all of it: {seat} AWARD"


def _ask_for_result(unit: UnitOfWork, state: TrackerState, seat: Seat) -> None:
    """An award while betting is open: nobody keyed the end of the hand (real-tables.md, 4)."""
    state.showdown.ask_result(seat)
    text = f"Not every action is keyed. Seat {seat} won the pot? STREET = yes, then count stacks"
    ask(unit, Question.RESULT_ONLY, text)


def hand_goes_on(unit: UnitOfWork, state: TrackerState) -> bool:
    """A key of the hand behind an AWARD or a NEW HAND that only asked, or behind SPLIT: the hand is not over.
    Whether something was asked."""
    if asked(unit) not in (Question.RESULT_ONLY, Question.SPLIT, Question.HAND_OPEN):
        return False
    state.showdown.take_result()
    state.showdown.take_splitting()
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
    splitting = state.showdown.splitting
    if len(splitting) == 1 and boards_wanted(unit) == 1:
        unit.record(Refused(_alone(splitting[0]), "base.award"))
    elif splitting:
        winners = state.showdown.take_splitting()
        if _folded_to_the_blinds(table.hand):
            _push(unit, ChopBlinds(press.source))
        else:
            name_winners(unit, state, winners, press.source)
    elif table.in_hand:
        _push(unit, award_as_named(state.showdown.named, press.source))
    elif won := table.won():
        _nothing_new(unit, f"The pot is pushed already: {_each(won)}")


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
