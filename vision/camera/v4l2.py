"""A USB camera through Video4Linux."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np

from vision.camera.base import CameraError
from vision.camera.frame_socket import Image
from vision.camera.live import RETRY_S, SETTLE_PICTURES, CameraDevice, LiveCamera

SIZE = (1920, 1080)


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
NOT_THERE = -1.0  # value of `get` for a control that the driver lacks


def _capture(device: str) -> Capture:
    opened: Capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
    return opened


class V4l2Camera(LiveCamera):
    """`v4l2:/dev/video0`. `make` opens the device; tests give one that they drive."""

    def __init__(
        self,
        source: str,
        where: str,
        *,
        make: Callable[[str], Capture] = _capture,
        settle: int = SETTLE_PICTURES,
        retry_s: float = RETRY_S,
    ) -> None:
        self._where = where
        self._make = make
        super().__init__(source, settle=settle, retry_s=retry_s)

    def _open(self) -> CameraDevice:
        capture = self._make(self._where)
        if not capture.isOpened():
            capture.release()
            raise CameraError(f"camera {self._where} does not open: is it plugged in, and are you in group video?")
        return _V4l2(capture, self._where)


class _V4l2(CameraDevice):
    def __init__(self, capture: Capture, where: str) -> None:
        self._capture = capture
        self._where = where
        # MJPG: raw pictures of this size are more than USB 2 carries
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # the driver's queue holds old pictures

    def picture(self) -> Image:
        try:
            ok, image = self._capture.read()
        except cv2.error as error:
            raise CameraError(f"camera {self._where} gives damaged pictures: {error.err}") from error
        if not ok or image is None:
            raise CameraError(f"camera {self._where} gives no pictures: was it unplugged?")
        return np.asarray(image, np.uint8)

    def adjust(self) -> None:
        for control in CONTROLS:
            self._capture.set(control.switch, control.automatic)

    def lock(self) -> list[str]:
        return [refusal for control in CONTROLS if (refusal := self._hold(control))]

    def _hold(self, control: Control) -> str:
        """Hold one control where it is; what the camera refused. A lens without focus has nothing to hold."""
        if self._capture.get(control.switch) == NOT_THERE:
            return "" if control.name == "focus" else f"{control.name}: this camera has no control for it"
        now = self._capture.get(control.value)
        self._capture.set(control.switch, control.manual)
        if self._capture.get(control.switch) != control.manual:
            return f"{control.name}: the camera goes on adjusting it by itself"
        if now != NOT_THERE:
            self._capture.set(control.value, now)  # some drivers reset it to their default
        return ""

    def close(self) -> None:
        self._capture.release()
