"""Opens the director's browser with a link that signs in, and keeps that link off every command line.

A browser is started with an address as its argument, which every user of the machine can read. So that address is
a door of this process: it sends the first browser of this user on to the link, and nobody else.
"""

from __future__ import annotations

import os
import sys
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from supervised.thread import SupervisedThread

HOST = "127.0.0.1"
WAITS_S = 60.0


def there_is_one() -> bool:
    """Whether a browser with a window can be opened here; one that would take the terminal is none."""
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def open_browser(link: str) -> None:
    """Open `link` in this user's browser, as far as there is one."""
    door = Door(link)
    SupervisedThread(door.serve, "browser-door").start()
    webbrowser.open(door.url)


class Door:
    """An address on this machine that sends one request of this user on to `link`."""

    def __init__(self, link: str) -> None:
        door = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path != "/" or not _own(self.client_address[1], door.port):
                    self.send_error(404)
                    return
                door.open = False
                self.send_response(303)
                self.send_header("location", link)
                self.send_header("cache-control", "no-store")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Nothing: a terminal shows the room's own lines."""

        self.open = True
        self._server = HTTPServer((HOST, 0), Handler)
        self._server.timeout = WAITS_S
        self.port = int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/"

    def serve(self) -> None:
        """Until somebody of this user came, or nobody came for a minute."""
        with self._server as server:
            server.handle_timeout = self._shut  # type: ignore[method-assign]
            while self.open:
                server.handle_request()

    def _shut(self) -> None:
        self.open = False


def _own(port: int, door: int) -> bool:
    """Whether the connection from `port` of this machine to `door` is one of this user. Elsewhere than on Linux
    that is not asked."""
    table = Path("/proc/net/tcp")
    if not table.exists():
        return True
    for line in table.read_text().splitlines()[1:]:
        _, here, there, _, _, _, _, user, *_ = line.split()
        if (here.split(":")[1], there.split(":")[1]) == (f"{port:04X}", f"{door:04X}"):
            return int(user) == os.getuid()
    return False
