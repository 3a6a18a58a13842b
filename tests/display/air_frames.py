"""`python -m tests.display.air_frames`: how smoothly a page on air runs, and whether its memory stays flat.

A final table is played through a browser as a streaming program has it: 1920×1080, transparent, motion on.
`--minutes` of a stream at `--speed` times its pace: `--minutes 480 --speed 8` is eight hours in one. Without a
graphics card the browser paints on the processor: the intervals are those of this machine under its load; what the
page itself costs a frame (script, style, layout) is told beside them, and does not depend on a graphics card.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from display.app import create_app
from display.push import Hub
from table_core.messages import encode
from tests import chromium
from tests.display.air_played import played
from tests.display.air_states import STATES
from tests.display.conftest import Running

A_PICTURE_S = 4.0  # between two acts of a stream
HANDS = 100
FRAME_MS = 1_000 / 60
LOOKS = 8  # at the memory, during the run
MORE = 1.25
WATCH = """() => {
  window.frames_ = [];
  let last = null;
  const frame = (now) => {
    if (last !== null) window.frames_.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
POP = "() => window.frames_.splice(0)"
COSTS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration", "LayoutCount", "RecalcStyleCount")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=8.0, help="of the stream")
    parser.add_argument("--speed", type=float, default=8.0, help="times its pace")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--path", default="/air/01", help="the page, with what its address asks for")
    args = parser.parse_args()
    if args.minutes <= 0 or args.speed <= 0:
        print("--minutes and --speed: numbers above 0", file=sys.stderr)
        return 2
    hub = Hub()
    for channel, data in STATES["everything"]().channels().items():
        hub.publish(channel, data)
    server = Running(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"]))
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
            page = browser.new_page(viewport={"width": 1920, "height": 1080}, reduced_motion="no-preference")
            found = _run(page, hub, server.url + args.path, args)
            browser.close()
    finally:
        server.stop()
    print(json.dumps(found))
    return 0 if found["flat"] else 1


def _run(page: Page, hub: Hub, url: str, args: argparse.Namespace) -> dict[str, Any]:
    cdp = page.context.new_cdp_session(page)
    cdp.send("Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
    cdp.send("Performance.enable")
    page.goto(url)
    page.locator("#air").wait_for()
    page.evaluate(WATCH)
    views = itertools.chain.from_iterable(played(HANDS, args.seed + turn) for turn in itertools.count())
    pictures = max(LOOKS, int(args.minutes * 60 / A_PICTURE_S))
    gaps: list[float] = []
    memory: list[tuple[int, int]] = []
    before = _costs(cdp)
    for number in range(1, pictures + 1):
        hub.publish("overlay/01", encode(next(views)))
        page.wait_for_timeout(A_PICTURE_S / args.speed * 1_000)  # the pace is what is asked for
        if number % max(1, pictures // LOOKS) == 0:
            gaps += page.evaluate(POP)
            memory.append(_memory(cdp))
    after = _costs(cdp)
    return _told(sorted(gaps), memory, {name: after[name] - before[name] for name in COSTS}, pictures, args)


def _told(
    gaps: list[float],
    memory: list[tuple[int, int]],
    costs: dict[str, float],
    pictures: int,
    args: argparse.Namespace,
) -> dict[str, Any]:
    """Flat: the second half of the run needs no more than the first, but for what a fuller table has more."""
    frames = max(len(gaps), 1)
    own_ms = 1_000 * (costs["ScriptDuration"] + costs["LayoutDuration"] + costs["RecalcStyleDuration"])
    heap, nodes = ([one[kind] for one in memory] for kind in (0, 1))
    half = len(memory) // 2
    return {
        "minutes": args.minutes,
        "speed": args.speed,
        "pictures": pictures,
        "frames": len(gaps),
        "interval_p50_ms": round(gaps[len(gaps) // 2], 1),
        "interval_p99_ms": round(gaps[int(len(gaps) * 0.99)], 1),
        "late_share": round(sum(gap > 1.5 * FRAME_MS for gap in gaps) / frames, 4),
        "own_ms_a_frame": round(own_ms / frames, 3),
        "own_ms_a_picture": round(own_ms / pictures, 2),
        "layouts_a_picture": round(costs["LayoutCount"] / pictures, 1),
        "heap_kb": [size // 1024 for size in heap],
        "nodes": nodes,
        "flat": all(max(some[half:]) <= max(some[:half]) * MORE for some in (heap, nodes)),
    }


def _metrics(cdp: CDPSession) -> dict[str, float]:
    return {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}


def _costs(cdp: CDPSession) -> dict[str, float]:
    return {name: value for name, value in _metrics(cdp).items() if name in COSTS}


def _memory(cdp: CDPSession) -> tuple[int, int]:
    """Bytes of the heap and nodes of the page, once what nobody needs is gone."""
    cdp.send("HeapProfiler.collectGarbage")
    now = _metrics(cdp)
    return int(now["JSHeapUsedSize"]), int(now["Nodes"])


if __name__ == "__main__":
    sys.exit(main())
