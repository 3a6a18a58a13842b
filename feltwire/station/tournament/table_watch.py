"""What one table's events say about the tournament: facts, players who are out of chips, racks that left.

Computed from the collected events alone, so a station that is started again knows the same.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field

from table_core.messages import (
    At,
    AwaySet,
    Chips,
    ClockAsked,
    Counted,
    Envelope,
    FloorCalled,
    HandEnded,
    HandResumed,
    HandStarted,
    HandTabled,
    PotAwarded,
    Rewound,
    Seat,
    SeatsChanged,
    SeatsSet,
    SeatStack,
    Source,
)
from table_core.projections.next_hand import waiting
from table_core.projections.table import TableProjection
from table_core.projections.table_state import SeatState
from table_core.tournament.events import Out, ShownHand
from table_core.tournament.state import TableCount, TableFacts

CHANGES = (
    *(SeatsChanged, SeatsSet, Counted, Rewound, HandEnded, HandTabled, HandStarted, HandResumed),
    *(FloorCalled, ClockAsked, AwaySet),
)
DRAW = "draw-"  # a table's first seats of this tournament, with the number of the record that drew them
KEPT_HANDS = 8
LEFT = "left-"  # who left, left by the tournament's record with this number: the later one holds


def record_of(event: SeatsChanged) -> int:
    """The record by which players left; 0 where nobody did."""
    return max((int(mark.removeprefix(LEFT)) for mark in event.marks if mark.startswith(LEFT)), default=0)


@dataclass(frozen=True, slots=True)
class Began:
    """A hand that began: its level, and the time by the table's clock."""

    level: int
    at: At


@dataclass(slots=True)
class Changes:
    """How often seats, stacks or hands have changed at any table."""

    count: int = 0


