"""A thief with the certificate of table 01, at a real mosquitto with the venue's access list, against the real
station and the real table."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from feltwire.config import Broker
from feltwire.ledger.chain import LedgerHead, check_chain, hash_of
from feltwire.ledger.signing import LedgerKey
from feltwire.runtime.broker.bus import Bus
from table_core.messages import At, Birth, EpochBegan, Grant, Key, Millis, Noticed, encode
from tests.feltwire.hall import Hall, begun, touch
from tests.feltwire.processes import PATIENCE_S, cell
from tests.feltwire.station_room import VENUE

pytestmark = pytest.mark.mosquitto

THIEF = LedgerKey(b"a key that the station never saw")
TOPIC = f"fw/{VENUE}/table/01"


def steal(hall: Hall, name: str) -> Bus:
    """Connected with the certificate of `name`; as on any such broker the true holder loses its connection."""
    up = threading.Event()
    own = hall.venue / name
    bus = Bus(
        Broker(
            url=f"mqtts://localhost:{hall.broker.port}",
            ca=str(hall.venue / "ca.crt"),
            cert=str(own / f"{name}.crt"),
            key=str(own / f"{name}.key"),
        ),
        client_id=name,
        subscriptions=[],
        on_message=lambda *_: None,
        on_up=up.set,
        on_down=lambda _: None,
    )
    bus.start()
    assert up.wait(PATIENCE_S)
    return bus


def test_a_forged_epoch_does_not_fence_the_real_table(tmp_path: Path) -> None:
    """With the public head it continues the table's chain."""
    with Hall(tmp_path) as hall:
        machine = hall.machine("first")
        begun(hall, machine)
        epoch, seq, raw = hall.collected()[-1]
        thief = steal(hall, "table-01")
        head = LedgerHead(epoch, seq, hash_of(raw))
        for where in (head, head.in_epoch(epoch + 1)):
            following = where
            for event in (EpochBegan("6666000000000000", THIEF.public), Noticed("forged", "never happened")):
                at = At("thief", Millis(0))
                entry = following.link(event, at=at, venue=VENUE, table="01", key=THIEF)
                following = entry.head
                thief.publish(f"{TOPIC}/event", entry.raw)
        born = Birth(VENUE, "01", 99, 99, "s", hall.venue.name, "", THIEF.public)
        thief.publish(f"{TOPIC}/birth", THIEF.sign(born))
        thief.publish(f"{TOPIC}/grant", encode(Grant("g", "6666000000000000", 99, key=THIEF.public)))
        hall.station.shows("queue", lambda queue: "sends in its name" in str(queue["items"]))
        thief.stop()
        touch(machine, Key.FOLD)
        hall.station.shows(
            "room",
            lambda room: cell(room, "01")["link"] == "live" and hall.collected() == hall.rows_of(machine),
        )
        assert check_chain(hall.collected()).ok
        assert not any(b"forged" in raw for _, _, raw in hall.collected())
        view = machine.shows("table/01", lambda view: bool(view["seats"]))
        assert view["epoch"] == 1
