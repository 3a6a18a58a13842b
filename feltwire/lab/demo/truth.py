"""Collects the reports of the simulated tables, and seats players as their director."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field

from feltwire.config import Broker
from feltwire.lab.simroom.reports import AllDone, HandDone, KeysSent, PleaseSeat, decode_report
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus import Bus
from table_core.messages import (
    Malformed,
    SetSeats,
    encode,
)

log = logging.getLogger(__name__)


@dataclass
class TableTruth:
    """What one simulated table did."""

    hands: list[HandDone] = field(default_factory=list)
    sent: dict[str, float] = field(default_factory=dict)  # key frames: boot time in ms by origin
    done: bool = False


class Truth:
    """Hears every simulated table (`hear` from any thread); seats players over the bus as their director."""

    def __init__(self, venue: str, tables: tuple[str, ...], broker: Broker) -> None:
        self.tables = {table: TableTruth() for table in tables}
        self._venue = venue
        self._changed = threading.Condition()
        self._bus = Bus(
            broker,
            client_id=f"{venue}-demo-director",
            subscriptions=(),
            on_message=lambda _topic, _payload: None,
            on_up=lambda: None,
            on_down=lambda _reason: None,
        )

    def start(self) -> None:
        self._bus.start()

    def stop(self) -> None:
        self._bus.stop()

    def hear(self, table: str, line: bytes) -> None:
        """Take one line that the simulated `table` printed."""
        try:
            report = decode_report(line)
        except Malformed as error:
            log.warning("simulated table %s: not a report (%s)", table, error)
            return
        with self._changed:
            truth = self.tables[table]
            match report:
                case HandDone():
                    truth.hands.append(report)
                case KeysSent():
                    truth.sent |= report.sent
                case AllDone():
                    truth.done = True
                case PleaseSeat():
                    self._seat(table, report.command, report.why)
            self._changed.notify_all()

    def wait_done(self, timeout: float) -> bool:
        """Wait until every table has dealt all its hands; False after `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: all(t.done for t in self.tables.values()), timeout)

    @property
    def hands(self) -> int:
        return sum(len(truth.hands) for truth in self.tables.values())

    def total(self, name: str) -> int:
        """The sum of one count of `HandDone` over all hands."""
        return sum(getattr(hand, name) for truth in self.tables.values() for hand in truth.hands)

    def _seat(self, table: str, command: SetSeats, why: str) -> None:
        log.info("table %s: %s", table, why)
        self._bus.publish(topics.table(self._venue, table, "command"), encode(command))
