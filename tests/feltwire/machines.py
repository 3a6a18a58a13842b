"""Machines that would be one table, a station, and a broker between them that loses what it is told to lose.

The nodes are the real ones, and so are the machines' ledgers; a machine is killed by forgetting everything but its
file. Time is virtual, and every machine's boot clock is its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from feltwire.config import TableConfig
from feltwire.lab.scenario.table import MemoryVault, TableInMemory
from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Reply
from feltwire.station.station_io import Directed, Effect
from feltwire.table.node import TableNode
from feltwire.table.process import birth_of
from feltwire.table.table_io import (
    OUTBOX_PAGE,
    ClearOutbox,
    CommandCame,
    Commit,
    DeviceSaid,
    LeaveBus,
    PageSent,
    ProcessStarted,
    SayBirth,
    SendEvents,
    SendOutbox,
    StationAcked,
)
from table_core.messages import Ack, At, Chips, DeviceState, Level, Millis, Seat, SeatStack
from tests.feltwire.station_room import VENUE, Station, config

LEVEL = Level(1, Chips(50), Chips(100))
STACKS = tuple(SeatStack(Seat(seat), Chips(10_000)) for seat in (1, 2, 3))
SETTINGS = TableConfig(VENUE, "01", "unused", STACKS, (LEVEL,), 3)


class Machine(TableInMemory):
    """One machine, which is what its ledger at `path` makes it. `say(leaf, payload)` puts a message on the bus."""

    def __init__(self, path: Path, say: Callable[[Machine, str, bytes], None], now: int) -> None:
        self.path = path
        self.ledger = Ledger.open(path)
        self.ledger._store.connection.execute("PRAGMA synchronous=OFF")  # no power fails here
        self.connected = False
        self.left = False
        self.runs = True
        self._say = say
        self.vault = MemoryVault()
        self.now = Millis(now)
        self._begin_records()
        self.node = TableNode(
            SETTINGS,
            self.vault,
            known=self.ledger.seen,
            stamp=lambda now: At(path.stem, now),
            boot=now,
            ledger=self.ledger.identity(),
            key=self.ledger.key,
        )
        self.node.recover(self.ledger.hashed_events(), self.ledger.note)
        self._sent = {"keypad": 0, "shoe": 0}
        self.devices_boot = now + 1
        self.give(ProcessStarted())
        self.device("keypad", DeviceState.OK)

    @property
    def rows(self) -> list[bytes]:
        return [raw for _, _, raw in self.ledger.raw_events()]

    @property
    def says(self) -> str:
        """What its screen says."""
        return str(msgspec.json.decode(self.screen)["last"])

    def device(self, name: str, state: DeviceState) -> None:
        self.give(DeviceSaid(name, state))

    def on_bus(self, *, up: bool) -> None:
        self.connected = up
        self.give(BusUp() if up else BusDown())

    def hear(self, topic: str, payload: bytes) -> None:
        if topic in (topics.table(VENUE, "01", "command"), topics.table(VENUE, "01", "grant")):
            self.give(CommandCame(payload, lease=topic.endswith("grant")))
        elif topic == topics.table(VENUE, "01", "ack"):
            ack = msgspec.json.decode(payload, type=Ack)
            self.give(StationAcked(ack.epoch, ack.seq))

    def kill(self) -> None:
        self.connected, self.runs = False, False
        self.ledger.close()

    def _perform(self, effect: Any) -> None:
        super()._perform(effect)
        match effect:
            case Publish():
                self._tell(topics.leaf_of(effect.topic), effect.payload)
            case SayBirth():
                self._tell("birth", birth_of(self.ledger, SETTINGS, effect))
            case SendOutbox():
                self._send_page(self.ledger.outbox(OUTBOX_PAGE))
            case SendEvents():
                rows = self.ledger.raw_events(effect.from_seq, effect.epoch)
                self._send_page(list(islice(rows, OUTBOX_PAGE)))
            case ClearOutbox():
                self.ledger.acked(effect.epoch, effect.seq)
            case LeaveBus():
                self.connected, self.left = False, True

    def _commit(self, commit: Commit) -> None:
        super()._commit(commit)
        self.ledger.commit(
            entries=commit.entries,
            observations=commit.observations,
            notes=commit.notes,
            new_epoch=commit.new_epoch,
        )

    def _send_page(self, rows: list[tuple[int, int, bytes]]) -> None:
        self._send(rows)
        if len(rows) == OUTBOX_PAGE:
            self.give(PageSent(*rows[-1][:2]))

    def _send(self, rows: list[tuple[int, int, bytes]]) -> None:
        for _, _, raw in rows:
            self._tell("event", raw)

    def _tell(self, leaf: str, payload: bytes) -> None:
        if self.connected:
            self._say(self, leaf, payload)


@dataclass
class Room:
    """`lose()` says whether the next message is lost on its way."""

    folder: Path
    lose: Callable[[], bool] = lambda: False
    station: Station = field(
        default_factory=lambda: Station(config(("01",), levels=(LEVEL,)), leaseholders={}).up()
    )
    machines: dict[str, Machine] = field(default_factory=dict)
    spoken: list[tuple[str, bytes]] = field(default_factory=list)  # events, with the machine that published them
    _way: deque[Callable[[], None]] = field(default_factory=deque)

    def start(self, name: str, *, connect: bool = True) -> Machine:
        """Start a machine, or start it again from its ledger."""
        if name in self.machines:
            self.machines[name].kill()
        machine = Machine(self.folder / f"{name}.ledger", self._from_table, 1_000 * (len(self.spoken) + 1))
        self.machines[name] = machine
        if connect:
            machine.on_bus(up=True)
        self.settle()
        return machine

    def partition(self, name: str) -> None:
        self.machines[name].on_bus(up=False)
        self.settle()

    def heal(self, name: str) -> None:
        self.machines[name].on_bus(up=True)
        self.settle()

    def restart_station(self) -> None:
        self.station = self.station.killed().up()
        self._from_station(self.station.effects)
        self.settle()

    def new_station(self) -> None:
        """The station's machine is another one, with an empty disk."""
        self.station = Station(config(("01",), levels=(LEVEL,)), leaseholders={}).up()
        self._from_station(self.station.effects)
        self.settle()

    def hand_over(self, name: str) -> Reply:
        """The director hands the table to a machine; the answer."""
        ledger = self.machines[name].ledger
        wanted = {"table": "01", "ledger": ledger.identity(), "key": ledger.key.public}
        effects = self.station.give(Directed(f"h{len(self.station.effects)}", "hand_over", wanted))
        self._from_station(effects)
        self.settle()
        return next(effect for effect in effects if isinstance(effect, Reply))

    def take_over(self, name: str) -> Machine:
        """A machine asks to be the table and the director hands it over. One that had left the broker to the
        machine in charge is started again."""
        machine = self.start(name)
        self.hand_over(name)
        return self.start(name) if machine.left else machine

    def settle(self) -> None:
        """Deliver until nobody has anything more to say."""
        while self._way:
            self._way.popleft()()

    def wait(self, ms: int) -> None:
        """Time passes for everybody."""
        for _ in range(0, ms, 500):
            self._from_station(self.station.wait(500))
            for machine in [one for one in self.machines.values() if one.runs and (one.connected or not one.left)]:
                machine.wait(500)
            self.settle()

    @property
    def collected(self) -> list[bytes]:
        return self.station.ledger.rows.get("01", [])

    def _from_table(self, machine: Machine, leaf: str, payload: bytes) -> None:
        if leaf == "event":
            self.spoken.append((machine.path.stem, payload))
        arrived = Arrived(topics.table(VENUE, "01", leaf), payload)
        self._send(lambda: self._from_station(self.station.give(arrived)))

    def _from_station(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Publish):
                self._broadcast(effect)

    def _broadcast(self, effect: Publish) -> None:
        def deliver() -> None:
            for machine in [one for one in self.machines.values() if one.connected]:
                machine.hear(effect.topic, effect.payload)

        self._send(deliver)

    def _send(self, deliver: Callable[[], None]) -> None:
        if not self.lose():
            self._way.append(deliver)
