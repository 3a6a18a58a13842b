"""A device that delivers pictures continuously: a thread reads them, so that the newest one is available.

Exposure, white balance and focus settle after opening and are then locked. A camera that keeps adjusting makes
still cards appear to move, and one that focuses on a hand loses the cards under it.
"""

from __future__ import annotations

import contextlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

from supervised.thread import SupervisedThread
from vision.camera.base import Camera
from vision.camera.errors import CameraError, DamagedPicture
from vision.camera.frame_socket import CameraFrame, boot_millis
from vision.geometry.pixels import Pixels

SETTLE_PICTURES = 45  # pictures (1.5 s) for the automatic controls to settle before they are switched off
RETRY_S = 1.0
MOST_DAMAGED = 10  # pictures in a row: a long cable loses one now and then
LOOKS_A_SECOND = 10.0  # at most; what a camera gives in between is not decoded


class CameraDevice(ABC):
    """An open device. Every method may raise `CameraError`: it then is closed and opened again.

    `gives` is what it says of its pictures; `unmet` is where that is not what it was asked for, one line each.
    """

    gives = ""
    unmet: Sequence[str] = ()

    @abstractmethod
    def picture(self) -> Pixels:
        """The next picture; waits for it."""

    @abstractmethod
    def adjust(self) -> None:
        """Let exposure, white balance and focus adjust."""

    @abstractmethod
    def lock(self) -> Sequence[str]:
        """Lock exposure, white balance and focus; the settings that the device refuses, one line each."""

    @abstractmethod
    def close(self) -> None: ...


class LiveCamera(Camera, ABC):
    """Pictures of a device, through a thread. The device is opened again when it goes away."""

    def __init__(self, source: str, *, settle: int = SETTLE_PICTURES, retry_s: float = RETRY_S) -> None:
        super().__init__(source)
        self._settle = settle
        self._retry_s = retry_s
        self._ready = threading.Condition()
        self._newest: CameraFrame | None = None  # the newest picture, unless it was given
        self._number = 0
        self._due = 0.0  # when the next picture may be taken
        self._closing = threading.Event()
        self._relock = threading.Event()
        self._thread = SupervisedThread(self._run, f"camera {source}", stopping=self._closing, failed=self._failed)
        self._thread.start()

    @abstractmethod
    def _open(self) -> CameraDevice:
        """Open the device; raise `CameraError` when that fails."""

    def read(self, timeout: float) -> CameraFrame | None:
        self._closing.wait(max(0.0, min(timeout, self._due - time.monotonic())))
        with self._ready:
            self._ready.wait_for(lambda: self._newest is not None, timeout)
            frame, self._newest = self._newest, None
        self._due = time.monotonic() + 1 / LOOKS_A_SECOND
        return frame

    def relock(self) -> None:
        self._relock.set()

    def close(self) -> None:
        self._closing.set()
        self._thread.join(3)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                with contextlib.closing(self._open()) as device:
                    self._drain(device)
            except CameraError as error:
                self._lost(str(error))
                self._closing.wait(self._retry_s)

    def _failed(self) -> None:
        self._lost("its driver failed; the log says where")

    def _lost(self, why: str) -> None:
        with self._ready:
            self.trouble, self._newest = why, None  # never return an old picture

    def _drain(self, device: CameraDevice) -> None:
        until_lock, damaged = self._settle, 0
        device.adjust()
        self.gives, self.refused = device.gives, tuple(device.unmet)
        while not self._closing.is_set():
            try:
                self._put(device.picture())
            except DamagedPicture:
                damaged += 1
                if damaged == MOST_DAMAGED:
                    raise
                continue
            damaged = 0
            if self._relock.is_set():
                self._relock.clear()
                device.adjust()
                until_lock = self._settle
            if until_lock == 0:
                self.refused = (*device.unmet, *device.lock())
            until_lock -= 1

    def _put(self, pixels: Pixels) -> None:
        with self._ready:
            self._number += 1
            self._newest = CameraFrame(pixels, boot_millis(), self._number)
            self.trouble = ""
            self._ready.notify_all()
