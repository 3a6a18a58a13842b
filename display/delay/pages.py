"""The pages of a delay box: how it is, and the clock that a camera films (`feltwire delay measure` reads it)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from display.language import environment
from display.look import Look
from display.push import Hub
from display.server.security import SecurityHeaders

DISPLAY = Path(__file__).parents[1]
FOLDERS = ("shared", "delay")
_templates = environment()


def box_app(venue: str, now: Callable[[], int], said: Callable[[], Mapping[str, object]]) -> Starlette:
    """The app of a delay box. `now` gives its boot time in ms, `said` how it is; nothing here can be pressed."""

    def page(name: str) -> Callable[[Request], Response]:
        def answer(_request: Request) -> Response:
            return HTMLResponse(_templates.get_template(f"delay/{name}.html").render(venue=venue, role="viewer"))

        return answer

    def time_now(_request: Request) -> Response:
        return JSONResponse({"ms": now()})

    def how_it_is(_request: Request) -> Response:
        return JSONResponse(said())

    def first(_request: Request) -> Response:
        return RedirectResponse("/delay")

    app = Starlette(
        routes=[
            Route("/", first),
            Route("/delay", page("delay")),
            Route("/delay/clock", page("clock")),
            Route("/delay/now", time_now),
            Route("/delay/status", how_it_is),
            *Look().routes(),
            *(Mount(f"/static/{name}", StaticFiles(directory=DISPLAY / name)) for name in FOLDERS),
        ],
        middleware=[Middleware(SecurityHeaders)],
    )
    app.state.hub, app.state.signin, app.state.phones = Hub(), None, None
    return app
