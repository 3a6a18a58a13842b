"""`GET /api/tournament/<sheet>.csv` and `.json`: the tournament as sheets, for who may read its channel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from display.actions import ActionRefused
from display.identity.access import Role, may_read, readers
from display.identity.signin import SignIn, caller_of
from table_core.tournament.sheet_text import Sheet, to_csv, to_json

CHANNEL = "field"
NAMES = (
    *("players", "seats", "chips", "busts", "results", "prizes", "payments", "penalties", "log"),
    *("schedule", "season", "season_events", "final", "statistics"),
)
FORMS = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


def sheet_route(sheets: Callable[[str], Awaitable[bytes]], signin: SignIn | None) -> Route:
    """`sheets(name)` gives a `Sheet` as JSON, empty for a name that there is not."""

    async def sheet(request: Request) -> Response:
        name, form = request.path_params["name"], request.path_params["form"]
        caller = caller_of(request, signin)
        if caller.role is Role.VIEWER or not may_read(caller.role, caller.table, CHANNEL):
            if signin is not None:
                signin.tried(caller, request.url.path)
            return JSONResponse(
                {"error": f"only {readers(CHANNEL)} may read this; sign in with a link of yours"}, 403
            )
        try:
            raw = await sheets(name) if form in FORMS else b""
        except ActionRefused as refused:
            return JSONResponse({"error": str(refused)}, 409)
        if not raw:
            return JSONResponse({"error": f"no sheet {name}.{form}"}, 404)
        text = await run_in_threadpool(_written, raw, form)
        headers = {"content-disposition": f'attachment; filename="{name}.{form}"', "cache-control": "no-store"}
        return Response(text, media_type=FORMS[form], headers=headers)

    return Route("/api/tournament/{name}.{form}", sheet)


def _written(raw: bytes, form: str) -> bytes:
    sheet = msgspec.json.decode(raw, type=Sheet)
    return to_csv(sheet).encode() if form == "csv" else to_json(sheet)
