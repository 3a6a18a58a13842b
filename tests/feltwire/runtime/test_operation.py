"""What an operator reads of a process: whether it works (`/healthz`), figures (`/metrics`), its log."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette

from feltwire.errors import UsageError
from feltwire.lab.demo.broker import EmbeddedBroker
from feltwire.private_files import python
from feltwire.runtime.disk import Disk
from feltwire.runtime.pages.figures import FIGURES, Figure, exposition, of_queue
from feltwire.runtime.pages.operation import Health, operation_routes, token_of
from feltwire.runtime.process import HANGS_S
from feltwire.version import program_version
from table_core.messages import ItemKind, QueueItem, QueueView, Severity
from tests import alerts
from tests.dashboard import queries
from tests.feltwire.processes import (
    PATIENCE_S,
    Process,
    clock_settings,
    station_settings,
    table_settings,
)
from tests.ports import free_port

NO_FILE = "cannot be read (No such file or directory); name an existing file"
TOKEN = "0123456789abcdef0123456789abcdef"
Values = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def read(port: int, page: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{page}", timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


def values(text: str) -> Values:
    """By name and labels."""
    families = list(text_string_to_metric_families(text))
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value for family in families for one in family.samples
    }


@dataclass
class Room:
    """A station, a table and a wall clock at one broker."""

    station: Process
    table: Process
    clock: Process

    def figures(self, process: Process, fits: Callable[[Values], bool]) -> Values:
        """The figures of a process once they are so."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                found = values(read(process.port, "/metrics")[1])
            except (ConnectionError, urllib.error.URLError):  # it starts
                found = {}
            if fits(found):
                return found
            assert time.monotonic() < until, f"{found}\n{process.log.read_text()}"
            time.sleep(0.1)


pytestmark = pytest.mark.slow("a station, a table and a clock start, and must be connected")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    folder = tmp_path_factory.mktemp("operation")
    with ExitStack() as stack:
        broker = stack.enter_context(EmbeddedBroker(free_port()))
        section = f'[broker]\nurl = "{broker.url}"\n'
        ports = [free_port() for _ in range(3)]
        station = Process("station", folder, ports[0], station_settings(folder, broker.url, ports[0]))
        table = Process("table", folder, ports[1], table_settings(folder, section, ports[1]))
        clock = Process("clock", folder, ports[2], clock_settings(broker.url, ports[2]))
        for process in (station, table, clock):
            stack.enter_context(process)
        yield Room(station, table, clock)


def test_the_station_says_how_many_tables_answer_and_which_do_not(room: Room) -> None:
    def known(found: Values) -> bool:
        return found.get(("feltwire_tables_connected", ())) == 1

    found = room.figures(room.station, known)
    assert found["feltwire_table_connected", (("table", "01"),)] == 1
    assert found["feltwire_table_connected", (("table", "02"),)] == 0
    assert found["feltwire_tables", ()] == 2
    assert found["feltwire_level", ()] == 1
    assert found["feltwire_clock_running", ()] == 1
    assert found["feltwire_broker_connected", ()] == 1
    assert found["feltwire_disk_refuses", ()] == 0
    assert found["process_open_fds", ()] > 0


def test_a_table_says_what_is_public_and_how_its_line_and_disk_are(room: Room) -> None:
    def acknowledged(found: Values) -> bool:
        return found.get(("feltwire_outbox_events", ())) == 0 and found.get(("feltwire_events", ()), 0) > 0

    found = room.figures(room.table, acknowledged)
    assert found["feltwire_seats_taken", ()] == 3
    assert found["feltwire_epoch", ()] >= 1
    assert found["feltwire_beat_age_seconds", ()] < PATIENCE_S
    names = {name for name, _ in found}
    assert "feltwire_device_works" not in names, "this table has none: what is off is no device that fails"
    assert not [name for name in names if "cpu" in name or "memory" in name], "a process that holds cards"


