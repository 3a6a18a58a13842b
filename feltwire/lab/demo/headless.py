"""The demo without people: deals as fast as acknowledged, watches every page, checks and reports."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import TextIO

from feltwire.errors import UsageError
from feltwire.lab.demo.broker import listens
from feltwire.lab.demo.check import (
    DemoReport,
    RoomFiles,
    check_clock,
    check_table,
    latencies,
    quantile,
    wait_settled,
)
from feltwire.lab.demo.kill import Killer
from feltwire.lab.demo.room import DEMO_DIRECTOR, HOST, VENUE, RoomPlan, children
from feltwire.lab.demo.truth import Truth
from feltwire.lab.demo.watch import PageWatcher
from feltwire.runtime.children import Supervisor

STARTS_S = 120.0  # on a busy machine too
LONGEST_HAND_S = 120.0
GLANCE_S = 0.5
BROKER_GLANCE_S = 0.05


def run_headless(plan: RoomPlan, *, progress: TextIO, kill: str = "", times: int = 0) -> DemoReport:
    """Deal the hands of `plan`; raise `UsageError` when the room does not come up or stops dealing.

    `kill` is the kind of process to kill (-9) `times` times in the middle of hands.
    """
    began = time.monotonic()
    truth = Truth(VENUE, plan.table_ids, plan.broker_of(DEMO_DIRECTOR))
    with running(plan, truth) as (supervisor, watchers):
        killer = Killer(plan, supervisor, watchers, kind=kill, times=times) if kill else None
        if killer is not None:
            killer.start()
        _follow(plan, truth, progress)
        if killer is not None:
            killer.stop()
        pages = {name: watcher.channels for name, watcher in watchers.items()}
        files = RoomFiles(plan.folder / "data", plan.table_ids)
        wait_settled(files, pages, plan.table_ids)
        restarts = sum(supervisor.starts(spec) - 1 for spec in supervisor.names)
        killed = 0 if killer is None else killer.killed
        return _report(plan, truth, files, watchers, restarts, killed, time.monotonic() - began)


@contextlib.contextmanager
def running(plan: RoomPlan, truth: Truth) -> Iterator[tuple[Supervisor, dict[str, PageWatcher]]]:
    """The whole room up, with a watcher on every page."""
    watchers = watch_pages(plan)
    with Supervisor(children(plan, truth.hear)) as supervisor:
        await_broker(plan)
        truth.start()
        for watcher in watchers.values():
            watcher.start()
        try:
            yield supervisor, watchers
        finally:
            for watcher in watchers.values():
                watcher.stop()
            truth.stop()


def await_broker(plan: RoomPlan) -> None:
    """The room's own broker starts with it; until it listens there is nothing wrong to be said. One that does not
    come up at all is said by whoever connects."""
    until = time.monotonic() + STARTS_S
    while not plan.broker and not listens(plan.ports.broker) and time.monotonic() < until:
        time.sleep(BROKER_GLANCE_S)


def watch_pages(plan: RoomPlan) -> dict[str, PageWatcher]:
    """A watcher for the event stream of every page of the room."""
    ports = plan.ports
    base = f"http://{HOST}"
    watchers = {
        f"/table/{table}": PageWatcher(plan.table_url(table), [f"table/{table}"]) for table in plan.table_ids
    }
    watchers["/station"] = PageWatcher(f"{base}:{ports.station}", ["room"])
    watchers["/clock"] = PageWatcher(f"{base}:{ports.clock}", ["clock"])
    for table in plan.table_ids:
        watchers[f"/table/{table} at the station"] = PageWatcher(f"{base}:{ports.station}", [f"table/{table}"])
        watchers[f"/air/{table}"] = PageWatcher(f"{base}:{ports.relay}", [f"overlay/{table}"])
    return watchers


def _follow(plan: RoomPlan, truth: Truth, progress: TextIO) -> None:
    """Until every table has dealt its hands; say how far on a terminal."""
    total = plan.hands or "?"
    seen, since = -1, time.monotonic()
    while not truth.wait_done(GLANCE_S):
        now = time.monotonic()
        if truth.hands != seen:
            seen, since = truth.hands, now
            if progress.isatty():
                print(f"\rhand {seen} of {total}", end="", file=progress, flush=True)
        patience = LONGEST_HAND_S if seen else STARTS_S
        if now - since > patience:
            raise UsageError(
                f"no hand was dealt for {patience:.0f} s; run again with --room DIR and look in DIR/log"
            )
    if progress.isatty():
        print(file=progress)


def _report(
    plan: RoomPlan,
    truth: Truth,
    files: RoomFiles,
    watchers: dict[str, PageWatcher],
    restarts: int,
    killed: int,
    seconds: float,
) -> DemoReport:
    pages = {name: watcher.channels for name, watcher in watchers.items()}
    tables, lost, duplicates, events = {}, 0, 0, 0
    presses: list[float] = []
    for table in plan.table_ids:
        tables[table], lost_here, twice = check_table(files, table, pages, truth)
        lost, duplicates = lost + lost_here, duplicates + twice
        logged = [envelope for envelope, _ in files.envelopes(table)]
        events += len(logged)
        page = pages[f"/table/{table}"][f"table/{table}"]
        presses += latencies(logged, page, truth.tables[table].sent)
    seconds_dealt = [hand.seconds for one in truth.tables.values() for hand in one.hands]
    return DemoReport(
        hands=truth.hands,
        events=events,
        lost=lost,
        duplicates=duplicates,
        mismatched=sum(len(one.mismatched) for one in tables.values()) + check_clock(files, plan.table_ids, pages),
        misread_cards=truth.total("misread"),
        unread_cards=truth.total("unread"),
        p50_ms=quantile(presses, 0.5),
        p99_ms=quantile(presses, 0.99),
        measured=len(presses),
        tables=tables,
        seed=plan.seed,
        seconds=round(seconds, 1),
        hand_seconds=quantile(seconds_dealt, 0.5),
        presses=truth.total("presses"),
        questions=truth.total("questions"),
        corrections=truth.total("corrections"),
        counts=truth.total("counts"),
        restarts=restarts,
        killed=killed,
    )
