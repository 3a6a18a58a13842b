"""A provisioned venue on a real mosquitto: each device can do its own work and nobody else's."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from feltwire.cli import main
from feltwire.config import Broker
from feltwire.relay.keys import RelayKeys
from feltwire.tools.provision.access import ROLES
from feltwire.tools.provision.venue_keys import provision_venue
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.runtime.test_bus import WAIT_S, Client
from tests.ports import free_port


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A venue `hall` with tables 01 and 02 and its broker running."""
    folder = tmp_path_factory.mktemp("venue") / "hall"
    port = free_port()
    provision_venue(folder, venue="hall", tables=["01", "02"], hosts=["localhost"], port=port, bind="127.0.0.1")
    config = folder / "mosquitto" / "mosquitto.conf"
    with Mosquitto(folder, port=port, config=config.read_text()):
        yield folder


@pytest.fixture
def device(venue: Path) -> Iterator[Callable[..., Client]]:
    """Connect with the certificate of a device."""
    made: list[Client] = []

    def connect(name: str, *subscriptions: str) -> Client:
        settings = tomllib.loads((venue / name / "broker.toml").read_text())
        broker = msgspec.convert(settings["broker"], Broker)
        made.append(Client(broker, *subscriptions, name=f"{name}-{len(made)}"))
        return made[-1].up()

    yield connect
    for each in made:
        each.bus.stop()


Connect = Callable[..., Client]


@pytest.mark.mosquitto
def test_a_table_speaks_only_for_itself(device: Connect) -> None:
    station = device("station", "fw/hall/table/+/event", "fw/hall/tournament/#")
    table = device("table-01")
    for forged in ("fw/hall/table/02/event", "fw/hall/tournament/clock", "fw/hall/table/02/command"):
        table.bus.publish(forged, b"forged")
    table.bus.publish("fw/hall/table/01/event", b"mine")
    assert station.next() == ("fw/hall/table/01/event", b"mine"), "what was forged before it did not pass"


@pytest.mark.mosquitto
def test_only_the_relay_hears_sealed_cards(device: Connect) -> None:
    relay = device("relay", "fw/hall/table/+/sealed")
    others = {name: device(name, "#") for name in ("table-02", *ROLES) if name != "relay"}
    table = device("table-01", "fw/hall/table/01/sealed")
    table.bus.publish("fw/hall/table/01/sealed", b"box")
    assert relay.next() == ("fw/hall/table/01/sealed", b"box")
    others["station"].bus.publish("fw/hall/tournament/state", b"after")
    relay.bus.publish("fw/hall/overlay/01", b"after")
    for other in others.values():
        assert other.next()[1] == b"after"
    assert table.messages.empty()


@pytest.mark.mosquitto
def test_only_the_station_hears_of_an_incident_before_it_is_ruled_on(device: Connect) -> None:
    station = device("station", "fw/hall/table/+/ruling")
    others = [device(name, "#") for name in ("table-02", "relay", "clock", "display", "overlay")]
    device("table-01").bus.publish("fw/hall/table/01/ruling", b"string bet")
    assert station.next() == ("fw/hall/table/01/ruling", b"string bet")
    station.bus.publish("fw/hall/tournament/state", b"after")
    assert [other.next()[1] for other in others[:4]] == [b"after"] * 4
    assert others[4].messages.empty()


@pytest.mark.mosquitto
def test_only_the_relay_writes_overlays_and_only_the_station_commands(device: Connect) -> None:
    reader = device("overlay", "fw/hall/overlay/+")
    table = device("table-01", "fw/hall/table/01/command")
    relay, station = device("relay"), device("station")
    station.bus.publish("fw/hall/overlay/01", b"forged")
    relay.bus.publish("fw/hall/table/01/command", b"forged")
    relay.bus.publish("fw/hall/overlay/01", b"released")
    station.bus.publish("fw/hall/table/01/command", b"resend")
    assert reader.next() == ("fw/hall/overlay/01", b"released")
    assert table.next() == ("fw/hall/table/01/command", b"resend")


@pytest.mark.mosquitto
def test_nobody_connects_without_a_certificate_of_the_venue(venue: Path, tmp_path: Path) -> None:
    url = tomllib.loads((venue / "station" / "broker.toml").read_text())["broker"]["url"]
    provision_venue(tmp_path / "other", venue="hall", tables=["01"])
    other = tmp_path / "other" / "table-01"
    strangers = [
        Broker(url=url, ca=str(venue / "ca.crt")),
        Broker(url=url, ca=str(venue / "ca.crt"), cert=f"{other}/table-01.crt", key=f"{other}/table-01.key"),
        Broker(url=url, ca=f"{other}/ca.crt"),
    ]
    for number, stranger in enumerate(strangers):
        client = Client(stranger, name=f"stranger-{number}")
        assert client.downs.get(timeout=WAIT_S)
        assert client.ups.empty()
        client.bus.stop()


