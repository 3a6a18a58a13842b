"""The picture of camera and lamps over a table, and the table of what cameras take in from which height."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hardware.drawings import FOLDER, PICTURES, svg
from hardware.drawings.document import table, write_section
from hardware.drawings.mount import HEIGHTS_MM, Mount, covers, mount, taken_in
from vision.geometry.cameras import MODELS

DOCUMENT, PICTURE = FOLDER / "camera.md", PICTURES / "camera-mount.svg"
_SCALE = 1 / 18
_TITLE = "Camera and lamps, from a short side of the table; 1 : 18, millimetres"
_FLOOR, _MIDDLE, _OTHER = 160.0, 122.0, 290.0
_LIGHT, _SIGHT, _MIRROR = "#e0a000", "#2060c0", "#c02020"


def write() -> None:
    PICTURES.mkdir(exist_ok=True)
    PICTURE.write_text(picture(mount()), "utf-8")
    write_section(DOCUMENT, "heights", heights(mount()))
    write_section(DOCUMENT, "lenses", lenses(mount()))


def heights(hung: Mount) -> str:
    """Millimetres per pixel and what is in the picture, less a margin, from each height over the felt."""
    rows = []
    for model in MODELS.values():
        cells = []
        for height in HEIGHTS_MM:
            wide, deep = taken_in(model, height)
            area = f"{wide / 1000:.1f} x {deep / 1000:.1f} m"
            cells.append(f"{1 / model.px_per_mm(height):.2f}, {area}, {covers(model, height, hung)}")
        rows.append([model.sold_as, *cells])
    return table(["mm/px, takes in, covers", *(f"{height / 1000:.1f} m" for height in HEIGHTS_MM)], rows)


def lenses(hung: Mount) -> str:
    rows = []
    for name, model in MODELS.items():
        data = hung.lens.get(name)
        sensor = f"{data.sensor[0]:.2f} x {data.sensor[1]:.2f}" if data else "not published"
        focal = f"{data.focal:.2f}" if data else "not published"
        size = f"{model.size_px[0]} x {model.size_px[1]}"
        rows.append([model.sold_as, size, sensor, focal, f"{model.across_deg:.0f}"])
    return table(["camera", "pixels", "sensor, mm", "focal length, mm", "degrees across"], rows, right=(4,))


def picture(hung: Mount) -> str:
    shapes = [svg.text(8, 9, _TITLE, size=4.2, weight="bold")]
    shapes += _room(hung, _MIDDLE)
    shapes += _whole(hung)
    shapes += _room(hung, _OTHER)
    shapes += _alone(hung)
    return svg.document(370, _FLOOR + 22, shapes)


def _at(hung: Mount, middle: float, across: float, high: float) -> tuple[float, float]:
    return middle + across * _SCALE, _FLOOR - (high + hung.felt_above_floor) * _SCALE


def _room(hung: Mount, middle: float) -> Iterator[str]:
    half = hung.table[1] / 2
    (left, felt), (right, _) = _at(hung, middle, -half, 0), _at(hung, middle, half, 0)
    yield svg.path(
        [
            (middle - 108 if middle == _MIDDLE else middle - 50, _FLOOR),
            (middle + (108 if middle == _MIDDLE else 70), _FLOOR),
        ],
        line="#888",
    )
    yield svg.rectangle(left, felt, right - left, 2.2, fill="#2f7d4f")
    for side in (-1, 1):
        x, _ = _at(hung, middle, side * half * 0.7, 0)
        yield svg.rectangle(x - 1, felt + 2.2, 2, _FLOOR - felt - 2.2, fill="#b9a27f", line="none")
        x, y = _at(hung, middle, side * (half + 230), hung.seated_head - 110)
        yield svg.circle(x, y, 110 * _SCALE, fill="#e6d5c3", line="#998", width=0.2)
        yield svg.path([(x, y + 6), (x, _FLOOR - 24)], line="#d9c8b8", width=7)


def _camera(hung: Mount, middle: float, height: float, half: float, words: str) -> Iterator[str]:
    x, y = _at(hung, middle, 0, height)
    for side in (-1, 1):
        yield svg.path([(x, y), _at(hung, middle, side * half, 0)], line=_SIGHT, width=0.25, dashes="2 1.2")
    yield svg.rectangle(x - 2.4, y - 3, 4.8, 3, fill="#333")
    yield svg.text(x + 4, y - 1, words, size=3)
    down = _at(hung, middle, 0, 0)[1]
    yield svg.path([(x, y + 2), (x, down - 1)], line="#999", width=0.15)
    yield svg.text(x + 1.2, (y + down) / 2, f"{height:.0f}", size=3, colour="#555")


def _boom(hung: Mount, middle: float, height: float, foot: float) -> Iterator[str]:
    x, y = _at(hung, middle, 0, height)
    base = middle + foot * _SCALE
    yield svg.path([(x, y - 3), (x, y - 6), (base, y - 6), (base, _FLOOR)], line="#777", width=0.8)
    yield svg.path([(base - 10, _FLOOR), (base, _FLOOR - 8), (base + 10, _FLOOR)], line="#777", width=0.8)


def _whole(hung: Mount) -> Iterator[str]:
    model, height = MODELS[hung.whole.camera], hung.whole.height
    yield svg.text(
        8, 17, f"Over the whole table: {model.sold_as}, {1 / model.px_per_mm(height):.2f} mm/px", size=3.4
    )
    yield from _boom(hung, _MIDDLE, height, 1250)
    yield from _camera(hung, _MIDDLE, height, taken_in(model, height)[1] / 2, "camera, straight down")
    across, lamp_height = hung.whole.lamp_at
    tilt = math.degrees(math.atan2(across, lamp_height))
    for side in (-1, 1):
        x, y = _at(hung, _MIDDLE, side * across, lamp_height)
        edge = _at(hung, _MIDDLE, side * hung.table[1] / 2, 0)
        yield svg.path([(x, y), _at(hung, _MIDDLE, 0, 0)], line=_LIGHT, width=0.25)
        half = hung.lamp[1] / 2 * _SCALE
        turn = math.radians(tilt)
        dx, dy = half * math.cos(turn), half * math.sin(turn)
        yield svg.path([(x - dx, y - side * dy), (x + dx, y + side * dy)], line=_LIGHT, width=1.6)
        seen = _at(hung, _MIDDLE, side * hung.nearest_lamp(lamp_height), lamp_height)
        yield svg.path([_at(hung, _MIDDLE, 0, height), edge, seen], line=_MIRROR, width=0.25, dashes="1 1")
        yield svg.path([(x, y + 4), (x, _FLOOR)], line="#ccc", width=0.5)
    x, y = _at(hung, _MIDDLE, -across, lamp_height)
    yield svg.text(x + 12, y - 4, f"lamp, {across:.0f} from the middle,", size=3)
    yield svg.text(x + 12, y, f"{lamp_height:.0f} over the felt, {tilt:.0f} degrees", size=3)
    x, y = _at(hung, _MIDDLE, hung.nearest_lamp(lamp_height), lamp_height)
    yield svg.text(x - 25, y + 24, "red: what a bent card", size=3, anchor="end", colour=_MIRROR)
    yield svg.text(x - 25, y + 28, "at the edge mirrors", size=3, anchor="end", colour=_MIRROR)
    words = f"mirrored from {hung.nearest_lamp(lamp_height):.0f} mm inwards; "
    words += f"the darkest place has {100 * hung.even:.0f} percent of the brightest's light"
    yield svg.text(_MIDDLE, _FLOOR + 8, words, size=3, anchor="middle")


def _alone(hung: Mount) -> Iterator[str]:
    model, height = MODELS[hung.alone.camera], hung.alone.height
    words = f"Over the board alone: {model.sold_as}, {1 / model.px_per_mm(height):.2f} mm/px"
    yield svg.text(_OTHER - 50, 17, words, size=3.4)
    yield from _boom(hung, _OTHER, height, 1000)
    yield from _camera(hung, _OTHER, height, taken_in(model, height)[1] / 2, "camera")
    yield svg.text(
        _OTHER, _FLOOR + 8, "the room's own light, if no lamp hangs above the table", size=3, anchor="middle"
    )
