"""`7 STREET`: the action is on seat 7. Every seat before it folded or checked.

One press replaces a key for each fold, and one UNDO takes it back. Calls are still keyed. Said of the seat that
bet last, it closes the betting.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_core.hand.hand import Hand
from table_core.messages import (
    UNKNOWN_CARD,
    Act,
    Acted,
    Action,
    BettingClosed,
    BoardDealt,
    DealBoard,
    HandStarted,
    Millis,
    Noticed,
    Refusal,
    Refused,
    Seat,
    Source,
)
from table_core.record.deal import NEW_CARDS
from table_core.tracker.asking import missed_keys
from table_core.tracker.asking.questions import Question, answer, asked
from table_core.tracker.dealing.board import deal_unknown, without_devices
from table_core.tracker.dealing.deal import next_street
from table_core.tracker.hands import showdown
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

_WAGERS = (Action.BET, Action.RAISE)
_ABOUT_ACTS = (
    Question.MISSED_ACTIONS,
    Question.MISSED_BEFORE,
)  # "all called?", "seats 4 and 5 folded before seat 7?"
_SAID = (Action.FOLD, Action.CHECK)  # an unkeyed call stays a guess


def is_said(unit: UnitOfWork, press: Press) -> bool:
    """Whether STREET with a seat names the action. It needs open betting, or betting that may be open unseen.

    A bare number rules on an open incident, and answers only yes to a question that is not about who acted.
    """
    hand = unit.table.hand
    about_acts = unit.table.question is None or asked(unit) in _ABOUT_ACTS
    named = press.seat is not None or (press.number is not None and about_acts)
    return named and hand is not None and (hand.legal() is not None or _goes_on_unseen(unit))


def _goes_on_unseen(unit: UnitOfWork) -> bool:
    """Whether a street is due that only the dealer sees; the next action confirms it."""
    hand = unit.table.hand
    return hand is not None and hand.awaiting_board and not showdown.betting_over(hand) and without_devices(unit)


def say(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """Move the action to the named seat; where that closes the betting, the street is out."""
    hand, seat = unit.table.hand, press.of_seat
    if hand is None or seat is None:
        return
    acts, comes = _acts_before(unit, state, hand, seat)
    if not comes:
        named = seat if press.seat is not None else press.number
        text = f"The action does not come to seat {named} on this street" if named else "Nothing is asked now"
        unit.record(Refused(text, "base.street"))
        return
    if _goes_on_unseen(unit):
        deal_unknown(unit, state)
    elif not acts:
        unit.record(Noticed("again", f"The action is on seat {seat} already"))
    street = hand.street
    if acts and asked(unit) in _ABOUT_ACTS:
        state.presses.propose(None)
        answer(unit, f"The action is on seat {seat}", press.source)
    for act in acts:
        said = act.source is Source.ASSUMED and act.action in _SAID
        if unit.push(replace(act, source=press.source) if said else act) is not None:
            return
    if not hand.ended and (hand.awaiting_board or hand.street is not street):
        state.presses.street_counted(now)  # the same press does not mean a further street
        missed_keys.bring_street(unit, state)


def _acts_before(unit: UnitOfWork, state: TrackerState, hand: Hand, seat: Seat) -> tuple[list[Act], bool]:
    """What was done before the action came to `seat`, and whether it can come there. A street that only the dealer
    sees is dealt on the copy alone: a number that is refused deals nothing."""
    street = next_street(hand) if _goes_on_unseen(unit) else None
    with hand.trial():
        if street is not None:
            hand.push(DealBoard((UNKNOWN_CARD,) * NEW_CARDS[street], (Source.ASSUMED,)))
        legal = hand.legal()
        if legal is not None and legal.seat == seat:
            return [], True
        acts = [] if legal is None else _round_to(unit, state, hand, seat)
    return acts, bool(acts)


def _round_to(unit: UnitOfWork, state: TrackerState, hand: Hand, seat: Seat) -> list[Act]:
    """The actions of the seats before `seat`; empty where the action cannot come to it."""
    street, last = hand.street, _bet_last(unit)
    acts: list[Act] = []
    with hand.trial():
        while (legal := hand.legal()) is not None and hand.street is street and legal.seat != seat:
            act = missed_keys.one_between(unit, state, legal, bet=False)[0]
            if isinstance(hand.push(act), Refusal):
                break
            acts.append(act)
        comes = hand.street is street and legal is not None and legal.seat == seat
        closed = hand.ended or legal is None or hand.street is not street
        round_to = closed and (seat == last or hand.live_seats == (seat,))
    return acts if comes or round_to else []


def _bet_last(unit: UnitOfWork) -> Seat | None:
    """The seat that bet or raised last on this street; before the flop the big blind where nobody did."""
    for logged in reversed(unit.table.hand_log):
        match logged.event:
            case Acted(action=action, seat=seat) if action in _WAGERS:
                return seat
            case HandStarted(big_blind=seat):
                return seat
            case BettingClosed() | BoardDealt():
                return None
    return None
