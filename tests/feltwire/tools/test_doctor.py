"""`feltwire doctor` on real things: a mosquitto with an access list, devices on pseudo-terminals, a small disk."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import serial

from feltwire.cli import main
from feltwire.config import TableConfig, load
from feltwire.lab.demo.broker import EmbeddedBroker
from feltwire.ledger.store import RESTORING
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus import Bus
from feltwire.table.process import TableProcess
from feltwire.tools.deck import files
from feltwire.tools.doctor import certificates
from feltwire.tools.provision.venue_keys import provision_venue
from firmware_bridge import payloads
from firmware_bridge.decks import DeckRegistry, generate
from firmware_bridge.sim import SimKeypad, SimShoe
from table_core.messages import Beat, Millis, Status, encode
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.nats import NatsCluster
from tests.feltwire.processes import PATIENCE_S, Process, station_settings, table_settings
from tests.feltwire.tools.deck_desk import Eye
from tests.feltwire.tools.test_provision import broker_for
from tests.ports import free_port

TAG = bytes.fromhex("e004015012345678")
Found = dict[str, list[dict[str, str]]]


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A venue `hall` with tables 01 and 02 and its broker running, as `feltwire provision` sets it up."""
    folder = tmp_path_factory.mktemp("venue") / "hall"
    port = free_port()
    provision_venue(folder, venue="hall", tables=["01", "02"], hosts=["localhost"], port=port, bind="127.0.0.1")
    with Mosquitto(folder, port=port, config=(folder / "mosquitto" / "mosquitto.conf").read_text()):
        yield folder


@pytest.fixture
def memory() -> Iterator[Path]:
    folder = Path("/dev/shm") / f"doctor-{os.getpid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    yield folder
    shutil.rmtree(folder)


class Table:
    """The settings of table 01, with two decks; `with_(old, new)` changes them."""

    def __init__(self, folder: Path, venue: Path, memory: Path) -> None:
        self.folder, self.venue = folder, venue
        self.port = free_port()
        broker = (venue / "table-01" / "broker.toml").read_text()
        devices = f'[keypad]\nport = "{folder}/keypad"\n[shoe]\nport = "{folder}/shoe"\n'
        text = table_settings(folder, f"{devices}{broker}\n", self.port)
        self.text = text.replace(
            f'runtime = "{folder / "run"}"', f'runtime = "{memory}"\ndecks = "{folder}/decks.toml"'
        )
        files.save(folder / "decks.toml", DeckRegistry.parse(generate(7)))

    def with_(self, old: str, new: str) -> Table:
        assert old in self.text
        self.text = self.text.replace(old, new, 1)
        return self

    def without(self, section: str) -> Table:
        lines = self.text.splitlines()
        at = lines.index(f"[{section}]")
        self.text = "\n".join([*lines[:at], *lines[at + 2 :]])
        return self

    def bare(self) -> Table:
        """Without devices."""
        return self.without("keypad").without("shoe")

    @property
    def config(self) -> Path:
        path = self.folder / "table.toml"
        path.write_text(self.text)
        return path


@pytest.fixture
def table(tmp_path: Path, venue: Path, memory: Path) -> Table:
    return Table(tmp_path, venue, memory)


@contextmanager
def plugged(folder: Path) -> Iterator[tuple[SimKeypad, SimShoe]]:
    with SimKeypad(folder / "keypad") as keypad, SimShoe(folder / "shoe") as shoe:
        yield keypad, shoe


Examine = Callable[..., Found]


@pytest.fixture
def examine(capsys: pytest.CaptureFixture[str]) -> Examine:
    """The findings by their part; the exit status is 1 where one is red."""

    def examined(config: Path) -> Found:
        capsys.readouterr()
        status = main(["doctor", "--config", str(config), "--json"])
        *lines, sum_ = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        found: Found = {}
        for line in lines:
            assert bool(line["do"]) is (line["colour"] != "green"), line
            found.setdefault(line["part"], []).append(line)
        assert status == (1 if sum_["red"] else 0)
        assert sum_["green"] + sum_["yellow"] + sum_["red"] == len(lines)
        return found

    return examined


