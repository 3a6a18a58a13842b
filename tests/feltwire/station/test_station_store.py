"""What the station remembers, read back by another life of it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from feltwire.station.station_store import ClockRecord, StationStore
from table_core.messages import (
    EARLIEST_WRITTEN,
    MESSAGES_VERSION,
    Chips,
    Mark,
    Millis,
    Seat,
    SeatStack,
    SetSeats,
)
from tests.feltwire.station_room import LEVELS

RECORD = ClockRecord(LEVELS, 2, Mark(boot="b1", at=Millis(5), index=1, left_ms=900, running=True))


def seats(id_: str) -> SetSeats:
    return SetSeats(id_, (SeatStack(Seat(1), Chips(500), "Ada"),))


def test_another_life_reads_what_was_written(tmp_path: Path) -> None:
    first = StationStore.open(tmp_path)
    first.save_clock(RECORD)
    for id_ in ("a", "b", "b"):
        first.add_outgoing("01", seats(id_))
    first.drop_outgoing("a")
    tournament = first.tournament()
    first.close()
    second = StationStore.open(tmp_path)
    assert second.clock() == RECORD
    assert second.outgoing() == [("01", seats("b"))]
    assert second.tournament() == tournament
    second.close()


def test_a_new_folder_is_a_new_tournament(tmp_path: Path) -> None:
    one, two = StationStore.open(tmp_path / "one"), StationStore.open(tmp_path / "two")
    assert one.tournament() != two.tournament()
    assert one.clock() is None
    one.close()
    two.close()


def test_a_record_of_another_version_names_the_file_and_what_to_do(tmp_path: Path) -> None:
    StationStore.open(tmp_path).close()
    with sqlite3.connect(tmp_path / "station.db") as connection:
        connection.execute("INSERT INTO notes VALUES ('clock', ?)", (b'{"levels": 1}',))
    connection.close()
    store = StationStore.open(tmp_path)
    assert store.clock() is None
    (said,) = store.unread.words
    assert said.startswith("station.db: the clock cannot be read."), said
    (kept,) = (tmp_path / "unreadable").iterdir()
    assert kept.read_bytes() == b'{"levels": 1}'
    store.close()


def test_a_new_room_writes_the_newest_version_and_one_of_an_earlier_program_waits_for_the_director(
    tmp_path: Path,
) -> None:
    new = StationStore.open(tmp_path / "new")
    assert new.writes() == MESSAGES_VERSION
    new.close()
    earlier = StationStore.open(tmp_path / "earlier")
    earlier.tournament()  # as a program left it that knows of no version
    assert earlier.writes() == EARLIEST_WRITTEN
    earlier.save_writes(MESSAGES_VERSION)
    earlier.close()
    again = StationStore.open(tmp_path / "earlier")
    assert again.writes() == MESSAGES_VERSION
    again.close()


def test_a_written_version_that_cannot_be_read_is_said_and_waits_again(tmp_path: Path) -> None:
    store = StationStore.open(tmp_path)
    store.tournament()
    store.save_writes(MESSAGES_VERSION)
    with sqlite3.connect(tmp_path / "station.db") as connection:
        connection.execute("UPDATE notes SET bytes = ? WHERE key = 'writes'", (b"four",))
    connection.close()
    assert store.writes() == EARLIEST_WRITTEN
    assert store.unread.words[0].startswith("station.db: which version the room writes cannot be read.")
    store.close()
