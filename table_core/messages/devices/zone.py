"""The zones of a table: where cards, chips and the button lie, as camera, tracker and screens name them.

In the program a zone is a value. As text (`seat-4-bet`) it stands in felt files, scenarios and messages;
`Zone.parse` reads that text and `str(zone)` writes it.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any, ClassVar, final

from table_core.messages.base import Seat


class ZoneKind(StrEnum):
    BOARD = "board"
    BURN = "burn"
    MUCK = "muck"
    POT = "pot"
    CARDS = "cards"  # in front of a seat
    BET = "bet"
    STACK = "stack"
    BUTTON = "button"  # where the disc lies when the seat has the button


FOR_CHIPS = (ZoneKind.POT, ZoneKind.BET, ZoneKind.STACK)
_OF_SEATS = (ZoneKind.CARDS, ZoneKind.BET, ZoneKind.STACK, ZoneKind.BUTTON)

ZONE_PATTERN = "board(-[2-9])?|burn|muck|pot|seat-(0|[1-9][0-9]?)-(cards|bet|stack)|button-(0|[1-9][0-9]?)"


@final
class Zone:
    """One zone: its kind, and the seat that it belongs to; `run` numbers the boards of a board that is run several
    times. Immutable and hashable. No dataclass: messages hold it as text (`table_core.messages.encoding`).
    """

    __slots__ = ("kind", "run", "seat")
    kind: ZoneKind
    seat: Seat | None
    run: int

    BOARD: ClassVar[Zone]
    BURN: ClassVar[Zone]
    MUCK: ClassVar[Zone]
    POT: ClassVar[Zone]

    def __init__(self, kind: ZoneKind, seat: int | None = None, run: int = 1) -> None:
        """Raise `ValueError` for a seat's zone without a seat, and for any other with one."""
        if (seat is not None) != (kind in _OF_SEATS) or (run != 1 and kind is not ZoneKind.BOARD):
            raise ValueError(f"no zone {kind} of seat {seat}, run {run}")
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "seat", None if seat is None else Seat(seat))
        object.__setattr__(self, "run", run)

    @classmethod
    def cards(cls, seat: int) -> Zone:
        return cls(ZoneKind.CARDS, seat)

    @classmethod
    def bet(cls, seat: int) -> Zone:
        return cls(ZoneKind.BET, seat)

    @classmethod
    def stack(cls, seat: int) -> Zone:
        return cls(ZoneKind.STACK, seat)

    @classmethod
    def button(cls, seat: int) -> Zone:
        return cls(ZoneKind.BUTTON, seat)

    @classmethod
    def parse(cls, text: str) -> Zone:
        """The zone that `text` names. Raise `ValueError` when it names none."""
        if re.fullmatch(ZONE_PATTERN, text) is None:
            raise ValueError(f"no zone {text!r}; zones are {ZONE_PATTERN}")
        first, _, rest = text.partition("-")
        if first == "seat":
            seat, _, kind = rest.partition("-")
            return cls(ZoneKind(kind), int(seat))
        if first == "button":
            return cls.button(int(rest))
        return cls(ZoneKind(first), run=int(rest or 1))

    def __str__(self) -> str:
        if self.kind is ZoneKind.BUTTON:
            return f"button-{self.seat}"
        if self.seat is not None:
            return f"seat-{self.seat}-{self.kind}"
        return f"board-{self.run}" if self.run > 1 else str(self.kind)

    @property
    def of_seat(self) -> Seat:
        """The seat of a seat's zone."""
        assert self.seat is not None
        return self.seat

    def __repr__(self) -> str:
        return f"Zone.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Zone):
            return NotImplemented
        return (self.kind, self.seat, self.run) == (other.kind, other.seat, other.run)

    def __hash__(self) -> int:
        return hash((self.kind, self.seat, self.run))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a zone does not change: {name} = {value!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Zone, (self.kind, self.seat, self.run)


Zone.BOARD = Zone(ZoneKind.BOARD)
Zone.BURN = Zone(ZoneKind.BURN)
Zone.MUCK = Zone(ZoneKind.MUCK)
Zone.POT = Zone(ZoneKind.POT)
