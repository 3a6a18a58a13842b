"""Reads tens of thousands of rendered scenes and says where reading ends: `feltwire vision score --rendered N`.

Every scene is a piece of cloth, 420 × 300 mm, with cards on it: its number and the seed decide the deck, the
cloth, the light, the scale and how the cards lie, so any part of a run can be done anywhere and again. The
renderer's strokes, suits, courts and cloths are its own: no training ever saw them.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.cards import CardReader
from vision.cards.find import SearchRegion
from vision.cards.seen import CardReading, Corners, Seen
from vision.evaluation.sums import SceneLook, SceneScore
from vision.geometry.felt import CARD_MM, Felt, Rect
from vision.synthetic.felt import Cover, LyingCard, Rendered, Renderer, Scene, SceneLight, table
from vision.synthetic.felt.faces import DECKS
from vision.synthetic.felt.table import bare_cloth

SIZE_MM = (420.0, 300.0)
RIM_MM = 8.0
SCALES = (0.8, 1.0, 1.4, 2.0, 2.8, 4.0)  # px/mm
FINE = 1.4  # from here a layout has a row of its own, too: a camera of 1920 pixels over a table of 1.3 m
CLOTHS = {name: table.CLOTHS[name] for name in ("green", "blue", "red", "black", "sand")}
LAYOUTS = ("apart", "pairs", "fan", "pile", "under a hand")
LIGHTS = {
    "good": SceneLight(),
    "bright": SceneLight(level=1.15, noise=1.5, warmth=0.0),
    "warm, uneven": SceneLight(level=0.9, gradient=0.4, warmth=0.9, noise=3.0),
    "dim": SceneLight(level=0.5, gradient=0.25, warmth=0.5, noise=4.0),
    "very dim, noisy": SceneLight(level=0.3, gradient=0.25, noise=7.0),
    "soft lens": SceneLight(noise=2.5),  # its blur and smear are millimetres: they grow with the scale
    "motion": SceneLight(noise=2.5),
}
SOFT_MM, SMEAR_MM = 0.75, 1.4
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
INDEX_MARGIN_MM = 1.0  # an index shows when hardly any of it, and of this around it, is covered
SHOWS = 0.93
NEAR_MM = 14.0  # a name belongs to a card whose middle is as near
COLUMNS = (
    "scenes", "cards", "read", "unread", "wrong", "share", "covered", "covered_read", "backs", "backs_seen", "ms",
)  # fmt: skip


def scene_tags(number: int, seed: int) -> tuple[random.Random, list[str], float]:
    """The chance of one scene; its light, deck, layout and cloth; and its scale in px/mm."""
    rng = random.Random(f"{seed}:{number}")
    deck, cloth = list(DECKS)[number % len(DECKS)], rng.choice(list(CLOTHS))
    light, layout = rng.choice(list(LIGHTS)), rng.choice(LAYOUTS)
    return rng, [light, deck, layout, cloth], rng.choice(SCALES)


class Scenes:
    """Makes and reads scenes. Keeps what several scenes share; one thread only."""

    def __init__(self, seed: int, reader: CardReader | None = None) -> None:
        self._seed = seed
        self._reader = reader or CardReader()
        self._cloths: dict[tuple[str, float], NDArray[np.uint8]] = {}
        self._regions: dict[float, SearchRegion] = {}

    def score(self, number: int) -> SceneScore:
        """Render the scene `number` and read it. Cards of which an index shows are `read` or `unread`."""
        shot, seen, tags, ms, px_per_mm, hands = self.look(number)
        near = NEAR_MM * px_per_mm
        shows = _showing(shot, px_per_mm, hands, _index_mm(tags[1]))
        found = Counter(scenes=1)
        for label, index in zip(shot.labels, shows, strict=True):
            if label.card is None:
                there = any(_apart(back.corners, label.corners) < near for back in seen.face_down)
                found.update(backs=1, backs_seen=there)
                continue
            named = any(c.card == label.card and _apart(c.corners, label.corners) < near for c in seen.cards)
            if index:
                found.update(cards=1, read=named, unread=not named)
            else:
                found.update(covered=1, covered_read=named)
        wrong = [name for name in (_wrong(card, shot, near, px_per_mm) for card in seen.cards) if name]
        found.update(wrong=len(wrong))
        return SceneScore(self._seed, number, [SceneLook(tags, dict(found), ms, wrong)])

    def look(self, number: int) -> tuple[Rendered, Seen, list[str], float, float, tuple[Rect, ...]]:
        """The picture of a scene and what was read in it."""
        rng, tags, px_per_mm = scene_tags(number, self._seed)
        light, deck, layout, cloth = tags
        hands = _hands(rng) if layout == "under a hand" else ()
        felt = Felt(*SIZE_MM, px_per_mm, dict.fromkeys([Zone.POT], *hands) if hands else {}, 2)
        scene = Scene(
            felt,
            tuple(_lying(layout, rng)),
            covered=tuple((zone, Cover.HAND) for zone in felt.zones),
            light=_scaled(LIGHTS[light], light, px_per_mm, rng),
            seed=rng.randrange(1000),
            deck=deck,
        )
        shot = Renderer(felt, self._cloth(cloth, felt)).render(scene)
        begun = time.perf_counter()
        seen = self._reader.read(shot.image, self._region(felt), px_per_mm)
        ms = (time.perf_counter() - begun) * 1e3
        tags += [f"{px_per_mm} px/mm"] + ([f"{layout}, from {FINE}"] if px_per_mm >= FINE else [])
        return shot, seen, tags, round(ms, 2), px_per_mm, hands

    def _cloth(self, name: str, felt: Felt) -> NDArray[np.uint8]:
        key = (name, felt.px_per_mm)
        if key not in self._cloths:
            self._cloths[key] = bare_cloth(felt, CLOTHS[name])
        return self._cloths[key]

    def _region(self, felt: Felt) -> SearchRegion:
        if felt.px_per_mm not in self._regions:
            width, height = felt.size_px
            inside = np.full((height, width), 255, np.uint8)
            rim = inside.copy()
            edge = round(RIM_MM * felt.px_per_mm)
            rim[edge:-edge, edge:-edge] = 0
            self._regions[felt.px_per_mm] = SearchRegion.of(inside, rim)
        return self._regions[felt.px_per_mm]


def _scaled(light: SceneLight, name: str, px_per_mm: float, rng: random.Random) -> SceneLight:
    if name == "soft lens":
        return replace(light, blur_px=SOFT_MM * px_per_mm)
    if name == "motion":
        return replace(light, smear_px=SMEAR_MM * px_per_mm, smear_deg=rng.uniform(0, 180))
    return light


def _lying(layout: str, rng: random.Random) -> Iterator[LyingCard]:
    """How cards lie, from the bottom up."""
    deck = DECK.copy()
    rng.shuffle(deck)
    width, height = SIZE_MM
    turn = rng.uniform(0, 360)
    if layout in ("apart", "under a hand"):
        for slot in range(rng.randint(2, 4)):
            x = width * (slot + 1) / 5 + rng.uniform(-4, 4)
            yield LyingCard(
                deck.pop(), x, height / 2 + rng.uniform(-30, 30), rng.gauss(0, 6) + rng.choice((0, 180))
            )
        if rng.random() < 0.5:
            yield LyingCard(None, width * 0.88, height / 2 + rng.uniform(-40, 40), rng.gauss(0, 10))
    elif layout == "pairs":
        for x in (width * 0.27, width * 0.73):
            middle, turn = height / 2 + rng.uniform(-25, 25), rng.uniform(0, 360)
            yield LyingCard(deck.pop(), x, middle, turn)
            yield LyingCard(
                deck.pop(), x + rng.uniform(-26, 26), middle + rng.uniform(-26, 26), turn + rng.gauss(0, 18)
            )
    elif layout == "fan":
        count = rng.randint(3, 5)
        for i in range(count):
            lean = (i - (count - 1) / 2) * rng.uniform(9, 14)
            step = (i - (count - 1) / 2) * rng.uniform(15, 22)
            yield LyingCard(deck.pop(), width / 2 + step, height / 2 + 0.05 * abs(step) ** 1.3, lean)
    else:
        for _ in range(rng.randint(5, 12)):
            card = deck.pop() if rng.random() < 0.7 else None
            yield LyingCard(card, width / 2 + rng.gauss(0, 45), height / 2 + rng.gauss(0, 22), rng.uniform(0, 360))


def _hands(rng: random.Random) -> tuple[Rect, ...]:
    x = rng.uniform(0.25, 0.75) * SIZE_MM[0]
    return (Rect(x, SIZE_MM[1] / 2 + rng.uniform(30, 90), 100, 80, rng.gauss(0, 15)),)


def _wrong(card: CardReading, shot: Rendered, near: float, px_per_mm: float) -> str:
    """A name that is not that of the card there, as `Ah for Ad at 120, 80 mm`; empty for a right one."""
    if any(c.card == card.card and _apart(card.corners, c.corners) < near for c in shot.labels):
        return ""
    x, y = np.mean(card.corners, axis=0) / px_per_mm
    there = [c.card or "a back" for c in shot.labels if _apart(card.corners, c.corners) < 2.5 * near]
    return f"{card.card} for {' '.join(there) or 'nothing'} at {x:.0f}, {y:.0f} mm"


def _apart(one: Corners, other: Corners) -> float:
    return float(np.hypot(*(np.mean(one, axis=0) - np.mean(other, axis=0))))


def _index_mm(deck: str) -> tuple[float, float]:
    """How far into a card its index reaches, across and down."""
    style = DECKS[deck]
    across = style.index_x + 0.5 * max(0.84 * style.rank_height, style.suit_height)  # a ten is the widest rank
    down = style.top + style.rank_height + style.gap + style.suit_height
    return across + INDEX_MARGIN_MM, down + INDEX_MARGIN_MM


def _showing(
    shot: Rendered, px_per_mm: float, hands: tuple[Rect, ...], index_mm: tuple[float, float]
) -> list[bool]:
    """For each card whether at least one of its indices is hardly covered by what lies above it."""
    height, width = shot.image.shape[:2]
    above = np.zeros((height, width), np.uint8)
    for zone in hands:
        cv2.fillPoly(above, [np.round(np.array(_reach(zone)) * px_per_mm).astype(np.int32)], 1)
    shows = []
    for label in reversed(shot.labels):
        quad = np.array(label.corners)
        shows.append(any(_bare(above, _index(quad, start, index_mm)) > SHOWS for start in (0, 2)))
        cv2.fillConvexPoly(above, np.round(quad).astype(np.int32), 1)
    return shows[::-1]


def _reach(zone: Rect) -> list[tuple[float, float]]:
    """All that a hand over a zone may cover."""
    return [zone.at(-100, -110), zone.at(100, -110), zone.at(100, 280), zone.at(-100, 280)]


def _index(quad: NDArray[np.float64], start: int, index_mm: tuple[float, float]) -> NDArray[np.float64]:
    """The place of the index at corner `start` of a card whose corners go clockwise from its own top left."""
    at, along, down = quad[start], quad[(start + 1) % 4] - quad[start], quad[(start + 3) % 4] - quad[start]
    right, below = along * index_mm[0] / CARD_MM[0], down * index_mm[1] / CARD_MM[1]
    return np.array([at, at + right, at + right + below, at + below])


def _bare(above: NDArray[np.uint8], quad: NDArray[np.float64]) -> float:
    mask = np.zeros_like(above)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    area = max(1, cv2.countNonZero(mask))
    return 1.0 - cv2.countNonZero(cv2.bitwise_and(mask, above)) / area
