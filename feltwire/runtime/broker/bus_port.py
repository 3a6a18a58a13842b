"""What a process needs of its broker, whichever that is.

Behind it: mosquitto or a NATS cluster's MQTT listener (`feltwire.runtime.broker.bus`), or a broker in this process
(`tests.simulation.memory_broker`). `tests/feltwire/runtime/test_bus_contract.py` shows
that each keeps the contract.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from feltwire.runtime.broker import topics
from table_core.messages import MOST_BYTES

OnMessage = Callable[[str, bytes], object]


class Will(NamedTuple):
    """The message that the broker sends for this client when it disappears."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = True


class BusPort(Protocol):
    """One client of a broker. It reconnects without help and queues nothing while the broker is away.

    `on_message(topic, payload)` (of a payload: an empty message says nothing), `on_up()` (every subscription is in
    force) and `on_down(reason)` come from other threads and must only enqueue. Messages of one sender on one topic
    come in order, at least once while both are connected; a connection that breaks forgets what was in flight.
    `on_up` may come again without an `on_down`: say again what the broker should retain.
    """

    def start(self) -> None: ...

    def stop(self) -> None:
        """Disconnect; no will is sent."""
        ...

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Hand over a message and return at once. False: not handed over, send it again later."""
        ...

    @property
    def is_up(self) -> bool: ...


def not_taken(topic: str, payload: bytes, *, retained: bool) -> str:
    """Why no process takes this message, for the log; empty for one that is taken."""
    if len(payload) > MOST_BYTES:
        return f"{topic!r}: {len(payload)} bytes, more than {MOST_BYTES}; ignored"
    if retained and not topics.may_be_retained(topic):
        return f"{topic!r}: the broker retains a message here; ignored. Clear that topic"
    return ""
