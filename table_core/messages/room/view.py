"""The whole room as the director's page shows it."""

from __future__ import annotations

from enum import StrEnum

from table_core.messages.base import (
    Few,
    Frozen,
    Many,
    Name,
    Number,
    Seat,
    Text,
)
from table_core.messages.room.clock import ClockState


class Liveness(StrEnum):
    """How lately a table was heard: it answers every beat of the station."""

    LIVE = "live"
    STALE = "stale"  # for more than two of its beats
    SILENT = "silent"  # for ten


class CellState(StrEnum):
    PLAYING = "playing"
    BETWEEN_HANDS = "between_hands"
    HELD = "held"  # no new hand is to begin
    EMPTY = "empty"  # nobody sits there, or nothing is known of it
    CLOSED = "closed"  # it plays no longer in this tournament
    BY_HAND = "by_hand"  # no table reports the event: nothing but who sits there is known
    NOT_SHOWN = "not_shown"  # a fault: what it does cannot be shown


class Cell(Frozen, frozen=True):
    """One table among many: as much of it as a small field on a page shows.

    `heard_ms_ago` is given where it is not live; `to_act_ms` how long the seat has been to act; `chips_agree`
    whether its counted stacks are those of the records, None: nobody counted; `trouble` the worst severity of its
    items in the queue, and `taken_by` who comes for it; `by_hand`: it has no device.
    """

    table: Name
    state: CellState
    link: Liveness
    heard_ms_ago: Number = 0
    epoch: Number = 0
    as_of: Number = 0
    hand: Number = 0
    street: Name = ""
    seats: Few[Seat] = ()
    button: Seat | None = None
    to_act: Seat | None = None
    to_act_ms: Number = 0
    level: Number = 0
    chips_agree: bool | None = None
    trouble: Name = ""
    taken_by: Text = ""
    by_hand: bool = False


class RoomView(Frozen, frozen=True):
    venue: Name
    rulebook: Name
    cells: Many[Cell]
    clock: ClockState | None
