"""`python -m tests.room.slow --hands 20 --seed 1`: a room on a slow machine, beside the same room on a fast one.

A room of one table for each pace, with the same seed: real processes, device bytes, rendered frames.

- `fast`: as the machine is.
- `shared`: every process of the room on one core, with a busy loop on it.
- `busy`: as the machine is, with a busy loop on every core.
- `quarter`: every process of the room on one core, and for 25 ms of each 100 ms only, as a processor quota has it.
- `stalls`: as the machine is; camera, disk or broker stand still for three seconds, in turn at random.

What the room got of the core is measured and reported. The simulated dealer and the rendering of the camera's
pictures are part of the room. The report (JSON) grows with every room, so that a run can be resumed.
Exit status: 0 no chip and no card wrong and nothing restarted, 1 something was, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from feltwire.config import TableConfig, load
from feltwire.lab.demo.check import check_table, latencies, quantile
from feltwire.lab.demo.room import RoomPlan
from feltwire.runtime.children import ChildSpec, Supervisor
from feltwire.tools.shard import shard
from table_core.messages import (
    UNKNOWN_CARD,
    Asked,
    BoardDealt,
    BoardRead,
    Envelope,
    Frozen,
    HandStarted,
    Noticed,
    Refused,
)
from tests.powercuts.shim import Disk
from tests.room.open_room import TABLE, OpenRoom

PACES = ("fast", "shared", "busy", "quarter", "stalls")
RUN_S, REST_S = 0.025, 0.075  # of `quarter`
STALL_S = 3.0
STALL_EVERY_S = (4.0, 12.0)
STALLED = ("camera", "disk", "broker")
TICKS = os.sysconf("SC_CLK_TCK")
LONGEST_S = 1_800.0  # of one room


class Dealt(Frozen, frozen=True):
    """One room. `right`: hands with the true stacks and cards on the screen; `boards_unknown`: streets that were
    recorded as `??`, `boards_unread` of them never read later. `questions` by kind. `refused`: presses of a dealer
    who presses what is right. `cores`: what the room got, in cores; `others`: the load of the machine."""

    seed: int
    pace: str
    hands: int
    right: int
    lost: int
    misread: int
    unread: int
    boards_unknown: int
    boards_unread: int
    questions: dict[str, int]
    refused: dict[str, int]
    notices: dict[str, int]
    corrections: int
    counted: int
    restarts: int
    stalls: dict[str, int]
    p50_ms: float | None
    p99_ms: float | None
    seconds: float
    cores: float
    others: float
    wrong: tuple[str, ...]

    @property
    def failed(self) -> bool:
        return bool(self.lost or self.misread or self.restarts or self.wrong)


class Report(Frozen, frozen=True):
    hands: int
    dealt: tuple[Dealt, ...]


def main(argv: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    part, parts = args.shard
    every = [(seed, pace) for seed in range(args.seed, args.seed + args.seeds) for pace in args.paces]
    dealt = _resumed(args)
    done = {(one.seed, one.pace) for one in dealt}
    todo = [one for one in every[part - 1 :: parts] if one not in done]
    for seed, pace in todo[: args.limit]:
        one = deal(pace, seed, args.hands, speed=args.speed, core=args.core)
        dealt.append(one)
        args.report.write_bytes(
            msgspec.json.format(msgspec.json.encode(Report(args.hands, tuple(dealt))), indent=1)
        )
        if not args.json:
            print(f"seed {seed}, {pace}: {one.right} of {one.hands} hands right", file=sys.stderr)
    for one in dealt:
        print(msgspec.json.encode(one).decode() if args.json else in_words(one))
    return 1 if any(one.failed for one in dealt) else 0


def in_words(one: Dealt) -> str:
    """A figure a line."""
    an_hour = 3600 / max(1.0, one.seconds)
    asked = ", ".join(f"{kind} {count}" for kind, count in sorted(one.questions.items())) or "none"
    refused = ", ".join(f"{count} × {text}" for text, count in sorted(one.refused.items())) or "none"
    wrong = "; ".join(one.wrong) or "nothing"
    lines = [
        f"seed {one.seed}, {one.pace}: {one.cores} cores, load of the machine {one.others}",
        f"  hands {one.hands} in {one.seconds:.0f} s, right {one.right}, wrong {wrong}",
        f"  lost {one.lost}, cards misread {one.misread}, unread {one.unread}",
        f"  streets recorded as ?? {one.boards_unknown}, never read {one.boards_unread}",
        f"  questions {sum(one.questions.values())} ({asked}), "
        f"{sum(one.questions.values()) * an_hour:.1f} an hour, "
        f"{100 * sum(one.questions.values()) / max(1, one.hands):.0f} per 100 hands",
        f"  refused presses {sum(one.refused.values())} ({refused})",
        f"  corrections {one.corrections}, stacks counted {one.counted}, restarts {one.restarts}",
        f"  press to screen: p50 {one.p50_ms} ms, p99 {one.p99_ms} ms",
    ]
    if one.stalls:
        lines.append("  stalls: " + ", ".join(f"{what} {count}" for what, count in sorted(one.stalls.items())))
    return "\n".join(lines)


# ---------------------------------------------------------------------------------------------- a room


def deal(pace: str, seed: int, hands: int, *, speed: float = 0.0, core: int = 0) -> Dealt:
    """A room of one table, at this pace."""
    folder = Path(tempfile.mkdtemp(prefix="feltwire-slow-"))
    disk = Disk(folder / "room" / "data")
    cable = Cable()
    pinned = pace in ("shared", "quarter")

    def child(spec: ChildSpec) -> ChildSpec:
        spec = disk.under(spec) if spec.name == f"table-{TABLE}" else spec
        return replace(spec, argv=("taskset", "-c", str(core), *spec.argv)) if pinned else spec

    def prepare(plan: RoomPlan) -> None:
        file = plan.folder / f"table-{TABLE}.toml"
        config = load(str(file), TableConfig)
        path = config.camera.source.partition(":")[2]
        cable.lay(Path(path), Path(path + "-x"))
        camera = replace_struct(config.camera, source=f"socket:{path}-x")
        file.write_bytes(msgspec.toml.encode(replace_struct(config, camera=camera)))

    room = OpenRoom(folder / "room", seed=seed, speed=speed, back_s=None, child=child, prepare=prepare)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(cable.close)
        stack.enter_context(room)
        press = Pressure(room.supervisor, disk, cable, random.Random(seed))
        stack.enter_context(press.of(pace, core))
        began, used = time.monotonic(), _used(room.supervisor)
        room.wait(lambda: len(room.hands) >= hands - 1, f"{hands} hands are dealt", LONGEST_S)
        took, used = time.monotonic() - began, _used(room.supervisor) - used
        press.stop()
        room.end_dealing()
        return _figures(room, pace, seed, took, used / took, press.stalls)


replace_struct = msgspec.structs.replace


class Cable:
    """Between a camera and its table: while it `stalls`, nothing passes."""

    def __init__(self) -> None:
        self.passes = threading.Event()
        self.passes.set()
        self._socket: socket.socket | None = None
        self._threads: list[threading.Thread] = []

    def lay(self, camera: Path, table: Path) -> None:
        self._camera = camera
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(str(table))
        self._socket.listen()
        self._begin(self._accept)

    def close(self) -> None:
        self.passes.set()
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)  # else whoever waits for the next one waits for ever
            self._socket.close()
        for thread in self._threads:
            thread.join()

    def _begin(self, work: Callable[..., None], *ends: socket.socket) -> threading.Thread:
        thread = threading.Thread(target=work, args=ends, daemon=True)
        self._threads.append(thread)
        thread.start()
        return thread

    def _accept(self) -> None:
        assert self._socket is not None
        with contextlib.suppress(OSError):
            while True:
                self._begin(self._join, self._socket.accept()[0])

    def _join(self, table: socket.socket) -> None:
        """Carry between a table that has come and its camera, until one of them leaves."""
        with table, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as camera, contextlib.suppress(OSError):
            camera.connect(str(self._camera))
            back = self._begin(self._carry, camera, table)
            self._carry(table, camera)
            back.join()

    def _carry(self, source: socket.socket, to: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 20):
                self.passes.wait()
                to.sendall(data)
        for end in (source, to):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@dataclass
class Pressure:
    """What makes a room slow."""

    supervisor: Supervisor
    disk: Disk
    cable: Cable
    drawn: random.Random
    stalls: Counter[str] = field(default_factory=Counter)
    stopping: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        self.stopping.set()

    @contextlib.contextmanager
    def of(self, pace: str, core: int) -> Iterator[None]:
        work = {"quarter": self._quota, "stalls": self._stall}.get(pace)
        thread = threading.Thread(target=work, daemon=True) if work is not None else None
        on = {"shared": [core], "busy": sorted(os.sched_getaffinity(0))}.get(pace, [])
        loops = [_busy_loop(one) for one in on]
        if thread is not None:
            thread.start()
        try:
            yield
        finally:
            self.stop()
            for loop in loops:
                loop.kill()
                loop.wait()
            if thread is not None:
                thread.join()

    def _quota(self) -> None:
        """Every process runs for 25 ms of each 100, all at once."""
        while not self.stopping.is_set():
            self._signal(signal.SIGSTOP)
            time.sleep(REST_S)
            self._signal(signal.SIGCONT)
            time.sleep(RUN_S)

    def _signal(self, what: signal.Signals) -> None:
        for name in self.supervisor.names:
            self.supervisor.kill(name, sig=what)

    def _stall(self) -> None:
        while not self.stopping.wait(self.drawn.uniform(*STALL_EVERY_S)):
            what = self.drawn.choice(STALLED)
            self.stalls[what] += 1
            if what == "camera":
                self.cable.passes.clear()
                self.stopping.wait(STALL_S)
                self.cable.passes.set()
            elif what == "disk":
                with self.disk.failing(f"slow {round(STALL_S * 1000)}"):
                    self.stopping.wait(0.3)  # one sync, or two
            else:
                self.supervisor.kill("broker", sig=signal.SIGSTOP)
                self.stopping.wait(STALL_S)
                self.supervisor.kill("broker", sig=signal.SIGCONT)


def _busy_loop(core: int) -> subprocess.Popen[bytes]:
    argv = ["taskset", "-c", str(core), sys.executable, "-c", "while True: pass"]
    return subprocess.Popen(argv, start_new_session=True)


def _used(supervisor: Supervisor) -> float:
    """Processor seconds of every process of the room so far."""
    used = 0.0
    for name in supervisor.names:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{supervisor.pid(name)}/stat").read_text().rpartition(")")[2].split()
            used += (int(fields[11]) + int(fields[12])) / TICKS
    return used


def _figures(room: OpenRoom, pace: str, seed: int, seconds: float, cores: float, stalls: dict[str, int]) -> Dealt:
    pages = {name: watcher.channels for name, watcher in room.watchers.items()}
    table, lost, twice = check_table(room.files, TABLE, pages, room.truth)
    logged = [envelope for envelope, _ in room.files.envelopes(TABLE)]
    presses = latencies(logged, pages[f"/table/{TABLE}"][f"table/{TABLE}"], room.truth.tables[TABLE].sent)
    unknown, never = _boards(logged)
    hands = room.hands
    return Dealt(
        seed=seed,
        pace=pace,
        hands=len(hands),
        right=sum(hand.stacks_agree and not hand.misread and not hand.unread for hand in hands),
        lost=lost + twice,
        misread=sum(hand.misread for hand in hands),
        unread=sum(hand.unread for hand in hands),
        boards_unknown=unknown,
        boards_unread=never,
        questions=Counter(one.data.kind.partition("-")[0] for one in logged if isinstance(one.data, Asked)),
        refused=Counter(one.data.reason for one in logged if isinstance(one.data, Refused)),
        notices=Counter(one.data.kind for one in logged if isinstance(one.data, Noticed)),
        corrections=sum(hand.corrections for hand in hands),
        counted=sum(hand.counts for hand in hands),
        restarts=sum(room.supervisor.starts(name) - 1 for name in room.supervisor.names),
        stalls=dict(stalls),
        p50_ms=quantile(presses, 0.5),
        p99_ms=quantile(presses, 0.99),
        seconds=round(seconds, 1),
        cores=round(cores, 2),
        others=round(os.getloadavg()[0], 1),
        wrong=table.mismatched,
    )


def _boards(logged: Sequence[Envelope]) -> tuple[int, int]:
    """How many streets were recorded as unknown, and how many hands have cards of them unknown at their end."""
    unknown = never = 0
    board: list[str] = []
    for one in logged:
        match one.data:
            case HandStarted():
                never += UNKNOWN_CARD in board
                board = []
            case BoardDealt(cards=cards):
                unknown += UNKNOWN_CARD in cards
                board += cards
            case BoardRead(cards=cards):
                board = [*cards]
    return unknown, never + (UNKNOWN_CARD in board)


# ------------------------------------------------------------------------------------------ the command


def _resumed(args: argparse.Namespace) -> list[Dealt]:
    if not args.resume or not args.report.exists():
        return []
    before = msgspec.json.decode(args.report.read_bytes(), type=Report)
    if before.hands != args.hands:
        raise SystemExit(f"{args.report} is of {before.hands} hands: name another report")
    return list(before.dealt)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.room.slow", description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=20, metavar="N", help="in each room (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="so many seeds, from --seed on (1)")
    parser.add_argument("--paces", type=_paces, default=PACES, metavar="A,B", help=", ".join(PACES))
    parser.add_argument("--speed", type=float, default=0.0, help="1 a live table, 0 as fast as acknowledged (0)")
    parser.add_argument("--core", type=int, default=0, help="of `shared` and `quarter` (0)")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many rooms in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--report", type=Path, default=Path("slow.json"), metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one object a room, a line each")
    return parser


def _paces(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := [name for name in names if name not in PACES]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(PACES)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
