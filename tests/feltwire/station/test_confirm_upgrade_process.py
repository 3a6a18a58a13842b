"""A station and a table of one program on a provisioned broker, in a room that an earlier program left here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.station.station_store import StationStore
from table_core.messages import EARLIEST_WRITTEN, MESSAGES_VERSION, Key, decode_envelope
from tests.feltwire.hall import Hall, at_hand, press_on, touch
from tests.feltwire.processes import cell

pytestmark = pytest.mark.mosquitto


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path)
    left = StationStore.open(tmp_path / "station-data")
    left.tournament()
    left.close()
    with hall:
        yield hall


@pytest.mark.slow("two processes over TLS, one of them twice")
def test_the_room_writes_the_earlier_version_until_the_director_confirms(hall: Hall) -> None:
    table = hall.machine("table").start()
    table.shows("table/01", lambda view: bool(view["seats"]))
    touch(table, Key.NEW_HAND)
    hall.station.shows("room", at_hand(1))
    queue = hall.station.shows("queue", lambda queue: any(one["id"] == "upgrade" for one in queue["items"]))
    (item,) = [one for one in queue["items"] if one["kind"] == "version"]
    assert item["fact"].startswith("Every machine that is heard has ")
    assert {decode_envelope(raw).v for _, _, raw in hall.rows_of(table)} == {EARLIEST_WRITTEN}
    assert hall.director(item["primary"]["command"]) == (
        "The upgrade is confirmed. Table 02 is not heard now: an earlier version there has to be updated."
    )
    hall.station.shows("queue", lambda queue: all(one["kind"] != "version" for one in queue["items"]))
    hall.station.kill()
    hall.station.start()
    hall.station.screen = None
    while decode_envelope(hall.rows_of(table)[-1][2]).v != MESSAGES_VERSION:
        press_on(table, hall.rows_of(table)[-1][1])
    last = hall.rows_of(table)[-1][1]
    hall.station.shows("room", lambda room: cell(room, "01")["as_of"] == last)
    assert hall.collected() == hall.rows_of(table)
