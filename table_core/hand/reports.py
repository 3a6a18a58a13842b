"""Reports: what the table did is recorded with the rule that it breaks, and play goes on from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from table_core.hand import betting, opening, showdown
from table_core.hand.dealing import NEXT_STREET, wrong_hand, wrong_street
from table_core.hand.engine import Answer, Engine
from table_core.hand.reducers.betting import reduce_action
from table_core.hand.rulings import misdeal, not_retrievable, retrieved
from table_core.hand.settling import settle
from table_core.hand.state import NOBODY
from table_core.messages import (
    Act,
    Acted,
    Action,
    AnyEvent,
    AwardPots,
    BoardDealt,
    CallMisdeal,
    Chips,
    Counted,
    DealBoard,
    HandMucked,
    HandStarted,
    HandTabled,
    MuckHand,
    Refusal,
    Report,
    Reported,
    RetrieveHand,
    Source,
    StartHand,
    TableHand,
)

Forced = tuple[AnyEvent, ...] | Refusal | None


def report(hand: Any, command: Report) -> Answer:
    """Record what the table did. What the rules allow is an ordinary step; anything else is forced, with the
    rule as its flag. What the hand's state cannot hold is recorded as `Reported`. Never refused."""
    what = command.what
    if command.all_in and isinstance(what, Act):
        forced = _counted_all_in(hand, what)
        return forced or _written_down(hand, what, hand.rulebook.cites.all_in)
    answer: Answer = hand.push(what)
    if not isinstance(answer, Refusal):
        return answer
    force = _FORCE.get(type(what))
    forced = force(hand, what, answer.rule) if force else None
    return forced if isinstance(forced, tuple) else _written_down(hand, what, answer.rule)


def _written_down(hand: Engine, what: Any, rule: str) -> Answer:
    return tuple(hand.begin(Reported(type(what).__struct_config__.tag, rule)))


def _force_act(hand: Engine, act: Act, flag: str) -> Forced:
    state = hand.state
    index = state.ring.index.get(act.seat)
    if index is None or state.to_act == NOBODY or not state.able >> index & 1:
        return None
    bet, stack = state.bets[index], state.stacks[index]
    owed = max(min(state.high - bet, stack), 0)
    action, added = act.action, 0
    if action is Action.CALL:
        added = owed if act.to is None else act.to - bet
    elif action in (Action.BET, Action.RAISE):
        added = stack if act.to is None else act.to - bet
        action = _named(state.high, bet + added)
    if not 0 <= added <= stack or (added == 0 and act.action in (Action.BET, Action.RAISE)):
        return None
    if action is Action.CALL and bet + added > state.high:
        action = Action.RAISE
    acted = betting.acted(state, index, act, action, added, flag)
    hand.journal.steps.append(acted)
    reduce_action(state, index, acted)
    return hand.followed()


def _named(high: int, to: int) -> Action:
    """What a wager of `to` in front is when `high` is to be matched."""
    if to <= high:
        return Action.CALL
    return Action.RAISE if high else Action.BET


def _counted_all_in(hand: Engine, act: Act) -> Forced:
    """All-in for `act.to`, whatever the recorded stack is: chips left over are removed, and chips beyond the
    stack were uncounted before."""
    state = hand.state
    index = state.ring.index.get(act.seat)
    if index is None or state.to_act == NOBODY or not state.able >> index & 1:
        return None
    bet = state.bets[index]
    to = bet + state.stacks[index] if act.to is None else act.to
    smaller = to % state.unit
    to -= smaller  # these do not play, and stay behind
    if to <= bet:
        return None
    judged = betting.judge(state, Act(act.seat, act.action, Chips(to), act.source))
    flag = judged.rule if isinstance(judged, Refusal) else ""
    if to + smaller != bet + state.stacks[index]:
        flag = flag or hand.rulebook.cites.all_in
    acted = Acted(act.seat, _named(state.high, to), Chips(to - bet), Chips(to), True, act.source, flag)
    hand.journal.steps.append(acted)
    reduce_action(state, index, acted)
    events = hand.journal.of_last_step()
    left = state.stacks[index]
    if left != smaller:
        hand.follow(Counted(act.seat, Chips(smaller), left, Source.ENGINE), events)
    hand.go_on(events)
    return tuple(events)


def _force_board(hand: Engine, command: DealBoard, flag: str) -> Forced:
    """Deal a street before its time: betting ends as it stands."""
    state = hand.state
    if state.to_act == NOBODY or state.street not in NEXT_STREET or wrong_street(hand, command):
        return None
    return hand.step(BoardDealt(NEXT_STREET[state.street], command.cards, command.sources, flag))


def _force_tabled(hand: Engine, command: TableHand, flag: str) -> Forced:
    if not hand.state.under_way or command.seat not in hand.seats or wrong_hand(hand, command):
        return None
    return hand.step(HandTabled(command.seat, command.cards, command.sources, flag))


def _force_muck(hand: Any, command: MuckHand, flag: str) -> Forced:
    if hand.gone(command.seat) or hand.state.alone:
        return None
    if not hand.betting_over:
        return _force_act(hand, Act(command.seat, Action.FOLD, source=command.source), flag)
    if flag == hand.rulebook.cites.pot_award:
        return None
    return hand.step(HandMucked(command.seat, command.source, flag))  # type: ignore[no-any-return]


def _force_award(hand: Engine, command: AwardPots, flag: str) -> Forced:
    """Award pots to these seats, whoever could have won them."""
    state = hand.state
    named = (command.winners, *command.then)
    groups = [state.ring.indices(group) for group in named]
    unknown = any(indices.bit_count() != len(set(group)) for indices, group in zip(groups, named, strict=True))
    if not state.under_way or not groups[0] or unknown:
        return None
    awards = showdown.award_to(state, groups, hand.smallest_chip, flag)
    return settle(hand, awards)


def _force_start(hand: Any, command: StartHand, flag: str) -> Forced:
    if hand.state.under_way or not opening.possible(command):
        return None
    started: HandStarted = opening.started(command, flag)
    answer: Answer = hand.start(started)
    return answer


def _force_misdeal(hand: Engine, command: CallMisdeal, flag: str) -> Forced:
    if not hand.state.under_way or not isinstance(hand.state.start, HandStarted):
        return None
    return misdeal(hand, command, flag)


def _force_retrieve(hand: Engine, command: RetrieveHand, flag: str) -> Forced:
    if not_retrievable(hand, command):
        return None
    return hand.step(retrieved(hand, command, flag))


_FORCE: Final[dict[type, Callable[[Any, Any, str], Forced]]] = {
    Act: _force_act,
    DealBoard: _force_board,
    TableHand: _force_tabled,
    MuckHand: _force_muck,
    AwardPots: _force_award,
    StartHand: _force_start,
    CallMisdeal: _force_misdeal,
    RetrieveHand: _force_retrieve,
}
