"""A request at which the code of a page raises is answered, and nothing of the exception goes into a log.

Without it the server logs the exception with its text, which may quote what the page is made of.
"""

from __future__ import annotations

from html import escape
from typing import Protocol

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Cannot be shown</title>
<link rel="stylesheet" href="/static/shared/base.css"></head><body><main class="message"><h1>Cannot be shown</h1>
<p>{words}</p><p>Everything else goes on. The log says where, under the fault's number: report it.</p></main>
</body></html>
"""


class Faults(Protocol):
    """Who counts them."""

    def note(self, path: str, error: Exception) -> str:
        """Count and log it; the words for the person who asked."""
        ...

    def well(self, path: str) -> None:
        """The page was shown."""
        ...


class NotShown:
    """Answers for `app` where it raises."""

    def __init__(self, app: ASGIApp, faults: Faults) -> None:
        self._app = app
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as error:  # noqa: BLE001  (whatever it was)
            words = self._faults.note(scope["path"], error)
            if not begun:
                await _answer(scope, words)(scope, receive, send)
        else:
            self._faults.well(scope["path"])


def _answer(scope: Scope, words: str) -> Response:
    if scope["method"] in ("GET", "HEAD") and not scope["path"].startswith("/api/"):
        return HTMLResponse(_PAGE.format(words=escape(words)), 500)
    return JSONResponse({"error": words}, 500)
