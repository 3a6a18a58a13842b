"""What the director's queue says of the backups of the station: failed, damaged, late, or never made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltwire.cli import main
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.runtime.backup_status import STATUS, BackupStatus, read_status
from feltwire.station.station_io import BackupSeen
from feltwire.station.station_store import StationStore
from table_core.messages import At, Millis, QueueItem, QueueView
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.night_room import NightRoom
from tests.feltwire.processes import Process, station_settings
from tests.ports import free_port
from tests.table_core.tournament.simulated import Simulated

MINUTE = 60_000


@pytest.fixture
def room() -> NightRoom:
    room = NightRoom(book="rpl")
    room.do("open", rulebook="rpl", house={"starting_stack": 2_000})
    room.do("register", player="p1", member=True, adult=True)
    return room


def made(
    room: NightRoom, *, ago_ms: int = 0, fault: str = "", every_s: int = 60, boot: str = "b1"
) -> BackupStatus:
    return BackupStatus(
        At(boot, Millis(room.station.now - ago_ms), "2026-11-24T21:04:00.000+00:00"), fault, every_s
    )


def items(room: NightRoom, seen: BackupStatus | None) -> dict[str, QueueItem]:
    """The items of backups, once the adapter has looked."""
    room.station.give(BackupSeen(seen))
    room.wait(1_100)
    found = msgspec.json.decode(room.station.pages["queue"], type=QueueView).items
    return {one.id: one for one in found if one.id.startswith("backup-")}


def test_a_tournament_with_money_and_no_backup_is_said_once(room: NightRoom) -> None:
    assert items(room, None) == {}, "nobody has paid yet"
    room.do("enter", player="p1", paid=5_000)
    (found,) = items(room, None).values()
    assert "on one disk alone" in found.fact
    room.do("done_item", item=found.id)
    assert items(room, None) == {}
    room.kill_station()
    assert items(room, None) == {}, "nor after a restart"


def test_a_whole_backup_in_time_is_no_matter(room: NightRoom) -> None:
    assert items(room, made(room)) == {}
    assert items(room, made(room, ago_ms=4 * MINUTE)) == {}


def test_a_failed_backup_says_why_and_its_item_ends_with_the_next_good_one(room: NightRoom) -> None:
    (found,) = items(room, made(room, fault="record 3 cannot be read.")).values()
    assert found.fact == "The last backup is not whole: record 3 cannot be read."
    again = items(room, made(room, fault="record 3 cannot be read."))
    assert [*again] == [found.id], "the same matter"
    assert [*items(room, made(room, fault="no space"))] != [found.id], "another one"
    assert items(room, made(room)) == {}


def test_a_late_backup_is_said_and_one_that_nobody_promised_is_not(room: NightRoom) -> None:
    (found,) = items(room, made(room, ago_ms=6 * MINUTE)).values()
    assert found.fact == "No backup was made since 21:04 UTC."
    assert items(room, made(room, ago_ms=6 * MINUTE, every_s=0)) == {}
    assert items(room, made(room, ago_ms=80 * MINUTE, every_s=3_600)) == {}
    assert [*items(room, made(room, ago_ms=95 * MINUTE, every_s=3_600))] == ["backup-late"]


def test_after_a_boot_the_next_backup_is_waited_for(room: NightRoom) -> None:
    """The time of another boot says nothing here, and the wall clock of a Pi is not set when it starts."""
    status = made(room, ago_ms=-(10**9), boot="another")
    assert items(room, status) == {}
    room.wait(6 * MINUTE)
    assert [*items(room, status)] == ["backup-late"]


def test_a_status_that_cannot_be_read_is_said(tmp_path: Path, room: NightRoom) -> None:
    assert read_status(tmp_path) is None
    (tmp_path / STATUS).write_bytes(b"\xff")
    (found,) = items(room, read_status(tmp_path)).values()
    assert "cannot be read" in found.fact


def unreadable(data: Path) -> None:
    """A tournament's records of which one cannot be read, as an earlier version wrote it."""
    played = Simulated("rpl", 9, seed=5)
    played.play()
    with closing(TournamentLedger.open(data / "tournament.ledger")) as ledger:
        ledger.append(played.night.records[:3])
    with closing(sqlite3.connect(data / "tournament.ledger", isolation_level=None)) as file:
        raw = file.execute("SELECT bytes FROM records WHERE no = 3").fetchone()[0]
        file.execute("UPDATE records SET bytes = ? WHERE no = 3", (raw.replace(b'"type":"', b'"type":"x', 1),))
    StationStore.open(data).close()


def test_a_backup_of_records_that_cannot_be_read_reaches_the_director(tmp_path: Path, room: NightRoom) -> None:
    """It failed in silence: the command ended with 1, and nobody sees a timer."""
    unreadable(tmp_path / "data")
    assert main(["backup", str(tmp_path / "data"), "--to", str(tmp_path / "kept"), "--every", "60"]) == 1
    status = read_status(tmp_path / "data")
    assert status is not None
    assert status.every_s == 60
    (found,) = items(room, msgspec.structs.replace(status, at=At("b1", room.station.now))).values()
    assert "tournament.ledger: record 3 cannot be read" in found.fact


def test_a_backup_that_cannot_be_written_reaches_the_director(tmp_path: Path, room: NightRoom) -> None:
    StationStore.open(tmp_path / "data").close()
    (tmp_path / "kept").write_bytes(b"no folder")
    assert main(["backup", str(tmp_path / "data"), "--to", str(tmp_path / "kept")]) == 2
    (found,) = items(room, read_status(tmp_path / "data")).values()
    assert "No backup was made: " in found.fact


@pytest.mark.mosquitto
def test_a_running_station_shows_what_became_of_its_backup(tmp_path: Path) -> None:
    def says(words: str) -> Any:
        return lambda queue: words in str(queue["items"])

    with Mosquitto(tmp_path) as broker:
        settings = station_settings(tmp_path, broker.url, port := free_port())
        (tmp_path / "station-data").mkdir(mode=0o700)
        unreadable(tmp_path / "station-data")
        with Process("station", tmp_path, port, settings) as station:
            station.shows("queue", says("cannot be read"))  # it runs
            data = str(tmp_path / "station-data")
            assert main(["backup", data, "--to", str(tmp_path / "kept")]) == 1
            station.shows("queue", says("The last backup is not whole"))
