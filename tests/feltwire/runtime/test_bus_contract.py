"""What every broker behind the bus port does: mosquitto, a NATS cluster, the demo's, and the one in memory.

What the demo's embedded broker cannot do stands in `EMBEDDED_CANNOT` and in docs/brokers.md.
"""

from __future__ import annotations

import contextlib
import queue
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from feltwire.config import Broker, ConfigError
from feltwire.lab.demo.broker import EmbeddedBroker
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.broker.bus_port import BusPort, Will
from table_core.messages import MOST_BYTES
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.nats import NatsCluster
from tests.ports import free_port
from tests.simulation.memory_broker import AtOnce, MemoryBroker, MemoryBus
from tests.waiting import until

WAIT_S = 240
AGAIN_S = 0.1
EVENT, STATE, STATUS = "fw/hall/table/07/event", "fw/hall/table/07/state", "fw/hall/table/07/status"
BURST = 500
EMBEDDED_CANNOT = {
    "test_the_newest_retained_message_waits_for_who_comes_later_until_it_is_cleared": "it sends retained messages "
    "again to whoever is there",
}


class Running(Protocol):
    """A broker of some kind that can be killed and started again."""

    def kill(self) -> None: ...
    def start(self) -> None: ...


class Client:
    """A bus whose happenings wait in queues. `break_line` ends its connection without a goodbye."""

    def __init__(self) -> None:
        self.messages: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self.downs: queue.Queue[str] = queue.Queue()
        self.ups: queue.Queue[None] = queue.Queue()
        self.bus: BusPort
        self.break_line: Callable[[], None]

    def up(self) -> Client:
        self.ups.get(timeout=WAIT_S)
        return self

    def lost(self) -> str:
        """Why there is no connection any more. Nodes of a cluster are killed one by one: a client may come up at
        another in between."""
        reason = self.downs.get(timeout=WAIT_S)
        while self.bus.is_up:
            reason = self.downs.get(timeout=WAIT_S)
        while not self.ups.empty():
            self.up()
        return reason

    def next(self) -> tuple[str, bytes]:
        return self.messages.get(timeout=WAIT_S)

    def take(self, count: int) -> list[bytes]:
        return [self.next()[1] for _ in range(count)]


class Hall:
    """A broker and its clients."""

    def __init__(self, running: Running, name: str) -> None:
        self.running = running
        self.name = name
        self._clients: list[Client] = []

    def client(self, *subscriptions: str, name: str = "", will: Will | None = None) -> Client:
        client = Client()
        name = name or f"client-{len(self._clients)}"
        self._clients.append(client)
        told = {
            "client_id": name,
            "subscriptions": subscriptions,
            "on_message": lambda topic, payload: client.messages.put((topic, payload)),
            "on_up": lambda: client.ups.put(None),
            "on_down": client.downs.put,
            "will": will,
        }
        if isinstance(self.running, MemoryBroker):
            memory = MemoryBus(self.running, AtOnce(), **told)  # type: ignore[arg-type]
            client.bus, client.break_line = memory, memory.vanish
        else:
            where = getattr(self.running, "broker", None) or Broker(url=self.running.url)  # type: ignore[attr-defined]
            bus = Bus(where, **told)  # type: ignore[arg-type]
            client.bus, client.break_line = bus, lambda: _cut(bus)
        client.bus.start()
        return client

    def heard(self, speaker: Client, listener: Client, payload: bytes) -> tuple[str, bytes]:
        """Published once; in a cluster again and again, as an outbox does: a node learns a little later than the
        subscriber that there is a subscription at another, and what is published in between goes nowhere."""
        for _ in range(round(WAIT_S / AGAIN_S) if self.name == "nats" else 1):
            speaker.bus.publish(EVENT, payload)
            with contextlib.suppress(queue.Empty):
                return listener.messages.get(timeout=AGAIN_S if self.name == "nats" else WAIT_S)
        raise AssertionError("nothing was heard")

    def close(self) -> None:
        for client in self._clients:
            client.bus.stop()


def _cut(bus: Bus) -> None:
    """The sockets break, as when the machine's process is killed."""
    for line in bus.lines:
        if line._connection is not None:
            sock = line._connection._client.socket()
            assert sock is not None
            sock.shutdown(socket.SHUT_RDWR)


KINDS = ["memory", pytest.param("mosquitto", marks=pytest.mark.mosquitto), "nats", "embedded"]


@pytest.fixture(scope="module", params=KINDS)
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Running, str]]:
    folder: Path = tmp_path_factory.mktemp("broker")
    match request.param:
        case "memory":
            yield MemoryBroker(), "memory"
        case "mosquitto":
            with Mosquitto(folder) as mosquitto:
                yield mosquitto, "mosquitto"
        case "nats":
            with NatsCluster(folder) as cluster:
                yield cluster, "nats"
        case "embedded":
            with EmbeddedBroker(free_port()) as embedded:
                yield embedded, "embedded"


