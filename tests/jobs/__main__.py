"""`python -m tests.jobs`: ten jobs of a dealer, at a table process of its own, by touch, keyboard and keypad.

    python -m tests.jobs                                    # every job, every way
    python -m tests.jobs --job "split pot" --way 800x480    # one of them
    python -m tests.jobs --json jobs.json --resume          # goes on where it was ended

By touch at four sizes, by the keyboard beside a screen, by the bytes of a keypad with seat keys. A line has the
presses of each part of the job without the digits of amounts, the digits, the seconds of a hand that does not
think, and whether the record is right. `*` marks a part of more than three presses.
Exit status: 0 every job ended right, 1 one did not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import Error as PageError

from tests.job_runs import run
from tests.jobs.jobs import JOBS, MOST, Job
from tests.jobs.table import JobTable
from tests.jobs.ways import PATIENCE_MS, SIZES, Keyboard, Keypad, Touch, Way

WAYS = (*SIZES, "keyboard", "keypad")
PHONE = 500  # pixels: narrower is a phone


def main(argv: Sequence[str] | None = None) -> int:
    heading = f"{'job':26}{'way':10}{'presses':>9}{'digits':>8}{'seconds':>9}  ended right"
    return run(argv, "python -m tests.jobs", heading, JOBS, WAYS, done, text_of)


@contextmanager
def way_to(browser: Browser, table: JobTable, way: str) -> Iterator[Way]:
    """The dealer's hands at this table."""
    if way == "keypad":
        assert table.keypad is not None
        yield Keypad(table.keypad)
        return
    width, height = SIZES.get(way, SIZES["1366x768"])
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=way in SIZES, is_mobile=width < PHONE
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(table.new_link())
    page.goto(table.page_url)
    page.get_by_role("button", name="Seat 1, ").wait_for()
    yield Touch(page) if way in SIZES else Keyboard(page)
    context.close()


def done(browser: Browser, job: Job, way: str) -> dict[str, Any]:
    """One job at a table of its own."""
    parts, digits, seconds, right, why = list[int](), 0, 0.0, True, ""
    with JobTable(job.stacks, with_keypad=way == "keypad") as table, way_to(browser, table, way) as hand:
        for part in job.parts:
            part.before(table)
            fresh, began, presses = not part.right(table.view), time.monotonic(), hand.presses
            try:
                part.do(hand)
            except (AssertionError, PageError) as error:
                why = str(error).partition("\n")[0]
            right = right and fresh and not why and table.shows(part.right)
            seconds += time.monotonic() - began
            parts.append(hand.presses - presses)
            if not right:
                why = why or f"the table says: {table.view['last']}"
                break
        digits = hand.digits
    line: dict[str, Any] = {"job": job.name, "way": way, "presses": parts, "digits": digits}
    return line | {"few": max(parts) <= MOST, "seconds": round(seconds, 1), "right": right, "why": why}


def text_of(line: dict[str, Any]) -> str:
    presses = "+".join(map(str, line["presses"])) + (" " if line["few"] else "*")
    right = "yes" if line["right"] else f"NO {line['why']}"
    return f"{line['job']:26}{line['way']:10}{presses:>9}{line['digits']:>8}{line['seconds']:>9.1f}  {right}"


if __name__ == "__main__":
    sys.exit(main())
