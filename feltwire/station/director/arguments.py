"""The arguments of the director's commands, as the pages send them."""

from __future__ import annotations

from typing import TypeVar

from feltwire.station.station_io import Directed
from table_core.messages import (
    Amount,
    Few,
    Frozen,
    HandNumber,
    Level,
    Name,
    Number,
    ResumeHand,
    Said,
    Seat,
    SeatStack,
    convert,
)
from table_core.tracker.hands.rewinding import Instead

A = TypeVar("A", bound=Frozen)


class SelectLevel(Frozen, frozen=True):
    """A level by its number, or anything in the schedule (a break too) by its `entry`, counted from 0."""

    level: int | None = None
    entry: int | None = None


class SeatsWanted(Frozen, frozen=True):
    """*Resume from here*: who sits where with how much, who has the button, which hand and level come next."""

    table: Name
    seats: Few[SeatStack]
    button: Seat | None = None
    hand: HandNumber | None = None
    level: Level | None = None
    if_epoch: Number | None = None
    if_seq: Number | None = None


class HandWanted(Frozen, frozen=True):
    """*Resume from here* within a hand: how things stand, `hand` with the fields of `ResumeHand`."""

    table: Name
    hand: ResumeHand
    if_epoch: Number | None = None
    if_seq: Number | None = None


class RulingWanted(Frozen, frozen=True):
    """A ruling on an incident at a table (`table_core/rulings`).

    Without an `option` the table is only asked; `dismiss` closes the incident. `question` is the open one that it
    decides, None where it opens its own. `if_seq` in `if_epoch` is the last event that the page had shown.
    """

    table: Name
    incident: Name
    option: Name = ""
    question: Number | None = None
    seat: Seat | None = None
    amount: Amount | None = None
    ruler: Name = ""
    reason: Said = ""
    note: Said = ""
    if_epoch: Number | None = None
    if_seq: Number | None = None


class TakeBackWanted(Frozen, frozen=True):
    """Take back the director's last ruling at a table."""

    table: Name
    ruler: Name = ""
    if_epoch: Number | None = None
    if_seq: Number | None = None


class RewindWanted(Frozen, frozen=True):
    """Take back the fact `seq` of the hand in progress and what is behind it; `instead` takes its place."""

    table: Name
    seq: Number
    instead: Instead | None = None
    if_epoch: Number | None = None
    if_seq: Number | None = None


class CountWanted(Frozen, frozen=True):
    """The dealer is to count the stack of a seat."""

    table: Name
    seat: Seat


class PictureWanted(Frozen, frozen=True):
    """The picture of a table's camera."""

    table: Name


class ScreenWanted(Frozen, frozen=True):
    """A phone that asks at a `table`, or was let in there; no table: at the station. `read_along`: the director
    has read that what it sends as a director can be read along."""

    table: Name
    screen: Name
    read_along: bool = False


class DeviceWanted(Frozen, frozen=True):
    """A device that is plugged in here, for a `table`; no table: it is asked who it is, or given back."""

    device: Name
    table: Name = ""


class ClipWanted(Frozen, frozen=True):
    """The last minutes of a table's camera, to be opened or closed."""

    table: Name


class MachineWanted(Frozen, frozen=True):
    """A machine of the room, by the name in its certificate."""

    machine: Name


class HandOverWanted(Frozen, frozen=True):
    """Hand the table to the machine with this ledger and key."""

    table: Name
    ledger: Name
    key: Name


class NoArguments(Frozen, frozen=True):
    """A command without arguments."""


def arguments_of(given: Directed, kind: type[A]) -> A:
    """The arguments as `kind`; raise `Malformed` naming the one at fault."""
    return convert(given.arguments, kind)
