"""`feltwire bench`: speed and memory of our work, with other programs measured in the same run."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from feltwire.errors import UsageError
from feltwire.lab.bench.work import Measurement
from feltwire.private_files import python
from table_core.hand import hand

HELP = """Measure speed and memory, and the same work on other people's programs beside it.

Each measurement runs in a process of its own and counts processor time, `wire` the time that passes. Ours and
peers take turns, and the best of all rounds counts. Hands are played by `Hand.push`, as at a table;
`table.event` goes through unit of work and ledger. The first line says whether the hand engine is compiled;
more is promised then.
Exit status 1 when a promised ratio is missed. Peers come with `pip install -e .[dev]`."""
EXAMPLE = "feltwire bench evaluate equity --json"

COMPILED = not hand.__file__.endswith(".py")

_MORE_UNITS = ("hands/s", "evaluations/s")  # more is better; of ms and bytes less is


@dataclass(frozen=True, slots=True)
class Peer:
    """Whom ours is compared with, the work measured there, and how many times as good ours must be."""

    name: str
    work: str
    promised: float | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of ours (a key of `bench_work.WORK`), its peers, and what it may at most be."""

    name: str
    title: str
    peers: tuple[Peer, ...] = ()
    limit: float | None = None


FIGURES = (
    Figure(
        "hands.check-down",
        "six players check to showdown, by Hand.push",
        (
            Peer("texasholdem", "hands.check-down/texasholdem", 8 if COMPILED else 5),
            Peer("rlcard", "hands.check-down/rlcard"),
            Peer("pokerkit", "hands.check-down/pokerkit", 100),
        ),
    ),
    Figure(
        "hands.random",
        "six players act at random, by Hand.push",
        (
            Peer("texasholdem", "hands.random/texasholdem", 8 if COMPILED else 5),
            Peer("rlcard", "hands.random/rlcard"),
            Peer("pokerkit", "hands.random/pokerkit"),
        ),
    ),
    Figure("table.event", "a check-down in a table's unit of work: decided, encoded, signed, committed"),
    Figure(
        "evaluate.one",
        "seven cards, one hand a call",
        (Peer("phevaluator", "evaluate/phevaluator", 0.5 if COMPILED else 0.3),),
    ),
    Figure("evaluate.many", "seven cards, in arrays", (Peer("phevaluator", "evaluate/phevaluator", 2.5),)),
    Figure("equity.heads-up", "heads-up before the flop", (Peer("phevaluator loop", "equity/phevaluator", 500),)),
    Figure("equity.nine", "nine players before the flop", (Peer("heads-up loop", "equity/phevaluator", 400),)),
    Figure(
        "equity.slowest",
        "slowest of 60 spots, two to nine players, dead cards",
        (Peer("heads-up loop", "equity/phevaluator", 400),),
    ),
    Figure("equity.flop", "three players on the flop"),
    Figure(
        "vision.still", "a picture of 1920 x 1080 in which nothing moved", (Peer("ArUco", "vision/aruco", 10),)
    ),
    Figure(
        "vision.changed",
        "the dearest picture after ten faces and six backs moved",
        (Peer("ArUco", "vision/aruco", 0.5),),
    ),
    Figure(
        "wire.p50",
        "a press: from the write of its frame to the table's observation, the middle of all",
        (Peer("bare round trip", "wire.p50/terminal"),),
    ),
    Figure("wire.p99", "99 of 100 presses take no longer", (Peer("bare round trip", "wire.p99/terminal"),)),
    Figure("memory.hand", "a hand at showdown beside its log", limit=4_096),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names = ", ".join(figure.name for figure in FIGURES)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"figures or groups of them: {names}")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured (3); the best counts")
    parser.add_argument("--seconds", type=float, default=0.7, help="how long each measurement takes (0.7)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line on stdout")


