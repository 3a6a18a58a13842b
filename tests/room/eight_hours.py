"""`python -m tests.room.eight_hours --hours 8 --speed 4`: a long day of events in a room of `feltwire home`.

Tables without a device are dealt at through phones, event after event: each is played to its prizes, closed, and
the next is opened. People look in at every page meanwhile and go again. Memory and descriptors of each process are
noted every ten seconds. `--speed` is how many times faster than people everything goes, the levels too, so that
`--hours` of the room take `--hours`/`--speed` of the watch. Printed: for each process its memory after the first
hour and at the end, the slope from there on in MiB for each hour of the room, and the descriptors. The report
(JSON) is written anew every minute.
Exit status: 0 all of it is flat and every chip is right, 1 something is not, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import shutil
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import linear_regression, median

import msgspec

from feltwire.lab.demo.night.director import NightFailed
from feltwire.lab.demo.night.door import DoorClosed
from feltwire.lab.demo.night.room import levels_of
from table_core.messages import Chips, Frozen
from tests.feltwire.processes import PATIENCE_S
from tests.room.pub.evening import Pub, PubDirector, chips_made, evening

HOUR_S = 3_600.0
SAMPLE_S, REPORT_S, VISIT_S = 10.0, 60.0, 1.0
MINUTES, BREAK_MINUTES = 12.0, 5.0  # of a level, in the room's time
MIB = 1 << 20
GROWS_MIB_H = 3.0  # of a process: more than this for each hour is no longer noise of the allocator
MORE_DESCRIPTORS = 8  # those of browsers that look in just then


class Process(Frozen, frozen=True):
    """One process of the room. Memory is resident, in MiB."""

    name: str
    first_hour: float
    end: float
    slope_mib_h: float  # from the first hour on
    descriptors_first_hour: int
    descriptors_end: int

    @property
    def flat(self) -> bool:
        more = self.descriptors_end - self.descriptors_first_hour
        return self.slope_mib_h <= GROWS_MIB_H and more <= MORE_DESCRIPTORS


class Day(Frozen, frozen=True):
    """What `--report` writes, anew every minute; `hours` and `events` are those so far."""

    seed: int
    speed: float
    finished: bool
    hours: float
    events: int
    hands: int
    visits: int
    processes: tuple[Process, ...]
    wrong: tuple[str, ...]


@dataclass
class Samples:
    """Of each process: (hour of the room, resident bytes, descriptors)."""

    of: dict[str, list[tuple[float, int, int]]] = field(default_factory=dict)

    def take(self, hour: float, processes: Mapping[str, int]) -> None:
        for name, pid in processes.items():
            with contextlib.suppress(OSError):  # it has just ended
                pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
                descriptors = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
                self.of.setdefault(name, []).append((hour, pages * 4_096, descriptors))

    def processes(self, first_hour: float) -> list[Process]:
        return [_figures(name, samples, first_hour) for name, samples in self.of.items()]


def _figures(name: str, samples: Sequence[tuple[float, int, int]], first_hour: float) -> Process:
    """Ends are medians of a few samples: one may be taken in the middle of some work."""
    later = [one for one in samples if one[0] >= first_hour] or list(samples[-1:])
    first, last = later[:5], later[-5:]
    slope = 0.0
    if later[-1][0] > later[0][0]:
        slope = linear_regression([one[0] for one in later], [one[1] / MIB for one in later]).slope
    return Process(
        name,
        round(median(one[1] for one in first) / MIB, 1),
        round(median(one[1] for one in last) / MIB, 1),
        round(slope, 2),
        int(median(one[2] for one in first)),
        int(median(one[2] for one in last)),
    )


class Visitors:
    """Browsers that open a page and its channel, see something, and go."""

    def __init__(self, pub: Pub) -> None:
        addresses = pub.room.addresses
        self._pages = [address["url"] for address in addresses.values() if address["page"] != "station"]
        self._channels = {
            addresses["wall clock"]["url"]: "clock",
            **{addresses[f"table {table}"]["url"]: f"table/{table}" for table in pub.tables},
        }
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._visit, name="visitors", daemon=True)
        self.visits = 0

    def _visit(self) -> None:
        while True:
            for page in self._pages:
                if self._ends.wait(VISIT_S):
                    return
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(page, timeout=PATIENCE_S).read()
                    if channel := self._channels.get(page):
                        origin = "/".join(page.split("/")[:3])
                        with urllib.request.urlopen(
                            f"{origin}/events?channel={channel}", timeout=PATIENCE_S
                        ) as seen:
                            seen.readline()
                    self.visits += 1

    def __enter__(self) -> Visitors:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join(PATIENCE_S)


class DayDirector(PubDirector):
    """One event after the other; nobody closes the laptop."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, lid=lambda: None, **kwargs)
        self._closed = True

    def close(self) -> None:
        """The event is over and goes into a file of its own."""
        self._do("close_event")
        for sign in self._signs.values():
            sign.hand, sign.smallest_chip = 0, Chips(0)


