"""Lays chips, cards and other things on a cloth, lights them and takes the picture."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.chips.art import SPRITE_PX, Colour, Design, Image, sprite

CHIP_MM, THICK_MM = 39.5, 3.25
Canvas = NDArray[np.float32]

FELTS: tuple[Colour, ...] = ((62, 96, 22), (96, 58, 24), (40, 38, 120), (74, 70, 66), (52, 110, 52), (110, 70, 90))
WOODS: tuple[Colour, ...] = ((170, 200, 216), (120, 160, 190), (70, 104, 140))


@dataclass(frozen=True)
class ChipStack:
    """`count` chips of one design stacked with their foot at x, y (mm)."""

    design: Design
    x: float
    y: float
    count: int = 1
    turn_deg: float = 0.0


@dataclass(frozen=True)
class CameraPose:
    """Where the camera hangs (mm; the foot is the point under it) and what its pictures suffer."""

    foot: tuple[float, float] = (0.0, 0.0)
    height_mm: float = 1600.0
    blur_px: float = 0.6
    noise: float = 2.0
    jpeg: int = 88


@dataclass(frozen=True)
class Lighting:
    """`level` of light, its fall over the picture, a tint (B, G, R), and where a chip's shadow falls (mm)."""

    level: float = 1.0
    gradient: float = 0.12
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    shadow: tuple[float, float] = (1.0, 1.4)
    shadow_dark: float = 0.35


@dataclass
class Table:
    """A cloth, seen `px_per_mm` large, and what lies on it from the bottom up."""

    width_mm: float
    height_mm: float
    px_per_mm: float
    cloth: Colour
    wood: bool = False
    chips: list[ChipStack] = field(default_factory=list)
    cards: list[tuple[float, float, float, bool]] = field(default_factory=list)  # x, y, angle, face up
    hands: list[tuple[float, float, float]] = field(default_factory=list)  # x, y, direction of the arm


def take(table: Table, camera: CameraPose, light: Lighting, rng: random.Random) -> Image:
    """The picture (BGR). The camera's foot and all places are mm from the table's top left corner."""
    noise = np.random.default_rng(rng.randrange(2**32))
    canvas = _cloth(table, noise)
    for x, y, angle, face_up in table.cards:
        _card(canvas, table, x, y, angle, face_up, rng)
    for stack in table.chips:
        _stack(canvas, table, stack, camera, light)
    for x, y, direction in table.hands:
        _hand(canvas, table, x, y, direction)
    width = canvas.shape[1]
    slope = np.linspace(1 - light.gradient, 1 + light.gradient, width, dtype=np.float32)[None, :, None]
    lit = canvas * slope * (light.level * np.array(light.tint, np.float32))
    coded = cv2.GaussianBlur(lit, (0, 0), max(0.3, camera.blur_px))
    coded = coded + noise.normal(0, camera.noise, coded.shape)
    image = np.clip(coded, 0, 255).astype(np.uint8)
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg])[1], 1), np.uint8
    )


def seen_from(camera: CameraPose, x: float, y: float, z: float) -> tuple[float, float]:
    """Where on the cloth (mm) a point `z` mm above it is seen."""
    rise = z / (camera.height_mm - z)
    return x + (x - camera.foot[0]) * rise, y + (y - camera.foot[1]) * rise