def only(found: Found, part: str) -> tuple[str, str, str]:
    (one,) = found[part]
    return one["colour"], one["words"], one["do"]


def colours(found: Found) -> dict[str, str]:
    """The worst of each part; the machine that a test runs on may have what it likes."""
    worst = ("red", "yellow", "green")
    return {
        part: min((one["colour"] for one in lines), key=worst.index)
        for part, lines in found.items()
        if not part.startswith("machine") and part != "user"
    }


# --------------------------------------------------------------------------------------------- all is well


@contextmanager
def station_beats(venue: Path) -> Iterator[Bus]:
    """The station's own beat, with its certificate."""
    bus = Bus(
        broker_for(venue, "station"),
        client_id="hall-station",
        subscriptions=(),
        on_message=lambda topic, payload: None,
        on_up=lambda: None,
        on_down=lambda reason: None,
    )
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(0.2):
            bus.publish(topics.tournament("hall", "beat"), encode(Beat("b" * 16, Millis(1))))

    bus.start()
    thread = threading.Thread(target=beat)
    thread.start()
    yield bus
    ended.set()
    thread.join()
    bus.stop()


@pytest.mark.mosquitto
@pytest.mark.slow("it loads the picture libraries and looks at pictures")
def test_a_table_with_all_that_it_needs_is_green(table: Table, venue: Path, examine: Examine) -> None:
    with plugged(table.folder), station_beats(venue), closing(Eye(table.folder / "eye")) as eye:
        eye.lay(None)
        table.with_("[keypad]", f'[camera]\nsource = "socket:{table.folder}/eye"\n[keypad]')
        found = examine(table.config)
    assert colours(found) == dict.fromkeys(
        [
            *("program", "settings", "relay key", "clip key", "data", "records", "memory", "pages"),
            *("certificate", "broker", "rights", "access list", "station", "keypad", "shoe", "decks"),
        ],
        "green",
    ) | {"camera": "yellow"}
    assert [one["words"] for one in found["camera"]][:2] == [
        "It is not calibrated: the layout of the seats is assumed.",
        "It reads no chips.",
    ]
    assert "a picture of" in found["camera"][2]["words"]


@pytest.mark.mosquitto
def test_station_clock_and_relay_are_examined_too(tmp_path: Path, venue: Path, examine: Examine) -> None:
    section = {name: (venue / name / "broker.toml").read_text() for name in ("station", "clock", "relay")}
    (tmp_path / "station.toml").write_text(station_settings(tmp_path, section["station"], free_port()))
    (tmp_path / "clock.toml").write_text(f'venue = "hall"\n{section["clock"]}\n[web]\nport = {free_port()}\n')
    (tmp_path / "relay.toml").write_text(
        f'venue = "hall"\ndata = "{tmp_path}/relay"\nkey = "{venue}/relay/cards.key"\ntables = ["01"]\n'
        f'delay_s = "1800"\n{section["relay"]}\n[web]\nport = {free_port()}\n'
    )
    with station_beats(venue):
        for kind in ("clock", "relay"):
            assert set(colours(examine(tmp_path / f"{kind}.toml")).values()) == {"green"}, kind
    found = examine(tmp_path / "station.toml")
    assert only(found, "tables")[:2] == ("yellow", "None here; not here: 01, 02.")
    up = threading.Event()
    table = Bus(
        broker_for(venue, "table-01"),
        client_id="hall-table-01",
        subscriptions=(),
        on_message=lambda topic, payload: None,
        on_up=up.set,
        on_down=lambda reason: None,
    )
    table.start()
    assert up.wait(PATIENCE_S)
    table.publish("fw/hall/table/01/status", encode(Status(online=True)), retain=True)
    table.stop()
    assert only(examine(tmp_path / "station.toml"), "tables")[1] == "01 here; not here: 02."


@pytest.mark.mosquitto
def test_what_a_device_reports_meanwhile_stays_there_for_the_table(table: Table, examine: Examine) -> None:
    with plugged(table.folder) as (keypad, shoe):
        shoe.deal(TAG)
        examine(table.config)
        assert (shoe.waiting, keypad.waiting) == (1, 0)


