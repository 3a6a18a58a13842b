"""What an event of a tournament concerns: a player, a seat, a table, the purse, the schedule, the clock, the draw.

An event concerns the players and seats that it names, and what its kind says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from table_core.tournament.events import (
    BestHandWon,
    BustConfirmed,
    ButtonSet,
    CardsDealt,
    ChipsBought,
    ClockChanged,
    ClockPressed,
    ClockStopped,
    ColouredUp,
    DealerSet,
    DealMade,
    DeckChanged,
    Entered,
    EntryGiven,
    FlightBagged,
    FlightsCarried,
    HandForHand,
    OutByHand,
    PenaltyServed,
    PlacesCorrected,
    RebuyPaid,
    Refunded,
    SeatAt,
    SeatsDrawn,
    StackSold,
    TableClosed,
    TableHand,
    TimeOutCarried,
)

Subject = tuple[str, ...]  # ("player", "p7"), ("seat", "02", "5"), ("table", "02"), ("purse",)

PURSE, CLOCK, SCHEDULE, DRAW = ("purse",), ("clock",), ("schedule",), ("draw",)
_PLAYERS = frozenset({"player", "players", "one", "other", "standing", "last_places", "stack"})
_ABOUT_TABLES = (TableClosed, ButtonSet, ColouredUp, DealerSet, DeckChanged)  # others only happened there
_ABOUT_PURSE = (
    DealMade,
    Entered,
    EntryGiven,
    PlacesCorrected,
    ChipsBought,
    Refunded,
    RebuyPaid,
    StackSold,
    BestHandWon,
    BustConfirmed,
    OutByHand,
    FlightBagged,
    FlightsCarried,
)
_BY_THEMSELVES = (
    ClockPressed,
    TableHand,
    CardsDealt,
    PenaltyServed,
    TimeOutCarried,
)  # they change nothing that a person had seen


def changed(event: Any) -> Iterator[Subject]:
    """What an event concerns."""
    if isinstance(event, _BY_THEMSELVES):
        return
    yield from named(event)
    if isinstance(event, _ABOUT_TABLES):
        yield ("table", event.table)
    if isinstance(event, _ABOUT_PURSE):
        yield PURSE
    if isinstance(event, ClockChanged | ClockStopped | HandForHand):
        yield CLOCK
    if isinstance(event, ClockChanged):
        yield SCHEDULE
    if isinstance(event, SeatsDrawn):
        yield DRAW


def named(value: Any) -> Iterator[Subject]:
    """The players and seats that a command or an event names, wherever they stand in it."""
    for name in value.__struct_fields__:
        yield from _in_field(name, getattr(value, name))


def _in_field(name: str, given: Any) -> Iterator[Subject]:
    match given:
        case SeatAt(table=table, seat=seat):
            yield ("seat", str(table), str(seat))
        case str() if name in _PLAYERS and given:
            yield ("player", given)
        case tuple() | list():
            for one in given:
                yield from _in_field(name, one)
        case msgspec.Struct():
            yield from named(given)
        case _:
            pass
