"""What a process does while its disk refuses something or keeps it waiting. In a room: `test_failing_disk.py`."""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from feltwire.ledger.chain import chain
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.store import LedgerError
from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime import disk
from feltwire.runtime.disk import Disk
from table_core.messages import FloorCalled, Noticed
from tests.feltwire.dealt import AT


class Said:
    """What the process says, in order; empty when recording goes on."""

    def __init__(self) -> None:
        self.words: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.disk = Disk(self.words.put, lambda: self.words.put(""))

    def next(self) -> str:
        return self.words.get(timeout=60)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Iterator[Said]:
    monkeypatch.setattr(disk, "AGAIN_S", 0.01)
    monkeypatch.setattr(disk, "SLOW_S", 0.1)
    said = Said()
    yield said
    said.disk.close()


def test_what_the_disk_refuses_is_said_once_and_tried_until_it_takes_it(said: Said) -> None:
    tried: list[str] = []

    def do() -> None:
        tried.append("commit")
        if len(tried) < 6:
            raise LedgerError("the disk is full")

    said.disk.must(do, lambda: tried.append("make room"))
    assert tried == ["commit", "make room", "commit", "commit", "make room", "commit"]
    assert [said.next(), said.next()] == ["the disk is full", ""]
    assert said.words.empty()


def test_a_disk_that_does_not_answer_is_said_while_it_does_not(said: Said) -> None:
    took: list[float] = []
    answers = threading.Event()

    def write() -> None:
        with said.disk.watched(took.append):
            answers.wait()

    writer = threading.Thread(target=write)
    writer.start()
    assert said.next() == "the disk does not answer"
    assert took == []
    answers.set()
    writer.join()
    assert said.next() == ""
    assert len(took) == 1


def test_a_process_that_is_told_to_end_gives_up(said: Said) -> None:
    def refuse() -> None:
        raise LedgerError("the disk failed")

    said.disk.close()
    with pytest.raises(LedgerError, match="the disk failed"):
        said.disk.must(refuse)


# ----------------------------------------------------------------------------------- damaged files


def damage(path: Path, page: int) -> None:
    """Overwrite the middle of a page."""
    with path.open("r+b") as file:
        file.seek(4096 * (page - 1) + 1000)
        file.write(b"\xff" * 2000)


def facts(count: int) -> list[Noticed]:
    return [Noticed("test", "x" * 500) for _ in range(count)]


def test_a_damaged_page_is_said_at_the_start_with_the_way_back(tmp_path: Path) -> None:
    path = tmp_path / "table.ledger"
    with closing(Ledger.open(path)) as ledger:
        ledger.commit(entries=chain(ledger.head, facts(200), at=AT, venue="hall", table="01"))
    with closing(sqlite3.connect(path)) as raw:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_events_1'"
        page = raw.execute(query).fetchone()[0]
    damage(path, page)
    with pytest.raises(LedgerError, match=r"table\.ledger: .*damaged .*docs/storage\.md says the way back"):
        Ledger.open(path)


def test_a_bit_that_fell_over_in_an_event_is_found_at_the_start(tmp_path: Path) -> None:
    with closing(Ledger.open(tmp_path / "table.ledger")) as ledger:
        entries = chain(ledger.head, [*facts(1), FloorCalled()], at=AT, venue="hall", table="01")
        ledger.commit(entries=entries)
    with closing(CollectedLedger.open(tmp_path / "station.ledger")) as collected:
        collected.accept_all([entry.raw for entry in entries])
    for name in ("table.ledger", "station.ledger"):
        path = tmp_path / name
        assert path.read_bytes().count(b"xxxxxxxx") > 0
        path.write_bytes(path.read_bytes().replace(b"xxxxxxxx", b"xxxxxxxy", 1))
    with (
        closing(Ledger.open(tmp_path / "table.ledger")) as ledger,
        pytest.raises(LedgerError, match=r"event 1/1 is not as it was written"),
    ):
        ledger.hashed_events()
    with (
        closing(CollectedLedger.open(tmp_path / "station.ledger")) as collected,
        pytest.raises(LedgerError, match=r"event 1/1 of table 01 is not as it was written"),
    ):
        list(collected.checked_events("01"))
