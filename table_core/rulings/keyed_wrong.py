"""An act on record is not what the player did, and the hand has gone on: what it did instead, with everything that
came behind it.

On record is *seat 6: raise to 300*. It was 400, and seat 3 has called: seat 6 raises to 400, seat 3 calls that.
"""

from __future__ import annotations

from collections.abc import Iterator

from table_core.hand.hand import Hand
from table_core.messages import (
    MOST_CHIPS,
    Act,
    Acted,
    Action,
    AnyEvent,
    AnyHandCommand,
    BoardDealt,
    Chips,
    Counted,
    Refusal,
    Seat,
    Source,
    Street,
)
from table_core.projections.table_state import Logged
from table_core.projections.words import acted, chips
from table_core.rulings.case import Case, Option, Push, Record, Step, TakeBack, listed
from table_core.rulings.keyed_as_folded import AS_IT_WAS, follows, once_more, ruled_dead
from table_core.rulings.register import Group, incident

ALL_IN = "all_in"  # cause: all that lay in front of the seat was counted
_WAGERS = (Action.BET, Action.RAISE)


def last_keyed(case: Case) -> tuple[Logged, Acted] | None:
    """The last act of the seat in this hand, on whichever street; None where it has not acted."""
    for logged in reversed(case.table.hand_log):
        if isinstance(logged.event, Acted) and logged.event.seat == case.seat:
            return logged, logged.event
    return None


def _unfit(case: Case) -> str:
    last = last_keyed(case) if case.in_hand else None
    if last is None:
        return f"nothing is keyed for seat {case.seat} in this hand; to count its stack, finish this hand first"
    if last[1].action is Action.FOLD:
        return f"seat {case.seat} is keyed as folded: {case.seat} SEAT 59 FLOOR"
    if case.amount is not None and (strange := _strange_amount(case, case.amount, *last)):
        return strange
    if not any(True for _ in _corrections(case, *last)):
        return f"what came behind {acted(last[1])} of seat {case.seat} does not fit otherwise: UNDO"
    return ""


def _strange_amount(case: Case, amount: int, logged: Logged, was: Acted) -> str:
    """Why the seat cannot have had so much in front, empty where it can."""
    hand = case.as_of(logged.seq - 1)
    most = hand.bets[case.the_seat] + hand.stacks[case.the_seat]
    if amount == was.to:
        return f"{acted(was)} is what is keyed for seat {case.seat}"
    if amount > most and case.cause != ALL_IN:
        return f"seat {case.seat} had {chips(most)} by the books: {amount} ALL-IN if it was counted"
    return "" if 0 < amount <= MOST_CHIPS else f"an amount is 1 to {chips(MOST_CHIPS)}"


@incident("keyed_wrong", 60, "Keyed wrongly", Group.HANDS, needs_seat=True, unfit=_unfit)
def keyed_wrong(case: Case) -> Iterator[Option]:
    """The last act of the seat was another one. `amount` is what it had in front then, in all."""
    last = last_keyed(case)
    if last is not None:
        yield from _corrections(case, *last)
        text = f"Seat {case.seat}: {acted(last[1])} stands. Another amount: {case.seat} SEAT, amount, COUNT"
        yield Option("stands", text, case.cite("fairness"))


def _corrections(case: Case, logged: Logged, was: Acted) -> Iterator[Option]:
    if case.amount is not None:
        yield from _of_amount(case, logged, was)
        return
    other = Action.FOLD
    if was.action in _WAGERS:
        legal = case.as_of(logged.seq - 1).legal()
        other = Action.CHECK if legal is not None and legal.can_check else Action.CALL
    if was.action is not Action.CHECK:
        act = Push(Act(case.the_seat, other, source=Source.DIRECTOR))
        yield from _instead(case, logged, was, (act,), str(other))
    if was.action is Action.CHECK or other is not Action.FOLD:
        folded = Push(Act(case.the_seat, Action.FOLD, source=Source.DIRECTOR))
        yield from _instead(case, logged, was, (folded,), str(Action.FOLD))


def _of_amount(case: Case, logged: Logged, was: Acted) -> Iterator[Option]:
    """It had `amount` in front, with chips behind or all-in; all-in first where that was said, unless far off."""
    assert case.amount is not None
    hand, seat = case.as_of(logged.seq - 1), case.the_seat
    own, stack, to = hand.bets[seat], hand.stacks[seat], Chips(case.amount)
    wager = Action.RAISE if any(hand.bets.values()) else Action.BET
    action = Action.CALL if to <= hand.high else wager
    said, options = case.cause == ALL_IN, list[Option]()
    if to != was.to and own < to < own + stack and (action is not Action.CALL or to == hand.high):
        amount = None if action is Action.CALL else to
        behind = f", {chips(own + stack - to)} behind" if said else ""
        act = Push(Act(seat, action, amount, Source.DIRECTOR))
        options += _instead(case, logged, was, (act,), "wagered", behind)
    if said and to > own:
        counted = Record(Counted(seat, Chips(to - own), stack, Source.DIRECTOR))
        books = f" (by the books {chips(stack)} behind, not {chips(to - own)})" if to - own != stack else ""
        act = Push(Act(seat, action, None, Source.DIRECTOR))
        all_in = list(_instead(case, logged, was, (counted, act), "counted", books))
        options = [*options, *all_in] if 2 * (to - own) < stack else [*all_in, *options]
    yield from options


