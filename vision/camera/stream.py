"""A telephone as a camera: pictures over HTTP, one JPEG behind the other (MJPEG), as its camera apps give them.

    stream:/path/to/phone.toml

Address and password stand in that file, which only its owner may read. They are in no message. The protocol is
read here, not by a video library: such a library follows where a server sends it, to other hosts and to files, and
writes the address with its password to its log.
"""

from __future__ import annotations

import base64
import http.client
import os
import socket
import stat
import tomllib
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from vision.camera.errors import CameraError, DamagedPicture
from vision.camera.jpeg import JpegPixels
from vision.camera.live import RETRY_S, CameraDevice, LiveCamera
from vision.geometry.pixels import Pixels

PATIENCE_S = 5.0  # without a byte
MOST_BYTES = 8_000_000  # of a coded picture
MOST_PIXELS = 40_000_000
MOST_LINES, MOST_LINE = 50, 1_000  # of the head of a picture
CHUNK = 64 * 1024
_KEYS = {"url": str, "user": str, "password": str, "everybody_may_see": bool}


class Stream(NamedTuple):
    """`everybody_may_see`: the director knows that all in the same network can see the whole of its picture."""

    url: str
    user: str = ""
    password: str = ""
    everybody_may_see: bool = False

    def __repr__(self) -> str:
        return "Stream(…)"  # a password is in no message


def load_stream(path: Path) -> Stream:
    """Raise `CameraError` for a file that others may read, or that does not say where the pictures are."""
    try:
        found = path.stat()
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise CameraError(f"{path}: cannot be read; name a file with the phone's address") from None
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO) or found.st_uid not in (0, os.geteuid()):
        raise CameraError(f"{path}: others may read the phone's password: chmod 600, and make it yours")
    try:
        plain: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise CameraError(f'{path}: not TOML; write url = "http://192.168.1.40:8080/video"') from None
    if strange := [key for key, value in plain.items() if type(value) is not _KEYS.get(key)]:
        raise CameraError(f"{path}: {strange[0]}: write {', '.join(_KEYS)}, the last one true or false")
    stream = Stream(**plain) if "url" in plain else Stream("")
    if wrong := wrong_with(stream.url):
        raise CameraError(f"{path}: {wrong}")
    return stream


def wrong_with(url: str) -> str:
    """Why no pictures are read from this address, and what to write; empty: they are."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if not fits or not url.isascii() or not url.isprintable() or " " in url:
        return "url: write the phone's MJPEG address, http://192.168.1.40:8080/video (RTSP is not read)"
    return "url: user and password have lines of their own" if parts.username or parts.password else ""


class StreamCamera(LiveCamera):
    """`stream:FILE`. The file is read at each attempt: an address that changed is found."""

    def __init__(
        self, source: str, where: str, *, retry_s: float = RETRY_S, patience_s: float = PATIENCE_S
    ) -> None:
        self._file = Path(where)
        self._patience_s = patience_s
        super().__init__(source, settle=0, retry_s=retry_s)

    def _open(self) -> CameraDevice:
        return _Mjpeg(load_stream(self._file), self._file.name, self._patience_s)


class _Mjpeg(CameraDevice):
    """One connection. `name` is what messages call it."""

    def __init__(self, stream: Stream, name: str, patience_s: float) -> None:
        self._name = name
        self._size: tuple[int, int] | None = None
        self._at_head = False  # the boundary before the next picture has been read
        parts = urlsplit(stream.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=patience_s)
        headers = {"accept": "multipart/x-mixed-replace"}
        if stream.user or stream.password:
            both = base64.b64encode(f"{stream.user}:{stream.password}".encode()).decode()
            headers["authorization"] = f"Basic {both}"
        path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        try:
            self._connection.request("GET", path, headers=headers)
            self._answer = self._connection.getresponse()
            self._boundary = self._begin()
        except CameraError:
            self._connection.close()
            raise
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise CameraError(self._lost(error)) from None  # what is behind it may name the address

    def _begin(self) -> bytes:
        """The line between two pictures. Nothing is followed: not to another host, not to a file."""
        status = self._answer.status
        if 300 <= status < 400:
            raise CameraError(
                f"{self._name}: the phone sends elsewhere, which is not followed: write that address"
            )
        if status in (401, 403):
            raise CameraError(f"{self._name}: the phone does not accept user and password")
        if status != 200:
            raise CameraError(f"{self._name}: the phone answers {status}: is the path of the address right?")
        boundary = self._answer.headers.get_boundary()
        if self._answer.headers.get_content_type() != "multipart/x-mixed-replace" or not boundary:
            raise CameraError(f"{self._name}: no MJPEG comes from here: choose that address in the phone's app")
        return boundary.removeprefix("--").encode("latin-1")

    def picture(self) -> Pixels:
        try:
            coded = self._part()
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise CameraError(self._lost(error)) from None
        pixels = JpegPixels(coded)
        width, height = pixels.size
        if width * height > MOST_PIXELS:
            raise DamagedPicture(f"a picture of {width} x {height} is too large")
        if self._size not in (None, pixels.size):
            words = "its pictures have another size now: turn the phone as it hung, or calibrate"
            raise CameraError(f"{self._name}: {words}")
        self._size = pixels.size
        self.gives = f"{width} x {height}, MJPEG"
        return pixels

    def _part(self) -> bytes:
        """The next picture. Raise `ValueError` for what is no stream of them."""
        length, lines = 0, 0
        while not self._at_head:  # blank lines and the boundary, then the head
            self._at_head = self._boundary in self._line()
            lines += 1
            if lines > MOST_LINES:
                raise ValueError
        self._at_head = False
        while line := self._line():
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value)
            lines += 1
            if lines > MOST_LINES:
                raise ValueError
        if not 0 <= length <= MOST_BYTES:
            raise ValueError
        return self._read(length) if length else self._up_to_boundary()

    def _line(self) -> bytes:
        line = self._answer.readline(MOST_LINE)
        if not line.endswith(b"\n"):
            raise ConnectionResetError
        return line.rstrip(b"\r\n")

    def _read(self, length: int) -> bytes:
        data = self._answer.read(length)
        if len(data) < length:
            raise ConnectionResetError
        return data

    def _up_to_boundary(self) -> bytes:
        """Where the phone states no length: all up to the next boundary, behind which the next head begins."""
        data = bytearray()
        while True:
            line = self._answer.readline(CHUNK)
            if not line:
                raise ConnectionResetError
            if line.startswith(b"--") and self._boundary in line[: len(self._boundary) + 6]:
                self._at_head = True
                return bytes(data).rstrip(b"\r\n")
            data += line
            if len(data) > MOST_BYTES:
                raise ValueError

    def _lost(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            return f"{self._name}: no picture comes from the phone: is its app in front, and the phone awake?"
        if isinstance(error, ConnectionRefusedError | socket.gaierror) or getattr(error, "errno", None):
            return f"{self._name}: the phone is not reached: is it in this Wi-Fi, and its app open?"
        if isinstance(error, ValueError):
            return f"{self._name}: what comes is no stream of pictures"
        return f"{self._name}: the phone ended the stream"

    def adjust(self) -> None:
        """The phone's app does that."""

    def lock(self) -> list[str]:
        return []

    def close(self) -> None:
        self._answer.close()
        self._connection.close()
