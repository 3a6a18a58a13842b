"""What can be measured of the machine under a process: temperature, supply, disk, clock, clock chip.

Nothing here needs a privilege; what a machine does not have is None. `vcgencmd` is the Raspberry Pi's own command.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from supervised.thread import SupervisedThread, where
from table_core.messages import ClockSetting, MachineReadings

log = logging.getLogger(__name__)

PROGRAM_MADE_S = 1_764_000_000  # a wall clock that shows an earlier time was never set
EVERY_S = 10.0
_SYSTEM = Path("/")
_SYNCHRONISED = "run/systemd/timesync/synchronized"
_PATIENCE_S = 2.0


def readings(data: str | Path, system: Path = _SYSTEM) -> MachineReadings:
    """`data`: a folder on the disk that matters; `system`: where /sys and /run are."""
    free, read_only = _disk(Path(data))
    chip, off = _chip(system)
    return MachineReadings(
        celsius=_celsius(system),
        throttled=_throttled(),
        disk_free_mb=free,
        disk_read_only=read_only,
        clock=_clock(system),
        clock_chip=chip,
        chip_off_s=off,
    )


class Regularly:
    """Calls `do` at once and then each `every_s` seconds in a thread of its own, until `close`."""

    def __init__(self, do: Callable[[], object], name: str, every_s: float = EVERY_S) -> None:
        self._do = do
        self._every_s = every_s
        self._stopping = threading.Event()
        self._thread = SupervisedThread(self._run, name, stopping=self._stopping)
        self._thread.start()

    def close(self) -> None:
        self._stopping.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._do()
            except Exception as error:  # noqa: BLE001  (one look that fails must not end the looking)
                log.error("%s: %s", self._thread.name, where(error))
            self._stopping.wait(self._every_s)


def _celsius(system: Path) -> int | None:
    found = re.search(r"temp=(-?\d+)", _vcgencmd("measure_temp"))
    if found:
        return int(found[1])
    try:
        model = (system / "proc/device-tree/model").read_text()
        heat = int((system / "sys/class/thermal/thermal_zone0/temp").read_text()) // 1_000
    except (OSError, ValueError):
        return None
    return heat if "Raspberry Pi" in model else None  # other makes may be as hot as they like


def _throttled() -> int | None:
    found = re.search(r"throttled=0x([0-9a-fA-F]{1,8})", _vcgencmd("get_throttled"))
    return int(found[1], 16) if found else None


def _vcgencmd(what: str) -> str:
    try:
        done = subprocess.run(["vcgencmd", what], capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return ""
    return done.stdout


def _disk(folder: Path) -> tuple[int | None, bool]:
    try:
        found = os.statvfs(folder)
    except OSError:
        return None, False
    return found.f_bavail * found.f_frsize // 1_000_000, bool(found.f_flag & os.ST_RDONLY)


def _clock(system: Path) -> ClockSetting:
    if time.time() < PROGRAM_MADE_S:
        return ClockSetting.UNSET
    return ClockSetting.SYNCHRONISED if (system / _SYNCHRONISED).exists() else ClockSetting.SET


def _chip(system: Path) -> tuple[bool, int | None]:
    """Whether there is a clock chip, and by how many seconds it is ahead of the machine's clock."""
    try:
        return True, int((system / "sys/class/rtc/rtc0/since_epoch").read_text()) - int(time.time())
    except (OSError, ValueError):
        return (system / "sys/class/rtc/rtc0").exists(), None
