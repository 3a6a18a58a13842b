"""The MQTT client of every process: it reconnects without help and queues nothing.

Each connection is a fresh session. Messages in flight when it broke are forgotten: a sender that must not lose one
has an outbox in a ledger and sends again in `on_up`. So nothing piles up while the broker is away.

Callbacks come from the bus's threads and must only enqueue (`Driver.put`). A message that is too long, or retained
on a topic where the broker should retain none (`topics.may_be_retained`), is dropped. No message ends these
threads.
"""

from __future__ import annotations

import itertools
import logging
import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from feltwire.config import Broker, ConfigError
from feltwire.runtime.bus_port import OnMessage, Will
from feltwire.runtime.certificates.trust import Trust
from feltwire.runtime.connection import CONNECT_TIMEOUT_S, REACH_S, Address, BusClient, Connection

log = logging.getLogger(__name__)

BACKOFF_S = (0.2, 2.0)  # first and longest pause between attempts
UNREACHED_S = 0.5  # longest pause where nobody answers: that costs the broker nothing
MAX_UNCONFIRMED = 2_000  # messages handed over that the broker has not confirmed


class Bus:
    """One client of the broker.

    `subscriptions` are topic filters; `on_message(topic, payload)` gets the concrete topic. `on_up()` comes
    when every subscription is in force, `on_down(reason)` when the broker is lost or cannot be reached: once
    for each new reason, not for each attempt.
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
        self._addresses = [Address.parse(url) for url in (broker.url, *broker.also)]
        if len({address.tls for address in self._addresses}) > 1:
            raise ConfigError("broker also: every node is mqtt://, or every node is mqtts://")
        self._address = self._addresses[0]
        self._trust = (trust or Trust(broker)) if self._address.tls else None
        self._client_id = client_id
        lists = (self._trust.list_topic,) if self._trust is not None and self._trust.list_topic else ()
        self._subscriptions = (*subscriptions, *lists)
        self._on_message = on_message
        self._on_up = on_up
        self._on_down = on_down
        self._will = will
        self._stopping = threading.Event()
        self._up: Connection | None = None
        self._last_reason = ""
        self._thread = threading.Thread(target=self._run, name=f"bus {client_id}", daemon=True)

    def start(self) -> None:
        self._thread.start()
        if self._trust is not None:
            self._trust.watch(self)

    def stop(self) -> None:
        """Disconnect (no will is sent) after the messages handed over have been sent."""
        self._stopping.set()
        if self._trust is not None:
            self._trust.stop()
        connection = self._up
        if connection is not None:
            connection.close()
        if self._thread.is_alive():
            self._thread.join(timeout=CONNECT_TIMEOUT_S)

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Hand over a message and return at once. False: not handed over, because the broker is away or too
        slow; send it again from the outbox later."""
        connection = self._up
        qos = min(qos, self._broker.qos)
        return connection is not None and connection.publish(topic, payload, qos, retain)

    @property
    def is_up(self) -> bool:
        return self._up is not None

    def peer(self) -> bytes:
        """The broker's certificate (DER) of the current connection, else empty."""
        connection = self._up
        return connection.peer() if connection is not None else b""

    def hang_up(self, reason: str) -> None:
        """End the current connection; the bus then reconnects."""
        connection = self._up
        if connection is not None:
            connection.end(reason)

    def _run(self) -> None:
        pause = BACKOFF_S[0]
        for attempt in itertools.count(1):
            if self._stopping.is_set():
                return
            came_up, reached = self._one_connection()
            if came_up:
                pause = BACKOFF_S[0]
            longest = BACKOFF_S[1] if reached else UNREACHED_S
            self._address = self._addresses[attempt % len(self._addresses)]
            if attempt % len(self._addresses):
                continue  # another node may be there
            # A little at random, so that a room does not come back all at once.
            self._stopping.wait(min(longest, pause) * random.uniform(0.75, 1.25))
            pause = min(BACKOFF_S[1], pause * 2)

    def _one_connection(self) -> tuple[bool, bool]:
        """Connect and stay until the connection is lost; whether it had come up, and whether the broker's machine
        answered."""
        try:
            client = self._new_client()
        except ConfigError as error:  # files of certificates that are being renewed
            self._tell_down(str(error))
            return False, True
        topics = [(topic, self._broker.qos) for topic in self._subscriptions]
        connection = Connection(client, self._address, topics, self._on_message)
        reason = connection.open()
        came_up = not reason
        if came_up:
            self._last_reason = ""
            self._up = connection
            self._on_up()
            if self._trust is not None:
                self._trust.connected(self)
            if self._stopping.is_set():  # `stop` did not see this connection yet
                connection.close()
            reason = connection.wait_lost()
            self._up = None
        connection.drop()
        self._tell_down((self._trust.refused if self._trust is not None else "") or reason)
        return came_up, connection.reached

    def _tell_down(self, reason: str) -> None:
        if reason != self._last_reason and not self._stopping.is_set():
            self._last_reason = reason
            log.warning("broker %s: %s", self._address, reason)
            self._on_down(f"broker {self._address}: {reason}")

    def _new_client(self) -> BusClient:
        client = BusClient(
            CallbackAPIVersion.VERSION2,
            client_id=self._client_id,
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
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, self._will.qos, self._will.retain)
        return client

    def _list_came(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        if self._trust is None:
            return
        try:
            self._trust.heard(bytes(message.payload), self)
        except Exception as error:  # noqa: BLE001  (an exception here would end paho's thread)
            log.warning("a revocation list from the broker was ignored (%s)", type(error).__name__)
