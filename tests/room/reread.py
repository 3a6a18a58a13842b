"""`python -m tests.room.reread --times 5 --seed 1`: how long after a kill a table has read again what lies on it.

A room at a live table's pace; the table's process is killed (-9) while a board and hands lie there. Measured in
its ledger, from the start of the new process until it has taken a new reading of every zone in which something
lay. Exit status: 0 always within the limit, 1 not, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from feltwire.lab.demo.headless import running
from feltwire.lab.demo.room import VENUE, RoomPlan, lay_out
from feltwire.lab.demo.truth import Truth
from feltwire.lab.demo.watch import PageWatcher
from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.boottime import boot_millis
from feltwire.table.recovery import destroy_keys
from feltwire.tools.provision.access import STATION
from table_core.messages import AnyObservation, SensedView, SensedZone, ZoneSeen, decode
from tests.ports import free_base

T = TypeVar("T")

TABLE = "01"
BUTTON = "button"  # wherever the disc lies
LIMIT_S = 10.0  # promised
PATIENCE_S = 180.0
GLANCE_S = 0.05
BETWEEN_S = 3.0  # a table that is back deals this long before it is killed again


class SensedPage:
    """What the table's page *as it is sensed* says that the camera sees."""

    def __init__(self, url: str) -> None:
        self._view: SensedView | None = None
        self._watcher = PageWatcher(url, [f"sensed/{TABLE}"], self._hear)
        self._watcher.start()

    def _hear(self, _channel: str, data: bytes) -> None:
        self._view = decode(data, SensedView)

    def lying(self) -> dict[str, SensedZone]:
        return {str(zone.zone): zone for zone in self._view.zones} if self._view is not None else {}

    def stop(self) -> None:
        self._watcher.stop()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.reread", description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=5, metavar="N", help="kills (5)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    args = parser.parse_args(argv)
    seconds = measure(args.times, args.seed)
    result = {
        "kills": len(seconds),
        "median_s": round(statistics.median(seconds), 2),
        "worst_s": round(max(seconds), 2),
    }
    print(json.dumps(result) if args.json else ", ".join(f"{name} {value}" for name, value in result.items()))
    return 0 if max(seconds) <= LIMIT_S else 1


def measure(times: int, seed: int) -> list[float]:
    """Seconds from the start of each new process until all is read again."""
    with tempfile.TemporaryDirectory(prefix="feltwire-reread-") as folder:
        plan = RoomPlan(folder=Path(folder), tables=1, seed=seed, speed=1.0, port=free_base())
        plan.check()
        lay_out(plan)
        truth = Truth(VENUE, plan.table_ids, plan.broker_of(STATION))
        ledger = plan.folder / "data" / f"table-{TABLE}.ledger"
        took: list[float] = []
        with running(plan, truth) as (supervisor, _):
            page = SensedPage(plan.table_url(TABLE))
            try:
                for number in range(times):
                    before = _wait(lambda: _worth_it(page.lying()))
                    starts = supervisor.starts(f"table-{TABLE}")
                    supervisor.kill(f"table-{TABLE}")
                    began = _wait(lambda n=starts: boot_millis() if supervisor.starts(f"table-{TABLE}") > n else 0)
                    read_at = _wait(lambda zones=set(before), since=began: _read_again(ledger, zones, since))
                    took.append((read_at - began) / 1000)
                    print(f"kill {number + 1}: {len(before)} zones again after {took[-1]:.2f} s", file=sys.stderr)
                    time.sleep(BETWEEN_S)
            finally:
                page.stop()
        destroy_keys(plan.folder / "data")
        return took


def _worth_it(lying: dict[str, SensedZone]) -> dict[str, SensedZone]:
    """A board and hands lie there: what is to be read again. Nothing where they do not."""
    seats = [zone for zone in lying if zone.startswith("seat-")]
    return lying if len(seats) >= 2 and len(lying["board"].cards if "board" in lying else ()) >= 3 else {}


def _read_again(ledger: Path, zones: set[str], began_ms: float) -> float:
    """When (boot time, ms) the table had taken a reading of each of these zones, and of where the button disc is,
    since; 0 as long as it has not."""
    first: dict[str, int] = {}
    with contextlib.closing(Ledger.open(ledger, read_only=True)) as opened:
        for record in opened.observations():
            if record.device == "camera":
                seen = decode(record.body, AnyObservation)
                if isinstance(seen, ZoneSeen) and seen.at >= began_ms:
                    first.setdefault(BUTTON if seen.button else str(seen.zone), seen.at)
    wanted = zones | {BUTTON}
    return float(max(first[zone] for zone in wanted)) if first.keys() >= wanted else 0.0


def _wait(fact: Callable[[], T]) -> T:
    """Look until `fact()` holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not (found := fact()):
        if time.monotonic() > deadline:
            raise SystemExit(f"waited {PATIENCE_S:.0f} s in vain; is the machine very busy?")
        time.sleep(GLANCE_S)
    return found


if __name__ == "__main__":
    sys.exit(main())
