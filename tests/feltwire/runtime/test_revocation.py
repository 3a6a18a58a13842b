"""A device is stolen while the room plays: it is out within the minute, and the others lose nothing."""

from __future__ import annotations

import json
import os
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.config import Broker
from feltwire.ledger.chain import check_chain
from feltwire.tools.provision import certificates, maintenance
from feltwire.tools.provision.venue_keys import provision_venue
from table_core.messages import Key
from tests.feltwire.hall import Hall, begun, touch
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import cell
from tests.feltwire.runtime.test_bus import WAIT_S, Client
from tests.feltwire.tools.test_provision import broker_for
from tests.ports import free_port

TAKE_LIST = Path(__file__).parents[3] / "feltwire" / "deploy" / "mosquitto" / "take-list"
A_MINUTE = 60.0


def take_list(folder: Path, *restart: str) -> subprocess.CompletedProcess[str]:
    """What the path unit runs when somebody copied a list to the broker."""
    command = [str(TAKE_LIST), str(folder), *(restart or ("true",))]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def revoke(venue: Path, name: str, broker: Mosquitto) -> None:
    """What a person does: revoke, and copy the list to the broker, whose unit does the rest."""
    assert main(["provision", "revoke", str(venue), name]) == 0
    shutil.copy(venue / "ca.crl", venue / "mosquitto" / "ca.crl.new")
    (venue / "mosquitto" / "ca.crl").write_bytes(broker_list_before(venue))
    done = take_list(venue / "mosquitto", "kill", str(broker.pid))
    assert done.returncode == 0, done.stderr
    broker.kill()
    broker.start()  # as systemd does


def broker_list_before(venue: Path) -> bytes:
    """The broker's machine has its own copy, which only the unit changes."""
    return (venue / "list-at-broker").read_bytes()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    running = Hall(tmp_path)
    shutil.copy(running.venue / "ca.crl", running.venue / "list-at-broker")
    with running:
        yield running


@pytest.mark.mosquitto
def test_a_stolen_table_is_out_within_the_minute_and_the_others_lose_nothing(hall: Hall) -> None:
    thief = Client(broker_for(hall.venue, "table-02"), "fw/hall/table/02/command", name="table-02").up()
    first = hall.machine("first")
    begun(hall, first)
    try:
        began = time.monotonic()
        revoke(hall.venue, "table-02", hall.broker)
        touch(first, Key.CHECK_CALL)  # while the room finds its broker again
        assert "lost" in thief.downs.get(timeout=A_MINUTE)
        assert time.monotonic() - began < A_MINUTE
        hall.station.shows(
            "room", lambda room: cell(room, "01")["link"] == "live" and hall.collected() == hall.rows_of(first)
        )
        assert check_chain(hall.collected()).ok
        assert not thief.bus.is_up
        again = Client(broker_for(hall.venue, "table-02"), name="table-02")
        # The broker may close before its alert is read; then the next attempt hears it.
        while "certificate revoked" not in again.downs.get(timeout=WAIT_S):
            continue
        assert again.ups.empty(), "it does not come back"
        again.bus.stop()
    finally:
        thief.bus.stop()


@pytest.mark.mosquitto
def test_its_successor_comes_in_by_the_same_name(tmp_path: Path) -> None:
    venue, port = tmp_path / "hall", free_port()
    provision_venue(venue, venue="hall", tables=["01", "02"], port=port, bind="127.0.0.1")
    shutil.copytree(venue / "table-02", tmp_path / "stolen")
    conf = (venue / "mosquitto" / "mosquitto.conf").read_text()
    assert main(["provision", "revoke", str(venue), "table-02"]) == 0
    assert main(["provision", "renew", str(venue), "table-02"]) == 0
    with Mosquitto(tmp_path, port=port, config=conf):
        successor = Client(broker_for(venue, "table-02"), name="table-02").up()
        own = tmp_path / "stolen"
        stolen = Broker(
            url=f"mqtts://localhost:{port}",
            ca=str(own / "ca.crt"),
            cert=str(own / "table-02.crt"),
            key=str(own / "table-02.key"),
        )
        thief = Client(stolen, name="table-02")
        assert thief.downs.get(timeout=WAIT_S)
        assert thief.ups.empty()
        assert successor.downs.empty(), "and it is not thrown out by it"
        for client in (successor, thief):
            client.bus.stop()


# --- what the broker takes for a list


@pytest.fixture
def venue(tmp_path: Path) -> Path:
    folder = tmp_path / "hall"
    provision_venue(folder, venue="hall", tables=["01", "02"])
    return folder


def forged(venue: Path) -> bytes:
    """Another authority by the same name revokes the whole room."""
    other = venue.parent / "other"
    provision_venue(other, venue="hall", tables=["01"])
    main(["provision", "revoke", str(other), "table-01"])
    return (other / "ca.crl").read_bytes()


