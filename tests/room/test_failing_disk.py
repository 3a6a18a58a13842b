"""Disks that fail or are slow, under each process of a room: it is said at once, nothing is acknowledged that is
not saved, and the room goes on when the disk does."""

from __future__ import annotations

import errno
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.runtime.children import ChildSpec
from tests.feltwire.processes import signed_in
from tests.powercuts.shim import Disk
from tests.room.killing import judge
from tests.room.open_room import TABLE, OpenRoom

pytestmark = [
    pytest.mark.room,
    pytest.mark.slow("a real room deals hands while the disk of each process fails and is slow"),
]

NAMES = (f"table-{TABLE}", "station", "relay")


class FailingRoom:
    """A room in which the disk of each process can be made to fail."""

    def __init__(self, folder: Path) -> None:
        data = folder / "room" / "data"
        self.disks = {name: Disk(data) for name in NAMES}
        self.room = OpenRoom(folder / "room", seed=5, child=self._child)
        self.director: urllib.request.OpenerDirector

    def _child(self, spec: ChildSpec) -> ChildSpec:
        return self.disks[spec.name].under(spec) if spec.name in self.disks else spec

    def log(self, name: str) -> str:
        return (self.room.plan.folder / "log" / f"{name}.log").read_text()

    def says(self, name: str, words: str) -> None:
        """Wait until its log says it once more than it does now."""
        before = self.log(name).count(words)
        self.room.wait(lambda: self.log(name).count(words) > before, f"{name} says: {words}")

    def goes_on(self) -> None:
        hands = len(self.room.hands)
        self.room.wait(lambda: len(self.room.hands) > hands, "another hand is played")

    def last_on_screen(self) -> str:
        view = self.room.screen()
        return "" if view is None else view.last

    def waits_for_the_director(self, words: str) -> bool:
        """Whether the exception queue of the station's page says it."""
        with self.director.open(f"{self.room.plan.station_url}/api/queue", timeout=20) as answer:
            return words in answer.read().decode()


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FailingRoom]:
    failing = FailingRoom(tmp_path_factory.mktemp("failing"))
    with failing.room as room:
        failing.goes_on()
        failing.director = signed_in(room.plan.folder / "data" / "td-link")
        yield failing


@pytest.mark.timeout(900)
def test_a_disk_that_fails_or_is_slow_is_said_and_nothing_is_lost(failing: FailingRoom) -> None:
    room, table = failing.room, failing.disks[f"table-{TABLE}"]
    for fault, words in (
        (f"sync {errno.EIO}", "Nothing can be recorded: .*the disk failed .disk I/O error."),
        (f"write {errno.EIO}", "Nothing can be recorded: .*the disk failed .disk I/O error."),
        (f"write {errno.ENOSPC}", "Nothing can be recorded: .*the disk is full"),
        ("slow 3000", "Nothing can be recorded: the disk does not answer"),
    ):
        with table.failing(fault):
            room.wait(lambda words=words: re.match(words, failing.last_on_screen()), f"{fault}: {words}")
        failing.goes_on()

    station, relay = failing.disks["station"], failing.disks["relay"]
    with station.failing(f"sync {errno.EIO}"):
        room.wait(lambda: failing.waits_for_the_director("the disk failed (disk I/O error)"), "the page says it")
    with station.failing("slow 1500"):
        room.wait(lambda: failing.waits_for_the_director("disk took 2 s to record"), "the page says it")
    with relay.failing(f"sync {errno.EIO}"):
        failing.says("relay", "the disk failed (disk I/O error) and nothing was written")
    with relay.failing("slow 1500"):
        failing.says("relay", "the disk took 1.")
    failing.goes_on()
    outcome = judge(room, [])
    assert outcome.wrong == ()
    assert outcome.released > 0
    assert all(room.supervisor.starts(name) == 1 for name in NAMES)
