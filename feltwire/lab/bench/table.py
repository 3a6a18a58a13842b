"""The cost of an event at a table: every command goes the same way as in the table's process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from feltwire.config import TableConfig
from feltwire.lab.bench.hands import LEVEL, SEATS, STACKS
from feltwire.ledger.table_ledger import Ledger
from feltwire.table.memory import TableMemory
from feltwire.table.unit_of_work import TableUnitOfWork
from table_core.hand.hand import Answer, Hand
from table_core.messages import AnyHandCommand, At, Legal, Millis, Refusal, Seat, SeatsSet

_AT = At("bench", Millis(1))
_CONFIG = TableConfig("hall", "01", "", STACKS, (LEVEL,), SEATS)


class _NoCards:
    """The vault of a table where no card leaves a shoe."""

    def deal_stands(self) -> tuple[bytes, ...]:
        return ()


class RecordedTable:
    """A table with a ledger in `folder`, played like a hand. `events` counts what it recorded."""

    def __init__(self, folder: Path) -> None:
        self._ledger = Ledger.open(folder / "table.ledger")
        self._table = TableMemory(_CONFIG).projection
        self.events = 0
        unit = self._unit()
        unit.record(SeatsSet(STACKS, Seat(1), hand=1))
        self._ledger.commit(entries=unit.commit.entries)

    def push(self, command: AnyHandCommand) -> Answer:
        """One step of the table's process: decided, recorded, on the disk."""
        unit = self._unit()
        refused = unit.push(command)
        if isinstance(refused, Refusal):
            return refused
        entries = unit.commit.entries
        self._ledger.commit(entries=entries)
        self.events += len(entries)
        return tuple([entry.envelope.data for entry in entries])

    def _unit(self) -> TableUnitOfWork:
        vault: Any = _NoCards()
        return TableUnitOfWork(self._table, vault, _CONFIG.venue, _AT, "keypad/1/1", self._ledger.key)

    @property
    def _hand(self) -> Hand:
        hand = self._table.hand
        assert hand is not None, "the first command starts a hand"
        return hand

    @property
    def to_act(self) -> Seat | None:
        return self._hand.to_act

    @property
    def awaiting_board(self) -> bool:
        return self._hand.awaiting_board

    @property
    def ended(self) -> bool:
        return self._hand.ended

    @property
    def live_seats(self) -> tuple[Seat, ...]:
        return self._hand.live_seats

    def legal(self) -> Legal | None:
        return self._hand.legal()
