"""The bus against real brokers: it waits, reconnects, and queues nothing."""

from __future__ import annotations

import gc
import queue
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from paho.mqtt.client import MQTTv311
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from feltwire.config import Broker, ConfigError
from feltwire.lab.demo.broker import EmbeddedBroker
from feltwire.private_files import python
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.broker.bus_port import Will
from feltwire.runtime.broker.connection import READ_AHEAD, Address, BusClient
from feltwire.runtime.broker.embedded import BrokerError, check_port_free
from feltwire.runtime.broker.line import MOST_KEPT_BYTES, UNNOTICED_S, Overheard
from feltwire.runtime.certificates.trust import Trust
from table_core.messages import MOST_BYTES
from tests.feltwire.mosquitto import Mosquitto
from tests.ports import free_port

WAIT_S = 240


class Client:
    """A bus whose happenings wait in queues."""

    def __init__(
        self,
        broker: Broker | str,
        *subscriptions: str,
        name: str,
        will: Will | None = None,
        trust: Trust | None = None,
    ) -> None:
        self.messages: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self.downs: queue.Queue[str] = queue.Queue()
        self.ups: queue.Queue[None] = queue.Queue()
        self.bus = Bus(
            Broker(url=broker) if isinstance(broker, str) else broker,
            client_id=name,
            subscriptions=subscriptions,
            on_message=lambda topic, payload: self.messages.put((topic, payload)),
            on_up=lambda: self.ups.put(None),
            on_down=self.downs.put,
            will=will,
            trust=trust,
        )
        self.bus.start()

    def up(self) -> Client:
        self.ups.get(timeout=WAIT_S)
        return self

    def next(self) -> tuple[str, bytes]:
        return self.messages.get(timeout=WAIT_S)


@pytest.fixture
def client() -> Iterator[Callable[..., Client]]:
    made: list[Client] = []

    def make(broker: Broker | str, *subscriptions: str, will: Will | None = None) -> Client:
        made.append(Client(broker, *subscriptions, name=f"client-{len(made)}", will=will))
        return made[-1]

    yield make
    for each in made:
        each.bus.stop()