# ------------------------------------------------------------------------------------------------- devices


@pytest.mark.mosquitto
@pytest.mark.slow("it waits for two devices that never come")
def test_devices_that_are_not_there_and_ones_that_are_mixed_up(table: Table, examine: Examine) -> None:
    found = examine(table.config)
    assert only(found, "keypad")[0] == "red"
    assert only(found, "keypad")[2] == "plug it in"
    with plugged(table.folder):
        table.with_(f"{table.folder}/keypad", f"{table.folder}/held").with_(
            f"{table.folder}/shoe", f"{table.folder}/keypad"
        ).with_(f"{table.folder}/held", f"{table.folder}/shoe")
        found = examine(table.config)
    assert "a shoe answers on" in only(found, "keypad")[1]
    assert "a keypad answers on" in only(found, "shoe")[1]


@pytest.mark.mosquitto
def test_a_device_says_what_is_wrong_with_it(table: Table, examine: Examine) -> None:
    with plugged(table.folder) as (keypad, shoe):
        keypad.finds(payloads.LOW_SUPPLY)
        shoe.finds(payloads.READER_1_SILENT)
        found = examine(table.config)
    assert [one["colour"] for one in found["keypad"]] == ["green", "red"]
    assert found["keypad"][1]["words"] == "Its supply is low."
    assert found["shoe"][1]["words"] == "Its first reader does not answer."


@pytest.mark.mosquitto
def test_firmware_of_another_release_is_named(table: Table, examine: Examine) -> None:
    with (
        SimKeypad(table.folder / "keypad", source=bytes.fromhex("0123456789abcdef")),
        SimShoe(table.folder / "shoe"),
    ):
        found = examine(table.config)
    assert [one["colour"] for one in found["keypad"]] == ["green", "yellow"]
    assert found["keypad"][0]["words"].startswith("feltwire-keypad sim (0123456789abcdef), boot ")
    assert found["keypad"][1]["words"] == "Its firmware is not the one of this release."
    assert [one["colour"] for one in found["shoe"]] == ["green"]


@pytest.mark.mosquitto
def test_a_machine_without_pins_says_why(table: Table, examine: Examine) -> None:
    table.bare().with_("[broker]", "[gpio]\nbuttons = {FOLD = 5}\n[broker]")
    colour, words, do = only(examine(table.config), "keypad")
    assert (colour, words.startswith("the header: ")) == ("red", True), words
    assert "own header" in do
    table.with_("[broker]", 'pin_factory = "mock"\n[broker]')
    assert "mock pins" in only(examine(table.config), "keypad")[1]


@pytest.mark.mosquitto
def test_decks(table: Table, examine: Examine) -> None:
    registry = table.folder / "decks.toml"
    with plugged(table.folder):
        registry.chmod(0o644)
        assert [one["colour"] for one in examine(table.config)["decks"]] == ["red", "green"]
        files.save(registry, DeckRegistry.parse(generate(7, decks=1)))
        assert only(examine(table.config), "decks")[:2] == ("yellow", "Only red is in use.")
        registry.unlink()
        colour, words, do = only(examine(table.config), "decks")
    assert (colour, "cannot be read" in words, do) == ("red", True, "enrol the decks first")


@pytest.mark.mosquitto
@pytest.mark.slow("it waits for a camera that never comes")
def test_a_camera_that_is_not_there(table: Table, examine: Examine) -> None:
    table.bare().with_("[broker]", '[camera]\nsource = "v4l2:/dev/video97"\n[broker]')
    assert examine(table.config)["camera"][-1]["colour"] == "red"


# ------------------------------------------------------------------------------------------- the broker


@pytest.mark.mosquitto
def test_the_certificate_of_another_table(table: Table, examine: Examine) -> None:
    table.bare()
    table.text = table.text.replace("table-01.crt", "../table-02/table-02.crt").replace(
        "table-01.key", "../table-02/table-02.key"
    )
    found = examine(table.config)
    assert only(found, "certificate")[:2] == (
        "red",
        "It is table-02's, and this is table-01: the broker lets it write nothing of its own.",
    )
    assert "It may not write fw/hall/table/01/event and" in only(found, "rights")[1]


