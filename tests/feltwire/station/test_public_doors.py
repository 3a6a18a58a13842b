"""Nothing that everybody may read, and nothing on the bus, has the full name of who chose otherwise.

Wall clocks, tables and relay know of a tournament what the station puts on the bus: a name that is not there can
be on no wall, overlay, feed, hand's page, line of coverage or export of theirs.
"""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.routing import Mount, Route

from display.app import create_app
from display.identity.access import Role, may_read
from display.identity.signin import SignIn
from display.push import Hub
from feltwire.lab.station.memory import of
from feltwire.runtime.node_io import Publish, Show
from feltwire.station.station_io import PublicPageMade
from tests.display.public_room import PublicRoom, files_of
from tests.feltwire.night_room import publish_night

MARKER = "zyxwv"
PEOPLE = ("Zyxwv Alpha", "Bea Zyxwv-Beta", "Cyd Zyxwv", "Dan ZYXWV", "Eve Zyxwv", "Finn Zyxwv")


@pytest.fixture(scope="module")
def night() -> PublicRoom:
    """Much of what happens in a night, of people whose names have the marker."""
    room = PublicRoom(("01", "02"))
    room.do("open", house={"starting_stack": 2_000, "buy_in": 50, "payouts": [60, 40]}, name="Friday")
    room.register(*PEOPLE)
    room.do("show_as", player="p2", shown="number")
    room.do("draw_seats", tables=[*room.tables])
    for table in room.tables:
        room.do("set_button", table=table)
    room.do("start")
    room.do("give_penalty", player="p1", reason="phone", kind="time_out", minutes=10)
    room.do("leave", player="p3", notified=True)
    room.do("return", player="p3")
    first, second, *_ = sorted(room.tables["01"].sits)
    room.all_in("01", winner=first, loser=second)
    room.wait(5_000)
    room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    room.do("break_table", table="02")
    room.wait(120_000)
    room.do("set_look", message="Dinner at eight")
    room.play_to_the_end()
    room.wait(60_000)
    room.do("add_result")
    room.do("forget_player", player="p6")
    room.wait(60_000)
    return room


def has_marker(content: bytes) -> bool:
    return MARKER in content.decode(errors="replace").casefold()


def test_the_marker_is_found_where_it_may_be(night: PublicRoom) -> None:
    assert has_marker(night.station.pages["field"])


def test_no_message_on_the_bus_has_it(night: PublicRoom) -> None:
    told = of(night.station.effects, Publish)
    assert any(one.topic.endswith("tournament/field") for one in told)
    assert sorted({one.topic for one in told if has_marker(one.payload)}) == []


def test_no_channel_that_a_viewer_may_read_has_it(night: PublicRoom) -> None:
    shown = [one for one in of(night.station.effects, Show) if may_read(Role.VIEWER, "", one.channel)]
    assert {"clock", "tournament", "announcements", "table/01"} <= {one.channel for one in shown}
    assert sorted({one.channel for one in shown if has_marker(one.snapshot)}) == []


def test_no_file_of_the_public_page_has_it(night: PublicRoom) -> None:
    made = of(night.station.effects, PublicPageMade)
    assert len(made) > 5
    for one in made:
        assert [name for name, content in files_of(one).items() if has_marker(content)] == []


def test_no_page_of_the_station_says_it_to_somebody_who_is_not_signed_in(night: PublicRoom) -> None:
    hub = Hub()
    publish_night(hub, night)
    for channel, snapshot in night.station.pages.items():
        hub.publish(channel, snapshot)
    pages = {"station", "clock", "rules", "announcements", "table"}
    app = create_app(hub=hub, pages=pages, venue="hall", tables=("01", "02"), signin=SignIn())
    paths = [route.path for route in app.routes if isinstance(route, Route) and "GET" in (route.methods or ())]
    paths = [path.replace("{table}", "01").replace("{channel:path}", "{channel}") for path in paths]
    paths = [one for path in paths for one in _filled(path, night) if one != "/events"]
    assert len(paths) > 40
    assert all(not isinstance(route, Mount) or route.path.startswith("/static/") for route in app.routes)

    async def read() -> list[str]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://feltwire") as client:
            return [path for path in paths if has_marker((await client.get(path)).content)]

    assert asyncio.run(read()) == []


def _filled(path: str, night: PublicRoom) -> list[str]:
    """The paths of a route: one for each channel, where it takes one."""
    if "{channel}" in path:
        return [path.replace("{channel}", channel) for channel in night.station.pages]
    return [path] if "{" not in path else []
