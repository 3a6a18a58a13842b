"""The campaign: blocks of cases, each in a room of its own, judged case by case."""

from __future__ import annotations

import base64
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from table_core.messages import Key
from tests.mutated.bus_door import BusDoor
from tests.mutated.http_door import HttpDoor
from tests.mutated.room import Now, Room
from tests.mutated.serial_door import SerialDoor

BLOCK = 1_000
TOGETHER = 8  # cases at one instant: then time goes on
MOST_FINDINGS = 100
_KEPT_BYTES = 20_000
WEIGHTS = {"bus": 5, "http": 2, "serial": 3}
DEALT = ["As", "Kd", "2c", "3d", "7h", "8h", "9c", "Tc"]
CHECK = Key.CHECK_CALL


class Finding(msgspec.Struct):
    case: int
    door: str
    how: str
    where: str
    what: str
    payload: str  # base64


class Report(msgspec.Struct):
    """What ran, and what was found. `done` are the blocks; `rss_kb` the memory after each."""

    seed: int
    count: int
    shard: str
    doors: str
    done: list[int] = []
    cases: dict[str, int] = {}
    invalid: int = 0
    statuses: dict[str, int] = {}
    hows: dict[str, int] = {}
    seconds: float = 0.0
    rss_kb: list[int] = []
    findings: list[Finding] = []
    finished: bool = False


def moments() -> list[Callable[[Room], object]]:
    """What happens in a room, one after the other; a room may be entered after each."""
    around = (CHECK, CHECK, CHECK, CHECK)
    return [
        lambda room: room.wait(500),
        lambda room: (room.press(Key.NEW_HAND), room.deal(*DEALT[:3])),
        lambda room: (room.deal(*DEALT[3:]), room.slowly(Key.D4, Key.D00, Key.BET_RAISE)),
        lambda room: (room.slowly(*around[1:]), room.deal("Ad", "Ac", "Ah", "2d")),
        lambda room: room.slowly(Key.STREET, CHECK, Key.D2, Key.D00, Key.BET_RAISE),
        lambda room: (room.slowly(*around[1:]), room.deal("4c", "5c"), room.slowly(Key.STREET)),
        lambda room: (room.slowly(*around), room.deal("4s", "5s"), room.slowly(Key.STREET)),
        lambda room: room.slowly(*around, Key.D1, Key.TABLED, Key.FLOOR),
        lambda room: (room.slowly(Key.D1, Key.AWARD, Key.POT_PUSHED), room.wait(3_000)),
        lambda room: room.slowly(Key.NEW_HAND),
    ]


