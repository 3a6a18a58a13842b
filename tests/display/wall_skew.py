"""`python -m tests.display.wall_skew`: how far apart two screens sound the same level.

A broker, a station and two wall clocks as processes of their own, and two browsers, one at each clock. The
station's levels last seconds; the start of each sound is taken where the browser hands it to the device.
`--levels 10` is how many are compared; `--with-station` puts the second browser at the station itself.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests import chromium
from tests.display.conftest import PATIENCE_S
from tests.display.wall_heard import heard, listening, turn_on
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, clock_settings, station_settings
from tests.ports import free_port

SECONDS = 6.0  # of a level


def walls(folder: Path, broker: str) -> tuple[Process, Process]:
    """Two wall clocks of the venue."""
    found = []
    for name in ("hall", "bar"):
        (at := folder / name).mkdir()
        port = free_port()
        found.append(Process("clock", at, port, f'name = "{name}"\n{clock_settings(broker, port)}'))
    return found[0], found[1]


def apart_ms(levels: int, *, with_station: bool = False) -> list[float]:
    """Of each level, how long one screen sounded it after the other."""
    with tempfile.TemporaryDirectory() as temporary, Mosquitto(folder := Path(temporary)) as broker:
        settings = station_settings(folder, broker.url, port := free_port(), minutes=SECONDS / 60, levels=300)
        station, (one, other) = Process("station", folder, port, settings), walls(folder, broker.url)
        with station, one, other, sync_playwright() as playwright:
            one.shows("clock", lambda clock: clock["running"])
            other.shows("clock", lambda clock: clock["running"])
            pages = []
            for process in (one, station if with_station else other):
                browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
                page = listening(browser.new_context())
                page.set_default_timeout(PATIENCE_S * 1000)
                page.goto(f"http://127.0.0.1:{process.port}/clock")
                turn_on(page)
                pages.append(page)
            times = [[one["wall"] for one in heard(page, levels + 2)][1:] for page in pages]
            for page in pages:
                page.context.browser.close()  # type: ignore[union-attr]
    return [min((a - b for b in times[1]), key=abs) for a in times[0][1:]]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", type=int, default=10)
    parser.add_argument("--with-station", action="store_true")
    args = parser.parse_args(arguments)
    found = sorted(abs(one) for one in apart_ms(args.levels, with_station=args.with_station))
    print(f"{len(found)} levels: median {statistics.median(found):.1f} ms apart, the most {found[-1]:.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
