"""The table's camera: the newest picture from wherever it comes, never an old one.

    with open_camera("v4l2:/dev/video0") as camera:
        frame = camera.read(timeout=1.0)

Sources: `socket:PATH` (a camera process, see `vision.framewire`), `v4l2:DEVICE` (a USB camera), `csi:N`
(a Pi camera), `file:PATH` (a picture, read again and again, or a folder of pictures, one after the other).
A camera that goes away is opened again; `read` gives None meanwhile and `trouble` says why.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import cv2
import numpy as np

from vision.framewire import ASK, REQUEST, Frame, FrameError, Image, boot_millis, receive_frame

PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff")
RETRY_S = 0.1


class CameraError(Exception):
    """A camera that cannot be used: which one, why, and what to do."""


class Camera(ABC):
    """A source of pictures. `trouble` is empty while it works, else one line for a person."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.trouble = ""

    @abstractmethod
    def read(self, timeout: float) -> Frame | None:
        """The newest picture not given before; None when there is none within `timeout` seconds."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the device. Safe to call twice."""

    def __enter__(self) -> Camera:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.source}{' – ' + self.trouble if self.trouble else ''}>"


def open_camera(source: str) -> Camera:
    """The camera that `source` names; raise `CameraError` when the name means nothing or the file is not there.

    A socket or device that is not there *yet* is waited for by `read`.
    """
    kind, _, where = source.partition(":")
    kinds: dict[str, Callable[[str, str], Camera]] = {
        "socket": SocketCamera,
        "file": FileCamera,
        "v4l2": V4l2Camera,
        "csi": CsiCamera,
    }
    if kind not in kinds or not where:
        raise CameraError(
            f"camera {source!r}: expected socket:PATH, file:PATH, v4l2:/dev/video0 or csi:0 in the configuration"
        )
    return kinds[kind](source, where)


class SocketCamera(Camera):
    """Pictures from a camera process over a unix socket."""

    def __init__(self, source: str, where: str) -> None:
        super().__init__(source)
        self._path = where
        self._sock: socket.socket | None = None
        self._asked = False  # a request is under way; its answer is still to come
        self._number = 0

    def read(self, timeout: float) -> Frame | None:
        deadline = time.monotonic() + timeout
        while True:
            try:
                return self._read_once(deadline)
            except TimeoutError:
                return None
            except (OSError, FrameError) as error:
                self._drop(f"camera {self.source} does not answer: {getattr(error, 'strerror', None) or error}")
            if (left := deadline - time.monotonic()) <= 0:
                return None
            time.sleep(min(RETRY_S, left))

    def _read_once(self, deadline: float) -> Frame:
        sock = self._sock or self._connect(deadline)
        if not self._asked:
            sock.sendall(REQUEST.pack(ASK, self._number))
            self._asked = True
        sock.settimeout(max(0.001, deadline - time.monotonic()))
        with contextlib.suppress(BlockingIOError):
            if not sock.recv(1, socket.MSG_PEEK):  # a time-out here leaves the stream whole
                raise ConnectionError("the camera hung up")
        sock.settimeout(5.0)  # the header has begun: the rest follows at once or the camera is gone
        try:
            frame = receive_frame(sock)
        except TimeoutError as error:
            raise ConnectionError("the camera stopped in the middle of a picture") from error
        self._asked, self._number, self.trouble = False, frame.number, ""
        return frame

    def _connect(self, deadline: float) -> socket.socket:
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            sock.connect(self._path)
        except OSError:
            sock.close()
            raise
        self._sock, self._asked, self._number = sock, False, 0
        return sock

    def _drop(self, why: str) -> None:
        self.close()
        self.trouble = why

    def close(self) -> None:
        if self._sock is not None:
            self._sock.close()
            self._sock = None
        self._asked = False


