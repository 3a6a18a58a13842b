"""`python -m tests.room.venue.can_boot`: whether this machine lets containers of systemd-nspawn run.

Exit status: 0 it does; 1 it does not, and the reason is printed. A container in which the tests run may lack the
rights, and the proofs that boot machines of their own are left out there, in words.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.room.venue.machines import INSIDE, inside


def main() -> int:
    if INSIDE not in os.environ:
        if os.geteuid() != 0:
            print("machines of their own: need root")
            return 1
        with tempfile.TemporaryDirectory() as folder:
            return inside("tests.room.venue.can_boot", (), folder)
    folder = Path(os.environ[INSIDE])
    disk = folder / "disk"
    steps = (
        ["mount", "-t", "tmpfs", "tmpfs", str(folder)],
        ["mkdir", str(disk), str(folder / "upper"), str(folder / "work")],
        [
            "mount",
            "-t",
            "overlay",
            "overlay",
            "-o",
            f"lowerdir=/,upperdir={folder}/upper,workdir={folder}/work",
            str(disk),
        ],
        [
            "systemd-nspawn",
            "-q",
            "--register=no",
            "--keep-unit",
            "--private-network",
            "-D",
            str(disk),
            "/bin/true",
        ],
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"machines of their own: {step[0]} is not allowed here: {done.stderr.strip()[:300]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