@pytest.fixture(params=[pytest.param("mosquitto", marks=pytest.mark.mosquitto), "embedded"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Mosquitto | EmbeddedBroker]:
    running = Mosquitto(tmp_path) if request.param == "mosquitto" else EmbeddedBroker(free_port())
    with running:
        yield running


def test_messages_arrive_with_their_concrete_topic(broker: EmbeddedBroker, client: Callable[..., Client]) -> None:
    listener = client(broker.url, "fw/hall/table/+/event").up()
    speaker = client(broker.url).up()
    assert speaker.bus.publish("fw/hall/table/07/event", b"one")
    assert listener.next() == ("fw/hall/table/07/event", b"one")


def test_a_retained_message_waits_for_who_comes_later(
    broker: EmbeddedBroker, client: Callable[..., Client]
) -> None:
    early = client(broker.url, "fw/hall/table/01/state").up()
    early.bus.publish("fw/hall/table/01/state", b"now", retain=True)
    early.next()
    assert client(broker.url, "fw/hall/table/01/state").next() == ("fw/hall/table/01/state", b"now")


def test_it_comes_back_when_the_broker_does(broker: EmbeddedBroker, client: Callable[..., Client]) -> None:
    listener, speaker = client(broker.url, "a/#").up(), client(broker.url).up()
    broker.kill()
    assert "lost" in speaker.downs.get(timeout=WAIT_S)
    while speaker.bus.is_up:
        threading.Event().wait(0.01)
    assert speaker.bus.publish("a/b", b"while it is away") is False
    broker.start()
    speaker.up()
    listener.up()
    assert speaker.bus.publish("a/b", b"after")
    assert listener.next() == ("a/b", b"after"), "nothing was queued behind the caller's back"


def test_a_bus_that_stopped_has_closed_every_socket(broker: EmbeddedBroker, client: Callable[..., Client]) -> None:
    """At once: sockets that wait for the garbage collector warn in whatever test it runs in."""
    gc.collect()
    gc.disable()
    try:
        before = len(list(Path("/proc/self/fd").iterdir()))
        client(broker.url, "a/#").up().bus.stop()
        assert len(list(Path("/proc/self/fd").iterdir())) == before
    finally:
        gc.enable()


def test_where_more_comes_than_can_be_taken_what_goes_out_has_its_turn() -> None:
    """A device's certificate was stolen: its messages come as fast as the line takes them."""
    topic, size = b"fw/hall/table/01/health", 997
    body = len(topic).to_bytes(2, "big") + topic + bytes(size)
    message = bytes([0x30, len(body) % 128 | 0x80, len(body) // 128]) + body
    taken: list[int] = []
    client = BusClient(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
    client.on_message = lambda *_: taken.append(size)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 * READ_AHEAD)
        theirs.setblocking(False)
        ours.setblocking(False)
        sent = theirs.send(message * (4 * READ_AHEAD // size))
        assert sent > 2 * READ_AHEAD
        client._sock = ours
        turns = 0
        while len(taken) < sent // len(message):
            assert client.loop_read() == MQTTErrorCode.MQTT_ERR_SUCCESS
            turns += 1
            assert len(taken) <= turns * READ_AHEAD // size
        client._sock = None


def test_a_broker_that_is_down_at_start_is_waited_for_visibly(client: Callable[..., Client]) -> None:
    port = free_port()
    waiting = client(f"mqtt://127.0.0.1:{port}", "a")
    assert waiting.downs.get(timeout=WAIT_S) == f"broker 127.0.0.1:{port}: connection refused; waiting for it"
    with EmbeddedBroker(port):
        waiting.up()
    waiting.downs.get(timeout=WAIT_S)


def test_something_that_is_no_broker_is_said_to_be_none(client: Callable[..., Client]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        lonely = client(f"mqtt://127.0.0.1:{silent.getsockname()[1]}")
        assert "does not answer as an MQTT broker" in lonely.downs.get(timeout=WAIT_S)


def test_the_will_speaks_for_a_client_that_is_killed(
    broker: EmbeddedBroker, client: Callable[..., Client]
) -> None:
    listener = client(broker.url, "fw/status").up()
    doomed = client(broker.url, will=Will("fw/status", b"offline")).up()
    connection = doomed.bus.lines[0]._connection
    assert connection is not None
    sock = connection._client.socket()
    assert sock is not None
    sock.shutdown(socket.SHUT_RDWR)
    assert listener.next() == ("fw/status", b"offline")


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BrokerError, match=f"port {port} is in use"):
            check_port_free(port)
        with pytest.raises(BrokerError, match=f"port {port} is in use"):
            EmbeddedBroker(port).start()


@pytest.mark.parametrize("url", ["127.0.0.1:1883", "http://hall", "mqtt://", "mqtt://hall:port"])
def test_a_wrong_url_says_what_to_write(url: str) -> None:
    with pytest.raises(ConfigError, match="broker url"):
        Address.parse(url)


def test_missing_certificates_are_named() -> None:
    broker = Broker(url="mqtts://hall", ca="/absent/ca.pem")
    with pytest.raises(ConfigError, match=r"/absent/ca\.pem.*feltwire provision"):
        Client(broker, name="x")


def broker_process(port: int) -> subprocess.Popen[str]:
    command = python("feltwire.runtime.broker.embedded", "--port", str(port))
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_the_embedded_broker_ends_with_whoever_started_it() -> None:
    process = broker_process(free_port())
    _, errors = process.communicate(timeout=WAIT_S)
    assert (process.returncode, errors) == (0, "")


def test_the_embedded_broker_ends_at_once_when_interrupted() -> None:
    process = broker_process(free_port())
    process.send_signal(signal.SIGINT)
    process.wait(timeout=WAIT_S)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (130, "")


def test_a_second_embedded_broker_says_in_one_line_why_it_cannot_start() -> None:
    with EmbeddedBroker(free_port()) as first:
        command = python("feltwire.runtime.broker.embedded", "--port", str(first.port))
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WAIT_S)
    assert second.returncode == 2
    assert second.stderr.startswith(f"broker: port {first.port} is in use")
    assert second.stderr.count("\n") == 1


def test_a_line_that_takes_over_tells_what_is_retained_and_what_came_last() -> None:
    clock = [0.0]
    overheard, state, event = Overheard(lambda: clock[0]), "fw/hall/table/07/state", "fw/hall/table/07/event"
    for topic, payload in ((state, b"first"), (event, b"long ago"), (state, b"second")):
        overheard.put(topic, payload)
    clock[0] += 2 * UNNOTICED_S
    overheard.put(event, b"now")
    overheard.put(event, b"then")
    assert overheard.take() == [(state, b"second"), (event, b"now"), (event, b"then")]
    for payload in (b"third", b"fourth"):
        overheard.put(state, payload)
    assert overheard.take() == [(state, b"third"), (state, b"fourth")], "in the order in which they came"
    overheard.put(event, b"later")
    clock[0] += 2 * UNNOTICED_S
    assert overheard.take() == []


def test_a_line_that_stands_by_keeps_so_much_and_no_more() -> None:
    overheard = Overheard()
    for number in range(2 * MOST_KEPT_BYTES // MOST_BYTES):
        overheard.put(f"fw/hall/overlay/{number}", b"x" * MOST_BYTES)
    assert sum(len(payload) for _, payload in overheard.take()) <= 2 * MOST_KEPT_BYTES
