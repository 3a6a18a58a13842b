"""Links for the demo's visitor to press the keys of every table, given by the landing page."""

from __future__ import annotations

import asyncio
import http.client
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from display.actions import answering
from feltwire.lab.demo.room import RoomPlan

PATIENCE_S = 5.0


def passes_route(plan: RoomPlan) -> Route:
    """`POST /passes`: sets a cookie for each table that is up; answers their ids, comma between."""
    cookies: dict[str, str] = {}

    async def passes(_: Request) -> JSONResponse:
        for table in plan.table_ids:
            if table not in cookies and (cookie := await asyncio.to_thread(_redeemed, plan, table)):
                cookies[table] = cookie
        answer = JSONResponse({"ok": True, "text": ",".join(sorted(cookies))})
        for cookie in cookies.values():
            answer.headers.append("set-cookie", cookie)
        return answer

    return Route("/passes", answering(passes), methods=["POST"])


def _redeemed(plan: RoomPlan, table: str) -> str:
    """The cookie that the table's link for the director buys; empty while the table is not up."""
    try:
        link = urlsplit((plan.folder / "data" / f"table-{table}.td-link").read_text().strip())
        connection = http.client.HTTPConnection(link.hostname or "", link.port, timeout=PATIENCE_S)
        try:
            connection.request("GET", f"{link.path}?{link.query}", headers={"user-agent": "the demo's visitors"})
            return connection.getresponse().getheader("set-cookie") or ""
        finally:
            connection.close()
    except (OSError, http.client.HTTPException):
        return ""
