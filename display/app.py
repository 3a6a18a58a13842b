"""The web app of every process: the same pages, switched on where they are wanted.

| page | path | draws |
|---|---|---|
| `landing` | `/` | `demo`, `table/<id>` |
| `clock` | `/clock` | `clock`, `beat` |
| `station` | `/station` | `room`, `beat`; for the director `rulings` |
| `table` | `/table/<id>` | `table/<id>` |
| `rules` | `/rules` | the catalogue, under the rulebook in force |
| `overlay` | `/overlay/<id>` | `overlay/<id>` |
| `sensed` | `/sensed/<id>` | `sensed/<id>`, and the picture at `/picture/<id>` |

`/events?channel=…&channel=…` streams snapshots, `/api/<channel>` answers the latest one (docs/pages.md).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from display.actions import Actions, Mischief, action_routes
from display.push import EventStream, Hub
from display.reference import rules_page
from display.security import LOCAL_FRAMES, SecurityHeaders, role_of
from display.signin import SESSION_S, Role, SignIn, SignInRefused
from table_core.messages import Key
from table_core.rulebook import BASE, Rulebook, load_rulebook
from table_core.rulings.all_matters import MATTERS
from table_core.rulings.register import REASONS

HERE = Path(__file__).parent
FOLDERS = ("shared", "landing", "clock", "station", "rules", "dealer", "overlay", "sensed")
PAGES = {"landing", "clock", "station", "rules", "table", "overlay", "sensed"}
_WHOLE_ROOM = {"clock": "/clock", "station": "/station"}
_PER_TABLE = {
    "table": "dealer/dealer.html",
    "overlay": "overlay/overlay.html",
    "sensed": "sensed/sensed.html",
}
_CHANNELS = {"room", "clock", "beat", "demo"}
_DIRECTORS = {"rulings"}  # channels that only the tournament director may read

_templates = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined)


def create_app(
    *,
    hub: Hub,
    pages: set[str],
    venue: str,
    tables: Sequence[str],
    actions: Actions | None = None,
    signin: SignIn | None = None,
    picture: Callable[[str], bytes | None] | None = None,
    extra_routes: Sequence[BaseRoute] = (),
    title: str = "",
    touchscreen: bool = True,
    rulebook: Rulebook | None = None,
    frames: Sequence[str] = LOCAL_FRAMES,
) -> Starlette:
    """The app of one process.

    `tables` are the ids that the process has something to show for (also the feeds of overlays). Without
    `actions` the pages only show; without `signin` nobody is TD. `picture(table)` gives the newest camera
    picture as JPEG. `title` names the tournament. `touchscreen` is False where tables are only watched.
    `rulebook` is the one in force (`base` unless given). `frames` are the sources that may frame these pages.
    """
    unknown = pages - PAGES
    if unknown or not pages:
        raise ValueError(f"pages: {', '.join(sorted(unknown)) or 'none'}; choose among {', '.join(sorted(PAGES))}")
    if "landing" in pages and not tables:
        raise ValueError("the landing page shows a table; name at least one in tables")
    watched = frozenset() if touchscreen else {"table"}
    touchable = frozenset() if actions is None else frozenset(pages) - watched
    site = _Site(hub, frozenset(pages), venue, title, tuple(tables), touchable, signin, picture)
    routes: list[BaseRoute] = [*extra_routes, *site.routes()]
    if "rules" in pages:
        routes.append(Route("/rules", rules_page(site.render, rulebook or load_rulebook(BASE))))
    if actions is not None:
        routes += action_routes(actions, signin, set(touchable), tables)
    app = Starlette(
        routes=routes,
        middleware=[Middleware(SecurityHeaders, frames=frames)],
        exception_handlers={404: site.not_found},
    )
    app.state.hub = hub
    return app


def _not_for_you() -> JSONResponse:
    return JSONResponse({"error": "only the tournament director may read this; sign in with the TD link"}, 403)


class _Site:
    """The GET side: pages, streams, snapshots and pictures."""

    def __init__(
        self,
        hub: Hub,
        pages: frozenset[str],
        venue: str,
        title: str,
        tables: tuple[str, ...],
        touchable: frozenset[str],
        signin: SignIn | None,
        picture: Callable[[str], bytes | None] | None,
    ) -> None:
        self._hub = hub
        self._pages = pages
        self._venue = venue
        self._title = title
        self._tables = tables
        self._touchable = touchable
        self._signin = signin
        self._picture = picture
        per_table = {f"{kind}/{table}" for kind in _PER_TABLE for table in tables}
        self._channels = _CHANNELS | _DIRECTORS | per_table

    def routes(self) -> list[BaseRoute]:
        routes: list[BaseRoute] = [
            Route("/", self._landing if "landing" in self._pages else self._first),
            Route("/events", self._events),
            Route("/api/{channel:path}", self._api),
            *(Mount(f"/static/{name}", StaticFiles(directory=HERE / name)) for name in FOLDERS),
        ]
        routes += [Route(path, self._room_page(name)) for name, path in _WHOLE_ROOM.items() if name in self._pages]
        routes += [
            Route(f"/{name}/{{table}}", self._table_page(name)) for name in _PER_TABLE if name in self._pages
        ]
        if self._picture is not None:
            routes.append(Route("/picture/{table}", self._jpeg))
        if self._signin is not None:
            routes.append(Route("/td", self._sign_in))
        return routes

    # ---------------------------------------------------------------------------------------- pages

    def render(
        self, request: Request, template: str, *, page: str = "", status: int = 200, **more: object
    ) -> HTMLResponse:
        html = _templates.get_template(template).render(
            venue=self._venue,
            title=self._title,
            tables=self._tables,
            role=role_of(request, self._signin).value,
            touchable=page in self._touchable,
            Key=Key,
            matters=sorted(MATTERS.values(), key=lambda matter: matter.no),
            reasons=REASONS,
            **more,
        )
        return HTMLResponse(html, status, headers={"cache-control": "no-store"})

    async def _landing(self, request: Request) -> Response:
        return self.render(request, "landing/landing.html", page="landing", Mischief=Mischief)

    async def _first(self, request: Request) -> Response:
        """A process without a landing page opens with the first page that it has."""
        for name, path in _WHOLE_ROOM.items():
            if name in self._pages:
                return RedirectResponse(path, 303)
        if self._pages == {"rules"}:
            return RedirectResponse("/rules", 303)
        for name in _PER_TABLE:
            if name in self._pages and self._tables:
                return RedirectResponse(f"/{name}/{self._tables[0]}", 303)
        return await self.not_found(request, None)

    def _room_page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            return self.render(request, f"{name}/{name}.html", page=name)

        return page

    def _table_page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            table = request.path_params["table"]
            if table not in self._tables:
                return self.render(request, "shared/message.html", status=404, **self._no_table(table))
            return self.render(request, _PER_TABLE[name], page=name, table=table)

        return page

    def _no_table(self, table: str) -> dict[str, str]:
        return {
            "heading": f"There is no table {table} here",
            "text": f"This process shows: {', '.join(self._tables) or 'no table'}.",
        }

    async def not_found(self, request: Request, _: Exception | None) -> Response:
        if request.method != "GET" or request.url.path.startswith(("/api/", "/static/", "/picture/")):
            return JSONResponse({"error": f"nothing at {request.url.path}"}, 404)
        return self.render(
            request,
            "shared/message.html",
            status=404,
            heading="No such page",
            text=f"This process shows: {', '.join(sorted(self._pages))}.",
        )

    async def _sign_in(self, request: Request) -> Response:
        assert self._signin is not None  # the route exists only with it
        # A browser that looks ahead must not use the link up before a person opens it.
        if request.method == "HEAD" or "prefetch" in request.headers.get("sec-purpose", ""):
            return Response(status_code=204)
        try:
            cookie = self._signin.redeem(request.query_params.get("token", ""))
        except SignInRefused as refused:
            return self.render(
                request, "shared/message.html", status=403, heading="Not signed in", text=str(refused)
            )
        answer = RedirectResponse("/station" if "station" in self._pages else "/", 303)
        answer.set_cookie(
            self._signin.cookie,
            cookie,
            max_age=SESSION_S,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return answer

    # ---------------------------------------------------------------------------------------- data

    async def _events(self, request: Request) -> Response:
        wanted = tuple(dict.fromkeys(request.query_params.getlist("channel")))
        strange = [channel for channel in wanted if channel not in self._channels]
        if strange or not wanted:
            return self._no_channel(strange[0] if strange else "")
        if not _DIRECTORS.isdisjoint(wanted) and not self._is_director(request):
            return _not_for_you()
        return EventStream(self._hub, *wanted)

    async def _api(self, request: Request) -> Response:
        channel = request.path_params["channel"]
        if channel not in self._channels:
            return self._no_channel(channel)
        if channel in _DIRECTORS and not self._is_director(request):
            return _not_for_you()
        snapshot = self._hub.latest(channel)
        if snapshot is None:
            return JSONResponse({"error": f"nothing has been published on {channel} yet"}, 503)
        headers = {"cache-control": "no-store"} | ({"x-event-id": snapshot.event_id} if snapshot.event_id else {})
        return Response(snapshot.data, media_type="application/json", headers=headers)

    def _is_director(self, request: Request) -> bool:
        return role_of(request, self._signin) is Role.TD

    def _no_channel(self, channel: str) -> Response:
        known = ", ".join(sorted(self._channels))
        return JSONResponse({"error": f"no channel {channel!r}; there are: {known}"}, 404)

    async def _jpeg(self, request: Request) -> Response:
        assert self._picture is not None  # the route exists only with it
        table = request.path_params["table"]
        jpeg = self._picture(table) if table in self._tables else None
        if jpeg is None:
            return JSONResponse({"error": f"no camera picture of table {table!r}"}, 404)
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})
