"""`feltwire delay measure`: how old a camera's pictures are when they arrive.

The camera films the page `/delay/clock` of the delay box; each picture is compared with the time at which it came.
The screen that shows the page and the decoding count in. It is called on the box: its boot time is on the page.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from statistics import mean, median

import numpy as np

from feltwire.delay_box.filmed_clock import WRAPS, Picture, read_clock
from feltwire.delay_box.programs import SCHEMES, Child, check_address, decode_call, need_program, source_call
from feltwire.errors import UsageError
from feltwire.runtime.boottime import boot_millis
from table_core.messages import Millis

HELP = "reads the clock page in a camera's picture, and says how old its pictures are when they arrive"
WIDTH, HEIGHT = 640, 360  # in which it is read
SILENT_S = 20.0
OLDEST_MS = 60_000  # what seems older is another day's


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--source", required=True, metavar="ADDRESS", help="as in the settings: srt://…, a file")
    parser.add_argument("--pictures", type=int, default=250, metavar="N", help="how many are read (250)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    check_address("--source", args.source, SCHEMES)
    if args.pictures < 1:
        raise UsageError("--pictures: at least 1")
    need_program()
    seen, ages = 0, []
    for came, picture in _pictures(args.source, args.pictures):
        seen += 1
        age = age_of(picture, came)
        if age is not None:
            ages.append(age)
    found = {
        "pictures": seen,
        "read": len(ages),
        "mean_ms": round(mean(ages), 1) if ages else None,
        "median_ms": round(median(ages)) if ages else None,
        "p95_ms": percentile(ages, 0.95) if ages else None,
    }
    if args.json:
        print(json.dumps(found))
    elif ages:
        figures = ", ".join(f"{name} {found[f'{name}_ms']} ms" for name in ("mean", "median", "p95"))
        print(f"{len(ages)} of {seen} pictures read: {figures}")
        print(f"In the settings of the delay box: latency_ms = {found['median_ms']}")
    else:
        print(
            f"{seen} pictures came, and the clock was read in none: the page /delay/clock must fill much of them"
        )
    return 0 if ages else 1


def age_of(picture: Picture, came: Millis) -> int | None:
    """How old a picture is that came then; None where no clock is read in it."""
    shown = read_clock(picture)
    if shown is None:
        return None
    age = (came - shown) % WRAPS
    return age if age <= OLDEST_MS else None


def percentile(ages: list[int], share: float) -> int:
    """
    >>> percentile([3, 1, 2, 4], 0.5), percentile([7], 0.95)
    (3, 7)
    """
    return sorted(ages)[min(int(share * len(ages)), len(ages) - 1)]


def _pictures(source: str, wanted: int) -> Iterator[tuple[Millis, Picture]]:
    size = WIDTH * HEIGHT
    source_child = Child(source_call(source), source)
    child = Child(decode_call(WIDTH, HEIGHT), source, behind=source_child)
    said, held = "", b""
    try:
        while wanted:
            data = child.read(size - len(held), SILENT_S)
            if not data:
                break
            held += data
            if len(held) == size:
                yield boot_millis(), np.frombuffer(held, np.uint8).reshape(HEIGHT, WIDTH)
                held, wanted = b"", wanted - 1
    finally:
        said = " ".join(filter(None, (source_child.end(), child.end())))
    if wanted and said:
        raise UsageError(f"--source: no more pictures came ({said})")
