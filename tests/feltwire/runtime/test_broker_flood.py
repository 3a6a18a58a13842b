"""Strangers at the broker's port, who have no certificate, and devices that have one."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import resource
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from feltwire.tools.provision.broker_files import MOST_PLACES, PLACES_AN_ADDRESS, nft_rules
from feltwire.tools.provision.venue_keys import provision_venue
from table_core.messages import Key
from tests.display.raw import connect
from tests.feltwire.hall import Hall, begun, touch
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, station_settings
from tests.ports import free_port

pytestmark = pytest.mark.mosquitto

DROP_IN = Path(__file__).parents[3] / "feltwire" / "deploy" / "mosquitto" / "feltwire.conf"
NFT = shutil.which("nft", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
IP = shutil.which("ip", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
CONNECT = b"\x10\x0d\x00\x04MQTT\x04\x02\x00\x0a\x00\x01a"
ACCEPTED = b"\x20\x02\x00\x00"


@pytest.fixture(autouse=True)
def _descriptors() -> Iterator[int]:
    """As many as systemd gives the broker."""
    limit = int(re.findall(r"^LimitNOFILE=(\d+)$", DROP_IN.read_text(), re.M)[0])
    assert limit > MOST_PLACES + 100
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, before[1]), before[1]))
    yield limit
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@contextlib.contextmanager
def strangers(
    port: int, count: int, address: str = "127.0.0.1", hello: bytes = b""
) -> Iterator[list[socket.socket]]:
    """So many connections that say `hello` and no more."""
    with contextlib.ExitStack() as held:
        wires = []
        for _ in range(count):
            wires.append(held.enter_context(contextlib.closing(socket.create_connection((address, port), 60))))
            wires[-1].sendall(hello)
        yield wires


def half_a_handshake() -> bytes:
    """The first message of TLS, after which the broker waits."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    out = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), out).do_handshake()
    return out.read()


def answer_to_a_device(venue: Path, own_address: str, address: str, port: int) -> bytes:
    """What the broker says to table 01 and its certificate; empty: it did not let it in."""
    own = venue / "table-01"
    context = ssl.create_default_context(cafile=str(own / "ca.crt"))
    context.check_hostname = False
    context.load_cert_chain(own / "table-01.crt", own / "table-01.key")
    try:
        with context.wrap_socket(socket.create_connection((address, port), 10, (own_address, 0))) as wire:
            wire.sendall(CONNECT)
            return wire.recv(4)
    except OSError:
        return b""


@pytest.mark.parametrize("hello", [b"", half_a_handshake()], ids=["nothing", "half a handshake"])
def test_a_device_connects_and_its_hand_goes_on_while_a_thousand_strangers_wait(
    tmp_path: Path, hello: bytes
) -> None:
    with Hall(tmp_path) as hall, strangers(hall.broker.port, 1000, hello=hello):
        table = hall.machine("a")
        begun(hall, table)
        before = len(hall.collected())
        touch(table, Key.FOLD)
        hall.station.shows("room", lambda _: len(hall.collected()) > before)


def test_a_process_whose_pages_are_flooded_gets_its_connection_to_the_broker(tmp_path: Path) -> None:
    """It has as many descriptors as a shell gives, and the broker comes only after the flood."""
    port, broker = free_port(), Mosquitto(tmp_path)
    station = Process("station", tmp_path, port, station_settings(tmp_path, broker.url, port))
    station.descriptors = 1024
    with station, contextlib.ExitStack() as held:
        station.shows("clock", lambda clock: True)
        for number in range(1100):
            held.enter_context(contextlib.closing(connect(port, f"127.0.0.{2 + number % 30}")))
        assert "connected to the broker" not in station.log.read_text()
        with broker:
            station.connected()


# --------------------------------------------------------------------- the rules of the firewall