@pytest.mark.mosquitto
def test_a_certificate_without_its_key_and_one_of_another_authority(table: Table, examine: Examine) -> None:
    table.bare()
    table.with_("table-01.key", "../table-02/table-02.key")
    assert only(examine(table.config), "certificate")[0] == "red"
    table.with_("../table-02/table-02.key", "table-01.key")
    other = table.folder / "other"
    provision_venue(other, venue="hall", tables=["01"], hosts=["localhost"], bind="127.0.0.1")
    ours, theirs = table.venue / "table-01", other / "table-01"
    for name in ("table-01.crt", "table-01.key"):
        table.with_(str(ours / name), str(theirs / name))
    found = examine(table.config)
    assert "was not made by the authority in" in only(found, "certificate")[1]
    colour, words, do = only(found, "broker")
    assert (colour, "does not take this device's certificate" in words) == ("red", True), words
    assert do.startswith("Copy this device's folder")
    for name in ("ca.crt", "ca.crl"):
        table.with_(str(ours / name), str(theirs / name))
    colour, words, do = only(examine(table.config), "broker")
    assert (colour, "certificate not accepted" in words) == ("red", True), words


@pytest.mark.mosquitto
def test_a_device_that_the_access_list_does_not_know(table: Table, venue: Path, examine: Examine) -> None:
    table.bare()
    table.with_('table = "01"', 'table = "03"')
    found = examine(table.config)
    assert "and this is table-03" in only(found, "certificate")[1]
    assert only(found, "rights")[0] == "red"


def test_a_broker_that_is_away_or_has_no_such_name(table: Table, examine: Examine) -> None:
    table.bare()
    port = broker_for(table.venue, "table-01").url.rpartition(":")[2]
    table.with_(f"localhost:{port}", f"localhost:{free_port()}")
    colour, words, do = only(examine(table.config), "broker")
    assert (colour, "connection refused" in words, do[:16]) == ("red", True, "Start the broker"), words


@pytest.mark.mosquitto
def test_a_broker_without_an_access_list(table: Table, examine: Examine, tmp_path: Path) -> None:
    table.bare()
    with Mosquitto(tmp_path) as broker:
        head = table.text.partition("[broker]")[0]
        table.text = f'{head}[broker]\nurl = "{broker.url}"\n[web]\nport = {table.port}\n'
        found = examine(table.config)
    assert (only(found, "rights")[0], only(found, "access list")[0]) == ("green", "yellow")


@pytest.mark.slow("a cluster of three nodes starts")
def test_brokers_that_know_mqtt_3_alone(table: Table, examine: Examine, tmp_path: Path) -> None:
    head = table.bare().text.partition("[broker]")[0]
    with EmbeddedBroker(free_port()) as embedded, NatsCluster(tmp_path) as cluster:
        for url in (embedded.url, cluster.urls[0]):
            table.text = f'{head}[broker]\nurl = "{url}"\n[web]\nport = {table.port}\n'
            found = examine(table.config)
            assert only(found, "broker")[0] == "green", found["broker"]
            assert only(found, "rights")[:2] == ("yellow", "This broker does not say what it takes.")


# ------------------------------------------------------------------------------- settings, disk and pages


def test_a_setting_that_there_is_not_is_named(table: Table, examine: Examine) -> None:
    table.bare()
    table.with_("venue =", "colour = 1\nvenue =")
    colour, words, _ = only(examine(table.config), "settings")
    assert (colour, "colour" in words) == ("red", True)


