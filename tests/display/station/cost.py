"""What drawing a large room costs: `python -m tests.display.station.cost --tables 500 --seconds 20`.

A room at live pace (four snapshots a second; a table goes on about every eight seconds) is shown to Chromium at
1920 by 1080. Printed, by Chromium's own counters: scripting and layout time a second, tasks over 50 ms, from the
event's arrival to the next paint, and the memory in use at begin and end.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from display.identity.signin import SignIn
from display.push import Hub
from tests import chromium
from tests.display.conftest import Recorded, Running
from tests.display.preview import publish_all
from tests.display.station.feeding import TROUBLED, cell, feed
from tests.display.test_browser import app_of

WATCH = """() => {
    window.tasks = []; window.paints = [];
    new PerformanceObserver((list) => { for (const one of list.getEntries()) window.tasks.push(one.duration) })
        .observe({ type: 'longtask' });
    const stream = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (name, act) {
        return stream.call(this, name, name !== 'room' ? act : (event) => {
            const heard = performance.now();
            act(event);
            requestAnimationFrame(() => { const port = new MessageChannel();
                port.port1.onmessage = () => window.paints.push(performance.now() - heard);
                port.port2.postMessage(0); });
        });
    };
}"""


def counters(cdp: CDPSession) -> dict[str, float]:
    return {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}


def go_on(cells: list[dict[str, Any]], chance: random.Random) -> None:
    """A quarter of a second of play."""
    for one in cells:
        one["to_act_ms"] += 250
        if chance.random() < 1 / 32 and one["to_act"]:
            one["to_act"], one["to_act_ms"] = chance.choice(one["seats"]), 0
            one["hand"] += chance.random() < 0.05
    one = chance.choice(cells)
    one["trouble"] = chance.choice(["", "", "now", "soon"])


def play(hub: Hub, page: Page, cells: list[dict[str, Any]], seconds: float) -> None:
    chance = random.Random(7)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        go_on(cells, chance)
        room = {"venue": "riverside", "rulebook": "base", "clock": None, "cells": cells}
        hub.publish("room", json.dumps(room).encode())
        page.wait_for_timeout(250)


def measure(tables: int, seconds: float) -> dict[str, float]:
    hub, signin = Hub(), SignIn()
    publish_all(hub)
    feed(hub, tables)
    cells = [cell(no, **TROUBLED.get(no, {})) for no in range(1, tables + 1)]
    running = Running(app_of(hub, Recorded(), signin))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        page = browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()
        page.add_init_script(f"({WATCH})()")
        page.goto(running.url + signin.new_link())
        page.goto(f"{running.url}/station#queue")
        page.locator("#tables li").nth(tables - 1).wait_for(state="attached")
        play(hub, page, cells, 2)
        cdp = page.context.new_cdp_session(page)
        cdp.send("Performance.enable")
        page.evaluate("() => { window.tasks.length = window.paints.length = 0 }")
        cdp.send("HeapProfiler.collectGarbage")
        before, began = counters(cdp), time.monotonic()
        play(hub, page, cells, seconds)
        after, took = counters(cdp), time.monotonic() - began
        cdp.send("HeapProfiler.collectGarbage")
        held = counters(cdp)["JSHeapUsedSize"]
        tasks, paints = page.evaluate("[window.tasks, window.paints]")
        browser.close()
    running.stop()
    paints.sort()
    return {
        "tables": tables,
        "snapshots": len(paints),
        "script ms/s": round((after["ScriptDuration"] - before["ScriptDuration"]) / took * 1000, 1),
        "layout and style ms/s": round(
            sum(after[one] - before[one] for one in ("LayoutDuration", "RecalcStyleDuration")) / took * 1000, 1
        ),
        "tasks over 50 ms": len(tasks),
        "longest of them ms": round(max(tasks, default=0)),
        "event to paint p50 ms": round(paints[len(paints) // 2], 1),
        "event to paint p99 ms": round(paints[int(len(paints) * 0.99)], 1),
        "heap MB before": round(before["JSHeapUsedSize"] / 1e6, 1),
        "heap MB after": round(held / 1e6, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 24, 200, 500])
    parser.add_argument("--seconds", type=float, default=20)
    asked = parser.parse_args()
    for tables in asked.tables:
        print(json.dumps(measure(tables, asked.seconds)), flush=True)


if __name__ == "__main__":
    main()
