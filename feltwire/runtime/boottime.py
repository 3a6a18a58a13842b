"""Boot time, the only clock used for decisions. Wall time is an annotation with an uncertainty."""

from __future__ import annotations

import functools
import time
from datetime import UTC, datetime
from pathlib import Path

from table_core.messages import At, Millis

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_millis() -> Millis:
    """Milliseconds since this machine started, suspended time included."""
    return Millis(time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000)


@functools.cache
def boot_id() -> str:
    """Sixteen hex digits that name this boot of this machine."""
    return _BOOT_ID.read_text().strip().replace("-", "")[:16]


def at(now: Millis) -> At:
    """`now` with its boot and the wall time (uncertainty 60 s without a time service)."""
    wall = datetime.now(UTC).isoformat(timespec="milliseconds")
    return At(boot=boot_id(), ms=now, wall=wall, wall_unc_ms=60_000)
