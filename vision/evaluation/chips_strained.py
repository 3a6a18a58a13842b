"""Counts the chips of labelled photos as worse cameras and other lights would have taken them:
`python -m vision.evaluation.chips_strained ../shared/photos`.

Each photo is made smaller or larger, coded coarsely, tinted, lightened, darkened, made noisy or soft, turned and
mirrored, one strain at a time and then several drawn at random. A *cell* is one colour of one photo, as in
`vision.evaluation.chips`. Exits 1 when a cell was wrong.
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.chips.chipset import ChipSet
from vision.chips.count import count_chips
from vision.chips.draw import draw_tags
from vision.evaluation.chips import Cells, ChipPhoto, load_chip_labels, scored
from vision.pictures import Image, open_picture

Strain = Callable[[Image], Image]

SIZES = (0.4, 0.5, 0.65, 0.8, 1.0, 1.25, 1.5)
JPEGS = (30, 40, 50, 65, 80, 95)
TINTS = {  # of the light in blue, green and red
    "warm lamp": (0.70, 0.92, 1.0),
    "very warm lamp": (0.50, 0.82, 1.0),
    "cool day": (1.0, 0.94, 0.84),
    "very cool day": (1.0, 0.90, 0.70),
    "greenish tube": (0.88, 1.0, 0.90),
    "purplish lamp": (1.0, 0.86, 0.98),
}
GAMMAS = (0.6, 0.75, 1.33, 1.7)
LEVELS = (0.15, 0.3, 0.5, 0.7, 1.2)  # of the light; above 1 what is pale burns out
NOISES = (4.0, 8.0, 12.0)
BLURS = (1.0, 1.5, 2.0)
GAMMA = 2.2


def sized(by: float) -> Strain:
    how = cv2.INTER_AREA if by < 1 else cv2.INTER_CUBIC
    return lambda image: np.asarray(cv2.resize(image, None, fx=by, fy=by, interpolation=how), np.uint8)


def coded(quality: int) -> Strain:
    """As JPEG, colours at half the resolution as cameras code them."""

    def strain(image: Image) -> Image:
        done = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(done, cv2.IMREAD_COLOR), np.uint8)

    return strain


def lit(light: Sequence[float]) -> Strain:
    """Under light of these linear parts in blue, green and red."""
    table = np.stack([255 * (np.arange(256) / 255) * part ** (1 / GAMMA) for part in light], axis=1)
    clipped = np.clip(np.rint(table), 0, 255).astype(np.uint8)[None]
    return lambda image: np.asarray(cv2.LUT(image, clipped.transpose(1, 0, 2)), np.uint8)


def bent(gamma: float) -> Strain:
    table = np.rint(255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
    return lambda image: np.asarray(cv2.LUT(image, table), np.uint8)


def noisy(sigma: float, seed: int) -> Strain:
    def strain(image: Image) -> Image:
        noise = np.random.default_rng(seed).normal(0, sigma, image.shape)
        return np.clip(image + noise, 0, 255).astype(np.uint8)

    return strain


def soft(sigma: float) -> Strain:
    return lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def uneven(fall: float, direction: int) -> Strain:
    """Light that falls off from one side (0 to 3) to `1 - fall` of it at the other."""

    def strain(image: Image) -> Image:
        length = image.shape[1 - direction % 2]
        slope = np.linspace(1, 1 - fall, length, dtype=np.float32) ** (1 / GAMMA)
        slope = slope if direction < 2 else slope[::-1]
        shade = slope[:, None, None] if direction % 2 else slope[None, :, None]
        return np.clip(np.rint(image * shade), 0, 255).astype(np.uint8)

    return strain


def turned(quarter: int, *, mirrored: bool = False) -> Strain:
    def strain(image: Image) -> Image:
        other = np.rot90(image, quarter)
        return np.ascontiguousarray(other[:, ::-1] if mirrored else other)

    return strain


def one_by_one() -> Iterator[tuple[str, Strain]]:
    """Every strain alone."""
    yield from ((f"size {by:g}", sized(by)) for by in SIZES)
    yield from ((f"JPEG {quality}", coded(quality)) for quality in JPEGS)
    yield from ((name, lit(light)) for name, light in TINTS.items())
    yield from ((f"gamma {gamma:g}", bent(gamma)) for gamma in GAMMAS)
    yield from ((f"light {level:g}", lit((level,) * 3)) for level in LEVELS)
    yield from ((f"noise {sigma:g}", noisy(sigma, 1)) for sigma in NOISES)
    yield from ((f"blur {sigma:g} px", soft(sigma)) for sigma in BLURS)
    yield from ((f"light falls to {1 - fall:g}", uneven(fall, 0)) for fall in (0.4, 0.6))
    yield from ((f"turned {90 * k}", turned(k)) for k in (1, 2, 3))
    yield "mirrored", turned(0, mirrored=True)


def several(seed: int, no: int) -> Strain:
    """A room, a camera and its coding drawn at random, the mild ones likelier than the harsh."""
    rng = random.Random(f"{seed} {no}")
    warm = rng.betavariate(1, 1.5)
    low, high = (0.55, 0.86) if rng.random() < 0.6 else (0.78, 0.92)
    tint = (1 - warm * (1 - low), 1 - warm * (1 - high), 1.0)
    level = rng.uniform(0.3, 1.1)
    light = tuple(level * part for part in (tint if rng.random() < 0.6 else tint[::-1]))
    steps = [
        turned(rng.randrange(4), mirrored=rng.random() < 0.5),
        uneven(rng.uniform(0, 0.5), rng.randrange(4)),
        lit(light),
        bent(rng.uniform(0.8, 1.3)),
        sized(rng.uniform(0.5, 1.2)),
        soft(rng.uniform(0.1, 1.0)),
        noisy(rng.uniform(0, 7), no),
        coded(rng.randint(35, 95)),
    ]

    def strain(image: Image) -> Image:
        for step in steps:
            image = step(image)
        return image

    return strain


def score(
    folder: Path,
    photos: Sequence[ChipPhoto],
    strains: Iterator[tuple[str, Strain]],
    chips: ChipSet | None,
    faults: Path | None,
) -> dict[str, Cells]:
    """Sums by strain, and of all under `all`."""
    images = {photo.file: open_picture(folder / photo.file) for photo in photos}
    sums: dict[str, Cells] = collections.defaultdict(Cells)
    for no, (name, strain) in enumerate(strains):
        for photo in photos:
            image = strain(images[photo.file])
            begun = time.perf_counter()
            counted = count_chips(image, chips)
            score = scored(photo, counted, (time.perf_counter() - begun) * 1_000)
            for key in ("all", name):
                sums[key].add(score)
            for colour, said in score.verdicts.items():
                if said in ("wrong", "unread"):
                    print(f"{no} {name}: {photo.file}: {colour} {said} {score.said[colour]}", file=sys.stderr)
            if faults is not None and "wrong" in score.verdicts.values():
                cv2.imwrite(str(faults / f"{no}-{Path(photo.file).stem}.png"), draw_tags(image, counted.tags))
    return dict(sums)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m vision.evaluation.chips_strained", description=" ".join(__doc__.split("\n\n")[0].split())
    )
    parser.add_argument("folder", type=Path, help="photos with labels.json")
    parser.add_argument("--drawn", type=int, default=20, metavar="N", help="several strains at once, so often")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-drawn", action="store_true", help="leave the single strains out")
    parser.add_argument("--set", type=Path, metavar="FILE", dest="chips", help="from `feltwire vision enrol`")
    parser.add_argument("--faults", type=Path, metavar="DIR", help="keep pictures of what was wrong")
    given = parser.parse_args(argv)
    cv2.setNumThreads(1)
    if given.faults:
        given.faults.mkdir(parents=True, exist_ok=True)
    chips = ChipSet.load(given.chips) if given.chips else None

    def strains() -> Iterator[tuple[str, Strain]]:
        if not given.only_drawn:
            yield from one_by_one()
        for no in range(given.drawn):
            yield "several at once", several(given.seed, no)

    sums = score(given.folder, load_chip_labels(given.folder), strains(), chips, given.faults)
    columns = ("cells", "exact", "range", "unread", "wrong", "ms")
    print(f"{'strain':<22}" + "".join(f"{name:>8}" for name in columns))
    for name, cells in sums.items():
        row = cells.row()
        print(f"{name:<22}" + "".join(f"{row[column]:>8g}" for column in columns))
    return 1 if sums["all"].wrong else 0


if __name__ == "__main__":
    sys.exit(main())
