"""A table whose disk fills up in mid-hand says so on the dealer screen, and goes on when there is space again."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.lab.demo.room import RoomPlan
from tests.room.killing import judge
from tests.room.moments import MOMENTS
from tests.room.open_room import TABLE, OpenRoom

pytestmark = [
    pytest.mark.room,
    pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root"),
    pytest.mark.slow("a real room deals three hands; its table starts twice and waits for space"),
]

STUCK = "Nothing can be recorded"
TABLE_PROCESS = f"table-{TABLE}"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Two megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "feltwire-test", str(disk)]
    if subprocess.run(mount, check=False).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def on(disk: Path, plan: RoomPlan) -> None:
    """The table's data folder is `disk`; who reads the ledgers finds it where it usually is."""
    config = plan.folder / f"table-{TABLE}.toml"
    text = config.read_text()
    assert str(plan.folder / "data") in text
    config.write_text(text.replace(str(plan.folder / "data"), str(disk)))
    (plan.folder / "data" / f"table-{TABLE}.ledger").symlink_to(disk / f"table-{TABLE}.ledger")


def fill(disk: Path) -> Path:
    """Write until nothing more fits."""
    ballast = disk / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1024))
    return ballast


def says_stuck(room: OpenRoom) -> bool:
    view = room.screen()
    return view is not None and view.last.startswith(STUCK)


def in_mid_hand(room: OpenRoom) -> bool:
    room.ledger.look()
    return MOMENTS["betting"](room.ledger.projection, room.ledger.state)


def test_a_full_disk_is_said_survives_a_kill_and_loses_nothing(tmp_path: Path, small_disk: Path) -> None:
    with OpenRoom(tmp_path / "room", seed=4, prepare=lambda plan: on(small_disk, plan)) as room:
        room.wait(lambda: room.hands and in_mid_hand(room), "the second hand is being bet")
        ballast = fill(small_disk)
        room.wait(lambda: says_stuck(room), "the dealer screen says that the disk is full")
        room.wait(room.ledger.look, "its ledger can be read")
        stopped_at = room.ledger.projection.seq

        killed = room.supervisor.starts(TABLE_PROCESS)
        assert room.supervisor.kill(TABLE_PROCESS, sig=signal.SIGKILL)
        room.wait(lambda: room.supervisor.starts(TABLE_PROCESS) > killed, "the table is started again")
        room.wait(lambda: says_stuck(room), "started again, it says so again")
        room.wait(room.ledger.look, "its ledger can be read")
        assert room.ledger.projection.seq == stopped_at

        ballast.unlink()
        outcome = judge(room, [])
    assert outcome.wrong == ()
    assert outcome.hands >= 2
    assert not any(hand.counts for hand in room.hands)
