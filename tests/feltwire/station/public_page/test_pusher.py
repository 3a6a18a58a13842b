"""The public page on a real disk and through real commands: what fails is said and tried again."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from feltwire.config import PublicPageConfig
from feltwire.station.public_page.pusher import PagePusher, Place
from feltwire.station.station_io import PublicPageMade, PublicPageSeen
from tests.display.public_room import PEOPLE, PublicRoom
from tests.waiting import until

SOON_S = 20


@cache
def page() -> PublicPageMade:
    room = PublicRoom()
    room.begin(*PEOPLE)
    return room.newest()


class Pushed:
    """A pusher with what it said."""

    def __init__(self, folder: Path, *command: str, limit_s: int = 60, own: Path | None = None) -> None:
        self.said: queue.Queue[PublicPageSeen] = queue.Queue()
        config = PublicPageConfig(folder=str(folder) if own is None else "", command=command, limit_s=limit_s)
        self.pusher = PagePusher(Place(config, own or folder, "The Felt Club", ""), self.said.put, pause_s=0.05)

    def why(self) -> str:
        return self.said.get(timeout=SOON_S).why

    def until_well(self) -> None:
        while self.why():
            pass


@contextmanager
def pushed(folder: Path, *command: str, limit_s: int = 60, own: Path | None = None) -> Iterator[Pushed]:
    made = Pushed(folder, *command, limit_s=limit_s, own=own)
    try:
        yield made
    finally:
        made.pusher.close()


def test_files_are_there_for_everybody_to_read_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        with pushed(tmp_path / "srv" / "site") as it:
            it.pusher.take(page())
            assert it.why() == ""
    finally:
        os.umask(before)
    site = tmp_path / "srv" / "site"
    assert "A.B. 2" in (site / "index.html").read_text()
    for path in site.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o755 if path.is_dir() else 0o644), path
    assert {"look.css", "live.json", "static/public/public.css", "static/shared/fonts"} <= {
        str(path.relative_to(site)) for path in site.rglob("*")
    }


def test_a_file_that_did_not_change_is_not_written_again(tmp_path: Path) -> None:
    with pushed(tmp_path) as it:
        it.pusher.take(page())
        assert it.why() == ""
        before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
        it.pusher.take(page())
        assert it.why() == ""
        assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
        (tmp_path / "index.html").unlink()
        it.pusher.take(page())
        assert it.why() == ""
        assert (tmp_path / "index.html").exists()


def test_a_full_disk_is_said_and_leaves_whole_files_and_is_over_once_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk], check=False)
    if mounted.returncode:
        pytest.skip("no right to mount a small disk")
    try:
        filler = disk / "others"
        filler.write_bytes(b"x" * 300_000)
        with pushed(disk / "site") as it:
            it.pusher.take(page())
            assert "No space left on device" in it.why()
            assert not list(disk.rglob("*.feltwire-new"))
            filler.unlink()
            it.until_well()
        assert "A.B. 2" in (disk / "site" / "index.html").read_text()
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_folder_that_cannot_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pushed(tmp_path / "file" / "site") as it:
        it.pusher.take(page())
        assert "Not a directory" in it.why()


def test_a_command_gets_the_folder_and_its_failure_is_said_by_its_last_words(tmp_path: Path) -> None:
    there = tmp_path / "there"
    copy = f"import shutil; shutil.copytree(sys.argv[1], {str(there)!r}, dirs_exist_ok=True)"
    fails = tmp_path / "fails"
    fails.touch()
    words = f"import sys, os; os.path.exists({str(fails)!r}) and sys.exit('one\\nhost web: no route')"
    with pushed(tmp_path, sys.executable, "-c", f"{words}; {copy}", "{folder}", own=tmp_path / "public") as it:
        it.pusher.take(page())
        assert it.why().startswith(f"The command {sys.executable} failed with status 1: host web: no route.")
        fails.unlink()
        it.until_well()
    assert (there / "index.html").read_text() == (tmp_path / "public" / "index.html").read_text()


def test_a_command_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pushed(tmp_path, "/no/such/program") as it:
        it.pusher.take(page())
        assert "does not begin: No such file or directory" in it.why()


def test_a_command_that_hangs_is_ended_with_its_children_and_the_next_page_goes_on(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    hangs = tmp_path / "hangs"
    hangs.touch()
    script = f'[ -e {hangs} ] || exit 0; trap "" TERM; sleep 600 & echo $$ $! > {pids}; sleep 600'
    with pushed(tmp_path / "site", "/bin/sh", "-c", script, limit_s=1) as it:
        it.pusher.take(page())
        assert "took longer than 1 s and was ended" in it.why()
        hangs.unlink()
        it.until_well()
    until(lambda: not any(is_alive(int(pid)) for pid in pids.read_text().split()), "all ended")


def test_the_station_ends_while_a_command_hangs(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with pushed(tmp_path / "site", "/bin/sh", "-c", f"echo $$ > {pids}; sleep 600") as it:
        it.pusher.take(page())
        until(lambda: pids.exists() and pids.read_text().strip() != "", "the command")
    until(lambda: not is_alive(int(pids.read_text())), "its end")


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_killed_in_between_every_file_is_whole_and_the_next_start_goes_on(tmp_path: Path) -> None:
    """Whoever reads meanwhile, and after each kill, finds whole pages."""
    site = tmp_path / "site"
    writer = f"""
from pathlib import Path
from dataclasses import replace
from tests.feltwire.station.public_page.test_pusher import page, pushed
with pushed(Path({str(site)!r})) as it:
    made, no = page(), 0
    while True:
        no += 1
        it.pusher.take(replace(made, wall=made.wall + no * 60_000))
        it.why()
        print(no, flush=True)
"""
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", writer], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            for _ in range(40):
                assert_whole(site)
            process.send_signal(signal.SIGKILL)
        assert_whole(site)
    with pushed(site) as it:
        it.pusher.take(page())
        assert it.why() == ""
    assert not list(site.rglob("*.feltwire-new"))
    shutil.rmtree(site)


def assert_whole(site: Path) -> None:
    for name in ("index.html", "results.de.html", "season.es.html"):
        assert (site / name).read_text().rstrip().endswith("</html>")
