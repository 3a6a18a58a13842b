"""Names of the local network: what strangers say gives addresses, and no trust."""

from __future__ import annotations

import subprocess
import sys

import pytest

from display.server.hosts import AT_HOME, Hosts
from feltwire.runtime.lan_names import VenueNames, _addresses
from tests.room.network.cables import why_not


@pytest.mark.slow("four machines in networks of their own: brokers, the station's process, a table and a liar")
@pytest.mark.mosquitto
def test_a_table_finds_its_broker_by_multicast_and_a_liar_gets_no_connection() -> None:
    if why := why_not():
        pytest.skip(why)
    command = [sys.executable, "-m", "tests.room.network.names"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the liar still answers" in done.stdout


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (b"10.77.0.2", ["10.77.0.2"]),
        (b"8.8.8.8", []),
        (b"127.0.0.1", []),
        (b"0.0.0.0", []),
        (b"fe80::1", ["fe80::1"]),
        (b"broker.hall.lan", []),
        (b"\xff\xfe", []),
        (None, []),
    ],
)
def test_an_address_is_one_of_a_private_network_or_none(said: bytes | None, found: list[str]) -> None:
    assert [*_addresses({b"other": b"10.0.0.9", b"Broker.Hall.lan": said}, b"broker.hall.lan")] == found


def test_nothing_is_said_of_a_broker_that_is_away_or_has_an_address_for_a_name() -> None:
    names = VenueNames("hall", 8081, ())
    names.tell("broker.hall.lan", "", "")
    names.tell("10.0.0.2", "10.0.0.3", "10.0.0.2")
    assert names.said is None
    names.close()


def test_a_room_at_home_answers_to_its_name() -> None:
    assert Hosts(machine="laptop").allow(f"{AT_HOME}:8080", "192.168.1.20")
    assert not Hosts(machine="laptop").allow("feltwire.example:8080", "192.168.1.20")