def test_a_file_that_is_not_there_is_a_wrong_call(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["doctor", "--config", str(tmp_path / "none.toml")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_keys_that_are_none(table: Table, examine: Examine) -> None:
    table.bare()
    table.with_("venue =", 'relay_key = "beef"\nvenue =')
    assert only(examine(table.config), "relay key")[0] == "red"


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk(table: Table, examine: Examine) -> None:
    table.bare()
    disk = table.folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    try:
        (disk / "ballast").write_bytes(bytes(1024 * 1024 - 8192))
        table.with_(f'data = "{table.folder}/table-data"', f'data = "{disk}"')
        found = examine(table.config)
        assert only(found, "data") == (
            "red",
            f"{disk}: nothing can be written (No space left on device).",
            "Make room on that disk.",
        )
        assert only(found, "machine: disk")[:2] == ("red", "Its disk has 0 MB free.")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        found = examine(table.config)
        assert (only(found, "data")[0], only(found, "machine: disk")[0]) == ("red", "red")
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_port_that_something_else_has(table: Table, examine: Examine) -> None:
    table.bare()
    with socket.create_server(("127.0.0.1", table.port)):
        assert only(examine(table.config), "pages")[0] == "red"


@pytest.mark.mosquitto
def test_beside_a_table_that_runs_it_disturbs_nothing(table: Table, examine: Examine) -> None:
    with plugged(table.folder), Process("table", table.folder, table.port, table.text) as running:
        running.shows("table/01", lambda view: view["devices"].get("shoe") == "ok")
        found = examine(table.config)
        log = running.log.read_text()
    assert only(found, "pages")[:2] == ("green", f"They are served at 127.0.0.1:{table.port} now.")
    assert only(found, "process")[0] == "yellow"
    assert not {"keypad", "shoe", "broker", "rights"} & {*found}, "they are the process's"
    assert "connection lost" not in log, log


@pytest.mark.mosquitto
def test_a_port_that_another_program_has(table: Table, examine: Examine) -> None:
    with plugged(table.folder), serial.Serial(f"{table.folder}/shoe", exclusive=True):
        colour, words, do = only(examine(table.config), "shoe")
    assert (colour, "in use" in words) == ("red", True), words
    assert "systemctl stop 'feltwire-table@" in do


# ---------------------------------------------------------------------------------- what a start would not do


@pytest.fixture
def station(tmp_path: Path) -> Path:
    """A station's settings with a broker that nobody is at: only its own machine is asked here."""
    config = tmp_path / "station.toml"
    broker = f"mqtt://127.0.0.1:{free_port()}"
    config.write_text(station_settings(tmp_path, broker, free_port()))
    (tmp_path / "station-data").mkdir(mode=0o700)
    return config


def of_station(path: Path, name: str, content: bytes = b"SQLite format 3\0" + b"x" * 5_000) -> Path:
    file = path.parent / "station-data" / name
    file.write_bytes(content)
    file.chmod(0o600)
    return file


@pytest.mark.parametrize("name", ["tournament.ledger", "station.db", "players.db", "people.db", "station.ledger"])
def test_a_station_that_cannot_start_is_not_green(station: Path, examine: Examine, name: str) -> None:
    """It opened `station.ledger` alone."""
    of_station(station, name)
    colour, words, do = only(examine(station), "records")
    assert (colour, name in words, "docs/storage.md" in do) == ("red", True, True), words


NOT_PLAIN: dict[str, Callable[[Path], None]] = {
    "a folder": lambda file: file.mkdir(),
    "a link": lambda file: file.symlink_to(file.parent / "elsewhere"),
    "a fifo": lambda file: os.mkfifo(file),
}


@pytest.mark.parametrize("name", ["tournament.ledger", "people.db", "station.ledger", "season.jsonl"])
@pytest.mark.parametrize("what", NOT_PLAIN)
def test_what_is_no_plain_file_in_the_place_of_a_record_is_not_green(
    station: Path, examine: Examine, name: str, what: str
) -> None:
    """A start takes none of them."""
    NOT_PLAIN[what](station.parent / "station-data" / name)
    colour, words, _ = only(examine(station), "records")
    assert (colour, name in words) == ("red", True), words


def test_a_key_beside_the_records_that_is_none_or_that_others_may_read(station: Path, examine: Examine) -> None:
    key = of_station(station, "station.ledger.key", b"x" * 7)
    assert "holds no signing key" in only(examine(station), "ledger key")[1]
    key.write_bytes(b"x" * 32)
    key.chmod(0o644)
    assert "others may read it" in only(examine(station), "ledger key")[1]


def test_a_schedule_that_no_clock_can_run(station: Path, examine: Examine) -> None:
    assert only(examine(station), "schedule")[0] == "green"
    station.write_text(station.read_text().replace("minutes = 20", "minutes = 0", 1))
    found = examine(station)
    assert "red" in [one["colour"] for part in ("schedule", "settings") for one in found.get(part, ())], found


def test_a_restore_that_did_not_end(station: Path, examine: Examine) -> None:
    (station.parent / "station-data" / RESTORING).mkdir()
    assert "a restore did not end" in only(examine(station), "records")[1]


def test_a_data_folder_in_which_others_may_write(station: Path, examine: Examine) -> None:
    (station.parent / "station-data").chmod(0o777)
    assert "others may write in it" in examine(station)["data"][0]["words"]


@pytest.fixture(scope="module")
def paged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A venue whose devices have certificates for their pages."""
    folder = tmp_path_factory.mktemp("paged") / "hall"
    provision_venue(
        folder, venue="hall", tables=["01", "02"], hosts=["localhost"], bind="127.0.0.1", domain="hall.lan"
    )
    return folder


def with_pages(station: Path, paged: Path, whose: str, hosts: str) -> Path:
    text, _, _ = station.read_text().partition("[web]")
    pages = paged / whose / "pages"
    station.write_text(
        f'{text}[web]\nport = {free_port()}\ncert = "{pages}.crt"\nkey = "{pages}.key"\nhosts = [{hosts}]\n'
    )
    return station


def test_pages_with_their_own_certificate_are_green(station: Path, paged: Path, examine: Examine) -> None:
    found = examine(with_pages(station, paged, "station", '"station.hall.lan"'))
    assert only(found, "pages")[0] == "green", found["pages"]


def test_pages_with_the_certificate_of_another_device_are_red(
    station: Path, paged: Path, examine: Examine
) -> None:
    found = examine(with_pages(station, paged, "table-01", '"station.hall.lan"'))
    assert [one["words"] for one in found["pages"] if one["colour"] == "red"] == [
        "Their certificate is that of the pages of table-01, and this is station.",
        "Their certificate is not for station.hall.lan, but for table-01.hall.lan, localhost, 127.0.0.1.",
    ]


def test_pages_under_a_name_that_is_not_in_the_certificate(station: Path, paged: Path, examine: Examine) -> None:
    found = examine(with_pages(station, paged, "station", '"station.hall.lan", "td.hall.lan"'))
    (red,) = [one for one in found["pages"] if one["colour"] == "red"]
    assert "is not for td.hall.lan" in red["words"]
    found = examine(with_pages(station, paged, "station", ""))
    (look,) = [one for one in found["pages"] if one["colour"] == "yellow"]
    assert look["do"] == 'hosts = ["station.hall.lan"]'


def test_a_star_in_a_certificate_stands_for_one_label() -> None:
    assert certificates.covers("*.hall.lan", "td.hall.lan")
    assert certificates.covers("Station.hall.lan", "station.HALL.lan")
    assert not certificates.covers("*.hall.lan", "a.td.hall.lan")
    assert not certificates.covers("*.hall.lan", "hall.lan")
    assert not certificates.covers("*.hall.lan", "localhost")


def test_a_deck_registry_that_others_may_read_is_said_by_whoever_takes_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files.save(tmp_path / "decks.toml", DeckRegistry.parse(generate(7)))
    config = tmp_path / "table.toml"
    config.write_text(f'decks = "{tmp_path}/decks.toml"\n{table_settings(tmp_path, "", free_port())}')
    for mode, said in ((0o600, False), (0o640, True)):
        (tmp_path / "decks.toml").chmod(mode)
        caplog.clear()
        assert main(["deck", "list", "--config", str(config)]) == 0
        assert ("decks.toml: others may read it" in caplog.text) == said
        caplog.clear()
        process = TableProcess(load(config, TableConfig))
        process._opened.close()
        assert ("decks.toml: others may read it" in caplog.text) == said
