"""How many threads a table with a camera has: those of OpenCV would wait for each other, busily."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.feltwire.processes import Process, table_settings
from tests.feltwire.table.test_peeking import FLOP, NO_BROKER, Viewer, camera_on_hidden_cards
from tests.ports import free_port

OPENCV_WOULD = 90  # far more than all other threads of a table


def test_a_table_looks_with_one_thread_of_opencv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENCV_FOR_THREADS_NUM", str(OPENCV_WOULD))  # as a machine with so many cores has it
    port = free_port()
    settings = table_settings(tmp_path, NO_BROKER, port) + camera_on_hidden_cards(tmp_path)
    with Process("table", tmp_path, port, f"show_sensed = true\n{settings}") as table:
        Viewer(table)
        table.shows("sensed/01", lambda view: any(zone["cards"] == list(FLOP) for zone in view["zones"]))
        threads = len(list(Path(f"/proc/{table.pid}/task").iterdir()))
    assert threads < OPENCV_WOULD
