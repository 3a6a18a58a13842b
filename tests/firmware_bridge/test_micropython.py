"""The files that devices run, under real MicroPython: they must do there what they do here."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CACHE = ROOT / "var" / "micropython"
PACKAGE = "@micropython/micropython-webassembly-pyscript"
VERSION = "1.27.0"
SHARED = ("__init__", "frames", "payloads", "report_log", "device", "debounce")


@pytest.fixture(scope="module")
def interpreter() -> Path:
    """MicroPython as WebAssembly, from npm into `var/` once."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.fail("MicroPython runs under Node here: install it (Debian: apt-get install nodejs npm)")
    found = CACHE / VERSION / "node_modules" / PACKAGE / "micropython.mjs"
    if not found.exists():
        install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(CACHE / VERSION)]
        install += ["--cache", str(CACHE / "npm")]  # a home that cannot be written to is no hindrance
        done = subprocess.run(
            [*install, f"{PACKAGE}@{VERSION}"], capture_output=True, text=True, timeout=600, check=False
        )
        if done.returncode:
            pytest.fail(f"npm could not install {PACKAGE} {VERSION}: {done.stderr[-500:]}")
    return found


def under_micropython(interpreter: Path, script: str, **more: Path) -> list[str]:
    files = {f"firmware_bridge/{name}.py": ROOT / "firmware_bridge" / f"{name}.py" for name in SHARED}
    files |= {f"{name}.py": path for name, path in more.items()}
    given = [f"{name}={path}" for name, path in files.items()]
    runner = HERE / "micropython.mjs"
    return _lines(["node", str(runner), str(interpreter), str(HERE / "exercises" / script), *given])


def under_cpython(script: str) -> list[str]:
    return _lines([sys.executable, str(HERE / "exercises" / script)])


@pytest.mark.parametrize("script", ["frames.py", "device.py"])
def test_micropython_and_cpython_agree_line_by_line(interpreter: Path, script: str) -> None:
    here = under_cpython(script)
    assert len(here) > 20
    assert under_micropython(interpreter, script) == here


def test_the_keypads_firmware_makes_a_frame_of_a_bouncing_press_and_repeats_it(interpreter: Path) -> None:
    main = ROOT / "hardware" / "firmware" / "keypad" / "main.py"
    assert under_micropython(interpreter, "keypad.py", main=main) == [
        "greets: 1 feltwire-keypad 1.1",
        "greets: 2 38",
        "before it has settled: []",
        "then: [(16, 2, '1004000000')]",
        "again: [(16, 2)]",
        "acknowledged: [] lamp: 1",
        "ticks: True",
    ]


def _lines(command: list[str]) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()
