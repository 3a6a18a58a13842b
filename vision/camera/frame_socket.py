"""The wire between a camera process and a table: pictures over a unix socket, one for each request.

The table asks for a picture newer than the one it has; the camera answers with its newest. Nothing is queued: a
slow reader misses pictures and never sees an old one.

    request  "FWR1"  newer_than u64
    answer   "FWF1"  number u64, taken_ms i64, width u32, height u32, format u8, length u32; then `length` bytes

Numbers are little-endian. `format` 0 is raw BGR (width × height × 3 bytes), 1 is anything `cv2.imdecode` reads
(JPEG, PNG). Numbers count pictures from 1 and start again when the camera does; `newer_than` 0 asks for any.
"""

from __future__ import annotations

import socket
import struct
import time
from dataclasses import dataclass
from enum import IntEnum

import cv2
import numpy as np

from vision.camera.errors import DamagedPicture
from vision.camera.jpeg import JPEG, JpegPixels
from vision.geometry.pixels import Image, Pixels, RawPixels
from vision.pictures import is_whole, stated_size

REQUEST = struct.Struct("<4sQ")
ANSWER = struct.Struct("<4sQqIIBI")
ASK, FRAME = b"FWR1", b"FWF1"
MAX_SIDE = 8192
MAX_BYTES = 128 << 20


class Format(IntEnum):
    RAW = 0
    CODED = 1


class FrameError(ValueError):
    """Bytes that are no frame: what was expected and what came."""


@dataclass(frozen=True)
class CameraFrame:
    """One picture, boot time in ms when it was taken, and its number."""

    pixels: Pixels
    taken_ms: int
    number: int

    @property
    def image(self) -> Image:
        """All its pixels: BGR, (height, width, 3) uint8."""
        return self.pixels.whole()


def boot_millis() -> int:
    """Milliseconds since this machine started."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000


def pack(image: Image, format: Format, quality: int = 95) -> bytes | memoryview:
    """The bytes of a picture as they travel.

    `image` is BGR, (height, width, 3) uint8. Raise `FrameError` where it cannot be coded.
    """
    if format is Format.RAW:
        return np.ascontiguousarray(image).data.cast("B")
    ok, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise FrameError("the picture could not be coded as JPEG")
    return coded.tobytes()


def unpack(body: bytes | bytearray, width: int, height: int, format: int) -> Pixels:
    """The picture in `body`; raise `FrameError` when it is none of that size (pixels).

    A JPEG is decoded only when it is looked at, and then as far as it is.
    """
    if format == Format.RAW:
        if len(body) != width * height * 3:
            raise FrameError(f"raw frame of {len(body)} bytes: {width} x {height} needs {width * height * 3}")
        return RawPixels(np.frombuffer(body, np.uint8).reshape(height, width, 3))
    if format != Format.CODED:
        raise FrameError(f"frame format {format}: expected 0 (raw) or 1 (coded)")
    try:
        stated = stated_size(body)
    except ValueError as error:
        raise FrameError(f"coded frame of {len(body)} bytes: {error}") from error
    if sorted(stated) != sorted((width, height)):  # EXIF may rotate the picture
        raise FrameError(f"coded frame of {stated[0]} x {stated[1]}: {width} x {height} was announced")
    if stated == (width, height) and body.startswith(JPEG):
        try:
            return JpegPixels(body)
        except DamagedPicture as error:
            raise FrameError(str(error)) from error
    if not is_whole(body):
        raise FrameError(f"coded frame of {len(body)} bytes ends in the middle of the picture")
    try:
        image = cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise FrameError(f"coded frame cannot be decoded: {error.err}") from error
    if image is None or image.shape[:2] != (height, width):
        raise FrameError(f"coded frame does not hold a picture of {width} x {height}")
    return RawPixels(np.asarray(image, np.uint8))


def receive(sock: socket.socket, count: int) -> bytearray:
    """Exactly `count` bytes; raise ConnectionError when the other side hangs up before."""
    data = bytearray(count)
    view, got = memoryview(data), 0
    while got < count:
        n = sock.recv_into(view[got:])
        if n == 0:
            raise ConnectionError("the other side hung up")
        got += n
    return data


def receive_frame(sock: socket.socket) -> CameraFrame:
    """Read one answer; raise `FrameError` for bytes that are none."""
    magic, number, taken_ms, width, height, format, length = ANSWER.unpack(bytes(receive(sock, ANSWER.size)))
    if magic != FRAME:
        raise FrameError(f"answer begins with {magic!r}: expected {FRAME!r}; is this a camera's socket?")
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE and length <= MAX_BYTES):
        raise FrameError(f"frame of {width} x {height} in {length} bytes is larger than any camera's")
    return CameraFrame(unpack(receive(sock, length), width, height, format), taken_ms, number)
