"""What evaluations count, summed by tag; and reports of long runs, that go on where they were stopped."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

ALL = "all"  # the tag of everything


@dataclass
class Tally:
    """How often each thing was found, and the milliseconds of each look."""

    counts: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)

    def __getitem__(self, name: str) -> int:
        return self.counts[name]

    def row(self, columns: Iterable[str]) -> dict[str, float]:
        """The counts of these names; `share` is that of the cards that were read, `ms` the median."""
        worked_out = {
            "share": round(self["read"] / self["cards"], 4) if self["cards"] else 1.0,
            "ms": round(statistics.median(self.times), 1) if self.times else 0.0,
        }
        return {name: worked_out.get(name, self[name]) for name in columns}


class Sums:
    """Tallies by tag."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._tallies: dict[str, Tally] = defaultdict(Tally)

    def __getitem__(self, tag: str) -> Tally:
        return self._tallies.get(tag, Tally())

    def add(self, tags: Iterable[str], found: Mapping[str, int], ms: float) -> None:
        """Count what one look found under each of its tags once, and under `ALL`."""
        for tag in {ALL, *tags}:
            self._tallies[tag].counts.update(found)
            self._tallies[tag].times.append(ms)

    def rows(self) -> dict[str, dict[str, float]]:
        """The figures of each tag, those of everything first."""
        ordered = sorted(self._tallies, key=lambda tag: (tag != ALL, tag))
        return {tag: self._tallies[tag].row(self._columns) for tag in ordered}

    def table(self, title: str = "") -> list[str]:
        """The same as lines of text."""
        rows = self.rows()
        first = max(22, *(len(tag) + 2 for tag in (title, *rows)))
        widths = {name: max(8, len(name) + 2) for name in self._columns}
        head = f"{title:<{first}}" + "".join(f"{name:>{width}}" for name, width in widths.items())
        lines = (f"{tag:<{first}}" + "".join(f"{row[name]:>{width}}" for name, width in widths.items())
                 for tag, row in rows.items())  # fmt: skip
        return [head, *lines]


class ReportError(Exception):
    """A file that is no report: which, and what to do."""


class SceneLook(msgspec.Struct, frozen=True):
    """What was found at one look at a drawn scene: counts, milliseconds, and in words what was wrong."""

    tags: list[str]
    found: dict[str, int]
    ms: float
    wrong: list[str] = []


class SceneScore(msgspec.Struct, frozen=True):
    """What came out of one drawn scene, which its number and the seed decide."""

    seed: int
    scene: int
    looks: list[SceneLook]


def resumed(
    numbers: Iterable[int],
    known: Mapping[int, SceneScore],
    report: Path | None,
    score: Callable[[int], SceneScore],
) -> Iterator[SceneScore]:
    """The scores of scenes: those `known` from `load_report`, and new ones, which are added to the file `report`.

    Raise OSError where the report cannot be read or written.
    """
    if not report:
        yield from map(score, numbers)
        return
    with report.open("ab") as file:
        if report.stat().st_size and not report.read_bytes().endswith(b"\n"):
            file.write(b"\n")  # its last line was cut short
        for number in numbers:
            scored = known.get(number)
            if scored is None:
                scored = score(number)
                file.write(msgspec.json.encode(scored) + b"\n")
                file.flush()
            yield scored


def load_report(path: Path, seed: int, counted: str) -> dict[int, SceneScore]:
    """The scenes of this seed in whose looks such things are `counted`: a scene of cards is none of chips.

    A last line cut short by a kill is left out. Raise OSError where the report cannot be read, and `ReportError`
    where something else is in the file.
    """
    found: dict[int, SceneScore] = {}
    lines = path.read_bytes().splitlines() if path.exists() else []
    damaged = 0
    for line in lines:
        try:
            read = msgspec.json.decode(line, type=SceneScore)
        except (msgspec.DecodeError, UnicodeDecodeError):
            damaged += 1
            continue
        if read.seed == seed and all(counted in look.found for look in read.looks):
            found[read.scene] = read
    if lines and damaged == len(lines):
        raise ReportError(f"{path}: is no report of scenes; name another file")
    return found
