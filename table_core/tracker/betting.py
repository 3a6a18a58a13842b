"""Betting keys: whose action a press is, and what it means there."""

from __future__ import annotations

from table_core.messages import Act, Action, Chips, DeviceState, Key, Legal, Noticed, Refused, Seat, Source
from table_core.tracker.desk import Desk
from table_core.tracker.limits import refused_by_limit
from table_core.tracker.state import OutOfTurn, Press, TrackerState

KEYS = frozenset({Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.ALL_IN})


def act(desk: Desk, state: TrackerState, press: Press) -> bool:
    """Apply a betting key to the seat to act; whether the engine took it. Refusals are recorded."""
    hand = desk.table.hand
    legal = hand.legal() if hand is not None else None
    if hand is None or legal is None:
        desk.record(Refused("No bet is open: nobody is to act", "base.action"))
        return False
    seat = _seat_of(press) or legal.seat
    if seat != legal.seat:
        desk.record(Refused(f"Seat {seat} pressed, but seat {legal.seat} is to act", "base.action"))
        desk.record(Noticed("out_of_turn_press", f"Key for seat {seat}; seat {legal.seat} is to act", seat))
        _remember_out_of_turn(desk, state, press, seat)
        return False
    limited = refused_by_limit(desk, seat, press.key)
    if limited is not None:
        desk.record(limited)
        return False
    command = meaning(press, legal, bet_open=any(hand.bets.values()))
    if command is None:
        desk.record(Refused("Type the amount first, then BET/RAISE", "base.action"))
        return False
    refusal = desk.push(command)
    if refusal is not None:
        desk.record(Refused(refusal.reason, refusal.rule))
    return refusal is None


def meaning(press: Press, legal: Legal, *, bet_open: bool) -> Act | None:
    """The action that a betting key stands for, given what is legal; None when its amount is missing."""
    seat, source = legal.seat, press.source
    if press.key is Key.FOLD:
        return Act(seat, Action.FOLD, source=source)
    if press.key is Key.CHECK_CALL:
        return Act(seat, Action.CHECK if legal.can_check else Action.CALL, source=source)
    raising = Action.RAISE if bet_open else Action.BET
    if press.key is Key.ALL_IN:
        if legal.max_to is None:
            return Act(seat, Action.CALL, source=source)
        return Act(seat, raising, None, source)
    if press.number is None:
        return None
    return Act(seat, raising, Chips(press.number), source)


def _remember_out_of_turn(desk: Desk, state: TrackerState, press: Press, seat: Seat) -> None:
    """Kept in case somebody says that it was the player, not the key."""
    hand = desk.table.hand
    high = max(hand.bets.values(), default=Chips(0)) if hand is not None else Chips(0)
    own = hand.bets.get(seat, Chips(0)) if hand is not None else Chips(0)
    check = "call" if high > own else "check"
    did = {Key.FOLD: "fold", Key.CHECK_CALL: check}.get(press.key, "bet")
    state.out_of_turn = [*state.out_of_turn, OutOfTurn(seat, did, press.number if did == "bet" else None)]


def fold_the_gone(desk: Desk, state: TrackerState, press: Press) -> None:
    """Seats whose cards the camera saw leave before their turn came folded without a key; fold them first.

    Only on a press that the same seat could not have meant: a FOLD key, or one that names a seat, is for the
    seat itself (real-tables.md, 2: the likeliest cause is a forgotten key).
    """
    hand = desk.table.hand
    if hand is None or press.key is Key.FOLD or press.seat is not None:
        return
    while (legal := hand.legal()) is not None and cards_are_gone(desk, state, legal.seat):
        if desk.push(Act(legal.seat, Action.FOLD, source=Source.CAMERA)) is not None:
            return
        text = f"Seat {legal.seat} folded: the cards are gone, no key was pressed"
        desk.record(Noticed("fold_not_keyed", text, legal.seat))


def cards_are_gone(desk: Desk, state: TrackerState, seat: Seat) -> bool:
    """The camera saw this seat's two backs in this hand and sees an empty place now."""
    seen = state.seats.get(str(seat))
    working = desk.table.devices.get("camera") is DeviceState.OK
    empty = seen is not None and not seen.cards and not seen.unread and not seen.face_down
    return working and empty and seat in state.had_cards


def _seat_of(press: Press) -> Seat | None:
    """BET/RAISE takes its number as chips; the other betting keys take it as a seat."""
    return press.seat if press.key is Key.BET_RAISE else press.of_seat
