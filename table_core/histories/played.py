"""A finished hand with the events that came of it: what the writers of histories write from.

The events may be a table's own, out of its ledger, or those of a history played again by the hand engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from table_core.hand.hand import Hand
from table_core.hand.seats import clockwise_from
from table_core.histories.phh_write import action_text
from table_core.histories.recorded import (
    IDLE,
    ActionKind,
    HistoryError,
    RecordedAction,
    RecordedHand,
    Where,
    to_steps,
)
from table_core.histories.telling import as_history, beyond_histories
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    Action,
    AnyEvent,
    BoardDealt,
    BoardRead,
    CardText,
    HandEnded,
    HandMucked,
    HandStarted,
    HandTabled,
    Level,
    PotAwarded,
    Refusal,
    Seat,
)
from table_core.rulebook import Rulebook

_NUMBER = re.compile(r"\d[\d,]*")
HIDDEN = (UNKNOWN_CARD, UNKNOWN_CARD)
_KINDS = {
    Action.FOLD: ActionKind.FOLD,
    Action.CHECK: ActionKind.CHECK_OR_CALL,
    Action.CALL: ActionKind.CHECK_OR_CALL,
    Action.BET: ActionKind.BET_OR_RAISE,
    Action.RAISE: ActionKind.BET_OR_RAISE,
}


class PlayedHand(Struct, frozen=True):
    """A finished hand. `player` gives the player (a seat of `recorded`) that a seat in the events is."""

    recorded: RecordedHand
    events: tuple[AnyEvent, ...]
    player: dict[Seat, Seat]


def play(recorded: RecordedHand, rulebook: Rulebook) -> PlayedHand:
    """Play a history by the hand engine. What was shown or mucked at a moment that a table does not allow is left
    out and noted. Raise `HistoryError` when the rules refuse anything else, or the hand does not end."""
    hand = Hand(rulebook)
    events: list[AnyEvent] = []
    idle: set[int] = set()
    for command, action in to_steps(recorded):
        answer = hand.push(command)
        if not isinstance(answer, Refusal):
            events += answer
        elif action is not None and action.kind in (ActionKind.SHOW, ActionKind.MUCK):
            idle.add(action.number)
        else:
            where = f"action {action.number} {action.text!r}: " if action else ""
            kind = f"{_NUMBER.sub('n', answer.reason)} ({answer.rule})"
            line = action.line if action else None
            raise HistoryError(recorded.file, line, f"{where}{answer.reason} ({answer.rule})", kind)
    if not hand.ended:
        waiting = "a board card" if hand.awaiting_board else f"seat {hand.to_act}"
        problem = f"the hand is not finished; expected {waiting} next"
        raise HistoryError(recorded.file, None, problem, "not finished")
    if idle:
        actions = tuple(action for action in recorded.actions if action.number not in idle)
        recorded = replace(recorded, actions=actions, notes=(*recorded.notes, IDLE))
    return PlayedHand(recorded, tuple(events), {entry.seat: entry.seat for entry in recorded.seats})


def from_events(events: Iterable[AnyEvent], *, file: str = "", where: Where | None = None) -> PlayedHand:
    """The finished hand that a table's events tell; cards that were not shown are unknown.

    `events` are one hand's, with `HandStarted` and `HandEnded`, without those that were cut. The seats in
    `where` are set here. Raise `HistoryError` for a hand that no history can tell, `ValueError` for one that is
    not finished.
    """
    events = tuple(events)
    beyond = beyond_histories(events)
    if beyond:
        raise HistoryError(file, None, f"{beyond}, which no hand history can tell")
    events = tuple(as_history(events))
    started = next((event for event in events if isinstance(event, HandStarted)), None)
    ended = next((event for event in reversed(events) if isinstance(event, HandEnded)), None)
    if started is None or ended is None:
        raise ValueError("not the events of one finished hand: expected hand_started and hand_ended among them")
    order = clockwise_from(started.button, [entry.seat for entry in started.seats])
    player = {seat: Seat(number) for number, seat in enumerate(order, 1)}
    seated = {entry.seat: entry for entry in started.seats}
    left = {share.seat: share.amount for share in ended.stacks}
    holes, board = _shown(events, player), _board(events)
    recorded = RecordedHand(
        file=file,
        hand=started.hand,
        players=tuple(seated[seat].player or f"Player {seat}" for seat in order),
        starting_stacks=tuple(seated[seat].stack for seat in order),
        finishing_stacks=tuple(left[seat] for seat in order),
        level=_level(started.level),
        button=Seat(len(order)),
        small_blind=None if started.small_blind is None else player.get(started.small_blind),
        big_blind=player[started.big_blind],
        actions=_actions(events, player, holes, board),
        hole_cards={number: holes.get(number, HIDDEN) for number in player.values()},
        board=board,
        winners=_winners(events, player),
        where=replace(where or Where(), seats=order, button=None if started.button in player else started.button),
    )
    return PlayedHand(recorded, events, player)


def _level(level: Level) -> Level:
    """What a history says of a level: not how long it lasts."""
    return Level(level.no, level.small_blind, level.big_blind, level.ante, level.big_blind_ante)


def _shown(events: Sequence[AnyEvent], player: dict[Seat, Seat]) -> dict[Seat, tuple[CardText, ...]]:
    """Each player's tabled cards, as they were read last."""
    return {player[event.seat]: event.cards for event in events if isinstance(event, HandTabled)}


def _board(events: Sequence[AnyEvent]) -> tuple[CardText, ...]:
    """The board as it was read last."""
    board: tuple[CardText, ...] = ()
    for event in events:
        if isinstance(event, BoardDealt):
            board += event.cards
        elif isinstance(event, BoardRead):
            board = event.cards
    return board


def _winners(events: Sequence[AnyEvent], player: dict[Seat, Seat]) -> tuple[Seat, ...]:
    """Who won pots by the dealer's word."""
    awards = [event for event in events if isinstance(event, PotAwarded) and event.why == "dealer"]
    return tuple(sorted({player[share.seat] for award in awards for share in award.shares}))


def _actions(
    events: Sequence[AnyEvent],
    player: dict[Seat, Seat],
    holes: dict[Seat, tuple[CardText, ...]],
    board: tuple[CardText, ...],
) -> tuple[RecordedAction, ...]:
    """The hand's entries: the deal first, cards as they were read last, each hand tabled once."""
    entries = [RecordedAction(0, 0, "", ActionKind.DEAL_HOLE, no, holes.get(no, HIDDEN)) for no in player.values()]
    dealt, shown = 0, set[Seat]()
    for event in events:
        match event:
            case BoardDealt():
                cards = board[dealt : dealt + len(event.cards)]
                dealt += len(event.cards)
                entries.append(RecordedAction(0, 0, "", ActionKind.DEAL_BOARD, None, cards))
            case Acted():
                kind = _KINDS[event.action]
                to = event.to if kind is ActionKind.BET_OR_RAISE else None
                entries.append(RecordedAction(0, 0, "", kind, player[event.seat], (), to))
            case HandTabled() if player[event.seat] not in shown:
                seat = player[event.seat]
                shown.add(seat)
                entries.append(RecordedAction(0, 0, "", ActionKind.SHOW, seat, holes[seat]))
            case HandMucked():
                entries.append(RecordedAction(0, 0, "", ActionKind.MUCK, player[event.seat]))
    return tuple(replace(entry, number=no, text=action_text(entry)) for no, entry in enumerate(entries, 1))
