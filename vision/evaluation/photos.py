"""Reads a folder of labelled photos and says how well: read, unread, wrong, milliseconds, by tag.

A folder has pictures and a `labels.json`: `{"images": [{"file", "cards": [{"card": "10H", …}], "tags": [...]}]}`.
A card counts as read when its name was said, as wrong when a name was said that is not in the photo. A photo whose
chips somebody counted has `"chips": {"R": 2, "white": 0, ...}` too (`vision.evaluation.chips`).
"""

from __future__ import annotations

import collections
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np

from vision.annotate import annotate, boxes_of
from vision.cards.deck import DeckPrints
from vision.cards.photo import PhotoReader
from vision.cards.seen import Seen
from vision.evaluation.sums import Sums
from vision.evaluation.worse import worse
from vision.pictures import Image, open_picture

CARD = re.compile(r"(10|[2-9TJQKA])([cdhsCDHS])")
COLUMNS = ("photos", "cards", "read", "unread", "wrong", "ms")
TILE = (480, 360)  # of the contact sheet, pixels
ACROSS = 4


class LabelsError(Exception):
    """The folder has no labels that can be used: which file, why, what to do."""


class LabelledCard(msgspec.Struct, frozen=True):
    card: str


class LabelledPhoto(msgspec.Struct, frozen=True):
    """`chips` is None where nobody counted them."""

    file: str
    cards: list[LabelledCard]
    tags: list[str] = []
    chips: dict[str, int] | None = None

    @property
    def names(self) -> list[str]:
        return [_name(card.card) for card in self.cards]


class Labels(msgspec.Struct, frozen=True):
    images: list[LabelledPhoto]


@dataclass(frozen=True)
class PhotoScore:
    """What came out of one photo; `wrong` are names said that are not in it."""

    file: str
    tags: tuple[str, ...]
    read: tuple[str, ...]
    unread: tuple[str, ...]
    wrong: tuple[str, ...]
    ms: float

    @property
    def failed(self) -> bool:
        return bool(self.unread or self.wrong)


def load_labels(folder: Path) -> list[LabelledPhoto]:
    """The labelled photos of a folder. Raise `LabelsError`."""
    path = folder / "labels.json"
    try:
        labels = msgspec.json.decode(path.read_bytes(), type=Labels)
    except OSError as error:
        raise LabelsError(
            f"{path}: cannot be opened ({error.strerror}); name a folder of labelled photos"
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LabelsError(f"{path}: {error}") from error
    for photo in labels.images:
        for card in photo.cards:
            if not CARD.fullmatch(card.card):
                raise LabelsError(f"{path}: {photo.file}: {card.card!r} is no card; write 10H or Ks")
    return labels.images


def score_photos(
    folder: Path,
    photos: Iterable[LabelledPhoto],
    on_each: Callable[[PhotoScore, Image, Seen], None],
    deck: DeckPrints | None = None,
    copies: int = 0,
    seed: int = 1,
) -> Sums:
    """Read every photo, or so many worse `copies` of it; the sums by tag.

    Raise `PictureError` for a bad file. `on_each` gets each photo as BGR, (height, width, 3) uint8.
    """
    reader, sums = PhotoReader(deck=deck), Sums(COLUMNS)
    for photo, image in shown(folder, photos, copies, seed):
        begun = time.perf_counter()
        seen = reader.read(image)
        score = _scored(photo, seen, (time.perf_counter() - begun) * 1_000)
        counts = {"read": len(score.read), "unread": len(score.unread), "wrong": len(score.wrong)}
        sums.add(photo.tags, {"photos": 1, "cards": len(photo.cards), **counts}, score.ms)
        on_each(score, image, seen)
    return sums


def shown(
    folder: Path, photos: Iterable[LabelledPhoto], copies: int, seed: int
) -> Iterator[tuple[LabelledPhoto, Image]]:
    """The photos as they are; or worse copies, named by their number and tagged with their faults."""
    for photo in photos:
        image = open_picture(folder / photo.file)
        if not copies:
            yield photo, image
        for copy in range(copies):
            taken, faults = worse(image, random.Random(f"{seed}:{photo.file}:{copy}"))
            named = f"{photo.file} copy {copy} ({', '.join(faults)})"
            yield msgspec.structs.replace(photo, file=named, tags=faults), taken


def _scored(photo: LabelledPhoto, seen: Seen, ms: float) -> PhotoScore:
    truth = collections.Counter(photo.names)
    said = collections.Counter(card.card for card in seen.cards)
    return PhotoScore(
        photo.file,
        tuple(photo.tags),
        tuple((truth & said).elements()),
        tuple((truth - said).elements()),
        tuple((said - truth).elements()),
        round(ms, 1),
    )


class Sheet:
    """A contact sheet of every photo that was not read whole."""

    def __init__(self) -> None:
        self._tiles: list[Image] = []

    def add(self, score: PhotoScore, image: Image, seen: Seen) -> None:
        """Add a tile for a photo with a wrong or unread card. `image` is BGR, (height, width, 3) uint8."""
        if not score.failed:
            return
        width, height = TILE
        drawn = annotate(image, boxes_of(seen))
        scale = min(width / drawn.shape[1], (height - 40) / drawn.shape[0])
        small = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        tile = np.full((height, width, 3), 24, np.uint8)
        tile[: small.shape[0], : small.shape[1]] = small[:height, :width]
        lines = (
            Path(score.file).name,
            f"unread {' '.join(score.unread)}  wrong {' '.join(score.wrong) or 'none'}",
        )
        for i, line in enumerate(lines):
            at = (6, height - 24 + 16 * i)
            cv2.putText(tile, line, at, cv2.FONT_HERSHEY_SIMPLEX, 0.42, (230, 230, 230), 1, cv2.LINE_AA)
        self._tiles.append(tile)

    def picture(self) -> Image:
        """All tiles, `ACROSS` in a row: BGR, (height, width, 3) uint8."""
        blank = np.full((TILE[1], TILE[0], 3), 24, np.uint8)
        tiles = [*self._tiles, *[blank] * (-len(self._tiles) % ACROSS)] or [blank]
        rows = [np.hstack(tiles[i : i + ACROSS]) for i in range(0, len(tiles), ACROSS)]
        return np.vstack(rows)


def _name(label: str) -> str:
    rank, suit = label[:-1].replace("10", "T"), label[-1]
    return rank + suit.lower()
