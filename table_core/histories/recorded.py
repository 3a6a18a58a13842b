"""A hand that somebody recorded, whatever the format it was written in."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct

from table_core.messages import (
    Act,
    Action,
    AnyHandCommand,
    AwardPots,
    CardText,
    Chips,
    DealBoard,
    Level,
    MuckHand,
    Seat,
    SeatStack,
    StartHand,
    TableHand,
)


class HistoryError(ValueError):
    """A hand history that cannot be read: file, line, what is wrong there and what was expected."""

    def __init__(self, file: str, line: int | None, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}" if line else f"{file}: {problem}")
        self.file = file
        self.line = line
        self.problem = problem


class ActionKind(StrEnum):
    """What a recorded action is."""

    DEAL_HOLE = "deal_hole"
    DEAL_BOARD = "deal_board"
    FOLD = "fold"
    CHECK_OR_CALL = "check_or_call"
    BET_OR_RAISE = "bet_or_raise"
    SHOW = "show"
    MUCK = "muck"


class RecordedAction(Struct, frozen=True):
    """One entry of a history. `number` counts the entries from 1, `line` the lines of the file."""

    number: int
    line: int
    text: str
    kind: ActionKind
    seat: Seat | None = None
    cards: tuple[CardText, ...] = ()
    to: Chips | None = None  # total in front after a bet or raise


class Where(Struct, frozen=True):
    """Where and when a hand was played, as far as its history says so. Seats here are the table's own."""

    event: str = ""
    table: str = ""
    seat_count: int | None = None
    seats: tuple[Seat, ...] = ()  # the table's seat number of each player; () when unknown
    button: Seat | None = None  # the seat with the disc, where nobody was dealt in; None: the last player's
    started: str = ""  # UTC, ISO 8601, "2026-11-21T07:36:05Z"


class RecordedHand(Struct, frozen=True):
    """One hand as recorded. Seats are its players, counted from 1 clockwise from the button."""

    file: str
    hand: int
    players: tuple[str, ...]
    starting_stacks: tuple[Chips, ...]
    finishing_stacks: tuple[Chips, ...] | None
    level: Level
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    actions: tuple[RecordedAction, ...]
    hole_cards: dict[Seat, tuple[CardText, ...]]  # `"??"` for cards that the file does not know
    board: tuple[CardText, ...]
    winners: tuple[Seat, ...] = ()  # winners as the dealer said; () when the cards decide
    where: Where = Where()
    more: dict[str, Any] = {}  # fields of its file that the program does not use

    @property
    def table_seats(self) -> tuple[Seat, ...]:
        """The table's seat number of each player; 1 to n where the history does not say."""
        return self.where.seats or tuple(Seat(number) for number in range(1, len(self.players) + 1))

    @property
    def button_seat(self) -> Seat:
        """The table's seat that has the disc."""
        return self.where.button or self.table_seats[self.button - 1]

    @property
    def seats(self) -> tuple[SeatStack, ...]:
        """Who sits where with how much when the hand begins."""
        return tuple(
            SeatStack(Seat(number), stack, player)
            for number, (stack, player) in enumerate(zip(self.starting_stacks, self.players, strict=True), 1)
        )


RecordedStep = tuple[AnyHandCommand, RecordedAction | None]


def to_steps(recorded: RecordedHand) -> tuple[RecordedStep, ...]:
    """The commands that play the hand, each with the entry it comes from (None where the rules imply it)."""
    steps: list[RecordedStep] = [(_start(recorded), None)]
    live = len(recorded.starting_stacks)
    for action in recorded.actions:
        live -= action.kind is ActionKind.FOLD
        command = _command(action)
        if command is not None:
            steps.append((command, action))
    if live > 1:
        steps.append((AwardPots(recorded.winners), None))
    return tuple(steps)


def to_commands(recorded: RecordedHand) -> tuple[AnyHandCommand, ...]:
    """The commands that play the hand, from the first riffle to the award."""
    return tuple(command for command, _ in to_steps(recorded))


def _start(recorded: RecordedHand) -> StartHand:
    return StartHand(
        hand=recorded.hand,
        button=recorded.button,
        small_blind=recorded.small_blind,
        big_blind=recorded.big_blind,
        level=recorded.level,
        seats=recorded.seats,
    )


def _command(action: RecordedAction) -> AnyHandCommand | None:
    """The engine's command for an entry; None for hole cards, which the engine never sees."""
    if action.kind is ActionKind.DEAL_BOARD:
        return DealBoard(action.cards)
    if action.seat is None:
        return None
    match action.kind:
        case ActionKind.FOLD:
            return Act(action.seat, Action.FOLD)
        case ActionKind.CHECK_OR_CALL:
            return Act(action.seat, Action.CALL)  # a call of nothing is a check
        case ActionKind.BET_OR_RAISE:
            return Act(action.seat, Action.RAISE, action.to)
        case ActionKind.SHOW:
            return TableHand(action.seat, action.cards)
        case ActionKind.MUCK:
            return MuckHand(action.seat)
        case _:
            return None
