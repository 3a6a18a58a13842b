"""Power cuts at every operation of a station that a director uses: a share of `python -m tests.powercuts`. The
share of a whole room is in `test_powercuts_room.py`."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from tests.powercuts.__main__ import Report, main
from tests.powercuts.disk import KINDS, SECTOR, Disk
from tests.powercuts.planted import PLANTED
from tests.powercuts.recording import Operation

CHANCE = random.Random(3)


def run(folder: Path, *arguments: str) -> tuple[int, Report]:
    report = folder / "powercuts.json"
    status = main(["--of", "tournament", "--players", "3", "--report", str(report), *arguments])
    return status, msgspec.json.decode(report.read_bytes(), type=Report)


def test_a_station_starts_from_every_disk_with_all_that_it_answered(tmp_path: Path) -> None:
    first = run(tmp_path, "--limit", "100", "--folder", str(tmp_path / "kept"))
    status, report = run(tmp_path, "--limit", "50", "--folder", str(tmp_path / "kept"), "--resume")
    part = report.parts["tournament"]
    assert (first[0], status, part.faults) == (0, 0, ())
    assert (first[1].parts["tournament"].done, part.done) == (100, 150)
    assert part.images.keys() == KINDS.keys()
    assert part.cuts > part.operations > 200


def test_a_transaction_that_returned_before_its_sync_is_found(tmp_path: Path) -> None:
    status, report = run(tmp_path, "--limit", "60", "--plant", "unsynced", "--folder", str(tmp_path / "kept"))
    assert status == 1
    assert any("was answered" in fault for fault in report.parts["tournament"].faults)
    assert "unsynced" in PLANTED


# ------------------------------------------------------------------------------------------ the disk


def disk(*operations: Operation) -> Disk:
    found = Disk()
    for operation in operations:
        found.do(operation)
    return found


def made(path: str, inode: int = 1) -> Operation:
    return Operation("O", inode, 1, path)


def written(data: bytes, at: int = 0, inode: int = 1) -> Operation:
    return Operation("W", inode, at, data=data)


SYNC, FOLDER = Operation("S", 1, 0), Operation("D", 9, 0, "/d")


def test_a_file_is_there_when_its_folder_was_synced_and_has_what_was_synced() -> None:
    cut = disk(made("/d/a"), written(b"one"), SYNC)
    assert KINDS["nothing"](cut, CHANCE) == {}
    cut.do(FOLDER)
    cut.do(written(b"two"))
    assert KINDS["nothing"](cut, CHANCE) == {"/d/a": b"one"}
    assert KINDS["everything"](cut, CHANCE) == {"/d/a": b"two"}


def test_a_write_is_torn_in_sectors_and_a_hole_is_zeros() -> None:
    cut = disk(made("/d/a"), FOLDER, written(bytes([1]) * 2 * SECTOR, at=SECTOR))
    found = {KINDS["torn"](cut, CHANCE)["/d/a"] for _ in range(200)}
    one, none = bytes([1]) * SECTOR, bytes(SECTOR)
    assert found == {b"", none + one, none + none + one, none + one + one}


def test_of_two_writes_either_may_be_lost() -> None:
    cut = disk(made("/d/a"), FOLDER, written(b"a"), written(b"b", at=1))
    assert {KINDS["subset"](cut, CHANCE)["/d/a"] for _ in range(100)} == {b"", b"a", b"ab", b"\0b"}


def test_a_file_that_was_renamed_has_its_old_or_its_new_name_never_none() -> None:
    cut = disk(made("/d/new"), written(b"x"), SYNC, FOLDER, Operation("R", 0, 0, "/d/new", "/d/a"))
    for kind in KINDS.values():
        for _ in range(20):
            assert b"x" in kind(cut, CHANCE).values()
    cut.do(FOLDER)
    assert KINDS["nothing"](cut, CHANCE) == {"/d/a": b"x"}
    assert cut.is_certain


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_was_cut_has_its_old_or_its_new_length(kind: str) -> None:
    cut = disk(made("/d/a"), written(b"long"), SYNC, FOLDER, Operation("T", 1, 2))
    assert KINDS[kind](cut, CHANCE)["/d/a"] in (b"long", b"lo")
