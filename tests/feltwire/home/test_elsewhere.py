"""On a system that lacks modules of Linux: `feltwire home` says so instead of failing at an import."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import getpass, subprocess, sys, sysconfig, webbrowser, zoneinfo
import serial, zeroconf  # they have modules of their own for each system
sysconfig.get_config_vars()

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in MISSING:
            raise ModuleNotFoundError(name)

MISSING = ("fcntl", "grp", "pwd", "resource", "termios")
for name in MISSING:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
sys.platform = "win32"
from feltwire.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_without_the_modules_that_windows_lacks_it_says_that_a_room_needs_linux() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT, "home"], capture_output=True, text=True, check=False)
    assert done.stderr == (
        "feltwire home: a room needs Linux, and this is win32: open it on another machine of the network\n"
    )
    assert done.returncode == 2


@pytest.mark.parametrize("command", ["rules", "equity", "scenario", "plan", "rulebook", "players"])
def test_commands_that_touch_no_room_load_there(command: str) -> None:
    argv = [sys.executable, "-c", SCRIPT, command, "--help"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
