"""What everybody may see of a camera's picture: covered wherever a card may lie that not everybody sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from display.app import Picture
from feltwire.runtime.boottime import at, boot_millis
from feltwire.table.devices.face_up import FaceUp
from table_core.messages import MOST_JPEG
from vision.annotate import annotate, jpeg_of
from vision.geometry.pixels import Pixels
from vision.masked import Image, Outline, masked
from vision.watching.watched import Annotation, Kind, WatchedZone, is_for_things
from vision.watching.watcher import Watcher

_COVER_MM = 14.0  # around a zone in which cards lie: they do not lie exactly in it


@dataclass(frozen=True, eq=False)
class Shown:
    """One frame, and what of it may be seen. Masked when the first page asks for it."""

    wall: str
    pixels: Pixels
    clear: tuple[Outline, ...]
    covered: tuple[Outline, ...]
    boxes: tuple[Annotation, ...]
    px_per_mm: float

    def drawn(self) -> Image:
        """The masked picture with what was read in it (BGR)."""
        return annotate(masked(self.pixels.whole(), self.clear, self.covered, self.px_per_mm), self.boxes)


def shown(pixels: Pixels, watcher: Watcher, watched: Iterable[WatchedZone], face_up: FaceUp) -> Shown:
    """The picture of this moment; `watched` are the latest readings of the zones that this watcher looks at."""
    known = {one.reading.zone: one for one in watched}
    conditions = {} if watcher.blocked else watcher.conditions
    clear = {
        zone
        for zone, condition in conditions.items()
        if zone in known and face_up.may_be_seen(known[zone], condition)
    }
    covered = [zone for zone in watcher.felt.zones if not (is_for_things(zone) or zone in clear)]
    return Shown(
        at(boot_millis()).wall,
        pixels,
        tuple(watcher.outline(zone) for zone in clear),
        tuple(watcher.outline(zone, _COVER_MM) for zone in covered),
        tuple(box if zone in clear else _as_a_back(box) for zone, one in known.items() for box in one.boxes),
        pixels.size[0] / watcher.felt.width_mm,
    )


def coded(pictures: Sequence[Shown], version: int, *, width: int = 1280, most_bytes: int = MOST_JPEG) -> Picture:
    """Pictures of several cameras as one, below each other and equally wide; there is at least one."""
    drawn = [one.drawn() for one in pictures]
    wide = max(image.shape[1] for image in drawn)
    sheet = np.vstack([_as_wide(image, wide) for image in drawn]) if len(drawn) > 1 else drawn[0]
    jpeg = jpeg_of(np.asarray(sheet, np.uint8), most_bytes=most_bytes, width=width)
    return Picture(version, jpeg, pictures[-1].wall)


def _as_wide(image: Image, wide: int) -> Image:
    height = round(image.shape[0] * wide / image.shape[1])
    return np.asarray(cv2.resize(image, (wide, height), interpolation=cv2.INTER_AREA), np.uint8)


def _as_a_back(box: Annotation) -> Annotation:
    """The outline of something in a zone that is covered, without a word about it."""
    return box if box.kind is Kind.BUTTON else replace(box, kind=Kind.FACE_DOWN, text="")
