"""What must hold at every moment, and not only at the end: an acknowledgement stands for something on a disk."""

from __future__ import annotations

from feltwire.ledger.chain import LedgerHead
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.station.process import StationProcess
from feltwire.table.process import TableProcess
from tests.simulation.machine import Machine


class Watch:
    """`broken` says what did not hold, when it was seen."""

    def __init__(self) -> None:
        self.broken: list[str] = []
        self.station: Machine | None = None
        self._acked: dict[str, tuple[int, int]] = {}  # by ledger: the last event that was acknowledged

    def acknowledged(self, table: TableProcess, epoch: int, seq: int) -> None:
        """The table drops its events up to this one from its outbox: the station has them on its disk, unless that
        disk is another one meanwhile."""
        name = table.config.table
        self._acked[table.ledger.identity()] = epoch, seq
        head = self._collected(name)
        if head is not None and (head.epoch, head.seq) < (epoch, seq):
            self.broken.append(
                f"table {name}: event {epoch}/{seq} was acknowledged, the station's ledger ends at "
                f"{head.epoch}/{head.seq}"
            )

    def started(self, table: TableProcess) -> None:
        """A table's process begins: what nobody acknowledged is still in its outbox."""
        ledger, head = table.ledger, table.ledger.head
        epoch, seq = self._acked.get(ledger.identity(), (0, 0))
        acked = seq if epoch == head.epoch else 0
        waiting = {row[:2] for row in ledger.outbox(head.seq + 1)}
        gone = [at for at in range(acked + 1, head.seq + 1) if (head.epoch, at) not in waiting]
        if gone:
            name = table.config.table
            self.broken.append(f"table {name}: event {head.epoch}/{gone[0]} left the outbox, unacknowledged")

    def _collected(self, table: str) -> LedgerHead | None:
        """The end of the station's copy, also while its process is down; None where that says nothing."""
        station = self.station
        if station is None or station.disks > 1:
            return None
        if isinstance(station.process, StationProcess):
            return station.process.ledger.heads().get(table, LedgerHead())
        ledger = CollectedLedger.open(station.data / "station.ledger", read_only=True)
        try:
            return ledger.heads().get(table, LedgerHead())
        finally:
            ledger.close()
