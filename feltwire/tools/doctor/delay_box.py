"""The delay box: its program, its addresses, its slate, the room for its ring, and its delay."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from feltwire.config import DelayConfig
from feltwire.delay_box.process import check_settings, slate_of
from feltwire.relay.on_air.air_delay import air_delay, air_floor, parse_delay
from feltwire.tools.doctor.findings import Finding, look, refusing, well, wrong


def check(config: DelayConfig) -> Iterator[Finding]:
    with refusing("video"):
        check_settings(config)
        slate_of(config)
    yield well("video", "ffmpeg is there; source, output and slate can be used.")
    needed, free = config.ring_bytes // 1_000_000, shutil.disk_usage(Path(config.data)).free // 1_000_000
    if needed > free:
        do = "Set less for longest_s or most_mbit_s, or make room."
        yield wrong("ring", f"It needs {needed:,} MB, and {free:,} MB are free.", do)
    else:
        yield well("ring", f"It has room on the disk: {needed:,} MB.")
    floor = air_floor(config.air_floor_s, "") if parse_delay(config.air_floor_s) is not None else None
    delay = air_delay(config.air_delay_s, floor)
    if floor is None or delay is None:
        do = "Set air_floor_s and air_delay_s to plain numbers of seconds, in quotes."
        yield look("delay", "No picture goes out.", do)
    else:
        follows = "" if config.air_delay_s.strip() else "; the relay says how much more"
        yield well("delay", f"A picture goes out after {delay / 1_000:g} seconds at the earliest{follows}.")
