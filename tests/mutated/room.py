"""The processes of a room in one thread: real adapters, real disks, no sockets; time goes on when told to."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from feltwire.config import Broker, ClockConfig, RelayConfig, StationConfig, TableConfig, load
from feltwire.relay.keys import RelayKeys
from feltwire.relay.process import RelayProcess
from feltwire.runtime.broker.connection import Address, BusClient, Connection
from feltwire.runtime.host import Host
from feltwire.runtime.node import Driver, Node
from feltwire.runtime.process import Process
from feltwire.station.process import StationProcess
from feltwire.table.process import TableProcess
from feltwire.table.table_io import DeviceSaid, ProcessStarted
from feltwire.wall_clock.process import ClockProcess
from firmware_bridge import frames, payloads
from firmware_bridge.decks import DeckRegistry, generate
from firmware_bridge.link import DeviceLink
from table_core.messages import CardText, DeviceState, Key, Millis, OpenRuling, encode
from table_core.tracker.state import encode_state

VENUE = "hall"
TABLE = "01"
DECKS = generate(7)
FRAME_MS = 40


class Now:
    """Boot time of the room: it goes on when told to."""

    def __init__(self) -> None:
        self.ms = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000

    def __call__(self) -> Millis:
        return Millis(self.ms)


class Wires:
    """The broker: whoever subscribed hears, through the very code that paho calls. `heard` notes what was said."""

    def __init__(self) -> None:
        self.ends: list[Wire] = []
        self.heard: list[tuple[str, bytes]] = []
        self.faults: list[str] = []

    def say(self, topic: str, payload: bytes, retained: bool = False) -> None:
        for end in self.ends:
            end.hear(topic, payload, retained)


class Wire:
    """A process's end. What arrives goes through `Connection`, as from paho's thread."""

    def __init__(
        self,
        wires: Wires,
        *,
        client_id: str,
        subscriptions: Sequence[str],
        on_message: Callable[[str, bytes], object],
        on_up: Callable[[], object],
        **_: object,
    ) -> None:
        self.wires = wires

        def deliver(topic: str, payload: bytes) -> object:
            try:
                return on_message(topic, payload)
            except Exception as error:
                self.wires.faults.append(f"{client_id} raised in the bus's thread: {error!r}")
                raise

        client = BusClient(CallbackAPIVersion.VERSION2)
        self._client: Client = client
        self._filters = [one.split("/") for one in subscriptions]
        self._connection = Connection(client, Address("", 0, False), subscriptions, deliver)
        self.on_up = on_up
        self.is_up = False
        self.wires.ends.append(self)

    def up(self) -> None:
        self.is_up = True
        self.on_up()

    def stop(self) -> None:
        self.is_up = False

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        self.wires.heard.append((topic, payload))
        self.wires.say(topic, payload)
        return True

    def hear(self, topic: str, payload: bytes, retained: bool) -> None:
        if self.is_up and any(_fits(one, topic.split("/")) for one in self._filters):
            message = MQTTMessage(topic=topic.encode(errors="surrogateescape"))
            message.payload, message.retain = payload, retained
            self._connection._received(self._client, None, message)


def _fits(wanted: list[str], topic: list[str]) -> bool:
    return len(wanted) == len(topic) and all(a in ("+", b) for a, b in zip(wanted, topic, strict=True))


class Stepped(Driver):
    """A driver without its thread: `run` takes what waits."""

    def __init__(self, *args: Any, now: Now, **more: Any) -> None:
        super().__init__(*args, now=now, **more)
        self.now = now
        self._wake_at: Millis | None = None
        self._running = False

    def start(self) -> None:
        self._wake_at = self._step(None)

    def stop(self) -> None:
        self._stopping.set()

    def put(self, given: Any) -> bool:
        taken = super().put(given)
        self.run()
        return taken

    def _due(self) -> bool:
        return self._wake_at is not None and self._wake_at <= self.now()

    def run(self) -> None:
        if self._running or self._stopping.is_set():
            return
        self._running = True
        try:
            if self._due():
                self._wake_at = self._take(None)
            while self._inputs._own or self._inputs._lines:  # what a waking says comes back here
                self._wake_at = self._take(self._inputs.next(0))
        finally:
            self._running = False


class RoomHost(Host):
    """Processes that are made on it have no threads, and this room's wires and time."""

    def __init__(self, wires: Wires, now: Now) -> None:
        self._wires, self._now = wires, now

    def now(self) -> Millis:
        return self._now()

    def bus(self, broker: Broker, **options: Any) -> Any:
        return Wire(self._wires, **options)

    def driver(self, node: Node[Any, Any], perform: Callable[[Any], None], **options: Any) -> Driver:
        return Stepped(node, perform, **{**options, "now": self._now})


