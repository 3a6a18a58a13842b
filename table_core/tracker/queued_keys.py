"""Betting keys in quick succession: a round that was played first and keyed afterwards.

The camera has seen cards go meanwhile, and a seat that acted before it folded counts as folded at once. The queued
keys are applied in order, each for the next seat to act. That reading is kept when it ends the round and exactly
the seats that it folds have lost their cards. Refusals are recorded when no more keys come.
"""

from __future__ import annotations

from collections.abc import Sequence

from table_core.hand.hand import Hand
from table_core.messages import (
    Acted,
    Action,
    BetReturned,
    BettingClosed,
    HandEnded,
    Key,
    Millis,
    PotAwarded,
    Refusal,
    Refused,
    Rewound,
    Seat,
    Source,
)
from table_core.projections.table import Logged
from table_core.tracker import betting, hands, waits
from table_core.tracker.gone_cards import cards_are_gone
from table_core.tracker.memory.keypad import Press
from table_core.tracker.memory.timers import Check
from table_core.tracker.seen import say_unkeyed
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

_OF_A_ROUND = (Acted, BettingClosed, BetReturned, PotAwarded, HandEnded)


def key_down(state: TrackerState, now: Millis) -> None:
    """Any key, digits too: the queue stays open."""
    if state.timers.find(Check.KEYS_END):
        state.timers.start(Check.KEYS_END, now + waits.QUEUE_MS)


def key_came(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """A betting key: the first of a queue, or one more. A key that names its seat stands alone."""
    if press.named_seat is not None:
        no_more_keys(unit, state)
        return
    if not state.timers.find(Check.KEYS_END):
        state.key_queue.begin(_before_seen_folds(unit))
    state.key_queue.enqueue(press)
    state.timers.start(Check.KEYS_END, now + waits.QUEUE_MS)


def no_more_keys(unit: UnitOfWork, state: TrackerState) -> None:
    """Record the refusals that waited for the end of the queue."""
    state.timers.stop(Check.KEYS_END)
    for one in state.key_queue.end():
        unit.record(one)
    say_unkeyed(unit, state)


def refuse(unit: UnitOfWork, state: TrackerState, refused: Refused) -> None:
    """Refuse a key: at once, unless later keys may explain it."""
    hand = unit.table.hand
    closed = hand is None or hand.legal() is None
    more_may_come = state.timers.find(Check.KEYS_END) and (closed or len(state.key_queue.presses) > 1)
    if more_may_come and _seen_folds(_since(unit, state)):
        state.key_queue.refuse_later(refused)
    else:
        unit.record(refused)


def read_in_order(unit: UnitOfWork, state: TrackerState) -> bool:
    """True when all queued keys were applied in seat order, the newest with them."""
    since = _since(unit, state)
    of_round = all(isinstance(one.event, _OF_A_ROUND) for one in since)
    if not state.key_queue.presses or not _seen_folds(since) or not of_round:
        return False
    book = unit.table.hand
    hand = _as_of(unit, state.key_queue.after)
    folded_before, acted = frozenset(hand.folded), list[Seat]()
    for press in state.key_queue.presses:
        before = _outcome(hand)
        legal = hand.legal()
        act = betting.meaning(press, legal, bet_open=any(hand.bets.values())) if legal is not None else None
        if press.counted is not None or act is None or isinstance(hand.push(act), Refusal):
            return False
        acted.append(act.seat)
    folded = frozenset(hand.folded) - folded_before
    if hand.legal() is not None or not _camera_agrees(unit, state, hand, folded, acted):
        return False
    assert book is not None
    if _outcome(book) == _outcome(hand):
        _forget(state)
        return True  # the camera was faster, and the keys say nothing new
    if _outcome(book) == before:
        return False  # so far the books agree; this key is taken as any other
    _replay(unit, state, since)
    return True


def _replay(unit: UnitOfWork, state: TrackerState, since: Sequence[Logged]) -> None:
    presses, ended = state.key_queue.presses, not unit.table.in_hand
    unit.record(Rewound(since[0].seq - 1, tuple([logged.seq for logged in since]), "Keys read in their order"))
    if ended and unit.table.in_hand:
        hands.dealt_meanwhile(unit, state)
    _forget(state)
    for press in presses:
        betting.act(unit, state, press)


def _forget(state: TrackerState) -> None:
    """The queue explains the round: no key is missing, none was wrong."""
    state.timers.stop(Check.KEYS_END)
    state.key_queue.end()
    state.presses.forget_waiting()
    state.presses.propose(None)
    state.folds.all_keyed()


def _camera_agrees(
    unit: UnitOfWork, state: TrackerState, hand: Hand, folded: frozenset[Seat], acted: Sequence[Seat]
) -> bool:
    """Whether, by this reading, live seats have their cards and folded seats have lost them; the camera may
    still be late about the last FOLD keys."""
    if any(cards_are_gone(unit, state, seat) for seat in hand.live_seats):
        return False
    last = len(state.key_queue.presses)
    while last and state.key_queue.presses[last - 1].key is Key.FOLD:
        last -= 1
    return all(cards_are_gone(unit, state, seat) or seat in acted[last:] for seat in folded)


def _as_of(unit: UnitOfWork, seq: int) -> Hand:
    """The hand as it was after event `seq`."""
    hand = Hand(unit.table.rulebook, smallest_chip=unit.table.smallest_chip)
    for logged in unit.table.hand_log:
        if logged.seq <= seq:
            hand.apply(logged.event)
    return hand


def _outcome(hand: Hand) -> tuple[frozenset[Seat], dict[Seat, int]]:
    return frozenset(hand.folded), {seat: int(stack) for seat, stack in hand.stacks.items()}


def _since(unit: UnitOfWork, state: TrackerState) -> list[Logged]:
    return [logged for logged in unit.table.hand_log if logged.seq > state.key_queue.after]


def _seen_folds(log: Sequence[Logged]) -> list[Logged]:
    return [logged for logged in log if _is_seen_fold(logged)]


def _is_seen_fold(logged: Logged) -> bool:
    event = logged.event
    return isinstance(event, Acted) and event.action is Action.FOLD and event.source is Source.CAMERA


def _before_seen_folds(unit: UnitOfWork) -> int:
    """The last event before the round's final folds that only the camera saw."""
    seq = unit.table.seq
    for logged in reversed(unit.table.hand_log):
        if _is_seen_fold(logged):
            seq = logged.seq - 1
        elif isinstance(logged.event, Acted) or not isinstance(logged.event, _OF_A_ROUND):
            break
    return seq
