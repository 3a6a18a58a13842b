"""Power cuts at every operation of table, station and relay while hands are dealt: a share of
`python -m tests.powercuts`."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.powercuts.__main__ import Report, main
from tests.powercuts.record import NAMES

pytestmark = [
    pytest.mark.room,
    pytest.mark.timeout(900),
    pytest.mark.slow("a real room deals hands; its processes start from hundreds of disks"),
]


def test_every_process_starts_from_every_disk_with_all_that_it_said(tmp_path: Path) -> None:
    report = tmp_path / "powercuts.json"
    call = ["--of", ",".join(NAMES), "--hands", "1", "--limit", "100", "--report", str(report)]
    assert main([*call, "--folder", str(tmp_path / "kept")]) == 0
    found = msgspec.json.decode(report.read_bytes(), type=Report)
    assert {kind: part.done for kind, part in found.parts.items()} == dict.fromkeys(NAMES, 100)
    assert all(part.said > 100 for part in found.parts.values())


def test_cards_that_are_shown_before_their_release_is_on_the_disk_are_found(tmp_path: Path) -> None:
    call = ["--of", "relay", "--hands", "2", "--plant", "unsynced-releases", "--limit", "400"]
    assert main([*call, "--report", str(tmp_path / "report.json"), "--folder", str(tmp_path / "kept")]) == 1
