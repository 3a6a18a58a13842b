"""Counts chips in labelled photos and says how well: a *cell* is one colour in one photo, none of it counts too.

`labels.json` is that of `vision.evaluation.photos`; a photo with chips has `"chips": {"R": 2, "white": 0, ...}`,
by colour words or their letters. A cell is *exact*, a right *range* of two neighbouring numbers, *unread* (a wider
range) or *wrong*; a range that does not hold the truth is wrong.
"""

from __future__ import annotations

import collections
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from vision.chips.chipset import ChipSet
from vision.chips.count import ChipCount, ColourCount, count_chips
from vision.pictures import Image, open_picture

LETTERS = {"R": "red", "G": "green", "B": "blue", "K": "black", "W": "white"}


class ChipPhoto(msgspec.Struct, frozen=True):
    """A labelled photo; `chips` is None where nobody counted them."""

    file: str
    tags: list[str] = []
    chips: dict[str, int] | None = None

    @property
    def truth(self) -> dict[str, int]:
        return {LETTERS.get(name, name): count for name, count in (self.chips or {}).items()}


class _Labels(msgspec.Struct, frozen=True):
    images: list[ChipPhoto]


@dataclass
class Cells:
    """Sums over the photos of one tag."""

    photos: int = 0
    exact: int = 0
    range: int = 0
    unread: int = 0
    wrong: int = 0
    times: list[float] = field(default_factory=list)

    @property
    def cells(self) -> int:
        return self.exact + self.range + self.unread + self.wrong

    def add(self, score: ChipScore) -> None:
        """Count one photo's verdicts in."""
        self.photos += 1
        self.times.append(score.ms)
        for said in score.verdicts.values():
            setattr(self, said, getattr(self, said) + 1)

    def row(self) -> dict[str, float]:
        ms = round(statistics.median(self.times), 1) if self.times else 0.0
        counts = {name: getattr(self, name) for name in ("photos", "cells", "exact", "range", "unread", "wrong")}
        return {**counts, "ms": ms}


@dataclass(frozen=True)
class ChipScore:
    """What came out of one photo: each colour's verdict, and what was said of those that are not exact."""

    file: str
    tags: tuple[str, ...]
    verdicts: dict[str, str]
    said: dict[str, str]
    ms: float

    @property
    def failed(self) -> bool:
        return any(verdict != "exact" for verdict in self.verdicts.values())


def load_chip_labels(folder: Path) -> list[ChipPhoto]:
    """The photos whose chips somebody counted. Raise msgspec.DecodeError or OSError as for any other labels."""
    labels = msgspec.json.decode((folder / "labels.json").read_bytes(), type=_Labels)
    return [photo for photo in labels.images if photo.chips is not None]


def score_chips(
    folder: Path,
    photos: Iterable[ChipPhoto],
    chips: ChipSet | None,
    on_each: Callable[[ChipScore, Image, ChipCount], None],
) -> dict[str, Cells]:
    """Count every photo's chips; the sums by tag, and those of all under `all`.

    `on_each` gets each photo as BGR, (height, width, 3) uint8. Raise `PictureError` for a bad file.
    """
    sums: dict[str, Cells] = collections.defaultdict(Cells)
    for photo in photos:
        image = open_picture(folder / photo.file)
        begun = time.perf_counter()
        counted = count_chips(image, chips)
        score = scored(photo, counted, (time.perf_counter() - begun) * 1_000)
        for tag in ("all", *sorted(set(photo.tags))):
            sums[tag].add(score)
        on_each(score, image, counted)
    return dict(sums)


def scored(photo: ChipPhoto, counted: ChipCount, ms: float) -> ChipScore:
    """Compare what was counted with the labels. A colour that is not there and was said is wrong too."""
    said = {count.colour: count for count in counted.counts}
    truth = photo.truth
    verdicts, words = {}, {}
    for colour in dict.fromkeys((*truth, *said)):
        count = said.get(colour, ColourCount(colour, None))
        if colour not in truth and not count.low:
            continue  # a possible chip of an uncounted colour
        verdicts[colour] = verdict(count, truth.get(colour, 0))
        words[colour] = f"{count.low}-{'?' if count.high is None else count.high} of {truth.get(colour, 0)}"
    return ChipScore(photo.file, tuple(photo.tags), verdicts, words, round(ms, 1))


def verdict(count: ColourCount, truth: int) -> str:
    """exact, range, unread or wrong."""
    if truth < count.low or (count.high is not None and truth > count.high):
        return "wrong"
    if count.unread:
        return "unread"
    return "exact" if count.exact else "range"
