"""Batches of cases, each followed by a kill, a start, a verification, a backup and a start from it."""

from __future__ import annotations

import asyncio
import random
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from display.presses import SERVER
from tests.mutated.campaign import _where
from tests.mutated.http_door import Doors as Pages
from tests.mutated.http_door import Form, request_of, statuses_of
from tests.mutated.room import Now
from tests.restarts import files, hall, nights
from tests.restarts.doors import PAGES, PRESSES, Case, Doors, fed, id_of, in_words
from tests.restarts.hall import Hall

BLOCK = 200  # cases in one room, from one of its moments on
BATCH = 20
ANSWERED_S = 60  # real time; at a page nobody waits so long
TRIALS = 24  # to find the shortest sequence that fails
BOOKS = ("base", "wfp", "rpl", "ccp")


class Finding(msgspec.Struct):
    """`cases`: the shortest sequence that was found, in words; `no` is the last case of its batch."""

    no: int
    moment: str
    what: str
    cases: list[str] = []
    times: int = 1


class Report(msgspec.Struct):
    """What was done so far. `accepted`: presses that were answered with a yes, by their command."""

    seed: int
    count: int
    shard: str
    done: list[int] = []
    cases: dict[str, int] = {}
    accepted: dict[str, int] = {}
    statuses: dict[str, int] = {}
    restarts: int = 0
    backups: int = 0
    seconds: float = 0.0
    findings: list[Finding] = []
    finished: bool = False