class Network:
    """A room with the broker and a hall beside it, each a network namespace, and a wire between them."""

    BROKER, STRANGER, DEVICE = "10.98.7.1", "10.98.7.2", "10.98.7.3"

    def __init__(self) -> None:
        self.room, self.hall = f"flt-room-{os.getpid()}", f"flt-hall-{os.getpid()}"

    def __enter__(self) -> Network:
        for name in (self.room, self.hall):
            self._ip("netns", "add", name)
        self._ip(
            "link",
            "add",
            "to-hall",
            "netns",
            self.room,
            "type",
            "veth",
            "peer",
            "name",
            "to-room",
            "netns",
            self.hall,
        )
        for name, link, *addresses in (
            (self.room, "to-hall", self.BROKER),
            (self.hall, "to-room", self.STRANGER, self.DEVICE),
        ):
            for address in addresses:
                self._ip("-n", name, "address", "add", f"{address}/24", "dev", link)
            self._ip("-n", name, "link", "set", link, "up")
            self._ip("-n", name, "link", "set", "lo", "up")
        return self

    def __exit__(self, *_: object) -> None:
        for name in (self.room, self.hall):
            self._ip("netns", "delete", name)

    def _ip(self, *words: str) -> None:
        assert IP is not None
        subprocess.run([IP, *words], check=True)

    def load(self, rules: str) -> None:
        assert IP is not None
        assert NFT is not None
        subprocess.run([IP, "netns", "exec", self.room, NFT, "-f", "-"], input=rules.encode(), check=True)

    def within(self, name: str, work: Callable[[], None]) -> None:
        """Do `work` in a thread that is in this namespace."""
        failed: list[BaseException] = []

        def run() -> None:
            try:
                with open(f"/run/netns/{name}") as space:
                    if ctypes.CDLL(None, use_errno=True).setns(space.fileno(), 0):
                        raise OSError(ctypes.get_errno(), "setns")
                work()
            except BaseException as error:  # noqa: BLE001  (told to the test)
                failed.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if failed:
            raise failed[0]


@pytest.fixture
def network() -> Iterator[Network]:
    if IP is None or NFT is None or os.geteuid() != 0:
        pytest.skip("needs root, ip and nft")
    try:
        with Network() as network:
            yield network
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network namespaces here ({error})")


@pytest.mark.parametrize("guarded", [True, False], ids=["with the rules", "without"])
def test_strangers_cannot_take_every_place_of_the_broker(network: Network, tmp_path: Path, guarded: bool) -> None:
    """One address asks for more places than there are; the rules leave it some of them."""
    port = free_port()
    venue = tmp_path / "venue"
    provision_venue(venue, venue="hall", tables=["01"], hosts=["localhost"], port=port)
    conf = (venue / "mosquitto" / "mosquitto.conf").read_text()
    few = conf.replace(f"max_connections {MOST_PLACES}", f"max_connections {3 * PLACES_AN_ADDRESS}")
    assert few != conf
    rules = (venue / "mosquitto" / "feltwire.nft").read_text()
    assert rules == nft_rules(port)
    if guarded:
        network.load(rules)
        network.load(rules)  # again, as with each start of the broker
    broker = Mosquitto(tmp_path, port=port, config=few)
    network.within(network.room, broker.start)
    said: list[bytes] = []

    def press_in() -> None:
        hello = half_a_handshake()
        with contextlib.ExitStack() as held:
            wires = []
            for number in range(200):
                wires.append(held.enter_context(contextlib.closing(socket.socket())))
                wires[-1].bind((network.STRANGER, 0))
                wires[-1].setblocking(False)
                wires[-1].connect_ex((network.BROKER, port))
                if number % 2:
                    wires[-1].settimeout(0.05)
                    with contextlib.suppress(OSError):
                        wires[-1].sendall(hello)
            said.append(answer_to_a_device(venue, network.DEVICE, network.BROKER, port))

    try:
        network.within(network.hall, press_in)
    finally:
        broker.kill()
    assert said == [ACCEPTED if guarded else b""]
