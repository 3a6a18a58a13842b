"""Pictures that somebody sends for the venue's screens: decoded in a process of its own, and coded anew.

What comes is PNG, JPEG or WebP of 2 MB at most, and may be hostile. Its head is read here first: the kind, the
size in pixels, whether it moves. The decoder then runs in a child with limits of memory and processor time. A
picture that fells it fells nothing else. What leaves it is one still WebP without anything that the file had
beside its pixels (place, camera, thumbnails, comments).
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from typing import NamedTuple

from feltwire.private_files import python
from table_core.messages import MOST_LOGO, MOST_SPONSOR

MOST_SENT = 2 * 1024 * 1024  # bytes
MOST_SIDE, MOST_PIXELS = 8_192, 16_000_000  # of what is decoded
MOST = {"logo": (MOST_LOGO, 800, 400), "sponsor": (MOST_SPONSOR, 1_200, 600)}  # bytes, width and height as coded
TIMES_OUT_S = 20.0
_MEMORY, _PROCESSOR_S = 1_500_000_000, 10  # of the child
_QUALITIES = (92, 80, 65, 50)
KINDS = "a picture is a PNG, JPEG or WebP file"
_PNG = b"\x89PNG\r\n\x1a\n"
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # JPEG markers that name the size


class PictureRefusedError(Exception):
    """Why a picture is not taken, in words for who sent it."""


class Head(NamedTuple):
    """What the first bytes of a picture say of it, in pixels."""

    kind: str
    width: int
    height: int


def coded_anew(raw: bytes, slot: str) -> bytes:
    """`raw` as a still WebP for `slot`. Raise `PictureRefusedError`. Takes up to `TIMES_OUT_S`."""
    head = checked_head(raw)
    command = python(__name__, slot, head.kind)
    environment = {"OPENCV_IO_MAX_IMAGE_PIXELS": str(MOST_PIXELS), "PATH": os.environ.get("PATH", "")}
    try:
        done = subprocess.run(
            command, input=raw, capture_output=True, timeout=TIMES_OUT_S, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        raise PictureRefusedError(
            f"it takes more than {TIMES_OUT_S:.0f} s to read; save it anew, smaller"
        ) from None
    except OSError as error:
        raise PictureRefusedError(f"no process can be started to read it ({error.strerror})") from None
    if done.returncode or not done.stdout:
        raise PictureRefusedError("it cannot be read to its end; save it anew, with another program")
    if len(done.stdout) > MOST[slot][0] or not done.stdout.startswith(b"RIFF"):
        raise PictureRefusedError("it cannot be made small enough; use one with fewer details")
    return done.stdout


def checked_head(raw: bytes) -> Head:
    """What `raw` is, within the bounds. Raise `PictureRefusedError` for what is not decoded at all."""
    if len(raw) > MOST_SENT:
        raise PictureRefusedError(f"it has {len(raw) / 1024 / 1024:.1f} MB, and 2 MB are the most")
    try:
        head = _head_of(raw)
    except (IndexError, ValueError):
        head = None
    if head is None:
        raise PictureRefusedError(KINDS)
    if not (
        0 < head.width <= MOST_SIDE and 0 < head.height <= MOST_SIDE and head.width * head.height <= MOST_PIXELS
    ):
        raise PictureRefusedError(
            f"{head.width:,} × {head.height:,} pixels; make it {MOST_PIXELS // 10**6} million at most"
        )
    return head


def _head_of(raw: bytes) -> Head | None:
    if raw.startswith(_PNG) and raw[12:16] == b"IHDR":
        _refuse_moving(b"acTL" in raw[:4096])
        return Head("png", _number(raw[16:20], "big"), _number(raw[20:24], "big"))
    if raw.startswith(b"RIFF") and raw[8:12] == b"WEBP":
        return _webp(raw)
    return _jpeg(raw) if raw.startswith(b"\xff\xd8\xff") else None


def _webp(raw: bytes) -> Head | None:
    """https://developers.google.com/speed/webp/docs/riff_container"""
    match raw[12:16]:
        case b"VP8X":
            _refuse_moving(bool(raw[20] & 0x02))
            return Head("webp", 1 + _number(raw[24:27]), 1 + _number(raw[27:30]))
        case b"VP8L":
            bits = _number(raw[21:25])
            return Head("webp", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
        case b"VP8 ":
            return Head("webp", _number(raw[26:28]) & 0x3FFF, _number(raw[28:30]) & 0x3FFF)
    return None


def _jpeg(raw: bytes) -> Head | None:
    at = 2
    while raw[at] == 0xFF:
        marker = raw[at + 1]
        if marker in _FRAMES:
            return Head("jpeg", _number(raw[at + 7 : at + 9], "big"), _number(raw[at + 5 : at + 7], "big"))
        if marker == 0xFF:
            at += 1
            continue
        length = _number(raw[at + 2 : at + 4], "big")
        if length < 2:
            return None
        at += 2 + length
    return None


def _number(raw: bytes, order: str = "little") -> int:
    if not raw:
        raise ValueError("the file ends")
    return int.from_bytes(raw, "big" if order == "big" else "little")


def _refuse_moving(moves: bool) -> None:
    if moves:
        raise PictureRefusedError("it moves; send one still picture")


def main(slot: str, kind: str) -> int:
    """The child: a picture on standard input, WebP on standard output; 1 where it cannot be read."""
    raw = sys.stdin.buffer.read(MOST_SENT + 1)
    import cv2

    resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR_S, _PROCESSOR_S))
    resource.setrlimit(resource.RLIMIT_AS, (_memory_in_use() + _MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    cv2.setNumThreads(1)
    import numpy as np

    # A JPEG has no transparent parts, and is turned as its camera was held.
    how = cv2.IMREAD_COLOR if kind == "jpeg" else cv2.IMREAD_UNCHANGED
    picture = cv2.imdecode(np.frombuffer(raw, np.uint8), how)
    if picture is None or picture.shape[0] * picture.shape[1] > MOST_PIXELS:
        return 1
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    if picture.dtype != np.uint8:
        return 1
    most, width, height = MOST[slot]
    scale = min(1.0, width / picture.shape[1], height / picture.shape[0])
    for _ in range(4):
        size = max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale))
        small = picture if scale == 1.0 else cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        for quality in _QUALITIES:
            well, coded = cv2.imencode(".webp", small, [cv2.IMWRITE_WEBP_QUALITY, quality])
            if well and len(coded) <= most:
                sys.stdout.buffer.write(coded.tobytes())
                return 0
        scale *= 0.7
    return 1


def _memory_in_use() -> int:
    """Bytes of address space."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
