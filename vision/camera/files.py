"""Pictures from files: one picture like a still camera, a folder or a video picture by picture."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.camera.base import Camera, idle
from vision.camera.errors import CameraError
from vision.camera.frame_socket import CameraFrame, boot_millis
from vision.geometry.pixels import Image, RawPixels
from vision.pictures import MOST_PIXELS, PictureError, open_picture, pictures_in

VIDEOS = (".mp4", ".avi", ".mkv", ".mov", ".webm", ".mjpeg")
USUAL_FPS = 30.0
FPS_RANGE = (1.0, 240.0)  # accepted range of a video header's values
MOST_BAD = 50  # undecodable pictures in a row after which the video counts as damaged


def file_camera(source: str, where: str) -> Camera:
    """The camera for a picture, a folder or a video; raise `CameraError` when `where` is none of these."""
    path = Path(where)
    if path.is_dir():
        return FolderCamera(source, path)
    if not path.is_file():
        raise CameraError(f"{path} is not there: expected a picture, a video or a folder of pictures")
    return VideoCamera(source, path) if path.suffix.lower() in VIDEOS else PictureCamera(source, path)


class PictureCamera(Camera):
    """One picture, five times a second, like a camera over a still scene."""

    repeats = True

    def __init__(self, source: str, path: Path) -> None:
        super().__init__(source)
        self._image = _opened(path)
        self._number = 0

    def read(self, timeout: float) -> CameraFrame | None:
        if self._number:
            idle(timeout)
        self._number += 1
        return CameraFrame(RawPixels(self._image), boot_millis(), self._number)

    def close(self) -> None:
        """Nothing is held open."""


class FolderCamera(Camera):
    """The pictures of a folder in order, each once; an unreadable one is skipped and reported."""

    def __init__(self, source: str, path: Path) -> None:
        """Raise `CameraError` where there are no pictures."""
        super().__init__(source)
        try:
            self._left = pictures_in(path)
        except PictureError as error:
            raise CameraError(str(error)) from error
        self._number = 0

    def read(self, timeout: float) -> CameraFrame | None:
        while self._left:
            self._number += 1
            try:
                return CameraFrame(RawPixels(open_picture(self._left.pop(0))), boot_millis(), self._number)
            except PictureError as error:
                self.trouble = str(error)
        self.trouble = self.trouble or f"camera {self.source} has shown all its pictures"
        idle(timeout)
        return None

    def close(self) -> None:
        self._left = []


class VideoCamera(Camera):
    """A video, each picture once, as fast as asked for; `taken_ms` runs at the video's own speed."""

    def __init__(self, source: str, path: Path) -> None:
        """Raise `CameraError` for a file that is no video, or whose pictures are too large."""
        super().__init__(source)
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(f"{path}: is no video that can be opened here; save it again as MP4 or AVI")
        wide, high = (self._capture.get(p) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        if wide * high > MOST_PIXELS:
            self._capture.release()
            raise CameraError(
                f"{path}: {wide:.0f} × {high:.0f} pixels are too many (at most {MOST_PIXELS:,}); make it smaller"
            )
        fps = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._gap_ms = 1000 / (fps if FPS_RANGE[0] <= fps <= FPS_RANGE[1] and math.isfinite(fps) else USUAL_FPS)
        self._began_ms = boot_millis()
        self._pictures = self._decode()

    def read(self, timeout: float) -> CameraFrame | None:
        frame = next(self._pictures, None)
        if frame is None:
            self.trouble = f"camera {self.source} has shown all its pictures"
            idle(timeout)
        return frame

    def _decode(self) -> Iterator[CameraFrame]:
        number, bad = 0, 0
        while bad < MOST_BAD and self._capture.isOpened():
            number += 1
            image: Image | None = None
            with contextlib.suppress(cv2.error):
                ok, decoded = self._capture.read()
                image = np.asarray(decoded, np.uint8) if ok else None
            if image is None:
                bad += 1
                continue
            bad = 0
            yield CameraFrame(RawPixels(image), self._began_ms + round((number - 1) * self._gap_ms), number)

    def close(self) -> None:
        self._capture.release()


def _opened(path: Path) -> Image:
    try:
        return open_picture(path)
    except PictureError as error:
        raise CameraError(str(error)) from error
