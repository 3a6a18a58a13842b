"""The camera process's side of the frame socket: shows a picture, and knows when it was received.

    with FrameServer("/run/feltwire/cam-1.sock") as camera:
        number = camera.show(image)
        camera.wait_delivered(number, timeout=5, frames=3)

Each request gets a frame of the current picture with a number of its own, at most `fps` a second. As from a sensor
no two frames in a row are the same.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType

import numpy as np

from supervised.thread import SupervisedThread
from vision.camera.frame_socket import ANSWER, ASK, FRAME, REQUEST, Format, boot_millis, pack, receive
from vision.geometry.pixels import Image

NOISY_ROWS, NOISE = 8, 4  # a row of JPEG's blocks, and grey levels that its coding keeps


class FrameServer:
    """Serves the picture last shown to whoever connects to the unix socket at `path`; clients may come and go."""

    def __init__(
        self,
        path: str | Path,
        *,
        fps: float = 15.0,
        format: Format = Format.RAW,
        quality: int = 95,
    ) -> None:
        self.path = Path(path)
        self._gap_ms = 1000.0 / fps
        self._format = format
        self._quality = quality
        self._changed = threading.Condition()
        self._pictures: Iterator[tuple[Image, bytes | memoryview]] | None = None
        self._shown = 0  # pictures shown
        # Frames of the picture now shown that each client took away whole; one that comes back begins anew.
        self._taken_of_shown: dict[socket.socket, int] = {}
        self._number = 0  # frames sent
        self._last_sent_ms = 0.0
        self._taken_ms: int | None = None
        self._open = True
        self._clients: set[socket.socket] = set()
        self._listener = self._listen()
        self._thread = SupervisedThread(self._accept, f"camera {self.path.name}")
        self._thread.start()

    def __enter__(self) -> FrameServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def show(self, image: Image, taken_ms: int | None = None, *, noise: Sequence[Image] | None = None) -> int:
        """Point the camera at `image` (BGR) from now on; the number to wait for. `taken_ms` stamps the first
        frame of it, later ones carry the clock's time. The picture must not be changed afterwards.

        `noise` are more pictures of the same scene, of the same size: frames are taken from all in turn, as a
        sensor gives no picture twice. Where it is not given, there is one with a little noise in its first rows.
        With none the camera is frozen: it gives the same bytes for ever.
        """
        noise = (grained(image),) if noise is None else noise
        pictures = [(one, pack(one, self._format, self._quality)) for one in (image, *noise)]
        with self._changed:
            self._pictures = itertools.cycle(pictures)
            self._taken_ms = taken_ms
            self._shown += 1
            self._taken_of_shown = {}
            self._changed.notify_all()
            return self._shown

    def wait_delivered(self, number: int, timeout: float, frames: int = 1) -> bool:
        """Wait until a client has received `frames` frames of the picture `number`, or it is no longer shown.

        A frame counts when the client asks for the next one, which it does after it has looked at it.
        False when `timeout` (s) passes first.
        """
        with self._changed:
            return self._changed.wait_for(
                lambda: self._shown > number or max(self._taken_of_shown.values(), default=0) >= frames, timeout
            )

    def close(self) -> None:
        with self._changed:
            self._open = False
            self._changed.notify_all()
            clients = list(self._clients)
        for sock in (self._listener, *clients):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()
        self.path.unlink(missing_ok=True)

    def _listen(self) -> socket.socket:
        self.path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(self.path))
        listener.listen(4)
        return listener

    def _accept(self) -> None:
        while self._open:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            SupervisedThread(partial(self._serve, client), f"camera {self.path.name}").start()

    def _serve(self, client: socket.socket) -> None:
        with self._changed:
            self._clients.add(client)
        try:
            self._answer_requests(client)
        except (ConnectionError, OSError, ValueError):
            pass  # the client left or spoke another protocol; it may reconnect
        finally:
            with self._changed:
                self._clients.discard(client)
                self._taken_of_shown.pop(client, None)
            client.close()

    def _answer_requests(self, client: socket.socket) -> None:
        has = 0  # the last picture sent to this client, until it requests the next one
        while self._open:
            magic, _ = REQUEST.unpack(bytes(receive(client, REQUEST.size)))
            if magic != ASK:
                raise ValueError(f"request begins with {magic!r}")
            with self._changed:
                if has and has == self._shown:
                    self._taken_of_shown[client] = self._taken_of_shown.get(client, 0) + 1
                    self._changed.notify_all()
            has = self._send_next(client)

    def _send_next(self, client: socket.socket) -> int:
        """Send the next frame when its time has come; the number of the picture that was sent."""
        with self._changed:
            self._changed.wait_for(lambda: self._pictures is not None or not self._open)
            self._pace()
            if self._pictures is None or not self._open:
                raise ConnectionError("closed")
            image, body = next(self._pictures)
            shown = self._shown
            self._number += 1
            taken_ms, self._taken_ms = (boot_millis() if self._taken_ms is None else self._taken_ms), None
            header = ANSWER.pack(
                FRAME, self._number, taken_ms, image.shape[1], image.shape[0], self._format, len(body)
            )
        client.sendall(header)
        client.sendall(body)
        return shown

    def _pace(self) -> None:
        """Wait for the next frame time (with the lock held): a new picture goes at once, a still one at `fps`."""
        due = self._last_sent_ms + self._gap_ms
        fresh = self._shown
        while self._open and (left := due - boot_millis()) > 0 and fresh == self._shown:
            self._changed.wait(left / 1000)
        self._last_sent_ms = float(boot_millis())


def grained(image: Image) -> Image:
    """The same picture as a sensor takes it another time, as far as tells the two apart: noise in its first rows,
    where no zone lies."""
    again = image.copy()
    again[:NOISY_ROWS] ^= np.uint8(NOISE)
    return again
