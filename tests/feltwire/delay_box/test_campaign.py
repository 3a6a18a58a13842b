"""A share of `python -m tests.delay_box`: nothing comes out early, and the run would notice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.delay_box.campaign import HOUR_MS, PLANTED, Report, play


@pytest.mark.parametrize("number", [101, 102])
def test_half_an_hour_in_which_everything_fails(number: int, tmp_path: Path) -> None:
    report = Report(1, 1, "1/1")
    play(report, number, tmp_path, HOUR_MS // 2)
    assert report.findings == []
    assert (report.early, report.late) == (0, 0)
    assert report.pictures > 1_000


@pytest.mark.parametrize("name", PLANTED)
def test_the_run_finds_a_planted_fault(name: str, tmp_path: Path) -> None:
    report = Report(1, 1, "1/1")
    with PLANTED[name]():
        play(report, 0, tmp_path, HOUR_MS)
    assert report.findings


IN_A_SMALL_TMPFS = """
import sys
from pathlib import Path
from feltwire.delay_box.ring import Ring
from feltwire.errors import UsageError
from table_core.messages import Millis
folder = Path(sys.argv[1])
ring = Ring(folder, 600_000)
try:
    Ring(folder, 600_000)
except UsageError as error:
    print(error)
(folder / "other").write_bytes(bytes(300_000))
print(sum(ring.put(Millis(at), bytes(1_000)) for at in range(700)), ring.refused)
print(len([ring.pop() for _ in range(580)]), ring.lost)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a small disk")
def test_a_small_disk_that_somebody_else_fills(tmp_path: Path) -> None:
    """The ring has its room from the start, so others take none of it; a second one does not start."""
    mount = f"mount -t tmpfs -o size=1m none {tmp_path} && exec {sys.executable} - {tmp_path}"
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", mount], input=IN_A_SMALL_TMPFS.encode(), capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()
    refused, kept, out = done.stdout.decode().splitlines()
    assert "the video that waits needs 0 MB" in refused
    assert kept.startswith("590 it is full")
    assert out == "580 110"
