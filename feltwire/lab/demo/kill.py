"""kill -9 in the middle of hands, repeatedly: tests that the room survives it."""

from __future__ import annotations

import random
import threading
import time

from feltwire.errors import UsageError
from feltwire.lab.demo.room import RoomPlan
from feltwire.lab.demo.watch import PageWatcher
from feltwire.runtime.children import Supervisor
from table_core.messages import (
    Street,
    TableView,
    decode,
)

KINDS = ("table", "station", "clock", "relay", "broker")
BACK_S = 20.0
LIVES_S = 1.0  # a process that is back works this long before it is killed again


class Killer:
    """Kills a process of kind `kind`, `times` times, each time while its table is in a hand.

    `killed` counts the kills done. For `broker` and the room's other processes the first table's hand counts.
    """

    def __init__(
        self, plan: RoomPlan, supervisor: Supervisor, watchers: dict[str, PageWatcher], *, kind: str, times: int
    ) -> None:
        """Raise `UsageError` for an unknown `kind`, or for the broker where it is not the demo's own."""
        if kind not in KINDS or (kind == "broker" and plan.broker):
            raise UsageError(
                f"--kill {kind}: one of {', '.join(KINDS)}; the broker only when it is the demo's own"
            )
        self._plan = plan
        self._supervisor = supervisor
        self._watchers = watchers
        self._kind = kind
        self._times = times
        self._rng = random.Random(f"kill {plan.seed}")
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"kill {kind}", daemon=True)
        self.killed = 0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()

    def _run(self) -> None:
        while self.killed < self._times and not self._stopping.is_set():
            table = self._rng.choice(self._plan.table_ids)
            if not self._in_hand(table):
                self._stopping.wait(0.02)
                continue
            self._stopping.wait(self._rng.random())
            name = f"table-{table}" if self._kind == "table" else self._kind
            starts = self._supervisor.starts(name)
            if self._in_hand(table) and self._supervisor.kill(name):
                self.killed += 1
                self._wait_back(name, starts)

    def _in_hand(self, table: str) -> bool:
        last = self._watchers[f"/table/{table}"].channels[f"table/{table}"].last
        return bool(last) and decode(last, TableView).street is not Street.DONE

    def _wait_back(self, name: str, starts: int) -> None:
        deadline = time.monotonic() + BACK_S
        while time.monotonic() < deadline and self._supervisor.starts(name) == starts:
            self._stopping.wait(0.05)
        self._stopping.wait(LIVES_S + self._rng.random())
