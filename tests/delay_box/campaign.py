"""Hours at a delay box on a virtual clock, in which everything fails: no picture may come out early.

The box is the real one but for its programs: node, line, playout, and a ring that is encrypted on a disk. Each
picture of the made-up camera says when it arrived, so that its age is known when it comes out. What must hold is
worked out here a second time, from what was said to the box.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

from feltwire.config import DelayConfig, SlateConfig
from feltwire.delay_box.line import LATE_MS, DelayLine
from feltwire.delay_box.node import DelayNode, Wait
from feltwire.delay_box.playout import GAP_MS, Playout, Slate
from feltwire.delay_box.process import slate_of
from feltwire.delay_box.ring import Ring
from feltwire.delay_box.transport_stream import CLOCK, PACKET, VIDEO, WRAPS, after, decoded_at, packets, pid_of
from feltwire.runtime.node_io import Arrived, BusDown, BusUp
from table_core.messages import AirDelay, Millis, encode

HOUR_MS = 3_600_000
PICTURE_MS = 100
KEY_EACH = 10  # pictures
FLOOR_MS, LATENCY_MS = 20_000, 400
LONGEST_S = 150
AIR = "fw/hall/process/relay/air"
MARK = b"\xfefeltwire"
FAULTS = (
    *("delay", "delay", "delay", "no number", "garbage", "bus", "lost", "lost", "new source", "killed", "killed"),
    *("disk full", "damaged", "stuck", "slept", "burst", "power cut"),
)


@dataclass
class Report:
    """What a run saw. `done`: hours that are over."""

    seed: int
    hours: int
    shard: str
    done: list[int] = field(default_factory=list)
    pictures: int = 0  # that went out
    early: int = 0
    late: int = 0
    black_ms: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    finished: bool = False


def picture(time: int, arrived: int, *, key: bool) -> bytes:
    """One packet with a whole picture, which says when it arrived."""
    stamp = time % WRAPS
    times = bytes(
        (
            *(0x21 | stamp >> 29 & 0x0E, stamp >> 22 & 0xFF, stamp >> 14 & 0xFE | 1),
            *(stamp >> 7 & 0xFF, stamp << 1 & 0xFE | 1),
        )
    )
    unit = b"\0\0\1\xe0\0\0\x80\x80\x05" + times + MARK + arrived.to_bytes(8, "big")
    stuffing = PACKET - 4 - 2 - len(unit)
    header = bytes((0x47, 0x40 | VIDEO >> 8, VIDEO & 0xFF, 0x30, 1 + stuffing, 0x40 if key else 0))
    return header + b"\xff" * stuffing + unit


@cache
def small_slate() -> Slate:
    small = SlateConfig(width=64, height=64, fps="25", audio=False)
    return slate_of(DelayConfig("hall", "/none", "x.ts", "y.ts", "1", slate=small))


class Hour:
    """One hour of a story, told by its seed and number."""

    def __init__(self, report: Report, number: int, folder: Path) -> None:
        self.report, self.number, self.folder = report, number, folder
        self.chance = Random(f"{report.seed}/{number}")
        self.now = self.chance.randrange(10**6, WRAPS // CLOCK)
        self.told: float | None = None  # what the broker keeps
        self.known: float | None = None  # what this life of the box was told
        self.stamp = self.chance.randrange(WRAPS)
        self.count = 0
        self.silent_until = self.stuck_until = self.refuses_until = self.burst_until = 0
        self.last_out = self.now
        self.ring: Ring | None = None
        self._start()

    # ------------------------------------------------------------------------------ the box

    def _start(self) -> None:
        """A life of the box begins; the last one left nothing."""
        if self.ring is not None:
            self.ring.close()
        config = DelayConfig("hall", "/none", "x.ts", "y.ts", str(FLOOR_MS // 1_000), "", LATENCY_MS)
        self.ring = Ring(self.folder, LONGEST_S * (1_000 // PICTURE_MS) * 300)
        self.disk = os.dup(self.ring._file)
        self.line = DelayLine(self.ring)
        self.node = DelayNode(config)
        self.playout = Playout(self.line, small_slate())
        self.counters: dict[int, int] = {}
        self.times: dict[int, int] = {}
        self.known = None
        self._say(BusUp())
        if self.told is not None:
            self._tell(self.told)

    def _say(self, given: Arrived | BusUp | BusDown) -> None:
        for effect in self.node.step(given, Millis(self.now))[0]:
            if isinstance(effect, Wait):
                self.line.set_wait(effect.wait)

    def _tell(self, air_s: float | None) -> None:
        self.known = air_s
        self._say(Arrived(AIR, encode(AirDelay(air_s))))

    def wanted_ms(self) -> int | None:
        """How old a picture must be now; None: none may come."""
        return None if self.known is None else max(round(self.known * 1_000) - LATENCY_MS, FLOOR_MS)

    # ------------------------------------------------------------------------------ the hour

    def play(self, ms: int) -> None:
        self.told = float(self.chance.choice((25, 40, 60)))
        self._tell(self.told)
        ends = self.now + ms
        next_fault = self.now + 60_000
        while self.now < ends:
            self.now += PICTURE_MS
            if self.now >= next_fault:
                self._fail(self.chance.choice(FAULTS))
                next_fault = self.now + self.chance.randrange(1_000, 150_000)
            if self.now >= self.refuses_until > 0:
                self._mend_disk()
            self._films()
            if self.now >= self.stuck_until:
                self._judge(self.playout.step(Millis(self.now)))
        if self.refuses_until:
            self._mend_disk()
        assert self.ring is not None
        os.close(self.disk)
        self.ring.close()

    def _films(self) -> None:
        if self.now < self.silent_until:
            return
        for _ in range(20 if self.now < self.burst_until else 1):
            self.line.arrive(Millis(self.now), picture(self.stamp, self.now, key=self.count % KEY_EACH == 0))
            self.count += 1
            self.stamp += PICTURE_MS * CLOCK
        if self.now < self.burst_until:
            self.stamp -= 19 * PICTURE_MS * CLOCK

    def _fail(self, fault: str) -> None:
        self.report.faults[fault] = self.report.faults.get(fault, 0) + 1
        long = self.chance.randrange(300, 30_000)
        match fault:
            case "delay":
                self.told = round(self.chance.uniform(0, 90), 3)
                self._tell(self.told)
            case "no number":
                self.told = None
                self._tell(None)
            case "garbage":
                self.known = None
                self._say(
                    Arrived(AIR, self.chance.choice((b"", b"{}", b'{"air_s":"3"}', b'{"air_s":1e400}', b"\xff")))
                )
            case "bus":
                self._say(BusDown("cut"))
            case "lost":
                self.silent_until = self.now + long
                self.line.new_run()
                self.stamp = self.chance.randrange(WRAPS)
            case "new source":
                self.line.new_run()
                self.stamp, self.count = self.chance.randrange(WRAPS), self.chance.randrange(KEY_EACH)
            case "killed" | "power cut":
                if self.refuses_until:
                    self._mend_disk()
                os.close(self.disk)
                self._start()
            case "disk full":
                assert self.ring is not None
                full = os.open("/dev/full", os.O_RDWR)
                os.dup2(full, self.ring._file)
                os.close(full)
                self.refuses_until = self.now + long
            case "damaged":
                place = self.chance.randrange(LONGEST_S * 3_000 - 500)
                os.pwrite(self.disk, self.chance.randbytes(500), place)
            case "stuck":
                self.stuck_until = self.now + long
            case "slept":
                self.now += self.chance.randrange(1_000, 300_000)
            case "burst":
                self.burst_until = self.now + long

    def _mend_disk(self) -> None:
        assert self.ring is not None
        os.dup2(self.disk, self.ring._file)
        self.refuses_until = 0

    # ------------------------------------------------------------------------------ who looks

    def _judge(self, out: bytes) -> None:
        wanted, live = self.wanted_ms(), False
        for packet in packets(out):
            self._is_one_stream(packet)
            place = packet.find(MARK)
            if place < 0:
                continue
            live = True
            self.report.pictures += 1
            age = self.now - int.from_bytes(packet[place + len(MARK) : place + len(MARK) + 8], "big")
            if wanted is None or age < wanted:
                self.report.early += 1
                self._found(f"a picture of {age} ms goes out, and {wanted} are asked for")
            elif age > wanted + LATE_MS:
                self.report.late += 1
                self._found(f"a picture of {age} ms goes out late, {wanted} are asked for")
        if live:
            self.last_out = self.now
        elif self.now - self.last_out >= GAP_MS:
            self.report.black_ms += PICTURE_MS
            if not out and self.now - self.last_out > 2 * GAP_MS:
                self._found("neither a picture nor the slate goes out")

    def _is_one_stream(self, packet: bytearray) -> None:
        pid = pid_of(packet)
        if packet[3] & 0x10:
            count = packet[3] & 0x0F
            if pid in self.counters and count != (self.counters[pid] + 1) & 0x0F:
                self._found(f"the counter of stream {pid} steps")
            self.counters[pid] = count
        time = decoded_at(packet)
        if time is not None:
            if pid in self.times and after(time, self.times[pid]) <= 0:
                self._found(f"the time of stream {pid} steps back")
            self.times[pid] = time

    def _found(self, what: str) -> None:
        if len(self.report.findings) < 20:
            self.report.findings.append(f"hour {self.number}, at {self.now}: {what}")


def hours(report: Report) -> list[int]:
    """Those of its shard."""
    part, of = map(int, report.shard.split("/"))
    return [number for number in range(report.hours) if number % of == part - 1]


def play(report: Report, number: int, folder: Path, ms: int = HOUR_MS) -> None:
    Hour(report, number, folder).play(ms)
    report.done.append(number)


# --------------------------------------------------------------------------------- planted faults


def _a_second_early(self: DelayLine, wait: Millis | None) -> None:
    self._wait = None if wait is None else Millis(wait - 1_000)


def _without_floor(delay: Millis | None, floor: Millis | None, latency: int) -> Millis | None:
    return None if delay is None or floor is None else Millis(delay - latency)


def _keeps_what_it_knows(self: DelayNode, given: Arrived) -> Iterator[object]:
    from table_core.messages import Malformed, decode

    if given.topic == AIR:
        try:
            told = decode(given.payload, AirDelay)
        except Malformed:
            return
        self._told = told if told.air_s is not None else self._told
    yield from ()


def _goes_out_whenever(self: Playout, run: int, data: bytes, now: Millis) -> Iterator[bytes]:
    self._run, self._live_at = run, now
    return (bytes(packet) for packet in packets(data))


PLANTED = {
    "a second early": lambda: patch.object(DelayLine, "set_wait", _a_second_early),
    "no floor": lambda: patch("feltwire.delay_box.node.wait_of", _without_floor),
    "a delay that is no number is passed over": lambda: patch.object(DelayNode, "_hear", _keeps_what_it_knows),
    "what is late goes out": lambda: patch("feltwire.delay_box.line.LATE_MS", 10**9),
    "the picture is not joined": lambda: patch.object(Playout, "_picture", _goes_out_whenever),
}