class Room:
    """Table 01 in a hand, the station, the relay and a wall clock; `folder` is empty or a room's of before."""

    def __init__(self, folder: Path, now: Now) -> None:
        self.folder, self.now = folder, now
        self.wires = Wires()
        self._stack = ExitStack()
        self._stack.enter_context(_with_time(now))
        host = RoomHost(self.wires, now)
        (folder / "run").mkdir(exist_ok=True, mode=0o700)
        if not (folder / "cards.key").exists():
            RelayKeys.generate().save(folder / "cards.key")
            (folder / "decks.toml").write_text(DECKS)
        self.table = TableProcess(self._table(), host)
        self.station = StationProcess(
            StationConfig(VENUE, str(folder / "station"), (TABLE, "02"), self._table().levels, web=_port()), host
        )
        self.relay = RelayProcess(
            RelayConfig(VENUE, str(folder / "relay"), str(folder / "cards.key"), (TABLE,), "1", web=_port()), host
        )
        self.clock = ClockProcess(ClockConfig(VENUE, web=_port()), host)
        self.processes: tuple[Process, ...] = (self.table, self.station, self.relay, self.clock)
        for store in (self.table.ledger, self.station.ledger, self.station.store, self.relay.store):
            store._store.connection.execute("PRAGMA synchronous=OFF")  # no power fails here
        self.sent = {"keypad": 0, "shoe": 0}
        self.lines: list[tuple[str, bytes]] = []  # what the devices said
        self._boot = now.ms & 0x7FFFFFFF
        self._start()

    def close(self) -> None:
        for process in self.processes:
            process.listener.close()
            process._opened.close()
        self._stack.close()

    def _table(self) -> TableConfig:
        path = self.folder / "table.toml"
        relay = RelayKeys.load(self.folder / "cards.key").public_hex
        seats = "".join(f"[[seats]]\nseat = {no}\nstack = {9_000 + no}\nplayer = 'P{no}'\n" for no in (1, 2, 3, 4))
        devices = "".join(f'[{name}]\nport = "{self.folder / name}"\n' for name in ("keypad", "shoe"))
        path.write_text(
            f'venue = "{VENUE}"\ntable = "{TABLE}"\ndata = "{self.folder / "table"}"\nshow_sensed = true\n'
            f'runtime = "{self.folder / "run"}"\nrelay_key = "{relay}"\ndecks = "{self.folder / "decks.toml"}"\n'
            f"{seats}[[levels]]\nno = 1\nsmall_blind = 50\nbig_blind = 100\n"
            f"[[levels]]\nno = 2\nsmall_blind = 100\nbig_blind = 200\n{devices}[web]\nport = 0\n"
        )
        return load(path, TableConfig)

    def _start(self) -> None:
        """What `start` of each does, without threads."""
        table = self.table
        projection = table.node.table
        for process in self.processes:
            process.driver.start()
        table._shown = encode(projection.view())
        table.hub.publish(f"ruling/{TABLE}", encode(OpenRuling(projection.epoch, projection.seq, None)))
        table.driver.put(ProcessStarted())
        table._device_put(DeviceSaid("camera", DeviceState.NONE))
        for process in self.processes:
            process.bus.up()  # type: ignore[attr-defined]
        self.greet()
        self.wait(2_500)

    # -------------------------------------------------------------------------------- what happens

    def wait(self, ms: int) -> None:
        for _ in range(0, ms, 500):
            self.now.ms += min(ms, 500)
            self.run()

    def run(self) -> None:
        """Whatever is due now."""
        for process in self.processes:
            process.driver.run()  # type: ignore[attr-defined]

    def greet(self) -> None:
        """Devices that are not heard say who they are; one that was shut out, when that is over."""
        for name, kind in (("keypad", payloads.KEYPAD), ("shoe", payloads.SHOE)):
            link = self.line(name)
            if link.state is not DeviceState.OK:
                self.now.ms = max(self.now.ms, int(link._shut_until) + 1)
                self.feed(name, b"\0" + frames.encode(frames.HELLO, self._boot, 0, payloads.hello(kind, "sim 1")))

    def line(self, device: str) -> DeviceLink:
        """The table's end of a device's line."""
        return self.table.devices._drivers[device]._link  # type: ignore[attr-defined,no-any-return]

    def feed(self, device: str, data: bytes, after_ms: int = FRAME_MS) -> None:
        """Bytes on a device's line, as its thread reads them."""
        self.now.ms += after_ms
        self.line(device)._take(data, float(self.now.ms))

    def frame(self, device: str, kind: int, payload: bytes) -> None:
        self.sent[device] += 1
        data = frames.encode(kind, self._boot, self.sent[device], payload)
        self.lines.append((device, data))
        self.feed(device, data)

    def press(self, *keys: Key) -> None:
        for key in keys:
            self.frame("keypad", frames.KEY, payloads.key(key, self.now.ms & 0xFFFFFFFF))

    def slowly(self, *keys: Key) -> None:
        """Keys that are no bouncing contacts."""
        for key in keys:
            self.now.ms += 400
            self.press(key)

    def deal(self, *cards: CardText) -> None:
        registry = DeckRegistry.parse(DECKS)
        for card in cards:
            self.frame(
                "shoe", frames.CARD, payloads.card(registry.tag_of("red", card).reveal(), self.now.ms & 0xFFFFFFFF)
            )

    # ------------------------------------------------------------------------------ what must stand

    def state(self) -> dict[str, bytes]:
        """What the room holds, by its parts. Alerts, audit, counters and the log are no state, nor is the lamp
        *online*: whatever a table's machine once signed shows that something of its is on the network."""
        table, station, relay = self.table, self.station, self.relay
        node, ledger = table.node, table.ledger
        links = station.node._tables._links
        authorities = station.node._tables._leases
        clock, wall = station.node._clock.record(self.now()), self.clock_node
        return {
            "table's ledger": repr((ledger.head, ledger._store.connection.total_changes)).encode(),
            "table's memory": encode_state(node.state) + encode(node.table.view()) + node.lease.kept(),
            "station's ledger": repr([station.ledger._store.connection.total_changes]).encode(),
            "station's tables": repr(
                [(link.head, link.devices, link.open, link.reported) for link in links.values()]
                + [one.leaseholder for one in authorities.values()]
                + [len(station.node._director._outgoing._waiting), clock.schedule_revision, clock.mark.revision]
            ).encode(),
            "relay's store": repr(relay.store._store.connection.total_changes).encode(),
            "relay's tables": repr(
                [(one.who, one.head, one.reported, len(one.waiting)) for one in relay.node._tables.values()]
            ).encode(),
            "wall clock": repr((wall._heard, wall._offset and wall._offset.boot)).encode(),
            "people": b"".join(_people(process) for process in (table, station)),
        }

    @property
    def clock_node(self) -> Any:
        return self.clock.driver._node

    def put_aside(self) -> int:
        return sum(process.driver._quarantine.count for process in self.processes)

    def recovers(self) -> str:
        """Whether the table's disk holds what its memory holds; else what differs."""
        node = self.table.node
        view, note, rows = node.table.view(), encode_state(node.state), self.table.ledger.head
        again = self.table._recovered()
        if again.table.view() != view:
            return "the events of the table do not lead to what it shows"
        if encode_state(again.state) != note:
            return "the table's note is not what it remembers"
        del rows
        return ""


def _people(process: Any) -> bytes:
    people = [msgspec.json.encode(one) for one in process.signin.people()]
    sessions = [one.key.encode() for one in process.signin._sessions.values()]
    return b"\n".join(sorted(people + sessions))


def _port() -> Any:
    from feltwire.config import Web

    return Web(port=0)


@contextmanager
def _with_time(now: Now) -> Iterator[None]:
    """Pages and devices have this room's time, too."""
    for name in ("feltwire", "firmware_bridge"):
        logging.getLogger(name).setLevel(logging.ERROR)
    with (
        patch("display.presses.now_ms", lambda: now.ms),
        patch("firmware_bridge.link.boot_ms", lambda: float(now.ms)),
    ):
        yield
