"""`python -m tests.display.station.jobs`: the director's jobs, each from a cold page in a browser.

The station is the real one: its node, its web server, tables behind it; their wires and the disk are in memory.
Each job is done by mouse (1366x768), by keys alone, and by touch (390x844). A line has the steps (`hands.py` says
what a step is), the presses that the station refused, the seconds of a hand that does not think, and whether the
station's state is then right. `*` marks more steps than the job may take.
Exit status: 0 every job ended right, 1 one did not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import Error as PageError

from tests.display.station.jobs.hands import HANDS, sizes
from tests.display.station.jobs.jobs import JOBS, Job
from tests.display.station.jobs.served import served
from tests.job_runs import holds, run, steps_text


def main(argv: Sequence[str] | None = None) -> int:
    heading = f"{'job':24}{'way':10}{'steps':>6}{'wrong':>7}{'seconds':>9}  ended right"
    return run(argv, "python -m tests.display.station.jobs", heading, JOBS, [*HANDS], done, steps_text)


def done(browser: Browser, job: Job, way: str) -> dict[str, Any]:
    """One job in a room of its own, from a cold page."""
    with served(job.room()) as (station, url, link):
        fresh = job.only_looks or not station.holds(job.right)
        context = browser.new_context(**sizes(way))
        page = context.new_page()
        page.goto(url + link)
        page.goto(f"{url}/station")
        page.locator("#left").filter(has_text=":").wait_for()
        hand, began, why = HANDS[way](page), time.monotonic(), ""
        try:
            job.do(hand)
        except (AssertionError, PageError) as error:
            why = str(error).partition("\n")[0]
        right = fresh and not why and holds(lambda: station.holds(job.right))
        seconds = time.monotonic() - began
        context.close()
    few = not job.most or hand.steps <= job.most
    line = {"job": job.name, "way": way, "steps": hand.steps, "few": few, "wrong": hand.refused}
    return line | {"seconds": round(seconds, 1), "right": right, "why": why}


if __name__ == "__main__":
    sys.exit(main())
