"""A whole simulated room with one table, open for faults: what its ledger says now, processes to freeze and kill.

The room is the demo's own: real processes under its supervisor, which starts again what dies, simulated devices
on pseudo-terminals, and a browser's event stream from every page. `mosquitto=True` puts a real mosquitto with
Debian's default persistence in the embedded broker's place.
"""

from __future__ import annotations

import contextlib
import http.client
import signal
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import msgspec

from feltwire.config import Broker
from feltwire.errors import UsageError
from feltwire.lab.demo.check import RoomFiles, wait_settled
from feltwire.lab.demo.headless import watch_pages
from feltwire.lab.demo.room import HOST, RULEBOOK, SMALLEST_CHIP, VENUE, RoomPlan, children, lay_out
from feltwire.lab.demo.truth import Truth
from feltwire.lab.demo.watch import PageWatcher
from feltwire.lab.simroom.reports import HandDone
from feltwire.ledger.chain import hash_of
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.children import ChildSpec, Supervisor
from feltwire.table.recovery import destroy_keys
from table_core.messages import Envelope, TableView, decode_envelope
from table_core.projections.table import TableProjection
from table_core.rulebook import load_rulebook
from table_core.tracker.state import TrackerState, decode_state
from tests.feltwire.mosquitto import PROGRAM as MOSQUITTO
from tests.ports import free_base
from tests.powercuts.shim import Death

T = TypeVar("T")

TABLE = "01"
PATIENCE_S = 240.0  # how long a fact may take on a busy machine before we give up
GLANCE_S = 0.02
BACK_S = 0.5  # a killed process is started again after this long
RELEASE_DELAY_S = "1"


class Shown(msgspec.Struct):
    """What a page said of a table: its state as of which event."""

    epoch: int
    as_of: int
    head: str


@dataclass
class LedgerEye:
    """The table's ledger, read beside its process: folded as far as it goes."""

    path: Path

    def __post_init__(self) -> None:
        rulebook = load_rulebook(RULEBOOK)
        self.projection = TableProjection(VENUE, TABLE, rulebook, smallest_chip=SMALLEST_CHIP)
        self.state = TrackerState()
        self.envelopes: list[Envelope] = []
        self._ledger: Ledger | None = None

    def look(self) -> bool:
        """Take in what was committed since the last look. False: nothing there, or not to be read just now (a
        process that was frozen while it wrote keeps its lock)."""
        try:
            self._take_in()
        except UsageError:
            return False
        return bool(self.envelopes)

    def _take_in(self) -> None:
        self._ledger = self._ledger or Ledger.open(self.path, read_only=True)
        for _, _, raw in self._ledger.raw_events(self.projection.seq + 1, 1):
            envelope = decode_envelope(raw)
            self.projection.apply(envelope, hash_of(raw))
            self.envelopes.append(envelope)
        note = self._ledger.note("tracker")
        self.state = self.state if note is None else decode_state(note)

    def close(self) -> None:
        if self._ledger is not None:
            self._ledger.close()


