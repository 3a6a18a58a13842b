"""The real MicroPython, as WebAssembly under Node: from npm into `var/` once."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from firmware_bridge.sim.firmware import ROOT, device_files

CACHE = ROOT / "var" / "micropython"
PACKAGE = "@micropython/micropython-webassembly-pyscript"
VERSION = "1.27.0"
_SCRIPT = Path(__file__).with_name("node") / "script.mjs"


def interpreter() -> Path:
    """The module that loads it; raise `RuntimeError` where it cannot be had."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise RuntimeError("MicroPython runs under Node here: install it (Debian: apt-get install nodejs npm)")
    found = CACHE / VERSION / "node_modules" / PACKAGE / "micropython.mjs"
    if not found.exists():
        install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(CACHE / VERSION)]
        install += ["--cache", str(CACHE / "npm")]  # a home that cannot be written to is no hindrance
        done = subprocess.run(
            [*install, f"{PACKAGE}@{VERSION}"], capture_output=True, text=True, timeout=600, check=False
        )
        if done.returncode:
            raise RuntimeError(f"npm could not install {PACKAGE} {VERSION}: {told(done.stderr)}")
    return found


def board_files(device: str) -> dict[str, Path]:
    """The files of a device and of its simulated board: path there -> file here."""
    pico = Path(__file__).with_name("pico")
    files = {f"firmware_bridge/sim/pico/{path.name}": path for path in pico.glob("*.py")}
    files["firmware_bridge/sim/__init__.py"] = ROOT / "firmware_bridge" / "__init__.py"  # an empty one
    return device_files(device) | files


def told(errors: str) -> str:
    """The end of what a process said about its end. A line of Node's may be a whole program."""
    return "\n".join(line[:200] for line in errors.splitlines()[-12:])


def run(script: Path, files: Mapping[str, Path]) -> list[str]:
    """The lines that a script prints; `files` are its own: path there -> file here. Raise `RuntimeError` where it
    fails."""
    given = [f"{name}={path}" for name, path in files.items()]
    command = ["node", str(_SCRIPT), str(interpreter()), str(script), *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise RuntimeError(told(done.stderr))
    return done.stdout.splitlines()
