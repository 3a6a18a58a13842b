"""Names, passwords and rights at a broker of one machine: mosquitto and the embedded broker do the same."""

from __future__ import annotations

import queue
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from feltwire.config import Broker
from feltwire.private_files import python
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.broker.bus_port import Will
from feltwire.runtime.broker.rights import password_line
from feltwire.tools.provision.access import acl_text
from feltwire.tools.provision.broker_files import loopback_conf
from tests.feltwire.mosquitto import Mosquitto
from tests.ports import free_port

WAIT_S = 240
NAMES = ("station", "clock", "table-01", "table-02")


@pytest.fixture(params=[pytest.param("mosquitto", marks=pytest.mark.mosquitto), "embedded"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A broker that knows the devices of a venue; the password of each is its name backwards."""
    port = free_port()
    (tmp_path / "passwords").write_text("".join(f"{password_line(name, name[::-1])}\n" for name in NAMES))
    (tmp_path / "acl").write_text(acl_text("hall", ["01", "02"]))
    for file in ("passwords", "acl"):
        (tmp_path / file).chmod(0o600)
    if request.param == "mosquitto":
        config = loopback_conf(tmp_path, port)
        with Mosquitto(tmp_path, port=port, config=config.replace("user root\n", "")) as broker:
            yield broker.url
        return
    files = ("--passwords", str(tmp_path / "passwords"), "--access", str(tmp_path / "acl"))
    command = python("feltwire.runtime.broker.embedded", "--port", str(port), *files)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield f"mqtt://127.0.0.1:{port}"
        process.kill()


class Device:
    def __init__(self, url: str, name: str, *wanted: str, password: str = "", will: Will | None = None) -> None:
        self.heard: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self.states: queue.Queue[str] = queue.Queue()  # why it is not connected; empty: it is
        self.bus = Bus(
            Broker(url, username=name, password=password or name[::-1]),
            client_id=f"hall-{name}",
            subscriptions=wanted,
            on_message=lambda topic, payload: self.heard.put((topic, payload)),
            on_up=lambda: self.states.put(""),
            on_down=self.states.put,
            will=will,
        )
        self.bus.start()

    def up(self) -> Device:
        assert self.states.get(timeout=WAIT_S) == ""
        return self

    def cut(self) -> None:
        """Its line breaks, without a goodbye."""
        for line in self.bus.lines:
            connection = line._connection
            sock = connection._client.socket() if connection is not None else None
            if sock is not None:
                sock.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def device(url: str) -> Iterator[Callable[..., Device]]:
    with ExitStack() as stack:

        def make(name: str, *wanted: str, password: str = "", will: Will | None = None) -> Device:
            one = Device(url, name, *wanted, password=password, will=will)
            stack.callback(one.bus.stop)
            return one

        yield make


def test_a_wrong_password_and_an_unknown_name_are_refused(device: Callable[..., Device]) -> None:
    assert "refused this client" in device("clock", password="guessed").states.get(timeout=WAIT_S)
    assert "refused this client" in device("stranger").states.get(timeout=WAIT_S)
    device("clock").up()


def test_a_table_speaks_for_itself_alone(device: Callable[..., Device]) -> None:
    station = device("station", topics.table("hall", "+", "event")).up()
    table = device("table-01").up()
    table.bus.publish(topics.table("hall", "02", "event"), b"forged")
    table.bus.publish(topics.table("hall", "01", "event"), b"own")
    assert station.heard.get(timeout=WAIT_S) == (topics.table("hall", "01", "event"), b"own")


def test_what_is_retained_reaches_those_alone_who_may_read_it(device: Callable[..., Device]) -> None:
    station = device("station", topics.table("hall", "01", "health"), topics.tournament("hall", "clock")).up()
    device("table-01").up().bus.publish(topics.table("hall", "01", "health"), b"private", retain=True)
    assert station.heard.get(timeout=WAIT_S)[1] == b"private"
    station.bus.publish(topics.tournament("hall", "clock"), b"now", retain=True)
    assert station.heard.get(timeout=WAIT_S)[1] == b"now"
    clock = device("clock", "#").up()
    assert clock.heard.get(timeout=WAIT_S) == (topics.tournament("hall", "clock"), b"now")


def test_no_will_speaks_where_its_device_may_not(device: Callable[..., Device]) -> None:
    """One broker refuses such a device, the other drops its will: the station hears the honest one alone."""
    station = device("station", topics.table("hall", "+", "status")).up()
    forger = device("table-01", will=Will(topics.table("hall", "02", "status"), b"forged"))
    forger.states.get(timeout=WAIT_S)
    forger.cut()
    device("table-02", will=Will(topics.table("hall", "02", "status"), b"gone")).up().cut()
    assert station.heard.get(timeout=WAIT_S) == (topics.table("hall", "02", "status"), b"gone")
