"""A release that the station sends: fetched whole over HTTP, or not at all, and left for the installer between two
hands."""

from __future__ import annotations

import hashlib
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltwire.runtime import sent_release
from feltwire.runtime.sent_release import BACK, FILE, SentRelease, last_upgrade
from feltwire.tools.provision.venue_keys import provision_venue
from table_core.messages import UpgradeOrder
from tests.waiting import until

CONTENT = bytes(range(256)) * 20_000


class Station:
    """The page from which a machine fetches a release. `content` is what it sends of what it says it has."""

    def __init__(self) -> None:
        self.content, self.status, self.asked = CONTENT, 200, 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked += 1
                self.send_response(outer.status)
                self.end_headers()
                self.wfile.write(outer.content)

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def order(self) -> UpgradeOrder:
        url = f"http://127.0.0.1:{self.server.server_port}/release/word"
        return UpgradeOrder("p1", "table-01", "0.4.0", len(CONTENT), hashlib.sha256(CONTENT).hexdigest(), url)


def says(sent: SentRelease, words: str) -> None:
    until(lambda: sent.words == words, f"it says {words!r}")


@pytest.fixture
def station() -> Iterator[Station]:
    station = Station()
    yield station
    station.server.shutdown()
    station.server.server_close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sent_release, "UPGRADES", tmp_path)
    folder = tmp_path / "upgrade"
    folder.mkdir()
    return folder


@pytest.fixture
def machine(folder: Path) -> Iterator[Callable[..., SentRelease]]:
    made = []

    def make(between_hands: Callable[[], bool] = lambda: True) -> SentRelease:
        made.append(SentRelease(folder, "", between_hands))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_release_is_fetched_and_left_for_the_installer_once_the_hand_is_over(
    station: Station, folder: Path, machine: Callable[..., SentRelease]
) -> None:
    over = threading.Event()
    sent = machine(over.is_set)
    sent.ordered(station.order)
    says(sent, "waits for the end of the hand")
    assert not (folder / FILE).exists()
    over.set()
    until((folder / FILE).exists, "it is left for the installer")
    says(sent, "is given to the installer")
    assert (folder / FILE).read_bytes() == CONTENT
    assert (folder / FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == [FILE]
    sent.ordered(station.order)  # said again
    assert station.asked == 1


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda station: station.__dict__.update(content=CONTENT[:-1]), "what came is not what the station sent"),
        (lambda station: station.__dict__.update(content=CONTENT[:-1] + b"x"), "what came is not what"),
        (lambda station: station.__dict__.update(content=CONTENT + b"x"), "more came than the station said"),
        (lambda station: station.__dict__.update(status=404), "the station's page answers 404"),
    ],
)
def test_what_is_not_the_file_that_was_sent_is_not_left(
    station: Station,
    folder: Path,
    machine: Callable[..., SentRelease],
    spoil: Callable[[Station], None],
    why: str,
) -> None:
    spoil(station)
    sent = machine()
    sent.ordered(station.order)
    until(lambda: sent.words.startswith("not upgraded: "), "it says why")
    assert sent.words.startswith(f"not upgraded: {why}")
    assert [*folder.iterdir()] == []
    station.content, station.status = CONTENT, 200
    sent.ordered(replace(station.order, id="p2"))
    until((folder / FILE).exists, "it is left for the installer")


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ({"url": "file:///etc/passwd"}, "the station names no address"),
        ({"url": "ftp://127.0.0.1/x"}, "the station names no address"),
        ({"size": 0}, "the station names no size that a release has"),
        ({"size": 2**50}, "the station names no size that a release has"),
        ({"url": "http://127.0.0.1:1/x"}, "Connection refused"),
    ],
)
def test_an_order_that_cannot_be_carried_out_says_why(
    station: Station, folder: Path, machine: Callable[..., SentRelease], order: dict[str, object], why: str
) -> None:
    sent = machine()
    sent.ordered(replace(station.order, **order))
    says(sent, f"not upgraded: {why}")
    assert [*folder.iterdir()] == []


def test_a_release_is_fetched_from_the_pages_of_the_venues_station_alone(
    station: Station, folder: Path, tmp_path: Path
) -> None:
    venue = tmp_path / "venue"
    provision_venue(venue, venue="hall", tables=["01"], hosts=["localhost"], pages={"station": ["localhost"]})
    secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secured.load_cert_chain(venue / "station" / "pages.crt", venue / "station" / "pages.key")
    station.server.socket = secured.wrap_socket(station.server.socket, server_side=True)
    url = f"https://localhost:{station.server.server_port}/release/word"
    stranger = SentRelease(folder, "", lambda: True)
    stranger.ordered(replace(station.order, url=url))
    until(lambda: "certificate verify failed" in stranger.words, "another authority's station is refused")
    assert [*folder.iterdir()] == []
    machine = SentRelease(folder, str(venue / "table-01" / "ca.crt"), lambda: True)
    machine.ordered(replace(station.order, url=url))
    until((folder / FILE).exists, "it is left for the installer")


def test_a_machine_without_an_installer_says_what_to_do(station: Station, folder: Path) -> None:
    sent = SentRelease(folder / "missing", "", lambda: True)
    sent.ordered(station.order)
    says(sent, "not upgraded: this machine has no installer: type feltwire upgrade there")


def test_a_machine_is_asked_back_once_the_hand_is_over(folder: Path, machine: Callable[..., SentRelease]) -> None:
    over = threading.Event()
    sent = machine(over.is_set)
    sent.ordered(UpgradeOrder("p1", "table-01", back=True))
    says(sent, "waits for the end of the hand")
    assert [*folder.iterdir()] == []
    over.set()
    until((folder / BACK).exists, "it is left for the installer")


def test_a_newer_order_ends_one_that_waits(
    station: Station, folder: Path, machine: Callable[..., SentRelease]
) -> None:
    over = threading.Event()
    sent = machine(over.is_set)
    sent.ordered(station.order)
    says(sent, "waits for the end of the hand")
    sent.ordered(UpgradeOrder("p2", "table-01", back=True))
    over.set()
    until((folder / BACK).exists, "it is left for the installer")
    says(sent, "asks for the version before")
    assert not (folder / FILE).exists()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ('{"step": "the records are backed up", "at": 1}\n', "the records are backed up"),
        ('{"step": "x", "at": 1}\n{"done": true, "version": "0.4.0", "before": "0.3.0"}\n', ""),
        (
            '{"done": false, "version": "0.3.0", "before": "0.3.0", "why": "doctor:\\n red"}\n',
            "not upgraded: doctor:  red",
        ),
        ("", ""),
        ("[1]\n", ""),
        ("not JSON\n", ""),
        ("\xff\n", ""),
    ],
)
def test_what_the_installer_says_last_is_said(folder: Path, said: str, words: str) -> None:
    assert last_upgrade() == ""
    (folder.parent / "last.jsonl").write_text(said, "latin-1")
    assert last_upgrade() == words
