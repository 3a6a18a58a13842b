"""A machine of the simulated room: its clocks, its cable, its disk, and the process that runs on it.

The processes are those of a venue. `SimulatedHost` gives them virtual time, a broker in memory and a driver
without a thread; `Machine` starts, kills and freezes them, and takes or fills their disk.
"""

from __future__ import annotations

import random
import shutil
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from feltwire.config import Broker
from feltwire.ledger.store import LedgerError, Store
from feltwire.runtime.broker.bus_port import OnMessage, Will
from feltwire.runtime.certificates.trust import Trust
from feltwire.runtime.disk import Disk
from feltwire.runtime.host import Host
from feltwire.runtime.node import Driver, Node
from feltwire.runtime.process import Process
from table_core.messages import At, Millis
from tests.simulation.link import Link
from tests.simulation.memory_broker import MemoryBroker, MemoryBus
from tests.simulation.world import World

WALL_MS = 1_700_000_000_000  # when the story begins
STEP_US = 50, 300  # what a step of a node takes
DRIFT_PPM = 40  # boot clocks run fast or slow by so much
RESTLESS = 5  # wakings one after the other that were due before, with nothing to take in
NO_LIMIT = 1_073_741_823  # pages of a database


class Killed(BaseException):
    """The process ends here, in the middle of its work."""


