"""One session with the broker, from the attempt to its end: paho-mqtt's client, and why it was lost."""

from __future__ import annotations

import errno
import logging
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from feltwire.config import ConfigError
from feltwire.runtime.broker.bus_port import OnMessage, not_taken
from feltwire.runtime.certificates.trust import REVOKED, RevokedError
from feltwire.runtime.throttled_log import ThrottledLog

log = logging.getLogger(__name__)

KEEPALIVE_S = 10  # a broker that is silent for longer is given up, as one that hangs
CONNECT_TIMEOUT_S = 5.0  # for the broker's answer, where the machine is there
REACH_S = 1.5  # for the machine's; a packet that was lost is sent again after one second
# A cable that is out ends a connection: TCP would try again more and more seldom, and go on as late as it was cut
# off. The kernels ask and answer, so that a busy process is not taken for a cut.
LINE_DEAD_S, LINE_ASKED_S = 3, 1
READ_AHEAD, LITTLE = 64 * 1024, 8 * 1024  # bytes
UNREACHED = (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN)


class Address(NamedTuple):
    host: str
    port: int
    tls: bool

    @classmethod
    def parse(cls, url: str) -> Address:
        """`mqtt://host[:1883]` or `mqtts://host[:8883]`; raise `ConfigError` for anything else."""
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


class FindingClient(Client):
    """Finds a broker in the local network where its name does not resolve."""

    def _create_socket(self) -> Any:
        """To a broker whose name does not resolve, at the addresses that somebody in the network says it has: what
        answers there must prove by its certificate that it is the broker. Without TLS anybody could be."""
        try:
            return super()._create_socket()
        except socket.gaierror:
            if not self._ssl:
                raise
            from feltwire.runtime.lan_names import addresses_of  # loaded where it is needed alone

            lost: OSError | None = None
            for address in addresses_of(self._host):
                sock = None
                try:
                    sock = socket.create_connection((address, self._port), timeout=self._connect_timeout)
                    return self._ssl_wrap_socket(sock)
                except OSError as error:
                    lost = error
                    if sock is not None:
                        sock.close()
            if lost is not None:
                raise lost from None
            raise


class BusClient(FindingClient):
    """Reports when its network thread ends for any reason; paho-mqtt does not when something raises there.

    Reads what has come at once: paho-mqtt asks the socket three times for each message, and each time another
    thread may take the interpreter for 5 ms. After one such read what waits to be sent has its turn, also where
    more comes than can be taken.
    """

    ended: Callable[[], None]
    caught_up: Callable[[], None] = staticmethod(lambda: None)  # little had come, and it is read
    _came = b""
    _read = 0  # so many bytes of it
    _has_read = False  # in this turn

    def _sock_recv(self, bufsize: int) -> bytes:
        if self._read == len(self._came):
            if self._has_read:
                raise BlockingIOError  # paho-mqtt goes on with a message that is only here in part
            self._has_read = True
            self._came, self._read = super()._sock_recv(READ_AHEAD), 0
        taken = self._came[self._read : self._read + bufsize]
        self._read += len(taken)
        return taken

    def loop_read(self, max_packets: int = 1) -> MQTTErrorCode:
        self._has_read = False
        while True:
            result = super().loop_read(max_packets)
            if result or self._read == len(self._came):
                break
        if not result and len(self._came) < LITTLE:
            self.caught_up()
        return result

    def loop_forever(self, *args: Any, **kwargs: Any) -> MQTTErrorCode:
        try:
            return super().loop_forever(*args, **kwargs)
        except Exception as error:  # noqa: BLE001  (whatever the broker sent; the words may hold what it sent)
            log.error("the connection to the broker failed: %s", type(error).__name__)
            return MQTTErrorCode.MQTT_ERR_UNKNOWN
        finally:
            self.ended()


