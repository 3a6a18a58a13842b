"""Opens picture files that anybody may hand over: whole, truncated, enormous or no pictures at all."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

MOST_PIXELS = 120_000_000  # a decoded picture takes three bytes for each
MOST_BYTES = 250_000_000
SMALLEST_SIDE = 16
DAMAGED_HEAD = "the file's head is damaged; save it again as JPEG or PNG"
MARKER = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]")  # of JPEG, but for those inside a scan
END_OF_PICTURE = 0xD9
ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".webp")


class PictureError(Exception):
    """A file that cannot be read as a picture: which, why, what to do."""


def open_picture(path: Path) -> Image:
    """The picture in a file, upright, BGR. Raise `PictureError` for anything that is not a whole picture."""
    data = _whole(path)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(f"{path}: cannot be decoded ({error.err}); save it again as JPEG or PNG") from error
    if image is None:
        raise PictureError(f"{path}: is damaged and cannot be decoded; save it again as JPEG or PNG")
    return np.asarray(image, np.uint8)


def whole_pictures(given: Iterable[Path]) -> list[Path]:
    """The pictures of files and folders, before long work with all of them: none is decoded here.

    Raise `PictureError` for the first that is not there whole.
    """
    files = [file for path in given for file in pictures_in(path)]
    for file in files:
        _whole(file)
    return files


def _whole(path: Path) -> bytes:
    """The bytes of a file that is a whole picture by its head and end. Raise `PictureError`."""
    data = _bytes_of(path)
    try:
        width, height = stated_size(data)
    except ValueError as error:
        raise PictureError(f"{path}: {error}") from error
    if width * height > MOST_PIXELS:
        raise PictureError(
            f"{path}: {width} × {height} pixels are too many (at most {MOST_PIXELS:,}); make it smaller"
        )
    if min(width, height) < SMALLEST_SIDE:
        raise PictureError(f"{path}: {width} × {height} pixels are too few to show a card")
    if not is_whole(data):
        raise PictureError(f"{path}: the file ends in the middle of the picture; copy it again")
    return data


def reduced(image: Image, by: float) -> Image:
    """The picture `by` times as large; itself where that is not smaller."""
    if by >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8)


def at_most(image: Image, side: int) -> tuple[Image, float]:
    """The picture with its longer side at most `side` pixels, and how many times as large it is now."""
    by = min(1.0, side / max(image.shape[:2]))
    return reduced(image, by), by


def save_picture(path: Path, image: Image) -> None:
    """Write a picture in the format of its ending; raise `PictureError` when that cannot be done.

    `image` is BGR, (height, width, 3) uint8.
    """
    try:
        written = cv2.imwrite(str(path), image)
    except cv2.error as error:
        raise PictureError(f"{path}: cannot be written ({error.err}); use .jpg or .png") from error
    if not written:
        raise PictureError(f"{path}: cannot be written; check the folder")


def pictures_in(path: Path) -> list[Path]:
    """The file itself, or the pictures of a folder in order. Raise `PictureError` where there is none."""
    if not path.is_dir():
        return [path]
    found = sorted(p for p in path.iterdir() if p.suffix.lower() in ENDINGS and p.is_file())
    if not found:
        raise PictureError(f"{path}: no pictures in this folder ({', '.join(ENDINGS)})")
    return found


def _bytes_of(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise PictureError(f"{path}: is not a file; name a picture")
        if path.stat().st_size > MOST_BYTES:
            raise PictureError(f"{path}: larger than {MOST_BYTES // 1_000_000} MB; make it smaller")
        return path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path}: cannot be opened ({error.strerror}); check the name") from error


def stated_size(data: bytes | bytearray) -> tuple[int, int]:
    """Width and height as the head of a coded picture states them; nothing is decoded.

    Raise ValueError with the reason for a damaged head, or for what is no picture that is known here.
    """
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            width, height = struct.unpack(">II", data[16:24])
        elif data.startswith(b"\xff\xd8"):
            width, height = _jpeg_size(data)
        elif data.startswith(b"BM"):
            width, height = struct.unpack("<ii", data[18:26])
        elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            width, height = _webp_size(data)
        else:
            raise ValueError("is no picture that is known here; save it as JPEG, PNG, BMP or WebP")
    except (struct.error, IndexError) as error:
        raise ValueError(DAMAGED_HEAD) from error
    return abs(int(width)), abs(int(height))


def _jpeg_size(data: bytes | bytearray) -> tuple[int, int]:
    """From the frame header (ITU-T T.81, B.2.2), past the segments before it."""
    at = 2
    while True:
        marker, length = struct.unpack(">HH", data[at : at + 4])
        if 0xFFC0 <= marker <= 0xFFCF and marker not in (0xFFC4, 0xFFC8, 0xFFCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        if marker < 0xFF01 or length < 2:
            raise ValueError(DAMAGED_HEAD)
        at += 2 + length


def _jpeg_ends(data: bytes | bytearray) -> bool:
    """Whether the end marker of the picture itself is there, segment by segment (ITU-T T.81, B.1): some cameras
    write a preview or notes behind it, others have a small picture before it."""
    at = 2
    while found := MARKER.search(data, at):
        marker, at = data[found.end() - 1], found.end()
        if marker == END_OF_PICTURE:
            return True
        at += int.from_bytes(data[at : at + 2], "big")  # a scan's own bytes are looked through for the next marker
    return False


def _webp_size(data: bytes | bytearray) -> tuple[int, int]:
    """From the first chunk (RFC 9649, 2.5 to 2.7)."""
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = struct.unpack("<I", data[21:25])[0]
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack("<HH", data[26:30])
    return width & 0x3FFF, height & 0x3FFF


def is_whole(data: bytes | bytearray) -> bool:
    """Whether the end of the picture is there; a decoder would fill up what is missing with grey."""
    if data.startswith(b"\xff\xd8"):
        return _jpeg_ends(data)
    if data.startswith(b"\x89PNG"):
        return b"IEND" in data[-4096:]
    if data.startswith(b"RIFF"):
        return len(data) >= 8 + int(struct.unpack("<I", data[4:8])[0])
    return len(data) >= 6 and len(data) >= int(struct.unpack("<I", data[2:6])[0])
