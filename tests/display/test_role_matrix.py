"""Every path and channel of an app, asked in every role: what is not in these tables fails the test."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import msgspec
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from display.app import NIGHT_PAGES, PAGES, Picture, create_app
from display.broadcast_page import BroadcastPress
from display.coverage_page import DeskPress
from display.identity.access import Role
from display.identity.admission import Admission
from display.identity.signin import SignIn
from display.presses import TimedPress
from display.push import Hub
from table_core.coverage import CoverageView
from table_core.tournament.sheet_text import Sheet
from tests.display import fixtures
from tests.display.conftest import STAMPED, Recorded, cookie_of
from tests.display.fixtures import VENUE
from tests.display.phone_states import Desk, phones_of

# Who gets an answer: V viewer, S display (a screen), P producer, D dealer of 01, d of 02, F floor, T director.
EVERYONE = "VSPDdFT"
RULERS = "FT"
GETS = {
    "/": EVERYONE,
    "/events": EVERYONE,  # channel by channel, below
    "/api/clock/now": EVERYONE,
    "/api/tournament/{name}.{form}": RULERS,
    "/api/rules": EVERYONE,
    "/api/rules/{rule}": EVERYONE,
    "/api/{channel:path}": EVERYONE,
    "/clock": EVERYONE,
    "/practise": EVERYONE,
    "/station": "SPFT",
    "/station/machines": "T",
    "/station/wall": "T",
    "/station/table/{table}": RULERS,
    **{f"/station/{name}": RULERS for name in NIGHT_PAGES},
    "/payouts": RULERS,
    "/receipts": RULERS,
    "/slips": RULERS,
    "/seating": RULERS,
    "/standings": RULERS,
    "/statistics": RULERS,
    "/signatures": RULERS,
    "/table/{table}": EVERYONE,
    "/air/{table}": EVERYONE,
    **dict.fromkeys(
        ("/feed/hands.json", "/feed/hands", "/feed/schema.json", "/feed/table/{table}.json"), EVERYONE
    ),
    **dict.fromkeys(("/feed/event.json", "/feed/standings.json", "/feed/payouts.json"), EVERYONE),
    "/feed/hand/{table}/{name}.{kind}": EVERYONE,
    "/hand/{table}/{name}": EVERYONE,
    "/air/{table}/{element}": EVERYONE,
    "/overlay/{table}": EVERYONE,
    "/template/{name}": EVERYONE,
    **dict.fromkeys(
        ("/template/feltwire.html", "/template/feltwire-ograf.zip", "/template/obs-scenes.json"), EVERYONE
    ),
    "/broadcast": "PT",
    **dict.fromkeys(("/coverage", "/coverage.json", "/coverage.rss"), EVERYONE),
    "/coverage/desk": "PT",
    "/sensed/{table}": RULERS,
    "/picture/{table}": RULERS,
    "/rules": EVERYONE,
    "/announcements": EVERYONE,
    **dict.fromkeys(("/look.css", "/look/logo", "/look/sponsor", "/look/phone.svg"), EVERYONE),
    **dict.fromkeys(("/me", "/me/", "/me/players", "/me/results", "/me/asked"), EVERYONE),
    "/me/events": EVERYONE,  # what is a player's own: tests/display/test_phone.py
    "/press/{id}": EVERYONE,  # whoever knows the 96 bits of its id
    "/now": EVERYONE,
    "/sign-in": EVERYONE,
    "/pair": EVERYONE,
    "/people": "T",
    "/audit": "T",
    "/audit.csv": "T",
}
STREAMS = (
    "/events",
    "/feed/hands",
    "/me/events",
)  # they do not end; of the second see tests/display/test_feed_pages.py
POSTS = {
    "/table/{table}/touch": "DFT",
    "/table/{table}/rulings": "DFT",
    "/director": "T",
    "/mischief": EVERYONE,  # the demo's landing page only
    "/sign-in": "",  # nobody, without a link
    "/sign-out": EVERYONE,
    "/pair": EVERYONE,
    "/pair/done": "",  # nobody, without a ticket
    "/admission": EVERYONE,
    "/admission/done": "",  # nobody, without a ticket
    "/people": "T",
    "/broadcast": "PT",
    "/coverage/desk": "PT",
    "/pin": "SPDdFT",
    **dict.fromkeys(("/station/wall/logo", "/station/wall/sponsor"), "T"),
    **dict.fromkeys(("/me/ask", "/me/forget"), EVERYONE),
    **dict.fromkeys(("/me/code", "/me/call"), ""),  # nobody, without a player's code
}
CHANNELS = {
    "clock": EVERYONE,
    "beat": EVERYONE,
    **dict.fromkeys(("look", "tournament"), EVERYONE),
    "demo": EVERYONE,
    "room": "SPFT",
    "phones": "T",
    "machines": "T",
    **dict.fromkeys(("rulings", "queue"), RULERS),
    **dict.fromkeys(("night", "book", "field", "stacks", "seats", "chips", "prizes"), RULERS),
    **dict.fromkeys(("penalties", "league", "log"), RULERS),
    "commands": EVERYONE,
    "announcements": EVERYONE,
    "table/01": EVERYONE,
    "clock/01": EVERYONE,
    "overlay/01": EVERYONE,
    "overlay/feature": EVERYONE,
    "programme": EVERYONE,
    **dict.fromkeys(("staged", "desk", "gauge", "preview", "preview/01", "preview/feature"), "PT"),
    "coverage": EVERYONE,
    "coverage_desk": "PT",
    "health/01": "DFT",
    "ruling/01": "DFT",
    "history/01": RULERS,
    "picture/01": RULERS,
    "presses/01": RULERS,
    "sensed/01": RULERS,
}
BODIES: dict[str, dict[str, object]] = {
    "/table/{table}/touch": {"key": 26},
    "/director": {"command": "pause"},
    "/mischief": {"table": "01", "kind": "pull_shoe"},
    "/sign-in": {"token": "guessed"},
    "/people": {"do": "add", "name": "Someone", "role": "floor"},
    "/broadcast": {"do": "cut"},
    "/coverage/desk": {"do": "write", "text": {"en": "Welcome."}},
    "/pin": {"pin": "2718", "set": True},
    "/me/ask": {"name": "Ann Lee"},
    "/me/code": {"player": "p7", "code": "AAA-AAA"},
}
WHO = {
    "V": (Role.VIEWER, ""),
    "S": (Role.DISPLAY, ""),
    "P": (Role.PRODUCER, ""),
    "D": (Role.DEALER, "01"),
    "d": (Role.DEALER, "02"),
    "F": (Role.FLOOR, ""),
    "T": (Role.TD, ""),
}


def app_of(signin: SignIn) -> Starlette:
    hub = Hub()
    for channel in CHANNELS:
        hub.publish(channel, b"{}")
    hub.publish("clock", msgspec.json.encode(fixtures.clock_state()))
    hub.publish("announcements", msgspec.json.encode(fixtures.announcements()))
    return create_app(
        hub=hub, pages=PAGES, venue=VENUE, tables=["01", "02"], actions=Recorded(), signin=signin,
        picture=lambda table: Picture(1, b"jpeg"), sheets=a_sheet, admission=Admission(signin, "01"),
        desk=NoDesk(), coverage=NoCoverage(), feed=NoHands(), picture_for_walls=a_picture,
        phones=phones_of(hub, signin, Desk()),
    )  # fmt: skip


class NoDesk:
    """A `Desk` that takes every press."""

    def press(self, by: str, press: BroadcastPress) -> str:
        return press.do

    def keep(self, by: str, press: BroadcastPress, text: str) -> str:
        return text


class NoCoverage:
    """A `Covered` that takes every press."""

    view = CoverageView(1, "Friday", ())

    async def press(self, press: DeskPress, by: str, timed: TimedPress) -> str:
        return press.do


class NoHands:
    """A `HandsFeed` before the first hand."""

    def newest(self) -> int:
        return 0

    def listed(self, *, before: int | None, table: str, most: int) -> list[bytes]:
        return []

    def after(self, no: int, most: int) -> list[tuple[int, bytes]]:
        return []

    def line(self, table: str, name: str) -> bytes | None:
        return None

    def history(self, table: str, name: str, kind: str) -> str | None:
        return None

    def rows(self, name: str, feed: str = "") -> bytes:
        return b"[]"

    def schema(self) -> bytes:
        return b"{}"


async def a_picture(slot: str, raw: bytes, press: TimedPress) -> str:
    return slot


async def a_sheet(name: str) -> bytes:
    return msgspec.json.encode(Sheet(("player",), ()))


def routes() -> Iterator[tuple[str, str]]:
    for route in app_of(SignIn()).routes:
        if isinstance(route, Route):
            for method in (route.methods or set()) - {"HEAD"}:
                yield method, route.path


def refused(who: str, method: str, path: str, body: dict[str, object] | None = None) -> bool:
    signin = SignIn()
    role, table = WHO[who]
    cookie = {} if role is Role.VIEWER else {"cookie": cookie_of(signin, role, table)}

    async def ask() -> int:
        # From the machine itself: being there is no identity.
        transport = httpx.ASGITransport(app_of(signin), client=("127.0.0.1", 40_000))
        async with httpx.AsyncClient(
            event_hooks=STAMPED, transport=transport, base_url="http://feltwire", headers=cookie
        ) as client:
            return (await client.request(method, path, json=body)).status_code

    status = asyncio.run(ask())
    assert status < 500
    return status in (401, 403, 409)


def test_no_path_is_without_a_row() -> None:
    assert set(routes()) == {("GET", path) for path in GETS} | {("POST", path) for path in POSTS}


@pytest.mark.parametrize("path", [path for path in GETS if path not in (*STREAMS, "/api/{channel:path}")])
def test_a_page_is_read_by_whom_its_row_names(path: str) -> None:
    at = path.format(
        table="01",
        rule="tda.16",
        id="nobody-pressed-this",
        name="players",
        form="csv",
        element="seats",
        kind="json",
    )
    assert {who for who in WHO if not refused(who, "GET", at)} == set(GETS[path])


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_channel_is_read_by_whom_its_row_names(channel: str) -> None:
    assert {who for who in WHO if not refused(who, "GET", f"/api/{channel}")} == set(CHANNELS[channel])
    others = set(WHO) - set(CHANNELS[channel])
    assert all(refused(who, "GET", f"/events?channel=clock&channel={channel}") for who in others)


@pytest.mark.parametrize("path", POSTS)
def test_a_press_is_taken_from_whom_its_row_names(path: str) -> None:
    at, body = path.format(table="01"), BODIES.get(path, {})
    assert {who for who in WHO if not refused(who, "POST", at, body)} == set(POSTS[path])
