"""The MQTT client of every process: it reconnects without help and queues nothing.

Each connection is a fresh session. Messages in flight when it broke are forgotten: a sender that must not lose one
has an outbox in a ledger and sends again in `on_up`. So nothing piles up while the broker is away.

At a cluster a client has three connections, at different nodes if it can. One hears and speaks. One stands by: it
hears the same, and takes over at once. One has the will and publishes what is to be retained.
(docs/decisions/0053-three-connections-at-a-cluster.md)

Callbacks come from the bus's threads and must only enqueue (`Driver.put`). A message that is too long, or retained
on a topic where the broker should retain none (`topics.may_be_retained`), is dropped. No message ends these
threads.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from feltwire.config import Broker, ConfigError
from feltwire.runtime.broker.bus_port import OnMessage, Will
from feltwire.runtime.broker.connection import REACH_S, Address, BusClient
from feltwire.runtime.broker.line import Line
from feltwire.runtime.certificates.trust import Trust

log = logging.getLogger(__name__)

MAX_UNCONFIRMED = 2_000  # messages handed over that the broker has not confirmed


class Bus:
    """One client of the broker.

    `subscriptions` are topic filters; `on_message(topic, payload)` gets the concrete topic. `on_up()` comes
    when every subscription is in force, `on_down(reason)` when the broker is lost or cannot be reached: once
    for each new reason, not for each attempt. At a cluster both come where another node takes over, and `on_up`
    once more when messages are retained again: say again what the broker should retain.
    """

    def __init__(
        self,
        broker: Broker,
        *,
        client_id: str,
        subscriptions: Sequence[str],
        on_message: OnMessage,
        on_up: Callable[[], object],
        on_down: Callable[[str], object],
        will: Will | None = None,
        trust: Trust | None = None,
    ) -> None:
        self._broker = broker
        self.nodes = [Address.parse(url) for url in (broker.url, *broker.also)]
        if len({address.tls for address in self.nodes}) > 1:
            raise ConfigError("broker also: every node is mqtt://, or every node is mqtts://")
        self._trust = (trust or Trust(broker)) if self.nodes[0].tls else None
        lists = (self._trust.list_topic,) if self._trust is not None and self._trust.list_topic else ()
        self._subscriptions = [(topic, broker.qos) for topic in (*subscriptions, *lists)]
        self._on_message = on_message
        self._on_up = on_up
        self._on_down = on_down
        self._will = will
        self._stopping = threading.Event()
        self._changes = threading.RLock()  # of the current line, and of the nodes that lines are at
        self._current: Line | None = None  # hears and speaks
        self._last_reason = ""
        if len(self.nodes) == 1:
            self._retains = Line(self, client_id)
            self._hear = self.lines = [self._retains]
        else:
            self._retains = Line(self, f"{client_id}-retains", node=2 % len(self.nodes))
            first = Line(self, client_id, after=self._retains)
            self._hear = [first, Line(self, f"{client_id}-stands-by", node=1, after=first)]
            self.lines = [self._retains, *self._hear]

    def start(self) -> None:
        for line in self.lines:
            line.start()
        if self._trust is not None:
            self._trust.watch(self)

    def stop(self) -> None:
        """Disconnect (no will is sent) after the messages handed over have been sent."""
        self._stopping.set()
        if self._trust is not None:
            self._trust.stop()
        for line in self.lines:
            line.stop()
        for line in self.lines:
            line.join()

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Hand over a message and return at once. False: not handed over, because the broker is away or too
        slow; send it again from the outbox later."""
        line = self._current
        if line is None:
            return False
        if retain and self._retains.is_up:
            line = self._retains
        return line.publish(topic, payload, min(qos, self._broker.qos), retain and line is self._retains)

    @property
    def is_up(self) -> bool:
        return self._current is not None

    def ends(self) -> tuple[str, str]:
        """The addresses of this machine and of the broker in the current connection, else empty."""
        line = self._current
        return line.ends() if line is not None else ("", "")

    def peer(self) -> bytes:
        """The broker's certificate (DER) of the current connection, else empty."""
        line = self._current
        return line.peer() if line is not None else b""

    def hang_up(self, reason: str) -> None:
        """End the current connections; the bus then reconnects."""
        for line in self.lines:
            line.hang_up(reason)

    # Called by the lines, in their threads.

    def subscriptions(self, line: Line) -> Sequence[tuple[str, int]]:
        return self._subscriptions if line in self._hear else ()

    def heard(self, line: Line, topic: str, payload: bytes) -> None:
        with self._changes:
            if self._current is not None and self._current is not line:
                line.keep(topic, payload)
                return
        self._on_message(topic, payload)

    def up(self, line: Line) -> None:
        with self._changes:
            line.reason = ""
            if self._current is None and line in self._hear:
                self._current = line
                self._tell_up()
            elif line is self._retains and self._current is not None:
                self._tell_up()
            elif line is not self._current:
                line.stand_by()

    def down(self, line: Line, reason: str) -> None:
        reason = (self._trust.refused if self._trust is not None else "") or reason
        with self._changes:
            if line is self._current:
                self._current = next((other for other in self._hear if other.is_up), None)
                self._tell_down(line, reason)
                if self._current is not None:
                    for topic, payload in self._current.take_over():
                        self._on_message(topic, payload)
                    self._tell_up()
            elif self._current is None and line in self._hear:
                self._tell_down(line, reason)
            elif self._current is not None and reason != line.reason:
                log.warning("broker %s: %s; %s serves", line.address, reason, self._current.address)
            line.reason = reason

    def next_node(self, line: Line) -> None:
        """Two lines that hear are at different nodes, so that not both are lost with one."""
        with self._changes:
            others = [other.node for other in self._hear if other is not line and line in self._hear]
            turns = [(line.node + step) % len(self.nodes) for step in range(1, len(self.nodes) + 1)]
            line.node = next(node for node in turns if node not in others)

    def _tell_up(self) -> None:
        self._last_reason = ""
        self._on_up()
        if self._trust is not None:
            self._trust.connected(self)

    def _tell_down(self, line: Line, reason: str) -> None:
        if reason != self._last_reason and not self._stopping.is_set():
            self._last_reason = reason
            log.warning("broker %s: %s", line.address, reason)
            self._on_down(f"broker {line.address}: {reason}")

    def new_client(self, line: Line) -> BusClient:
        client = BusClient(
            CallbackAPIVersion.VERSION2,
            client_id=line.name,
            clean_session=True,
            protocol=MQTTv311,
            reconnect_on_failure=False,
        )
        client.connect_timeout = REACH_S
        client.max_queued_messages_set(MAX_UNCONFIRMED)
        client.max_inflight_messages_set(MAX_UNCONFIRMED)
        if self._broker.username:
            client.username_pw_set(self._broker.username, self._broker.password)
        if self._trust is not None:
            client.tls_set_context(self._trust.context())
            if self._trust.list_topic:
                client.message_callback_add(self._trust.list_topic, self._list_came)
        if self._will is not None and line is self._retains:
            client.will_set(self._will.topic, self._will.payload, self._will.qos, self._will.retain)
        return client

    def _list_came(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        if self._trust is None:
            return
        try:
            self._trust.heard(bytes(message.payload), self)
        except Exception as error:  # noqa: BLE001  (an exception here would end paho's thread)
            log.warning("a revocation list from the broker was ignored (%s)", type(error).__name__)
