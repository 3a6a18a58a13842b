"""`python -m tests.room.venue.can_boot`: whether machines of their own boot here (`machines.py`).

Exit status: 0 they do; 1 they do not, and the reason is printed. A container in which the tests run may lack the
rights, and the proofs that boot machines are left out there, in words.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.room.venue.machines import INSIDE, Room, inside


def main() -> int:
    if INSIDE not in os.environ:
        if os.geteuid() != 0:
            print("machines of their own: need root")
            return 1
        with tempfile.TemporaryDirectory() as folder:
            return inside("tests.room.venue.can_boot", (), folder)
    try:
        room = Room(Path(os.environ[INSIDE]), ["probe"])  # boots it, and waits until it is up
        room["probe"].run("systemctl is-active dbus.socket")
    except (AssertionError, OSError, StopIteration, subprocess.SubprocessError) as error:
        print(f"machines of their own do not boot here: {str(error).strip()[-300:]}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
