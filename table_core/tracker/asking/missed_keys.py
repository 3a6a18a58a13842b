"""Missed keys, filled in by one press: actions of a finished street, and of seats before the one that keyed.

A missing action is what devices saw of it (cards gone, chips put in); where they saw nothing, a check or a call.
`STREET` confirms it, one `UNDO` takes it back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from table_core.messages import Act, Action, DeviceState, Key, Legal, Millis, Refusal, Seat, Source
from table_core.projections.words import chips as in_words
from table_core.tracker import waits
from table_core.tracker.asking.questions import Question, answer, ask, asked, busy
from table_core.tracker.camera import chips
from table_core.tracker.camera.gone_cards import cards_are_gone
from table_core.tracker.camera.seat_cards import folded_with_cards_gone
from table_core.tracker.dealing.board import (
    board_is_out,
    camera_reads_board,
    confirm_street,
    deal_unknown,
    read_board,
    without_devices,
)
from table_core.tracker.dealing.deal import next_street, say_once
from table_core.tracker.keys import betting
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.notices import Doubt
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

_WHOLE_BOARD = 5
_PLAYERS = 2
_BETS = (Key.BET_RAISE, Key.ALL_IN)


def street_over(unit: UnitOfWork, state: TrackerState) -> bool:
    """STREET while betting is open: whether the next street is out, or only the dealer can tell."""
    hand = unit.table.hand
    if hand is None or hand.legal() is None:
        return False
    return street_is_over(unit, state) or without_devices(unit)


def street_is_over(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether devices saw what follows the betting: the next street, or hands turned up."""
    return board_is_out(unit, state) or _hands_are_up(unit, state)


