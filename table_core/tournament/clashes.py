"""Whether a command overlooks something: a record that its person had not seen concerns what the command is about.

A command is about the players and seats that it names, and about what it rests on without a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from table_core.tournament import control, opening
from table_core.tournament.chips.colour_up import ColourUp
from table_core.tournament.field.busts import ConfirmBust
from table_core.tournament.field.registration import Register
from table_core.tournament.hand_for_hand import SetHandForHand
from table_core.tournament.money.best_hand import AwardBestHand
from table_core.tournament.money.prizes import MakeDeal, PayPrize
from table_core.tournament.night import Night, Recorded, Redo, Replace, Undo
from table_core.tournament.seats.button import SetButton
from table_core.tournament.seats.draw import DrawSeats
from table_core.tournament.seats.moves import BreakTable
from table_core.tournament.seats.standing import SeatByStanding
from table_core.tournament.subjects import CLOCK, DRAW, PURSE, SCHEDULE, Subject, changed, named

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
    if isinstance(command, Undo | Redo | Replace):
        group = night.taken_back(command.record) if isinstance(command, Redo) else night.group(command.record)
        for record in night.records:
            if record.no in group:
                yield from changed(record.event)
        for other in command.instead if isinstance(command, Replace) else ():
            yield from _rests_on(night, other)
        return
    if isinstance(command, Register):  # a name that is new, or is refused by itself
        return
    if type(command) in _RESTS_ON:
        yield _RESTS_ON[type(command)]
    yield from named(command)
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
