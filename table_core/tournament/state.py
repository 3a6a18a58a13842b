"""What is known of a tournament: one part for each idea, written by the reducers of the module of that name."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from table_core.messages import Chips, Few, Frozen, Many, Millis, Name, Number, Seat
from table_core.rulebook import Rulebook
from table_core.tournament.clock import TournamentClock
from table_core.tournament.events import (
    Barred,
    BountyAsked,
    BustReported,
    CardsDealt,
    DealerSet,
    DisputeOpened,
    Flight,
    HandForHand,
    Instant,
    MoveConfirmed,
    OnFile,
    PenaltyGiven,
    Purchase,
    SeatAt,
    ShownHand,
    StackCounted,
    TablePlan,
)
from table_core.tournament.local_day import LocalDay

# ------------------------------------------------------------------------------------------- what tables report


class TableCount(Frozen, frozen=True):
    """A stack that was counted at a table behind hand `hand`; `was` is what the table had. `no` counts from 1."""

    no: Number
    player: Name
    seat: Seat
    hand: Number
    stack: Chips
    was: Chips


class TableFacts(Frozen, frozen=True):
    """What a table's own events say of it now. Chips in the middle of a hand are in `pot`.

    `hand` is the number of the hand that began last, `level` the number of its level; `small_blind` is None where
    nobody posted it. `started_with` are the stacks at its start. In `in_hand` the hand is not over; while it
    `begins`, NEW HAND can be taken back, and the hand before is not over either. `waits` get no
    cards in the next hand: they came in between button and small blind. `shown` are all that were tabled.
    `counts` are each player's last count, and the last one before it that agreed; `all_in` is the last hand in
    which a seat played a pot with an all-in. `back`: the hand in which a seat had lost its last chips by an award
    that was taken back.
    """

    table: Name
    hand: Number = 0
    in_hand: bool = False
    level: Number = 0
    button: Seat | None = None
    small_blind: Seat | None = None
    big_blind: Seat | None = None
    stacks: dict[Seat, Chips] = msgspec.field(default_factory=dict)
    started_with: dict[Seat, Chips] = msgspec.field(default_factory=dict)
    pot: Chips = Chips(0)
    floor: bool = False  # called, and not there yet
    floor_calls: Number = 0
    waits: Few[Seat] = ()
    shown: Many[ShownHand] = ()
    counts: Many[TableCount] = ()
    all_in: dict[Seat, Number] = msgspec.field(default_factory=dict)
    back: dict[Seat, Number] = msgspec.field(default_factory=dict)
    begins: bool = False


Facts = Mapping[str, TableFacts]


# ----------------------------------------------------------------------------------------------------- the field


class Status(StrEnum):
    WAITING = "waiting"  # on the waiting list
    REGISTERED = "registered"
    PLAYING = "playing"  # has entered and has chips
    BUSTED = "busted"  # the last chips are gone; a place is pending
    OUT = "out"
    CANCELLED = "cancelled"
    LOCKED_OUT = "locked_out"  # waited until entry had ended


@dataclass(slots=True)
class Entrant:
    """A player and what they did about this event. Money in cents."""

    player: str
    registered: Instant
    status: Status
    member: bool = False
    adult: bool = False
    regular: bool = False
    online: bool = False  # signed up from outside, not at the desk
    applied: bool = False  # for membership; the number comes later
    locked_out_before: bool = False  # of the event before this one
    offered: bool = False  # a place that became free
    unsold: bool = False  # a stack in an empty seat, nobody's yet
    signed_in: Instant | None = None
    checked_off: bool = False
    lateness_announced: bool = False
    told_after_first_hand: bool = False
    entries: int = 0
    bought: dict[Purchase, int] = dataclasses.field(default_factory=dict)
    owes: int | None = None  # cents for a rebuy that was announced and counts already
    announced_after: str = ""  # the bust that it took back
    paid: int = 0
    pool: int = 0
    chips: int = 0  # everything ever put in front of the player
    removed: int = 0  # chips of the player that left play
    marks: set[str] = dataclasses.field(default_factory=set)  # penalties that were taken
    away: Instant | None = None
    notified: bool = False
    away_minutes: int | None = None  # as announced
    away_clock_ms: int | None = None  # how far the clock was then
    place: int | None = None
    why_out: str = ""
    suspended: bool = False

    @property
    def in_play(self) -> bool:
        """Whether the player has entered and is not out."""
        return self.status in (Status.PLAYING, Status.BUSTED)


@dataclass(slots=True)
class Undecided:
    """Players who went out together, and whose places a person decides; in the order of their places as they are
    shown. `alone`: one who was disqualified, which may be together with others of `hand` at `table`."""

    players: list[str]
    rule: str
    why: str
    table: str = ""
    hand: int = 0
    alone: bool = False


@dataclass(slots=True)
class FieldState:
    entrants: dict[str, Entrant] = dataclasses.field(default_factory=dict)  # in the order of registration
    busts: dict[str, BustReported] = dataclasses.field(default_factory=dict)  # pending ones
    knockouts: dict[str, int] = dataclasses.field(default_factory=dict)  # by whoever gets the credit
    playing: int = 0
    placed: int = 0  # entrants who have had a place, not only a turn on the waiting list
    out: int = 0
    queued: int = 0  # on the waiting list
    passed: set[str] = dataclasses.field(default_factory=set)  # not there when the last place was offered
    barred: dict[str, Barred] = dataclasses.field(default_factory=dict)
    undecided: list[Undecided] = dataclasses.field(default_factory=list)  # places
    went: dict[str, BustReported] = dataclasses.field(default_factory=dict)  # how each player who is out went out
    seats_of_gone: dict[str, SeatAt] = dataclasses.field(default_factory=dict)  # where they sat
    together: dict[str, list[list[str]]] = dataclasses.field(
        default_factory=dict
    )  # out by hand in one hand, best first

    @property
    def waiting(self) -> list[str]:
        return [name for name, entrant in self.entrants.items() if entrant.status is Status.WAITING]


# ----------------------------------------------------------------------------------------------------- the seats


class MoveStage(StrEnum):
    CONFIRMED = "confirmed"
    IN_TRANSIT = "in_transit"


@dataclass(slots=True)
class Move:
    """A move under way. `rack` is known once the player got up."""

    ordered: MoveConfirmed
    stage: MoveStage = MoveStage.CONFIRMED
    rack: int | None = None
    since: Instant | None = None  # of this stage


@dataclass(slots=True)
class TableSeats:
    """A table's seats as the station assigned them. `vacated`: seats of players who went out there, not taken
    since."""

    plan: TablePlan
    open: bool = False
    closed_by: str = ""  # the rule by which it broke, while it waits for its players to leave
    players: dict[Seat, str] = dataclasses.field(default_factory=dict)
    reserved: dict[Seat, str] = dataclasses.field(default_factory=dict)
    button: Seat | None = None
    vacated: set[Seat] = dataclasses.field(default_factory=set)
    joined: int = 0  # newcomers since the table's last draw
    redrawn: bool = False  # by a draw of all seats after the start, and the button is not drawn yet
    dealer: DealerSet | None = None  # who deals, where that was said
    deck_since: Instant | None = None  # when the deck was changed last

    def free(self) -> list[Seat]:
        """Seats that somebody may be given, in order."""
        every = (Seat(n) for n in range(1, self.plan.seats + 1))
        taken = self.players.keys() | self.reserved.keys() | set(self.plan.unavailable)
        return [seat for seat in every if seat not in taken]


@dataclass(slots=True)
class SeatsState:
    tables: dict[str, TableSeats] = dataclasses.field(default_factory=dict)  # the last one breaks first
    at: dict[str, SeatAt] = dataclasses.field(default_factory=dict)  # of each seated player
    moves: dict[str, Move] = dataclasses.field(default_factory=dict)  # under way
    apart: set[frozenset[str]] = dataclasses.field(default_factory=set)
    drawn: bool = False  # all seats at once
    began_with: int = 0  # tables
    final_since: Instant | None = None  # one table is left of several
    dealt: CardsDealt | None = None  # the last cards for a move

    def open_tables(self) -> list[TableSeats]:
        return [table for table in self.tables.values() if table.open]


# --------------------------------------------------------------------------------------------- money and bounties


@dataclass(slots=True)
class PrizeState:
    """Cents. `agreed` is a deal on the money that is left: who gets how much of it."""

    agreed: dict[str, int] | None = None
    not_shared: int = 0  # what the deal leaves to the winner
    paid: dict[str, int] = dataclasses.field(default_factory=dict)
    best_hand: dict[str, int] | None = None  # what the best hand of the night paid
    moved: dict[str, int] = dataclasses.field(default_factory=dict)  # beside entries and rebuys, by player
    counted: int | None = None  # in the cash box
    posted: tuple[float, ...] | None = None  # per cent by place, as the director set them for this event


@dataclass(slots=True)
class BountyState:
    """`targets` and `hunters` by game, `A` and `B`; `carried` in cents into the game, `over` out of it."""

    targets: dict[str, str] = dataclasses.field(default_factory=dict)
    hunters: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    carried: dict[str, int] = dataclasses.field(default_factory=dict)
    over: dict[str, int] = dataclasses.field(default_factory=dict)
    won: dict[str, int] = dataclasses.field(default_factory=dict)
    paid_in: int = 0
    decided: set[str] = dataclasses.field(default_factory=set)  # games whose money is given
    chips: dict[str, int] = dataclasses.field(default_factory=dict)  # bounty chips that a player holds
    chip_of: dict[str, str] = dataclasses.field(default_factory=dict)  # who holds the chip of a player who is out
    won_by: dict[str, dict[str, int]] = dataclasses.field(default_factory=dict)  # game -> what it paid to whom
    open: dict[str, BountyAsked] = dataclasses.field(default_factory=dict)  # games that a person decides


# ----------------------------------------------------------------------------------------------- chips, penalties


@dataclass(slots=True)
class ChipState:
    """`changed`: what colour-ups added to the chips in play; `corrected`: what the director's corrections added
    to each player's stack. `counts` of each player, and the last colour-up of each table with the counts it had
    reported, both with their `step` among counts and colour-ups. `smallest`: the smallest chip of each table
    that was coloured up. `by_hand`: where no table reports, the stack of each player whom somebody has counted,
    and when."""

    changed: int = 0
    corrected: dict[str, int] = dataclasses.field(default_factory=dict)
    step: int = 0
    counts: dict[str, list[tuple[int, StackCounted]]] = dataclasses.field(default_factory=dict)
    coloured: dict[str, tuple[int, int]] = dataclasses.field(default_factory=dict)
    smallest: dict[str, Chips] = dataclasses.field(default_factory=dict)
    by_hand: dict[str, tuple[int, Instant]] = dataclasses.field(default_factory=dict)


@dataclass(slots=True)
class PenaltyState:
    given: dict[str, PenaltyGiven] = dataclasses.field(default_factory=dict)
    on_file: tuple[OnFile, ...] = ()  # of earlier events
    since: dict[str, Instant] = dataclasses.field(default_factory=dict)  # of time-outs that are not served
    hands: dict[str, tuple[int, int]] = dataclasses.field(default_factory=dict)  # left, behind the table's hand


# ----------------------------------------------------------------------------------------------------- all of it


@dataclass(slots=True)
class State:
    """The tournament. `book` is the rulebook with the organiser's settings."""

    book: Rulebook
    name: str = ""
    seed: str = ""
    starts: Millis | None = None
    day: str = ""  # its date
    local_day: LocalDay | None = None  # that day by the clocks of the place, for times of day
    opened: bool = False
    by_hand: bool = False  # no table reports anything
    carried: tuple[Flight, ...] = ()  # whose bags this event has taken
    bags: dict[str, int] = dataclasses.field(default_factory=dict)  # chips of who is in, as a flight ended
    started: Instant | None = None
    finished: Instant | None = None
    clock: TournamentClock | None = None
    field: FieldState = dataclasses.field(default_factory=FieldState)
    seats: SeatsState = dataclasses.field(default_factory=SeatsState)
    chips: ChipState = dataclasses.field(default_factory=ChipState)
    penalties: PenaltyState = dataclasses.field(default_factory=PenaltyState)
    hand_for_hand: HandForHand | None = None
    prizes: PrizeState = dataclasses.field(default_factory=PrizeState)
    bounties: BountyState = dataclasses.field(default_factory=BountyState)
    moves_made: int = 0
    stopped_by_book: bool = False  # the clock, for moves or disputes
    disputes: dict[str, DisputeOpened] = dataclasses.field(default_factory=dict)  # open ones
    disputes_opened: int = 0
    round_hands: dict[str, int] = dataclasses.field(default_factory=dict)  # hand for hand: played up to, by table
    rounds: int = 0  # of hand for hand
    clock_table: str = ""  # the clock is left to it too
    clock_presses: set[str] = dataclasses.field(default_factory=set)  # of tables, on record
    cancelled: bool = False
    cancelled_by: str = ""  # the rule


def level_in_play(facts: Facts, tables: frozenset[str] | None = None) -> int:
    """The highest level of which a hand has begun, at these tables or at any; 0 before the first hand."""
    return max((fact.level for name, fact in facts.items() if tables is None or name in tables), default=0)