def run(args: argparse.Namespace) -> int:
    """Measure and print; exit status 1 when a figure is missed. Raise `UsageError` for bad arguments."""
    figures = chosen(args.names)
    if args.rounds < 1 or args.seconds <= 0:
        raise UsageError("--rounds and --seconds must be more than 0")
    measured = _measure_all(figures, args.rounds, args.seconds)
    kept = True
    if not args.json:
        print(f"hand engine: {'compiled' if COMPILED else 'interpreted'}")
    for figure in figures:
        for line in lines_of(figure, measured):
            kept = kept and line.holds is not False
            print(json.dumps(line.as_json()) if args.json else line.as_text())
    return 0 if kept else 1


def chosen(names: Sequence[str]) -> tuple[Figure, ...]:
    """Figures by name or by group (`"equity"`), all for no names. Raise `UsageError` for a name that is none."""
    for name in names:
        if not any(_is_called(figure, name) for figure in FIGURES):
            known = ", ".join(figure.name for figure in FIGURES)
            raise UsageError(f"no figure is called {name!r}; one of {known}, or a group such as equity")
    return tuple(figure for figure in FIGURES if not names or any(_is_called(figure, name) for name in names))


@dataclass(frozen=True, slots=True)
class BenchLine:
    """One line of the report: a measurement, or a ratio (unit `×`) with what was promised of it."""

    name: str
    value: float
    unit: str
    n: int
    title: str = ""
    promised: float | None = None
    holds: bool | None = None

    def as_json(self) -> dict[str, object]:
        line: dict[str, object] = {"name": self.name, "value": self.value, "unit": self.unit, "n": self.n}
        return line if self.holds is None else line | {"promised": self.promised, "holds": self.holds}

    def as_text(self) -> str:
        text = f"{self.name:<34}{_rounded(self.value):>14} {self.unit:<14}{self.title}"
        if self.holds is None:
            return text.rstrip()
        bound = "at least" if self.unit == "×" else "at most"
        return f"{text.rstrip()}  {bound} {self.promised:,g} promised: {'kept' if self.holds else 'MISSED'}"


def lines_of(figure: Figure, measured: dict[str, Measurement]) -> Iterator[BenchLine]:
    """The lines of one figure: ours, each peer's, and how they compare."""
    ours = measured[figure.name]
    holds = None if figure.limit is None else ours.value <= figure.limit
    yield BenchLine(figure.name, ours.value, ours.unit, ours.n, figure.title, figure.limit, holds)
    for peer in figure.peers:
        theirs = measured[peer.work]
        yield BenchLine(f"{figure.name} {peer.name}", theirs.value, theirs.unit, theirs.n)
        more = ours.unit in _MORE_UNITS
        ratio = ours.value / theirs.value if more else theirs.value / ours.value
        kept = None if peer.promised is None else ratio >= peer.promised
        yield BenchLine(
            f"{figure.name} to {peer.name}", ratio, "×", min(ours.n, theirs.n), "", peer.promised, kept
        )


def _measure_all(figures: Sequence[Figure], rounds: int, seconds: float) -> dict[str, Measurement]:
    """The best measurement of each work. Ours and peers take turns, so that a busy minute spoils both."""
    works = list(dict.fromkeys(work for figure in figures for work in (figure.name, *_peer_works(figure))))
    best: dict[str, Measurement] = {}
    for turn in range(rounds):
        for number, work in enumerate(works, 1):
            _show_progress(f"round {turn + 1} of {rounds}, {number} of {len(works)}: {work}")
            measured = _in_own_process(work, seconds)
            best[work] = _better(best.get(work, measured), measured)
    _show_progress("")
    return best


def _in_own_process(work: str, seconds: float) -> Measurement:
    command = python("feltwire.lab.bench.work", work, str(seconds))
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise UsageError(
            f"{work} could not be measured: {' '.join(reason)}. Peers come with: pip install -e .[dev]"
        )
    return msgspec.json.decode(done.stdout, type=Measurement)


def _better(one: Measurement, other: Measurement) -> Measurement:
    choose = max if one.unit in _MORE_UNITS else min
    return choose(one, other, key=lambda measured: measured.value)


def _is_called(figure: Figure, name: str) -> bool:
    return name in (figure.name, figure.name.partition(".")[0])


def _peer_works(figure: Figure) -> list[str]:
    return [peer.work for peer in figure.peers]


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"


def _show_progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
