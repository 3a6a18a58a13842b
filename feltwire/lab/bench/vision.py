"""The cost of one camera picture of a table: 1920 × 1080, nine seats, rendered, watched and read as in a room."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2

from table_core.messages import Zone
from vision.cards import CardReader
from vision.geometry.felt import Felt
from vision.geometry.pixels import Image
from vision.synthetic.felt import LyingCard, Renderer, Scene
from vision.watching.watcher import Watcher

SEATS = 9
Row = tuple[str, ...]
TABLED = (2, 5, 7)  # seats with faces
# Two tables of ten faces: the board, and what lies at the seats above.
FACES: tuple[tuple[Row, ...], ...] = (
    (("Ah", "Td", "2c", "9s", "Qd"), ("Ks", "7h"), ("8c", "8d"), ("5s",)),
    (("3d", "Jc", "As", "6h", "Th"), ("Qc", "9d"), ("4s", "Kh"), ("2d",)),
)
TURNED = {1: 2, 4: 2, 8: 2}  # seats with backs
VARIANTS = 4  # pictures of one scene, each with noise of its own


class Watched:
    """A table under a camera: a `still` picture shows what the last showed, a `change` brings other cards.

    Each gives processor time. Of a change it is that of the dearest picture: not the one in which things move, but
    one of those in which they are read.
    """

    def __init__(self) -> None:
        self._felt = Felt.for_seats(SEATS)
        renderer = Renderer(self._felt)
        self._scenes = [
            [renderer.render(replace(scene, seed=seed)).image.copy() for seed in range(VARIANTS)]
            for scene in (self._scene(FACES[0], 0.0), self._scene(FACES[1], 5.0))
        ]
        self._watcher = Watcher(self._felt, CardReader())
        self._detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
        self._pictures: Iterator[Image] = itertools.cycle(self._scenes[0])
        self._turn = 0
        for _ in range(8):
            self._take()

    def change(self) -> float:
        """Ten other faces and six backs moved: seconds of the dearest picture until all of them are said."""
        self._turn += 1
        self._pictures = itertools.cycle(self._scenes[self._turn % 2])
        before = self._watcher.readings
        dearest = self._take()  # things move
        dearest = max(dearest, self._take())
        while self._watcher.reading:
            dearest = max(dearest, self._take())
        now = self._watcher.readings
        read = sum(len(reading.cards) for name, reading in now.items() if reading is not before.get(name))
        if read != sum(map(len, FACES[0])):
            raise AssertionError(f"{read} of ten new cards were read: this measures nothing")
        return dearest

    def still(self) -> float:
        """Nothing moved: seconds of a picture."""
        return self._take()

    def reference(self) -> float:
        """OpenCV's own detection of ArUco markers in the same pictures: seconds of a picture."""
        picture = next(self._pictures)
        begun = time.process_time()
        self._detector.detectMarkers(picture)
        return time.process_time() - begun

    def _take(self) -> float:
        picture = next(self._pictures)
        begun = time.process_time()
        self._watcher.step(picture)
        return time.process_time() - begun

    def _scene(self, faces: Sequence[Row], aside_mm: float) -> Scene:
        board, *hands = faces
        cards_lying = [*self._row(Zone.BOARD, board, 5, aside_mm)]
        for seat, cards in zip(TABLED, hands, strict=True):
            cards_lying += self._row(Zone.cards(seat), cards, 2, aside_mm)
        for seat, backs in TURNED.items():
            cards_lying += self._row(Zone.cards(seat), [None] * backs, 2, aside_mm)
        return Scene(self._felt, tuple(cards_lying), button=4)

    def _row(self, zone: Zone, cards: Sequence[str | None], of: int, aside_mm: float) -> Iterator[LyingCard]:
        for index, card in enumerate(cards):
            x, y, angle = self._felt.spot(zone, index, of)
            yield LyingCard(card, x + aside_mm, y - aside_mm, angle)
