"""A hand that somebody recorded, whatever the format it was written in."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from table_core.messages import (
    UNKNOWN_CARD,
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
    """A hand history that cannot be read: file, line, what is wrong there and what was expected. `kind` is a word
    or two for sums of many."""

    def __init__(self, file: str, line: int | None, problem: str, kind: str = "cannot be read") -> None:
        super().__init__(f"{file}:{line}: {problem}" if line else f"{file}: {problem}")
        self.file = file
        self.line = line
        self.problem = problem
        self.kind = kind


MOST_PLAYERS = 30  # of a hand; what takes the square of them stays small


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
    line: int | None
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
    then: tuple[tuple[Seat, ...], ...] = ()  # of pots that none of `winners` was in, group by group
    extra_small_blinds: tuple[Seat, ...] = ()  # who posted what they had missed
    extra_big_blinds: tuple[Seat, ...] = ()
    dead: dict[Seat, Chips] = {}  # chips that lay in the pot before the blinds, and whose they were
    winnings: tuple[Chips, ...] | None = None  # collected from the pots, behind the rake
    rake: Chips | None = None  # None: not stated, and what `winnings` lack
    unit: str = "1"  # the file's amount that is one chip here
    notes: tuple[str, ...] = ()  # what of the file has no part in the hand, in words for sums of many
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


IDLE = "a hand shown or mucked without effect"


def without_idle_shows(recorded: RecordedHand) -> RecordedHand:
    """The hand without what seats showed that had folded, or showed or mucked before they tabled both cards, or
    again, or mucked and won: it changes nothing, and is a note."""
    live = {*range(1, len(recorded.starting_stacks) + 1)}
    tabled: dict[Seat | None, int] = {}  # where a seat tabled both cards for the first time
    for at, action in enumerate(recorded.actions):
        if action.kind is ActionKind.SHOW and UNKNOWN_CARD not in action.cards:
            tabled.setdefault(action.seat, at)
    actions = []
    for at, action in enumerate(recorded.actions):
        if action.kind is ActionKind.FOLD and action.seat is not None:
            live.discard(action.seat)
        is_shown = action.kind in (ActionKind.SHOW, ActionKind.MUCK)
        has_won = action.kind is ActionKind.MUCK and action.seat in recorded.winners
        if not is_shown or (action.seat in live and tabled.get(action.seat, at) == at and not has_won):
            actions.append(action)
    idle = len(recorded.actions) - len(actions)
    return replace(recorded, actions=tuple(actions), notes=(*recorded.notes, *[IDLE] * bool(idle)))


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
        steps.append((AwardPots(recorded.winners, then=recorded.then), None))
    return tuple(steps)


def _start(recorded: RecordedHand) -> StartHand:
    return StartHand(
        hand=recorded.hand,
        button=recorded.button,
        small_blind=recorded.small_blind,
        big_blind=recorded.big_blind,
        level=recorded.level,
        seats=tuple(
            replace(entry, stack=Chips(entry.stack - recorded.dead.get(entry.seat, 0))) for entry in recorded.seats
        ),
        carried=Chips(sum(recorded.dead.values())),
        extra_small_blinds=recorded.extra_small_blinds,
        extra_big_blinds=recorded.extra_big_blinds,
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
