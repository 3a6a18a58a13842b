"""The event is over: its records are put aside, and next Thursday begins as this one did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from feltwire.cli import main
from feltwire.ledger.checkpoints import Checkpoint
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.station.station_store import ClockRecord, StationStore
from table_core.messages import Level, Mark, decode
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.night_room import NightRoom
from tests.feltwire.processes import Process, station_settings
from tests.feltwire.station.tournament.test_tournament_process import press, shown
from tests.ports import free_port

HOUSE = {"starting_stack": 2_000, "buy_in": 40, "payouts": [50, 30, 20]}


@pytest.fixture
def room() -> NightRoom:
    """A night of four, of whom one has won."""
    room = NightRoom(("01",), book="rpl")
    room.do("open", name="Thursday", rulebook="rpl", house=HOUSE, starts=None)
    for name in ("Ana Ruiz", "Bo Lindqvist", "Chidi Eze", "Dana Roth"):
        room.do("register_new", name=name, member=True, adult=True)
    for no in range(1, 5):
        room.do("enter", player=f"p{no}")
    room.do("keep_apart", one="p1", other="p2")
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    while True:
        live = sorted(seat for seat, (_, stack) in room.tables["01"].sits.items() if stack)
        if len(live) < 2:
            return room
        room.all_in("01", winner=live[0], loser=live[1])
        room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])


def closed(room: NightRoom) -> dict[str, Any]:
    """The channel `night` of a station whose event is put aside."""
    room.do("close_event", anyway="paid in cash outside")
    room.wait(1_100)
    night: dict[str, Any] = json.loads(room.station.pages["night"])
    assert not night["open"]
    return night


def test_what_is_not_done_is_said_before_the_records_are_put_aside(room: NightRoom) -> None:
    refused = room.press("close_event")
    assert "Ana Ruiz" in refused.text or "Bo Lindqvist" in refused.text
    assert refused.text.count("has not been paid") == 3
    for player in room.shown["money"]["owed"]:
        room.do("pay_prize", player=player)
    assert room.do("close_event") == "Thursday is closed; its records are kept."
    assert room.press("close_event").text == "There is no event."


def test_an_event_that_is_played_is_not_put_aside_by_a_slip() -> None:
    room = NightRoom()
    room.run_up(6)
    assert room.press("close_event").text == "6 players are in: the event is not over."
    assert room.shown["open"]


def test_the_next_event_begins_as_the_last_one_with_nobody_in_it(room: NightRoom) -> None:
    night = closed(room)
    assert night["last"]["apart"] == [
        [{"player": "p1", "name": "Ana Ruiz"}, {"player": "p2", "name": "Bo Lindqvist"}]
    ]
    assert not room.station.clock.running
    room.do("open", **night["last"]["open"], starts=None)
    now = room.shown
    assert (now["name"], now["rulebook"], now["field"]) == ("Thursday", "rpl", [])
    assert sorted(now["known"].values()) == ["Ana Ruiz", "Bo Lindqvist", "Chidi Eze", "Dana Roth"]
    assert now["money"]["buy_in"] == 4_000
    for no in range(1, 4):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    assert sorted(stack for _, stack in room.tables["01"].sits.values()) == [2_000, 2_000, 2_000]
    room.begin_hand("01")
    assert room.tables["01"].view.hand == 1
    room.kill_station()
    assert room.shown["players_left"] == 3
    assert room.shown["chips"]["missing"] == 0


def test_the_records_of_the_event_lie_in_a_file_of_their_own(tmp_path: Path) -> None:
    port = free_port()
    settings = station_settings(tmp_path, Mosquitto(tmp_path).url, port)  # no broker: the tables are away
    with Process("station", tmp_path, port, settings) as station:
        station.shows("room", lambda room: True)
        press(station, "open", name="Friday", house={"starting_stack": 2_000})
        press(station, "register_new", name="Ann Example", member=True, adult=True)
        assert press(station, "close_event", anyway="a rehearsal") == "Friday is closed; its records are kept."
        night = shown(station, "night", lambda night: bool(night["last"]))
        assert night["last"]["open"]["name"] == "Friday"
        press(station, "open", name="Saturday", house={"starting_stack": 2_000})
        station.kill()
        station.start()
        assert shown(station, "night", lambda night: night["open"])["name"] == "Saturday"
        assert "missing" not in json.dumps(shown(station, "queue", lambda queue: True))
        (aside,) = (tmp_path / "station-data").glob("tournament-*.ledger")
        signed = CollectedLedger.open(tmp_path / "station-data" / "station.ledger", read_only=True)
        key = decode(signed.checkpoints()[0], Checkpoint).key
        signed.close()
        for records in (aside, aside.with_name("tournament.ledger")):
            proof = ["--checkpoints", str(aside.with_name("station.ledger")), "--public", key]
            assert main(["verify", str(records), *proof]) == 0
    with_records = TournamentLedger.open(aside, read_only=True)
    assert len(with_records.records()) == 3
    with_records.close()


def test_a_station_that_was_killed_while_it_put_the_records_aside_does_it_at_its_start(tmp_path: Path) -> None:
    port = free_port()
    settings = station_settings(tmp_path, Mosquitto(tmp_path).url, port)
    with Process("station", tmp_path, port, settings) as station:
        station.shows("room", lambda room: True)
        press(station, "open", name="Friday", house={"starting_stack": 2_000})
        station.kill()
        store = StationStore.open(tmp_path / "station-data")
        levels = (Level(1, 25, 50, minutes=20),)  # type: ignore[arg-type]
        store.begin_closing("tournament-aside.ledger", ClockRecord(levels, 9, Mark("b", 0, 0, 0)), b"{}")  # type: ignore[arg-type]
        store.close()
        station.start()
        shown(station, "night", lambda night: not night["open"])
        assert ((tmp_path / "station-data") / "tournament-aside.ledger").exists()
