"""MQTT as every process uses it: wait for the broker, come back by oneself, keep nothing undelivered.

Each connection is a fresh session. What was in flight when it broke is forgotten here: whoever must not lose a
message has an outbox in a ledger and sends again in `on_up`. So nothing queues up while the broker is away, and
nothing is delivered from a memory that a kill would have lost.

Callbacks come from the bus's threads and must only enqueue (`Driver.put`).
"""

from __future__ import annotations

import logging
import random
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from feltwire.config import Broker, ConfigError

log = logging.getLogger(__name__)

KEEPALIVE_S = 10
CONNECT_TIMEOUT_S = 5.0
BACKOFF_S = (0.2, 2.0)  # first and longest pause between attempts
MAX_UNCONFIRMED = 2_000  # messages handed over that the broker has not confirmed


class Will(NamedTuple):
    """What the broker says for this client when it is gone without a word."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = True


class Address(NamedTuple):
    host: str
    port: int
    tls: bool

    @classmethod
    def parse(cls, url: str) -> Address:
        """`mqtt://host[:1883]` or `mqtts://host[:8883]`; ConfigError for anything else."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise ConfigError(f"broker url {url!r}: {error}") from error
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname:
            raise ConfigError(f"broker url {url!r}: write mqtt://host:1883 or mqtts://host:8883")
        tls = parts.scheme == "mqtts"
        return cls(parts.hostname, port or (8883 if tls else 1883), tls)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


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
        on_message: Callable[[str, bytes], None],
        on_up: Callable[[], None],
        on_down: Callable[[str], None],
        will: Will | None = None,
    ) -> None:
        self._broker = broker
        self._address = Address.parse(broker.url)
        self._tls = _tls_context(broker) if self._address.tls else None
        self._client_id = client_id
        self._subscriptions = tuple(subscriptions)
        self._on_message = on_message
        self._on_up = on_up
        self._on_down = on_down
        self._will = will
        self._stopping = threading.Event()
        self._up: _Connection | None = None
        self._last_reason = ""
        self._thread = threading.Thread(target=self._run, name=f"bus {client_id}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Say goodbye (no will is sent) after what was handed over has left."""
        self._stopping.set()
        connection = self._up
        if connection is not None:
            connection.close()
        if self._thread.is_alive():
            self._thread.join(timeout=CONNECT_TIMEOUT_S)

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Hand over a message and return at once. False: not handed over, for the broker is away or does not
        keep up; send it again from the outbox later."""
        connection = self._up
        return connection is not None and connection.publish(topic, payload, qos, retain)

    @property
    def is_up(self) -> bool:
        return self._up is not None

    def _run(self) -> None:
        pause, longest = BACKOFF_S
        while not self._stopping.is_set():
            if self._one_connection():
                pause = BACKOFF_S[0]
            # A little at random, so that a room does not come back all at once.
            self._stopping.wait(pause * random.uniform(0.75, 1.25))
            pause = min(longest, pause * 2)

    def _one_connection(self) -> bool:
        """Connect and stay until the connection is lost; whether it had come up."""
        connection = _Connection(self._new_client(), self._address, self._subscriptions, self._on_message)
        reason = connection.open()
        came_up = not reason
        if came_up:
            self._last_reason = ""
            self._up = connection
            self._on_up()
            if self._stopping.is_set():  # `stop` did not see this connection yet
                connection.close()
            reason = connection.wait_lost()
            self._up = None
        connection.drop()
        if reason != self._last_reason and not self._stopping.is_set():
            self._last_reason = reason
            log.warning("broker %s: %s", self._address, reason)
            self._on_down(f"broker {self._address}: {reason}")
        return came_up

    def _new_client(self) -> Client:
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._client_id,
            clean_session=True,
            protocol=MQTTv311,
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECT_TIMEOUT_S
        client.max_queued_messages_set(MAX_UNCONFIRMED)
        client.max_inflight_messages_set(MAX_UNCONFIRMED)
        if self._broker.username:
            client.username_pw_set(self._broker.username, self._broker.password)
        if self._tls is not None:
            client.tls_set_context(self._tls)
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, self._will.qos, self._will.retain)
        return client


class _Connection:
    """One session with the broker, from the attempt to its end."""

    def __init__(
        self,
        client: Client,
        address: Address,
        subscriptions: Sequence[str],
        on_message: Callable[[str, bytes], None],
    ) -> None:
        self._client = client
        self._address = address
        self._subscriptions = subscriptions
        self._deliver = on_message
        self._ready = threading.Event()  # up, or failed
        self._lost = threading.Event()
        self._reason = ""
        client.on_socket_open = self._socket_opened
        client.on_connect = self._connected
        client.on_subscribe = self._subscribed
        client.on_disconnect = self._disconnected
        client.on_message = self._received

    def open(self) -> str:
        """Connect and subscribe; `""`, or why that failed."""
        try:
            self._client.connect(self._address.host, self._address.port, keepalive=KEEPALIVE_S)
        except (OSError, ssl.SSLError) as error:
            return _why(error)
        self._client.loop_start()
        if not self._ready.wait(CONNECT_TIMEOUT_S):
            return "does not answer as an MQTT broker"
        return self._reason

    def wait_lost(self) -> str:
        self._lost.wait()
        return self._reason or "connection lost"

    def publish(self, topic: str, payload: bytes, qos: int, retain: bool) -> bool:
        return self._client.publish(topic, payload, qos, retain).rc is MQTTErrorCode.MQTT_ERR_SUCCESS

    def close(self) -> None:
        self._client.disconnect()

    def drop(self) -> None:
        """End the connection in any state and release its thread."""
        self._client.disconnect()
        self._client.loop_stop()

    # The callbacks of paho-mqtt, in its network thread.

    def _socket_opened(self, _client: Client, _data: Any, sock: Any) -> None:
        # Without this the worst round trips are 40 ms (Nagle's algorithm and delayed acknowledgements).
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _connected(
        self, client: Client, _data: Any, _flags: ConnectFlags, code: ReasonCode, _more: Properties | None
    ) -> None:
        if code.is_failure:
            self._fail(f"refused this client ({code})")
        elif self._subscriptions:
            client.subscribe([(topic, 1) for topic in self._subscriptions])
        else:
            self._ready.set()

    def _subscribed(
        self, client: Client, _data: Any, _mid: int, codes: list[ReasonCode], _more: Properties | None
    ) -> None:
        refused = [t for t, code in zip(self._subscriptions, codes, strict=False) if code.is_failure]
        if refused:
            self._fail(f"refused the subscription to {', '.join(refused)}; see its access list")
            client.disconnect()
        self._ready.set()

    def _disconnected(
        self, _client: Client, _data: Any, _flags: DisconnectFlags, code: ReasonCode, _more: Properties | None
    ) -> None:
        self._fail("connection lost")

    def _fail(self, reason: str) -> None:
        self._reason = self._reason or reason
        self._lost.set()
        self._ready.set()

    def _received(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._deliver(message.topic, bytes(message.payload))


class _Socket(ssl.SSLSocket):
    """Closes when its handshake fails: paho-mqtt forgets it then, and an attempt every two seconds adds up."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def _tls_context(broker: Broker) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=broker.ca or None)
        context.sslsocket_class = _Socket
        if broker.cert:
            context.load_cert_chain(broker.cert, broker.key or None)
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(
            f"broker certificates ca={broker.ca!r} cert={broker.cert!r} key={broker.key!r}: {error}; "
            "make them with `feltwire provision`"
        ) from error
    return context


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return f"certificate not accepted ({error.reason or error})"
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens there; waiting for it"
    if isinstance(error, TimeoutError):
        return "no answer; waiting for it"
    if isinstance(error, socket.gaierror):
        return "no such host; waiting for it"
    return f"{error}; waiting for it"
