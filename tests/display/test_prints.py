"""Sheets to print: what stands on them, for the wall and for the desk, and how they lie on paper."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest
from playwright.sync_api import Browser, sync_playwright

from display.app import create_app
from display.identity.access import Role
from display.identity.signin import SignIn
from display.push import Hub
from tests import chromium
from tests.display.conftest import Running, cookie_of
from tests.display.public_room import PEOPLE, PublicRoom
from tests.feltwire.night_room import publish_night

MM = dict.fromkeys(("top", "bottom", "left", "right"), "12mm")
PAGES = {"receipts": 10, "seating": 2, "signatures": 2}  # a player each; by name, by table
SHEETS = ("seating", "standings", "statistics", "slips", "signatures", "payouts", "receipts")


def hub_of(room: PublicRoom) -> Hub:
    _ = room.shown
    hub = Hub()
    publish_night(hub, room)
    return hub


def page(room: PublicRoom, path: str) -> str:
    """The words of a sheet, as the director's browser gets it."""
    signin = SignIn()

    async def ask() -> str:
        app = create_app(hub=hub_of(room), pages={"station"}, venue="hall", tables=(), signin=signin)
        transport, cookie = httpx.ASGITransport(app), {"cookie": cookie_of(signin, Role.TD)}
        async with httpx.AsyncClient(transport=transport, base_url="http://feltwire", headers=cookie) as client:
            answer = await client.get(path)
            assert answer.status_code == 200, answer.text
            return answer.text

    words = re.sub(r"<[^>]+>", " ", asyncio.run(ask()).partition("<main")[2].partition("<nav")[0])
    return " ".join(unescape(words).split())


@pytest.fixture(scope="module")
def seated() -> PublicRoom:
    room = PublicRoom()
    room.begin(*PEOPLE)
    return room


@pytest.fixture(scope="module")
def over() -> PublicRoom:
    room = PublicRoom(("01",))
    room.begin(*PEOPLE[:5])
    room.play_to_the_end()
    room.do("add_result")
    room.do("set_points", formula="entrants - place + 1")
    return room


def test_the_seating_chart_says_where_everybody_sits_by_name_and_by_table(seated: PublicRoom) -> None:
    sits = {
        player: (table, seat) for table in seated.tables for seat, (player, _) in seated.tables[table].sits.items()
    }
    text = page(seated, "/seating")
    table, seat = sits["p2"]
    assert f"A.B. 2 {table} / {seat}" in text
    assert "By table Table 01 1 " in text
    assert not [name for name in PEOPLE if name in text]
    full = page(seated, "/seating?names=full&by=name")
    assert f"Al Berg {table} / {seat}" in full
    assert "By table" not in full
    assert "By name" not in page(seated, "/seating?by=table")


def test_standings_have_stacks_then_places_with_prizes(seated: PublicRoom, over: PublicRoom) -> None:
    assert page(seated, "/standings").count("plays") == 10
    text = page(over, "/standings")
    assert re.search(r"1 \S+( 2)? 150\.00 2 \S+( 2)? 100\.00 3 ", text), text


def test_statistics_are_the_desks_with_money_and_the_walls_without(over: PublicRoom) -> None:
    desk = page(over, "/statistics")
    assert "Points by the formula entrants - place + 1." in desk
    assert {name for name in PEOPLE[:5] if name in desk} == {*PEOPLE[:5]}
    assert "Profit" in desk
    assert "-50.00" in desk
    wall = page(over, "/statistics?names=public")
    assert not [name for name in PEOPLE[:4] if name in wall]
    assert not [word for word in ("Profit", "50.00") if word in wall]


@pytest.mark.parametrize(("language", "words"), [("de", "Sitzplan"), ("es", "Plano de asientos")])
def test_they_speak_the_language_of_the_page(seated: PublicRoom, language: str, words: str) -> None:
    assert words in page(seated, f"/seating?lang={language}")


@pytest.fixture
def chrome() -> Iterator[Browser]:
    assert chromium.PROGRAM, chromium.MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=list(chromium.QUIET))
        yield browser
        browser.close()


def test_they_lie_on_a4_and_letter_and_nothing_is_cut(seated: PublicRoom, chrome: Browser) -> None:
    signin = SignIn()
    running = Running(create_app(hub=hub_of(seated), pages={"station"}, venue="hall", tables=(), signin=signin))
    try:
        context = chrome.new_context()
        key, _, value = cookie_of(signin, Role.TD).partition("=")
        context.add_cookies([{"name": key, "value": value, "url": running.url}])
        for sheet in SHEETS:
            for width, name in ((703, "A4"), (725, "Letter")):  # what 12 mm leave of the paper
                tab = context.new_page()
                tab.set_viewport_size({"width": width, "height": 900})
                tab.emulate_media(media="print")
                answer = tab.goto(f"{running.url}/{sheet}?lang=x-long")
                assert answer is not None
                assert answer.status == 200, sheet
                assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), (sheet, name)
                pages = len(re.findall(rb"/Type\s*/Page\b", tab.pdf(format=name, margin=MM)))  # type: ignore[arg-type]
                assert pages == PAGES.get(sheet, 1), (sheet, name)
                tab.close()
    finally:
        running.stop()
