"""Missed keys, put right in one press: actions of a street that is over, and of seats before the one that keyed.

What fills in a missing action is what devices saw of it (cards gone, chips put in); where they saw nothing, a
check or a call. `STREET` says it, `UNDO` takes all of it back.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_core.messages import Act, Action, Answered, Asked, DeviceState, Key, Refusal, Seat, Source
from table_core.tracker import betting, chips
from table_core.tracker.board import board_is_out, confirm_street, deal_unknown, read_board
from table_core.tracker.desk import Desk, busy
from table_core.tracker.seen import folded_with_cards_gone
from table_core.tracker.state import Press, TrackerState

KIND = "missed_before"  # the question whether those before a later seat folded or checked
_WHOLE_BOARD = 5


def without_devices(desk: Desk) -> bool:
    """Neither shoe nor camera: nobody but the dealer says that a street is out."""
    return {desk.table.devices.get("shoe"), desk.table.devices.get("camera")} <= {None, DeviceState.OFF}


def street_over(desk: Desk, state: TrackerState) -> bool:
    """Betting is open on the books, and the next street is out, or nobody but the dealer can say so."""
    hand = desk.table.hand
    if hand is None or hand.legal() is None:
        return False
    return board_is_out(desk, state) or without_devices(desk)


def river_over(desk: Desk, state: TrackerState) -> bool:
    """Betting is open on the books with the whole board out: nothing but the showdown can follow."""
    hand = desk.table.hand
    return hand is not None and hand.legal() is not None and len(hand.board) == _WHOLE_BOARD


def fill_in(desk: Desk, state: TrackerState, press: Press) -> None:
    """Every action still missing on this street, and the street with it where no camera reads it."""
    hand = desk.table.hand
    street = hand.street if hand is not None else None
    for _ in range(3 * len(desk.table.seats)):
        hand = desk.table.hand
        if hand is None or hand.legal() is None or hand.street is not street or not _fill_in_one(desk, state):
            break
    if hand is None or not hand.awaiting_board or read_board(desk, state):
        return
    if without_devices(desk):
        deal_unknown(desk, state)
    elif desk.table.devices.get("camera") is not DeviceState.OK and board_is_out(desk, state):
        confirm_street(desk, state)


def _fill_in_one(desk: Desk, state: TrackerState) -> bool:
    """What the seat to act did, as far as anything saw it."""
    hand = desk.table.hand
    legal = hand.legal() if hand is not None else None
    if legal is None:
        return False
    if folded_with_cards_gone(desk, state, legal.seat):
        return desk.push(Act(legal.seat, Action.FOLD, source=Source.CAMERA)) is None
    guess = chips.of_seat(desk, state, legal.seat)
    if guess is not None and desk.push(guess[0]) is None:
        return True
    return betting.act(desk, state, Press(Key.CHECK_CALL, source=Source.ASSUMED))


# ------------------------------------------------------------------------- a key for a seat further on


def propose(desk: Desk, state: TrackerState, press: Press) -> None:
    """A key for a seat that is not to act yet: most likely those before it folded, or checked, without a key."""
    seat = press.named_seat
    if seat is None or busy(desk):
        return
    between = _between(desk, seat)
    if not between:
        return
    state.proposed = replace(press, seat=seat, number=None if press.number == seat else press.number)
    did = "folded" if between[0][1] is Action.FOLD else "checked"
    names = _listed([before for before, _ in between])
    text = f"{names} {did} before seat {seat}? STREET = yes"
    desk.record(Asked(desk.table.questions_asked + 1, KIND, text))


def take_proposal(desk: Desk, state: TrackerState, press: Press) -> None:
    """Yes: they did, and then the key that was pressed counts."""
    question, proposed = desk.table.question, state.proposed
    state.proposed = None
    if question is not None:
        desk.record(Answered(question.question, "Yes", press.source))
    if proposed is None or proposed.seat is None:
        return
    for seat, action in _between(desk, proposed.seat):
        if desk.push(Act(seat, action, source=Source.ASSUMED)) is not None:
            return
    if betting.act(desk, state, proposed):
        state.out_of_turn = [one for one in state.out_of_turn if one.seat != proposed.seat]


def _between(desk: Desk, seat: Seat) -> list[tuple[Seat, Action]]:
    """What the seats from the one to act up to `seat` did, if they all checked, or all folded to a bet; empty when
    the turn cannot come to `seat` that way."""
    hand = desk.table.hand
    did: list[tuple[Seat, Action]] = []
    if hand is None:
        return did
    street, came = hand.street, False
    while (legal := hand.legal()) is not None and hand.street is street and len(did) < len(hand.seats):
        if legal.seat == seat:
            came = True
            break
        action = Action.CHECK if legal.can_check else Action.FOLD
        if isinstance(hand.push(Act(legal.seat, action)), Refusal):
            break
        did.append((legal.seat, action))
    for _ in did:
        hand.pop()
    return did if came and len({action for _, action in did}) == 1 else []


def _listed(seats: list[Seat]) -> str:
    if len(seats) == 1:
        return f"Seat {seats[0]}"
    return f"Seats {', '.join(str(seat) for seat in seats[:-1])} and {seats[-1]}"
