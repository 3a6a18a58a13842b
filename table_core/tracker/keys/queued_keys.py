"""Betting keys in quick succession: a round that was played first and keyed afterwards.

The camera has seen cards go meanwhile, and a seat that acted before it folded counts as folded at once.
The queued keys are read in order: each seat acted as the next key says, or, where its cards have gone, folded
without a key. Of the courses that close the round and that the camera agrees with, the one with the fewest folds
without a key is taken: those who folded by it are those whose cards have gone, in the order in which they went.
Refusals are recorded when no more keys come.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    Action,
    AnyEvent,
    BetReturned,
    BettingClosed,
    Chips,
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
from table_core.projections.table_state import Logged
from table_core.tracker import waits
from table_core.tracker.camera.gone_cards import cards_are_gone
from table_core.tracker.camera.seat_cards import say_unkeyed
from table_core.tracker.hands import undo
from table_core.tracker.keys import betting
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.timers import Check
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
    """Record the refusals that waited for the end of the queue, and say which folds had no key."""
    end_queue(unit, state)
    say_unkeyed(unit, state)


def end_queue(unit: UnitOfWork, state: TrackerState) -> None:
    state.timers.stop(Check.KEYS_END)
    read_in_order(unit, state, ended=True)
    for one in state.key_queue.end():
        unit.record(one)


def refuse(unit: UnitOfWork, state: TrackerState, refused: Refused) -> bool:
    """Refuse a key: at once, unless later keys may explain it; whether at once."""
    hand = unit.table.hand
    closed = hand is None or hand.legal() is None
    more_may_come = state.timers.find(Check.KEYS_END) and (closed or len(state.key_queue.presses) > 1)
    if more_may_come and _seen_folds(_since(unit, state)):
        state.key_queue.refuse_later(refused)
        return False
    unit.record(refused)
    return True


def read_in_order(unit: UnitOfWork, state: TrackerState, *, ended: bool = False) -> bool:
    """True when the queued keys were applied in seat order, the newest with them: they are all explained by one
    course of the round alone. `ended`: no more keys come, so that folds without a key may follow the last one."""
    since = _since(unit, state)
    of_round = all(isinstance(one.event, _OF_A_ROUND) for one in since)
    book = unit.table.hand
    presses = state.key_queue.presses
    counted = any(press.counted is not None for press in presses)
    if not presses or counted or not _seen_folds(since) or not of_round or book is None:
        return False
    hand = unit.table.hand_as_of(state.key_queue.after)
    course = _only_course(hand, _Claims.of(unit, state, frozenset(hand.folded), trailing=ended))
    if course is None or hand.duties:
        return False
    with hand.trial():
        answers = [hand.push(act) for act in course]
        did = [_done(answer[0]) for answer in answers if not isinstance(answer, Refusal)]
        same = _outcome(book) == _outcome(hand)
    if same and ended:
        return False
    if same:
        _forget(state, course)
        return True  # the camera was faster; the keys add nothing
    recorded = [_done(logged.event) for logged in since if isinstance(logged.event, Acted)]
    if recorded == did[: len(recorded)]:
        return False  # no contradiction so far: take this key as any other; seen folds follow
    _replay(unit, state, since, course)
    return True


class _Claims(NamedTuple):
    """What a course of the round must explain: the keys in their order, and the seats whose cards have gone."""

    presses: tuple[Press, ...]
    gone: Mapping[Seat, Millis]  # and since when
    folded: frozenset[Seat]  # before
    trailing: bool  # a fold without a key may follow the last key

    @classmethod
    def of(cls, unit: UnitOfWork, state: TrackerState, folded: frozenset[Seat], *, trailing: bool) -> _Claims:
        since = state.seat_cards.gone_since
        gone = [seat for seat in since if cards_are_gone(unit, state, seat) and not state.folds.is_held(seat)]
        return cls(state.key_queue.presses, {seat: since[seat] for seat in gone}, folded, trailing)

    def agree(self, hand: Hand, acts: Sequence[Act]) -> bool:
        """The camera agrees with a course: whoever is in has not lost its cards, and whoever folded has, in the
        order of the folds; of those whose FOLD came last the camera may have it to say still."""
        if any(seat in self.gone for seat in hand.live_seats):
            return False
        last = len(acts)
        while last and acts[last - 1].action is Action.FOLD and acts[last - 1].source is not Source.CAMERA:
            last -= 1
        unseen = {act.seat for act in acts[last:]}
        if any(seat not in self.gone and seat not in unseen for seat in set(hand.folded) - self.folded):
            return False
        return self.in_order(acts)

    def in_order(self, acts: Sequence[Act]) -> bool:
        """Cards went in the order of the folds."""
        times = [self.gone[act.seat] for act in acts if act.action is Action.FOLD and act.seat in self.gone]
        pairs = itertools.combinations(times, 2)
        return all(later > earlier - waits.READINGS_CROSS_MS for earlier, later in pairs)


def _only_course(hand: Hand, claims: _Claims) -> tuple[Act, ...] | None:
    """The course of legal acts that explains the keys and closes the round with fewer folds without a key than
    any other does; None where there is none or the search is too long."""
    tried = list(itertools.islice(_courses(hand, claims, 0, ()), waits.MOST_TRIED))
    found = sorted([(_unkeyed(course), course) for course in tried if course], key=lambda one: one[0])
    alone = len(found) == 1 or (len(found) > 1 and found[0][0] < found[1][0])
    return found[0][1] if alone and len(tried) < waits.MOST_TRIED else None


def _unkeyed(course: Sequence[Act]) -> int:
    """How many folds without a key a course has: what it costs."""
    return sum(act.source is Source.CAMERA for act in course)


def _courses(hand: Hand, claims: _Claims, at: int, acts: tuple[Act, ...]) -> Iterator[tuple[Act, ...]]:
    """Every seat acted as the next key says, or folded without one where its cards have gone. An empty course for
    each act that was tried, so that whoever asks can stop."""
    yield ()
    legal = hand.legal()
    keys_left = at < len(claims.presses)
    if legal is None:
        if acts and not keys_left and claims.agree(hand, acts):
            yield acts
        return
    ways: list[tuple[Act, int]] = []
    meant = None
    if keys_left:
        meant = betting.meaning(claims.presses[at], legal, bet_open=any(hand.bets.values()))
        ways += [(meant, at + 1)] if meant is not None else []
    keyed_fold = meant is not None and meant.action is Action.FOLD
    if legal.seat in claims.gone and not keyed_fold and (keys_left or claims.trailing):
        ways.append((Act(legal.seat, Action.FOLD, source=Source.CAMERA), at))
    for act, following in ways:
        with hand.trial():
            if claims.in_order((*acts, act)) and not isinstance(hand.push(act), Refusal):
                yield from _courses(hand, claims, following, (*acts, act))


def _replay(unit: UnitOfWork, state: TrackerState, since: Sequence[Logged], course: Sequence[Act]) -> None:
    ended = not unit.table.in_hand
    state.undoable.forget_since(since[0].seq)
    unit.record(Rewound(since[0].seq - 1, tuple([logged.seq for logged in since]), "keys read in their order"))
    if ended and unit.table.in_hand:
        undo.dealt_meanwhile(unit, state)
    _forget(state, course)
    for act in course:
        unit.push(act)


def _forget(state: TrackerState, course: Sequence[Act]) -> None:
    """The queue explains the round: none of its keys was wrong."""
    if any(press.key is Key.FOLD for press in state.key_queue.presses):
        state.folds.key_pressed()
    state.timers.stop(Check.KEYS_END)
    state.key_queue.end()
    state.presses.forget_waiting()
    state.presses.propose(None)
    last = max([at for at, act in enumerate(course) if act.source is not Source.CAMERA], default=0)
    state.folds.round_read([act.seat for act in course[:last] if act.source is Source.CAMERA])


def _done(event: AnyEvent) -> tuple[Seat, Action, Chips]:
    assert isinstance(event, Acted)
    return event.seat, event.action, event.to


def _outcome(hand: Hand) -> tuple[frozenset[Seat], dict[Seat, int], Seat | None]:
    """Who has folded, the stacks, and who is to act: a check changes that alone."""
    return frozenset(hand.folded), {seat: int(stack) for seat, stack in hand.stacks.items()}, hand.to_act


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