class Campaign:
    """`folder` should be in memory, and empty."""

    def __init__(self, report: Report, folder: Path) -> None:
        self.report = report
        self._folder = folder
        self._live = folder / "live"
        (folder / "files").mkdir()
        self._now = Now()
        self._loop = asyncio.new_event_loop()
        self._pages: Pages | None = None
        self._entered: dict[tuple[str, str], Path] = {}
        self._counting = True

    def close(self) -> None:
        self._loop.close()

    def blocks(self) -> range:
        shard, _, shards = self.report.shard.partition("/")
        return range(int(shard) - 1, -(-self.report.count // BLOCK), int(shards))

    # ---------------------------------------------------------------------------------- the moments

    def _enter(self, book: str) -> None:
        """Play a night under a book, and keep its room at each moment."""
        shutil.rmtree(self._live, ignore_errors=True)
        self._live.mkdir()
        room = Hall(self._live, self._now)
        for moment, cases in nights.moments(book):
            for at, case in enumerate(cases):
                self._give(room, case, at)
            room.wait(1_500)
            room.run()
            kept = self._folder / f"{book}-{moment}"
            hall.copied(self._live, kept)
            self._entered[book, moment] = kept
        room.close()

    # -------------------------------------------------------------------------------------- a block

    def run(self, block: int) -> None:
        chance = random.Random(f"{self.report.seed}/{block}")
        book = chance.choice(BOOKS)
        if (book, "open") not in self._entered:
            self._counting = False
            self._enter(book)
            self._counting = True
        moment = chance.choice([moment for of, moment in self._entered if of == book])
        hall.copied(self._entered[book, moment], self._live)
        doors, room = Doors(chance), self._opened()
        for first in range(block * BLOCK, min((block + 1) * BLOCK, self.report.count), BATCH):
            before = self._folder / "before"
            room.run()
            hall.copied(self._live, before)
            cases: list[Case] = []
            found: list[str] = []
            for no in range(first, min(first + BATCH, self.report.count)):
                cases.append(doors.draw(room))
                found += self._give(room, cases[-1], no)
            more, after = self._again(room)
            if found or more:
                if after is not None:
                    after.close()
                for what in dict.fromkeys([*found, *more]):
                    self._find(what, f"{book}: {moment}", before, cases, first)
                hall.copied(self._entered[book, moment], self._live)  # the rest of the block begins anew
                after = self._opened()
            assert after is not None
            room = after
        room.close()
        self.report.done.append(block)

    def _opened(self) -> Hall:
        room, found = hall.started(self._live, self._now, None)
        assert room is not None, found
        return room

    def _again(self, room: Hall) -> tuple[list[str], Hall | None]:
        """Kill the processes and start them from their disks and from a backup; what is wrong, and the room."""
        room.wait(500)
        room.greet()
        before, live = hall.killed(room, self._folder / "aside")
        after, found = hall.started(live, self._now, before)  # before time goes on
        found += hall.verified(self._folder / "aside")
        found += hall.from_backup(self._folder / "aside", self._folder / "fresh", self._now, before)
        self.report.restarts += 1
        self.report.backups += 1
        if after is not None:
            found += self._looked_at(after)
        return found, after

    def _looked_at(self, room: Hall) -> list[str]:
        """Every page of every process, as the director sees it."""
        cases = (
            Case("page", f"{name} {path}", path, b"", "td") for name, paths in PAGES.items() for path in paths
        )
        self._counting, counting = False, self._counting
        found = [one for no, case in enumerate(cases) for one in self._give(room, case, no)]
        self._counting = counting
        return found

    # --------------------------------------------------------------------------------------- a case

    def _give(self, room: Hall, case: Case, no: int) -> list[str]:
        """Send it; what is wrong with what came of it."""
        troubles, statuses, answer = room.troubles(), [], b""
        self._now.ms += 40
        try:
            if case.door == "bus":
                room.wires.say(case.at, case.body)
            elif case.door == "keys":
                fed(room, case)
            elif case.door == "file":
                files.given(case.at, case.body, self._folder / "files")
            else:
                answer = self._ask(room, case, no)
                statuses = statuses_of(answer)
            room.run()
        except Exception as error:  # noqa: BLE001  (whatever came of it is what is looked for)
            return [f"{case.name} raised {_where(error)}"]
        found = [f"{case.name} answered {status}" for status in statuses if status >= 500]
        if case.door not in ("bus", "keys", "file") and not statuses:
            found.append(f"{case.name} was not answered")
        if room.troubles() != troubles:
            found.append(f"{case.name}: {', '.join(hall.troubled(room))}")
        if self._counting:
            self._count(case, statuses)
        return found

    def _ask(self, room: Hall, case: Case, no: int) -> bytes:
        if self._pages is None or self._pages.room is not room:
            self._pages = Pages(room)
        process, _, path = case.at.partition(" ")
        method = "GET" if case.door == "page" else "POST"
        form = Form(process, method, path, case.body, case.who)
        cookie = self._pages.cookies.get((process, case.who), "")
        raw = request_of(form, cookie, f"{SERVER}/{self._now.ms + 20_000}", case.body, id_of(case, no))
        answer = self._pages.answer(process, raw, in_threads=True)
        try:
            return self._loop.run_until_complete(asyncio.wait_for(answer, ANSWERED_S))
        except TimeoutError:
            return b""  # which is found: it was not answered

    def _count(self, case: Case, statuses: Sequence[int]) -> None:
        report = self.report
        report.cases[case.door] = report.cases.get(case.door, 0) + 1
        for status in statuses:
            key = f"{case.door} {status}"
            report.statuses[key] = report.statuses.get(key, 0) + 1
            if status < 300 and case.door == "press":
                report.accepted[case.what] = report.accepted.get(case.what, 0) + 1

    # ---------------------------------------------------------------------------------- what is found

    def _find(self, what: str, moment: str, before: Path, cases: list[Case], no: int) -> None:
        same = next((one for one in self.report.findings if kind_of(one.what) == kind_of(what)), None)
        if same is not None:
            same.times += 1
            return
        finding = Finding(no + len(cases) - 1, moment, what)
        self.report.findings.append(finding)
        self._counting = False
        finding.cases = [in_words(case) for case in self._shortest(what, before, cases)]
        self._counting = True
        print(f"\n{in_text(finding)}", file=sys.stderr)

    def _shortest(self, what: str, before: Path, cases: list[Case]) -> list[Case]:
        """A sequence that fails in the same way, from the same room, without what it does not need."""
        kept = self._folder / "kept"
        hall.copied(before, kept)
        size, trials = max(1, len(cases) // 2), 0
        while size and trials < TRIALS:
            for at in range(0, len(cases), size):
                fewer = cases[:at] + cases[at + size :]
                trials += 1
                if fewer and self._fails(what, kept, fewer):
                    cases = fewer
                    break
            else:
                size //= 2
        return cases

    def _fails(self, what: str, kept: Path, cases: Sequence[Case]) -> bool:
        hall.copied(kept, self._live)
        room = self._opened()
        found = [one for no, case in enumerate(cases) for one in self._give(room, case, no)]
        if kind_of(what) in map(kind_of, found):
            room.close()
            return True
        more, after = self._again(room)
        if after is not None:
            after.close()
        return kind_of(what) in map(kind_of, more)


def kind_of(what: str) -> str:
    """A finding without its numbers."""
    return "".join("0" if letter.isdigit() else letter for letter in what.partition(" (")[0])[:90]


def as_text(report: Report) -> str:
    never = sorted(PRESSES.keys() - report.accepted.keys())
    lines = [
        f"seed {report.seed}, shard {report.shard}: {sum(report.cases.values())} cases {report.cases}, "
        f"{sum(report.accepted.values())} presses accepted; {report.restarts} restarts, {report.seconds:.0f} s",
        f"answers {dict(sorted(report.statuses.items()))}",
        f"never accepted: {', '.join(never) or 'none'}",
    ]
    return "\n".join([*lines, *map(in_text, report.findings)])


def in_text(one: Finding) -> str:
    head = f"{one.no} ({one.moment}, {one.times} times): {one.what}"
    return "\n    ".join([head, *one.cases])