def broker_for(venue: Path, name: str) -> Broker:
    settings = tomllib.loads((venue / name / "broker.toml").read_text())
    return msgspec.convert(settings["broker"], Broker)


def relay_and_thief(venue: Path) -> tuple[Client, Client]:
    """The relay, and a screen that then connects with the relay's client id."""
    relay = Client(broker_for(venue, "relay"), "fw/hall/table/+/sealed", name="hall-relay").up()
    return relay, Client(broker_for(venue, "display"), "#", name="hall-relay").up()


@pytest.mark.mosquitto
def test_no_device_takes_the_connection_of_another_away(venue: Path, device: Connect) -> None:
    relay, thief = relay_and_thief(venue)
    try:
        device("table-01").bus.publish("fw/hall/table/01/sealed", b"box")
        assert relay.next() == ("fw/hall/table/01/sealed", b"box")
        assert relay.bus.is_up
        assert relay.downs.empty(), "it never lost its connection"
    finally:
        thief.bus.stop()
        relay.bus.stop()


@pytest.mark.mosquitto
def test_without_the_setting_the_connection_would_be_taken(venue: Path, tmp_path: Path) -> None:
    """What the test above would see if the broker went by the id that a client gives itself."""
    port, conf = free_port(), (venue / "mosquitto" / "mosquitto.conf").read_text()
    listener = next(line for line in conf.splitlines() if line.startswith("listener"))
    conf = conf.replace(listener, f"listener {port} 127.0.0.1").replace("use_username_as_clientid true\n", "")
    relay_broker = msgspec.structs.replace(broker_for(venue, "relay"), url=f"mqtts://localhost:{port}")
    thief_broker = msgspec.structs.replace(broker_for(venue, "display"), url=f"mqtts://localhost:{port}")
    with Mosquitto(tmp_path, port=port, config=conf):
        relay = Client(relay_broker, name="hall-relay").up()
        thief = Client(thief_broker, name="hall-relay")
        assert "lost" in relay.downs.get(timeout=WAIT_S)
        thief.bus.stop()
        relay.bus.stop()


@pytest.mark.mosquitto
def test_one_more_clock_has_a_name_of_its_own_and_reads_what_a_clock_reads(tmp_path: Path) -> None:
    folder, port = tmp_path / "hall", free_port()
    provision_venue(
        folder, venue="hall", tables=["01"], hosts=["localhost"], port=port, bind="127.0.0.1", more=["clock-bar"]
    )
    conf = (folder / "mosquitto" / "mosquitto.conf").read_text()
    with Mosquitto(tmp_path, port=port, config=conf):
        names = ("clock", "clock-bar", "station")
        wall, bar, station = (Client(broker_for(folder, name), "#", name=name).up() for name in names)
        station.bus.publish("fw/hall/tournament/clock", b"7")
        assert [wall.next(), bar.next()] == [("fw/hall/tournament/clock", b"7")] * 2
        assert wall.downs.empty()
        for client in (wall, bar, station):
            client.bus.stop()


@pytest.mark.parametrize("name", ["station-2", "relay-2", "clock-", "table-09", "clock"])
def test_only_screens_may_be_several(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["provision", "venue", str(tmp_path / "hall"), "--tables", "01", "--more", name]
    assert main(command) == 2
    assert "begin it with clock-, overlay-" in capsys.readouterr().err


def test_private_files_are_private(tmp_path: Path) -> None:
    provision_venue(tmp_path / "hall", venue="hall", tables=["01"])
    for path in (tmp_path / "hall").rglob("*.key"):
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600, path.name


def test_a_table_added_later_leaves_the_keys_of_the_others(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    provision_venue(folder, venue="hall", tables=["01"])
    before = {path: path.read_bytes() for path in folder.rglob("*.key")}
    provision_venue(folder, venue="hall", tables=["01", "02"])
    assert {path: path.read_bytes() for path in before} == before
    assert (folder / "table-02" / "table-02.crt").exists()
    assert "user table-02" in (folder / "mosquitto" / "acl").read_text()


def test_the_command_makes_keys_that_the_relay_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["provision", "venue", str(tmp_path / "hall"), "--tables", "01,02"]) == 0
    published = tomllib.loads((tmp_path / "hall" / "relay.pub").read_text())
    assert RelayKeys.load(tmp_path / "hall" / "relay" / "cards.key").public_hex == published["box"]
    key = tmp_path / "relay.key"
    assert main(["provision", "key", str(key)]) == 0
    assert main(["provision", "key", str(key)]) == 2
    assert "not overwritten" in capsys.readouterr().err


@pytest.mark.parametrize("tables", ["01,,02", "01/#", "+", "a b"])
def test_an_id_that_would_bend_the_access_list_is_refused(
    tmp_path: Path, tables: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["provision", "venue", str(tmp_path / "hall"), "--tables", tables]) == 2
    assert "write letters, digits" in capsys.readouterr().err
