"""Inputs of a table as values: presses, cards, camera readings, cables, the director's commands.

A session is a list of them: it can be done again, and made shorter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from feltwire.table.table_io import CommandCame, DeviceSaid, Touched, ZoneCame
from table_core.messages import (
    AnyTableCommand,
    CardText,
    Chips,
    DeviceState,
    Key,
    Seat,
    SetHand,
    Zone,
    ZoneReading,
    encode,
)
from tests.fuzz.table import FuzzedTable


class Press(NamedTuple):
    """Keys in order, a string of digits typed digit by digit."""

    keys: tuple[Key | str, ...]

    def at(self, table: FuzzedTable) -> None:
        table.press(*self.keys)


class Touch(NamedTuple):
    key: Key
    seat: int | None = None
    amount: int | None = None
    question: int | None = None
    reason: str = ""

    def at(self, table: FuzzedTable) -> None:
        seat = None if self.seat is None else Seat(self.seat)
        amount = None if self.amount is None else Chips(self.amount)
        table.give(Touched(self.key, seat, amount, self.question, self.reason))


class Card(NamedTuple):
    """A card leaves the shoe; `""` was not read."""

    card: CardText
    note: str = ""
    deck: str = ""

    def at(self, table: FuzzedTable) -> None:
        table.deal(self.card, note=self.note, deck=self.deck)


class See(NamedTuple):
    """The camera reads a zone."""

    zone: str
    cards: tuple[CardText, ...] = ()
    unread: int = 0
    backs: int = 0
    chips: int | None = None
    pieces: int | None = None
    motions: int = 0
    odd: str = ""
    button: bool = False

    def at(self, table: FuzzedTable) -> None:
        table.face_up |= set(self.cards)
        chips = None if self.chips is None else Chips(self.chips)
        cards = (Zone.parse(self.zone), self.cards, self.unread, self.backs)
        reading = ZoneReading(*cards, chips, self.pieces, self.motions, self.odd, self.button)
        table.give(ZoneCame(reading))
        table.face_up |= set(self.cards)  # also where this begins the next hand


class Wait(NamedTuple):
    ms: int

    def at(self, table: FuzzedTable) -> None:
        table.wait(self.ms)


class Device(NamedTuple):
    device: str
    state: DeviceState

    def at(self, table: FuzzedTable) -> None:
        table.give(DeviceSaid(self.device, self.state))


class Command(NamedTuple):
    """The director's, from the station."""

    command: AnyTableCommand

    def at(self, table: FuzzedTable) -> None:
        board = set(self.command.hand.board) if isinstance(self.command, SetHand) else set()
        table.face_up |= board
        table.give(CommandCame(encode(self.command)))
        table.face_up |= board


Step = Press | Touch | Card | See | Wait | Device | Command


def step_text(step: Step) -> str:
    """In a line, as a failure shows it."""
    if isinstance(step, Press):
        return "press " + " ".join(key if isinstance(key, str) else key.name for key in step.keys)
    said: dict[str, Any] = {name: value for name, value in step._asdict().items() if value not in ("", (), None)}
    if isinstance(step, See):
        said = {name: value for name, value in said.items() if value}
    return f"{type(step).__name__.lower()} {said}"
