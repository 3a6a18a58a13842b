"""The processes' side of certificates: a revoked broker is left, a renewed certificate needs no restart, and what
ends soon is said in time."""

from __future__ import annotations

import shutil
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from feltwire.cli import main
from feltwire.config import Broker, ConfigError
from feltwire.runtime.certificates.revocations import Revocations
from feltwire.runtime.certificates.trust import Trust
from feltwire.tools.provision import certificates
from feltwire.tools.provision.certificates import CertificateAuthority
from feltwire.tools.provision.venue_keys import provision_venue
from table_core.messages import MOST_BYTES
from tests.feltwire.hall import Hall, begun
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S, Process
from tests.feltwire.runtime.test_bus import WAIT_S, Client
from tests.feltwire.tools.test_provision import broker_for
from tests.ports import free_port


@pytest.fixture
def venue(tmp_path: Path) -> Path:
    folder = tmp_path / "hall"
    provision_venue(folder, venue="hall", tables=["01", "02"], port=free_port(), bind="127.0.0.1")
    return folder


@pytest.fixture
def broker(venue: Path, tmp_path: Path) -> Iterator[Mosquitto]:
    conf = (venue / "mosquitto" / "mosquitto.conf").read_text()
    port = int(broker_for(venue, "station").url.rpartition(":")[2])
    with Mosquitto(tmp_path, port=port, config=conf) as running:
        yield running


def said(client: Client, words: str) -> str:
    """What it says when its connection is lost for this reason."""
    while words not in (reason := client.downs.get(timeout=WAIT_S)):
        pass
    return reason


@pytest.mark.mosquitto
def test_a_revoked_broker_is_left_and_its_successor_found(venue: Path, broker: Mosquitto) -> None:
    """Whoever stole the broker's key stands between the tables and the station."""
    client = Client(broker_for(venue, "table-01"), name="table-01").up()
    assert main(["provision", "revoke", str(venue), "broker"]) == 0
    said(client, "revoked")
    assert not client.bus.is_up
    fresh = Client(broker_for(venue, "table-02"), name="table-02")
    said(fresh, "revoked")
    assert fresh.ups.empty()
    assert client.ups.empty()
    fresh.bus.stop()
    main(["provision", "renew", str(venue), "broker"])
    broker.kill()
    broker.start()
    client.up()
    client.bus.stop()


@pytest.mark.mosquitto
def test_a_renewed_certificate_needs_no_restart_of_the_process(venue: Path, broker: Mosquitto) -> None:
    client = Client(broker_for(venue, "table-02"), name="table-02").up()
    main(["provision", "revoke", str(venue), "table-02", "--reason", "replaced"])
    main(["provision", "renew", str(venue), "table-02"])
    broker.kill()
    broker.start()
    client.up()
    client.bus.stop()


# --- the list over the bus


def without_list(table: Process) -> Process:
    lines = table.config.read_text().splitlines(keepends=True)
    table.config.write_text("".join(line for line in lines if not line.startswith("crl")))
    return table


def number_of(path: Path, venue: Path) -> int:
    known = Revocations([certificates.load_certificate(venue / "ca.crt")])
    known.take(path.read_bytes() if path.exists() else b"")
    return known.number


@pytest.mark.mosquitto
def test_the_station_gives_a_new_list_to_the_tables_and_they_keep_it(tmp_path: Path) -> None:
    with Hall(tmp_path) as hall:
        table = without_list(hall.machine("first"))
        begun(hall, table)
        table.says("revocation list 1 is in force")
        main(["provision", "revoke", str(hall.venue), "table-02"])
        table.says("revocation list 2 is in force: 1 certificates")
        kept = tmp_path / "first" / "table-data" / "ca.crl"
        assert kept.read_bytes() == (hall.venue / "ca.crl").read_bytes()
        hall.broker.kill()
        table.kill()
        table.start()
        table.says("revocation list 2 is in force")  # before it hears of anything


