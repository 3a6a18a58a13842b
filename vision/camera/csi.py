"""A Pi camera on the CSI ribbon, through picamera2 (`cv2.VideoCapture` does not open those)."""

from __future__ import annotations

import inspect
import weakref
from contextlib import ExitStack
from typing import Any

import cv2
import numpy as np

from vision.camera.errors import CameraError
from vision.camera.live import RETRY_S, SETTLE_PICTURES, CameraDevice, LiveCamera
from vision.camera.settings import CameraSettings, other_size, settings_of
from vision.geometry.pixels import Image, Pixels, Size, checksum_of
from vision.geometry.view import shrink_at

WIDEST_MM = 3000.0  # what a picture shows of a table and around it, at most: nobody knows yet
AF_MANUAL, AF_CONTINUOUS = 0, 2  # libcamera's AfModeEnum


class CsiCamera(LiveCamera):
    """`csi:0`, with settings behind it. `driver` is picamera2; tests give one whose camera they drive."""

    def __init__(
        self,
        source: str,
        where: str,
        *,
        driver: Any = None,
        settle: int = SETTLE_PICTURES,
        retry_s: float = RETRY_S,
    ) -> None:
        """Raise `CameraError` where `where` is no number or the driver is missing."""
        number, self._settings = settings_of(where)
        if not number.isdigit():
            raise CameraError(f"camera {source!r}: expected csi: and a number, such as csi:0")
        self._index = int(number)
        self._driver = driver or _picamera2()
        super().__init__(source, settle=settle, retry_s=retry_s)

    def _open(self) -> CameraDevice:
        try:
            device = self._driver.Picamera2(self._index)
        except (RuntimeError, IndexError, OSError) as error:
            raise CameraError(f"camera {self.source} does not open: {error}; check the ribbon") from error
        opened = _Csi(device, self._driver.MappedArray, self.source, self._settings)
        opened.start()
        return opened


class CsiPixels:
    """A picture in two sizes, as the camera's hardware makes it, read where the camera wrote it: a cut out of the
    large one costs what the cut is large. Rows may be longer than the picture.

    The camera has few buffers and writes into this one again once it is released: when nobody holds the picture or
    an array of its pixels. picamera2's buffers are cached, and a request is synchronised for reading until it is
    released; `mapped`, its `MappedArray`, copies nothing.
    """

    def __init__(self, request: Any, mapped: Any, size: Size, small: Size) -> None:
        self._request, self._mapped = request, mapped
        self._size, self._small = size, small
        self._large: dict[str, Any] | None = None
        self._held = ExitStack()
        self._held.callback(request.release)
        weakref.finalize(self, self._held.close)  # first the mapping, then the buffer

    @property
    def size(self) -> Size:
        return self._size

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """Where the large picture lies, for numpy: an array of it, and every part of that, keeps this object."""
        if self._large is None:
            mapping = self._held.enter_context(self._mapped(self._request, "main", write=False))
            lies = mapping.array.__array_interface__
            self._large = lies | {"data": (lies["data"][0], True)}  # not to be written to
        return self._large

    def whole(self) -> Image:
        return np.asarray(self)  # not kept: it keeps this object. RGB888 is BGR in memory

    def reduced(self, least: Size) -> Image:
        width, height = self._small
        if width < least[0] or height < least[1]:
            return self.whole()
        with self._mapped(self._request, "lores", write=False) as planes:
            image = cv2.cvtColor(planes.array, cv2.COLOR_YUV2BGR_I420)
        return np.asarray(image[:height, :width], np.uint8)

    def checksum(self) -> int:
        with self._mapped(self._request, "lores", write=False) as planes:
            return checksum_of(planes.array)


