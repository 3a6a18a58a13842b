"""Seat slips and the sign-in sheet over HTTP, from a station's event."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from display.app import create_app
from display.identity.access import Role
from display.identity.signin import SignIn
from display.push import Hub
from tests.display.conftest import cookie_of
from tests.feltwire.night_room import NightRoom, publish_night


def page(room: NightRoom, path: str, status: int = 200) -> str:
    """The words of a page, as the director's browser gets it."""
    _ = room.shown
    signin = SignIn()

    async def ask() -> str:
        hub = Hub()
        publish_night(hub, room)
        app = create_app(hub=hub, pages={"station"}, venue="hall", tables=(), signin=signin)
        transport, cookie = httpx.ASGITransport(app), {"cookie": cookie_of(signin, Role.TD)}
        async with httpx.AsyncClient(transport=transport, base_url="http://feltwire", headers=cookie) as client:
            answer = await client.get(path)
            assert answer.status_code == status, answer.text
            return answer.text

    return " ".join(re.sub(r"<[^>]+>", " ", asyncio.run(ask()).partition("<main")[2]).split())


def night(book: str = "rpl") -> NightRoom:
    room = NightRoom()
    room.do("open", name="Friday", rulebook=book, house={"starting_stack": 2_000})
    for name in ("Ann", "Bob", "Cy"):
        room.do("register_new", name=f"{name} Example", id=name, member=True, adult=True)
    return room


def test_everybody_has_a_slip_with_the_seat_and_one_who_is_moved_with_the_way() -> None:
    room = night()
    assert "has a seat to go to" in page(room, "/slips", 404)
    for name in ("Ann", "Bob", "Cy"):
        room.do("enter", player=name)
    seats = [("Ann", "01", 4), ("Bob", "01", 7), ("Cy", "02", 1)]
    room.do("assign_seats", seats=[{"player": who, "at": {"table": t, "seat": s}} for who, t, s in seats])
    room.do("start")
    text = page(room, "/slips")
    assert re.findall(r"(\w+) Example \w+ Table (\d+), seat (\d)", text) == [
        ("Ann", "01", "4"),
        ("Bob", "01", "7"),
        ("Cy", "02", "1"),
    ]
    room.begin_hand("01")
    room.do("confirm_move", player="Bob", to={"table": "02", "seat": 5}, why="room")
    moved = page(room, "/slips?player=Bob")
    assert "Table 02, seat 5 From table 01 seat 7" in moved
    assert "The slip for that seat is void." in moved
    assert "Ann" not in moved


@pytest.mark.rule("wfp.seating.1a", "wfp.seating.1b")
def test_the_sign_in_sheet_has_everybody_on_the_list_and_who_has_signed() -> None:
    room = night("wfp")
    room.do("register_new", name="New Example", id="New", adult=True, applied=True)
    room.do("sign_in", player="Bob")
    text = page(room, "/signatures")
    assert "Bob Bob Example yes" in text, "number, name, signed in"
    assert "Ann Ann Example Cy Cy Example" in text.replace("Bob Bob Example yes ", "")
    assert "New New Example (number to come)" in text