def _cloth(table: Table, noise: np.random.Generator) -> Canvas:
    width, height = round(table.width_mm * table.px_per_mm), round(table.height_mm * table.px_per_mm)
    rough = (height // 3 + 2, width // 60 + 2) if table.wood else (height, width)
    fine = noise.normal(0, 1, rough).astype(np.float32)
    fine = cv2.resize(fine, (width, height)) if table.wood else cv2.GaussianBlur(fine, (0, 0), 0.8)
    broad = cv2.resize(
        noise.normal(0, 1, (5, 7)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    shade = 1 + 0.018 * fine + 0.03 * broad if table.wood else 1 + 0.06 * fine + 0.02 * broad
    return np.asarray(np.array(table.cloth, np.float32) * shade[..., None], np.float32)


def _stack(canvas: Canvas, table: Table, stack: ChipStack, camera: CameraPose, light: Lighting) -> None:
    """The side from foot to top, darker and striped as chips are, then the top chip; and the shadow they throw."""
    top = stack.count * THICK_MM
    px = table.px_per_mm
    diameter = CHIP_MM * px
    fall = (light.shadow[0] * stack.count, light.shadow[1] * stack.count)
    shadow = ((stack.x + fall[0]) * px, (stack.y + fall[1]) * px, diameter / 2)
    _disc(canvas, *shadow, (0, 0, 0), max(1.0, 1.2 * px), light.shadow_dark)
    drawn = sprite(stack.design)
    edge = tuple(0.74 * v for v in stack.design.body)
    steps = max(2, math.ceil(stack.count * 2))
    for i in range(steps):
        x, y = seen_from(camera, stack.x, stack.y, top * i / steps)
        _disc(canvas, x * px, y * px, diameter / 2, edge if i % 2 else tuple(0.9 * v for v in edge))
    x, y = seen_from(camera, stack.x, stack.y, top)
    grown = camera.height_mm / (camera.height_mm - top)
    _paste(canvas, drawn, x * px, y * px, diameter * grown, stack.turn_deg)


def _window(canvas: Canvas, x: float, y: float, half: float) -> tuple[int, int, int, int] | None:
    left, top = max(0, math.floor(x - half)), max(0, math.floor(y - half))
    right, bottom = min(canvas.shape[1], math.ceil(x + half) + 1), min(canvas.shape[0], math.ceil(y + half) + 1)
    return None if left >= right or top >= bottom else (left, top, right, bottom)


def _cover(canvas: Canvas, x: float, y: float, radius: float, soft: float) -> tuple[Canvas, Canvas] | None:
    """The part of the canvas around a disc, and how much of each pixel the disc covers."""
    window = _window(canvas, x, y, radius + 3 * soft + 2)
    if window is None:
        return None
    left, top, right, bottom = window
    across, down = np.meshgrid(np.arange(left, right) - x, np.arange(top, bottom) - y)
    alpha = np.clip((radius - np.hypot(across, down)) / max(soft, 1e-3) + 0.5, 0, 1)
    return canvas[top:bottom, left:right], alpha[..., None].astype(np.float32)


def _disc(
    canvas: Canvas,
    x: float,
    y: float,
    radius: float,
    colour: Sequence[float],
    soft: float = 1.0,
    dense: float = 1.0,
) -> None:
    """A disc with a soft rim; what lies below shows through where it is not `dense`."""
    part = _cover(canvas, x, y, radius, soft)
    if part is not None:
        cover = dense * part[1]
        part[0][:] = part[0] * (1 - cover) + np.array(colour, np.float32) * cover


def _paste(canvas: Canvas, drawn: Image, x: float, y: float, diameter: float, turn_deg: float) -> None:
    window = _window(canvas, x, y, diameter / 2 + 2)
    if window is None:
        return
    left, top, right, bottom = window
    fine = 3
    scale = diameter * fine / SPRITE_PX
    move = cv2.getRotationMatrix2D(((SPRITE_PX - 1) / 2, (SPRITE_PX - 1) / 2), turn_deg, scale)
    centre = ((x - left + 0.5) * fine - 0.5, (y - top + 0.5) * fine - 0.5)
    move[:, 2] += np.array(centre) - (SPRITE_PX - 1) / 2
    clear = drawn.astype(np.float32)
    clear[..., :3] *= clear[..., 3:] / 255
    big = cv2.warpAffine(clear, move, ((right - left) * fine, (bottom - top) * fine), flags=cv2.INTER_AREA)
    small = cv2.resize(big, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    below = canvas[top:bottom, left:right]
    below[:] = below * (1 - small[..., 3:] / 255) + small[..., :3]


def _card(
    canvas: Canvas, table: Table, x: float, y: float, angle: float, face_up: bool, rng: random.Random
) -> None:
    px = table.px_per_mm
    wide, high = round(63.5 * px), round(88.9 * px)
    card = np.full((high, wide, 3), (240, 242, 242), np.float32)
    ink = rng.choice(((40, 30, 190), (34, 32, 32)))
    if face_up:
        for _ in range(rng.randint(2, 10)):
            at = (rng.randrange(wide), rng.randrange(high))
            cv2.ellipse(card, at, (round(4 * px), round(5 * px)), rng.randrange(180), 0, 360, ink, -1, cv2.LINE_AA)
    else:
        colour = rng.choice(((60, 40, 180), (150, 70, 30)))
        step = max(3, round(3 * px))
        for k in range(-high, wide, step):
            cv2.line(card, (k, 0), (k + high, high), colour, max(1, step // 3), cv2.LINE_AA)
            cv2.line(card, (k + high, 0), (k, high), colour, max(1, step // 3), cv2.LINE_AA)
    move = cv2.getRotationMatrix2D((wide / 2, high / 2), angle, 1.0)
    move[:, 2] += (x * px - wide / 2, y * px - high / 2)
    size = (canvas.shape[1], canvas.shape[0])
    alpha = cv2.warpAffine(np.ones((high, wide), np.float32), move, size, flags=cv2.INTER_LINEAR)[..., None]
    canvas[:] = canvas * (1 - alpha) + cv2.warpAffine(card, move, size, flags=cv2.INTER_LINEAR) * alpha


def _hand(canvas: Canvas, table: Table, x: float, y: float, direction: float) -> None:
    px = table.px_per_mm
    skin, cos, sin = (112.0, 146.0, 196.0), math.cos(direction), math.sin(direction)
    end = (round((x + 400 * cos) * px), round((y + 400 * sin) * px))
    start = (round(x * px), round(y * px))
    cv2.line(canvas, start, end, tuple(0.9 * v for v in skin), round(70 * px), cv2.LINE_AA)
    for finger in range(-2, 3):
        turn = direction + math.pi + 0.22 * finger
        tip = (round((x + 75 * math.cos(turn)) * px), round((y + 75 * math.sin(turn)) * px))
        cv2.line(canvas, start, tip, skin, max(1, round(17 * px)), cv2.LINE_AA)
