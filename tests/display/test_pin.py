"""PINs over HTTP, before a station that carries presses out: attacks on the proof."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from display.app import create_app
from display.identity.access import Role
from display.identity.pins import ASKED_S, PROVEN_S
from display.identity.signin import SignIn
from display.push import Hub
from tests.display.conftest import STAMPED, cookie_of, pressed
from tests.display.station.nights import Station, opened

PIN = "271828"
PAYOUTS = {"command": "change_rules", "arguments": {"house": {"payouts": [100]}}}


class Desk:
    """The pages of a station with an event, two browsers of director Tess, who has a PIN, and one of the floor."""

    def __init__(self) -> None:
        self.room = opened(3)
        self.wall = 1_000_000.0
        self.signin = SignIn(now=lambda: self.wall)
        hub = Hub()
        self.app = create_app(
            hub=hub,
            pages={"station"},
            venue="Here",
            tables=("01",),
            actions=Station(hub, self.room),
            signin=self.signin,
        )
        self.tess = self.browser(cookie_of(self.signin, Role.TD, name="Tess"))
        person = next(one for one in self.signin.people() if one.name == "Tess")
        self.other = self.browser(f"{self.signin.cookie}={self.signin.begin(person)}")
        self.floor = self.browser(cookie_of(self.signin, Role.FLOOR, name="Fay"))

    def browser(self, cookie: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=("192.168.7.20", 40_000))
        url = "http://feltwire"
        return httpx.AsyncClient(
            event_hooks=STAMPED, transport=transport, base_url=url, headers={"cookie": cookie}
        )

    async def press(
        self, body: dict[str, Any], id_: str = "", who: httpx.AsyncClient | None = None
    ) -> tuple[int, str]:
        """Status of the press, and the field that its refusal is about."""
        answer = await (who or self.tess).post("/director", json=body, headers=pressed(id_))
        return answer.status_code, answer.json().get("about", "")

    async def prove(self, id_: str, pin: str = PIN, who: httpx.AsyncClient | None = None) -> int:
        return (await (who or self.tess).post("/pin", json={"pin": pin, "press": id_})).status_code

    @property
    def payouts(self) -> list[float]:
        return list(self.room.station.node.tournament.night.state.book.tournament.payouts.value)

    def run(self, talk: Callable[[], Awaitable[None]]) -> None:
        async def whole() -> None:
            await self.tess.post("/pin", json={"pin": PIN, "set": True})
            await talk()

        asyncio.run(whole())


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_payouts_are_not_changed_through_the_settings_without_the_pin(desk: Desk) -> None:
    async def talk() -> None:
        assert await desk.press(PAYOUTS) == (401, "pin")

    desk.run(talk)
    assert desk.payouts == [50, 30, 20]


def test_what_was_taken_back_is_not_done_again_without_the_pin(desk: Desk) -> None:
    desk.room.do("enter", player="p1")
    desk.room.do("undo", record=len(desk.room.station.node.tournament.night.records))
    undo = len(desk.room.station.node.tournament.night.records)

    async def talk() -> None:
        assert await desk.press({"command": "redo", "arguments": {"record": undo}}) == (401, "pin")

    desk.run(talk)
    assert desk.room.entrant("p1")["status"] == "registered"


def test_the_same_press_is_carried_out_once_its_pin_is_given_and_once_only(desk: Desk) -> None:
    id_ = secrets.token_hex(12)

    async def talk() -> None:
        assert await desk.press(PAYOUTS, id_) == (401, "pin")
        assert await desk.press(PAYOUTS, id_) == (401, "pin")  # the PIN was not given
        assert await desk.prove(id_) == 200
        assert (await desk.press(PAYOUTS, id_))[0] == 200
        records = len(desk.room.station.node.tournament.night.records)
        assert (await desk.press(PAYOUTS, id_))[0] == 200  # the same answer
        assert len(desk.room.station.node.tournament.night.records) == records
        assert await desk.press({"command": "set_payouts", "arguments": {"payouts": [60, 40]}}) == (401, "pin")

    desk.run(talk)
    assert desk.payouts == [100]


def test_a_proof_pays_for_no_other_press(desk: Desk) -> None:
    """Of the same session, under another id or the same, and of another session of the same person."""
    id_ = secrets.token_hex(12)
    other = {"command": "change_rules", "arguments": {"house": {"payouts": [90, 10]}}}

    async def talk() -> None:
        await desk.press(PAYOUTS, id_)
        assert await desk.prove(id_) == 200
        assert await desk.press(other) == (401, "pin")
        assert await desk.press(PAYOUTS) == (401, "pin")  # a press of its own
        assert (await desk.press(other, id_))[0] == 409
        assert (await desk.press(PAYOUTS, id_, desk.other))[0] == 401

    desk.run(talk)
    assert desk.payouts == [50, 30, 20]


def test_a_pin_is_for_a_press_that_waits_for_it_for_a_minute(desk: Desk) -> None:
    one, two = secrets.token_hex(12), secrets.token_hex(12)

    async def talk() -> None:
        assert await desk.prove(one) == 403  # nothing waits
        await desk.press(PAYOUTS, one)
        assert await desk.prove(one, who=desk.other) == 403
        assert await desk.prove(one) == 200
        desk.wall += PROVEN_S
        assert await desk.press(PAYOUTS, one) == (401, "pin")
        await desk.press(PAYOUTS, two)
        desk.wall += ASKED_S
        assert await desk.prove(two) == 403

    desk.run(talk)
    assert desk.payouts == [50, 30, 20]


def test_what_the_press_would_do_has_changed_since_the_pin_was_asked_for(desk: Desk) -> None:
    id_, enters = secrets.token_hex(12), {"command": "enter", "arguments": {"player": "p1"}}

    async def talk() -> None:
        await desk.press(enters, id_)
        assert await desk.prove(id_) == 200
        desk.room.do("change_rules", house={"buy_in": 500})
        assert await desk.press(enters, id_) == (401, "pin")
        assert await desk.prove(id_) == 200
        assert (await desk.press(enters, id_))[0] == 200

    desk.run(talk)


def test_what_became_of_a_press_its_person_reads_and_nobody_else(desk: Desk) -> None:
    id_ = secrets.token_hex(12)
    nobody = desk.browser("")

    async def talk() -> None:
        await desk.press({"command": "register_new", "arguments": {"name": "Ann Secret"}}, id_)
        for who, status in ((desk.tess, 200), (desk.other, 200), (desk.floor, 403), (nobody, 403)):
            answer = await who.get(f"/press/{id_}")
            assert answer.status_code == status
            assert ("Ann Secret" in answer.text) == (status == 200)
        assert (await nobody.get(f"/press/{secrets.token_hex(12)}")).json()["state"] == "unknown"

    desk.run(talk)