@pytest.mark.mosquitto
def test_only_the_authority_makes_a_list(venue: Path, broker: Mosquitto, tmp_path: Path) -> None:
    """Whoever could write on the station's topic revokes nobody with it, and fells nobody."""
    provision_venue(tmp_path / "other", venue="hall", tables=["01"])
    main(["provision", "revoke", str(tmp_path / "other"), "table-01"])
    forged = (tmp_path / "other" / "ca.crl").read_bytes()
    old = (venue / "ca.crl").read_bytes()
    settings = msgspec.structs.replace(broker_for(venue, "clock"), crl="")
    trust = Trust(settings, "hall", kept=tmp_path / "kept.crl")
    clock = Client(settings, "fw/hall/tournament/clock", name="clock", trust=trust).up()
    station = Client(broker_for(venue, "station"), name="station").up()
    for raw in (forged, old, b"", b"\xff" * 100, b"-----BEGIN X509 CRL-----\n", old + b"x" * MOST_BYTES):
        station.bus.publish("fw/hall/tournament/revoked", raw, retain=True)
    station.bus.publish("fw/hall/tournament/clock", b"after")
    assert clock.next() == ("fw/hall/tournament/clock", b"after")
    assert trust.revocations.number == 1
    assert clock.downs.empty()
    main(["provision", "revoke", str(venue), "table-02"])
    station.bus.publish("fw/hall/tournament/revoked", (venue / "ca.crl").read_bytes(), retain=True)
    station.bus.publish("fw/hall/tournament/revoked", old, retain=True)  # brought back
    station.bus.publish("fw/hall/tournament/clock", b"after")
    clock.next()
    assert trust.revocations.number == number_of(tmp_path / "kept.crl", venue) == 2
    for client in (clock, station):
        client.bus.stop()


def test_a_list_of_another_authority_in_the_settings_is_said_at_the_start(venue: Path, tmp_path: Path) -> None:
    provision_venue(tmp_path / "other", venue="hall", tables=["01"])
    settings = msgspec.structs.replace(broker_for(venue, "clock"), crl=str(tmp_path / "other" / "ca.crl"))
    with pytest.raises(ConfigError, match="no list of the authority"):
        Trust(settings)