def half(venue: Path) -> bytes:
    main(["provision", "revoke", str(venue), "table-02"])
    raw = (venue / "ca.crl").read_bytes()
    return raw[: len(raw) // 2]


def older(venue: Path) -> bytes:
    """The list of before the theft, brought back."""
    before = (venue / "ca.crl").read_bytes()
    main(["provision", "revoke", str(venue), "table-02"])
    return before


def junk(_venue: Path) -> bytes:
    return b"-----BEGIN X509 CRL-----\n\xff\n"


@pytest.mark.parametrize("make", [forged, half, older, junk])
def test_the_broker_keeps_its_list_when_the_new_one_is_none(make: object, venue: Path, tmp_path: Path) -> None:
    at_broker = venue / "mosquitto"
    content = make(venue)  # type: ignore[operator]
    before = (at_broker / "ca.crl").read_bytes()
    (at_broker / "ca.crl.new").write_bytes(content)
    done = take_list(at_broker, "touch", str(tmp_path / "restarted"))
    assert done.returncode == 1
    assert "the list before stays in force" in done.stderr
    assert (at_broker / "ca.crl").read_bytes() == before
    assert not (tmp_path / "restarted").exists()


@pytest.mark.parametrize("make", [forged, half, junk, lambda _: b""])
def test_a_broker_does_not_read_a_list_again_that_is_not_whole(make: object, venue: Path) -> None:
    """mosquitto would let everybody in."""
    at_broker = venue / "mosquitto"
    assert take_list(Path("--check"), str(at_broker)).returncode == 0
    (at_broker / "ca.crl").write_bytes(make(venue))  # type: ignore[operator]
    done = take_list(Path("--check"), str(at_broker))
    assert done.returncode == 1
    assert "copy it anew" in done.stderr


def test_a_list_is_taken_once(venue: Path, tmp_path: Path) -> None:
    at_broker, before = venue / "mosquitto", (venue / "ca.crl").read_bytes()
    main(["provision", "revoke", str(venue), "table-02"])
    (at_broker / "ca.crl").write_bytes(before)
    shutil.copy(venue / "ca.crl", at_broker / "ca.crl.new")
    assert take_list(at_broker, "touch", str(tmp_path / "restarted")).returncode == 0
    assert (tmp_path / "restarted").exists()
    assert (at_broker / "ca.crl").read_bytes() == (venue / "ca.crl").read_bytes()
    assert oct(os.stat(at_broker / "ca.crl").st_mode)[-3:] == "600"
    assert take_list(at_broker).returncode == 0


# --- what a person sees


def listed(venue: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    capsys.readouterr()
    assert main(["provision", "list", str(venue), "--json"]) == 0
    found: dict[str, list[str]] = {}
    for one in json.loads(capsys.readouterr().out):
        found.setdefault(one["name"], []).append(one["state"])
    return found


def test_who_has_what_is_listed(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(venue, capsys)["table-02"] == ["in use"]
    main(["provision", "renew", str(venue), "table-02"])
    assert listed(venue, capsys)["table-02"] == ["replaced", "in use"]
    main(["provision", "revoke", str(venue), "table-02", "--reason", "stolen"])
    assert listed(venue, capsys)["table-02"] == ["revoked", "revoked"]
    main(["provision", "renew", str(venue), "--all"])
    assert listed(venue, capsys)["table-02"] == ["revoked", "revoked"], "what was revoked comes back only by name"
    main(["provision", "renew", str(venue), "table-02"])
    assert listed(venue, capsys)["table-02"] == ["revoked", "revoked", "in use"]


def test_only_what_ends_soon_is_renewed(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = (venue / "table-01" / "table-01.key").read_bytes()
    main(["provision", "renew", str(venue), "--all", "--within", "90"])
    assert (venue / "table-01" / "table-01.key").read_bytes() == key
    main(["provision", "renew", str(venue), "--all", "--within", "4000"])
    assert (venue / "table-01" / "table-01.key").read_bytes() != key
    assert main(["provision", "renew", str(venue)]) == 2
    assert "name devices, or say --all" in capsys.readouterr().err


@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_renewal_that_was_cut_off_is_completed_by_the_next_command(
    done: int, venue: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`done` files of three were in place: the register's, the key, the certificate."""
    put, left = certificates.replace, iter([True] * done)

    def cut_off(path: Path, content: bytes, *, mode: int = 0o644) -> None:
        if not next(left, False):
            raise KeyboardInterrupt
        put(path, content, mode=mode)

    with monkeypatch.context() as patched:
        patched.setattr(certificates, "replace", cut_off)
        with pytest.raises(KeyboardInterrupt):
            maintenance.renew(venue, ["table-02"], None)
    assert "in use" in listed(venue, capsys)["table-02"]
    own = venue / "table-02"
    ssl.create_default_context().load_cert_chain(own / "table-02.crt", own / "table-02.key")  # a pair


@pytest.mark.parametrize("command", ["revoke", "renew"])
def test_a_name_that_nobody_has_is_refused(command: str, venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["provision", command, str(venue), "table-09"]) == 2
    assert "no certificate of that name" in capsys.readouterr().err


def test_an_authority_that_others_can_read_is_refused(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (venue / "ca.key").chmod(0o644)
    assert main(["provision", "list", str(venue)]) == 2
    assert "others may read it" in capsys.readouterr().err


def test_the_authority_speaks_for_no_name_outside_the_venue(
    venue: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["provision", "venue", str(venue), "--tables", "01", "--page", "table-01=bank.example.com"]
    assert main(command) == 2
    assert "local names" in capsys.readouterr().err
