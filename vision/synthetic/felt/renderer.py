"""From a `Scene` to the picture that its camera takes, quickly.

The empty table is drawn once for each light; each object is drawn once for each place it lies at. A frame is then
a copy of the table, one small blend for each object, and the sensor's noise.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.geometry.felt import Felt, Rect
from vision.synthetic.felt import chips, covers, faces, jokers
from vision.synthetic.felt.faces import Image
from vision.synthetic.felt.scene import LyingCard, Scene, SceneLight
from vision.synthetic.felt.table import empty_table, light_map

Grey = TypeVar("Grey", np.uint8, np.float32)

OVERSAMPLE = 3
SHADOW = 0.42  # how dark the shadow right beside a card is
KEPT_PATCHES = 1200
CAMERA_HEIGHT_MM = 1600.0
CHIP_THICK_MM = 3.3
MOST_CHIPS = 40  # drawn of one pile

COVERED_PX = 400  # a hand reaches so far beyond its zone
Box = tuple[int, int, int, int]  # left, top, right, bottom
Placed = tuple[float, float, float]  # x and y in mm, angle in degrees


@dataclass(frozen=True)
class Label:
    """The truth about one card of a rendered picture; corners in pixels, clockwise from its own top left."""

    card: str | None
    zone: Zone | None
    corners: tuple[tuple[float, float], ...]

    @property
    def face_up(self) -> bool:
        return self.card is not None


@dataclass(frozen=True)
class Rendered:
    """A picture (BGR, height × width × 3) and the cards in it."""

    image: Image
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class _Patch:
    """A lit object ready to lie on the picture: where, its colour (times alpha), and what shows through."""

    left: int
    top: int
    colour: NDArray[np.float32]
    through: NDArray[np.float32]

    def blend(self, image: Image) -> None:
        height, width = image.shape[:2]
        bottom, right = self.top + self.colour.shape[0], self.left + self.colour.shape[1]
        top, left = max(0, self.top), max(0, self.left)
        below = image[top : min(bottom, height), left : min(right, width)]
        if below.size == 0:
            return
        part = np.s_[top - self.top :, left - self.left :]
        colour = self.colour[part][: below.shape[0], : below.shape[1]]
        through = self.through[part][: below.shape[0], : below.shape[1]]
        np.copyto(below, (below * through + colour).astype(np.uint8))


class Renderer:
    """Draws scenes of one felt. Not for several threads at once."""

    def __init__(
        self, felt: Felt, plain: Image | None = None, *, camera_mm: tuple[float, float, float] | None = None
    ) -> None:
        """`plain` is the picture (BGR) of everything that cards lie on; the usual table where it is not given.

        `camera_mm` is where the camera is, x, y and height over the felt: stacks lean away from it.
        """
        self.felt = felt
        self._camera_mm = camera_mm or (felt.width_mm / 2, felt.height_mm / 2, CAMERA_HEIGHT_MM)
        self._plain = empty_table(felt) if plain is None else plain
        self._patches: OrderedDict[object, _Patch] = OrderedDict()
        self._noise: dict[float, NDArray[np.int16]] = {}
        self._lit: tuple[SceneLight, NDArray[np.float32], Image] | None = None

    def render(self, scene: Scene) -> Rendered:
        """The picture of `scene`; raise ValueError when it is a scene of another felt."""
        if scene.felt != self.felt:
            raise ValueError("this renderer draws another felt: make a Renderer for the scene's felt")
        if scene.lens_covered:
            width, height = self.felt.size_px
            dark = np.full((height, width, 3), (9, 8, 10), np.uint8)
            return Rendered(self._with_noise(dark, scene), ())
        light, image = self._table(scene.light)
        for key, sprite, places in self._things(scene):
            self._patch((key, places, scene.light), sprite, places, scene.light, light).blend(image)
        for zone, what in scene.covered:
            covers.lay(image, self.felt, self.felt.zone(zone), what, scene.light.level)
        image = _smeared(image, scene.light)
        return Rendered(self._with_noise(image, scene), tuple(map(self._label, scene.cards)))

    def windows(self, scene: Scene) -> dict[Hashable, Box]:
        """Where each thing of a rendered scene lies in its picture, with its shadow; the topmost is last."""
        found: dict[Hashable, Box] = {}
        for key, _, places in self._things(scene):
            patch = self._patches[(key, places, scene.light)]
            high, wide = patch.colour.shape[:2]
            found[key, places] = (patch.left, patch.top, patch.left + wide, patch.top + high)
        for zone, what in scene.covered:
            corners = self.felt.to_px(self.felt.zone(zone).corners)
            (left, top), (right, bottom) = corners.min(axis=0) - COVERED_PX, corners.max(axis=0) + COVERED_PX
            found[zone, what] = (int(left), int(top), int(right), int(bottom))
        return found

    def _table(self, light: SceneLight) -> tuple[NDArray[np.float32], Image]:
        if self._lit is None or self._lit[0] != light:
            shade = light_map(self.felt, light)
            lit = np.clip(self._plain * shade, 0, 255).astype(np.uint8)
            self._lit = (light, shade, _blurred(lit, light.blur_px))
        return self._lit[1], self._lit[2].copy()

    def _things(self, scene: Scene) -> list[tuple[str, Image, tuple[Placed, ...]]]:
        """Objects from the bottom up: what, its sprite, and where; a stack is one sprite in several places."""
        things: list[tuple[str, Image, tuple[Placed, ...]]] = []
        for card in scene.cards:
            name = f"{scene.deck} {card.card}" if card.card else "back"
            place = (card.x_mm, card.y_mm, card.angle_deg)
            things.append((name, _sprite(card.card, scene.deck), (place,)))
        things += [
            (pile.colour, chips.chip(pile.colour), self._stack(pile.x_mm, pile.y_mm, min(pile.count, MOST_CHIPS)))
            for pile in scene.chips
        ]
        if scene.button is not None:
            disc = scene.disc
            zone = self.felt.zone(Zone.button(scene.button))
            *side, top = self._stack(*zone.at(*disc.off_mm), round(disc.thick_mm / CHIP_THICK_MM))
            things.append((f"side {disc.mm}", chips.button_side(disc.mm), tuple(side)))
            face = chips.button(disc.mm, disc.text)
            things.append((f"button {disc.mm} {disc.text}", face, ((*top[:2], zone.angle_deg),)))
        return things

    def _stack(self, x_mm: float, y_mm: float, count: int) -> tuple[Placed, ...]:
        """Where a pile is seen, from its foot to the top of its topmost chip: the higher, the further out."""
        x, y, high = self._camera_mm
        outward = (x_mm - x, y_mm - y)
        places = []
        for i in range(count + 1):
            rise = i * CHIP_THICK_MM / (high - i * CHIP_THICK_MM)
            turn = float((i * 47 + int(x_mm) * 13 + int(y_mm) * 7) % 60)
            places.append((x_mm + outward[0] * rise, y_mm + outward[1] * rise, turn))
        return tuple(places)

    def _patch(
        self, key: object, sprite: Image, places: tuple[Placed, ...], light: SceneLight, shade: NDArray[np.float32]
    ) -> _Patch:
        known = self._patches.get(key)
        if known is None:
            known = _stacked([self._draw(sprite, at, light, shade) for at in places])
            self._patches[key] = known
            if len(self._patches) > KEPT_PATCHES:
                self._patches.popitem(last=False)
        else:
            self._patches.move_to_end(key)
        return known

    def _draw(self, sprite: Image, at: Placed, light: SceneLight, shade: NDArray[np.float32]) -> _Patch:
        """Turn and shrink a sprite into its place, with shadow, light and the lens's blur."""
        x, y, angle = at
        fine = self.felt.px_per_mm * OVERSAMPLE
        small = _shrunk(sprite, fine / faces.SPRITE_PX_PER_MM)
        centre = self.felt.to_px((x, y))
        half = int(np.hypot(*small.shape[:2]) / 2 / OVERSAMPLE) + 5
        left, top = round(float(centre[0])) - half, round(float(centre[1])) - half
        size = 2 * half * OVERSAMPLE
        move = cv2.getRotationMatrix2D(((small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2), -angle, 1.0)
        target = ((centre - (left, top)) + 0.5) * OVERSAMPLE - 0.5
        move[:, 2] += target - ((small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2)
        placed = cv2.warpAffine(small, move, (size, size), flags=cv2.INTER_LINEAR)
        placed = cv2.resize(placed, (2 * half, 2 * half), interpolation=cv2.INTER_AREA)
        return self._lay(placed, left, top, light, shade)

    def _lay(
        self, placed: NDArray[np.float32], left: int, top: int, light: SceneLight, shade: NDArray[np.float32]
    ) -> _Patch:
        alpha = placed[..., 3:] / 255
        shadow = cv2.GaussianBlur(alpha, (0, 0), 2.2 * self.felt.px_per_mm)
        shadow = np.roll(shadow, (round(1.6 * self.felt.px_per_mm), round(1.2 * self.felt.px_per_mm)), (0, 1))
        through = (1 - alpha) * (1 - SHADOW * shadow[..., None])
        height, width = shade.shape[:2]
        lamp = shade[
            np.clip(top + alpha.shape[0] // 2, 0, height - 1), np.clip(left + alpha.shape[1] // 2, 0, width - 1)
        ]
        colour = placed[..., :3] * lamp  # alpha is multiplied in: the sprite is black where it is clear
        colour = np.minimum(colour, 255 * alpha)
        both = _blurred(np.dstack([colour, through]).astype(np.float32), light.blur_px)
        return _Patch(left, top, both[..., :3], both[..., 3:])

    def _with_noise(self, image: Image, scene: Scene) -> Image:
        """Add the sensor's noise: one big tile of it, shifted by the scene's seed."""
        sigma = scene.light.noise
        if sigma <= 0:
            return image
        width, height = self.felt.size_px
        if sigma not in self._noise:
            rng = np.random.default_rng(7)
            self._noise[sigma] = np.round(rng.normal(0, sigma, (height + 64, width + 64, 3))).astype(np.int8)
        dx, dy = (scene.seed * 37) % 64, (scene.seed * 23) % 61
        tile = self._noise[sigma][dy : dy + height, dx : dx + width]
        return np.asarray(cv2.add(image, tile, dtype=cv2.CV_8U), np.uint8)

    def _label(self, card: LyingCard) -> Label:
        lying = Rect(card.x_mm, card.y_mm, faces.WIDTH, faces.HEIGHT, card.angle_deg)
        corners = tuple((float(x), float(y)) for x, y in self.felt.to_px(lying.corners))
        return Label(card.card, self.felt.zone_at(card.x_mm, card.y_mm), corners)


def _sprite(card: str | None, deck: str) -> Image:
    if card is None:
        return faces.back()
    return jokers.joker(card) if card in jokers.JOKERS else faces.face(card, deck)


def _stacked(patches: list[_Patch]) -> _Patch:
    """Several patches, the first at the bottom, as one."""
    if len(patches) == 1:
        return patches[0]
    left, top = min(p.left for p in patches), min(p.top for p in patches)
    right = max(p.left + p.colour.shape[1] for p in patches)
    bottom = max(p.top + p.colour.shape[0] for p in patches)
    colour = np.zeros((bottom - top, right - left, 3), np.float32)
    through = np.ones((bottom - top, right - left, 1), np.float32)
    for patch in patches:
        height, width = patch.colour.shape[:2]
        window = np.s_[patch.top - top : patch.top - top + height, patch.left - left : patch.left - left + width]
        colour[window] = colour[window] * patch.through + patch.colour
        through[window] *= patch.through
    return _Patch(left, top, colour, through)


@functools.lru_cache(maxsize=256)
def _shrunk_sprite(raw: bytes, shape: tuple[int, ...], scale: float) -> NDArray[np.float32]:
    sprite = np.frombuffer(raw, np.uint8).reshape(shape)
    clear = sprite.astype(np.float32)
    clear[..., :3] *= clear[..., 3:] / 255
    size = (max(1, round(shape[1] * scale)), max(1, round(shape[0] * scale)))
    return np.asarray(cv2.resize(clear, size, interpolation=cv2.INTER_AREA), np.float32)


def _shrunk(sprite: Image, scale: float) -> NDArray[np.float32]:
    """A sprite at `scale`, its alpha multiplied in."""
    return _shrunk_sprite(sprite.tobytes(), sprite.shape, scale)


def _blurred(image: NDArray[Grey], sigma: float) -> NDArray[Grey]:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), image.dtype) if sigma > 0 else image


def _smeared(image: Image, light: SceneLight) -> Image:
    """The picture moved along a line while it was taken."""
    if light.smear_px <= 0:
        return image
    reach = int(light.smear_px / 2) + 2
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    angle = np.radians(light.smear_deg)
    half = np.array([np.cos(angle), np.sin(angle)]) * light.smear_px / 2
    ends = [tuple(int(v) for v in np.round((reach + way * half) * 16)) for way in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 255, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(image, -1, kernel.astype(np.float32) / float(kernel.sum())), np.uint8)


@functools.lru_cache(maxsize=4)
def _renderer(felt: Felt) -> Renderer:
    return Renderer(felt)


def render(scene: Scene) -> Rendered:
    """The picture of `scene`, from a renderer kept for its felt."""
    return _renderer(scene.felt).render(scene)
