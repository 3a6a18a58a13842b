"""A thousand connections that say nothing, against a process with as many descriptors as a shell gives."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.display.raw import connect, get
from tests.feltwire.processes import Process, clock_settings, table_settings
from tests.ports import free_port

DESCRIPTORS = 1024  # what a service or a shell has by default
MOST_LOGGED = 20_000  # bytes


@pytest.fixture(autouse=True)
def _room_for_a_crowd() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, before[1]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@contextlib.contextmanager
def crowd(port: int, count: int, *sources: str) -> Iterator[None]:
    with contextlib.ExitStack() as held:
        for number in range(count):
            held.enter_context(contextlib.closing(connect(port, sources[number % len(sources)])))
        yield


@pytest.mark.parametrize(
    "sources", [("127.0.0.1",), ("127.0.0.2",), ("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5")], ids=len
)
def test_a_table_in_a_flood_keeps_its_screen_its_descriptors_and_its_disk(
    tmp_path: Path, sources: tuple[str, ...]
) -> None:
    port = free_port()
    settings = table_settings(tmp_path, '[broker]\nurl = "mqtt://127.0.0.1:1"\n', port)
    table = Process("table", tmp_path, port, settings)
    table.descriptors = DESCRIPTORS
    with table:
        table.shows("table/01", lambda view: True)
        with crowd(port, 1100, *sources):
            for source in ("127.0.0.1", "127.0.0.9"):
                assert get(port, "/table/01", source=source)[0] == 200, source
            held = len(os.listdir(f"/proc/{table.pid}/fd"))
            assert held < DESCRIPTORS - 300, "descriptors are left for serial lines, ledger and broker"
            assert get(port, "/static/shared/base.css")[0] == 200
        assert table.log.stat().st_size < MOST_LOGGED


def test_a_process_without_a_descriptor_left_says_so_once_and_is_there_again(tmp_path: Path) -> None:
    """Whatever else took them: it neither spins nor fills the disk, and serves when there are some again."""
    port = free_port()
    clock = Process("clock", tmp_path, port, clock_settings("mqtt://127.0.0.1:1", port))
    with clock:
        while True:
            with contextlib.suppress(ConnectionError):
                if get(port, "/clock")[0] == 200:
                    break
        taken = len(os.listdir(f"/proc/{clock.pid}/fd"))
        before = resource.prlimit(clock.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(clock.pid, resource.RLIMIT_NOFILE, (taken, before[1]))
        with crowd(port, 50, "127.0.0.2"):
            clock.says("no connection can be taken")
        resource.prlimit(clock.pid, resource.RLIMIT_NOFILE, before)
        assert get(port, "/clock")[0] == 200
        assert clock.log.stat().st_size < MOST_LOGGED
