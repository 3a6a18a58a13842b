"""No thread of a process ends on an exception unseen: it is said, counted, and begins again, or its process
ends."""

from __future__ import annotations

import logging
import re
import subprocess
import threading
from pathlib import Path

import pytest

from supervised.thread import SupervisedThread, guarded
from tests.feltwire.processes import PATIENCE_S, Process, table_settings
from tests.house import PACKAGES, ROOT, in_venue
from tests.ports import free_port

SECRET = "a shoe's bytes"
BASE = "supervised/thread.py"
STARTS_A_THREAD = re.compile(
    r"threading\.(Thread|Timer)\b|from threading import .*(Thread|Timer)\b|ThreadPoolExecutor|start_new_thread"
)


def test_every_thread_of_a_venue_is_a_supervised_one() -> None:
    files = [path for folder in PACKAGES for path in sorted((ROOT / folder).rglob("*.py"))]
    names = {path.relative_to(ROOT).as_posix(): path for path in files}
    starts = {name for name, path in names.items() if STARTS_A_THREAD.search(path.read_text())}
    assert {name for name in starts if in_venue(name)} == {BASE}


def test_what_raises_is_counted_told_and_begins_again_and_the_log_has_not_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told, runs, stopping = [], [], threading.Event()

    def run() -> None:
        runs.append(1)
        if len(runs) < 4:
            raise (ValueError(SECRET), SystemExit(SECRET), KeyboardInterrupt(SECRET))[len(runs) - 1]

    def failed() -> None:
        told.append(thread.faults)
        raise RuntimeError(SECRET)

    thread = SupervisedThread(run, "link-shoe", stopping=stopping, failed=failed, first_pause_s=0)
    thread.start()
    thread.join(PATIENCE_S)
    assert (len(runs), told, thread.faults, thread.is_alive()) == (4, [1, 2, 3], 3, False)
    assert "thread link-shoe, fault 3; it begins again: KeyboardInterrupt" in caplog.text
    assert "in run" in caplog.text
    assert SECRET not in caplog.text


def test_one_that_is_stopped_does_not_begin_again() -> None:
    stopping, failed = threading.Event(), threading.Event()
    thread = SupervisedThread(
        lambda: 1 / 0, "disk", stopping=stopping, failed=failed.set, first_pause_s=PATIENCE_S
    )
    thread.start()
    assert failed.wait(PATIENCE_S)
    stopping.set()
    thread.join(PATIENCE_S)
    assert (thread.faults, thread.is_alive()) == (1, False)


def test_what_is_called_from_anothers_thread_ends_none(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    lost = threading.Event()

    def pressed(pin: int) -> None:
        raise ValueError(f"{SECRET} {pin}")

    guarded(pressed, "GPIO5", lost.set)(5)
    assert lost.is_set()
    assert SECRET not in caplog.text
    assert "GPIO5, called from another's thread: ValueError" in caplog.text


THEIRS = f'''
import threading
class Shoe:
    counts = None
    def __init__(self, settings, listener):
        self.listener = listener
    def start(self):
        from table_core.messages import DeviceState
        self.listener.state(DeviceState.OK, "a shoe of somebody else's")
        threading.Thread(target=self.read, daemon=True).start()
    def read(self):
        raise ValueError("{SECRET}")
    def stop(self): pass
    def acknowledge(self, boot, seq): pass
'''
PROGRAM = "import sys; sys.path.insert(0, sys.argv.pop(1)); from feltwire.cli import main; sys.exit(main())"


@pytest.mark.room
def test_where_the_thread_of_somebody_elses_driver_ends_the_process_ends_and_says_where(tmp_path: Path) -> None:
    """Its state would stay "ok" for ever. systemd starts the process again."""
    package = tmp_path / "packages"
    (package / "theirs-1.dist-info").mkdir(parents=True)
    (package / "theirs.py").write_text(THEIRS)
    (package / "theirs-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n")
    (package / "theirs-1.dist-info" / "entry_points.txt").write_text("[feltwire.shoes]\ntheirs = theirs:Shoe\n")
    port = free_port()
    broker = '[shoe]\nport = "x"\ndriver = "theirs"\n[broker]\nurl = "mqtt://127.0.0.1:9"\n'
    process = Process("table", tmp_path, port, table_settings(tmp_path, broker, port))
    process.started_with = lambda argv: (argv[0], "-c", PROGRAM, str(package), *argv[argv.index("table") :])
    process.start()
    try:
        status = process._process.wait(PATIENCE_S) if process._process is not None else None
    except subprocess.TimeoutExpired:
        status = None
    finally:
        process.kill()
    log = process.log.read_text()
    assert status == 1, log
    assert "in read" in log
    assert SECRET not in log.replace(f'raise ValueError("{SECRET}")', ""), "the line of code may be named"
