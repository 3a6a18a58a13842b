"""Admission by four digits over HTTP: who is let in, who is not, and for how long."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from display.app import create_app
from display.identity.access import Role
from display.identity.admission import ASKED_S, MOST_ADMITTED, MOST_ASKING, Admission
from display.identity.people import MemoryAccounts
from display.identity.signin import SESSION_S, SignIn
from display.push import Hub
from tests.display.conftest import STAMPED, Recorded
from tests.display.fixtures import VENUE

FOLD = {"key": 17}


class Table:
    """The pages of table 01 with a clock that the test moves, and what its process would tell the station."""

    def __init__(self, admits: bool = True, pages: frozenset[str] = frozenset({"table"})) -> None:
        self.now = 1_000_000.0
        self.accounts = MemoryAccounts()
        self.signin = SignIn(self.accounts, now=lambda: self.now)
        at = "01" if "table" in pages else ""
        self.admission = Admission(self.signin, at)
        self.actions = Recorded()
        self.app = create_app(
            hub=Hub(),
            pages={*pages},
            venue=VENUE,
            tables=["01"],
            actions=self.actions,
            signin=self.signin,
            admission=self.admission if admits else None,
        )
        self._addresses = itertools.count(10)

    def phone(self, address: str = "", base: str = "http://feltwire") -> httpx.AsyncClient:
        """A browser with its own cookies, at an address of its own."""
        where = address or f"192.168.7.{next(self._addresses)}"
        transport = httpx.ASGITransport(self.app, client=(where, 40_000))
        return httpx.AsyncClient(event_hooks=STAMPED, transport=transport, base_url=base)

    def let_in(self, digits: str, by: str = "Tess (director)") -> None:
        asking = next(one for one in self.admission.asking() if one.screen.code == digits)
        self.admission.answer(asking.screen.id, admit=True, by=by)


def run(talk: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await talk()

    asyncio.run(whole())


async def press(phone: httpx.AsyncClient, path: str, status: int = 200, **body: Any) -> str:
    answer = await phone.post(path, json=body)
    assert answer.status_code == status, answer.text
    return str(answer.json()["text" if status == 200 else "error"])


def test_the_browser_that_asked_gets_the_keys_once_the_director_lets_it_in_and_no_other() -> None:
    table = Table()

    async def talk() -> None:
        async with table.phone() as phone, table.phone() as other:
            assert "Ask the director" in (await phone.get("/table/01")).text
            assert "Street" not in (await phone.get("/table/01")).text
            digits = await press(phone, "/admission")
            assert len(digits) == 4
            assert digits in (await phone.get("/table/01")).text, "a page that is loaded again shows them still"
            assert digits not in (await other.get("/table/01")).text
            assert await press(phone, "/admission/done") == ""
            assert digits != await press(other, "/admission")
            table.let_in(digits)
            assert await press(other, "/admission/done") == ""
            assert await press(phone, "/admission/done") == "/table/01"
            assert "New hand" in (await phone.get("/table/01")).text
            await press(phone, "/table/01/touch", **FOLD)
            await press(other, "/table/01/touch", 403, **FOLD)
            assert table.signin.sessions_of(table.signin.people()[0].id)
            assert [person.name for _, person in table.admission.admitted()] == [f"Phone {digits}"]
            assert "Ask again" in await press(phone, "/admission/done", 409), "once"

    run(talk)
    assert len(table.actions.calls) == 1
    assert any("let in by Tess (director)" in entry.text for entry in table.accounts.audit(10))


def test_without_the_setting_nobody_can_ask_and_everybody_looks_on() -> None:
    table = Table(admits=False)

    async def talk() -> None:
        async with table.phone() as phone:
            assert "Ask the director" not in (await phone.get("/table/01")).text
            assert (await phone.post("/admission", json={})).status_code == 404

    run(talk)


def test_whoever_does_not_ask_can_look_at_the_table() -> None:
    table = Table()

    async def talk() -> None:
        async with table.phone() as phone:
            page = (await phone.get("/table/01?look")).text
            assert 'id="felt"' in page
            assert "New hand" not in page

    run(talk)


def test_a_wrong_ticket_a_refused_request_and_one_that_ran_out_let_nobody_in() -> None:
    table = Table()

    async def talk() -> None:
        async with table.phone() as phone, table.phone() as thief:
            digits = await press(phone, "/admission")
            cookie = f"{table.signin.cookie}-ask"
            asking = table.admission.asking()[0].screen
            table.let_in(digits)
            for guess in (digits, asking.id, asking.ticket, "", "0" * 48):
                thief.cookies.set(cookie, guess)
                assert "Nobody answered" in await press(thief, "/admission/done", 409)
            table.now += ASKED_S
            assert "Nobody answered" in await press(phone, "/admission/done", 409)
            digits = await press(phone, "/admission")
            asking = table.admission.asking()[0].screen
            table.admission.answer(asking.id, admit=False, by="Tess (director)")
            table.admission.answer(asking.id, admit=True, by="Mallory")  # it was answered
            assert "does not let" in await press(phone, "/admission/done", 409)
            await press(phone, "/table/01/touch", 403, **FOLD)

    run(talk)
    assert table.admission.admitted() == []


def test_an_answer_counts_once_and_for_its_request_alone() -> None:
    """Said again, for a request that is over, or under an id that somebody made up."""
    table = Table()

    async def talk() -> None:
        async with table.phone() as phone:
            digits = await press(phone, "/admission")
            first = table.admission.asking()[0].screen.id
            table.let_in(digits)
            await press(phone, "/admission/done")
            table.admission.end(table.admission.admitted()[0][0].id, "Tess (director)")
            again = await press(phone, "/admission")
            for id_ in (first, again, digits, "made up"):
                table.admission.answer(id_, admit=True, by="Mallory")
            assert await press(phone, "/admission/done") == ""

    run(talk)


def test_twenty_wait_five_of_an_address_each_with_digits_of_its_own() -> None:
    table = Table()

    async def talk() -> None:
        phones = [table.phone(f"10.0.0.{no // 5}") for no in range(MOST_ASKING)]
        shown = [await press(phone, "/admission") for phone in phones]
        assert len({*shown}) == MOST_ASKING
        assert "Too many" in await press(table.phone("10.0.0.0"), "/admission", 429)
        assert await press(phones[0], "/admission") not in shown, "who asks again shows other digits"
        newcomer = table.phone("10.9.9.9")
        await press(newcomer, "/admission")
        assert len(table.admission.asking()) == MOST_ASKING
        assert await press(newcomer, "/admission/done") == "", "a flood from one address keeps nobody out"
        for phone in (*phones, newcomer):
            await phone.aclose()

    run(talk)


def test_eight_are_let_in_and_the_next_when_one_has_ended() -> None:
    table = Table()

    async def talk() -> None:
        phones = [table.phone() for _ in range(MOST_ADMITTED + 1)]
        for phone in phones[:-1]:
            table.let_in(await press(phone, "/admission"))
            await press(phone, "/admission/done")
        table.let_in(await press(phones[-1], "/admission"))
        assert "ends one first" in await press(phones[-1], "/admission/done", 409)
        await press(phones[0], "/sign-out")
        table.let_in(await press(phones[-1], "/admission"))
        assert await press(phones[-1], "/admission/done") == "/table/01"
        await press(phones[0], "/table/01/touch", 403, **FOLD)
        for phone in phones:
            await phone.aclose()

    run(talk)


def test_a_phone_is_out_when_the_director_ends_it_and_when_the_evening_is_over() -> None:
    table = Table()

    async def talk() -> None:
        async with table.phone() as phone:
            table.let_in(await press(phone, "/admission"))
            await press(phone, "/admission/done")
            await press(phone, "/table/01/touch", **FOLD)
            table.now += SESSION_S - 1
            await press(phone, "/table/01/touch", **FOLD)
            table.now += 1
            await press(phone, "/table/01/touch", 403, **FOLD)
            assert table.admission.admitted() == []
            table.let_in(await press(phone, "/admission"))
            await press(phone, "/admission/done")
            table.admission.end(table.admission.admitted()[0][0].id, "Tess (director)")
            await press(phone, "/table/01/touch", 403, **FOLD)

    run(talk)
    assert table.signin.people() == [], "nobody is left who could sign in"


def test_who_was_let_in_lets_nobody_in_and_is_so_after_a_restart_and_only_hashes_are_kept() -> None:
    table = Table()

    async def talk() -> None:
        async with table.phone() as phone:
            table.let_in(await press(phone, "/admission"))
            await press(phone, "/admission/done")
            assert "for the evening" in await press(phone, "/people", 403, do="pair", code="1", name="Mallory")
            cookie = phone.cookies[table.signin.cookie]
            again = Admission(SignIn(table.accounts, now=lambda: table.now), "01")
            assert [person.role for _, person in again.admitted()] == [Role.DEALER]
            assert cookie not in repr(table.accounts.sessions())

    run(talk)


def test_staff_ask_at_the_station_by_name_and_say_whether_they_can_be_read_along() -> None:
    station = Table(pages=frozenset({"station"}))

    async def talk() -> None:
        async with station.phone() as fay, station.phone(base="https://feltwire") as dan:
            page = await fay.get("/station")
            assert page.status_code == 403
            assert "Your name" in page.text
            for wrong in ({"name": "", "role": "floor"}, {"name": "Fay", "role": "dealer"}, {"name": "Fay"}):
                await press(fay, "/admission", 409, **wrong)
            await press(fay, "/admission", name="Fay", role="floor")
            await press(dan, "/admission", name="Dan", role="director")
            said = [(one.name, one.role, one.secure) for one in station.admission.asking()]
            assert said == [("Fay", Role.FLOOR, False), ("Dan", Role.TD, True)]
            station.let_in(station.admission.asking()[0].screen.code)
            assert await press(fay, "/admission/done") == "/station"
            await press(fay, "/director", command="ask_count")
            await press(fay, "/director", 403, command="pause")
            assert "already" in await press(dan, "/admission", 409, name="fay", role="floor")

    run(talk)
