"""What a ruling has a seat do, or leave, at its next turn, whoever or whatever says that it acted.

`HandState.duties` has them by seat index, and is empty in nearly every hand. They end with the seat's own action,
and with the betting of the street.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from table_core.hand.state import HandState
from table_core.messages import Act, Acted, Action, Chips, Duty, Owes, Source

_MAY: Final = {Owes.NO_RAISE: "check, call or fold", Owes.MUST_CALL: "check or call"}
_BOUND: Final = (Owes.CALL, Owes.BET)
_CHECK: Final = Action.CHECK


def no_raise(state: HandState, index: int) -> Duty | None:
    """The duty by which the seat may neither bet nor raise."""
    return next((duty for duty in state.duties.get(index, ()) if duty.owes in _MAY), None)


def no_fold(state: HandState, index: int) -> Duty | None:
    """The duty by which the seat may not fold: it calls the bet, or its check binds while nobody has bet."""
    bet = state.high > state.bets[index]
    owed = (duty for duty in state.duties.get(index, ()) if duty.owes is Owes.MUST_CALL)
    return next((duty for duty in owed if bet or duty.until_wager), None)


def words(state: HandState, index: int, duty: Duty) -> str:
    """Why an action is refused."""
    return f"By a ruling seat {state.ring.seats[index]} may only {_MAY[duty.owes]}; 41 FLOOR rules otherwise."


def is_bound(state: HandState) -> bool:
    """Whether the seat to act has no choice."""
    return any(duty.owes in _BOUND for duty in state.duties.get(state.to_act, ()))


def bound(state: HandState) -> Iterator[Act]:
    """What the seat to act is bound to do, the first that is legal: a raise to which the betting is closed is a
    call. Nothing for a seat that chooses itself."""
    seat = state.ring.seats[state.to_act]
    for duty in state.duties.get(state.to_act, ()):
        if duty.owes is Owes.BET and duty.to is not None:
            to = (2 * duty.to + state.unit) // (2 * state.unit) * state.unit
            yield Act(seat, Action.BET, Chips(max(to, state.least_to)), Source.ENGINE)
        if duty.owes in _BOUND:
            yield Act(seat, Action.CALL, source=Source.ENGINE)


def follow_action(state: HandState, index: int, event: Acted) -> None:
    """The seat that acted owes nothing more; chips that went in lift what held until then, and so does anything
    but a check what holds behind a check alone."""
    left = {}
    for other, owed in state.duties.items():
        next_to_act = other == state.to_act
        still = [
            duty
            for duty in owed
            if not (duty.until_wager and event.added)
            and not (duty.behind_check and next_to_act and event.action is not _CHECK)
        ]
        if still and other != index:
            left[other] = tuple(still)
    state.duties = left
