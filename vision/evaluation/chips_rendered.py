"""Counts rendered chips that the reader never met: `python -m vision.evaluation.chips_rendered --seed 1`.

Four proofs. *photo*: plain pictures of chips flat and over each other, with cards, backs and hands about, on felt
and wood; counted once by colour words and once with a set that was enrolled from a picture under another light. A
cell is one colour of one picture. *zone*: stacks of one to six chips in a betting zone of a calibrated table, far
from and near to the point under the camera; a value is right, withheld, or wrong. *bet*: one to six chips spread
in such a zone, apart or over each other, in a house that spreads its bets, and looked at twice as a table does;
the same where nobody said that bets are spread, and where a player stacked them all the same (not counted as
wrong below: that house said otherwise). Its value is right (exact), its number known to one (range), or unread.
*odd*: a bounty chip, and a chip of another room, beside one of the set; *exact* is where it was told apart and
the value is of the other alone.

Every set of chips is drawn at random. Exits 1 when a cell or a value was wrong more often than `--most-wrong`.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chipset import ChipSet
from vision.chips.count import ColourCount, count_chips
from vision.chips.draw import draw_tags
from vision.chips.enrol import EnrolError, Given, enrol
from vision.chips.lab import Image
from vision.chips.zone import ZoneChipReader
from vision.evaluation.chips import verdict
from vision.synthetic.chips.art import WORDS, Design, random_design
from vision.synthetic.chips.picture import CHIP_MM, FELTS, WOODS, CameraPose, ChipStack, Lighting, Table, take

VALUES = (25, 100, 500, 1_000, 5_000, 25_000, 100_000)
SCENES_A_SET = 12
ZONE_MM = (140.0, 120.0)
RIM_MM = 8.0
AGAINST_THE_HOUSE = "bet, stacked"

CAMERAS = {
    "normal": (CameraPose(), Lighting()),
    "bright": (CameraPose(noise=1.5), Lighting(level=1.12)),
    "dim": (CameraPose(noise=4.0), Lighting(level=0.5, gradient=0.2)),
    "warm": (CameraPose(noise=3.0), Lighting(level=0.9, tint=(0.72, 0.92, 1.0))),
    "uneven": (CameraPose(), Lighting(gradient=0.3, shadow=(2.2, -1.4), shadow_dark=0.45)),
    "soft lens": (CameraPose(blur_px=1.3, noise=2.5), Lighting()),
    "coarse JPEG": (CameraPose(noise=3.0, jpeg=50), Lighting()),
}


@dataclass
class ConditionTally:
    """Verdicts of one condition, and milliseconds."""

    verdicts: collections.Counter[str] = field(default_factory=collections.Counter)
    times: list[float] = field(default_factory=list)

    def row(self) -> dict[str, float]:
        verdicts = {name: self.verdicts[name] for name in ("exact", "range", "unread", "wrong")}
        return {"cells": sum(verdicts.values()), **verdicts, "ms": round(float(np.median(self.times or [0])), 1)}


@dataclass(frozen=True)
class Room:
    """One random set of chips on one random cloth, and what was enrolled of it."""

    designs: tuple[Design, ...]
    cloth: tuple[int, int, int]
    wood: bool
    chips: ChipSet


def a_room(rng: random.Random) -> Room:
    """A room whose chips its camera can tell apart: a real room would choose others too."""
    while True:
        words = rng.sample(list(WORDS), rng.randint(4, 6))
        wood = rng.random() < 0.3
        cloth = rng.choice(WOODS if wood else FELTS)
        designs = tuple(random_design(rng, word) for word in words)
        if any(_near(design.body, cloth) for design in designs):
            continue
        table = Table(110.0 * len(words) + 60, 240.0, 1.5, cloth, wood)
        for i, design in enumerate(designs):
            table.chips.append(
                ChipStack(design, 80.0 + 110 * i, 120.0 + rng.uniform(-20, 20), 1, rng.uniform(0, 360))
            )
        picture = take(table, CameraPose(foot=(table.width_mm / 2, 120.0)), Lighting(), rng)
        given = [Given(value) for value in VALUES[: len(words)]]
        try:
            return Room(designs, cloth, wood, enrol(picture, given, diameter_mm=CHIP_MM).chips)
        except EnrolError:
            continue


def _near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) < 120


def thrown(rng: random.Random, designs: tuple[Design, ...], across: float, down: float) -> list[ChipStack]:
    """Up to twelve chips, flat; some touch or lie over each other, none hides another."""
    chips: list[ChipStack] = []
    for _ in range(rng.randint(1, 12)):
        for _ in range(40):
            if chips and rng.random() < 0.5:
                near, turn = rng.choice(chips), rng.uniform(0, 2 * math.pi)
                far = CHIP_MM * rng.choice((rng.uniform(0.5, 1.0), 1.01))
                x, y = near.x + far * math.cos(turn), near.y + far * math.sin(turn)
            else:
                x, y = rng.uniform(60, across - 60), rng.uniform(60, down - 60)
            inside = 40 < x < across - 40 and 40 < y < down - 40
            close = [other for other in chips if math.hypot(x - other.x, y - other.y) < 1.02 * CHIP_MM]
            if inside and len(close) <= 2 and all(math.hypot(x - o.x, y - o.y) > 0.49 * CHIP_MM for o in close):
                chips.append(ChipStack(rng.choice(designs), x, y, 1, rng.uniform(0, 360)))
                break
    return chips


def photo_scene(rng: random.Random, room: Room, px_per_mm: float) -> tuple[Table, dict[str, int]]:
    across, down = 1280 / px_per_mm, 853 / px_per_mm
    table = Table(across, down, px_per_mm, room.cloth, room.wood)
    table.chips = thrown(rng, room.designs, across * 0.62, down)
    for _ in range(rng.randint(0, 5)):
        table.cards.append(
            (
                rng.uniform(0.76, 0.95) * across,
                rng.uniform(0.1, 0.9) * down,
                rng.uniform(0, 360),
                rng.random() < 0.5,
            )
        )
    if rng.random() < 0.3:
        table.hands.append((rng.uniform(0.78, 0.9) * across, rng.uniform(0.2, 0.8) * down, rng.uniform(-0.5, 0.5)))
    truth = dict(collections.Counter(chip.design.word for chip in table.chips))
    return table, truth


def score_photo(
    rng: random.Random, room: Room, name: str, tallies: dict[str, ConditionTally], faults: Path | None, no: int
) -> None:
    px_per_mm = rng.uniform(0.85, 1.8)
    table, truth = photo_scene(rng, room, px_per_mm)
    camera, light = CAMERAS[name]
    camera = replace(camera, foot=(table.width_mm / 2, table.height_mm / 2))
    picture = take(table, camera, light, rng)
    words = [design.word for design in room.designs]
    by_value = {kind.colour: words[VALUES.index(kind.value)] for kind in room.chips.kinds}
    for how, chips in (("words", None), ("set", room.chips)):
        begun = time.perf_counter()
        counted = count_chips(picture, chips)
        tally = tallies[f"photo, {how}, {name}"]
        tally.times.append((time.perf_counter() - begun) * 1e3)
        said = {by_value.get(c.colour, c.colour) if chips else c.colour: c for c in counted.counts}
        verdicts = collections.Counter(
            verdict(said.get(word, ColourCount(word, None)), truth.get(word, 0))
            for word in dict.fromkeys((*words, *(w for w, c in said.items() if c.low)))
        )
        tally.verdicts += verdicts
        if verdicts["wrong"] and faults is not None:
            cv2.imwrite(str(faults / f"{how}-{no}.png"), draw_tags(picture, counted.tags))


def score_zone(
    rng: random.Random, room: Room, name: str, tallies: dict[str, ConditionTally], faults: Path | None, no: int
) -> None:
    px_per_mm = rng.choice((0.96, 0.96, 1.5, 2.0))
    camera, light = CAMERAS[name]
    far, turn = rng.uniform(0, 850), rng.uniform(0, 2 * math.pi)
    middle = (ZONE_MM[0] / 2 + RIM_MM, ZONE_MM[1] / 2 + RIM_MM)
    camera = replace(camera, foot=(middle[0] - far * math.cos(turn), middle[1] - far * math.sin(turn)))
    table = Table(ZONE_MM[0] + 2 * RIM_MM, ZONE_MM[1] + 2 * RIM_MM, px_per_mm, room.cloth, room.wood)
    places = [(-33, -25), (33, -25), (-33, 28), (33, 28)]
    rng.shuffle(places)
    for x, y in places[: rng.choice((0, 1, 1, 1, 2, 2, 3, 4))]:
        count = rng.choice((1, 1, 1, 2, 3, 4, 6))
        at = (middle[0] + x + rng.uniform(-4, 4), middle[1] + y + rng.uniform(-4, 4))
        table.chips.append(ChipStack(rng.choice(room.designs), *at, count, rng.uniform(0, 360)))
    picture = take(table, camera, light, rng)
    begun = time.perf_counter()
    lean = (far * math.cos(turn) / camera.height_mm, far * math.sin(turn) / camera.height_mm)
    seen = ZoneChipReader(room.chips, px_per_mm).read(picture, _Whole(picture), _cloth_of(picture), lean)
    words = [design.word for design in room.designs]
    value = sum(chip.count * VALUES[words.index(chip.design.word)] for chip in table.chips)
    pieces = sum(chip.count for chip in table.chips)
    held = seen.low <= pieces and (seen.high is None or pieces <= seen.high)
    said = "exact" if seen.value == value else "wrong" if seen.value is not None or not held else "unread"
    lean_px = 3.25 * px_per_mm * far / camera.height_mm
    for key in (f"zone, {name}", f"zone, lean of a chip {min(4, int(lean_px * 2)) / 2:.1f} px or more"):
        tallies[key].times.append((time.perf_counter() - begun) * 1e3)
        tallies[key].verdicts[said] += 1
    if said == "wrong" and faults is not None:
        shown = cv2.resize(draw_tags(picture, seen.tags), None, fx=3, fy=3)
        cv2.imwrite(str(faults / f"zone-{no}-{value}-{seen.value}-{pieces}-{seen.low}-{seen.high}.png"), shown)


def spread_out(rng: random.Random, designs: Sequence[Design], middle: tuple[float, float]) -> list[ChipStack]:
    """One to six chips in a row as a bet is spread: some touch, some lie over each other by up to a half.

    `middle` is x, y in mm.
    """
    count, step = rng.randint(1, 6), CHIP_MM * rng.choice((0.55, 0.75, 1.02, 1.15))
    rows = [count] if (count - 1) * step < 0.6 * ZONE_MM[0] else [count - count // 2, count // 2]
    chips = []
    for row, length in enumerate(rows):
        down = (row - (len(rows) - 1) / 2) * 1.1 * CHIP_MM
        for i in range(length):
            x = middle[0] + (i - (length - 1) / 2) * step + rng.uniform(-2, 2)
            chips.append(
                ChipStack(rng.choice(designs), x, middle[1] + down + rng.uniform(-2, 2), 1, rng.uniform(0, 360))
            )
    return chips


def score_bet(
    rng: random.Random, room: Room, name: str, tallies: dict[str, ConditionTally], faults: Path | None, no: int
) -> None:
    px_per_mm = rng.choice((1.0, 1.25, 1.5))
    camera, light = CAMERAS[name]
    far, turn = rng.uniform(300, 900), rng.uniform(0, 2 * math.pi)
    middle = (ZONE_MM[0] / 2 + RIM_MM, ZONE_MM[1] / 2 + RIM_MM)
    camera = replace(camera, foot=(middle[0] - far * math.cos(turn), middle[1] - far * math.sin(turn)))
    lean = (far * math.cos(turn) / camera.height_mm, far * math.sin(turn) / camera.height_mm)
    apart = spread_out(rng, room.designs, middle)
    stacked = [replace(apart[0], x=middle[0], y=middle[1], count=len(apart))] if len(apart) > 1 else []
    for how, chips, spread in (
        ("spread", apart, True),
        ("spread, unsaid", apart, False),
        ("stacked", stacked, True),
    ):
        if not chips:
            continue
        table = Table(ZONE_MM[0] + 2 * RIM_MM, ZONE_MM[1] + 2 * RIM_MM, px_per_mm, room.cloth, room.wood)
        table.chips = chips
        reader = ZoneChipReader(room.chips, px_per_mm, spread=spread)
        looks = []
        for _ in range(2):
            picture = take(table, camera, light, rng)
            begun = time.perf_counter()
            looks.append(reader.read(picture, _Whole(picture), _cloth_of(picture), lean))
            ms = (time.perf_counter() - begun) * 1e3
        seen = looks[0].agreed(looks[1])
        pieces = sum(chip.count for chip in chips)
        value = sum(c.count * VALUES[[d.word for d in room.designs].index(c.design.word)] for c in chips)
        said = verdict(ColourCount("", None, seen.low, seen.high), pieces)
        if seen.value is not None:
            said = "exact" if seen.value == value else "wrong"
        elif said == "exact":
            said = "range"
        for key in (f"bet, {how}, {px_per_mm:g} px/mm", f"bet, {how}, {name}"):
            tallies[key].times.append(ms)
            tallies[key].verdicts[said] += 1
        if said == "wrong" and how != "stacked" and faults is not None:
            shown = cv2.resize(draw_tags(picture, looks[1].tags), None, fx=3, fy=3)
            cv2.imwrite(str(faults / f"bet-{no}-{value}-{seen.value}-{pieces}-{seen.low}-{seen.high}.png"), shown)


def score_odd(rng: random.Random, room: Room, name: str, tallies: dict[str, ConditionTally]) -> None:
    """A chip that is no tournament chip beside one that is: a bounty chip, or one of another room."""
    px_per_mm = rng.choice((1.0, 1.25, 1.5))
    camera, light = CAMERAS[name]
    camera = replace(camera, foot=(rng.uniform(-700, 700), 700.0))
    middle = (ZONE_MM[0] / 2 + RIM_MM, ZONE_MM[1] / 2 + RIM_MM)
    lean = tuple((m - f) / camera.height_mm for m, f in zip(middle, camera.foot, strict=True))
    places = [(middle[0] - 25, middle[1]), (middle[0] + 25, middle[1] + rng.uniform(-20, 20))]
    one, other = rng.sample(range(len(room.designs)), 2)
    (odd_kind,) = (kind for kind in room.chips.kinds if kind.value == VALUES[one])
    others = [kind for kind in room.chips.kinds if kind is not odd_kind]
    for odd in ("bounty", "unknown"):
        known = [*others, *([replace(odd_kind, value=0, bounty=True)] if odd == "bounty" else [])]
        apart = [
            ChipStack(room.designs[i], *at, 1, rng.uniform(0, 360))
            for i, at in zip((one, other), places, strict=True)
        ]
        table = Table(ZONE_MM[0] + 2 * RIM_MM, ZONE_MM[1] + 2 * RIM_MM, px_per_mm, room.cloth, room.wood)
        table.chips = apart
        picture = take(table, camera, light, rng)
        begun = time.perf_counter()
        reader = ZoneChipReader(replace(room.chips, kinds=tuple(known)), px_per_mm, spread=True)
        seen = reader.read(picture, _Whole(picture), _cloth_of(picture), (lean[0], lean[1]))
        right = VALUES[other] if odd == "bounty" else None
        said = "exact" if (seen.odd, seen.value) == (odd, right) else "unread" if seen.value is None else "wrong"
        if seen.odd not in ("", odd):
            said = "wrong"
        tallies[f"odd, {odd}"].times.append((time.perf_counter() - begun) * 1e3)
        tallies[f"odd, {odd}"].verdicts[said] += 1


@dataclass(frozen=True)
class _Whole:
    """A place that is all of a picture."""

    picture: Image

    @property
    def inside(self) -> NDArray[np.uint8]:
        return np.full(self.picture.shape[:2], 255, np.uint8)

    @property
    def rim(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        edge = np.ones(self.picture.shape[:2], np.bool_)
        edge[5:-5, 5:-5] = False
        rows, columns = np.nonzero(edge)
        return rows[::7], columns[::7]


def _cloth_of(picture: Image) -> tuple[float, float, float]:
    blue, green, red = (float(v) for v in np.median(picture[_Whole(picture).rim], axis=0))
    return blue, green, red


def run(numbers: Iterator[int], seed: int, faults: Path | None) -> Iterator[tuple[int, dict[str, ConditionTally]]]:
    """Score scenes by their number; each is drawn from the seed and its number alone."""
    rooms: dict[int, Room] = {}
    for no in numbers:
        tallies: dict[str, ConditionTally] = collections.defaultdict(ConditionTally)
        group = no // SCENES_A_SET
        if group not in rooms:
            rooms = {group: a_room(random.Random(f"{seed} room {group}"))}
        rng = random.Random(f"{seed} scene {no}")
        name = list(CAMERAS)[no % len(CAMERAS)]
        score_photo(rng, rooms[group], name, tallies, faults, no)
        for part in range(3):
            score_zone(rng, rooms[group], name, tallies, faults, 10 * no + part)
            score_bet(
                random.Random(f"{seed} bet {no} {part}"), rooms[group], name, tallies, faults, 10 * no + part
            )
        score_odd(random.Random(f"{seed} odd {no}"), rooms[group], name, tallies)
        yield no, tallies


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m vision.evaluation.chips_rendered", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--scenes", type=int, default=200, help="plain pictures; three zones go with each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", default="0/1", metavar="I/N", help="every Nth scene, from the Ith")
    parser.add_argument("--limit", type=int, metavar="SECONDS", help="stop after so long")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="partial report: read, go on, written as it goes"
    )
    parser.add_argument("--faults", type=Path, metavar="DIR", help="keep pictures of what was wrong")
    parser.add_argument("--most-wrong", type=int, default=0, metavar="N", help="wrong ones that are let pass")
    parser.add_argument("--json", action="store_true", help="one JSON object a condition on stdout")
    given = parser.parse_args(argv)
    cv2.setNumThreads(1)
    shard, of = (int(v) for v in given.shard.split("/"))
    print(f"seed {given.seed}, {given.scenes} scenes, shard {shard} of {of}", file=sys.stderr)
    if given.faults:
        given.faults.mkdir(parents=True, exist_ok=True)
    report = _Report(given.resume, given.seed, given.shard)
    until = math.inf if given.limit is None else time.monotonic() + given.limit
    numbers = itertools.takewhile(lambda _: time.monotonic() < until, range(shard, given.scenes, of))
    for no, tallies in run((n for n in numbers if n >= report.next), given.seed, given.faults):
        report.add(no, tallies)
    report.save()
    report.tell(as_json=given.json)
    return 1 if report.wrong > given.most_wrong else 0


class _Report:
    """Sums so far, kept in a file so that a long run can go on where it was stopped."""

    def __init__(self, path: Path | None, seed: int, shard: str) -> None:
        self._path, self._key = path, f"{seed} {shard}"
        self.next = 0
        self._sums: dict[str, ConditionTally] = collections.defaultdict(ConditionTally)
        if path is not None and path.exists():
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["of"] != self._key:
                raise SystemExit(f"{path} is of seed and shard {kept['of']}, not {self._key}: name another file")
            self.next = kept["next"]
            for name, row in kept["sums"].items():
                verdicts = {v: row[v] for v in ("exact", "range", "unread", "wrong")}
                self._sums[name] = ConditionTally(collections.Counter(verdicts), [row["ms"]])

    def add(self, no: int, tallies: dict[str, ConditionTally]) -> None:
        self.next = no + 1
        for name, tally in tallies.items():
            self._sums[name].verdicts += tally.verdicts
            self._sums[name].times += tally.times
        if no % 20 == 0:
            self.save()

    @property
    def wrong(self) -> int:
        verdicts = (tally for name, tally in self._sums.items() if not name.startswith(AGAINST_THE_HOUSE))
        return sum(tally.verdicts["wrong"] for tally in verdicts)

    def save(self) -> None:
        if self._path is not None:
            sums = {name: tally.row() for name, tally in self._sums.items()}
            kept = {"of": self._key, "next": self.next, "sums": sums}
            self._path.write_text(json.dumps(kept, indent=1), encoding="utf-8")

    def tell(self, *, as_json: bool) -> None:
        for name, tally in sorted(self._sums.items()):
            row = tally.row()
            print(
                json.dumps({"condition": name, **row})
                if as_json
                else f"{name:<42}" + "  ".join(f"{k} {v}" for k, v in row.items())
            )


if __name__ == "__main__":
    sys.exit(main())