def _instead(
    case: Case, logged: Logged, was: Acted, steps: tuple[Step, ...], key: str, words: str = ""
) -> Iterator[Option]:
    """The option that these steps take the place of the act; none where they, or streets behind it, do not fit."""
    found = _Replay(case, logged)
    done = found.begin(steps)
    if done is None or not found.go_on():
        return
    text = f"{_street_before(case, logged)}eat {case.seat}: {acted(was)} → {acted(done)}{words}"
    text = "; ".join([text, *found.changed])
    text += _act_again(found.again)
    yield Option(key, text, case.cite("fairness"), tuple(found.steps))


def _act_again(seats: list[Seat]) -> str:
    return f"; {listed(seats)} act{'s' if len(seats) == 1 else ''} again" if seats else ""


def _street_before(case: Case, logged: Logged) -> str:
    """The street that it goes back to, where another one has come."""
    street = case.as_of(logged.seq - 1).street
    if street is case.hand.street:
        return "S"
    return f"Back {'before the flop' if street is Street.PREFLOP else f'to the {street}'}: s"


class _Replay:
    """The hand from the act on, once more. `changed` are acts behind it that became others, `again` the seats
    whose acts do not fit any longer."""

    def __init__(self, case: Case, logged: Logged) -> None:
        self._hand: Hand = case.as_of(logged.seq - 1)
        self._live = case.hand.live_seats
        self._since = [one.event for one in case.table.hand_log if one.seq > logged.seq]
        self.steps: list[Step] = [TakeBack(logged.seq)]
        self.changed: list[str] = []
        self.again: list[Seat] = []

    def begin(self, steps: tuple[Step, ...]) -> Acted | None:
        """What the seat does by these steps; None where the engine refuses it."""
        done = None
        for step in steps:
            if isinstance(step, Record):
                self._hand.apply(step.event)
                self.steps.append(step)
            elif isinstance(step, Push):
                answer = self._pushed(step.command)
                done = None if answer is None else next((one for one in answer if isinstance(one, Acted)), None)
        return done

    def go_on(self) -> bool:
        """Do again what came since; whether all of it fits, or only acts of this street do not."""
        for place, event in enumerate(self._since):
            if isinstance(event, AS_IT_WAS):
                self._hand.apply(event)
                self.steps.append(Record(event))
            elif follows(event) and not ruled_dead(event):
                continue
            elif not self._again(event, self._since[place:]):
                return self._left_over(self._since[place:])
        return True

    def _again(self, event: AnyEvent, rest: list[AnyEvent]) -> bool:
        if isinstance(event, BoardDealt) and not self._all_there_called(rest):
            return False
        street_came = any(isinstance(one, BoardDealt) for one in rest)
        command = (
            self._as_it_fits(event, street_came=street_came) if isinstance(event, Acted) else once_more(event)
        )
        answer = None if command is None else self._pushed(command)
        if answer is None:
            return False
        now = next((one for one in answer if isinstance(one, Acted)), None)
        if isinstance(event, Acted) and now is not None and acted(now) != acted(event):
            self.changed.append(f"seat {event.seat}: {acted(now)}")
        return True

    def _all_there_called(self, rest: list[AnyEvent]) -> bool:
        """Who is still to act when the street comes, and was there behind it, has called."""
        there = {one.seat for one in rest if isinstance(one, Acted)} | {*self._live}
        while (legal := self._hand.legal()) is not None and legal.seat in there:
            action = Action.CHECK if legal.can_check else Action.CALL
            answer = self._pushed(Act(legal.seat, action, source=Source.ASSUMED))
            did = next((one for one in answer or () if isinstance(one, Acted)), None)
            if did is None:
                return False
            self.changed.append(f"seat {did.seat}: {acted(did)}")
        return legal is None

    def _as_it_fits(self, event: Acted, *, street_came: bool) -> AnyHandCommand | None:
        """A call where there is nothing to call is a check; a check facing a bet is a call where a street came
        behind it: the seat was still there."""
        owes = bool(self._hand.to_call(event.seat))
        if event.action is Action.CALL and not owes:
            return Act(event.seat, Action.CHECK, source=event.source)
        if event.action is Action.CHECK and owes and street_came:
            return Act(event.seat, Action.CALL, source=event.source)
        return once_more(event)

    def _left_over(self, rest: list[AnyEvent]) -> bool:
        acts = [one for one in rest if isinstance(one, Acted) and one.source is not Source.ENGINE]
        self.again = sorted({one.seat for one in acts})
        fits = all(isinstance(one, Acted) or follows(one) for one in rest)
        return fits and bool(acts)

    def _pushed(self, command: AnyHandCommand) -> tuple[AnyEvent, ...] | None:
        answer = self._hand.push(command)
        if isinstance(answer, Refusal):
            return None
        self.steps.append(Push(command))
        return tuple(answer)
