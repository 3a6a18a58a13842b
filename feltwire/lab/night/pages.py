"""The station's public pages as a story reads them: asked over HTTP's door, without a server."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from typing import Any

from display.app import create_app
from display.push import Hub
from feltwire.lab.station.memory import MemoryStation

PAGES = {"rules", "announcements"}


def page_text(station: MemoryStation, path: str, anchor: str = "") -> str:
    """The text of a page, `/rules?q=odd+chip`; with `anchor` that of its item with this id, `""` for none.

    Raise `ValueError` for a page that is not there.
    """
    hub = Hub()
    for channel, snapshot in station.pages.items():
        hub.publish(channel, snapshot)
    app = create_app(hub=hub, pages=PAGES, venue="story", tables=(), rulebook=lambda: station.node.rulebook)
    status, body = asyncio.run(_asked(app, path))
    if status != 200:
        raise ValueError(f"{path} answers {status}")
    if anchor:
        item = r'<(?:li|section|code) id="'
        found = re.search(rf'{item}{re.escape(anchor)}".*?(?={item}|</main>)', body, re.DOTALL)
        body = found[0] if found is not None else ""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


async def _asked(app: Any, path: str) -> tuple[int, str]:
    route, _, query = path.partition("?")
    scope = {
        "type": "http", "method": "GET", "path": route, "query_string": query.encode(), "headers": [],
        "http_version": "1.1", "scheme": "http", "server": ("story", 80), "client": ("story", 1), "root_path": "",
    }  # fmt: skip
    said: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        said.append(message)

    await app(scope, receive, send)
    return said[0]["status"], b"".join(one.get("body", b"") for one in said[1:]).decode()