def spend(folder: Path, seed: int, *, tables: int, hours: float, speed: float, report: Path) -> Day:
    """The day, in a room that lies in `folder` afterwards."""
    say = _Said()
    samples, events, wrong = Samples(), 0, list[str]()
    with Pub(folder, seed, say, tables=tables, chromium=0, speed=speed) as pub, Visitors(pub) as visitors:
        began = time.monotonic()
        ends = threading.Event()

        def hour() -> float:
            return (time.monotonic() - began) * speed / HOUR_S

        def day(*, finished: bool = False) -> Day:
            of = samples.processes(min(1.0, hours / 4))
            hands = sum(dealer.dealt.hands for dealer in pub.dealers.values())
            done = [*wrong, *(what for dealer in pub.dealers.values() for what in dealer.dealt.wrong)]
            return Day(
                seed, speed, finished, round(hour(), 2), events, hands, visitors.visits, tuple(of), tuple(done)
            )

        def watch() -> None:
            written = began
            while not ends.wait(SAMPLE_S):
                samples.take(hour(), pub.processes)
                if time.monotonic() - written >= REPORT_S:
                    written = time.monotonic()
                    write(report, day())

        watching = threading.Thread(target=watch, name="watch", daemon=True)
        watching.start()
        pub.deal()
        levels = levels_of(MINUTES * 60 / speed, BREAK_MINUTES * 60 / speed)
        try:
            while hour() < hours:
                plan = replace(evening(seed + events), levels=levels, late=0, players=pub_players(seed, tables))
                director = DayDirector(
                    plan, pub.door, {table: dealer.sign for table, dealer in pub.dealers.items()},
                    tell=lambda _record, _night: None, on_level=lambda _level: None, stopping=ends,
                )  # fmt: skip
                director.run()
                wrong += director.done.wrong
                director.close()
                events += 1
                print(f"{hour():5.2f} h  event {events} is over", file=sys.stderr, flush=True)
        except (NightFailed, DoorClosed) as error:
            wrong.append(str(error))
        ends.set()
        watching.join()
        samples.take(hour(), pub.processes)
        pub.settle()
        for table in pub.tables:
            wrong += chips_made(table, [envelope for envelope, _ in pub.files.envelopes(table)])
        spent = day(finished=not wrong)
    write(report, spent)
    return spent


def pub_players(seed: int, tables: int) -> list[tuple[str, str]]:
    return list(evening(seed).players[: 6 * tables])


def write(report: Path, day: Day) -> None:
    report.write_bytes(msgspec.json.format(msgspec.json.encode(day), indent=1) + b"\n")


class _Said:
    def __call__(self, sentence: str) -> None:
        print(sentence, file=sys.stderr, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.eight_hours", description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=8.0, metavar="H", help="of the room (8)")
    parser.add_argument("--speed", type=float, default=4.0, metavar="X", help="times faster than people (4)")
    parser.add_argument("--tables", type=int, default=2, metavar="N", help="(2)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--report", type=Path, default=Path("eight-hours.json"), metavar="FILE")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.ERROR)
    folder = Path(tempfile.mkdtemp(prefix="feltwire-hours-"))
    day = spend(folder, args.seed, tables=args.tables, hours=args.hours, speed=args.speed, report=args.report)
    print(f"{day.hours} hours of the room, {day.events} events, {day.hands} hands, {day.visits} visits")
    print(f"{'process':12}{'first hour':>12}{'end':>8}{'MiB/h':>8}{'descriptors':>16}")
    for one in day.processes:
        descriptors = f"{one.descriptors_first_hour} -> {one.descriptors_end}"
        print(f"{one.name:12}{one.first_hour:>12}{one.end:>8}{one.slope_mib_h:>8}{descriptors:>16}")
    grown = [f"{one.name} is not flat" for one in day.processes if not one.flat]
    for what in [*day.wrong, *grown]:
        print(f"WRONG: {what}")
    if day.wrong or grown:
        print(f"The room is kept in {folder}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