class Campaign:
    """`now` is the time of every room; `folder` should be in memory."""

    def __init__(self, report: Report, folder: Path) -> None:
        self.report = report
        self._folder = folder
        self._now = Now()
        self._entered: list[Path] = []
        heard, lines = self._record()
        self._http = HttpDoor(heard)
        self._doors: dict[str, Any] = {"bus": BusDoor(heard), "http": self._http, "serial": SerialDoor(lines)}
        wanted = report.doors.split(",")
        self._order = [door for door in WEIGHTS if door in wanted for _ in range(WEIGHTS[door])]

    def close(self) -> None:
        self._http.close()

    def _record(self) -> tuple[list[tuple[str, bytes]], list[tuple[str, bytes]]]:
        """Play a hand, keeping the room as it is after each moment; everything that was said in it."""
        live = self._folder / "live"
        live.mkdir()
        heard, lines = [], []
        for at, moment in enumerate(moments()):
            room = Room(live, self._now)
            moment(room)
            room.wait(1_500)
            heard += room.wires.heard
            lines += room.lines
            fault = room.recovers() or ", ".join(room.wires.faults)
            assert not fault, fault
            room.close()
            kept = self._folder / f"moment-{at}"
            shutil.copytree(live, kept)
            self._entered.append(kept)
        return heard, lines

    def blocks(self) -> range:
        shard, _, shards = self.report.shard.partition("/")
        return range(int(shard) - 1, -(-self.report.count // BLOCK), int(shards))

    def run(self, block: int, only: int | None = None) -> None:
        """The cases of a block, in a room that is at some moment of a hand."""
        chance = random.Random(f"{self.report.seed}/{block}")
        kept = chance.choice(self._entered)
        door = self._doors[chance.choice(self._order)]
        # Configurations name the folder: every room lies where the recorded one lay.
        live = self._folder / "live"
        shutil.rmtree(live)
        shutil.copytree(kept, live)
        room = Room(live, self._now)
        try:
            self._cases(room, door, block, chance, only)
            if only is None:
                self._block_end(room, door.name, block)
        finally:
            room.close()

    def _cases(self, room: Room, door: Any, block: int, chance: random.Random, only: int | None) -> None:
        before: dict[str, bytes] = {}
        if door is self._http:
            self._http.doors(room)
        upto = min(BLOCK, self.report.count - block * BLOCK)
        for at in range(upto):
            case = block * BLOCK + at
            if at % TOGETHER == 0:
                room.wait(500)
                room.greet()
                room.run()
                before = room.state()
            said = door.make(chance, room)
            aside, faults = room.put_aside(), len(room.wires.faults)
            found: list[str] = []
            invalid = False
            try:
                invalid, found = door.give(room, said)
            except Exception as error:  # noqa: BLE001  (whatever came of it is what is looked for)
                found = [f"raised {_where(error)}"]
            if room.put_aside() != aside:
                found.append("put aside")
            found += room.wires.faults[faults:]
            after = room.state()
            changed = [part for part, held in after.items() if held != before.get(part)]
            if invalid:
                self.report.invalid += 1
                found += [f"changed {part}" for part in changed]
            before = after
            self._count(door.name, said.how)
            for what in found:
                self._find(Finding(case, door.name, said.how, said.topic, what, _base64(said.payload)))
            if only == case:
                print(said, "invalid" if invalid else "open", found, changed)
                return

    def _block_end(self, room: Room, door: str, block: int) -> None:
        case = block * BLOCK + BLOCK - 1
        fault = room.recovers()
        if fault:
            self._find(Finding(case, door, "the whole block", "", fault, ""))
        self.report.done.append(block)
        self.report.rss_kb.append(rss_kb())
        self.report.statuses = {str(k): v for k, v in sorted(self._http.statuses.items())}

    def _count(self, door: str, how: str) -> None:
        cases, hows = self.report.cases, self.report.hows
        cases[door] = cases.get(door, 0) + 1
        hows[f"{door} {how}"] = hows.get(f"{door} {how}", 0) + 1

    def _find(self, finding: Finding) -> None:
        if len(self.report.findings) < MOST_FINDINGS:
            self.report.findings.append(finding)


def _where(error: BaseException) -> str:
    trace, last = error.__traceback__, ""
    while trace is not None:
        last = f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__} at {last}: {str(error)[:200]}"


def _base64(payload: bytes) -> str:
    return base64.b64encode(payload[:_KEPT_BYTES]).decode()


def rss_kb() -> int:
    """What this process holds in memory."""
    text = Path("/proc/self/statm").read_text()
    return int(text.split()[1]) * 4


def growth_kb(rss: list[int]) -> float:
    """How much a thousand cases add, by a straight line through the second half."""
    late = rss[len(rss) // 2 :]
    if len(late) < 10:
        return 0.0
    middle = (len(late) - 1) / 2
    mean = sum(late) / len(late)
    across = sum((at - middle) * (held - mean) for at, held in enumerate(late))
    return across / sum((at - middle) ** 2 for at in range(len(late)))


def undone(campaign: Campaign) -> Iterator[int]:
    done = set(campaign.report.done)
    return (block for block in campaign.blocks() if block not in done)