class FileCamera(Camera):
    """A picture, as if a camera looked at it (five times a second), or the pictures of a folder, each once."""

    def __init__(self, source: str, where: str) -> None:
        super().__init__(source)
        path = Path(where)
        if path.is_dir():
            self._left = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
            if not self._left:
                raise CameraError(f"{path} holds no pictures: expected files ending in {', '.join(PICTURES)}")
        elif path.is_file():
            self._left = [path]
        else:
            raise CameraError(f"{path} is not there: expected a picture or a folder of pictures")
        self._still = not path.is_dir()
        self._kept: Image | None = None
        self._number = 0

    def read(self, timeout: float) -> Frame | None:
        if self._still and self._kept is not None:
            time.sleep(min(timeout, 0.2))
        elif self._left:
            self._kept = read_picture(self._left.pop(0))
        else:
            time.sleep(min(timeout, 0.2))
            return None
        self._number += 1
        return Frame(self._kept, boot_millis(), self._number)

    def close(self) -> None:
        self._left = []


def read_picture(path: Path) -> Image:
    """A picture file as BGR; raise `CameraError` when it is none or cannot be read."""
    try:
        raw = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise CameraError(f"{path}: {error.strerror}") from error
    try:
        image = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
    except cv2.error:
        image = None
    if image is None:
        raise CameraError(f"{path}: not a picture, or a damaged one; expected one of {', '.join(PICTURES)}")
    return np.asarray(image, np.uint8)


class _LiveCamera(Camera):
    """A device that a thread drains, so that the newest picture is always at hand."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._ready = threading.Condition()
        self._newest: Frame | None = None
        self._given = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {source}", daemon=True)

    @abstractmethod
    def _grab_until_trouble(self) -> None:
        """Open the device and `_put` pictures until closing; raise `CameraError` when it fails."""

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._grab_until_trouble()
            except CameraError as error:
                self.trouble = str(error)
                self._closing.wait(1.0)

    def _put(self, image: Image) -> None:
        with self._ready:
            number = 1 if self._newest is None else self._newest.number + 1
            self._newest = Frame(image, boot_millis(), number)
            self.trouble = ""
            self._ready.notify_all()

    def read(self, timeout: float) -> Frame | None:
        with self._ready:
            if not self._ready.wait_for(
                lambda: self._newest is not None and self._newest.number > self._given, timeout
            ):
                return None
            assert self._newest is not None  # the wait above says so
            self._given = self._newest.number
            return self._newest

    def close(self) -> None:
        self._closing.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=3)


class V4l2Camera(_LiveCamera):
    """A USB camera. Exposure, white balance and focus are locked after opening where the driver allows."""

    def __init__(self, source: str, where: str) -> None:
        super().__init__(source)
        self._device = where
        self._thread.start()

    def _grab_until_trouble(self) -> None:
        capture = cv2.VideoCapture(self._device, cv2.CAP_V4L2)
        try:
            if not capture.isOpened():
                raise CameraError(
                    f"camera {self._device} does not open: is it plugged in, and are you in group video?"
                )
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1920)
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)
            capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
            while not self._closing.is_set():
                ok, image = capture.read()
                if not ok:
                    raise CameraError(f"camera {self._device} gives no pictures: was it unplugged?")
                self._put(np.asarray(image, np.uint8))
        finally:
            capture.release()


class CsiCamera(_LiveCamera):
    """A Pi camera on the CSI ribbon, through picamera2 (`cv2.VideoCapture` does not open those)."""

    def __init__(self, source: str, where: str) -> None:
        super().__init__(source)
        if not where.isdigit():
            raise CameraError(f"camera {source!r}: expected csi: and a number, such as csi:0")
        self._index = int(where)
        self._make = _picamera2()
        self._thread.start()

    def _grab_until_trouble(self) -> None:
        try:
            device = self._make(self._index)
            device.configure(device.create_video_configuration({"size": (1920, 1080), "format": "RGB888"}))
            device.start()
        except (RuntimeError, IndexError, OSError) as error:
            raise CameraError(f"camera {self.source} does not open: {error}; check the ribbon") from error
        try:
            while not self._closing.is_set():
                self._put(np.asarray(device.capture_array(), np.uint8))  # RGB888 of picamera2 is BGR in memory
        except (RuntimeError, OSError) as error:
            raise CameraError(f"camera {self.source} gives no pictures: {error}") from error
        finally:
            device.stop()
            device.close()


def _picamera2() -> Callable[[int], Any]:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraError(
            "a csi: camera needs picamera2: sudo apt install python3-picamera2, and a virtual environment made "
            "with --system-site-packages"
        ) from error
    make: Callable[[int], Any] = Picamera2
    return make
