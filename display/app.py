"""The web app of every process: the same pages, switched on where they are wanted.

| page | path | draws |
|---|---|---|
| `landing` | `/` | `demo`, `table/<id>` |
| `clock` | `/clock` | `clock`, `beat` |
| `station` | `/station`, `/station/table/<id>`, `/station/<page>` | `room`, `clock`, `beat`; TD and floor: all |
| | `/station/machines` | `machines`: the TD |
| | `/station/wall` | `look`: the TD |
| | `/payouts`, `/receipts`, `/slips`, `/signatures` | the channels of the tournament, as sheets to print |
| | `/seating`, `/standings`, `/statistics` | the same (`display/prints_page.py`) |
| `table` | `/table/<id>` | `table/<id>`, `clock/<id>` or `clock`; on a screen with keys `ruling/<id>` |
| `rules` | `/rules` | the catalogue, under the rulebook in force |
| | `/codes` | where pages are named: their QR codes, to show or print |
| | `/devices` | in a room on one machine: which table has which device |
| `announcements` | `/announcements` | `announcements` |
| | `/me`, `/me/…` | the player's phone (`display/phone_page.py`) |
| `practise` | `/practise` | `practise`; around it the page `table` |
| `coverage` | `/coverage`, `/coverage.json`, `/coverage.rss`, `/coverage/desk` | `coverage`, `coverage_desk` |
| `air` | `/air/<id>`, `/air/<id>/<element>` | `overlay/<id>`, `event` |
| | `/template/feltwire.html`, and what lies beside it | for programs that play graphics; scenes for OBS |
| `broadcast` | `/broadcast` | `desk`, `gauge`, and in frames `air` on air and as it is staged |
| | `/feed/…`, `/hand/<id>/<hand>` | where the process has a feed (`display/feed.py`) |
| `sensed` | `/sensed/<id>` | `sensed/<id>`, and the picture at `/picture/<id>` |

Who may read and press what: `display/identity/access.py`. Signing in: `display/identity/signin_pages.py`.

`/events?channel=…&channel=…` streams snapshots, `/api/<channel>` answers the latest one, `/api/clock/now` the
clock counted to the moment (docs/pages.md).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from display.actions import Actions, Mischief, action_routes
from display.announcements_page import announcements_page
from display.broadcast_page import Desk, broadcast_routes
from display.clips import clip_route
from display.clock_now import clock_now
from display.codes_page import CodesWanted, DevicesWanted, codes_of
from display.coverage_page import Covered, coverage_routes
from display.feed import FEATURE, FeedPages, HandsFeed
from display.identity.access import PAGES as PAGE_READERS
from display.identity.access import (
    PRODUCERS,
    RELAY_ROLES,
    ROLE_WORDS,
    STATION_ROLES,
    TABLE_ROLES,
    WHO,
    Role,
    may_command,
    may_press,
    may_read,
    presses_of,
    readers,
)
from display.identity.admission import Admission
from display.identity.admission_pages import AdmissionPages
from display.identity.people_pages import PeoplePages
from display.identity.pins import Pins
from display.identity.signin import Caller, SignIn, caller_of, session_of, whose_press
from display.identity.signin_pages import SignInPages
from display.language import ENGLISH, LANGUAGES, choices, environment, keep_choices, language_of
from display.look import Look
from display.look_upload import TakePicture, upload_routes
from display.money_sheets import SHEETS, money_sheet
from display.night_state import CHANNELS as NIGHT_CHANNELS
from display.phone_page import PlayersPhones
from display.presses import PressLog
from display.prints_page import PRINTS, print_sheet
from display.push import EventStream, Hub
from display.reference import rule_routes, rules_page
from display.seat_sheets import SEAT_SHEETS, seat_sheet
from display.server.heavy import OneAtATime
from display.server.not_shown import Faults, NotShown
from display.server.security import LOCAL_FRAMES, SecurityHeaders
from display.sheets import NAMES as SHEET_NAMES
from display.sheets import sheet_route
from display.template_pages import template_routes
from table_core.messages import Key
from table_core.rulebook import BASE, Rulebook, load_rulebook, rulebook_ids
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.register import REASONS
from table_core.setting_forms import form_of, setting_forms

HERE = Path(__file__).parent
FOLDERS = (
    *("shared", "landing", "clock", "station", "night", "phone"),
    *(
        "rules",
        "announcements",
        "dealer",
        "air",
        "sensed",
        "account",
        "money",
        "prints",
        "seats",
        "codes",
        "practise",
        "broadcast",
        "template",
        "coverage",
        "hand",
        "wall",
    ),
)
PAGES = {
    "landing",
    "clock",
    "station",
    "rules",
    "announcements",
    "table",
    "air",
    "sensed",
    "practise",
    "broadcast",
}
# The station's pages for a tournament: `/station/<name>`, from `night/<name>.html` on the station's frame.
NIGHT_PAGES = ("players", "seats", "clock", "chips", "prizes", "penalties", "league", "log", "start")
_WHOLE_ROOM = {"clock": "/clock", "station": "/station", "practise": "/practise"}
_PER_TABLE = {
    "table": "dealer/dealer.html",
    "air": "air/air.html",
    "sensed": "sensed/sensed.html",
}
_CHANNEL_OF = {"air": "overlay"}  # where a page's channel has another name
# Each is a page of its own, for a streaming program.
ELEMENTS = (
    *("seats", "board", "pot", "level", "release", "hand", "equity", "outs", "chips", "shot-clock", "stats"),
    *("clock", "leaderboard", "payouts", "icm", "break", "lower-third", "ticker"),
)
_CHANNELS = {
    "room",
    "queue",
    "phones",
    "machines",
    "clock",
    "beat",
    "event",
    "demo",
    "practise",
    "rulings",
    "commands",
    "announcements",
    "programme",
    "staged",
    "desk",
    "gauge",
    "preview",
    "coverage",
    "coverage_desk",
    "look",
    "tournament",
    *NIGHT_CHANNELS,
}

_templates = environment()


class Picture(NamedTuple):
    """A camera picture; `version` grows with every new one, `wall` is when it was taken."""

    version: int
    jpeg: bytes
    wall: str = ""


def create_app(
    *,
    hub: Hub,
    pages: set[str],
    venue: str,
    tables: Sequence[str],
    actions: Actions | None = None,
    signin: SignIn | None = None,
    picture: Callable[[str], Picture | None] | None = None,
    extra_routes: Sequence[BaseRoute] = (),
    title: str = "",
    version: str = "",
    touchscreen: bool = True,
    rulebook: Callable[[], Rulebook] = lambda: load_rulebook(BASE),
    frames: Sequence[str] = LOCAL_FRAMES,
    pin_required: bool = False,
    public_overview: bool = False,
    plan: Mapping[str, tuple[int, int]] | None = None,
    sheets: Callable[[str], Awaitable[bytes]] | None = None,
    clip: Callable[[str, str, str], bytes | None] | None = None,
    faults: Faults | None = None,
    admission: Admission | None = None,
    codes: CodesWanted | None = None,
    devices: DevicesWanted | None = None,
    reach: Callable[[], str] = lambda: "",
    desk: Desk | None = None,
    coverage: Covered | None = None,
    feed: HandsFeed | None = None,
    feed_origins: Sequence[str] = (),
    language: str = ENGLISH,
    look: Look | None = None,
    picture_for_walls: TakePicture | None = None,
    phones: PlayersPhones | None = None,
) -> Starlette:
    """The app of one process.

    `tables` are the ids that the process has something to show for (also the feeds of overlays). Without
    `actions` the pages take no presses; without `signin` everyone is a viewer. `picture(table)` gives the newest
    camera picture, from any thread, with everything covered that is not public. `title` names the tournament,
    `version` the program at the station. `touchscreen` is False where tables are only watched. `rulebook` gives,
    from any thread, the one in force.
    `frames` are the sources that may frame these pages. `pin_required`: nobody moves money without a PIN.
    `public_overview`: the station's page and channel `room` are for everybody (the demo). `plan` has row and
    column of tables in the room. `sheets(name)` gives a sheet of the tournament (`display/sheets.py`), `clip` a
    picture of a clip that is open (`display/clips.py`). `faults` counts requests at which a page raises.
    With `admission` a browser that is not signed in may ask to be let in (`display/identity/admission.py`).
    `codes()` gives the pages of the room that `/codes` shows as QR codes, `devices()` which table has which device
    of this machine, `reach()` this process's address as
    others in the network have it, empty where they have none. `desk` takes the presses of `/broadcast`,
    `coverage` has the lines of `/coverage`. `feed` gives released hands and rows for other programs
    (`display/feed.py`); pages of `feed_origins` may read them, and what is on air. `language` is the venue's
    (`display/language.py`), and so is `look`; `picture_for_walls` takes a picture for it
    (`display/look_upload.py`). `phones` serves `/me`.
    """
    unknown = pages - PAGES
    if unknown or not pages:
        raise ValueError(f"pages: {', '.join(sorted(unknown)) or 'none'}; choose among {', '.join(sorted(PAGES))}")
    if "landing" in pages and not tables:
        raise ValueError("the landing page shows a table; name at least one in tables")
    watched = frozenset() if touchscreen else {"table"}
    touchable = frozenset() if actions is None else frozenset(pages) - watched
    pins = Pins(signin, required=pin_required) if signin is not None else None
    site = _Site(hub, frozenset(pages), venue, title, tuple(tables), touchable, signin, picture, public_overview)
    site.plan = dict(plan or {})
    site.version, site.language = version, language
    site.reach, site.codes, site.devices = reach, codes, devices
    presses, turns = PressLog(), OneAtATime(session_of(signin))
    routes: list[BaseRoute] = [*extra_routes]
    if feed is not None:
        routes += FeedPages(feed, hub, tables, site.render).routes()
    routes += (look or Look(hub)).routes()
    if picture_for_walls is not None and signin is not None:
        routes += upload_routes(picture_for_walls, signin, presses)
    if sheets is not None:
        routes.append(sheet_route(sheets, signin))
    if clip is not None:
        routes.append(clip_route(clip, signin))
    routes += [
        *rule_routes(rulebook, turns),
        *site.routes(),
        *presses.routes(lambda request: whose_press(caller_of(request, signin))),
    ]
    if "rules" in pages:
        routes.append(Route("/rules", rules_page(site.render, rulebook, turns)))
    if "announcements" in pages:
        routes.append(Route("/announcements", announcements_page(site.render, hub)))
    if desk is not None:
        routes += broadcast_routes(desk, signin, presses)
    if phones is not None:
        site.phones = phones
        routes += phones.routes(site.render)
    if coverage is not None:
        site.has_coverage = True
        routes += coverage_routes(coverage, signin, presses, site.render)
    if actions is not None:
        routes += action_routes(actions, signin, set(touchable), tables, presses, pins)
    if signin is not None and pins is not None:
        here = STATION_ROLES if "station" in pages else RELAY_ROLES if "broadcast" in pages else TABLE_ROLES
        keyed = tuple(tables) if "table" in touchable else ()
        doors = SignInPages(signin, site.render, site.first)
        people = PeoplePages(signin, doors, site.render, pins, presses, roles=here, tables=keyed)
        routes += [*doors.routes(), *people.routes()]
        if admission is not None:
            site.asking = AdmissionPages(admission, signin, doors, site.render)
            routes += site.asking.routes()
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityHeaders, frames=frames, origins=feed_origins),
            *([Middleware(NotShown, faults=faults)] if faults is not None else []),
        ],
        exception_handlers={404: site.not_found},
    )
    app.state.hub = hub
    app.state.signin = signin
    app.state.phones = phones
    return app


def _not_for_you(channel: str) -> JSONResponse:
    return JSONResponse({"error": f"only {readers(channel)} may read this; sign in with a link of yours"}, 403)


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
        picture: Callable[[str], Picture | None] | None,
        public_overview: bool,
    ) -> None:
        self._hub = hub
        self._pages = pages
        self._venue = venue
        self._title = title
        self._tables = tables
        self._touchable = touchable
        self._signin = signin
        self._picture = picture
        self.plan: dict[str, tuple[int, int]] = {}
        self.version = ""
        self.language = ENGLISH
        self.asking: AdmissionPages | None = None
        self.has_coverage = False
        self.phones: PlayersPhones | None = None
        self.reach: Callable[[], str] = lambda: ""
        self.codes: CodesWanted | None = None
        self.devices: DevicesWanted | None = None
        self._public = {"room", "station"} if public_overview else set()
        kinds = [_CHANNEL_OF.get(kind, kind) for kind in _PER_TABLE if kind != "sensed" or kind in pages]
        kinds += ["preview"] if "broadcast" in pages else []
        kinds += ["clock"] if "table" in pages else []
        kinds += ["ruling"] if "table" in touchable else []
        kinds += ["health"] if "table" in touchable or "station" in pages else []
        kinds += ["clip", "history", "names", "picture", "presses"] if "station" in pages else []
        self._channels = _CHANNELS | {f"{kind}/{table}" for kind in kinds for table in tables}
        self._feeds = (*tables, *([FEATURE] if "air" in pages else []))
        self._channels |= {f"{kind}/{FEATURE}" for kind in ("overlay", "preview") if kind in kinds}

    def routes(self) -> list[BaseRoute]:
        routes: list[BaseRoute] = [
            Route("/", self._landing if "landing" in self._pages else self._first),
            Route("/events", self._events),
            Route("/api/clock/now", self._clock_now),
            Route("/api/{channel:path}", self._api),
            *(Mount(f"/static/{name}", StaticFiles(directory=HERE / name)) for name in FOLDERS),
        ]
        routes += [Route(path, self._room_page(name)) for name, path in _WHOLE_ROOM.items() if name in self._pages]
        if "broadcast" in self._pages:
            routes.append(Route("/broadcast", self._broadcast))
        if "station" in self._pages:
            routes += [Route(f"/station/{name}", self._night_page(name)) for name in NIGHT_PAGES]
            routes.append(Route("/station/machines", self._machines))
            routes.append(Route("/station/wall", self._wall))
            routes.append(Route("/station/table/{table}", self._one_table))
            routes += [Route(f"/{sheet}", self._sheet(sheet, money_sheet)) for sheet in SHEETS]
            routes += [Route(f"/{sheet}", self._sheet(sheet, seat_sheet)) for sheet in SEAT_SHEETS]
            routes += [Route(f"/{sheet}", self._sheet(sheet, print_sheet)) for sheet in PRINTS]
        if self.codes is not None:
            routes.append(Route("/codes", self._codes))
        if self.devices is not None:
            routes.append(Route("/devices", self._devices))
        routes += [
            Route(f"/{name}/{{table}}", self._table_page(name))
            for name in _PER_TABLE
            if name in self._pages and name != "air"
        ]
        if "air" in self._pages:
            routes += [Route(path, self._air) for path in ("/air/{table}", "/air/{table}/{element}")]
            routes.append(Route("/overlay/{table}", self._older_overlay))
            routes += template_routes(self._feeds)
        if self._picture is not None:
            routes.append(Route("/picture/{table}", self._jpeg))
        return routes

    # ---------------------------------------------------------------------------------------- pages

    def render(
        self, request: Request, template: str, *, page: str = "", status: int = 200, **more: object
    ) -> HTMLResponse:
        caller = caller_of(request, self._signin)
        pressable = page in self._touchable
        if page == "table":
            pressable = pressable and may_press(caller.role, caller.table, str(more.get("table", "")))
        html = _templates.get_template(template).render(
            venue=self._venue,
            title=self._title,
            tables=self._tables,
            role=caller.role.value,
            caller=caller,
            words=ROLE_WORDS,
            may=lambda command: pressable and may_command(caller.role, command),
            may_see=lambda channel: may_read(caller.role, caller.table, channel),
            night_pages=NIGHT_PAGES,
            can_pair=self._signin is not None and "table" in self._touchable,
            can_sign_in=self._signin is not None,
            can_ask=self.asking is not None,
            touchable=pressable,
            may_press=" ".join(sorted(presses_of(caller.role))) if pressable else "",
            Key=Key,
            incidents=sorted(INCIDENTS.values(), key=lambda incident: incident.no),
            reasons=REASONS,
            sheets=SHEET_NAMES,
            rulebooks=rulebook_ids(),
            plan=self.plan,
            version=self.version,
            reach=self.reach,
            has_codes=self.codes is not None,
            has_devices=self.devices is not None,
            lang=language_of(request, self.language, own=page == "phone"),
            languages=LANGUAGES,
            theme=choices(request).get("theme", ""),
            phone_of=self.phones.slip if self.phones is not None else None,
            choose=lambda name, value: f"?{request.url.include_query_params(**{name: value}).query}",
            **more,
        )
        response = HTMLResponse(html, status, headers={"cache-control": "no-store"})
        keep_choices(request, response)
        return response

    async def _landing(self, request: Request) -> Response:
        return self.render(request, "landing/landing.html", page="landing", Mischief=Mischief)

    async def _first(self, request: Request) -> Response:
        """The landing page, or the first page that this process has."""
        path = self.first()
        return RedirectResponse(path, 303) if path else await self.not_found(request, None)

    def first(self, role: Role = Role.VIEWER, table: str = "") -> str:
        """The path of the page that this process opens with for this role; empty for none."""
        if "practise" in self._pages and role is Role.DEALER:
            return _WHOLE_ROOM["practise"]
        if table in self._tables and "table" in self._pages:
            return f"/table/{table}"
        if role in PAGE_READERS["station"] and "station" in self._pages:
            return "/station"
        if role in PRODUCERS and "broadcast" in self._pages:
            return "/broadcast"
        wanted = [path for name, path in _WHOLE_ROOM.items() if name in self._pages]
        wanted += [f"/{name}" for name in ("rules", "announcements", "broadcast") if self._pages == {name}]
        wanted += [f"/{name}/{first}" for name in _PER_TABLE if name in self._pages for first in self._tables[:1]]
        return wanted[0] if wanted else ""

    def _room_page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            return self._not_for(request, name) or self.render(request, f"{name}/{name}.html", page=name)

        return page

    def _night_page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            refused = self._not_for(request, "night")
            return refused or self.render(
                request,
                f"night/{name}.html",
                page="station",
                at=name,
                setting_forms=setting_forms,
                form_of=form_of,
            )

        return page

    async def _machines(self, request: Request) -> Response:
        """The machines of the room and their versions."""
        return self._not_for(request, "machines") or self.render(request, "account/machines.html", page="station")

    async def _wall(self, request: Request) -> Response:
        """The look of the venue's screens."""
        return self._not_for(request, "wall") or self.render(request, "wall/wall.html", page="station", at="wall")

    async def _one_table(self, request: Request) -> Response:
        """One table as the director sees it."""
        table = request.path_params["table"]
        if table not in self._tables:
            return self.render(request, "shared/message.html", status=404, **self._no_table(table))
        refused = self._not_for(request, "night")
        return refused or self.render(request, "station/table.html", page="station", at="table", table=table)

    def _table_page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            table = request.path_params["table"]
            if table not in self._tables:
                return self.render(request, "shared/message.html", status=404, **self._no_table(table))
            stranger = caller_of(request, self._signin).person is None and "look" not in request.query_params
            if self.asking is not None and name == "table" and name in self._touchable and stranger:
                return self.asking.page(request, look=f"/table/{table}?look")
            return self._not_for(request, name) or self.render(request, _PER_TABLE[name], page=name, table=table)

        return page

    async def _air(self, request: Request) -> Response:
        """What is on air of a table: all of it, or one element."""
        table, element = request.path_params["table"], request.path_params.get("element", "")
        if table not in self._feeds:
            return self.render(request, "shared/message.html", status=404, **self._no_table(table))
        if element and element not in ELEMENTS:
            heading, text = f"There is no element {element}", f"There are: {', '.join(ELEMENTS)}."
            return self.render(request, "shared/message.html", status=404, heading=heading, text=text)
        return self.render(request, _PER_TABLE["air"], page="air", table=table, element=element)

    async def _broadcast(self, request: Request) -> Response:
        """The producer's desk."""
        refused = self._not_for(request, "broadcast")
        if refused is not None:
            return refused
        page, covered = "broadcast/broadcast.html", self.has_coverage
        return self.render(request, page, page="broadcast", elements=ELEMENTS, coverage=covered)

    async def _older_overlay(self, request: Request) -> Response:
        """The address of what is on air in earlier versions."""
        return RedirectResponse(f"/air/{quote(request.path_params['table'], safe='')}", 307)

    async def _codes(self, request: Request) -> Response:
        """The addresses of the room's pages, for who runs the room."""
        pages = () if self.codes is None else self.codes()
        refused = self._not_for(request, "night")
        return refused or self.render(request, "codes/codes.html", codes=codes_of(pages), alone=not self.reach())

    async def _devices(self, request: Request) -> Response:
        """Which table has which device of this machine."""
        found = () if self.devices is None else self.devices()
        refused = self._not_for(request, "night")
        return refused or self.render(request, "codes/devices.html", devices=found)

    def _sheet(
        self, sheet: str, draw: Callable[[str, Request, Callable[..., Response], Hub], Response]
    ) -> Callable[[Request], Awaitable[Response]]:
        """A sheet of the tournament to print, for who may see the tournament."""

        async def page(request: Request) -> Response:
            return self._not_for(request, "night") or draw(sheet, request, self.render, self._hub)

        return page

    def _not_for(self, request: Request, page: str) -> Response | None:
        """The answer for a caller who may not see `page`."""
        caller, allowed = caller_of(request, self._signin), PAGE_READERS.get(page)
        if allowed is None or page in self._public or caller.role in allowed:
            return None
        if caller.person is None and page == "station" and self.asking is not None:
            return self.asking.page(request)
        self._tried(caller, request)
        text = f"Only {WHO[allowed]} may see this page. Open a link of yours, or pair this screen."
        return self.render(request, "shared/message.html", status=403, heading="Not for viewers", text=text)

    def _tried(self, caller: Caller, request: Request) -> None:
        if self._signin is not None:
            self._signin.tried(caller, request.url.path)

    def _no_table(self, table: str) -> dict[str, str]:
        return {
            "heading": f"There is no table {table} here",
            "text": f"This process shows: {', '.join(self._tables) or 'no table'}.",
        }

    async def not_found(self, request: Request, _: Exception | None) -> Response:
        if request.method != "GET" or request.url.path.startswith(
            ("/api/", "/static/", "/picture/", "/clip/", "/feed/")
        ):
            return JSONResponse({"error": f"nothing at {request.url.path}"}, 404)
        return self.render(
            request,
            "shared/message.html",
            status=404,
            heading="No such page",
            text=f"This process shows: {', '.join(sorted(self._pages))}.",
        )

    # ---------------------------------------------------------------------------------------- data

    async def _events(self, request: Request) -> Response:
        wanted = tuple(dict.fromkeys(request.query_params.getlist("channel")))
        strange = [channel for channel in wanted if channel not in self._channels]
        if strange or not wanted:
            return self._no_channel(strange[0] if strange else "")
        caller = caller_of(request, self._signin)
        private = [one for one in wanted if one not in self._public and not may_read(Role.VIEWER, "", one)]
        for channel in private:
            if not may_read(caller.role, caller.table, channel):
                self._tried(caller, request)
                return _not_for_you(channel)
        signin = self._signin
        lives = None if signin is None or not private else lambda: signin.lives(caller)
        return EventStream(self._hub, *wanted, lives=lives)

    async def _api(self, request: Request) -> Response:
        channel = request.path_params["channel"]
        if channel not in self._channels:
            return self._no_channel(channel)
        if not self._may_read(request, channel):
            return _not_for_you(channel)
        snapshot = self._hub.latest(channel)
        if snapshot is None:
            return JSONResponse({"error": f"nothing has been published on {channel} yet"}, 404)
        headers = {"cache-control": "no-store"} | ({"x-event-id": snapshot.event_id} if snapshot.event_id else {})
        return Response(snapshot.data, media_type="application/json", headers=headers)

    async def _clock_now(self, request: Request) -> Response:
        snapshot = self._hub.latest("clock")
        if snapshot is None:
            return JSONResponse({"error": "no clock has been published yet"}, 404)
        shown = clock_now(snapshot.data, self._hub.age_ms(snapshot))
        return JSONResponse(shown, headers={"cache-control": "no-store"})

    def _may_read(self, request: Request, channel: str) -> bool:
        caller = caller_of(request, self._signin)
        may = channel in self._public or may_read(caller.role, caller.table, channel)
        if not may:
            self._tried(caller, request)
        return may

    def _no_channel(self, channel: str) -> Response:
        known = ", ".join(sorted(self._channels))
        return JSONResponse({"error": f"no channel {channel!r}; there are: {known}"}, 404)

    async def _jpeg(self, request: Request) -> Response:
        assert self._picture is not None  # the route exists only with it
        table = request.path_params["table"]
        if not self._may_read(request, f"sensed/{table}"):
            return _not_for_you(f"sensed/{table}")
        shown = await run_in_threadpool(self._picture, table) if table in self._tables else None
        if shown is None:
            return JSONResponse({"error": f"no camera picture of table {table!r}"}, 404)
        return Response(shown.jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})
