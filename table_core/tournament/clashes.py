"""Whether a command overlooks something: a record that its person had not seen concerns what the command is about.

Subjects are a player, a seat, a table, the purse, the schedule, the clock, the draw. An event concerns those that
it names; a command those that it names, and those that it rests on without a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from table_core.tournament import control, opening
from table_core.tournament.chips.colour_up import ColourUp
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
    HandForHand,
    PenaltyServed,
    RebuyPaid,
    Refunded,
    SeatAt,
    SeatsDrawn,
    StackSold,
    TableClosed,
    TableHand,
    TimeOutCarried,
)
from table_core.tournament.field.busts import ConfirmBust
from table_core.tournament.field.registration import Register
from table_core.tournament.hand_for_hand import SetHandForHand
from table_core.tournament.money.best_hand import AwardBestHand
from table_core.tournament.money.prizes import MakeDeal, PayPrize
from table_core.tournament.night import Night, Recorded, Undo
from table_core.tournament.seats.button import SetButton
from table_core.tournament.seats.draw import DrawSeats
from table_core.tournament.seats.moves import BreakTable
from table_core.tournament.seats.standing import SeatByStanding

Subject = tuple[str, ...]  # ("player", "p7"), ("seat", "02", "5"), ("table", "02"), ("purse",)

PURSE, CLOCK, SCHEDULE, DRAW = ("purse",), ("clock",), ("schedule",), ("draw",)
_PLAYERS = frozenset({"player", "players", "one", "other", "standing", "last_places", "stack"})
_ABOUT_TABLES = (TableClosed, ButtonSet, ColouredUp, DealerSet, DeckChanged)  # others only happened there
_ABOUT_PURSE = (DealMade, Entered, ChipsBought, Refunded, RebuyPaid, StackSold, BestHandWon, BustConfirmed)
_BY_THEMSELVES = (
    ClockPressed,
    TableHand,
    CardsDealt,
    PenaltyServed,
    TimeOutCarried,
)  # they change nothing that a person had seen
_RESTS_ON: dict[type, Subject] = {
    **dict.fromkeys((MakeDeal, AwardBestHand), PURSE),
    **dict.fromkeys(
        (control.TakeBreak, control.EndBreak, opening.GoToLevel, opening.AddTime, SetHandForHand), CLOCK
    ),
    **dict.fromkeys((control.EditLevel, control.BookSchedule, opening.EditSchedule), SCHEDULE),
    **dict.fromkeys((DrawSeats, SeatByStanding), DRAW),
}
_NAME_A_TABLE = (BreakTable, SetButton, ColourUp, control.ChangeDeck)


def overlooked(night: Night, command: Any, seen: int, by: str) -> Recorded | None:
    """The newest record after number `seen` that concerns what `command` is about. What `by` did is known to them;
    what was taken back does not count."""
    about = set(_rests_on(night, command))
    if not about or seen >= len(night.records):
        return None
    for record in reversed(night.records[max(0, seen) :]):
        if (not by or record.by != by) and night.stands(record.no) and about & set(changed(record.event)):
            return record
    return None


def _rests_on(night: Night, command: Any) -> Iterator[Subject]:
    state = night.state
    if isinstance(command, Undo):
        group = night.group(command.record)
        for record in night.records:
            if record.no in group:
                yield from changed(record.event)
        return
    if isinstance(command, Register):  # a name that is new, or is refused by itself
        return
    if type(command) in _RESTS_ON:
        yield _RESTS_ON[type(command)]
    yield from _named(command)
    if isinstance(command, MakeDeal):
        yield from (("player", entrant.player) for entrant in state.field.entrants.values() if entrant.in_play)
    elif isinstance(command, PayPrize) and state.prizes.agreed is not None:
        yield PURSE
    elif isinstance(command, ConfirmBust):
        reported = [state.field.busts[bust] for bust in command.busts if bust in state.field.busts]
        yield from (("player", out.player) for bust in reported for out in bust.out)
    if isinstance(command, _NAME_A_TABLE) and command.table in state.seats.tables:
        yield ("table", command.table)
        table = state.seats.tables[command.table]
        yield from (("seat", command.table, str(seat)) for seat in range(1, table.plan.seats + 1))
        yield from (("player", player) for player in table.players.values())
    move = state.seats.moves.get(getattr(command, "move", ""))
    if move is not None:
        yield ("player", move.ordered.player)
    penalty = state.penalties.given.get(getattr(command, "penalty", ""))
    if penalty is not None:
        yield ("player", penalty.player)


def changed(event: Any) -> Iterator[Subject]:
    """What an event concerns."""
    if isinstance(event, _BY_THEMSELVES):
        return
    yield from _named(event)
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


def _named(value: Any) -> Iterator[Subject]:
    """The players and seats that a command or an event names, wherever they stand in it."""
    for field in msgspec.structs.fields(type(value)):
        yield from _in_field(field.name, getattr(value, field.name))


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
            yield from _named(given)
        case _:
            pass