@pytest.fixture
def hall(running: tuple[Running, str], request: pytest.FixtureRequest) -> Iterator[Hall]:
    hall = Hall(*running)
    if hall.name == "embedded" and (why := EMBEDDED_CANNOT.get(request.function.__name__)):
        pytest.skip(f"the demo's broker: {why}")
    yield hall
    hall.close()


# ------------------------------------------------------------------------------------------- messages


def test_a_message_arrives_with_its_topic_and_only_where_it_was_asked_for(hall: Hall) -> None:
    listener = hall.client("fw/hall/table/+/event", "fw/hall/tournament/beat").up()
    other = hall.client("fw/hall/table/08/event").up()
    speaker = hall.client().up()
    assert speaker.bus.publish("fw/hall/table/07/sealed", b"to nobody here")
    assert speaker.bus.publish(EVENT, b"one")
    assert speaker.bus.publish("fw/hall/tournament/beat", b"two", qos=0)
    assert [listener.next(), listener.next()] == [(EVENT, b"one"), ("fw/hall/tournament/beat", b"two")]
    assert speaker.bus.publish("fw/hall/table/08/event", b"three")
    assert other.next() == ("fw/hall/table/08/event", b"three")


def test_a_burst_arrives_whole_and_in_order(hall: Hall) -> None:
    listener, speaker = hall.client("fw/hall/table/07/+").up(), hall.client().up()
    sent = [b"%d" % number for number in range(BURST)]
    assert all(speaker.bus.publish(EVENT, one) for one in sent)
    assert listener.take(BURST) == sent


def test_the_longest_message_passes_and_a_longer_one_is_not_taken(hall: Hall) -> None:
    listener, speaker = hall.client(EVENT).up(), hall.client().up()
    speaker.bus.publish(EVENT, b"x" * (MOST_BYTES + 1))
    speaker.bus.publish(EVENT, b"y" * MOST_BYTES)
    assert listener.next() == (EVENT, b"y" * MOST_BYTES)


def test_nothing_is_kept_for_who_is_away(hall: Hall) -> None:
    """Whoever must not lose a message has an outbox; a broker that kept thousands would flood who comes back."""
    listener, witness, speaker = hall.client(EVENT, name="away").up(), hall.client(EVENT).up(), hall.client().up()
    listener.bus.stop()
    assert speaker.bus.publish(EVENT, b"while it is away")
    assert witness.next() == (EVENT, b"while it is away")
    again = hall.client(EVENT, name="away").up()
    assert speaker.bus.publish(EVENT, b"after")
    assert again.next() == (EVENT, b"after")


# ------------------------------------------------------------------------------------------- retained


def test_the_newest_retained_message_waits_for_who_comes_later_until_it_is_cleared(hall: Hall) -> None:
    early, speaker = hall.client(STATE).up(), hall.client().up()
    for said in (b"first", b"second"):
        speaker.bus.publish(STATE, said, retain=True)
    assert early.take(2) == [b"first", b"second"]
    later = hall.client(STATE).up()
    assert later.next() == (STATE, b"second")
    witness = hall.client(EVENT).up()
    speaker.bus.publish(STATE, b"", retain=True)
    speaker.bus.publish(EVENT, b"cleared")
    assert witness.next() == (EVENT, b"cleared")
    last = hall.client(STATE, EVENT).up()
    speaker.bus.publish(EVENT, b"only this")
    assert last.next() == (EVENT, b"only this")
    speaker.bus.publish(STATE, b"third")
    assert [one.next() for one in (early, later)] == [(STATE, b"third")] * 2, (
        "an empty message says nothing to anybody"
    )


def test_what_a_broker_should_not_retain_is_not_taken_from_it(hall: Hall) -> None:
    early, speaker = hall.client(EVENT).up(), hall.client().up()
    speaker.bus.publish(EVENT, b"retained by mistake", retain=True)
    assert early.next() == (EVENT, b"retained by mistake"), "for who is there it is a message like any other"
    later = hall.client(EVENT).up()
    speaker.bus.publish(EVENT, b"now")
    assert later.next() == (EVENT, b"now")
    speaker.bus.publish(EVENT, b"", retain=True)


# --------------------------------------------------------------------------------------- who is there


def test_the_will_speaks_for_a_client_whose_connection_breaks(hall: Hall) -> None:
    listener = hall.client(STATUS).up()
    doomed = hall.client(name="doomed", will=Will(STATUS, b"offline", retain=False)).up()
    doomed.break_line()
    assert listener.next() == (STATUS, b"offline")


