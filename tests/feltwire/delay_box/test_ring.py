"""What waits is unreadable on the disk, and a fault of the disk is a gap."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.delay_box.ring import TAG, Ring
from feltwire.errors import UsageError
from table_core.messages import Millis

PIECE = b"the ace of spades is at seat four" * 5


@pytest.fixture
def ring(tmp_path: Path) -> Iterator[Ring]:
    made = Ring(tmp_path, 10_000)
    yield made
    made.close()


def on_disk(ring: Ring) -> bytes:
    return os.pread(ring._file, ring.capacity, 0)


def test_pieces_come_back_in_order_and_cannot_be_read_on_the_disk(ring: Ring) -> None:
    for at in range(20):
        assert ring.put(Millis(at), PIECE + bytes([at]))
    assert b"spades" not in on_disk(ring)
    assert [ring.pop() for _ in range(20)] == [(0, PIECE + bytes([at])) for at in range(20)]
    assert ring.oldest() is None


def test_another_process_finds_nothing(ring: Ring, tmp_path: Path) -> None:
    """The file has no name, and whoever copies what lies on the disk lacks the key."""
    ring.put(Millis(1), PIECE)
    assert list(tmp_path.iterdir()) == []
    other = Ring(tmp_path, 10_000)
    os.pwrite(other._file, on_disk(ring), 0)
    other.put(Millis(1), PIECE)
    os.pwrite(other._file, on_disk(ring), 0)
    assert other.pop() is None
    other.close()


def test_it_goes_round_without_losing_anything(ring: Ring) -> None:
    put = took = 0
    for step in range(3_000):
        if ring.put(Millis(step), b"%d" % put * 40):
            put += 1
        if step % 3 != 1:
            found = ring.pop() if ring.oldest() is not None else None
            if found is not None:
                assert found[1] == b"%d" % took * 40
                took += 1
    assert put > 1_000


def test_a_full_ring_keeps_the_oldest_and_what_comes_later_is_another_run(ring: Ring) -> None:
    taken = [ring.put(Millis(at), bytes(1_000)) for at in range(20)]
    held = taken.count(True)
    assert taken == [True] * held + [False] * (20 - held)
    assert "full" in ring.refused
    assert ring.pop() == (0, bytes(1_000))
    assert ring.put(Millis(21), b"later")
    assert [ring.pop() for _ in range(held - 1)] == [(0, bytes(1_000))] * (held - 1)
    run, data = ring.pop() or (0, b"")
    assert (run > 0, data) == (True, b"later")


def test_a_damaged_piece_is_missing(ring: Ring) -> None:
    for at in range(3):
        ring.put(Millis(at), PIECE)
    os.pwrite(ring._file, b"\0", len(PIECE) + TAG + 10)
    assert [ring.pop(), ring.pop(), ring.pop()] == [(0, PIECE), None, (0, PIECE)]


def test_a_disk_that_refuses_loses_what_comes_and_keeps_what_is_there(ring: Ring) -> None:
    """As /dev/full does: no space left."""
    assert ring.put(Millis(1), PIECE)
    good, full = os.dup(ring._file), os.open("/dev/full", os.O_RDWR)
    os.dup2(full, ring._file)
    assert not ring.put(Millis(2), PIECE)
    assert "No space left" in ring.refused
    os.dup2(good, ring._file)
    os.close(good)
    os.close(full)
    assert ring.put(Millis(3), PIECE)
    assert ring.refused == ""
    assert ring.pop() == (0, PIECE)
    assert ring.pop() == (1, PIECE)


def test_a_disk_without_room_stops_the_start_and_is_not_filled_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "posix_fallocate")
    with pytest.raises(UsageError, match=r"needs \d+ MB, and \d+ MB are free .* set less for longest_s"):
        Ring(tmp_path, 4 * shutil.disk_usage(tmp_path).total)
    assert list(tmp_path.iterdir()) == []
