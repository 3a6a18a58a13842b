"""Counts rendered chips that the reader never met: `feltwire vision score --rendered-chips N`.

Four proofs. *photo*: plain pictures of chips flat and over each other, with cards, backs and hands about, on felt
and wood; counted once by colour words and once with a set that was enrolled from a picture under another light. A
cell is one colour of one picture. *zone*: stacks of one to six chips in a betting zone of a calibrated table, far
from and near to the point under the camera; a value is right, withheld, or wrong. *bet*: one to six chips spread
in such a zone, apart or over each other, in a house that spreads its bets, and looked at twice as a table does;
the same where nobody said that bets are spread, and where a player stacked them all the same (not *wrong* but
*misled*: that house said otherwise). Its value is right (exact), its number known to one (range), or unread.
*odd*: a bounty chip, and a chip of another room, beside one of the set; *exact* is where it was told apart and
the value is of the other alone.

Every set of chips is drawn at random; a scene is told by its number and the seed.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.chips.chipset import ChipSet
from vision.chips.count import ColourCount, count_chips
from vision.chips.enrol import EnrolError, Given, enrol
from vision.chips.zone import ZoneChipReader, ZoneChips
from vision.evaluation.chips import verdict
from vision.evaluation.sums import SceneLook, SceneScore
from vision.synthetic.chips.art import WORDS, Design, random_design
from vision.synthetic.chips.picture import CHIP_MM, FELTS, WOODS, CameraPose, ChipStack, Lighting, Table, take

COLUMNS = ("cells", "exact", "range", "unread", "misled", "wrong", "ms")
VALUES = (25, 100, 500, 1_000, 5_000, 25_000, 100_000)
SCENES_A_SET = 12
ZONE_MM = (140.0, 120.0)
RIM_MM = 8.0
MIDDLE = (ZONE_MM[0] / 2 + RIM_MM, ZONE_MM[1] / 2 + RIM_MM)

CAMERAS = {
    "normal": (CameraPose(), Lighting()),
    "bright": (CameraPose(noise=1.5), Lighting(level=1.12)),
    "dim": (CameraPose(noise=4.0), Lighting(level=0.5, gradient=0.2)),
    "warm": (CameraPose(noise=3.0), Lighting(level=0.9, tint=(0.72, 0.92, 1.0))),
    "uneven": (CameraPose(), Lighting(gradient=0.3, shadow=(2.2, -1.4), shadow_dark=0.45)),
    "soft lens": (CameraPose(blur_px=1.3, noise=2.5), Lighting()),
    "coarse JPEG": (CameraPose(noise=3.0, jpeg=50), Lighting()),
}


@dataclass(frozen=True)
class Room:
    """One random set of chips on one random cloth, and what was enrolled of it."""

    designs: tuple[Design, ...]
    cloth: tuple[int, int, int]
    wood: bool
    chips: ChipSet

    @property
    def words(self) -> list[str]:
        return [design.word for design in self.designs]

    def value(self, chips: Sequence[ChipStack]) -> int:
        """What these chips are worth."""
        return sum(chip.count * VALUES[self.designs.index(chip.design)] for chip in chips)


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
    truth = dict(Counter(chip.design.word for chip in table.chips))
    return table, truth


class ChipScenes:
    """Draws scenes and counts the chips in them. Keeps a room for the scenes that share it."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._room: tuple[int, Room] | None = None

    def score(self, number: int) -> SceneScore:
        """Draw the scene `number`: a plain picture, and zones with stacks, with bets and with odd chips."""
        group = number // SCENES_A_SET
        if self._room is None or self._room[0] != group:
            self._room = (group, a_room(random.Random(f"{self._seed} room {group}")))
        room, name = self._room[1], list(CAMERAS)[number % len(CAMERAS)]
        rng = random.Random(f"{self._seed} scene {number}")
        looks = list(_photo(rng, room, name))
        for part in range(3):
            looks.append(_zone(rng, room, name))
            looks += _bet(random.Random(f"{self._seed} bet {number} {part}"), room, name)
        looks += _odd(random.Random(f"{self._seed} odd {number}"), room, name)
        return SceneScore(self._seed, number, looks)


