"""Replace one action in the middle of a hand, and play the rest again as far as it stays legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from table_core.hand.hand import Hand
from table_core.hand.reducers import begins_step
from table_core.messages import (
    Act,
    Acted,
    Action,
    AnyEvent,
    AnyHandCommand,
    AwardPots,
    AwaySet,
    BetCorrected,
    BetReturned,
    BoardDealt,
    BoardRead,
    CallMisdeal,
    CardExposed,
    ChopBlinds,
    CloseDeal,
    CorrectBet,
    Counted,
    CountStack,
    DealBoard,
    DealClosed,
    ExposeCard,
    HandKilled,
    HandMucked,
    HandResumed,
    HandRetrieved,
    HandsBeaten,
    HandStarted,
    HandTabled,
    KillHand,
    Misdealt,
    MuckHand,
    Posted,
    PotAwarded,
    ReadBoard,
    Refusal,
    Report,
    ResultEntered,
    ResultOnly,
    ResumeHand,
    RetrieveHand,
    SetAway,
    StartHand,
    Straddle,
    TableHand,
)
from table_core.rulebook import Rulebook

Events = tuple[AnyEvent, ...]


def replace_action(
    events: Sequence[AnyEvent],
    index: int,
    command: AnyHandCommand,
    rulebook: Rulebook,
    *,
    smallest_chip: int = 1,
) -> tuple[Events, Events] | Refusal:
    """The hand with `command` in place of the step that begins at `events[index]`, and what had to be dropped.

    Later steps are played again in order; the first one that is no longer legal and everything after it are
    dropped. A refusal when `command` itself is refused there. Raise `IndexError` when no step begins at `index`.
    """
    steps = _steps(events, rulebook, smallest_chip)
    starts = [start for start, _ in steps]
    if index not in starts:
        raise IndexError(f"no step begins at event {index}; steps begin at {starts}")
    hand = Hand(rulebook, smallest_chip=smallest_chip)
    played = list(events[:index])
    for event in played:
        hand.apply(event)
    answer = hand.push(command)
    if isinstance(answer, Refusal):
        return answer
    played += answer
    for start, again in steps[starts.index(index) + 1 :]:
        answer = hand.push(again)
        if isinstance(answer, Refusal):
            return tuple(played), tuple(events[start:])
        played += answer
    return tuple(played), ()


def _steps(events: Sequence[AnyEvent], rulebook: Rulebook, smallest_chip: int) -> list[tuple[int, AnyHandCommand]]:
    """Where each step begins, and the command that made it."""
    hand = Hand(rulebook, smallest_chip=smallest_chip)
    steps = []
    for index, event in enumerate(events):
        if begins_step(hand.state, event):
            # Who won is told by the award, not by the losers killed before it.
            command = command_of(events[index + 1] if isinstance(event, HandsBeaten) else event)
            if command is not None:
                steps.append((index, command))
        hand.apply(event)
    return steps


def command_of(event: AnyEvent) -> AnyHandCommand | None:
    """The command that a step's first event answered; None for events that are not about the hand."""
    command = _plain(event)
    if command is None:
        return None
    flagged = getattr(event, "flag", "")
    all_in = isinstance(event, Acted) and event.all_in
    return Report(command, all_in) if flagged else command


def _plain(event: AnyEvent) -> Any:
    match event:
        case HandStarted():
            return StartHand(
                event.hand,
                event.button,
                event.small_blind,
                event.big_blind,
                event.level,
                event.seats,
                event.source,
                event.extra_small_blinds,
                event.extra_big_blinds,
                event.away,
                event.carried,
            )
        case Acted():
            wager = event.action in (Action.BET, Action.RAISE) or event.flag
            return Act(event.seat, event.action, event.to if wager else None, event.source)
        case BoardDealt():
            return DealBoard(event.cards, event.sources)
        case BoardRead():
            return ReadBoard(event.cards, event.sources)
        case HandTabled():
            return TableHand(event.seat, event.cards, event.sources)
        case HandMucked():
            return MuckHand(event.seat, event.source)
        case PotAwarded():
            named = event.why == "dealer"
            return AwardPots(tuple([share.seat for share in event.shares]) if named else ())
    return _ruling(event)


def _ruling(event: AnyEvent) -> Any:
    match event:
        case BetReturned():
            return ChopBlinds()
        case Posted():
            return Straddle(event.seat, event.source)
        case Counted():
            return CountStack(event.seat, event.stack, event.source)
        case AwaySet():
            return SetAway(event.seat, event.away, event.source)
        case DealClosed():
            return CloseDeal()
        case CardExposed():
            return ExposeCard(event.to, event.card, event.sources)
        case HandKilled():
            return KillHand(event.seat, event.why, event.rule, event.source)
        case HandRetrieved():
            return RetrieveHand(event.seat, event.source)
        case BetCorrected():
            return CorrectBet(event.seat, event.source)
        case Misdealt():
            return CallMisdeal(event.why, event.source)
        case ResultEntered():
            return ResultOnly(event.winners, event.stacks, event.source)
        case HandResumed():
            return ResumeHand(
                event.hand,
                event.button,
                event.small_blind,
                event.big_blind,
                event.level,
                event.street,
                event.board,
                event.seats,
                event.pots,
                event.to_act,
                event.last_raise,
                event.source,
            )
    return None
