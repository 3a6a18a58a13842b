"""Counts the chips of labelled photos and says how well: a *cell* is one colour of one photo, 0 of it counts too.

A cell is *exact*, a right *range* of two neighbouring numbers, *unread* (a wider range) or *wrong*: a range that
does not hold the truth is wrong. Labels name colours in words or by their letters.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from vision.chips.chipset import ChipSet
from vision.chips.count import ChipCount, ColourCount, count_chips
from vision.evaluation.photos import LabelledPhoto, shown
from vision.evaluation.sums import Sums

LETTERS = {"R": "red", "G": "green", "B": "blue", "K": "black", "W": "white"}
COLUMNS = ("photos", "cells", "exact", "range", "unread", "wrong", "ms")


@dataclass(frozen=True)
class ChipScore:
    """What came out of one photo: each colour's verdict, what was said of it, and why something is withheld."""

    file: str
    tags: tuple[str, ...]
    verdicts: dict[str, str]
    said: dict[str, str]
    why: str
    ms: float


def score_chips(
    folder: Path,
    photos: Iterable[LabelledPhoto],
    chips: ChipSet | None,
    on_each: Callable[[ChipScore], None],
    copies: int = 0,
    seed: int = 1,
) -> Sums:
    """Count the chips of photos with labelled chips, or of so many worse `copies` of each; the sums by tag.

    Raise `PictureError` for a bad file.
    """
    sums = Sums(COLUMNS)
    labelled = [photo for photo in photos if photo.chips is not None]
    for photo, image in shown(folder, labelled, copies, seed):
        begun = time.perf_counter()
        counted = count_chips(image, chips)
        score = scored(photo, counted, (time.perf_counter() - begun) * 1_000)
        verdicts = collections.Counter(score.verdicts.values())
        sums.add(photo.tags, {"photos": 1, "cells": verdicts.total(), **verdicts}, score.ms)
        on_each(score)
    return sums


def scored(photo: LabelledPhoto, counted: ChipCount, ms: float) -> ChipScore:
    """Compare what was counted with the labels. A colour that is not there and was said is wrong too."""
    said = {count.colour: count for count in counted.counts}
    truth = {LETTERS.get(name, name): count for name, count in (photo.chips or {}).items()}
    verdicts, words = {}, {}
    for colour in dict.fromkeys((*truth, *said)):
        count = said.get(colour, ColourCount(colour, None))
        if colour not in truth and not count.low:
            continue  # a possible chip of an uncounted colour
        verdicts[colour] = verdict(count, truth.get(colour, 0))
        words[colour] = f"{count.low}-{'?' if count.high is None else count.high} of {truth.get(colour, 0)}"
    return ChipScore(photo.file, tuple(photo.tags), verdicts, words, counted.why, round(ms, 1))


def verdict(count: ColourCount, truth: int) -> str:
    """exact, range, unread or wrong."""
    if truth < count.low or (count.high is not None and truth > count.high):
        return "wrong"
    if count.unread:
        return "unread"
    return "exact" if count.exact else "range"