def small_of(size: Size) -> Size:
    """The second stream, in whole pairs of pixels: as many as motion needs where `WIDEST_MM` are seen."""
    shrink = shrink_at(size[0] / WIDEST_MM)
    width, height = (-(-side // (2 * shrink)) * 2 for side in size)
    return width, height


class _Csi(CameraDevice):
    def __init__(self, device: Any, mapped: Any, source: str, asked: CameraSettings) -> None:
        self._device = device
        self._mapped = mapped
        self._source = source
        self._asked = asked
        self._given = self._small = asked.size

    def start(self) -> None:
        """Raise `CameraError`, with the device closed, when it does not begin."""
        try:
            # queue=False: a picture that was taken after it was asked for
            main = {"size": self._asked.size, "format": "RGB888"}
            small = {"size": small_of(self._asked.size), "format": "YUV420"}  # a Pi 4 has no other for it
            self._device.configure(self._device.create_video_configuration(main, lores=small, queue=False))
            given, small = (self._device.camera_configuration()[stream]["size"] for stream in ("main", "lores"))
            self._device.start()
        except (RuntimeError, OSError) as error:
            self._device.close()
            raise CameraError(f"camera {self._source} does not start: {error}; check the ribbon") from error
        self._given, self._small = (int(given[0]), int(given[1])), (int(small[0]), int(small[1]))
        self.gives = f"{given[0]} x {given[1]}"
        self.unmet = other_size(self._asked.size, self._given)

    def picture(self) -> Pixels:
        try:
            return CsiPixels(self._device.capture_request(), self._mapped, self._given, self._small)
        except (RuntimeError, OSError) as error:
            raise CameraError(f"camera {self._source} gives no pictures: {error}") from error

    def adjust(self) -> None:
        """Hold what was asked for, let the camera adjust the rest."""
        asked = self._asked
        controls: dict[str, Any] = {"AeEnable": True, "AwbEnable": True} | self._focus({"AfMode": AF_CONTINUOUS})
        if asked.rate is not None:
            frame_us = round(1e6 / asked.rate)
            controls["FrameDurationLimits"] = (frame_us, frame_us)
        if asked.exposure is not None:
            controls["ExposureTime"] = round(asked.exposure)
        if asked.focus is not None:
            controls |= self._focus({"AfMode": AF_MANUAL, "LensPosition": asked.focus})
        self._set(controls)

    def lock(self) -> list[str]:
        """Hold what the camera says of its newest picture; metadata and controls have the same names."""
        try:
            now = self._device.capture_metadata()
        except (RuntimeError, OSError) as error:
            raise CameraError(f"camera {self._source} says nothing of its pictures: {error}") from error
        refused = []
        held: dict[str, Any] = {}
        for name, values, switch in (
            ("exposure", ("ExposureTime", "AnalogueGain"), {"AeEnable": False}),
            ("white balance", ("ColourGains",), {"AwbEnable": False}),
            ("focus", ("LensPosition",), self._focus({"AfMode": AF_MANUAL})),
        ):
            if not switch:
                if name == "focus" and self._asked.focus is not None:
                    refused.append("focus: this camera has no control for it")
                continue  # a lens that cannot move
            if all(value in now for value in values):
                held |= switch | {value: now[value] for value in values}
            else:
                refused.append(f"{name}: this camera does not say where it stands")
        self._set(held)
        return refused

    def _focus(self, mode: dict[str, Any]) -> dict[str, Any]:
        return mode if "AfMode" in self._device.camera_controls else {}

    def _set(self, controls: dict[str, Any]) -> None:
        try:
            self._device.set_controls(controls)
        except (RuntimeError, OSError) as error:
            raise CameraError(f"camera {self._source} takes no settings: {error}") from error

    def close(self) -> None:
        self._device.stop()
        self._device.close()


def _picamera2() -> Any:
    try:
        import picamera2
    except ImportError as error:
        raise CameraError(
            "a csi: camera needs picamera2: sudo apt install python3-picamera2, and a virtual environment made "
            "with --system-site-packages"
        ) from error
    if "write" not in inspect.signature(picamera2.MappedArray).parameters:  # up to 0.3.12 of October 2023
        raise CameraError(
            "this picamera2 is too old for a csi: camera: sudo apt update, sudo apt install python3-picamera2"
        )
    return picamera2
