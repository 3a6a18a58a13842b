"""What is used of picamera2, driven: a camera with few buffers, which it fills, hands out and fills again.

A buffer lies in an `mmap`, as picamera2's do, and its rows are longer than the picture. It is overwritten as soon
as it is released, and cannot be closed while an array points into it.
"""

from __future__ import annotations

import mmap
import queue
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np

from vision.geometry.pixels import Image, Size

BUFFERS = 6  # of a video configuration
GARBAGE = 0xEE


class PiBuffer:
    """Memory for one picture in both streams: `main` is BGR, `lores` is planes of YUV 4:2:0."""

    def __init__(self, size: Size, small: Size) -> None:
        self.size, self.small = size, small
        self.held = False
        self._strides = {"main": _whole_lines(size[0] * 3), "lores": _whole_lines(small[0])}
        rows = {"main": size[1], "lores": small[1] * 3 // 2}
        self._memory = {stream: mmap.mmap(-1, rows[stream] * self._strides[stream]) for stream in rows}

    def mapped(self, stream: str) -> Any:
        """The stream as picamera2 lays it out: nothing is copied."""
        rows = np.frombuffer(self._memory[stream], np.uint8).reshape(-1, self._strides[stream])
        if stream == "lores":
            return rows
        return rows[:, : self.size[0] * 3].reshape(self.size[1], self.size[0], 3)

    def fill(self, image: Image) -> None:
        """As the camera's hardware does."""
        self.mapped("main")[:] = image
        width, height = self.small
        small = cv2.cvtColor(cv2.resize(image, self.small, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2YUV_I420)
        planes = self.mapped("lores")
        planes[:height, :width] = small[:height]
        colours = planes[height:].reshape(height, -1)  # both, each with rows of half the length
        colours[:, : width // 2] = small[height:].reshape(height, -1)

    def overwrite(self) -> None:
        for memory in self._memory.values():
            np.frombuffer(memory, np.uint8)[:] = GARBAGE

    def close(self) -> None:
        """Raise `BufferError` while an array points into it."""
        for memory in self._memory.values():
            memory.close()

    @property
    def closed(self) -> bool:
        return all(memory.closed for memory in self._memory.values())


class PiRequest:
    """One picture. `released` is told of its buffer."""

    def __init__(self, buffer: PiBuffer, released: Callable[[PiBuffer], None] = lambda _: None) -> None:
        assert not buffer.held
        self.buffer = buffer
        self._released = released
        buffer.held = True

    def release(self) -> None:
        assert self.buffer.held
        self.buffer.held = False
        self._released(self.buffer)


class MappedArray:
    """picamera2's: `array` lies in the request's buffer."""

    def __init__(self, request: PiRequest, stream: str, reshape: bool = True, write: bool = True) -> None:
        assert request.buffer.held
        assert (reshape, write) == (True, False)
        self.array = None
        self._request, self._stream = request, stream

    def __enter__(self) -> MappedArray:
        self.array = self._request.buffer.mapped(self._stream)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._request.buffer.held
        self.array = None


class PiCamera:
    """The module and its camera 0: pictures come when they are put into `pictures`, None is a broken ribbon."""

    MappedArray = MappedArray

    def __init__(self, says: Mapping[str, object], focuses: bool) -> None:
        self.says = says
        self.camera_controls = {"AfMode": (0, 2, 2)} if focuses else {}
        self.set_to: dict[str, object] = {}
        self.state = "new"
        self.asked = (0, 0)
        self.largest = (4608, 2592)
        self.pictures: queue.Queue[int | Image | None] = queue.Queue()
        self.buffers: list[PiBuffer] = []
        self._free: deque[PiBuffer] = deque()

    def Picamera2(self, index: int) -> PiCamera:
        if index != 0:
            raise IndexError("list index out of range")
        return self

    @property
    def held(self) -> int:
        """Buffers that were not released."""
        return sum(buffer.held for buffer in self.buffers)

    def create_video_configuration(
        self, main: Mapping[str, Any], lores: Mapping[str, Any], queue: bool
    ) -> Mapping[str, Any]:
        assert queue is False
        assert (main["format"], lores["format"]) == ("RGB888", "YUV420")
        return {"main": main, "lores": lores}

    def configure(self, wanted: Mapping[str, Any]) -> None:
        self.asked, self.small = wanted["main"]["size"], wanted["lores"]["size"]
        self.buffers = [PiBuffer(min(self.asked, self.largest), self.small) for _ in range(BUFFERS)]
        self._free = deque(self.buffers)

    def camera_configuration(self) -> Mapping[str, Any]:
        return {"main": {"size": self.buffers[0].size}, "lores": {"size": self.small}}

    def start(self) -> None:
        self.state = "started"

    def stop(self) -> None:
        self.state = "stopped"

    def close(self) -> None:
        self.state = "closed"
        while self._free:
            self._free.popleft().close()

    def capture_request(self) -> PiRequest:
        picture = self.pictures.get()
        if picture is None:
            raise RuntimeError("Camera frontend has timed out!")
        if not self._free:
            raise RuntimeError("no buffer was released")  # the real one waits for it
        buffer = self._free.popleft()
        width, height = buffer.size
        buffer.fill(np.full((height, width, 3), picture, np.uint8) if isinstance(picture, int) else picture)
        return PiRequest(buffer, self._released)

    def _released(self, buffer: PiBuffer) -> None:
        buffer.overwrite()
        if self.state == "closed":
            buffer.close()
        else:
            self._free.append(buffer)

    def capture_metadata(self) -> Mapping[str, object]:
        return self.says

    def set_controls(self, controls: Mapping[str, object]) -> None:
        self.set_to |= controls


def _whole_lines(row: int) -> int:
    """The bytes of a row in the camera's memory."""
    return -(-row // 64) * 64
