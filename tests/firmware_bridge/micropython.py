"""MicroPython as WebAssembly under Node, from npm into `var/` once."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CACHE = ROOT / "var" / "micropython"
PACKAGE = "@micropython/micropython-webassembly-pyscript"
VERSION = "1.27.0"


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
            raise RuntimeError(f"npm could not install {PACKAGE} {VERSION}: {done.stderr[-500:]}")
    return found


def run(script: Path, files: Mapping[str, Path]) -> list[str]:
    """The lines that a script prints; `files` are its own: path there -> file here. Raise `RuntimeError` for one
    that fails."""
    given = [f"{name}={path}" for name, path in files.items()]
    command = ["node", str(HERE / "micropython.mjs"), str(interpreter()), str(script), *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=ROOT)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return done.stdout.splitlines()