class SimulatedHost(Host):
    """The clocks of one machine; `boots` counts its starts. `broken` hears why a process ended by itself."""

    def __init__(self, world: World, broker: MemoryBroker, link: Link, name: str, chance: random.Random) -> None:
        self.world = world
        self.name = name
        self.link = link
        self.chance = chance
        self.wall_off_ms = 0
        self.frozen_until = 0
        self.current_bus: MemoryBus | None = None
        self.current_driver: SteppedDriver | None = None
        self.broken: Callable[[BaseException], None] = _raise
        self._broker = broker
        self._boots = 0
        self._rate = 1 + chance.uniform(-DRIFT_PPM, DRIFT_PPM) / 1e6
        self._began = -round(chance.uniform(1e6, 1e9))  # it was switched on before the story begins
        self._began_of = {self.boot: self._began}

    def reboot(self) -> None:
        """Its power was off: the boot clock begins again."""
        self._boots += 1
        self._began = self._began_of[self.boot] = self.world.now

    @property
    def has_left_bus(self) -> bool:
        """Its process has stopped its bus, and goes on."""
        return self.current_bus is not None and self.current_bus.stopped

    @property
    def boot(self) -> str:
        return sha256(f"{self.name} {self._boots}".encode()).hexdigest()[:16]

    def now(self) -> Millis:
        return Millis(int((self.world.now - self._began) * self._rate / 1_000) + 1)

    def instant(self, boot_ms: Millis, boot: str = "") -> int:
        """When it is `boot_ms` here, of this boot or of an earlier one, in the world's microseconds."""
        return int((boot_ms - 1) * 1_000 / self._rate) + self._began_of[boot or self.boot] + 1_000

    def wall(self) -> Millis:
        return Millis(WALL_MS + self.world.now // 1_000 + self.wall_off_ms)

    def at(self, now: Millis) -> At:
        wall = datetime.fromtimestamp(self.wall() / 1_000, UTC).isoformat(timespec="milliseconds")
        return At(boot=self.boot, ms=now, wall=wall, wall_unc_ms=60_000)

    def bus(
        self,
        broker: Broker,
        *,
        client_id: str,
        subscriptions: Sequence[str],
        on_message: OnMessage,
        on_up: Callable[[], object],
        on_down: Callable[[str], object],
        will: Will | None,
        trust: Trust | None,
    ) -> MemoryBus:
        self.current_bus = MemoryBus(
            self._broker,
            self.link,
            client_id=client_id,
            subscriptions=subscriptions,
            on_message=on_message,
            on_up=on_up,
            on_down=on_down,
            will=will,
        )
        return self.current_bus

    def disk(self, say: Callable[[str], None], over: Callable[[], None]) -> SimulatedDisk:
        return SimulatedDisk(self, say, over)

    def regularly(self, do: Callable[[], object], name: str, every_s: float = 10.0) -> Any:
        """Not here: it measures the machine that the test runs on."""
        return ExitStack()

    def driver(self, node: Node[Any, Any], perform: Callable[[Any], None], **options: Any) -> SteppedDriver:
        self.current_driver = SteppedDriver(self, node, perform, **options)
        return self.current_driver


class SteppedDriver(Driver):
    """Takes one input after the other on the world's agenda. `dies_in`: it is killed before so many effects
    more."""

    def __init__(
        self, host: SimulatedHost, node: Node[Any, Any], perform: Callable[[Any], None], **options: Any
    ) -> None:
        self.dies_in: int | None = None
        self.steps = 0
        self._overdue = 0  # wakings of late that were due already
        self._host = host
        self._carry_out = perform
        self._ended = self._begun = self._busy = False
        self._due: int | None = None  # when the next turn is on the agenda
        super().__init__(node, self._perform_or_die, **options)

    def start(self) -> None:
        self._plan(self._host.world.now)

    def stop(self) -> None:
        self._ended = True

    def put(self, given: Any) -> bool:
        taken = super().put(given)
        if taken:
            self._soon()
        return taken

    def go_on(self) -> None:
        """It stood still, and does no longer."""
        if self._begun and not self._ended and not self._busy:
            self._plan_next()

    @property
    def takes_inputs(self) -> bool:
        """It is up, and waits for no disk."""
        return self._begun and not self._busy and not self._ended

    def check_alive(self) -> None:
        """Raise `Killed` where the process was killed while it waited for its disk."""
        if self._ended:
            raise Killed

    def _perform_or_die(self, effect: Any) -> None:
        self.check_alive()
        if self.dies_in is not None:
            self.dies_in -= 1
            if self.dies_in < 0:
                raise Killed
        self._carry_out(effect)

    def _soon(self) -> None:
        if not self._busy:
            self._plan(self._host.world.now + self._host.chance.randint(*STEP_US))

    def _plan(self, time: int) -> None:
        time = max(time, self._host.frozen_until)
        if self._due is None or time < self._due:
            self._due = time
            self._host.world.at(time, lambda: self._on_time(time))

    def _on_time(self, time: int) -> None:
        if self._ended or self._busy or time != self._due:
            return
        self._due = None
        if self._host.world.now < self._host.frozen_until:
            self._plan(self._host.frozen_until)
            return
        self._busy = True
        try:
            self._turn() if self._begun else self._begin()
            self._begun = True
            self.steps += 1
            self._check_rest()
        except (Killed, Exception) as error:  # noqa: BLE001  (the process ends with it, whatever it is)
            self._ended = True
            self._host.broken(error)
            return
        finally:
            self._busy = False
        self._plan_next()

    def _plan_next(self) -> None:
        if self._inputs.has_inputs:
            self._soon()
        elif self._wake_at is not None:
            self._plan(max(self._host.instant(self._wake_at), self._host.world.now + STEP_US[0]))

    def _check_rest(self) -> None:
        """A node that asks again and again to be woken at a time that is past would keep a core busy."""
        overdue = self._wake_at is not None and self._wake_at <= self._host.now() and not self._inputs.has_inputs
        self._overdue = self._overdue + 1 if overdue else 0
        if self._overdue > RESTLESS:
            raise AssertionError(f"asks to be woken at {self._wake_at} and it is {self._host.now()}")


class Patience:
    """What a process waits on while its disk refuses something: the world goes on meanwhile."""

    def __init__(self, host: SimulatedHost) -> None:
        self._host = host
        self._stopped = False

    def set(self) -> None:
        self._stopped = True

    def wait(self, seconds: float) -> bool:
        driver = self._host.current_driver
        self._host.world.run(seconds * 1_000)
        if driver is not None:
            driver.check_alive()
        return self._stopped


class SimulatedDisk(Disk):
    """No thread looks whether an operation takes long: none does here."""

    def __init__(self, host: SimulatedHost, say: Callable[[str], None], over: Callable[[], None]) -> None:
        patience: Any = Patience(host)
        self._say, self._over, self._alive = say, over, lambda: None
        self._lock = threading.Lock()
        self._since: float | None = None
        self._why = ""
        self._took: deque[tuple[float, float]] = deque()
        self._stopping = patience


Maker = Callable[[SimulatedHost, Path, Path], Process]  # from a host, the folder of its disk and that in memory


class Machine:
    """One machine with its process. `make` makes the process from its host and its data folder; `deaths` has what
    ended a process that nobody killed."""

    def __init__(self, name: str, host: SimulatedHost, folder: Path, make: Maker) -> None:
        self.name = name
        self.host = host
        self.data = folder / name / "data"
        self.memory = folder / name / "memory"  # files that a power cut destroys
        self.process: Process | None = None
        self.disk_full = False
        self.starts = 0
        self.disks = 1  # that it has had
        self.deaths: list[BaseException] = []
        self._make = make
        self._down = 0  # story steps that hold it down
        self._back_after, self._loses_disk = 1_000.0, False  # once it is killed in a step
        host.broken = self._ended

    # ------------------------------------------------------------------------------------- its life

    def start(self) -> None:
        """From what is on the disk. Where that cannot be, it is tried again, as a service is."""
        if self.process is not None or self._down:
            return
        self.memory.mkdir(parents=True, exist_ok=True)
        try:
            self.process = self._make(self.host, self.data, self.memory)
        except LedgerError as error:
            if not self.disk_full:
                self.deaths.append(error)
            self.host.world.after(1_000, self.start)
            return
        self.starts += 1
        self._limit_disk()
        self.process.start()

    def kill(self) -> None:
        """kill -9: the system closes what the process had open."""
        process, self.process = self.process, None
        if process is None:
            return
        if self.host.current_driver is not None:
            self.host.current_driver.stop()
        if self.host.current_bus is not None:
            self.host.current_bus.vanish()
        process._opened.close()

    def hold_down(self, ms: float, *, reboot: bool = False, lose_disk: bool = False) -> None:
        """Killed, and started again after `ms`; with its power off or with another disk."""
        self.kill()
        self._down += 1
        if reboot or lose_disk:
            shutil.rmtree(self.memory, ignore_errors=True)
            self.host.reboot()
        if lose_disk:
            shutil.rmtree(self.data, ignore_errors=True)
            self.disks += 1

        def up() -> None:
            self._down -= 1
            self.start()

        self.host.world.after(ms, up)

    def kill_after(self, effects: int, ms: float, *, lose_disk: bool = False) -> None:
        """Killed before so many more effects of its node are carried out, and started again after `ms`; with
        another disk."""
        driver = self.host.current_driver
        if self.process is not None and driver is not None:
            driver.dies_in = effects
            self._back_after, self._loses_disk = ms, lose_disk

    def freeze(self, ms: float) -> None:
        self.host.frozen_until = max(self.host.frozen_until, self.host.world.now + round(ms * 1_000))

    def thaw(self) -> None:
        self.host.frozen_until = 0
        if self.host.current_driver is not None:
            self.host.current_driver.go_on()

    def _ended(self, error: BaseException) -> None:
        """The driver of the process ended by itself."""
        if isinstance(error, Killed):
            if self.process is not None:
                self.hold_down(self._back_after, lose_disk=self._loses_disk)
            return
        self.deaths.append(error)
        self.hold_down(1_000)

    # ------------------------------------------------------------------------------------- its disk

    def fill_disk(self, *, full: bool) -> None:
        self.disk_full = full
        self._limit_disk()

    def _limit_disk(self) -> None:
        """No database grows: SQLite says that the disk is full where it needs another page."""
        for store in self._stores():
            pages = int(store.connection.execute("PRAGMA page_count").fetchone()[0])
            store.connection.execute(f"PRAGMA max_page_count={pages if self.disk_full else NO_LIMIT}")

    def _stores(self) -> list[Store]:
        held = vars(self.process).values() if self.process is not None else ()
        found = [getattr(one, "_store", None) for one in held]
        return [one for one in found if isinstance(one, Store)]


def _raise(error: BaseException) -> None:
    raise error
