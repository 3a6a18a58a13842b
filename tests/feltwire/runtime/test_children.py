"""Processes of a room under one supervisor: started again, ended in order, and what is said when one ends."""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from feltwire.runtime.children import ChildSpec, Supervisor

WAIT_S = 240.0


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[tuple[Supervisor, list[bytes]]]:
    """A supervised child that prints its pid and then repeats what it is told."""
    heard: list[bytes] = []
    program = "import os,sys\nprint(os.getpid(),flush=True)\nfor l in sys.stdin: print(l,end='',flush=True)"
    spec = ChildSpec(
        name="echo",
        argv=(sys.executable, "-c", program),
        log_file=tmp_path / "echo.log",
        talks=True,
        on_line=heard.append,
    )
    with Supervisor([spec]) as supervisor:
        yield supervisor, heard


def wait_until(fits: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not fits():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def wait_for(heard: list[bytes], count: int) -> None:
    wait_until(lambda: len(heard) >= count)


def test_a_killed_child_is_started_again_and_hears_what_it_is_told(
    echo: tuple[Supervisor, list[bytes]],
) -> None:
    supervisor, heard = echo
    wait_for(heard, 1)
    assert supervisor.kill("echo", sig=signal.SIGKILL)
    wait_for(heard, 2)
    assert heard[0] != heard[1]
    assert supervisor.starts("echo") == 2
    assert supervisor.tell("echo", b"hello")
    wait_for(heard, 3)
    assert heard[2] == b"hello\n"


def test_no_child_outlives_its_supervisor(tmp_path: Path) -> None:
    """The parent is killed with no chance to clean up; its child is gone."""
    program = f"""
import sys, time
from pathlib import Path
from feltwire.runtime.children import ChildSpec, Supervisor
sleeper = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
spec = ChildSpec(
    name="sleeper",
    argv=(sys.executable, "-c", sleeper),
    log_file=Path({str(tmp_path / "log")!r}),
    talks=True,
    on_line=lambda line: print(line.decode(), end="", flush=True),
)
with Supervisor([spec]):
    time.sleep(600)
"""
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    descriptor = os.pidfd_open(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    gone, _, _ = select.select([descriptor], [], [], WAIT_S)
    os.close(descriptor)
    assert gone


def python_child(folder: Path, program: str, *, hangs_after_s: float = 0.0) -> ChildSpec:
    return ChildSpec(
        name="child",
        argv=(sys.executable, "-c", program),
        log_file=folder / "child.log",
        first_backoff_s=0.01,
        hangs_after_s=hangs_after_s,
    )


def test_a_child_that_ends_at_once_again_and_again_is_said_with_its_last_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    program = "import sys; print('first'); sys.exit('port 8081 is in use\\n')"
    with caplog.at_level(logging.WARNING), Supervisor([python_child(tmp_path, program)]) as supervisor:
        wait_until(lambda: supervisor.starts("child") == 4)
    said = [record.getMessage() for record in caplog.records]
    assert "child ended (exit status 1)" in said[0]
    assert "in a row" not in said[0]
    assert "3 times in a row: port 8081 is in use; its log is" in said[2]


WATCHED = """
import os, signal, time
from feltwire.runtime.notify import Supervisor
supervisor = Supervisor.of_environment()
supervisor.ready()
"""


@pytest.mark.parametrize("hangs", ["time.sleep(600)", "os.kill(os.getpid(), signal.SIGSTOP)"])
def test_a_child_that_hangs_is_ended_and_started_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, hangs: str
) -> None:
    child = python_child(tmp_path, WATCHED + hangs, hangs_after_s=5.0)
    with caplog.at_level(logging.WARNING), Supervisor([child]) as supervisor:
        wait_until(lambda: supervisor.ready("child"))
        wait_until(lambda: supervisor.starts("child") == 2)
    assert "has not got on for" in caplog.text


def test_a_child_is_not_ended_for_time_in_which_the_supervisor_stood_still_too(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a laptop was closed: a minute is gone, and nobody did anything in it."""
    gone, looks = [0.0], [0]

    def monotonic() -> float:
        looks[0] += 1
        return time.monotonic() + gone[0]

    monkeypatch.setattr("feltwire.runtime.children.time", SimpleNamespace(monotonic=monotonic))
    child = python_child(tmp_path, WATCHED + "time.sleep(600)", hangs_after_s=WAIT_S * 10)
    with caplog.at_level(logging.WARNING), Supervisor([child]) as supervisor:
        wait_until(lambda: supervisor.ready("child"))
        gone[0] = WAIT_S * 20
        since = looks[0]
        wait_until(lambda: looks[0] > since + 10)
        assert supervisor.starts("child") == 1
    assert "has not got on" not in caplog.text