def test_a_wall_clock_shows_the_level_and_that_it_is_connected(room: Room) -> None:
    found = room.figures(room.clock, lambda found: ("feltwire_level", ()) in found)
    assert found["feltwire_broker_connected", ()] == 1
    assert found["process_resident_memory_bytes", ()] > 1_000_000


def test_every_figure_that_a_process_shows_is_described_and_has_no_text_of_people(room: Room) -> None:
    described = {name.removesuffix("_total") for name in FIGURES}
    for process in (room.station, room.table, room.clock):
        room.figures(process, lambda found: ("feltwire_broker_connected", ()) in found)
        for family in text_string_to_metric_families(read(process.port, "/metrics")[1]):
            assert family.name in described or family.name.startswith("process_"), family.name
            assert family.documentation
            labels = {label for sample in family.samples for label in sample.labels}
            assert labels <= {"table", "device", "process", "version", "python"}, family.name


def test_a_process_that_works_is_healthy_and_says_which_it_is(room: Room) -> None:
    room.figures(room.station, lambda found: found.get(("feltwire_broker_connected", ())) == 1)
    status, text = read(room.station.port, "/healthz")
    assert status == 200
    assert json.loads(text) == {"ok": True, "why": [], "broker": True, "version": program_version()}


def test_a_process_says_that_it_is_connected_as_well_as_that_it_waits(room: Room) -> None:
    for process in (room.station, room.table, room.clock):
        process.says("waiting for the broker at mqtt://127.0.0.1")
        process.says("connected to the broker at mqtt://127.0.0.1")
        process.says(f"INFO feltwire.runtime.process: Feltwire {program_version()}, ")


def test_a_log_as_json_has_an_object_a_line(tmp_path: Path) -> None:
    port = free_port()
    clock = Process("clock", tmp_path, port, clock_settings(f"mqtt://127.0.0.1:{free_port()}", port))
    clock.started_with = lambda argv: (*argv, "--log", "json")
    with clock:
        clock.says("waiting for the broker")
        clock.end()
    lines = [json.loads(line) for line in clock.log.read_text().splitlines()]
    assert {"level": "INFO", "part": "feltwire.wall_clock.process"}.items() <= lines[1].items()
    assert lines[0]["text"].startswith("Feltwire ")
    assert all(line["at"].endswith("Z") for line in lines)


@pytest.mark.parametrize("command", ["table", "station", "clock", "relay"])
def test_a_wrong_call_of_a_process_is_answered_in_one_line(command: str, tmp_path: Path) -> None:
    call = python("feltwire", command, "--config", str(tmp_path / "no.toml"))
    said = subprocess.run(call, capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert said.stderr == f"feltwire {command}: {tmp_path / 'no.toml'}: {NO_FILE}\n"


# ------------------------------------------------------------------------------------- who may read


def asked(peer: str, token: str, header: str = "", health: Health | None = None) -> httpx.Response:
    """`/healthz` asked for from the address `peer`."""
    routes = operation_routes(lambda: health or Health((), True, "1"), lambda: b"", token)

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(Starlette(routes=routes), client=(peer, 40_000))
        headers = {"authorization": header} if header else {}
        async with httpx.AsyncClient(transport=transport, base_url="http://table", headers=headers) as client:
            return await client.get("/healthz")

    return asyncio.run(ask())


def test_this_machine_reads_without_a_token_and_others_only_with_it() -> None:
    assert asked("127.0.0.1", "").status_code == 200
    assert asked("::1", TOKEN).status_code == 200
    assert asked("192.168.7.9", TOKEN, f"Bearer {TOKEN}").status_code == 200
    for token, header in (("", ""), ("", "Bearer "), (TOKEN, ""), (TOKEN, "Bearer "), (TOKEN, f"Bearer {TOKEN}0")):
        refused = asked("192.168.7.9", token, header)
        assert refused.status_code == 403
        assert "metrics_token" in refused.text


def test_what_does_not_work_is_an_error_with_its_reason() -> None:
    answer = asked("127.0.0.1", "", health=Health(("nothing was done for 20 s",), False, "1"))
    assert answer.status_code == 503
    assert answer.json() == {"ok": False, "why": ["nothing was done for 20 s"], "broker": False, "version": "1"}


def test_a_token_is_read_from_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "metrics.token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)
    assert token_of(str(file)) == TOKEN
    assert token_of("") == ""


@pytest.mark.parametrize(
    ("content", "mode", "says"),
    [
        (TOKEN, 0o644, "others may have it"),
        ("short", 0o600, "24 letters"),
        ("two words " * 9, 0o600, "in one word"),
    ],
)
def test_a_token_that_others_may_know_or_guess_is_refused(
    tmp_path: Path, content: str, mode: int, says: str
) -> None:
    file = tmp_path / "metrics.token"
    file.write_text(content)
    file.chmod(mode)
    with pytest.raises(UsageError, match=says) as refused:
        token_of(str(file))
    assert str(file) in str(refused.value)
    assert content.strip() not in str(refused.value)


def test_a_token_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"metrics\.token cannot be read"):
        token_of(str(tmp_path / "metrics.token"))


