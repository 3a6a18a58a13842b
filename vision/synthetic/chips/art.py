"""Random chips: a body colour with a word that anybody would give it, and print of one of many fashions."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]  # BGR
SPRITE_PX = 288  # diameter at which a chip is drawn

# Body colours with unambiguous names.
WORDS: dict[str, tuple[Colour, ...]] = {
    "white": ((236, 238, 238), (224, 232, 236)),
    "red": ((40, 34, 186), (36, 30, 150), (58, 48, 206)),
    "green": ((70, 128, 30), (52, 104, 24), (88, 150, 52)),
    "blue": ((176, 84, 26), (150, 60, 30), (196, 110, 40)),
    "black": ((34, 32, 32), (44, 40, 40)),
    "yellow": ((40, 200, 236), (60, 210, 240)),
    "purple": ((140, 40, 96), (122, 46, 104)),
}
PALE: tuple[Colour, ...] = ((240, 242, 242), (214, 226, 232), (190, 226, 240))
STRONG: tuple[Colour, ...] = ((52, 44, 190), (170, 80, 30), (40, 36, 36), (66, 120, 40), (48, 190, 232))


@dataclass(frozen=True)
class Design:
    """How one kind of chip looks."""

    word: str
    body: Colour
    second: Colour
    spots: int  # at the edge
    spot_deg: float  # half the width of one
    spot_kind: str  # wedge, dot, diamond or none
    ring: float  # radius of a printed ring, 0 for none
    inlay: float  # radius of the label in the middle, 0 for none
    inlay_colour: Colour
    text: str


def random_design(rng: random.Random, word: str) -> Design:
    """A chip whose colour people call `word`."""
    body = rng.choice(WORDS[word])
    jitter = [max(0, min(255, round(v * rng.uniform(0.94, 1.06) + rng.uniform(-3, 3)))) for v in body]
    dark = word not in ("white", "yellow")
    inlay = rng.choice((0.0, 0.0, 0.44, 0.5, 0.56))
    shade = rng.uniform(0.75, 0.95)
    own = tuple(round(v * shade) for v in jitter)
    return Design(
        word,
        (jitter[0], jitter[1], jitter[2]),
        rng.choice(PALE) if dark else rng.choice(STRONG[:3]),
        rng.choice((4, 6, 6, 8, 8, 12)),
        rng.uniform(5, 10),
        rng.choice(("wedge", "wedge", "dot", "diamond", "none")),
        rng.choice((0.0, 0.62, 0.68)),
        inlay,
        (own[0], own[1], own[2]) if rng.random() < 0.7 or not dark else rng.choice(PALE),
        rng.choice(("", "5", "25", "100", "500", "1K", "5K")),
    )


def sprite(design: Design) -> Image:
    """The chip from above as BGRA, `SPRITE_PX` across."""
    size, middle, radius = SPRITE_PX, (SPRITE_PX // 2, SPRITE_PX // 2), SPRITE_PX // 2 - 1
    image = np.zeros((size, size, 4), np.uint8)
    cv2.circle(image, middle, radius, (*design.body, 255), -1, cv2.LINE_AA)
    for i in range(design.spots if design.spot_kind != "none" else 0):
        _spot(image, design, 360.0 * i / design.spots, radius)
    if design.spot_kind == "wedge":
        cv2.circle(image, middle, round(radius * 0.78), (*design.body, 255), -1, cv2.LINE_AA)
    if design.ring:
        ink = tuple(round(0.5 * (a + b)) for a, b in zip(design.body, design.second, strict=True))
        cv2.circle(image, middle, round(radius * design.ring), (*ink, 255), 3, cv2.LINE_AA)
    if design.inlay:
        cv2.circle(image, middle, round(radius * design.inlay), (*design.inlay_colour, 255), -1, cv2.LINE_AA)
    if design.text:
        scale = 1.5 if len(design.text) < 3 else 1.05
        (wide, high), _ = cv2.getTextSize(design.text, cv2.FONT_HERSHEY_DUPLEX, scale, 3)
        at = (middle[0] - wide // 2, middle[1] + high // 2)
        bright = sum(design.inlay_colour if design.inlay else design.body) > 380
        ink = (40, 36, 36) if bright else (228, 232, 234)
        cv2.putText(image, design.text, at, cv2.FONT_HERSHEY_DUPLEX, scale, (*ink, 255), 3, cv2.LINE_AA)
    edge = tuple(round(v * 0.82) for v in design.body)
    cv2.circle(image, middle, radius - 2, (*edge, 255), 4, cv2.LINE_AA)
    return image


def _spot(image: Image, design: Design, turn: float, radius: int) -> None:
    middle = (SPRITE_PX // 2, SPRITE_PX // 2)
    colour = (*design.second, 255)
    x = middle[0] + 0.84 * radius * math.cos(math.radians(turn))
    y = middle[1] + 0.84 * radius * math.sin(math.radians(turn))
    size = 0.011 * design.spot_deg * radius
    if design.spot_kind == "wedge":
        cv2.ellipse(
            image, middle, (radius, radius), turn, -design.spot_deg, design.spot_deg, colour, -1, cv2.LINE_AA
        )
    elif design.spot_kind == "dot":
        cv2.circle(image, (round(x), round(y)), round(size), colour, -1, cv2.LINE_AA)
    else:
        corners = [
            (x + size * math.cos(a), y + size * math.sin(a)) for a in np.radians(turn + np.arange(4) * 90.0)
        ]
        cv2.fillPoly(image, [np.round(np.array(corners) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
