"""A share of `python -m tests.room.versions`: one of the 24 orders in which a room is upgraded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.room.versions import BEFORE, ROOT, Report

pytestmark = pytest.mark.mosquitto


@pytest.mark.slow("four processes are started thirteen times, and the earlier ones are named after half a minute")
def test_a_room_is_upgraded_one_machine_at_a_time_and_goes_back_with_no_event_lost(tmp_path: Path) -> None:
    known = subprocess.run(["git", "-C", ROOT, "cat-file", "-e", BEFORE], capture_output=True)
    if known.returncode:
        pytest.skip(f"this copy has no history of git in which {BEFORE} lies")
    report = tmp_path / "report.json"
    call = [sys.executable, "-m", "tests.room.versions", "--shard", "7/24", "--report", str(report)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2_000:]
    said = msgspec.json.decode(report.read_bytes(), type=Report)
    assert (said.stories, said.findings, said.steps) == (["table, station, clock, relay"], [], 13)
