"""The processes of a venue, each on a machine of its own: broker or NATS nodes, station, relay, a table that deals
as fast as its devices are acknowledged, and one that was cut off while it dealt thousands of events."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol, Self

import msgspec

from feltwire.config import Broker, RelayConfig, StationConfig, TableConfig
from feltwire.lab.demo.check import RoomFiles
from feltwire.lab.demo.room import RULEBOOK, VENUE, RoomPlan, children, lay_out
from feltwire.lab.demo.truth import Truth as Director
from feltwire.ledger.chain import chain
from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.children import ChildSpec, Supervisor
from feltwire.table.recovery import destroy_keys
from feltwire.tools.verify.events import Proofs, verify_table
from table_core.messages import AnyEvent, At, EpochBegan, Millis
from table_core.rulebook import load_rulebook
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.nats import NODES, NatsCluster
from tests.ports import free_base
from tests.room.many_tables import hands, processor_s
from tests.room.network.cables import Network

DEALS, CUT_OFF = "01", "02"  # the tables
BROKER, STATION, RELAY = "broker", "station", "relay"  # the machines besides those of the tables
NODE_NAMES = tuple(f"node-{no}" for no in range(NODES))
PATIENCE_S = 240.0
GLANCE_S = 0.02
LATE_S = 0.25  # in step: the station has what the table had so long ago


class Running(Protocol):
    def start(self) -> None: ...
    def kill(self) -> None: ...


class InStep(NamedTuple):
    """How long it took, how many events came to the station meanwhile, and for how long it computed."""

    seconds: float
    events: int
    processor_s: float


def of_table(table: str) -> str:
    """The machine of a table."""
    return f"table-{table}"


class Venue:
    """A context manager: the processes run inside. `backlog` events wait at the table that was cut off. The other
    one deals `pace` times as fast as live, at 0 as fast as its devices are acknowledged."""

    def __init__(
        self, folder: Path, *, nats: bool = False, backlog: int = 0, pace: float = 0, seed: int = 1
    ) -> None:
        self.network = Network()
        self.tables = (DEALS, CUT_OFF) if backlog else (DEALS,)
        for name in (*(NODE_NAMES if nats else (BROKER,)), STATION, RELAY, *map(of_table, self.tables)):
            self.network.machine(name)
        self.broker: Mosquitto | NatsCluster = self._nats(folder) if nats else self._mosquitto(folder)
        self._plan = RoomPlan(
            folder=folder / "room",
            tables=len(self.tables),
            seed=seed,
            speed=pace,
            port=free_base(),
            broker=self._to_broker.url,
            delay_s="1",
            cameras=frozenset(),
        )
        self._plan.check()
        lay_out(self._plan)
        self._tell_of_nodes()
        if backlog:
            self._cut_off(backlog)
        self._director = Director(VENUE, self.tables, self._to_broker)
        self._eyes: dict[str, sqlite3.Connection] = {}
        self.supervisor = Supervisor(list(self._processes()))
        self.files = RoomFiles(self._data, self.tables)

    @property
    def _data(self) -> Path:
        return self._plan.folder / "data"

    def _mosquitto(self, folder: Path) -> Mosquitto:
        host = self.network.address(BROKER)
        return Mosquitto(folder, host=host, run=lambda argv: self.network.run(BROKER, argv))

    def _nats(self, folder: Path) -> NatsCluster:
        hosts = [self.network.address(name) for name in NODE_NAMES]
        return NatsCluster(folder, hosts=hosts, run=lambda no, argv: self.network.run(NODE_NAMES[no], argv))

    @property
    def _to_broker(self) -> Broker:
        return self.broker.broker if isinstance(self.broker, NatsCluster) else Broker(self.broker.url)

    def _tell_of_nodes(self) -> None:
        """Every process knows all nodes of the broker."""
        kinds = {STATION: StationConfig, RELAY: RelayConfig} | {of_table(one): TableConfig for one in self.tables}
        for name, kind in kinds.items():
            path = self._plan.folder / f"{name}.toml"
            config = msgspec.toml.decode(path.read_bytes(), type=kind)
            path.write_bytes(msgspec.toml.encode(msgspec.structs.replace(config, broker=self._to_broker)))

    def _cut_off(self, backlog: int) -> None:
        """The ledger of a table that has dealt alone: nothing of it is acknowledged."""
        ledger, play = Ledger.open(self._data / f"{of_table(CUT_OFF)}.ledger"), hands(CUT_OFF)
        with contextlib.closing(ledger):
            ledger.begin_epoch(1)
            first: list[AnyEvent] = [EpochBegan(ledger.identity(), ledger.key.public)]
            for _ in range(0, backlog, 100):
                facts, first = [*first, *(next(play) for _ in range(100))], []
                at = At(boot="t" * 16, ms=Millis(1))
                told = chain(ledger.head, facts, at=at, venue=VENUE, table=CUT_OFF, cause="", key=ledger.key)
                ledger.commit(entries=told)

    def _processes(self) -> Iterator[ChildSpec]:
        for spec in children(self._plan, self._director.hear):
            machine = spec.name.replace("simroom", "table")
            if spec.name in ("clock", f"simroom-{CUT_OFF}"):
                continue
            yield replace(spec, argv=tuple(self.network.run(machine, spec.argv)))

    def __enter__(self) -> Self:
        self.broker.start()
        if CUT_OFF in self.tables:
            self.network.cut(of_table(CUT_OFF))
        self.supervisor.start()
        self._director.start()  # seats new players where one has won everything
        self.wait(lambda: self.collected(DEALS) > 0, "the station hears of the table that deals")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for eye in self._eyes.values():
            eye.close()
        self.supervisor.stop()
        self._director.stop()
        self.broker.kill()
        destroy_keys(self._data)

    # --------------------------------------------------------------------------------- what is the case

    def recorded(self, table: str) -> int:
        """How many events the table has."""
        return self._last(of_table(table), "SELECT max(seq) FROM events")

    def collected(self, table: str) -> int:
        """How many of them the station has."""
        return self._last(STATION, "SELECT max(seq) FROM events WHERE table_id = ? AND epoch = 1", table)

    def _last(self, ledger: str, query: str, *values: str) -> int:
        """Looked up in the file, which costs the process little; 0 where it is not there yet."""
        if ledger not in self._eyes:
            path = self._data / f"{ledger}.ledger"
            if not path.exists():
                return 0
            self._eyes[ledger] = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        with contextlib.suppress(sqlite3.OperationalError):
            return self._eyes[ledger].execute(query, values).fetchone()[0] or 0
        return 0

    def processor_s(self) -> float:
        """What the station has computed so far."""
        return processor_s(self.supervisor.pid(STATION))

    def in_step(self, tables: Sequence[str]) -> InStep:
        """Wait until the station has what these tables had shortly before."""
        began, computed = time.monotonic(), self.processor_s()
        there = sum(map(self.collected, tables))
        seen: deque[tuple[float, list[int]]] = deque()
        while True:
            now = time.monotonic()
            seen.append((now, [self.recorded(table) for table in tables]))
            collected = [self.collected(table) for table in tables]
            due = max((heads for at, heads in seen if now - at >= LATE_S), default=None)
            if all(map(int.__ge__, collected, seen[0][1])) and (
                due is None or all(map(int.__ge__, collected, due))
            ):
                took, cost = time.monotonic() - began, self.processor_s() - computed
                return InStep(round(took, 2), sum(collected) - there, round(cost, 2))
            assert now - began < PATIENCE_S, f"{collected} of {seen[-1][1]} events\n{self.logs()}"
            time.sleep(GLANCE_S)

    def hears_again(self, table: str) -> InStep:
        """From the next event of the table on, wait until the station has it, and is in step."""
        head = self.recorded(table)
        self.wait(lambda: self.recorded(table) > head, "the table deals on")
        began, computed = time.monotonic(), self.processor_s()
        self.wait(lambda: self.collected(table) > head, "the station hears the table again")
        self.in_step([table])
        took, cost = time.monotonic() - began, self.processor_s() - computed
        return InStep(round(took, 2), self.collected(table) - head, round(cost, 2))

    def end_dealing(self) -> None:
        """The hand that is being dealt is the last; then the station has every event of every table."""
        order = b'{"last_hand": true}'
        self.wait(lambda: self.supervisor.tell(f"simroom-{DEALS}", order), "the dealer listens")
        self.wait(lambda: self._director.tables[DEALS].done, "the last hand is dealt")
        self.wait(lambda: all(self.recorded(one) == self.collected(one) for one in self.tables), "all is in step")

    def wrong(self) -> list[str]:
        """What does not hold of the ledgers, once all is in step."""
        wrong = []
        for table in self.tables:
            ledger = Ledger.open(self._data / f"{of_table(table)}.ledger", read_only=True)
            with contextlib.closing(ledger):
                rows = list(ledger.raw_events())
            if rows != self.files.station_events(table):
                wrong.append(f"table {table}: the station's ledger is not the table's")
            verdict = verify_table(table, rows, load_rulebook(RULEBOOK), Proofs())
            if not verdict.ok:
                wrong.append(f"table {table}: {verdict.first_bad} {verdict.why}")
        return wrong

    def wait(self, fact: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not fact():
            assert time.monotonic() < deadline, f"waited {PATIENCE_S:.0f} s in vain: {what}\n{self.logs()}"
            time.sleep(GLANCE_S)

    def logs(self) -> str:
        """The end of every process's log."""
        logs = sorted((self._plan.folder / "log").glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-1500:]}" for log in logs)
