"""A USB camera through Video4Linux."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np

from vision.camera.errors import CameraError
from vision.camera.jpeg import JpegPixels
from vision.camera.live import RETRY_S, SETTLE_PICTURES, CameraDevice, LiveCamera
from vision.camera.settings import CameraSettings, other_size, settings_of
from vision.geometry.pixels import Pixels, RawPixels


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool: ...
    def set(self, prop: int, value: float) -> bool: ...
    def get(self, prop: int) -> float: ...
    def read(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


class Control(NamedTuple):
    """Something that a camera adjusts by itself: what switches that, and the value it then holds.

    Numbers are those of V4L2 (`v4l2-ctl --list-ctrls`): V4L2_CID_EXPOSURE_AUTO knows 1 manual and 3 aperture
    priority, the others are switches.
    """

    name: str
    switch: int
    automatic: float
    manual: float
    value: int


CONTROLS = (
    Control("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 3, 1, cv2.CAP_PROP_EXPOSURE),
    Control("white balance", cv2.CAP_PROP_AUTO_WB, 1, 0, cv2.CAP_PROP_WB_TEMPERATURE),
    Control("focus", cv2.CAP_PROP_AUTOFOCUS, 1, 0, cv2.CAP_PROP_FOCUS),
)
EXPOSURE, _, FOCUS = CONTROLS
CODED = "MJPG"
NOT_THERE = -1.0  # value of `get` for a control that the driver lacks


def _capture(device: str) -> Capture:
    opened: Capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
    return opened


class V4l2Camera(LiveCamera):
    """`v4l2:/dev/video0`, with settings behind it. `make` opens the device; tests give one that they drive."""

    def __init__(
        self,
        source: str,
        where: str,
        *,
        make: Callable[[str], Capture] = _capture,
        settle: int = SETTLE_PICTURES,
        retry_s: float = RETRY_S,
    ) -> None:
        self._where, self._settings = settings_of(where)
        self._make = make
        super().__init__(source, settle=settle, retry_s=retry_s)

    def _open(self) -> CameraDevice:
        capture = self._make(self._where)
        if not capture.isOpened():
            capture.release()
            raise CameraError(f"camera {self._where} does not open: is it plugged in, and are you in group video?")
        return _V4l2(capture, self._where, self._settings)


class _V4l2(CameraDevice):
    def __init__(self, capture: Capture, where: str, asked: CameraSettings) -> None:
        self._capture = capture
        self._where = where
        self._fixed = {
            control: value
            for control, value in ((EXPOSURE, asked.exposure), (FOCUS, asked.focus))
            if value is not None
        }
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*asked.format))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, asked.size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, asked.size[1])
        if asked.rate is not None:
            capture.set(cv2.CAP_PROP_FPS, asked.rate)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # the driver's queue holds old pictures
        if asked.format == CODED:
            capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)  # as they come: decoded as far as they are looked at
        self._read_back(asked)

    def _read_back(self, asked: CameraSettings) -> None:
        """A driver takes what it has nearest to what it was asked for, and says nothing."""
        width, height = (
            round(self._capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        code = max(0, round(self._capture.get(cv2.CAP_PROP_FOURCC)))
        form = code.to_bytes(4, "little").decode("ascii", "replace").strip("\0 ")
        self.gives = f"{width} x {height}, {rate:g} pictures a second, {form}"
        self.unmet = other_size(asked.size, (width, height))
        if form != asked.format:
            self.unmet.append(f"format: {asked.format} was asked for, the camera gives {form or 'another'}")
        if asked.rate is not None and rate < asked.rate:
            self.unmet.append(f"rate: {asked.rate:g} pictures a second were asked for, the camera gives {rate:g}")

    def picture(self) -> Pixels:
        try:
            ok, image = self._capture.read()
        except cv2.error as error:
            raise CameraError(f"camera {self._where} gives damaged pictures: {error.err}") from error
        if not ok or image is None:
            raise CameraError(f"camera {self._where} gives no pictures: was it unplugged?")
        given = np.asarray(image, np.uint8)
        if given.ndim == 3 and given.shape[2] == 3:  # another format, or a driver that decodes
            return RawPixels(given)
        return JpegPixels(given.tobytes())

    def adjust(self) -> None:
        for control in CONTROLS:
            if control not in self._fixed:
                self._capture.set(control.switch, control.automatic)

    def lock(self) -> list[str]:
        return [refusal for control in CONTROLS if (refusal := self._hold(control))]

    def _hold(self, control: Control) -> str:
        """Hold one control at what was asked for, else where it is; what the camera refused. A lens without focus
        has nothing to hold, unless it was asked for."""
        wanted = self._fixed.get(control)
        if self._capture.get(control.switch) == NOT_THERE:
            return (
                "" if control is FOCUS and wanted is None else f"{control.name}: this camera has no control for it"
            )
        now = self._capture.get(control.value) if wanted is None else wanted
        self._capture.set(control.switch, control.manual)
        if self._capture.get(control.switch) != control.manual:
            return f"{control.name}: the camera goes on adjusting it by itself"
        if now != NOT_THERE:
            self._capture.set(control.value, now)  # some drivers reset it to their default
        held = self._capture.get(control.value)
        if wanted is not None and held != wanted:
            return f"{control.name}: {wanted:g} was asked for, the camera holds {held:g}"
        return ""

    def close(self) -> None:
        self._capture.release()
