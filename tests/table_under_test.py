"""The table in one thread as most tests want it: equal stacks, 50/100, button at seat 1."""

from __future__ import annotations

from collections.abc import Sequence

from feltwire.config import TableConfig
from feltwire.lab.scenario.table import TableInMemory
from table_core.messages import Chips, Level, Seat, SeatStack

LEVEL = Level(1, Chips(50), Chips(100))


class TableUnderTest(TableInMemory):
    """`seats` players with 10,000 each at 50/100, button at seat 1, every device there unless said otherwise."""

    def __init__(self, seats: int = 3, devices: Sequence[str] = ("keypad", "shoe", "camera")) -> None:
        stacks = tuple(SeatStack(Seat(seat), Chips(10_000)) for seat in range(1, seats + 1))
        levels = (LEVEL, Level(2, Chips(100), Chips(200)))
        super().__init__(TableConfig("hall", "01", "unused", stacks, levels, seats), devices)
