"""Requests as an attacker writes them: bytes on a socket, from an address of this machine's choice."""

from __future__ import annotations

import socket

from tests.display.conftest import pressed

ANSWER_WITHIN_S = 60.0


def connect(port: int, source: str = "127.0.0.1") -> socket.socket:
    """A connection from `source` (any of 127.0.0.0/8 is this machine) that has said nothing yet."""
    return socket.create_connection(("127.0.0.1", port), ANSWER_WITHIN_S, source_address=(source, 0))


def ask(port: int, request: bytes, source: str = "127.0.0.1", *, end: bool = False) -> tuple[int, bytes]:
    """The status and the rest of the answer to exactly these bytes; status 0 where there is none. `end`: nothing
    more will come, and the server is told."""
    with connect(port, source) as wire:
        try:
            wire.sendall(request)
            if end:
                wire.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: wire.recv(65536), b""))
        except ConnectionError:
            return 0, b""
    status = answer.split(b" ", 2)[1:2]
    return (int(status[0]), answer) if status else (0, answer)


def get(port: int, path: str, *headers: str, host: str = "", source: str = "127.0.0.1") -> tuple[int, bytes]:
    lines = [f"GET {path} HTTP/1.1", f"host: {host or f'127.0.0.1:{port}'}", *headers, "connection: close"]
    return ask(port, "\r\n".join([*lines, "", ""]).encode("latin-1"), source)


def post(port: int, path: str, body: bytes, *headers: str, source: str = "127.0.0.1") -> tuple[int, bytes]:
    lines = [
        f"POST {path} HTTP/1.1",
        f"host: 127.0.0.1:{port}",
        "content-type: application/json",
        f"content-length: {len(body)}",
        *(f"{name}: {value}" for name, value in pressed().items()),
        *headers,
        "connection: close",
    ]
    return ask(port, "\r\n".join([*lines, "", ""]).encode("latin-1") + body, source)
