"""A room on a slow machine plays its hands right. More of them, and slower ones: `python -m tests.room.slow`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.room import slow


@pytest.mark.room
@pytest.mark.timeout(1800)
@pytest.mark.slow("hands on a core that is shared with a busy loop, and while camera, disk and broker stand still")
def test_a_slow_room_plays_every_hand_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "slow.json"
    asked = ["--hands", "3", "--seed", "11", "--paces", "shared,stalls", "--report", str(report), "--json"]
    assert slow.main([*asked, "--limit", "1"]) == 0
    assert slow.main([*asked, "--resume"]) == 0
    rooms = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert [room["pace"] for room in rooms] == ["shared", "shared", "stalls"]
    for room in rooms:
        assert room["hands"] >= 3, room
        assert (room["wrong"], room["lost"], room["misread"], room["restarts"]) == ([], 0, 0, 0), room
