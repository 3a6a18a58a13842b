"""`python -m tests.room.many_tables`: a hall at the real station with its page open: what it costs.

A station process and a mosquitto; one connection speaks for all tables: a signed event with the table's new
state every three seconds of room time at each table, and a beat for every one of the station's. Chromium shows
the station at 1920x1080.

    --tables 1 24 200 500 --seconds 30             what each size costs at live pace
    --tables 24 --pace 20 --seconds 720 --every 30 four hours in twelve minutes: a sample each ten minutes of
                                                   room time, and the straight line through the last three quarters

Each hand of nine ends before the flop. From the publication of an event to the paint that shows it is measured at
table 01. Exit status: 0; 1 where a task of the page was longer than 50 ms.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import CDPSession, Page, sync_playwright

from feltwire.config import Broker
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.broker.bus_port import Will
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    Beat,
    BetReturned,
    Chips,
    HandEnded,
    HandStarted,
    Level,
    Post,
    Posted,
    PotAwarded,
    Resend,
    Seat,
    SeatsSet,
    SeatStack,
    Share,
    Source,
    Status,
    TableBeat,
    TableState,
    decode,
    decode_command,
    encode,
)
from tests import chromium
from tests.display import fixtures
from tests.display.station.cost import counters
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, station_settings
from tests.feltwire.station_room import VENUE, FakeTable
from tests.ports import free_port

STACK = Chips(10_000)
EVENT_S = 3.0  # of room time between two events of a table
SETTLE_S = 5.0
PATIENCE_MS = 120_000
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
WATCH = """() => {
    window.tasks = []; window.paints = []; window.bytes = 0;
    new PerformanceObserver((list) => { for (const one of list.getEntries()) window.tasks.push(one.duration) })
        .observe({ type: 'longtask' });
    const stream = EventSource.prototype.addEventListener;
    let shown = 0;
    EventSource.prototype.addEventListener = function (name, act) {
        return stream.call(this, name, (event) => {
            window.bytes += event.data?.length ?? 0;
            act(event);
            const seq = name === 'room' ? Number(/"as_of":(\\d+)/.exec(event.data)?.[1]) : shown;
            if (seq === shown) return;
            shown = seq;
            requestAnimationFrame(() => { const port = new MessageChannel();
                port.port1.onmessage = () => window.paints.push([seq, Date.now()]);
                port.port2.postMessage(0); });
        });
    };
}"""


def hands(table: str) -> Iterator[AnyEvent]:
    """All fold to the big blind, for ever."""
    level = Level(no=1, small_blind=Chips(50), big_blind=Chips(100))
    seats = tuple(Seat(no) for no in range(1, 10))
    has = dict.fromkeys(seats, STACK)
    yield SeatsSet(_stacks(table, has), Seat(1), hand=1, level=level)
    for hand in itertools.count(1):
        button, small, big, *others = (seats[(hand + place) % 9] for place in range(9))
        yield HandStarted(hand, button, small, big, level, _stacks(table, has), Source.KEY)
        yield Posted(small, Post.SMALL_BLIND, level.small_blind)
        yield Posted(big, Post.BIG_BLIND, level.big_blind)
        for seat in (*others, button, small):
            yield Acted(seat, Action.FOLD, Chips(0), Chips(0), False, Source.KEY)
        pot = Chips(2 * level.small_blind)
        yield BetReturned(big, Chips(level.big_blind - level.small_blind))
        yield PotAwarded(0, pot, (big,), (Share(big, pot),), "last_standing")
        has[small], has[big] = Chips(has[small] - level.small_blind), Chips(has[big] + level.small_blind)
        yield HandEnded(hand, tuple(Share(seat, stack) for seat, stack in has.items()))


def _stacks(table: str, has: Mapping[Seat, Chips]) -> tuple[SeatStack, ...]:
    return tuple(SeatStack(seat, stack, f"{table}-{seat}") for seat, stack in has.items())


class Hall:
    """Tables that speak on one connection, at `pace` times live."""

    def __init__(self, url: str, tables: int, pace: float) -> None:
        self.tables = {f"{no:02}": FakeTable(f"{no:02}") for no in range(1, tables + 1)}
        self.sent = self.behind = 0
        self.told: dict[int, float] = {}  # event of table 01: when it was published
        self._pace = pace
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._plays = {name: hands(name) for name in self.tables}
        self._bus = Bus(
            Broker(url=url),
            client_id="hall",
            subscriptions=[topics.table(VENUE, "+", "command"), topics.tournament(VENUE, "beat")],
            on_message=self._message,
            on_up=self._up,
            on_down=lambda reason: None,
            will=Will(topics.table(VENUE, "01", "status"), encode(Status(online=False))),
        )
        self._thread = threading.Thread(target=self._play, daemon=True)

    def __enter__(self) -> Hall:
        self._bus.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()
        self._bus.stop()

    def _say(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 1) -> None:
        self.sent += len(payload)
        self.behind += not self._bus.publish(topic, payload, retain=retain, qos=qos)

    def _up(self) -> None:
        with self._lock:
            for table in self.tables.values():
                self._say(table.topic("status"), encode(Status(online=True)), retain=True)
                self._say(table.topic("birth"), table.birth().payload)

    def _message(self, topic: str, payload: bytes) -> None:
        if topic == topics.tournament(VENUE, "beat"):
            beat = decode(payload, Beat)
            for table in self.tables.values():
                answer = TableBeat(table.head.epoch, beat.boot, beat.at)
                self._say(table.topic("beat"), encode(answer), qos=0)
            return
        command, table = decode_command(payload), self.tables[topic.split("/")[-2]]
        if isinstance(command, Resend):
            with self._lock:
                if command.birth:
                    self._say(table.topic("birth"), table.birth().payload)
                for raw in table.rows:
                    self._say(table.topic("event"), raw)

    def _play(self) -> None:
        """Table after table; what was said long ago is forgotten, as nobody asks for it again."""
        every = EVENT_S / self._pace / len(self.tables)
        due = time.monotonic()
        for table in itertools.cycle(self.tables.values()):
            due += every
            if self._stopped.wait(max(0.0, due - time.monotonic())):
                return
            with self._lock:
                self._go_on(table)

    def _go_on(self, table: FakeTable) -> None:
        (raw,) = table.write(next(self._plays[table.table]))
        del table.rows[:-50]
        view = msgspec.structs.replace(
            fixtures.table_view(),
            venue=VENUE,
            table=table.table,
            epoch=table.head.epoch,
            as_of=table.head.seq,
        )
        self._say(table.topic("event"), raw)
        if table.table == "01":
            self.told[table.head.seq] = time.time()
        self._say(table.topic("state"), table.key.sign(TableState(view)), retain=True)


def processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1e6


def held(cdp: CDPSession, pid: int) -> dict[str, float]:
    """What is in use once nothing more can be freed."""
    cdp.send("HeapProfiler.collectGarbage")
    now = counters(cdp)
    return {
        "heap MB": round(now["JSHeapUsedSize"] / 1e6, 2),
        "nodes": now["Nodes"],
        "listeners": now["JSEventListeners"],
        "station MB": round(resident_mb(pid), 1),
    }


def measure(tables: int, pace: float, seconds: float, every: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="feltwire-hall-") as name, sync_playwright() as playwright:
        folder = Path(name)
        with Mosquitto(folder) as broker:
            port = free_port()
            names = json.dumps([f"{no:02}" for no in range(1, tables + 1)])
            settings = station_settings(folder, broker.url, port, minutes=600).replace('["01", "02"]', names)
            browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
            page = browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()
            page.add_init_script(f"({WATCH})()")
            with Process("station", folder, port, settings) as station:
                station.connected()
                with Hall(broker.url, tables, pace) as hall:
                    page.goto((folder / "station-data" / "td-link").read_text().strip())
                    page.goto("about:blank")  # the page of a room of one table would go to that table's
                    page.goto(f"http://127.0.0.1:{port}/station#tables")
                    page.locator("#tables li").nth(tables - 1).wait_for(state="attached", timeout=PATIENCE_MS)
                    page.wait_for_timeout(SETTLE_S * 1000)
                    cdp = page.context.new_cdp_session(page)
                    cdp.send("Performance.enable")
                    return watched(page, cdp, hall, station.pid, seconds, every)


def watched(page: Page, cdp: CDPSession, hall: Hall, pid: int, seconds: float, every: float) -> dict[str, float]:
    page.evaluate("() => { window.tasks.length = window.paints.length = window.bytes = 0 }")
    before, spent, sent, began = counters(cdp), processor_s(pid), hall.sent, time.monotonic()
    samples = []
    while (passed := time.monotonic() - began) < seconds:
        page.wait_for_timeout(min(every, seconds - passed) * 1000)
        if every < seconds:
            samples.append(held(cdp, pid))
            print(json.dumps(samples[-1]), flush=True)
    after, took = counters(cdp), time.monotonic() - began
    tasks, paints, bytes_ = page.evaluate("[window.tasks, window.paints, window.bytes]")
    delays = sorted(at - hall.told[seq] * 1000 for seq, at in paints if seq in hall.told)
    if not delays:
        raise SystemExit(f"{len(hall.tables)} tables: in {took:.0f} s no event of table 01 reached the page")
    count = len(hall.tables)
    return {
        "tables": count,
        "script ms/s": round((after["ScriptDuration"] - before["ScriptDuration"]) / took * 1000, 1),
        "tasks over 50 ms": len(tasks),
        "longest of them ms": round(max(tasks, default=0)),
        "event to paint p50 ms": round(delays[len(delays) // 2]),
        "event to paint p99 ms": round(delays[int(len(delays) * 0.99)]),
        "paints": len(delays),
        "station processor ms/s": round((processor_s(pid) - spent) / took * 1000, 1),
        "bytes/s from a table": round((hall.sent - sent) / took / count),
        "bytes/s to the page, per table": round(bytes_ / took / count),
        "not handed over": hall.behind,
        **held(cdp, pid),
        **slopes(samples),
    }


def slopes(samples: Sequence[dict[str, float]]) -> dict[str, float]:
    """Growth from sample to sample, by least squares, once caches are full."""
    late = samples[len(samples) // 4 :]
    if len(late) < 3:
        return {}
    middle = (len(late) - 1) / 2
    spread = sum((at - middle) ** 2 for at in range(len(late)))
    return {
        f"{name} a sample": round(sum((at - middle) * one[name] for at, one in enumerate(late)) / spread, 4)
        for name in late[0]
    }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.many_tables")
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 24, 200, 500], metavar="N")
    parser.add_argument("--pace", type=float, default=1.0, help="times live (1)")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--every", type=float, default=1e9, metavar="S", help="a sample of memory so often")
    args = parser.parse_args(argv)
    lines: list[dict[str, Any]] = []
    for tables in args.tables:
        lines.append(measure(tables, args.pace, args.seconds, args.every))
        print(json.dumps(lines[-1]), flush=True)
    return 1 if any(line["tasks over 50 ms"] for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
