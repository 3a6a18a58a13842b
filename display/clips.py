"""`GET /clip/<table>/<shot>?opening=<id>`: a picture of a clip that the director has opened, for nobody else."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from display.identity.access import may_read, readers
from display.identity.signin import SignIn, caller_of


def clip_route(picture: Callable[[str, str, str], bytes | None], signin: SignIn | None) -> Route:
    """`picture(table, opening, shot)` gives JPEG, None where there is no such picture; from the event loop."""

    async def shot(request: Request) -> Response:
        table = request.path_params["table"]
        channel = f"clip/{table}"
        caller = caller_of(request, signin)
        if not may_read(caller.role, caller.table, channel):
            if signin is not None:
                signin.tried(caller, request.url.path)
            return JSONResponse({"error": f"only {readers(channel)} may see this"}, 403)
        jpeg = picture(table, request.query_params.get("opening", ""), request.path_params["shot"])
        if jpeg is None:
            return JSONResponse({"error": "no such picture: the clip is closed, or another one is open"}, 404)
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})

    return Route("/clip/{table}/{shot}", shot)
