"""The base of every camera: it gives the newest picture or none, and reports its faults."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from vision.camera.frame_socket import CameraFrame

IDLE_S = 0.2  # between two looks at something that gives nothing new


class Camera(ABC):
    """A source of pictures. `trouble` is empty while it works, else one line for a person.

    `gives` is what a device says of its pictures (size, rate, format), empty where there is nothing to say.
    `refused` lists what it was asked for and does not do: another size, exposure, white balance or focus that it
    goes on adjusting. The camera works all the same. `repeats`: its pictures may be the same for ever, because no
    sensor takes them.
    """

    repeats = False

    def __init__(self, source: str) -> None:
        self.source = source
        self.trouble = ""
        self.gives = ""
        self.refused: tuple[str, ...] = ()

    @abstractmethod
    def read(self, timeout: float) -> CameraFrame | None:
        """The newest picture not given before; None when there is none within `timeout` seconds."""

    def relock(self) -> None:  # noqa: B027 - most sources have nothing to hold
        """The room's light has changed: adjust again and lock. No effect where the camera cannot."""

    @abstractmethod
    def close(self) -> None:
        """Release the device. Safe to call twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.source}{' – ' + self.trouble if self.trouble else ''}>"


def idle(timeout: float) -> None:
    """Wait a little, as a camera without a new picture makes one wait."""
    time.sleep(min(timeout, IDLE_S))