def test_no_will_speaks_for_a_client_that_says_goodbye(hall: Hall) -> None:
    listener, speaker = hall.client(STATUS).up(), hall.client().up()
    hall.client(name="polite", will=Will(STATUS, b"offline", retain=False)).up().bus.stop()
    speaker.bus.publish(STATUS, b"all is well")
    assert listener.next() == (STATUS, b"all is well")


def test_who_comes_with_a_name_that_is_there_takes_its_connection(hall: Hall) -> None:
    first = hall.client(EVENT, name="twice").up()
    second = hall.client(EVENT, name="twice").up()
    assert "lost" in first.downs.get(timeout=WAIT_S)
    first.bus.stop()
    second.bus.stop()


def test_it_comes_back_when_the_broker_does_and_queues_nothing(hall: Hall) -> None:
    listener, speaker = hall.client(EVENT).up(), hall.client().up()
    hall.running.kill()
    assert "lost" in speaker.lost()
    assert "lost" in listener.lost()
    assert speaker.bus.publish(EVENT, b"while it is away") is False
    hall.running.start()
    speaker.up()
    listener.up()
    assert hall.heard(speaker, listener, b"after") == (EVENT, b"after")


# ------------------------------------------------------------------------------------------ a cluster


def test_when_a_node_of_a_cluster_is_killed_its_clients_go_to_another(tmp_path: Path) -> None:
    with NatsCluster(tmp_path) as cluster:
        hall = Hall(cluster, "nats")
        listener, speaker = hall.client(EVENT).up(), hall.client().up()
        cluster.kill_node(0)
        assert "lost" in speaker.downs.get(timeout=WAIT_S)
        speaker.up()
        listener.up()
        assert hall.heard(speaker, listener, b"after") == (EVENT, b"after")
        hall.close()


def test_nothing_is_lost_for_a_cluster_that_takes_no_connection(tmp_path: Path) -> None:
    """Of three nodes one is left: its streams have no leader, so no client can connect. Those that stood by there
    go on, and a message that cannot be retained is heard."""
    with NatsCluster(tmp_path) as cluster:
        hall = Hall(cluster, "nats")
        listener, speaker = hall.client(EVENT, STATE), hall.client()
        cluster_of(listener, speaker)
        cluster.kill_node(0)
        cluster.kill_node(2)
        assert "lost" in speaker.downs.get(timeout=WAIT_S)
        assert speaker.bus.is_up
        assert isinstance(speaker.bus, Bus)
        assert hall.heard(speaker, listener, b"after") == (EVENT, b"after")
        retains = speaker.bus.lines[0]
        until(lambda: not retains.is_up, "the connection for what is retained is lost: it was at node 2")
        speaker.bus.publish(STATE, b"not retained", retain=True)
        while (heard := listener.next()) == (EVENT, b"after"):
            pass
        assert heard == (STATE, b"not retained")
        hall.close()


def test_who_takes_over_knows_the_newest_of_what_is_retained(tmp_path: Path) -> None:
    with NatsCluster(tmp_path) as cluster:
        hall = Hall(cluster, "nats")
        listener, speaker = hall.client(EVENT, STATE), hall.client()
        cluster_of(listener, speaker)
        for said in (b"first", b"second"):
            speaker.bus.publish(STATE, said, retain=True)
        assert listener.take(2) == [b"first", b"second"]
        cluster.kill_node(0)
        assert "lost" in listener.downs.get(timeout=WAIT_S)
        while listener.next() != (STATE, b"second"):  # "first" may be told before
            pass
        hall.close()


def test_what_is_retained_is_asked_for_again_when_its_connection_is_back(tmp_path: Path) -> None:
    with NatsCluster(tmp_path) as cluster:
        hall = Hall(cluster, "nats")
        speaker = hall.client()
        cluster_of(speaker)
        cluster.kill_node(2)
        speaker.up()
        speaker.bus.publish(STATE, b"said again", retain=True)
        assert hall.client(STATE).next() == (STATE, b"said again")
        assert speaker.downs.empty(), "it could speak all the time"
        hall.close()


def cluster_of(*clients: Client) -> None:
    """Every client has all its connections, and each further `up` is a new one."""
    for client in clients:
        bus = client.bus
        assert isinstance(bus, Bus)
        until(lambda bus=bus: all(line.is_up for line in bus.lines), "all three connections are up", WAIT_S)
        while not client.ups.empty():
            client.up()


def test_nodes_with_and_without_certificates_are_no_cluster() -> None:
    with pytest.raises(ConfigError, match="every node is mqtt://, or every node is mqtts://"):
        Bus(
            Broker(url="mqtt://a", also=("mqtts://b",)),
            client_id="x",
            subscriptions=(),
            on_message=print,
            on_up=print,
            on_down=print,
        )