class Connection:
    """One session with the broker, from the attempt to its end."""

    def __init__(
        self,
        client: BusClient,
        address: Address,
        subscriptions: Sequence[tuple[str, int]],
        on_message: OnMessage,
        on_caught_up: Callable[[], None] = lambda: None,
    ) -> None:
        self._client = client
        self._address = address
        self._subscriptions = subscriptions
        self._deliver = on_message
        self._throttled = ThrottledLog(log)
        self._ready = threading.Event()  # up, or failed
        self._lost = threading.Event()
        self._reason = ""
        self.reached = False  # the broker's machine has answered
        client.on_socket_open = self._socket_opened
        client.on_connect = self._connected
        client.on_subscribe = self._subscribed
        client.on_disconnect = self._disconnected
        client.on_message = self._received
        client.ended = lambda: self._fail("connection lost")
        client.caught_up = on_caught_up

    def open(self) -> str:
        """Connect and subscribe; `""`, or the reason why that failed."""
        try:
            self._client.connect(self._address.host, self._address.port, keepalive=KEEPALIVE_S)
        except (OSError, ssl.SSLError) as error:
            self.reached = isinstance(error, ssl.SSLError)
            return words_of(error)
        self.reached = True
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

    def ends(self) -> tuple[str, str]:
        """Addresses of this machine and of the broker; empty where the connection has just ended."""
        sock: Any = self._client.socket()
        try:
            return (sock.getsockname()[0], sock.getpeername()[0]) if sock is not None else ("", "")
        except OSError:
            return "", ""

    def peer(self) -> bytes:
        sock = self._client.socket()
        return (sock.getpeercert(binary_form=True) or b"") if isinstance(sock, ssl.SSLSocket) else b""

    def end(self, reason: str) -> None:
        self._fail(reason)
        self._client.disconnect()

    def drop(self) -> None:
        """End the connection in any state and release its thread and its sockets."""
        self._client.disconnect()
        self._client.loop_stop()
        forget_callbacks(self._client)

    # The callbacks of paho-mqtt, in its network thread.

    def _socket_opened(self, _client: Client, _data: Any, sock: Any) -> None:
        # Without this the worst round trips are 40 ms (Nagle's algorithm and delayed acknowledgements).
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, LINE_ASKED_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, LINE_ASKED_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LINE_DEAD_S * 1_000)

    def _connected(
        self, client: Client, _data: Any, _flags: ConnectFlags, code: ReasonCode, _more: Properties | None
    ) -> None:
        if code.is_failure:
            self._fail(f"refused this client ({code})")
        elif self._subscriptions:
            client.subscribe(list(self._subscriptions))
        else:
            self._ready.set()

    def _subscribed(
        self, client: Client, _data: Any, _mid: int, codes: list[ReasonCode], _more: Properties | None
    ) -> None:
        refused = [t for (t, _), code in zip(self._subscriptions, codes, strict=False) if code.is_failure]
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
        try:
            self._take(message.topic, bytes(message.payload), message.retain)
        except Exception as error:  # noqa: BLE001  (an exception here would end paho's thread)
            self._throttled.warn("raised", f"a message of the broker was ignored ({type(error).__name__})")

    def _take(self, topic: str, payload: bytes, retained: bool) -> None:
        if not payload:  # nobody says anything by it: `feltwire doctor` asks the broker what a device may write
            return
        if why := not_taken(topic, payload, retained=retained):
            self._throttled.warn(topic, why)
        else:
            self._deliver(topic, payload)


def forget_callbacks(client: Client) -> None:
    """Removes the callbacks of a client whose thread has ended. Its two wake-up sockets are closed when nothing
    refers to it any more; bound methods that lead back to it would leave that to the garbage collector."""
    client.on_socket_open = client.on_connect = client.on_subscribe = None
    client.on_disconnect = client.on_message = None
    if isinstance(client, BusClient):
        client.ended = client.caught_up = _nothing


def _nothing() -> None:
    pass


def words_of(error: Exception) -> str:
    """Why the broker could not be reached."""
    if isinstance(error, RevokedError):
        return REVOKED
    if isinstance(error, ssl.SSLError):
        return f"certificate not accepted ({error.reason or error})"
    if isinstance(error, ConnectionRefusedError):
        return "connection refused; waiting for it"
    if isinstance(error, TimeoutError) or (isinstance(error, OSError) and error.errno in UNREACHED):
        return "no answer; waiting for it"
    if isinstance(error, socket.gaierror):
        return "no such host; waiting for it"
    return f"{error}; waiting for it"
