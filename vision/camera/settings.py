"""What a live camera is asked for: size, rate and format of its pictures, exposure and focus.

They stand behind the source, so that one line of the configuration or of a command names a camera as it is used:

    csi:0?size=4056x3040&rate=10
    v4l2:/dev/video0?size=3840x2160&format=MJPG&exposure=120&focus=30
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl

from vision.camera.errors import CameraError

LEAST_SIDE, MOST_SIDE = 240, 16_384  # pixels
MOST_RATE = 240.0  # pictures a second


@dataclass(frozen=True)
class CameraSettings:
    """What is not given is the camera's own choice, and held once it has settled.

    `exposure` and `focus` are in the driver's units: for V4L2 0.1 ms and `focus_absolute`, for libcamera µs and
    dioptres.
    """

    size: tuple[int, int] = (1920, 1080)
    rate: float | None = None  # pictures a second
    format: str = "MJPG"  # of USB: raw pictures of this size are more than USB 2 carries
    exposure: float | None = None
    focus: float | None = None


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{3,5})x(\d{3,5})", text)
    sides = tuple(int(side) for side in found.groups()) if found else ()
    if not sides or not all(LEAST_SIDE <= side <= MOST_SIDE for side in sides):
        raise ValueError("expected width and height in pixels, such as 3840x2160")
    return sides[0], sides[1]


def _rate(text: str) -> float:
    if not 0 < (rate := float(text)) <= MOST_RATE:
        raise ValueError(f"expected more than 0 and at most {MOST_RATE:g} pictures a second")
    return rate


def _format(text: str) -> str:
    if not re.fullmatch(r"[A-Z0-9]{4}", text):
        raise ValueError("expected four letters, such as MJPG or YUYV (`v4l2-ctl --list-formats-ext`)")
    return text


def _at_least_0(text: str) -> float:
    if not 0 <= (value := float(text)) < float("inf"):
        raise ValueError("expected a number from 0")
    return value


KEYS: Mapping[str, Callable[[str], Any]] = MappingProxyType(
    {"size": _size, "rate": _rate, "format": _format, "exposure": _at_least_0, "focus": _at_least_0}
)


def settings_of(where: str) -> tuple[str, CameraSettings]:
    """The device and its settings; raise `CameraError` for one that is unknown or makes no sense."""
    device, _, asked = where.partition("?")
    given = {}
    for key, text in parse_qsl(asked, keep_blank_values=True):
        if key not in KEYS:
            raise CameraError(f"camera {where!r}: no setting {key!r}; there are {', '.join(KEYS)}")
        try:
            given[key] = KEYS[key](text)
        except ValueError as error:
            raise CameraError(f"camera {where!r}: {key}={text}: {error}") from error
    return device, CameraSettings(**given)


def other_size(asked: tuple[int, int], given: tuple[int, int]) -> list[str]:
    """One line where a camera gives pictures of another size than it was asked for."""
    if asked == given:
        return []
    return [f"size: {asked[0]} x {asked[1]} was asked for, the camera gives {given[0]} x {given[1]}"]