def test_who_knows_no_list_at_its_start_says_so(
    venue: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = msgspec.structs.replace(broker_for(venue, "clock"), crl="")
    kept = tmp_path / "kept.crl"
    caplog.set_level("WARNING", "feltwire.runtime.certificates.trust")
    Trust(settings, "hall", kept=kept)
    assert "no revocation list is known yet" in caplog.text
    caplog.clear()
    kept.write_bytes((venue / "ca.crl").read_bytes())
    Trust(settings, "hall", kept=kept)
    assert "no revocation list" not in caplog.text


# --- what ends soon


@pytest.mark.mosquitto
def test_what_ends_soon_is_said_by_the_device_and_shown_to_the_director(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "DEVICE_DAYS", 9)
    hall = Hall(tmp_path)
    monkeypatch.undo()
    main(["provision", "renew", str(hall.venue), "station"])
    main(["provision", "renew", str(hall.venue), "broker"])
    with hall:
        table = hall.machine("first")
        begun(hall, table)
        table.says("The certificate of table-01 expires on")
        hall.station.shows("queue", lambda queue: "of table-01 expires on" in str(queue["items"]))
        main(["provision", "renew", str(hall.venue), "table-01"])
        hall.broker.kill()
        hall.broker.start()
        hall.station.shows("queue", lambda queue: "expires on" not in str(queue["items"]))


@pytest.mark.mosquitto
def test_a_device_says_an_end_in_its_own_name_only_and_not_in_its_own_words(tmp_path: Path) -> None:
    with Hall(tmp_path) as hall:
        hall.station.connected()
        thief = Client(broker_for(hall.venue, "table-02"), name="table-02").up()
        for topic in ("station", "table-01", "table-02"):
            for raw in (
                b'{"what":"own","on":"<b>now</b>","soon":true}',
                b'{"what":"all","on":"2026-01-01","soon":true}',
                b"\xff",
            ):
                thief.bus.publish(f"fw/hall/expiry/{topic}", raw)
        thief.bus.publish("fw/hall/expiry/table-01", b'{"what":"own","on":"2026-01-02","soon":true}')
        thief.bus.publish("fw/hall/expiry/table-02", b'{"what":"own","on":"2026-01-01","soon":true}')
        queue = hall.station.shows("queue", lambda queue: "expires on" in str(queue["items"]))
        assert [one["fact"] for one in queue["items"] if "expires" in one["fact"]] == [
            "The certificate of table-02 expires on 2026-01-01; see `feltwire provision renew`."
        ]
        thief.bus.stop()


@pytest.mark.mosquitto
def test_the_end_of_a_page_certificate_is_said_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(tmp_path)
    monkeypatch.setattr(certificates, "PAGE_DAYS", 9)
    provision_venue(hall.venue, venue="hall", tables=["01", "02"], port=hall.broker.port, domain="hall.lan")
    with hall:
        table = hall.machine("first")
        pages = hall.venue / "table-01" / "pages"
        table.config.write_text(f'{table.config.read_text()}cert = "{pages}.crt"\nkey = "{pages}.key"\n')
        (hall.venue / "table-01" / "pages.key").chmod(0o644)
        table.start()
        table.says("pages.key: others may read it: chmod 600")
        table.says("The certificate of the pages of table-01 expires on")
        hall.station.shows("queue", lambda queue: "the pages of table-01" in str(queue["items"]))


# --- certificates of pages


@pytest.mark.mosquitto
def test_a_certificate_of_pages_is_nobody_at_the_broker(tmp_path: Path) -> None:
    folder, port = tmp_path / "hall", free_port()
    provision_venue(folder, venue="hall", tables=["01"], port=port, bind="127.0.0.1", domain="hall.lan")
    with Mosquitto(tmp_path, port=port, config=(folder / "mosquitto" / "mosquitto.conf").read_text()):
        own = folder / "station"
        pages = Broker(
            f"mqtts://localhost:{port}",
            ca=str(own / "ca.crt"),
            cert=str(own / "pages.crt"),
            key=str(own / "pages.key"),
        )
        client = Client(pages, name="station")
        assert client.downs.get(timeout=WAIT_S)
        assert client.ups.empty()
        client.bus.stop()


def believed(folder: Path, host: str, ca: Path) -> str:
    """What a browser that trusts the authority says of a server by this name: nothing when it believes it."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "pages.crt", folder / "pages.key")
    ours, theirs = socket.socketpair()

    def serve() -> None:
        try:
            server.wrap_socket(theirs, server_side=True).close()
        except OSError:
            theirs.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        ours.settimeout(PATIENCE_S)
        ssl.create_default_context(cafile=str(ca)).wrap_socket(ours, server_hostname=host).close()
    except ssl.SSLError as error:
        return str(error)
    finally:
        ours.close()
        thread.join()
    return ""


def test_pages_are_believed_under_their_names_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "hall"
    provision_venue(folder, venue="hall", tables=["01"], domain="hall.lan", pages={"table-01": ["10.0.0.21"]})
    own, ca = folder / "table-01", folder / "ca.crt"
    for host in ("table-01.hall.lan", "10.0.0.21", "localhost", "127.0.0.1"):
        assert believed(own, host, ca) == "", host
    assert "mismatch" in believed(own, "station.hall.lan", ca)
    # Who has ca.key asks no program whether a name is local; a browser does.
    monkeypatch.setattr(CertificateAuthority, "_may_speak_for", lambda self, host: True)
    stolen = tmp_path / "stolen"
    stolen.mkdir()
    CertificateAuthority.load(folder).issue(stolen, "pages", hosts=["bank.example.com"], subject="bank")
    assert "permitted subtree violation" in believed(stolen, "bank.example.com", ca)


def test_a_list_is_whole_whenever_it_is_read(venue: Path, tmp_path: Path) -> None:
    """A copy that was cut off is no list; the one before holds."""
    known = Revocations([certificates.load_certificate(venue / "ca.crt")])
    raw = (venue / "ca.crl").read_bytes()
    assert not any(known.take(raw[:length]) for length in range(0, len(raw) - 40, 7))
    assert known.take(raw)
    shutil.rmtree(venue / "issued")
    main(["provision", "revoke", str(venue), "table-01"])  # the register is found again in the folders
    assert known.take((venue / "ca.crl").read_bytes())


@pytest.mark.parametrize("raw", [b"", b"\xff" * 100, b"-----BEGIN X509 CRL-----\n"])
def test_a_kept_list_that_cannot_be_read_is_said_and_kept_aside(venue: Path, tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "kept.crl").write_bytes(raw)
    trust = Trust(broker_for(venue, "clock"), "hall", kept=tmp_path / "kept.crl")
    assert trust.revocations.number == 1, "the configured one is in force"
    assert trust.revocations.unread is not None
    (words,) = trust.revocations.unread.words
    assert "believed until the station sends the list again" in words
    (aside,) = (tmp_path / "unreadable").iterdir()
    assert aside.read_bytes() == raw