@dataclass(slots=True)
class TableWatch:
    """`prefix` begins the ids of this tournament's commands; `changes` are counted over all tables. `draw` is the
    draw under which the table plays, empty before its first seats."""

    table: str
    prefix: str
    changes: Changes
    draw: str = ""
    level: int = 0
    began: dict[int, Began] = field(default_factory=dict)  # the last hands
    started_with: dict[Seat, Chips] = field(default_factory=dict)
    busts: dict[int, tuple[Out, ...]] = field(default_factory=dict)  # by hand
    out: dict[Seat, tuple[str, int]] = field(default_factory=dict)  # who lost the last chips there, in which hand
    back: dict[str, int] = field(default_factory=dict)  # whose last chips came back by an UNDO, and of which hand
    all_in: dict[int, tuple[Seat, ...]] = field(default_factory=dict)  # seats of pots with an all-in, by hand
    counts: dict[str, tuple[TableCount, ...]] = field(default_factory=dict)  # the last that agreed, and the last
    counted: int = 0
    shown: dict[int, tuple[ShownHand, ...]] = field(default_factory=dict)  # hands that were tabled, by hand
    marks: set[str] = field(default_factory=set)
    left: dict[str, tuple[int, int]] = field(default_factory=dict)  # player -> record, rack
    away: dict[str, tuple[str, bool]] = field(default_factory=dict)  # player -> the last key, away or back
    in_hand: bool = False
    floor: bool = False
    floor_calls: int = 0
    smallest_chip: int = 0  # that the station said; 0: that of the table's configuration
    clock_asked: tuple[str, bool] | None = None  # the last: which event, and whether the clock is to run
    presence_at: tuple[int, int] = (0, 0)  # epoch and seq of the last event that may have changed who is away
    _had_away: dict[str, bool] = field(default_factory=dict)  # player -> away, before the newest event
    _seats: dict[Seat, SeatState] = field(default_factory=dict)
    _facts: TableFacts | None = None

    @property
    def heard(self) -> bool:
        """The table has said something."""
        return bool(self._seats)

    def saw(self, envelope: Envelope, table: TableProjection) -> None:
        """`table` has this event already."""
        event = envelope.data
        self._facts = None
        self._seats = table.seats
        self.in_hand = table.in_hand
        if isinstance(event, AwaySet | SeatsChanged | SeatsSet | Rewound):
            self.presence_at = (envelope.epoch, envelope.seq)
        if isinstance(event, FloorCalled):
            self.floor, self.floor_calls = event.on, self.floor_calls + event.on
        elif isinstance(event, ClockAsked):
            self.clock_asked = f"{self.table}/{envelope.epoch}/{envelope.seq}", event.running
        elif isinstance(event, SeatsChanged):
            self._seats_changed(event, own=envelope.cause.startswith(f"command/{self.prefix}"))
        elif isinstance(event, Counted):
            self._counted(event, table)
        elif isinstance(event, AwaySet) and event.source is Source.DIRECTOR:
            pass  # the station said so itself
        elif isinstance(event, AwaySet) and event.seat in table.seats:
            mark = f"away-{self.table}-{envelope.epoch}-{envelope.seq}"
            self.away[table.seats[event.seat].player] = mark, event.away
        elif isinstance(event, HandEnded):
            self._busted(event.hand, table)
            self._hands_shown(table)
            if table.hand is not None and table.hand.all_in:
                self.all_in[event.hand] = tuple(table.hand.live_seats)
        elif isinstance(event, Rewound) and table.hand is not None:
            self.busts.pop(table.hand_number, None)
            self.back |= {player: hand for player, hand in self.out.values() if hand == table.hand_number}
            self.out = {seat: one for seat, one in self.out.items() if one[1] != table.hand_number}
            self.shown.pop(table.hand_number, None)
            self.all_in.pop(table.hand_number, None)
            if table.hand.ended:
                self._busted(table.hand_number, table)
                self._hands_shown(table)
        elif isinstance(event, HandTabled):  # a winner may show afterwards
            self._hands_shown(table)
        if isinstance(event, HandStarted | HandResumed | Rewound) and table.hand_log:
            self.level = table.began().level.no
            self.started_with = {one.seat: one.stack for one in table.stacks_at_start()}
        if isinstance(event, HandStarted | HandResumed):
            self.began = dict([*self.began.items()][-KEPT_HANDS:]) | {
                event.hand: Began(event.level.no, envelope.at)
            }
        elif isinstance(event, Rewound):  # perhaps of NEW HAND
            self.began = {hand: began for hand, began in self.began.items() if hand <= table.hand_number}
        if isinstance(event, Rewound):
            self._presence_taken_back(f"away-{self.table}-{envelope.epoch}-{envelope.seq}")
        self._had_away = {held.player: held.away for held in table.seats.values()}
        if isinstance(event, CHANGES):
            self.changes.count += 1

    def _presence_taken_back(self, mark: str) -> None:
        """An UNDO or REDO of AWAY is the dealer's word as well: else the records would have it done again."""
        for held in self._seats.values():
            if held.player and held.away != self._had_away.get(held.player, held.away):
                self.away[held.player] = mark, held.away

    def _counted(self, event: Counted, table: TableProjection) -> None:
        held = table.seats.get(event.seat)
        if held is not None and held.player:
            self.counted += 1
            hand, was = table.hand_number - table.in_hand, Chips(max(event.was, 0))
            count = TableCount(self.counted, held.player, event.seat, hand, event.stack, was)
            before = [one for one in self.counts.get(held.player, ()) if one.stack == one.was]
            self.counts[held.player] = (count,) if count.stack == was else (*before, count)

    def _busted(self, hand: int, table: TableProjection) -> None:
        self.busts[hand] = _out(table)
        gone = {one.player for one in self.busts[hand]}
        self._not_back(gone)
        self.out |= {seat: (held.player, hand) for seat, held in table.seats.items() if held.player in gone}

    def _not_back(self, players: Set[str]) -> None:
        self.back = {player: hand for player, hand in self.back.items() if player not in players}

    def _hands_shown(self, table: TableProjection) -> None:
        """Those that lie face up at the end of the hand; a card that nobody read is `"??"`."""
        if table.hand is None or not table.hand.ended:
            return
        self.shown.pop(table.hand_number, None)
        if not table.hand.tabled:
            return  # most hands: nothing is kept of them all night
        number, board = table.hand_number, table.hand.board
        self.shown[number] = tuple(
            ShownHand(table.seats[seat].player, self.table, number, cards, board)
            for seat, cards in sorted(table.hand.tabled.items())
            if len(cards) == 2 and seat in table.seats and table.seats[seat].player
        )

    def _seats_changed(self, event: SeatsChanged, *, own: bool) -> None:
        if not own:
            return
        draw = next((mark for mark in event.marks if mark.startswith(DRAW)), "")
        if draw:
            self.away = {}
            self.draw, self.level, self.began = draw, 0, {}
            self.started_with, self.busts, self.shown, self.marks, self.left = {}, {}, {}, set(), {}
            self.all_in, self.out, self.back, self.counts, self.counted = {}, {}, {}, {}, 0
        else:
            self._not_back({one.player for one in event.left})
            self.left |= {one.player: (record_of(event), one.stack) for one in event.left}
        self.marks |= set(event.marks)
        self.smallest_chip = event.smallest_chip or self.smallest_chip

    def presence(self) -> dict[Seat, tuple[str, bool, bool]]:
        """Each player, whether the table has the player away, and without cards."""
        return {seat: (held.player, held.away, held.no_cards) for seat, held in self._seats.items()}

    def sits(self) -> dict[Seat, SeatStack]:
        """Who sits there between hands, with the stack."""
        return {seat: SeatStack(seat, Chips(held.stack), held.player) for seat, held in self._seats.items()}

    def facts(self, table: TableProjection) -> TableFacts:
        """For the core; nothing before the table plays in this tournament."""
        if not self.draw:
            return TableFacts(self.table)
        if self._facts is None:
            view = table.view()
            self._facts = TableFacts(
                self.table,
                hand=table.hand_number,
                in_hand=table.in_hand,
                begins=table.in_hand and table.before_hand is not None,
                level=self.level,
                button=table.button,
                small_blind=table.small_blind if table.hand_number else None,
                big_blind=table.big_blind if table.hand_number else None,
                stacks={seat.seat: seat.stack for seat in view.seats},
                started_with=self.started_with,
                pot=view.pot,
                counts=tuple(count for counts in self.counts.values() for count in counts),
                all_in={seat: hand for hand, seats in sorted(self.all_in.items()) for seat in seats},
                back={
                    seat: self.back[held.player] for seat, held in table.seats.items() if held.player in self.back
                },
                shown=tuple(hand for shown in self.shown.values() for hand in shown),
                floor=self.floor,
                floor_calls=self.floor_calls,
                waits=() if table.in_hand else waiting(table),
            )
        return self._facts


def _out(table: TableProjection) -> tuple[Out, ...]:
    """Who lost the last chips in the hand that is over, with the stack at its start and who won it."""
    assert table.hand is not None
    names = {seat: held.player for seat, held in table.seats.items()}
    awarded = [logged.event for logged in table.hand_log if isinstance(logged.event, PotAwarded)]
    return tuple(
        Out(began.player, began.stack, tuple(dict.fromkeys(_winners(began.seat, awarded, names))))
        for began in table.stacks_at_start()
        if began.stack and began.player and began.seat in table.seats and not table.seats[began.seat].stack
    )


def _winners(seat: Seat, awarded: list[PotAwarded], names: dict[Seat, str]) -> list[str]:
    pots = [pot for pot in awarded if seat in pot.eligible]
    return [names[share.seat] for pot in pots for share in pot.shares if share.amount and names.get(share.seat)]
