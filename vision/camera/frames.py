"""Pictures from a camera process over a unix socket (`vision.camera.frame_socket`)."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import time

from vision.camera.base import Camera
from vision.camera.frame_socket import ASK, REQUEST, CameraFrame, FrameError, receive_frame

PEER = struct.Struct("3i")  # pid, uid, gid of the process at the other end
RETRY_S = 0.1
REST_OF_FRAME_S = 5.0  # after the header's first bytes the rest must follow at once


class SocketCamera(Camera):
    """Asks for a picture newer than the last; what the other side showed in between is dropped there."""

    def __init__(self, source: str, where: str) -> None:
        super().__init__(source)
        self._path = where
        self._sock: socket.socket | None = None
        self._asked = False  # a request is under way; its answer is still to come
        self._number = 0

    def read(self, timeout: float) -> CameraFrame | None:
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

    def _read_once(self, deadline: float) -> CameraFrame:
        sock = self._sock or self._connect(deadline)
        if not self._asked:
            sock.sendall(REQUEST.pack(ASK, self._number))
            self._asked = True
        sock.settimeout(max(0.001, deadline - time.monotonic()))
        with contextlib.suppress(BlockingIOError):
            if not sock.recv(1, socket.MSG_PEEK):  # a time-out here leaves the stream whole
                raise ConnectionError("the camera hung up")
        sock.settimeout(REST_OF_FRAME_S)
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
            _, owner, _ = PEER.unpack(sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size))
            if owner not in (os.geteuid(), 0):  # another user could have created the path first
                raise ConnectionError(f"{self._path} is served by another user")
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