def _photo(rng: random.Random, room: Room, name: str) -> Iterator[SceneLook]:
    table, truth = photo_scene(rng, room, rng.uniform(0.85, 1.8))
    camera, light = CAMERAS[name]
    picture = take(table, replace(camera, foot=(table.width_mm / 2, table.height_mm / 2)), light, rng)
    by_value = {kind.colour: room.words[VALUES.index(kind.value)] for kind in room.chips.kinds}
    for how, chips in (("words", None), ("set", room.chips)):
        begun = time.perf_counter()
        counted = count_chips(picture, chips)
        ms = (time.perf_counter() - begun) * 1e3
        said = {by_value.get(c.colour, c.colour) if chips else c.colour: c for c in counted.counts}
        cells = dict.fromkeys((*room.words, *(word for word, count in said.items() if count.low)))
        verdicts = {word: verdict(said.get(word, ColourCount(word, None)), truth.get(word, 0)) for word in cells}
        wrong = [f"{word}: not {truth.get(word, 0)}" for word in cells if verdicts[word] == "wrong"]
        found = Counter(verdicts.values())
        yield SceneLook([f"photo, {how}, {name}"], {"cells": found.total(), **found}, ms, wrong)


class ZoneEye:
    """A camera over a betting zone of a room; `foot` is the point under it, in mm of the zone and its rim."""

    def __init__(self, room: Room, name: str, px_per_mm: float, foot: tuple[float, float]) -> None:
        self._room, self._px_per_mm = room, px_per_mm
        camera, self._light = CAMERAS[name]
        self._camera = replace(camera, foot=foot)
        self._lean = tuple((m - f) / camera.height_mm for m, f in zip(MIDDLE, foot, strict=True))

    def look(self, rng: random.Random, chips: list[ChipStack], reader: ZoneChipReader) -> tuple[ZoneChips, float]:
        """What is read of chips that lie there, and in how many milliseconds."""
        size = (2 * MIDDLE[0], 2 * MIDDLE[1])
        table = Table(*size, self._px_per_mm, self._room.cloth, self._room.wood, chips)
        picture = take(table, self._camera, self._light, rng)
        edge = np.ones(picture.shape[:2], np.bool_)
        edge[5:-5, 5:-5] = False
        rows, columns = (places[::7] for places in np.nonzero(edge))
        blue, green, red = (float(v) for v in np.median(picture[rows, columns], axis=0))
        places = (np.full(edge.shape, 255, np.uint8), (rows, columns))
        begun = time.perf_counter()
        seen = reader.read(picture, *places, (blue, green, red), (self._lean[0], self._lean[1]))
        return seen, (time.perf_counter() - begun) * 1e3


def _aside(rng: random.Random, least_mm: float, most_mm: float) -> tuple[float, float]:
    """A foot of a camera so far from the middle of the zone."""
    far, turn = rng.uniform(least_mm, most_mm), rng.uniform(0, 2 * math.pi)
    return MIDDLE[0] - far * math.cos(turn), MIDDLE[1] - far * math.sin(turn)


def _look(tags: list[str], said: str, ms: float, seen: ZoneChips, truth: object) -> SceneLook:
    wrong = [f"{seen.value}, {seen.low} to {seen.high}{seen.odd}, of {truth}"] if said == "wrong" else []
    return SceneLook(tags, {"cells": 1, said: 1}, ms, wrong)


def _zone(rng: random.Random, room: Room, name: str) -> SceneLook:
    px_per_mm = rng.choice((0.96, 0.96, 1.5, 2.0))
    foot = _aside(rng, 0, 850)
    places = [(-33, -25), (33, -25), (-33, 28), (33, 28)]
    rng.shuffle(places)
    chips = []
    for x, y in places[: rng.choice((0, 1, 1, 1, 2, 2, 3, 4))]:
        count = rng.choice((1, 1, 1, 2, 3, 4, 6))
        at = (MIDDLE[0] + x + rng.uniform(-4, 4), MIDDLE[1] + y + rng.uniform(-4, 4))
        chips.append(ChipStack(rng.choice(room.designs), *at, count, rng.uniform(0, 360)))
    seen, ms = ZoneEye(room, name, px_per_mm, foot).look(rng, chips, ZoneChipReader(room.chips, px_per_mm))
    value, pieces = room.value(chips), sum(chip.count for chip in chips)
    held = seen.low <= pieces and (seen.high is None or pieces <= seen.high)
    said = "exact" if seen.value == value else "wrong" if seen.value is not None or not held else "unread"
    lean_px = 3.25 * px_per_mm * math.dist(foot, MIDDLE) / CAMERAS[name][0].height_mm
    tags = [f"zone, {name}", f"zone, lean of a chip {min(4, int(lean_px * 2)) / 2:.1f} px or more"]
    return _look(tags, said, ms, seen, f"{value} in {pieces}")


