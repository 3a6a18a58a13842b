"""Pictures of chips for tests: a cloth, chips at places in mm, a camera."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from vision.pictures import Image
from vision.synthetic.chips.art import Design
from vision.synthetic.chips.picture import CameraPose, ChipStack, Lighting, Table, take

GREEN_FELT = (62, 96, 22)
PX_PER_MM = 1.2


def design(word: str, body: tuple[int, int, int], **print_on_it: object) -> Design:
    """A chip with eight white (on white: blue) spots and no label, unless said otherwise."""
    second = (190, 70, 30) if word == "white" else (240, 242, 242)
    given = {
        "second": second, "spots": 8, "spot_deg": 7.0, "spot_kind": "dot", "ring": 0.62, "inlay": 0.0,
        "inlay_colour": body, "text": "",
    }  # fmt: skip
    return Design(word, body, **(given | print_on_it))  # type: ignore[arg-type]


WHITE = design("white", (236, 238, 238))
RED = design("red", (40, 34, 186))
GREEN = design("green", (90, 160, 40))
BLUE = design("blue", (176, 84, 26))
BLACK = design("black", (34, 32, 32))
YELLOW = design("yellow", (40, 200, 236))
PURPLE = design("purple", (140, 40, 96))


def picture(
    chips: Sequence[ChipStack],
    *,
    size_mm: tuple[float, float] = (500.0, 340.0),
    px_per_mm: float = PX_PER_MM,
    cloth: tuple[int, int, int] = GREEN_FELT,
    cards: Sequence[tuple[float, float, float, bool]] = (),
    hands: Sequence[tuple[float, float, float]] = (),
    camera: CameraPose | None = None,
    light: Lighting | None = None,
    seed: int = 1,
) -> Image:
    """Chips on a cloth; without a camera it hangs above the middle."""
    table = Table(*size_mm, px_per_mm, cloth)
    table.chips, table.cards, table.hands = list(chips), list(cards), list(hands)
    above = camera or CameraPose(foot=(size_mm[0] / 2, size_mm[1] / 2))
    return take(table, above, light or Lighting(), random.Random(seed))


def in_a_row(designs: Sequence[Design]) -> list[ChipStack]:
    return [ChipStack(each, 60.0 + 75 * i, 170.0, turn_deg=17.0 * i) for i, each in enumerate(designs)]


class Zone:
    """A place that is all of a picture, with a rim of five pixels."""

    def __init__(self, image: Image) -> None:
        edge = np.ones(image.shape[:2], np.bool_)
        edge[5:-5, 5:-5] = False
        rows, columns = np.nonzero(edge)
        self.places = (np.full(image.shape[:2], 255, np.uint8), (rows, columns))

    def cloth(self, image: Image) -> tuple[float, float, float]:
        blue, green, red = (float(v) for v in np.median(image[self.places[1]], axis=0))
        return blue, green, red
