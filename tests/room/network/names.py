"""A table that knows its broker by name, in a network whose router knows no names; a liar answers, too.

    python -m tests.room.network.names

Real multicast between network namespaces: the station's process says where the broker is, a liar says the same of
himself. The table connects to the machine whose certificate is the broker's, and to nobody else.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
from zeroconf import AddressResolver, Zeroconf

from display.server.hosts import AT_HOME
from feltwire.config import Broker
from feltwire.private_files import python
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.lan_names import PAGES, VENUE, Announced, addresses_of
from feltwire.tools.provision.venue_keys import provision_venue
from table_core.toml_text import read_toml
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import station_settings
from tests.room.network.cables import Network, enter, is_inside, why_not

HOST, PORT, PLAIN_PORT = "broker.hall.lan", 8883, 1883
MODULE = "tests.room.network.names"
PATIENCE_S = 120


def main(argv: Sequence[str]) -> int:
    match argv:
        case ["say", address]:
            with Announced(VENUE, "hall-too", PORT, address, names={HOST: address}):
                print("said", flush=True)
                sys.stdin.read()
        case ["ask", settings]:
            _ask(msgspec.convert(read_toml(Path(settings).read_text())["broker"], Broker))
        case ["home", address]:
            with Announced(PAGES, "Feltwire", 8080, address, host=AT_HOME):
                print("said", flush=True)
                sys.stdin.read()
        case ["where"]:
            zeroconf = Zeroconf()
            resolver = AddressResolver(f"{AT_HOME}.")
            resolver.request(zeroconf, 5_000)
            print(*resolver.parsed_addresses(), flush=True)
            zeroconf.close()
        case ["addresses"]:
            print(json.dumps(addresses_of(HOST)), flush=True)
        case _:
            if why := why_not():
                print(why, file=sys.stderr)
                return 2
            if not is_inside():
                enter(MODULE, argv)
            with tempfile.TemporaryDirectory(prefix="feltwire-names-") as folder:
                return _proof(Path(folder))
    return 0


def _ask(broker: Broker) -> None:
    """A table's bus: each thing that happens to it, a line."""
    told: queue.Queue[str] = queue.Queue()
    bus = Bus(
        broker,
        client_id="hall-table-01",
        subscriptions=(),
        on_message=lambda topic, payload: None,
        on_up=lambda: told.put("up"),
        on_down=lambda reason: told.put(f"down: {reason}"),
    )
    bus.start()
    while True:
        said = told.get()
        print(said if said != "up" else f"up at {bus.ends()[1]}", flush=True)


def _proof(folder: Path) -> int:
    network = Network()
    hall, liar, table = (network.machine(name) for name in ("hall", "liar", "table"))
    for name in ("venue", "liars"):
        provision_venue(folder / name, venue="hall", tables=["01"], hosts=[HOST], port=PORT)
    plain = f"\nlistener {PLAIN_PORT}\nallow_anonymous true\n"
    confs = {name: (folder / name / "mosquitto" / "mosquitto.conf").read_text() for name in ("venue", "liars")}
    own = folder / "venue" / "table-01" / "broker.toml"
    bare = folder / "bare.toml"
    bare.write_text(f'[broker]\nurl = "mqtt://{HOST}:{PLAIN_PORT}"\nusername = "table-01"\npassword = "x"\n')
    with ExitStack() as running:
        for machine, conf in (("hall", confs["venue"]), ("liar", confs["liars"])):
            at = folder / machine
            at.mkdir()
            config, address = (conf, network.address(machine)) if machine == "hall" else (conf + plain, liar)
            run = lambda argv, machine=machine: network.run(machine, argv)  # noqa: E731
            running.enter_context(Mosquitto(at, port=PORT, config=config, host=address, run=run))
        running.enter_context(_lines(network.run("liar", python_(("say", liar))), until="said"))
        asks = running.enter_context(_lines(network.run("table", python_(("ask", str(own))))))
        refused = _next(asks, "down: ")
        print(f"with the liar alone the table says: {refused}")
        assert "certificate not accepted" in refused, refused
        with _lines(network.run("table", python_(("ask", str(bare))))) as without_tls:
            said = _next(without_tls, "down: ")
            print(f"without TLS nobody is asked: {said}")
            assert "no such host" in said, said
        running.enter_context(_station(network, folder, hall))
        up = _next(asks, "up at ")
        print(f"with the station's word the table is {up}; the liar still answers")
        assert up == f"up at {hall}"
        found = json.loads(subprocess.check_output(network.run("table", python_(("addresses",)))))
        print(f"said in the network: {', '.join(found)}")
        assert {*found} == {hall, liar}
    with _lines(network.run("hall", python_(("home", hall))), until="said"):
        where = subprocess.check_output(network.run("table", python_(("where",))), text=True).split()
        print(f"{AT_HOME} is {', '.join(where)}")
        assert where == [hall]
        second = subprocess.run(
            network.run("liar", python_(("home", liar))), input="", capture_output=True, text=True, check=False
        )
        print(f"a second room: {second.stderr.splitlines()[-1]}")
        assert "another machine is Feltwire here" in second.stderr
    assert table
    return 0


def python_(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", MODULE, *arguments]


@contextmanager
def _station(network: Network, folder: Path, address: str) -> Iterator[None]:
    """The station's process, on a machine whose own file of hosts names the broker."""
    at, hosts = folder / "station", folder / "hosts"
    at.mkdir()
    hosts.write_text(f"127.0.0.1 localhost\n{address} {HOST}\n")
    config = at / "station.toml"
    config.write_text(station_settings(at, (folder / "venue" / "station" / "broker.toml").read_text(), 8081))
    run = " ".join(python("feltwire", "station", "--config", str(config)))
    command = network.run("hall", ["sh", "-c", f"mount --bind {hosts} /etc/hosts && exec {run}"])
    with (folder / "station.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def _lines(command: Sequence[str], *, until: str = "") -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        if until:
            _next(process, until)
        yield process
    finally:
        process.kill()
        process.wait()


def _next(process: subprocess.Popen[str], beginning: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(beginning):
            return line.strip()
    raise AssertionError(f"it ended without {beginning!r}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