def spread_out(rng: random.Random, designs: Sequence[Design]) -> list[ChipStack]:
    """One to six chips in a row as a bet is spread: some touch, some lie over each other by up to a half."""
    count, step = rng.randint(1, 6), CHIP_MM * rng.choice((0.55, 0.75, 1.02, 1.15))
    rows = [count] if (count - 1) * step < 0.6 * ZONE_MM[0] else [count - count // 2, count // 2]
    chips = []
    for row, length in enumerate(rows):
        down = (row - (len(rows) - 1) / 2) * 1.1 * CHIP_MM
        for i in range(length):
            x = MIDDLE[0] + (i - (length - 1) / 2) * step + rng.uniform(-2, 2)
            chips.append(
                ChipStack(rng.choice(designs), x, MIDDLE[1] + down + rng.uniform(-2, 2), 1, rng.uniform(0, 360))
            )
    return chips


def _bet(rng: random.Random, room: Room, name: str) -> Iterator[SceneLook]:
    px_per_mm = rng.choice((1.0, 1.25, 1.5))
    eye = ZoneEye(room, name, px_per_mm, _aside(rng, 300, 900))
    apart = spread_out(rng, room.designs)
    stacked = [replace(apart[0], x=MIDDLE[0], y=MIDDLE[1], count=len(apart))] if len(apart) > 1 else []
    for how, chips, spread in (
        ("spread", apart, True),
        ("spread, unsaid", apart, False),
        ("stacked", stacked, True),
    ):
        if not chips:
            continue
        reader = ZoneChipReader(room.chips, px_per_mm, spread=spread)
        (one, _), (other, ms) = (eye.look(rng, chips, reader) for _ in range(2))
        seen = one.agreed(other)
        value, pieces = room.value(chips), sum(chip.count for chip in chips)
        said = verdict(ColourCount("", None, seen.low, seen.high), pieces)
        if seen.value is not None:
            said = "exact" if seen.value == value else "wrong"
        elif said == "exact":
            said = "range"
        if said == "wrong" and how == "stacked":
            said = "misled"
        tags = [f"bet, {how}, {px_per_mm:g} px/mm", f"bet, {how}, {name}"]
        yield _look(tags, said, ms, seen, f"{value} in {pieces}")


def _odd(rng: random.Random, room: Room, name: str) -> Iterator[SceneLook]:
    """A chip that is no tournament chip beside one that is: a bounty chip, or one of another room."""
    px_per_mm = rng.choice((1.0, 1.25, 1.5))
    eye = ZoneEye(room, name, px_per_mm, (rng.uniform(-700, 700), 700.0))
    places = [(MIDDLE[0] - 25, MIDDLE[1]), (MIDDLE[0] + 25, MIDDLE[1] + rng.uniform(-20, 20))]
    one, other = rng.sample(range(len(room.designs)), 2)
    (odd_kind,) = (kind for kind in room.chips.kinds if kind.value == VALUES[one])
    others = [kind for kind in room.chips.kinds if kind is not odd_kind]
    for odd in ("bounty", "unknown"):
        known = [*others, *([replace(odd_kind, value=0, bounty=True)] if odd == "bounty" else [])]
        chips = [
            ChipStack(room.designs[i], *at, 1, rng.uniform(0, 360))
            for i, at in zip((one, other), places, strict=True)
        ]
        reader = ZoneChipReader(replace(room.chips, kinds=tuple(known)), px_per_mm, spread=True)
        seen, ms = eye.look(rng, chips, reader)
        right = VALUES[other] if odd == "bounty" else None
        said = "exact" if (seen.odd, seen.value) == (odd, right) else "unread" if seen.value is None else "wrong"
        if seen.odd not in ("", odd):
            said = "wrong"
        yield _look([f"odd, {odd}"], said, ms, seen, f"{right} and a {odd} chip")
