"""A phone whose camera app gives MJPEG over HTTP, on this machine; it misbehaves on command."""

from __future__ import annotations

import base64
import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

import cv2
import numpy as np

BOUNDARY = "--frame"


def jpeg(width: int = 640, height: int = 480, shade: int = 90) -> bytes:
    _, coded = cv2.imencode(".jpg", np.full((height, width, 3), shade, np.uint8))
    return bytes(coded.tobytes())


class MjpegPhone:
    """`says` is what it does with a request: `stream`, `bare` (no lengths), `stall`, `stop` (after a picture),
    `redirect URL`, `page`, `flood`, `lengthy`, `damaged`. With `password` it asks for the user `dealer` and that.
    `asked` counts requests."""

    def __init__(self, says: str = "stream", *, password: str = "", port: int = 0) -> None:
        self.says, self.password, self.asked = says, password, 0
        self.size = (640, 480)
        self.ends = threading.Event()
        phone = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                phone.asked += 1
                with contextlib.suppress(OSError):  # the reader has gone
                    phone.answer(self)

            def log_message(self, format: str, *args: object) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}/video"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ends.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = f"Basic {base64.b64encode(f'dealer:{self.password}'.encode()).decode()}"
        if self.password and request.headers.get("authorization") != wanted:
            request.send_error(401)
            return
        what, _, where = self.says.partition(" ")
        if what in ("redirect", "page"):
            request.send_response(302 if where else 200)
            request.send_header("location" if where else "content-type", where or "text/html")
            request.end_headers()
            return
        request.send_response(200)
        request.send_header("content-type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        request.end_headers()
        self._stream(request)

    def _stream(self, request: BaseHTTPRequestHandler) -> None:
        out = request.wfile
        shade = 0
        while not self.ends.is_set():
            what, shade = self.says, (shade + 1) % 200
            if what == "stall":
                self.ends.wait()
                return
            if what == "flood":
                out.write(b"x-nothing: 1\r\n" * 10_000)
                continue
            coded = jpeg(*self.size, shade)
            if what == "damaged":
                coded = coded[: len(coded) // 2]
            length = b"" if what == "bare" else b"Content-Length: %d\r\n" % len(coded)
            if what == "lengthy":
                length = b"Content-Length: 99999999999\r\n"
            out.write(
                b"--"
                + BOUNDARY.encode()
                + b"\r\nContent-Type: image/jpeg\r\n"
                + length
                + b"\r\n"
                + coded
                + b"\r\n"
            )
            out.flush()
            if what == "stop":
                return
            self.ends.wait(0.03)
