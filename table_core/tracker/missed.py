"""Missed keys, put right in one press: actions of a street that is over, and of seats before the one that keyed.

What fills in a missing action is what devices saw of it (cards gone, chips put in); where they saw nothing, a
check or a call. `STREET` says it, `UNDO` takes all of it back.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from table_core.messages import (
    Act,
    Action,
    DeviceState,
    Key,
    Legal,
    Millis,
    Refusal,
    Seat,
    Source,
)
from table_core.projections.words import chips as in_words
from table_core.tracker import betting, chips, waits
from table_core.tracker.board import board_is_out, confirm_street, deal_unknown, read_board, without_devices
from table_core.tracker.desk import Desk
from table_core.tracker.memory.keypad import Press
from table_core.tracker.memory.timers import Check
from table_core.tracker.questions import Question, answer, ask, busy
from table_core.tracker.seen import folded_with_cards_gone
from table_core.tracker.state import TrackerState

_WHOLE_BOARD = 5
_PLAYERS = 2
_BETS = (Key.BET_RAISE, Key.ALL_IN)


def street_over(desk: Desk, state: TrackerState, now: Millis) -> bool:
    """STREET while betting is open on the books: the next street is out, or nobody but the dealer can say so."""
    hand = desk.table.hand
    twice = state.presses.street_pressed(now)
    if hand is None or hand.legal() is None:
        return False
    return street_is_over(desk, state) or (without_devices(desk) and not twice)


def street_is_over(desk: Desk, state: TrackerState) -> bool:
    """The devices saw what comes after the betting: the next street, or hands turned up."""
    return board_is_out(desk, state) or _hands_are_up(desk, state)


def _hands_are_up(desk: Desk, state: TrackerState) -> bool:
    """Two players have turned their hands up, or one has and the dealer says that it is tabled: nobody bets any
    more."""
    hand = desk.table.hand
    if hand is None:
        return False
    up = [seat for seat in hand.live_seats if state.seat_cards.has_faces(seat)]
    return len(up) >= _PLAYERS or any(seat in state.showdown.tabled_keys for seat in up)


def river_over(desk: Desk, state: TrackerState, now: Millis) -> bool:
    """Betting is open on the books with the whole board out: nothing but the showdown can follow. A STREET key
    soon after the river was read is about the river itself."""
    hand = desk.table.hand
    if now - state.bets.street_since < waits.STREET_JUST_READ_MS and not without_devices(desk):
        return False
    return hand is not None and hand.legal() is not None and len(hand.board) == _WHOLE_BOARD


def checked_through(desk: Desk, state: TrackerState, press: Press) -> None:
    """The pot is awarded on the river with nobody's bet open: whoever was still to act has checked."""
    hand = desk.table.hand
    legal = hand.legal() if hand is not None else None
    if hand is None or legal is None or press.of_seat not in hand.live_seats:
        return
    if legal.can_check and len(hand.board) == _WHOLE_BOARD:
        _fill_in_actions(desk, state)


def street_said(desk: Desk, state: TrackerState, now: Millis) -> bool:
    """STREET while betting is open on the books and the street is not seen yet: it waits, or was for the
    street that has just been read; whether it was one of these."""
    hand = desk.table.hand
    if hand is None or hand.legal() is None:
        return False
    if hand.board and now - state.bets.street_since < waits.STREET_JUST_READ_MS:
        return True
    state.timers.start(Check.STREET_SAID, now + waits.STREET_SAID_MS)
    return True


def street_came(desk: Desk, state: TrackerState) -> bool:
    """The street that a STREET key spoke of is seen now: what it said is done; whether something was."""
    if not state.timers.find(Check.STREET_SAID) or not street_is_over(desk, state):
        return False
    state.timers.stop(Check.STREET_SAID)
    before = desk.table.seq
    _fill_in_actions(desk, state)  # the key came before the cards: it opens none of them
    return desk.table.seq != before


def fill_in(desk: Desk, state: TrackerState) -> None:
    """Every action still missing on this street, and the street with it where no camera reads it."""
    _fill_in_actions(desk, state)
    bring_street(desk, state)


def bring_street(desk: Desk, state: TrackerState) -> None:
    """The betting is closed: the street behind it, where no camera reads it."""
    hand = desk.table.hand
    if hand is None or not hand.awaiting_board or read_board(desk, state):
        return
    if without_devices(desk):
        deal_unknown(desk, state)
    elif desk.table.devices.get("camera") is not DeviceState.OK and board_is_out(desk, state):
        confirm_street(desk, state)


def _fill_in_actions(desk: Desk, state: TrackerState) -> None:
    hand = desk.table.hand
    street = hand.street if hand is not None else None
    for _ in range(3 * len(desk.table.seats)):
        hand = desk.table.hand
        if hand is None or hand.legal() is None or hand.street is not street or not _fill_in_one(desk, state):
            return


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


def catch_up(desk: Desk, state: TrackerState, press: Press) -> None:
    """A key for a seat further on, where the camera saw what every seat before it did: no question."""
    hand, seat = desk.table.hand, press.named_seat
    legal = hand.legal() if hand is not None else None
    if press.key is Key.FOLD and seat is None and legal is not None:
        seat = _who_folded(desk, state, legal)
    if legal is None or seat is None or legal.seat == seat:
        return
    between = _between(desk, state, seat, bet=press.key in _BETS)
    if all(seen for _, _, seen in between):
        for act, _, _ in between:
            desk.push(act)


