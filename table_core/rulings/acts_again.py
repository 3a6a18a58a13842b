"""An act on this street that is taken back, and what others did after it that stands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    Action,
    AnyHandCommand,
    BetReturned,
    BettingClosed,
    BoardDealt,
    Chips,
    HandEnded,
    HandsBeaten,
    PotAwarded,
    Refusal,
    Source,
    Street,
)
from table_core.projections.table_state import Logged
from table_core.projections.words import acted, chips
from table_core.rulings.case import Case, Option, Push, Record, Step, TakeBack

_WAGERS = (Action.BET, Action.RAISE)
_FOLLOWS = (BetReturned, BettingClosed, HandsBeaten, PotAwarded, HandEnded)


def no_act(case: Case) -> str:
    """Why there is no action of the seat to rule on: it has not acted on this street, nor put chips in."""
    if case.last_act(case.the_seat) is not None:
        return ""
    chips_lie = case.to_come or (case.put_in or 0) > case.hand.bets.get(case.the_seat, Chips(0))
    return "" if case.is_to_act(case.the_seat) and chips_lie else f"seat {case.seat} has not acted {here(case)}"


def here(case: Case) -> str:
    """The street, as words behind a verb."""
    if case.hand.street in (Street.PREFLOP, Street.SHOWDOWN):
        return "before the flop" if case.hand.street is Street.PREFLOP else "at the showdown"
    return f"on the {case.hand.street}"


def too_late(case: Case) -> Option:
    """Streets that are over stand; what ran out behind an all-in a person may take back with it."""
    return Option("stands", f"The next street is out: what seat {case.seat} did stands", case.cite("in_time"))


def turn_at(case: Case, hand: Hand | None = None) -> tuple[int, int, int] | None:
    """(bet to match, smallest raise, in front of the seat) when the seat acts in `hand`, or now; else None."""
    seat, hand = case.the_seat, hand or case.hand
    legal = hand.legal()
    if legal is not None and legal.seat == seat:
        return hand.high, legal.min_to or hand.high, hand.bets[seat]
    return None


def before(case: Case) -> tuple[int, int, int]:
    """As `turn_at`, as it was before the action of the seat that the incident is about."""
    last = case.last_act(case.the_seat)
    now = turn_at(case) if last is None else turn_at(case, case.as_of(last[0].seq - 1))
    if now is not None:
        return now
    high = case.hand.high  # it has acted out of turn, or not at all
    return high, high + max(case.hand.level.big_blind, high), 0


def instead(case: Case, action: Action, to: int | None) -> tuple[Step, ...]:
    """Take the seat's action back (unless it is still to act) and make this one instead; no steps where the
    seat did just that."""
    last = case.last_act(case.the_seat)
    if last is not None and last[1].action is action and to in (None, last[1].to):
        return ()
    act = Act(case.the_seat, action, None if to is None else Chips(to), Source.DIRECTOR)
    return (Push(act),) if last is None else in_its_place(case, last[0], act)


def in_its_place(case: Case, logged: Logged, *commands: AnyHandCommand) -> tuple[Step, ...]:
    """Take an action back and give these commands instead; actions behind it that mean the same stay."""
    hand = case.as_of(logged.seq - 1)
    if any(isinstance(hand.push(command), Refusal) for command in commands):
        return (TakeBack(logged.seq), *map(Push, commands))  # and the offer is refused for the same reason
    return (
        TakeBack(logged.seq),
        *map(Push, commands),
        *map(Push, still_standing(hand, _chosen_since(case, logged))),
    )


def without(case: Case, logged: Logged) -> tuple[Step, ...]:
    """Take an action back that was none: the seat is to act, and what others did behind it stands."""
    return (TakeBack(logged.seq), *put_back(case, logged.seq + 1))


def put_back(case: Case, seq: int) -> tuple[Step, ...]:
    """What the hand has from event `seq` on, up to the next cards, once more as it was. What had followed from it
    follows anew."""
    since = [one.event for one in case.table.hand_log if one.seq >= seq]
    on_this_street = takewhile(lambda event: not isinstance(event, BoardDealt), since)
    return tuple([Record(event) for event in on_this_street if not isinstance(event, _FOLLOWS)])


def _chosen_since(case: Case, logged: Logged) -> list[Acted]:
    """What players did behind it; what a ruling bound them to is made anew by itself."""
    return [act for act in case.acts_since(logged) if act.source is not Source.ENGINE]


def still_standing(hand: Hand, acts: Sequence[Acted]) -> list[Act]:
    """The first of `acts` that mean the same in `hand`: cards thrown away are away, who called or checked did so
    for no more than it was. A bet or raise, and what came behind it, is made anew."""
    stand: list[Act] = []
    for one in acts:
        legal = hand.legal()
        if legal is None or legal.seat != one.seat or one.action in _WAGERS:
            break
        if one.action is not Action.FOLD and not _as_cheap(one, hand):
            break
        act = Act(one.seat, one.action, source=one.source)
        if isinstance(hand.push(act), Refusal):
            break
        stand.append(act)
    return stand


def brought_up(case: Case) -> tuple[Step, ...]:
    """Make a wager that was let pass below the least one of the least size, where others have acted on it since:
    who called calls that too, an all-in stays one, a raise that is legal still stands. No steps where it was not
    too small, nobody raised it, or the street is over."""
    last = case.last_act(case.the_seat)
    if last is None or not last[1].flag or last[1].action not in _WAGERS or case.hand.legal() is None:
        return ()
    behind, hand = _chosen_since(case, last[0]), case.as_of(last[0].seq - 1)
    turn = turn_at(case, hand)
    if turn is None or (last[1].to or 0) >= turn[1] or not any(one.action in _WAGERS for one in behind):
        return ()
    acts = [Act(case.the_seat, last[1].action, Chips(turn[1]), Source.DIRECTOR)]
    hand.push(acts[0])
    for one in behind:
        to = None if one.all_in or one.action not in _WAGERS else one.to
        act = Act(one.seat, one.action, to, one.source)
        legal = hand.legal()
        if legal is None or legal.seat != one.seat or isinstance(hand.push(act), Refusal):
            break
        acts.append(act)
    return (TakeBack(last[0].seq), *map(Push, acts))


def brought_up_words(case: Case, steps: Sequence[Step]) -> str:
    """What `brought_up` changes."""
    last = case.last_act(case.the_seat)
    assert last is not None
    least, said = before(case)[1], f"Seat {case.seat}: {acted(last[1])} → "
    said += f"raise to {chips(least)}" if last[1].action is Action.RAISE else f"bet {chips(least)}"
    for one in _chosen_since(case, last[0])[: len(steps) - 2]:
        if one.action is Action.CALL:
            said += f"; seat {one.seat} calls that"
        elif one.all_in and (one.to or 0) <= least:
            said += f"; seat {one.seat} is all-in for {chips(one.to or 0)}, a call"
    return said + acts_again(case, last[0], steps)


def _as_cheap(one: Acted, hand: Hand) -> bool:
    """A check where there is nothing to call; a call where what there is to call is not more than it was."""
    owes = hand.to_call(one.seat)
    if one.action is Action.CALL and owes:
        return hand.high <= (one.to or hand.high)
    return one.action is Action.CHECK and not owes


def change(case: Case, action: Action, to: int | None) -> str:
    """What changes, in words: `raise to 400 → call 100; seat 2 acts again`."""
    high, _, own = before(case)
    added = min(high - own, _behind(case))
    new = {
        Action.CALL: f"call {chips(added)}",
        Action.BET: f"bet {chips(to or 0)}",
        Action.RAISE: f"raise to {chips(to or 0)}",
    }.get(action, str(action))
    last = case.last_act(case.the_seat)
    if last is None:
        return new
    steps = instead(case, action, to)
    if not steps:
        return f"{acted(last[1])} stands"
    return f"{acted(last[1])} → {new}{acts_again(case, last[0], steps)}"


def _behind(case: Case) -> int:
    """Chips that the seat could still put in, its action that the incident is about taken back."""
    last = case.last_act(case.the_seat)
    stack = int(case.hand.stacks[case.the_seat])
    return stack if last is None else stack + int(last[1].added)


def acts_again(case: Case, logged: Logged, steps: Sequence[Step] = ()) -> str:
    """Who must act again because an action before theirs is taken back and theirs cannot stand behind `steps`."""
    stand = [step.command for step in steps[2:] if isinstance(step, Push)]
    seats = sorted({act.seat for act in _chosen_since(case, logged)[len(stand) :]})
    if not seats:
        return ""
    return f"; seats {', '.join(map(str, seats))} act again" if len(seats) > 1 else f"; seat {seats[0]} acts again"
