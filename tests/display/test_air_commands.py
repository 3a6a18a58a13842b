"""The commands that show how a page on air looks and runs, in small shares."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, check=False)


def test_a_played_table_lays_out_seldom_and_its_memory_stays_flat() -> None:
    done = run("tests.display.air_frames", "--minutes", "3", "--speed", "30")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["flat"]
    assert found["layouts_a_picture"] < 6


def test_a_picture_of_the_gallery(tmp_path: Path) -> None:
    done = run("tests.display.air_gallery", "--only", "neon-stats", "--into", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "neon-stats.png").stat().st_size > 10_000


def test_bad_arguments_are_named() -> None:
    for arguments in (
        ("tests.display.air_frames", "--minutes", "0"),
        ("tests.display.air_gallery", "--only", "zz"),
    ):
        done = run(*arguments)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