def _hands_are_up(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether betting is over by the hands: two are turned up, or one is and the dealer says that it is tabled."""
    hand = unit.table.hand
    if hand is None:
        return False
    up = [seat for seat in hand.live_seats if state.seat_cards.has_faces(seat)]
    return len(up) >= _PLAYERS or any(seat in state.showdown.tabled_keys for seat in up)


def river_over(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Whether only the showdown can follow: betting is open with the whole board out. A STREET key soon after
    the river was read is about the river itself."""
    hand = unit.table.hand
    if street_just_read(unit, state, now) and not without_devices(unit):
        return False
    return hand is not None and hand.legal() is not None and len(hand.board) == _WHOLE_BOARD


def checked_through(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """The pot is awarded on the river without a bet: whoever was still to act has checked."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    if hand is None or legal is None or press.of_seat not in hand.live_seats:
        return
    if legal.can_check and len(hand.board) == _WHOLE_BOARD:
        _fill_in_actions(unit, state)


def street_just_read(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Whether STREET now was for the street that was just read: betting is open on it. The next one is not."""
    hand = unit.table.hand
    if hand is None or hand.legal() is None or not hand.board or state.presses.told:
        return False
    return now - state.bets.street_since < waits.STREET_JUST_READ_MS


def street_said(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """STREET while betting is open and the street is not seen yet: whether it waits for it."""
    hand = unit.table.hand
    if hand is None or hand.legal() is None:
        return False
    state.timers.start(Check.STREET_SAID, now + waits.STREET_SAID_MS)
    return True


def street_came(unit: UnitOfWork, state: TrackerState) -> bool:
    """Carry out a STREET key that waited for its street; whether there was one."""
    if not state.timers.find(Check.STREET_SAID) or not street_is_over(unit, state):
        return False
    state.timers.stop(Check.STREET_SAID)
    before = unit.table.seq
    _fill_in_actions(unit, state)  # the key came before the cards, so it opens none
    return unit.table.seq != before


def fill_in(unit: UnitOfWork, state: TrackerState) -> None:
    """Every action still missing on this street, and the street with it where no camera reads it."""
    _fill_in_actions(unit, state)
    bring_street(unit, state)


def say_street(unit: UnitOfWork, state: TrackerState) -> None:
    """STREET says that the betting is over. Where no device shows it, and several acts would be assumed of which
    one puts chips in, it is asked by seat first."""
    if street_is_over(unit, state) or not _asks_first(unit, state):
        fill_in(unit, state)
    else:
        ask_who_acted(unit, state)


def ask_who_acted(unit: UnitOfWork, state: TrackerState) -> None:
    ask(unit, Question.MISSED_ACTIONS, who_acted(unit, state))


def who_acted(unit: UnitOfWork, state: TrackerState) -> str:
    """The question about those who are to act: what devices have shown, or else how one says that one folded."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    if hand is None or legal is None or not street_is_over(unit, state):
        return f"{to_act(unit)}. All called: STREET; one folded: its number, FOLD"
    street = next_street(hand) if board_is_out(unit, state) else None
    over = f"{street.capitalize()} is out" if street else "Hands are up"
    return f"{over}. {to_act(unit)}: all {'called' if legal.call else 'checked'}? STREET = yes"


def _asks_first(unit: UnitOfWork, state: TrackerState) -> bool:
    unseen = _assumed(unit, state)
    return len(unseen) > 1 and any(act.action is Action.CALL for act in unseen)


def to_act(unit: UnitOfWork) -> str:
    """`To act: 4, 5, 6 for 200`, in their order."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    if hand is None or legal is None:
        return "Nobody is to act"
    around = hand.seats.index(legal.seat)
    pending = hand.snapshot().pending
    seats = [seat for seat in (*hand.seats[around:], *hand.seats[:around]) if seat in pending]
    return f"To act: {', '.join(map(str, seats))}" + (f" for {in_words(hand.high)}" if legal.call else "")


def act_meanwhile(unit: UnitOfWork, state: TrackerState, press: Press) -> bool:
    """A betting key while STREET has asked who called: whether it was taken here.

    A fold, or a key that names its seat, is one of those acts: seats before it called. A key without a seat is of
    the next street, so all of them have called; on a screen it says what it does, and is of the seat to act.
    """
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    if asked(unit) is not Question.MISSED_ACTIONS or hand is None or legal is None or street_is_over(unit, state):
        return False
    of_street = press.key is Key.FOLD or press.named_seat is not None or press.source is Source.SCREEN
    if not of_street:
        answer(unit, "All called", press.source)
        fill_in(unit, state)
        return False
    seat = press.named_seat or legal.seat
    if seat not in hand.snapshot().pending:
        return False
    answer(unit, f"Seat {seat} acts", press.source)
    while (legal := hand.legal()) is not None and legal.seat != seat and _fill_in_one(unit, state):
        pass
    if betting.act(unit, state, press) and hand.legal() is None:
        bring_street(unit, state)
    elif press.key in (Key.FOLD, Key.CHECK_CALL):
        ask_who_acted(unit, state)
    return True


def bring_street(unit: UnitOfWork, state: TrackerState) -> None:
    """The betting is closed: deal the next street where no camera reads it."""
    hand = unit.table.hand
    if hand is None or not hand.awaiting_board or read_board(unit, state):
        return
    if without_devices(unit) or state.notices.doubts(Doubt.MISCOUNTED):
        deal_unknown(unit, state)
    elif not camera_reads_board(unit, state) and board_is_out(unit, state):
        confirm_street(unit, state)


def _fill_in_actions(unit: UnitOfWork, state: TrackerState) -> None:
    hand = unit.table.hand
    street = hand.street if hand is not None else None
    for _ in range(3 * len(unit.table.seats)):
        hand = unit.table.hand
        if hand is None or hand.legal() is None or hand.street is not street or not _fill_in_one(unit, state):
            return


def _fill_in_one(unit: UnitOfWork, state: TrackerState) -> bool:
    """Fill in the action of the seat to act, as far as devices saw it."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    return legal is not None and any(unit.push(act) is None for act in _likely(unit, state, legal))


def _likely(unit: UnitOfWork, state: TrackerState, legal: Legal) -> Iterator[Act]:
    """What the seat to act did, the likeliest first: what devices saw, else a check or a call."""
    if folded_with_cards_gone(unit, state, legal.seat):
        yield Act(legal.seat, Action.FOLD, source=Source.CAMERA)
        return
    guess = chips.of_seat(unit, state, legal.seat)
    if guess is not None:
        yield guess[0]
    yield Act(legal.seat, Action.CHECK if legal.can_check else Action.CALL, source=Source.ASSUMED)


def _assumed(unit: UnitOfWork, state: TrackerState) -> list[Act]:
    """The actions that would be filled in and that no device saw."""
    hand, unseen = unit.table.hand, list[Act]()
    if hand is None:
        return unseen
    with hand.trial():
        street = hand.street
        while (legal := hand.legal()) is not None and hand.street is street:
            did = next(
                (act for act in _likely(unit, state, legal) if not isinstance(hand.push(act), Refusal)), None
            )
            if did is None:
                break
            unseen += [did] if did.source is Source.ASSUMED else []
    return unseen


def raise_is_shifted(unit: UnitOfWork, state: TrackerState) -> bool:
    """Behind a closed round the last raiser's cards have gone, and the call of its raise was filled in from chips
    that lay there: most likely its own call was not keyed, and the raise is the next seat's. It is said."""
    hand = unit.table.hand
    acts = unit.table.acts()
    wagers = [number for number, act in enumerate(acts) if act.action in (Action.BET, Action.RAISE)]
    if hand is None or not wagers or wagers[-1] + 1 == len(acts) or hand.state.aggressor < 0:
        return False
    raised, called = acts[wagers[-1] :][:2]
    keyed = hand.seats[hand.state.aggressor] == raised.seat and raised.source in (Source.KEY, Source.SCREEN)
    filled_in = called.action is Action.CALL and called.source is Source.CAMERA
    if not (keyed and filled_in and cards_are_gone(unit, state, raised.seat)):
        return False
    wager = f"{raised.action} to {in_words(raised.to)}"
    told = f"Seat {raised.seat} has no cards. Was the {wager} seat {called.seat}'s? {raised.seat} SEAT 44 FLOOR"
    say_once(unit, state, "raise_shifted", told, raised.seat, detail=str(raised.to))
    return True


# ------------------------------------------------------------------------- a key for a seat further on


def catch_up(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """Fill in for a key of a later seat, where the camera saw what every seat before it did: no question."""
    hand, seat = unit.table.hand, press.named_seat
    legal = hand.legal() if hand is not None else None
    if press.key is Key.FOLD and seat is None and legal is not None:
        seat = _who_folded(unit, state, legal)
    if legal is None or seat is None or legal.seat == seat:
        return
    between = _between(unit, state, seat, bet=press.key in _BETS)
    if all(seen for _, _, seen in between):
        for act, _, _ in between:
            unit.push(act)


def is_for_later_seat(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> bool:
    """Ask about a FOLD key while the seat to act holds its cards and a later seat's have just gone: a key
    before it was missed (real-tables.md, 2). Whether it is asked; until the answer nobody has folded."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    if press.key is not Key.FOLD or press.named_seat is not None or legal is None or busy(unit):
        return False
    seat = _who_folded(unit, state, legal)
    if seat is None or now - state.seat_cards.went(seat, Millis(0)) > waits.FOLD_JUST_SEEN_MS:
        return False
    propose(unit, state, replace(press, seat=seat))
    return True


def _holds(unit: UnitOfWork, state: TrackerState, seat: Seat) -> bool:
    """Whether the camera sees both cards of a seat in front of it."""
    return unit.table.devices.get("camera") is DeviceState.OK and state.seat_cards.has_backs(seat)


def _who_folded(unit: UnitOfWork, state: TrackerState, legal: Legal) -> Seat | None:
    """The seat of a FOLD key without a seat while the seat to act holds its cards: the next one whose cards
    have gone."""
    hand = unit.table.hand
    if hand is None or not _holds(unit, state, legal.seat):
        return None
    gone = [seat for seat in hand.live_seats if folded_with_cards_gone(unit, state, seat)]
    reached = [(seat, between) for seat in gone if (between := _between(unit, state, seat))]
    return min(reached, key=lambda one: len(one[1]))[0] if reached else None


def propose(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """Ask about a key for a later seat: most likely those before it folded, or checked, without a key."""
    seat = press.named_seat
    wrong_seat = press.key is Key.FOLD and seat is not None and _holds(unit, state, seat)  # it has its cards still
    if asked(unit) is Question.MISSED_BEFORE:
        answer(unit, "Said again", press.source)
    between = [] if seat is None or wrong_seat or busy(unit) else _between(unit, state, seat)
    if not between:
        return
    number = None if press.number == seat else press.number
    state.presses.propose(replace(press, seat=seat, number=number))
    text = f"{_sentence(between)} before seat {seat}? STREET = yes"
    ask(unit, Question.MISSED_BEFORE, text)


def take_proposal(unit: UnitOfWork, state: TrackerState, press: Press) -> None:
    """Yes: they did; then the key itself is applied."""
    proposed = state.presses.take_proposed()
    answer(unit, "Yes", press.source)
    if proposed is None or proposed.seat is None:
        return
    for act, _, _ in _between(unit, state, proposed.seat):
        if unit.push(act) is not None:
            return
    betting.act(unit, state, proposed)


def _between(
    unit: UnitOfWork, state: TrackerState, seat: Seat, *, bet: bool = False
) -> list[tuple[Act, str, bool]]:
    """The actions of the seats from the one to act up to `seat` (who `bet`) as text, and whether the camera saw
    them. Where nothing was seen they checked, or folded to a bet. Empty when the turn cannot come to `seat` so."""
    hand = unit.table.hand
    did: list[tuple[Act, str, bool]] = []
    if hand is None:
        return did
    street, came = hand.street, False
    with hand.trial():
        while (legal := hand.legal()) is not None and hand.street is street and len(did) < len(hand.seats):
            if legal.seat == seat:
                came = True
                break
            one = one_between(unit, state, legal, bet=bet)
            if isinstance(hand.push(one[0]), Refusal):
                break
            did.append(one)
    return did if came else []


def one_between(unit: UnitOfWork, state: TrackerState, legal: Legal, *, bet: bool) -> tuple[Act, str, bool]:
    """The action of the seat to act, as `_between` has it."""
    guess = chips.of_seat(unit, state, legal.seat)
    if guess is not None:
        return guess[0], guess[1], True
    if folded_with_cards_gone(unit, state, legal.seat):
        return Act(legal.seat, Action.FOLD, source=Source.CAMERA), "folded", True
    if legal.can_check:
        # A later bet shows that the seat checked. Without one a check looks like a player who still thinks.
        empty = bet and unit.table.devices.get("camera") is DeviceState.OK and legal.seat in state.bets.readings
        sees = empty or chips.came_behind(unit, state)
        source = Source.CAMERA if sees else Source.ASSUMED
        return Act(legal.seat, Action.CHECK, source=source), "checked", sees
    if _holds(unit, state, legal.seat):
        return Act(legal.seat, Action.CALL, source=Source.ASSUMED), f"called {in_words(legal.call or 0)}", False
    return Act(legal.seat, Action.FOLD, source=Source.ASSUMED), "folded", False


def _sentence(between: Sequence[tuple[Act, str, bool]]) -> str:
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