class OpenRoom:
    """A context manager: the room is open inside. It deals as fast as acknowledged until `end_dealing()`, so that
    what a test waits for comes however slow the machine is.

    What was killed is started again after `back_s`, None: as late as the demo does. `prepare(plan)` may change the
    configurations once they are written, `child(spec)` how a process is started; the processes `without` are not
    started. With `mortal`, each process of the product and the broker takes orders to kill itself at a call
    (`deaths`).
    """

    def __init__(
        self,
        folder: Path,
        *,
        seed: int,
        speed: float = 0.0,
        mosquitto: bool = False,
        back_s: float | None = BACK_S,
        without: Collection[str] = (),
        prepare: Callable[[RoomPlan], None] = lambda _plan: None,
        child: Callable[[ChildSpec], ChildSpec] = lambda child: child,
        mortal: bool = False,
    ) -> None:
        port = free_base()
        self.mosquitto = mosquitto
        self._back_s = back_s
        self._without = without
        self._child = child
        self.plan = RoomPlan(
            folder=folder,
            tables=1,
            seed=seed,
            speed=speed,
            port=port,
            delay_s=RELEASE_DELAY_S,
            broker=f"mqtt://{HOST}:{port + 4}" if mosquitto else "",
        )
        self.plan.check()
        lay_out(self.plan)
        prepare(self.plan)
        self.truth = Truth(VENUE, self.plan.table_ids, Broker(self.plan.broker_url))
        self.deaths: dict[str, Death] = {}
        self.supervisor = Supervisor(self._specs(mortal))
        self.shown: set[tuple[int, int, str]] = set()  # states that any page was ever sent
        self.watchers = {
            name: PageWatcher(page.url, list(page.channels), self._hear)
            for name, page in watch_pages(self.plan).items()
        }
        self.ledger = LedgerEye(folder / "data" / f"table-{TABLE}.ledger")
        self.files = RoomFiles(folder / "data", self.plan.table_ids)

    def _specs(self, mortal: bool) -> list[ChildSpec]:
        room = list(children(self.plan, self.truth.hear))
        if self.mosquitto:
            room.insert(0, mosquitto_child(self.plan))
        if self._back_s is not None:
            room = [replace(spec, first_backoff_s=self._back_s, longest_backoff_s=self._back_s) for spec in room]
        room = [self._child(spec) for spec in room if spec.name not in self._without]
        if not mortal:
            return room
        names = [spec.name for spec in room if not spec.name.startswith("simroom")]
        self.deaths = {
            name: Death(self.plan.folder / "data", self.plan.folder / f"death-{name}") for name in names
        }
        return [self.deaths[spec.name].under(spec) if spec.name in self.deaths else spec for spec in room]

    def _hear(self, channel: str, data: bytes) -> None:
        if channel == f"table/{TABLE}":
            view = msgspec.json.decode(data, type=Shown)
            self.shown.add((view.epoch, view.as_of, view.head))

    def __enter__(self) -> Self:
        self.supervisor.start()
        self.truth.start()
        for watcher in self.watchers.values():
            watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for watcher in self.watchers.values():
            watcher.stop()
        self.supervisor.stop()
        self.truth.stop()
        self.ledger.close()
        destroy_keys(self.plan.folder / "data")

    # --------------------------------------------------------------------------------- what is the case

    @property
    def hands(self) -> list[HandDone]:
        return self.truth.tables[TABLE].hands

    @property
    def done(self) -> bool:
        """The last hand has been dealt."""
        return self.truth.tables[TABLE].done

    def played_on(self, hand: int) -> bool:
        """Whether `hand` is over. AssertionError where the dealer reports that the table does not go on."""
        assert self.hand(0) is None, f"the table got stuck in or after hand {hand}\n{self.logs()}"
        return self.hand(hand) is not None

    def hand(self, number: int) -> HandDone | None:
        return next((hand for hand in self.hands if hand.hand == number), None)

    def screen(self) -> TableView | None:
        """The dealer screen; None while it is dark."""
        raw = self._get(self.plan.ports.table(1), f"/api/table/{TABLE}")
        return None if raw is None else msgspec.json.decode(raw, type=TableView)

    def station_seq(self) -> int:
        """How far the station has the table's log."""
        with contextlib.suppress(UsageError):  # not there yet
            ledger = CollectedLedger.open(self.plan.folder / "data" / "station.ledger", read_only=True)
            with contextlib.closing(ledger):
                head = ledger.heads().get(TABLE)
                return head.seq if head is not None else 0
        return 0

    def serves(self, name: str) -> bool:
        """Whether the pages of process `name` answer."""
        ports = self.plan.ports
        port = {"station": ports.station, "clock": ports.clock, "relay": ports.relay}.get(name, ports.table(1))
        return self._get(port, "/") is not None

    def _get(self, port: int, path: str) -> bytes | None:
        connection = http.client.HTTPConnection(HOST, port, timeout=20)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()
        return body if response.status < 400 else None

    # ---------------------------------------------------------------------------------------- what is done

    @contextlib.contextmanager
    def frozen(self, name: str) -> Iterator[bool]:
        """Process `name` stands still (SIGSTOP); False where it does not run. It goes on afterwards, if alive."""
        stands = self.supervisor.kill(name, sig=signal.SIGSTOP)
        try:
            yield stands
        finally:
            self.supervisor.kill(name, sig=signal.SIGCONT)

    def mischief(self, kind: str) -> None:
        order = b'{"mischief": "%s"}' % kind.encode()
        self.wait(lambda: self.supervisor.tell(f"simroom-{TABLE}", order), "the dealer listens")

    def end_dealing(self) -> None:
        """The hand that is being dealt is the last one; station and pages are where the table is afterwards."""
        order = b'{"last_hand": true}'
        self.wait(lambda: self.supervisor.tell(f"simroom-{TABLE}", order), "the dealer listens")
        self.wait(lambda: self.done, "the last hand is dealt")
        wait_settled(self.files, {name: page.channels for name, page in self.watchers.items()}, [TABLE])
        self.ledger.look()

    def wait(self, fact: Callable[[], T | None], what: str, patience_s: float = PATIENCE_S) -> T:
        """Wait for `fact()` to hold; AssertionError that says `what` was waited for."""
        deadline = time.monotonic() + patience_s
        while True:
            found = fact()
            if found:
                return found
            assert time.monotonic() < deadline, f"waited {patience_s:.0f} s in vain: {what}\n{self.logs()}"
            time.sleep(GLANCE_S)

    def logs(self) -> str:
        """The end of every process's log."""
        logs = sorted((self.plan.folder / "log").glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-1500:]}" for log in logs)


def mosquitto_child(plan: RoomPlan) -> ChildSpec:
    """A real mosquitto on the room's broker port, with the persistence that Debian's package sets."""
    folder = plan.folder / "mosquitto"
    folder.mkdir()
    config = folder / "mosquitto.conf"
    config.write_text(
        f"listener {plan.ports.broker} {HOST}\nallow_anonymous true\nuser root\n"
        f"persistence true\npersistence_location {folder}/\n"
    )
    return ChildSpec(
        name="mosquitto",
        argv=(MOSQUITTO, "-c", str(config)),
        log_file=plan.folder / "log" / "mosquitto.log",
        stops_last=True,
    )
