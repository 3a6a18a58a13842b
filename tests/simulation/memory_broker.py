"""A broker in this process, and its clients behind the bus port.

It keeps what the port asks of a broker (`tests/feltwire/runtime/test_bus_contract.py`): filters, retained
messages, wills, one connection a client id, QoS 0 and 1 in order. A `Wire` between each client and the broker
says when a message arrives: at once, or as the simulation's faults have it. A broker that ends forgets what was
in flight.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from feltwire.runtime.broker.bus_port import OnMessage, Will, not_taken

CONNECT_TIMEOUT_S = 5.0
BACKOFF_S = (0.2, 2.0)  # first and longest pause between attempts, as `feltwire.runtime.broker.line` has them


class Wire(Protocol):
    """Between one client and the broker. What it carries arrives in order, unless it has faults."""

    def carry(self, act: Callable[[], None], *, to_broker: bool, message: bool) -> None:
        """`act` is what the other end does when this arrives. A `message` may be lost or doubled, the beginning
        and the end of a connection are not."""
        ...

    def later(self, seconds: float, act: Callable[[], None]) -> None: ...


class AtOnce:
    """A wire without delay."""

    def carry(self, act: Callable[[], None], *, to_broker: bool, message: bool) -> None:
        act()

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        timer = threading.Timer(seconds, act)
        timer.daemon = True
        timer.start()


class Line:
    """One connection of a client; each end knows by itself whether it is open."""

    def __init__(self, bus: MemoryBus, number: int) -> None:
        self.bus = bus
        self.number = number
        self.open_at_client = True
        self.open_at_broker = False


class MemoryBroker:
    """`runs` False: it is down, and whoever connects is refused."""

    def __init__(self) -> None:
        self.runs = True
        self._lock = threading.RLock()
        self._lines: dict[str, Line] = {}  # by client id
        self._retained: dict[str, bytes] = {}

    # ------------------------------------------------------------------------------ its own life

    def kill(self, *, forget_retained: bool = True) -> None:
        with self._lock:
            self.runs = False
            lines, self._lines = list(self._lines.values()), {}
            if forget_retained:
                self._retained.clear()
        for line in lines:
            line.open_at_broker = False
            line.bus.wire.carry(
                lambda line=line: line.bus.lost(line, "connection lost"), to_broker=False, message=False
            )  # type: ignore[misc]

    def start(self) -> None:
        self.runs = True

    # --------------------------------------------------------------------------------- its clients

    def connect(self, line: Line) -> None:
        """A client connects with its subscriptions; it is the only one of its id from now on."""
        bus = line.bus
        if not line.open_at_client:
            return  # it gave up while this was on the way
        if not self.runs:
            bus.wire.carry(
                lambda: bus.lost(line, "connection refused; waiting for it"), to_broker=False, message=False
            )
            return
        with self._lock:
            before = self._lines.get(bus.client_id)
        if before is not None:
            self.disconnect(before, will=True)
        with self._lock:
            self._lines[bus.client_id] = line
            line.open_at_broker = True
            kept = [(topic, raw) for topic, raw in self._retained.items() if bus.wants(topic)]
        bus.wire.carry(lambda: bus.came_up(line), to_broker=False, message=False)
        for topic, raw in kept:
            self._deliver(line, topic, raw, retained=True)

    def disconnect(self, line: Line, *, will: bool) -> None:
        """This end of the connection closes; `will`: the client did not say goodbye."""
        with self._lock:
            if not line.open_at_broker:
                return
            line.open_at_broker = False
            if self._lines.get(line.bus.client_id) is line:
                del self._lines[line.bus.client_id]
        line.bus.wire.carry(lambda: line.bus.lost(line, "connection lost"), to_broker=False, message=False)
        if will and line.bus.will is not None:
            self._route(line.bus.will.topic, line.bus.will.payload, retain=line.bus.will.retain)

    def publish(self, line: Line, topic: str, payload: bytes, *, retain: bool) -> None:
        if line.open_at_broker:
            self._route(topic, payload, retain=retain)

    def _route(self, topic: str, payload: bytes, *, retain: bool) -> None:
        with self._lock:
            if retain and payload:
                self._retained[topic] = payload
            elif retain:
                self._retained.pop(topic, None)
            lines = [line for line in self._lines.values() if line.bus.wants(topic)]
        for line in lines:
            self._deliver(line, topic, payload, retained=False)

    def _deliver(self, line: Line, topic: str, payload: bytes, *, retained: bool) -> None:
        line.bus.wire.carry(
            lambda: line.bus.received(line, topic, payload, retained=retained), to_broker=False, message=True
        )


class MemoryBus:
    """A client of a `MemoryBroker`, as `feltwire.runtime.broker.bus.Bus` is one of an MQTT broker."""

    def __init__(
        self,
        broker: MemoryBroker,
        wire: Wire,
        *,
        client_id: str,
        subscriptions: Sequence[str],
        on_message: OnMessage,
        on_up: Callable[[], object],
        on_down: Callable[[str], object],
        will: Will | None = None,
    ) -> None:
        self.wire = wire
        self.client_id = client_id
        self.will = will
        self._broker = broker
        self._filters = [topic.split("/") for topic in subscriptions]
        self._wanted: dict[str, bool] = {}  # by topic
        self._on_message, self._on_up, self._on_down = on_message, on_up, on_down
        self._line: Line | None = None
        self._up = False
        self.stopped = False
        self.connections = 0  # how often it came up
        self._attempts = 0
        self._pause_s = BACKOFF_S[0]
        self._last_reason = ""

    # ------------------------------------------------------------------------------------ the port

    def start(self) -> None:
        self._connect()

    def stop(self) -> None:
        self._hang_up(will=False)

    def vanish(self) -> None:
        """The process is killed: its system closes the connection."""
        self._hang_up(will=True)

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        line = self._line
        if line is None or not self._up:
            return False
        self.wire.carry(
            lambda: self._broker.publish(line, topic, payload, retain=retain), to_broker=True, message=True
        )
        return True

    @property
    def is_up(self) -> bool:
        return self._up

    # ---------------------------------------------------------------------- what the broker says

    def wants(self, topic: str) -> bool:
        if topic not in self._wanted:
            self._wanted[topic] = any(_matches(wanted, topic.split("/")) for wanted in self._filters)
        return self._wanted[topic]

    def came_up(self, line: Line) -> None:
        if line is self._line and line.open_at_client:
            self._up, self._last_reason, self._pause_s = True, "", BACKOFF_S[0]
            self.connections += 1
            self._on_up()

    def received(self, line: Line, topic: str, payload: bytes, *, retained: bool) -> None:
        if line is self._line and self._up and payload and not not_taken(topic, payload, retained=retained):
            self._on_message(topic, payload)

    def lost(self, line: Line, reason: str) -> None:
        """This end of the connection is closed, or was never open."""
        if not line.open_at_client:
            return
        line.open_at_client = False
        if line is not self._line or self.stopped:
            return
        self._line, self._up = None, False
        if reason != self._last_reason:
            self._last_reason = reason
            self._on_down(f"broker: {reason}")
        self.wire.later(self._pause_s, self._connect)
        self._pause_s = min(BACKOFF_S[1], self._pause_s * 2)

    def silent(self) -> None:
        """Nothing came from the broker for longer than a keep-alive."""
        if self._line is not None:
            self.lost(self._line, "connection lost")

    @property
    def line(self) -> Line | None:
        return self._line

    def _connect(self) -> None:
        if self.stopped:
            return
        self._attempts += 1
        line = self._line = Line(self, self._attempts)
        self.wire.carry(lambda: self._broker.connect(line), to_broker=True, message=False)
        self.wire.later(CONNECT_TIMEOUT_S, lambda: self._give_up(line))

    def _give_up(self, line: Line) -> None:
        if line is self._line and not self._up:
            self.lost(line, "no answer; waiting for it")

    def _hang_up(self, *, will: bool) -> None:
        self.stopped, self._up = True, False
        line, self._line = self._line, None
        if line is not None:
            line.open_at_client = False
            self.wire.carry(lambda: self._broker.disconnect(line, will=will), to_broker=True, message=False)


def _matches(wanted: Sequence[str], topic: Sequence[str]) -> bool:
    """Whether a topic is one of a filter's (`+` one level, `#` all that follow)."""
    for at, level in enumerate(wanted):
        if level == "#":
            return True
        if at >= len(topic) or level not in ("+", topic[at]):
            return False
    return len(wanted) == len(topic)
