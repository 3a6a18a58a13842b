"""The dealer screen as the dealer reads it: the public `TableView` that the table's own web server gives."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable
from typing import Protocol
from urllib.parse import urlsplit

import msgspec

from table_core.messages import TableView

GLANCE_S = 0.004  # between two glances while waiting for the screen to change
DARK_S = 60.0  # a table that starts again is back long before, on a busy machine too


class ScreenDark(Exception):
    """The dealer screen stayed dark: the table's web server did not answer for a long time."""


class Screen(Protocol):
    def read(self) -> TableView | None:
        """What the screen shows now; None while it is dark (the table process is down or starting)."""
        ...


class HttpScreen:
    """GET `url` (…/api/table/<id>) over one kept connection."""

    def __init__(self, url: str, *, timeout_s: float = 3.0) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._path = parts.path
        self._timeout_s = timeout_s
        self._connection: http.client.HTTPConnection | None = None
        self._decoder = msgspec.json.Decoder(TableView)

    def read(self) -> TableView | None:
        try:
            return self._get()
        except (OSError, http.client.HTTPException):
            self.close()
            return None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _get(self) -> TableView | None:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(*self._address, timeout=self._timeout_s)
        self._connection.request("GET", self._path)
        response = self._connection.getresponse()
        body = response.read()
        return self._decoder.decode(body) if response.status == 200 else None


def wait_until(
    screen: Screen,
    shows: Callable[[TableView], bool],
    *,
    patience_s: float,
    check: Callable[[], None],
    now: Callable[[], float] = time.monotonic,
) -> tuple[TableView, bool]:
    """Look until `shows(view)` or patience ends; the last view and whether it shows it. Calls `check` each time.

    Patience is with a screen that shows something: it begins anew when the table process was away and is back.
    Raise `ScreenDark` when nothing was on the screen for a minute longer.
    """
    lit_at: float | None = None
    dark_at = now()
    while True:
        check()
        view = screen.read()
        if view is not None and shows(view):
            return view, True
        if view is None:
            dark_at, lit_at = (dark_at if lit_at is None else now()), None
            if now() - dark_at >= patience_s + DARK_S:
                raise ScreenDark(f"nothing on the dealer screen for {patience_s + DARK_S:.0f} s")
        else:
            lit_at = now() if lit_at is None else lit_at
            if now() - lit_at >= patience_s:
                return view, False
        time.sleep(GLANCE_S if view is not None else 0.1)
