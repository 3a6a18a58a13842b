"""Pictures that somebody could see, read as the project's own card reader reads them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from tests.room.leak.capture import Captured
from vision.cards import CardReader
from vision.geometry.felt import Felt
from vision.watching.watcher import Image, Watcher

MOST_READ = 12  # of each kind in a room


def pictures(kept: Iterable[Captured]) -> Iterator[tuple[str, Captured]]:
    """Every JPEG that was read, bare or in a message, with the kind of place that it was in."""
    for captured in kept:
        if not captured.stream.startswith(("mqtt", "SSE", "GET")):
            continue
        if captured.data.startswith(b"\xff\xd8"):
            yield ("a clip" if "/clip/" in captured.stream else "the page of the sensors"), captured
        elif b'"jpeg":"' in captured.data:
            jpeg = base64.b64decode(json.loads(captured.data)["jpeg"])
            if jpeg:
                yield "the director's picture", Captured(captured.stream, captured.at, jpeg)


def spread(found: Iterable[tuple[str, Captured]]) -> dict[str, list[Captured]]:
    """Of each kind so many as can be read, from the first to the last; each picture once."""
    kinds: dict[str, dict[bytes, Captured]] = {}
    for kind, captured in found:
        kinds.setdefault(kind, {}).setdefault(captured.data, captured)
    return {kind: _some(list(different.values())) for kind, different in kinds.items()}


def _some(captured: list[Captured]) -> list[Captured]:
    return captured[:: max(1, -(-len(captured) // MOST_READ))]


class Reader:
    """Reads cards anywhere on the felt of the room's tables. Its network is loaded once."""

    def __init__(self, seats: int) -> None:
        self._felt = Felt.for_seats(seats)
        self._cards = CardReader()

    def cards_in(self, jpeg: bytes) -> set[str]:
        coded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if coded is None:
            return set()
        picture: Image = np.asarray(cv2.resize(coded, self._felt.size_px, interpolation=cv2.INTER_CUBIC), np.uint8)
        watcher = Watcher(self._felt, self._cards)
        watcher.step(picture)
        watcher.step(picture)
        while watcher.reading:
            watcher.step(picture)
        return {card for reading in watcher.readings.values() for card in reading.cards}