def is_for_later_seat(desk: Desk, state: TrackerState, press: Press, now: Millis) -> bool:
    """A FOLD key while the seat to act holds its cards and those of a seat behind it have just gone: a key was
    missed before it (real-tables.md, 2). Whether that is asked now; until it is answered nobody has folded."""
    hand = desk.table.hand
    legal = hand.legal() if hand is not None else None
    if press.key is not Key.FOLD or press.named_seat is not None or legal is None or busy(desk):
        return False
    seat = _who_folded(desk, state, legal)
    if seat is None or now - state.seat_cards.went(seat, Millis(0)) > waits.FOLD_JUST_SEEN_MS:
        return False
    propose(desk, state, replace(press, seat=seat))
    return True


def _holds(desk: Desk, state: TrackerState, seat: Seat) -> bool:
    """The camera sees both cards of a seat lie in front of it."""
    return desk.table.devices.get("camera") is DeviceState.OK and state.seat_cards.has_backs(seat)


def _who_folded(desk: Desk, state: TrackerState, legal: Legal) -> Seat | None:
    """Whom a FOLD key without a seat is for where the seat to act holds its cards: the first behind it whose cards
    have gone."""
    hand = desk.table.hand
    if hand is None or not _holds(desk, state, legal.seat):
        return None
    gone = [seat for seat in hand.live_seats if folded_with_cards_gone(desk, state, seat)]
    reached = [(seat, between) for seat in gone if (between := _between(desk, state, seat))]
    return min(reached, key=lambda one: len(one[1]))[0] if reached else None


def propose(desk: Desk, state: TrackerState, press: Press) -> None:
    """A key for a seat that is not to act yet: most likely those before it folded, or checked, without a key."""
    seat = press.named_seat
    wrong_seat = press.key is Key.FOLD and seat is not None and _holds(desk, state, seat)  # it has its cards still
    between = [] if seat is None or wrong_seat or busy(desk) else _between(desk, state, seat)
    if not between:
        return
    number = None if press.number == seat else press.number
    state.presses.propose(replace(press, seat=seat, number=number))
    text = f"{_told(between)} before seat {seat}? STREET = yes"
    ask(desk, Question.MISSED_BEFORE, text)


def take_proposal(desk: Desk, state: TrackerState, press: Press) -> None:
    """Yes: they did, and then the key that was pressed counts."""
    proposed = state.presses.take_proposed()
    answer(desk, "Yes", press.source)
    if proposed is None or proposed.seat is None:
        return
    for act, _, _ in _between(desk, state, proposed.seat):
        if desk.push(act) is not None:
            return
    if betting.act(desk, state, proposed):
        state.rulings.was_in_turn(proposed.seat)


def _between(desk: Desk, state: TrackerState, seat: Seat, *, bet: bool = False) -> list[tuple[Act, str, bool]]:
    """What the seats from the one to act up to `seat` (who `bet`) did, in words, and whether the camera saw it;
    where nothing was seen they checked, or folded to a bet. Empty when the turn does not come to `seat` so."""
    hand = desk.table.hand
    did: list[tuple[Act, str, bool]] = []
    if hand is None:
        return did
    street, came = hand.street, False
    with hand.trial():
        while (legal := hand.legal()) is not None and hand.street is street and len(did) < len(hand.seats):
            if legal.seat == seat:
                came = True
                break
            one = one_between(desk, state, legal, bet=bet)
            if isinstance(hand.push(one[0]), Refusal):
                break
            did.append(one)
    return did if came else []


def one_between(desk: Desk, state: TrackerState, legal: Legal, *, bet: bool) -> tuple[Act, str, bool]:
    """What the seat to act did, as `_between` says it."""
    guess = chips.of_seat(desk, state, legal.seat)
    if guess is not None:
        return guess[0], guess[1], True
    if folded_with_cards_gone(desk, state, legal.seat):
        return Act(legal.seat, Action.FOLD, source=Source.CAMERA), "folded", True
    if legal.can_check:
        # A bet behind it says that it checked. Without one nothing tells a check from a player who thinks still.
        empty = bet and desk.table.devices.get("camera") is DeviceState.OK and legal.seat in state.bets.readings
        sees = empty or chips.came_behind(desk, state)
        source = Source.CAMERA if sees else Source.ASSUMED
        return Act(legal.seat, Action.CHECK, source=source), "checked", sees
    if _holds(desk, state, legal.seat):
        return Act(legal.seat, Action.CALL, source=Source.ASSUMED), f"called {in_words(legal.call or 0)}", False
    return Act(legal.seat, Action.FOLD, source=Source.ASSUMED), "folded", False


def _told(between: Sequence[tuple[Act, str, bool]]) -> str:
    """`Seats 4, 5 and 6 folded, seat 7 checked`."""
    groups: list[tuple[str, list[Seat]]] = []
    for act, did, _ in between:
        if groups and groups[-1][0] == did:
            groups[-1][1].append(act.seat)
        else:
            groups.append((did, [act.seat]))
    words = ", ".join(f"{_listed(seats)} {did}" for did, seats in groups)
    return words[0].upper() + words[1:]


def _listed(seats: list[Seat]) -> str:
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join(str(seat) for seat in seats[:-1])} and {seats[-1]}"