# ------------------------------------------------------------------------------------------ figures


def test_what_only_hidden_cards_may_have_caused_is_not_counted() -> None:
    kinds = (ItemKind.BUST, ItemKind.RULING, ItemKind.DECK, ItemKind.DEVICE)
    items = tuple(QueueItem(str(kind), kind, Severity.NOW, "fact") for kind in kinds)
    assert [*of_queue(QueueView(items))] == [Figure("feltwire_queue_items", 2)]


def test_the_slowest_write_of_the_last_minute_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr("feltwire.runtime.disk.time", SimpleNamespace(monotonic=lambda: now))
    disk = Disk(lambda why: None, lambda: None)
    for took in (0.25, 0.5, 0.125):
        with disk.watched():
            now += took
    assert disk.longest_s() == 0.5
    now += 59.95  # the half second ended a minute ago, the eighth did not
    assert disk.longest_s() == 0.125
    now += 60
    assert disk.longest_s() == 0
    disk.close()


def test_prometheus_reads_a_counter_and_a_gauge_with_labels() -> None:
    figures = [Figure("feltwire_faults_total", 3), Figure("feltwire_table_connected", True, {"table": "01"})]
    found: dict[Any, float] = values(exposition(figures, holds_cards=True).decode())
    assert found["feltwire_faults_total", ()] == 3
    assert found["feltwire_table_connected", (("table", "01"),)] == 1


def test_the_document_has_every_figure_as_the_program_describes_it() -> None:
    text = (Path(__file__).parents[3] / "docs/operation.md").read_text("utf-8")
    rows = re.findall(r"^\| `(feltwire_\w+)` \| (.*) \|$", text, re.MULTILINE)
    assert dict(rows) == {name: says for name, (_, says) in FIGURES.items()}, "docs/operation.md, Figures"
    assert f"nothing for {HANGS_S:.0f} seconds" in text.replace("\n", " ")


def test_an_alert_asks_for_figures_that_there_are_and_the_document_lists_it() -> None:
    text = (Path(__file__).parents[3] / "docs/operation.md").read_text("utf-8")
    rows = re.findall(r"^\| `(Feltwire\w+)` \| (page|look) \| (.*?) \|$", text, re.MULTILINE)
    listed = {name: (severity, when) for name, severity, when in rows}
    rules = alerts.rules()
    assert listed.keys() == rules.keys() == alerts.CASES.keys()
    for name, rule in rules.items():
        assert all(one in FIGURES for one in re.findall(r"\bfeltwire_\w+", rule["expr"])), name
        severity, when = listed[name]
        assert severity == rule["labels"]["severity"]
        assert when == f"`{rule['expr']}`" + (f" for {rule['for']}" if "for" in rule else "")


def test_the_dashboard_asks_for_figures_that_there_are() -> None:
    for title, expression in queries():
        asked_for = re.findall(r"\b(?:feltwire|process)_\w+", expression)
        assert asked_for or expression.startswith("sum(up"), title
        assert all(name in FIGURES for name in asked_for if name.startswith("feltwire_")), title
