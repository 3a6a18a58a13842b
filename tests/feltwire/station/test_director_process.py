"""The director rules from the station over real wires; nobody else on the broker hears of an incident before it is
ruled on."""

from __future__ import annotations

import threading
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltwire.config import Broker
from feltwire.runtime.broker.bus import Bus
from table_core.messages import Acted, Key, Rewound, Ruled, decode_envelope
from tests.feltwire.hall import Hall, begun, touch
from tests.feltwire.processes import PATIENCE_S, Process

pytestmark = pytest.mark.mosquitto

ACCUSED = b"forward"  # in every word for the matter: forward_discard, "thrown forward"


class Listener:
    """Everything that a screen of the venue may hear, in the order in which it came."""

    def __init__(self, venue: Path) -> None:
        settings = tomllib.loads((venue / "display" / "broker.toml").read_text())
        self.heard: list[bytes] = []
        self._came = threading.Condition()
        up = threading.Event()
        self.bus = Bus(
            msgspec.convert(settings["broker"], Broker),
            client_id="display",
            subscriptions=["#"],
            on_message=lambda _, payload: self._hear(payload),
            on_up=up.set,
            on_down=lambda _: None,
        )
        self.bus.start()
        assert up.wait(PATIENCE_S)

    def _hear(self, payload: bytes) -> None:
        with self._came:
            self.heard.append(payload)
            self._came.notify_all()

    def first(self, words: bytes) -> bytes:
        """The first message with these words in it, now or later."""
        with self._came:
            assert self._came.wait_for(lambda: any(words in one.lower() for one in self.heard), PATIENCE_S)
            return next(one for one in self.heard if words in one.lower())


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Hall(tmp_path) as running:
        yield running


def seat_2(view: dict[str, Any]) -> dict[str, Any]:
    return next(seat for seat in view["seats"] if seat["seat"] == 2)


def test_an_incident_is_opened_ruled_on_and_taken_back_and_public_only_from_the_ruling_on(hall: Hall) -> None:
    table = hall.machine("first")
    begun(hall, table)
    listener = Listener(hall.venue)
    touch(table, Key.CHECK_CALL)
    hall.director("rule", table="01", incident="forward_discard", seat=2)
    asked = table.shows("ruling/01", lambda open_: open_["ruling"] is not None)
    incident = wait_for_incident(hall)
    assert incident["options"] == asked["ruling"]["options"], "the director reads what the dealer reads"
    dead = next(option["option"] for option in incident["options"] if option["option"] == "dead")
    hall.director("rule", table="01", incident="forward_discard", seat=2, option=dead, ruler="Ann")
    ruled = table.shows("table/01", lambda view: seat_2(view)["folded"])["as_of"]
    hall.station.shows("table/01", lambda view: seat_2(view)["folded"] and view["as_of"] >= ruled)
    assert b'"type":"ruled"' in listener.first(ACCUSED), "nobody was accused before"
    assert listener.heard.index(listener.first(b"a ruling is being made")) < listener.heard.index(
        listener.first(ACCUSED)
    )
    hall.director("take_back_ruling", table="01", ruler="Ann", if_epoch=1, if_seq=ruled)
    hall.station.shows("table/01", lambda view: not seat_2(view)["folded"])
    listener.bus.stop()
    commanded = [decode_envelope(raw) for _, _, raw in hall.rows_of(table) if b'"cause":"command/' in raw]
    assert {envelope.by for envelope in commanded if isinstance(envelope.data, Ruled)} == {"Director (director)"}


def test_a_ruling_on_what_the_director_no_longer_sees_is_refused_and_shown(hall: Hall) -> None:
    table = hall.machine("first")
    begun(hall, table)
    before = hall.station.shows("table/01", lambda view: view["hand"] == 1)["as_of"]
    touch(table, Key.CHECK_CALL)
    hall.station.shows("table/01", lambda view: view["as_of"] > before)
    seen = {"if_epoch": 1, "if_seq": before}
    hall.director("rule", table="01", incident="forward_discard", seat=2, option="dead", **seen)
    queue = hall.station.shows("queue", lambda queue: "refused" in str(queue["items"]))
    assert any("The table has gone on since that was decided" in one["fact"] for one in queue["items"])
    assert not seat_2(table.shows("table/01", lambda view: True))["folded"]


def test_an_action_is_replaced_from_the_station_by_the_table_and_stands_in_its_ledger(hall: Hall) -> None:
    table = hall.machine("first")
    begun(hall, table)
    before = hall.station.shows("table/01", lambda view: view["hand"] == 1)
    acts = before["legal"]["seat"]
    touch(table, Key.CHECK_CALL)
    seen = hall.station.shows("table/01", lambda view: view["as_of"] > before["as_of"] and view["legal"])
    called = next(fact for fact in hall.reads("history/01")["facts"] if fact["can_go_back"])
    assert (called["seat"], called["action"], called["source"]) == (acts, "call", "screen")
    wanted = {
        "table": "01",
        "seq": called["seq"],
        "instead": {"type": "act", "seat": acts, "action": "fold"},
        "if_epoch": seen["epoch"],
        "if_seq": seen["as_of"],
    }
    does = hall.director("preview_rewind", **wanted)
    assert f"Seat {acts}: fold, instead of: {called['text']}." in does
    assert not any(seat["folded"] for seat in hall.reads("table/01")["seats"]), "only asked"
    hall.director("rewind", **wanted)
    hall.station.shows(
        "table/01", lambda view: any(seat["seat"] == acts and seat["folded"] for seat in view["seats"])
    )
    rows = [decode_envelope(raw) for _, _, raw in hall.rows_of(table) if b'"cause":"command/' in raw]
    assert [(type(one.data), one.by) for one in rows if isinstance(one.data, Rewound | Acted)] == [
        (Rewound, "Director (director)"),
        (Acted, "Director (director)"),
    ]
    gone = next(fact for fact in hall.reads("history/01")["facts"] if fact["seq"] == called["seq"])
    assert gone["taken_back"] == "Director (director)"


def wait_for_incident(hall: Hall) -> Any:
    """On the director's channel; looked at with each picture of the room."""

    def there(_: dict[str, Any]) -> bool:
        return hall.open_incident() is not None

    hall.station.shows("room", there)
    return hall.open_incident()


def test_a_viewer_is_not_told(hall: Hall) -> None:
    station: Process = hall.station
    station.shows("room", lambda room: True)
    assert b"only the tournament director and the floor" in refused(station, "/api/rulings")
    assert b"only the tournament director and the floor" in refused(
        station, "/events?channel=clock&channel=rulings"
    )
    for path in ("/api/room", "/events?channel=room", "/station"):
        assert b"nly the tournament director, the floor, and screens" in refused(station, path)


def refused(process: Process, path: str) -> bytes:
    with pytest.raises(urllib.error.HTTPError, match="403") as caught:
        urllib.request.urlopen(f"http://127.0.0.1:{process.port}{path}")
    return caught.value.read()
