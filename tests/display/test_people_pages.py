"""People, links, pairing, PINs, sessions and the audit, over HTTP."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from starlette.applications import Starlette

from display.actions import ActionRefused
from display.app import PAGES, create_app
from display.identity.access import Role
from display.identity.pairing import Pairing
from display.identity.people import MemoryAccounts, NotKept, Person
from display.identity.pins import FRESH_S
from display.identity.signin import SignIn
from display.presses import TimedPress
from display.push import Hub
from tests.display.conftest import STAMPED, Asking, Recorded, cookie_of, pressed
from tests.display.fixtures import TABLES, VENUE

SEATS = {"command": "set_seats", "arguments": {"table": "01", "seats": []}}
PAYS = {"command": "pay_prize", "arguments": {"player": "p1"}}


class House:
    """One process's pages with a clock that the test moves; `talk` is in one event loop."""

    def __init__(self, pages: set[str] = PAGES, **options: Any) -> None:
        self.wall = 1_000_000.0
        self.accounts = MemoryAccounts()
        self.signin = SignIn(self.accounts, now=lambda: self.wall)
        self.actions = Asking({"pay_prize": "pays"})
        self.app: Starlette = create_app(
            hub=Hub(),
            pages=pages,
            venue=VENUE,
            tables=TABLES,
            actions=self.actions,
            signin=self.signin,
            **options,
        )
        self.td = cookie_of(self.signin, Role.TD, name="Tess")

    def browser(self, cookie: str = "", address: str = "192.168.7.20") -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=(address, 40_000))
        headers = {"cookie": cookie} if cookie else {}
        return httpx.AsyncClient(
            event_hooks=STAMPED, transport=transport, base_url="http://feltwire", headers=headers
        )

    def audit(self, what: str) -> list[str]:
        return [act.text for act in self.accounts.audit(1000) if act.what == what]


def run(talk: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:  # `run` wants a coroutine, an `Awaitable` is more
        await talk()

    asyncio.run(whole())


async def press(client: httpx.AsyncClient, path: str, status: int = 200, **body: Any) -> str:
    answer = await client.post(path, json=body)
    assert answer.status_code == status, answer.text
    said = answer.json()
    return str(said["text"] if status == 200 else said["error"])


def test_nobody_but_the_director_lists_people_ends_sessions_or_reads_the_audit() -> None:
    house = House()

    async def talk() -> None:
        for role in (Role.VIEWER, Role.FLOOR, Role.DEALER, Role.PRODUCER, Role.DISPLAY):
            cookie = "" if role is Role.VIEWER else cookie_of(house.signin, role, "01")
            async with house.browser(cookie) as client:
                for path in ("/people", "/audit", "/audit.csv"):
                    assert (await client.get(path)).status_code == 403
                for do in ("add", "link", "remove", "end", "forget_pin"):
                    await press(client, "/people", 403, do=do, name="Mallory", role="director", person="tdTess")

    run(talk)


def test_the_director_lets_the_floor_in_and_ends_the_session_at_once() -> None:
    house = House()

    async def talk() -> None:
        async with house.browser(house.td) as td, house.browser() as fay:
            link = await press(td, "/people", do="add", name="Fay", role="floor")
            assert (await fay.get(link)).status_code == 303
            assert (await fay.get("/api/rulings")).status_code in (200, 404)  # none published here
            await press(fay, "/director", 403, command="pause")
            shown = (await td.get("/people")).text
            assert "Fay" in shown
            assert "192.168.7.20" in shown
            session = house.signin.sessions_of(next(p.id for p in house.signin.people() if p.name == "Fay"))[0]
            await press(td, "/people", do="end", session=session.id)
            assert (await fay.get("/api/rulings")).status_code == 403
            assert "already" in await press(td, "/people", 409, do="end", session=session.id)
            assert "a Fay already" in await press(td, "/people", 409, do="add", name="fay", role="director")

    run(talk)
    assert "Fay, the floor" in house.audit("person added")
    assert house.audit("session ended") == ["of Fay, at 192.168.7.20"]


def test_a_name_cannot_carry_markup_or_lines_into_page_log_or_ledger() -> None:
    house = House()

    async def talk() -> None:
        async with house.browser(house.td) as td:
            for name in ("", " ", "x" * 41, "a\nb\x00", "\u202eevil"):
                await press(td, "/people", 409, do="add", name=name, role="floor")
            await press(td, "/people", do="add", name="<script>alert(1)</script>", role="floor")
            assert "<script>alert" not in (await td.get("/people")).text
            assert "<script>alert" not in (await td.get("/audit")).text
            await press(td, "/people", 409, do="add", name="Eve", role="emperor")

    run(talk)


def test_the_director_and_the_floor_name_themselves_and_nobody_else_and_no_name_twice() -> None:
    house = House()

    async def talk() -> None:
        async with (
            house.browser(house.td) as td,
            house.browser(cookie_of(house.signin, Role.FLOOR, "01")) as floor,
        ):
            said = await press(td, "/people", do="name", name="Marta  Klein")
            assert said == "You are Marta Klein. What is done stands under that name."
            assert "Marta Klein" in (await td.get("/sign-in")).text
            assert "already" in await press(floor, "/people", 409, do="name", name="marta klein")
            await press(floor, "/people", do="name", name="Ben Okoro")
        async with house.browser(cookie_of(house.signin, Role.DEALER, "01")) as dealer:
            await press(dealer, "/people", 403, do="name", name="Ben")

    run(talk)
    assert any("is Marta Klein from now on" in line for line in house.audit("name"))


# ---------------------------------------------------------------------------------------- pairing


def test_a_screen_beyond_the_machine_is_paired_by_the_code_that_it_shows() -> None:
    house = House({"table"})
    kiosk = cookie_of(house.signin, Role.DEALER, "01", "Kiosk")

    async def talk() -> None:
        async with house.browser(kiosk, "127.0.0.1") as table, house.browser() as tablet:
            await press(tablet, "/table/01/touch", 403, key=26)
            code = await press(tablet, "/pair")
            assert await press(tablet, "/pair/done") == ""
            said = await press(
                table, "/people", do="pair", name="Tablet", code=f"{code[:3]} {code[3:]}", role="director"
            )
            assert said == "Paired as Tablet, the dealer screen of table 01: the screen at 192.168.7.20."
            assert await press(tablet, "/pair/done") == "/table/01"
            await press(tablet, "/table/01/touch", key=26)
            await press(tablet, "/table/02/touch", 403, key=26)
            await press(tablet, "/pair/done", 409)

    run(talk)
    assert len(house.actions.calls) == 1
    assert {person.role for person in house.signin.people() if person.name == "Tablet"} == {Role.DEALER}


def test_a_code_is_worth_nothing_to_whoever_reads_it_off_the_screen_and_runs_out() -> None:
    house = House({"table"})
    kiosk = cookie_of(house.signin, Role.DEALER, "01", "Kiosk")

    async def talk() -> None:
        async with house.browser(kiosk) as table, house.browser() as tablet, house.browser() as thief:
            code = await press(tablet, "/pair")
            await press(thief, "/people", 403, do="pair", name="Thief", code=code)
            await press(thief, "/pair/done", 409)
            await press(table, "/people", do="pair", name="Tablet", code=code)
            await press(thief, "/pair/done", 409)  # the session is for the screen that showed the code
            late = await press(thief, "/pair")
            house.wall += 121
            assert "no screen shows" in await press(table, "/people", 409, do="pair", name="Late", code=late)

    run(talk)


def test_codes_are_not_found_by_guessing_nor_used_up_by_asking() -> None:
    house = House({"table"})
    kiosk = cookie_of(house.signin, Role.DEALER, "01", "Kiosk")

    async def talk() -> None:
        async with house.browser(kiosk) as table:
            answers = [
                (await table.post("/people", json={"do": "pair", "name": "X", "code": f"{no:06}"})).status_code
                for no in range(30)
            ]
            assert answers == [409] * 5 + [429] * 25
        screens = [house.browser() for _ in range(8)]
        answers = [(await screen.post("/pair", json={})).status_code for screen in screens]
        assert answers == [200] * 5 + [429] * 3
        async with house.browser(address="192.168.7.21") as other:
            await press(other, "/pair")

    run(talk)
    assert len(house.audit("pairing")) == 5


def test_a_whole_network_that_asks_for_codes_keeps_no_screen_from_having_one() -> None:
    pairing = Pairing(lambda: 0.0)
    honest, _ = pairing.ask("192.168.7.20", "a wall")
    for host in range(1, 250):
        for _ in range(5):
            pairing.ask(f"192.168.8.{host}", "")
    late, _ = pairing.ask("192.168.7.21", "another wall")
    assert pairing.shown(honest.code) is honest
    assert pairing.shown(late.code) is late


# -------------------------------------------------------------------------------------------- PIN


def test_a_pin_is_not_found_by_guessing_from_any_of_its_owners_sessions() -> None:
    house = House()
    tess = next(person for person in house.signin.people() if person.name == "Tess")
    second = f"{house.signin.cookie}={house.signin.begin(tess)}"

    async def talk() -> None:
        async with house.browser(house.td) as td, house.browser(second) as stolen:
            await press(td, "/pin", pin="2718", set=True)
            codes = [(await stolen.post("/pin", json={"pin": f"{no:04}"})).status_code for no in range(8)]
            assert codes == [403] * 5 + [429] * 3
            assert "Try again in 60 seconds" in await press(td, "/pin", 429, pin="2718")
            house.wall += 60
            await press(stolen, "/pin", 403, pin="9999")
            assert "120 seconds" in await press(stolen, "/pin", 429, pin="2718")
            assert "429" not in await press(stolen, "/pin", 429, pin="1111", old="0000", set=True)
            house.wall += 120
            assert "does not wait" in await press(
                td, "/pin", 403, pin="2718"
            )  # it is right, and counts for nothing

    run(talk)
    everything = repr(house.accounts.audit(1000)) + repr(house.accounts.people())
    assert "2718" not in everything.replace("argon2id", "")


def test_guesses_side_by_side_are_all_counted() -> None:
    house = House()

    async def talk() -> None:
        async with house.browser(house.td) as td:
            await press(td, "/pin", pin="2718", set=True)
            guesses = [td.post("/pin", json={"pin": f"{no:04}"}) for no in range(20)]
            codes = sorted([answer.status_code for answer in await asyncio.gather(*guesses)])
            assert codes == [403] * 5 + [429] * 15

    run(talk)


def test_a_room_may_ask_everyone_for_a_pin() -> None:
    house = House(pin_required=True)

    async def talk() -> None:
        async with house.browser(house.td) as td:
            answer = await td.post("/director", json=PAYS)
            assert (answer.status_code, answer.json()["error"][:30]) == (401, "pay_prize: pays. Set a PIN fir")

    run(talk)
    assert house.actions.calls == []


# ------------------------------------------------------------------------------------------ audit


def test_the_audit_says_who_did_what_from_where_and_holds_no_secret_and_no_card() -> None:
    class Refusing(Recorded):
        async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
            if command == "set_hand":
                raise ActionRefused("Qh is named twice", rule="base.hand")
            return await super().director(command, arguments, press)

    house = House()
    house.app = create_app(
        hub=Hub(), pages=PAGES, venue=VENUE, tables=TABLES, actions=Refusing(), signin=house.signin
    )

    async def talk() -> None:
        async with house.browser(house.td) as td:
            await press(td, "/director", command="pause")
            await press(
                td, "/director", 409, command="set_hand", arguments={"table": "01", "hand": {"board": ["Qh"]}}
            )
            link = await press(td, "/people", do="add", name="=cmd|x", role="floor")
            shown = (await td.get("/audit")).text
            rows = list(csv.DictReader(io.StringIO((await td.get("/audit.csv")).text)))
            for text in (shown, repr(rows)):
                assert "pause: pause: done" in text
                assert "set_hand (table 01): base.hand" in text
                assert "192.168.7.20" in text
                assert "Qh" not in text
                assert link.partition("=")[2] not in text
            assert {row["who"] for row in rows if row["what"] == "command"} == {"Tess"}
            async with house.browser(cookie_of_the_odd_one(house)) as odd:
                await odd.post("/sign-out", json={})
            rows = list(csv.DictReader(io.StringIO((await td.get("/audit.csv")).text)))
            assert any(row["who"] == "'=cmd|x" for row in rows), "a spreadsheet carries nothing out"

    run(talk)


def cookie_of_the_odd_one(house: House) -> str:
    odd = next(person for person in house.signin.people() if person.name == "=cmd|x")
    return f"{house.signin.cookie}={house.signin.begin(odd)}"


def test_a_full_disk_keeps_no_session_alive_and_its_end_is_recorded_later() -> None:
    class Full(MemoryAccounts):
        full = False

        def drop_session(self, key: str) -> None:
            if self.full:
                raise NotKept("the disk is full")
            super().drop_session(key)

    book = Full()
    signin = SignIn(book)
    cookie = signin.begin(signin.keep(Person("ann", "Ann", Role.TD)))
    book.full = True
    signin.sign_out(cookie)
    assert signin.caller(cookie).role is Role.VIEWER
    book.full = False
    assert signin.sessions() == []
    assert SignIn(book).caller(cookie).role is Role.VIEWER


def test_whoever_finds_the_directors_browser_open_makes_nobody_who_needs_no_pin() -> None:
    house = House()
    fay = house.signin.keep(Person("fay", "Fay", Role.FLOOR, pin="a hash"))

    async def talk() -> None:
        async with house.browser(house.td) as td:
            await press(td, "/pin", pin="2718", set=True)
            waiting = house.browser(address="192.168.7.66")
            code = await press(waiting, "/pair")
            for body in (
                {"do": "add", "name": "Me", "role": "director"},
                {"do": "link", "person": "fay"},
                {"do": "forget_pin", "person": "fay"},
                {"do": "pair", "code": code, "name": "Me", "role": "floor"},
            ):
                answer = await td.post("/people", json=body)
                assert (answer.status_code, answer.json()["about"]) == (401, "pin"), body
            headers, body = pressed(), {"do": "forget_pin", "person": "fay"}
            assert (await td.post("/people", json=body, headers=headers)).status_code == 401
            await press(td, "/pin", pin="2718", press=headers["press-id"])
            assert (await td.post("/people", json=body, headers=headers)).status_code == 200
            answer = await td.post("/people", json={"do": "link", "person": "fay"})
            assert (answer.status_code, answer.json()["about"]) == (401, "pin")

    run(talk)
    assert house.signin.person("fay") != fay
    assert {person.name for person in house.signin.people()} == {"Tess", "Fay"}


def test_a_thief_of_a_session_locks_its_owner_out_of_the_money_for_minutes_only() -> None:
    """And not at all while the owner can read the file of the first link."""
    house = House()
    tess = next(person for person in house.signin.people() if person.name == "Tess")

    async def talk() -> None:
        async with house.browser(house.td) as stolen:
            await press(stolen, "/pin", pin="2718", set=True)
            for _ in range(10):
                await stolen.post("/pin", json={"pin": "0000"})
                house.wall += 300
            await stolen.post("/pin", json={"pin": "0000"})
            assert "Try again in 300 seconds" in await press(stolen, "/pin", 429, pin="2718")
        link = house.signin.new_link(tess, lasting=True).partition("=")[2]
        filed = f"{house.signin.cookie}={house.signin.redeem(link)}"
        async with house.browser(filed) as td:
            assert (await td.post("/director", json=PAYS)).status_code == 200
            await press(td, "/pin", pin="31415", set=True)  # the old one may be forgotten
            house.wall += FRESH_S
            assert (await td.post("/director", json=PAYS)).status_code == 401

    run(talk)


# -------------------------------------------------------------------------- late and repeated presses


def test_what_is_pressed_on_the_peoples_pages_is_refused_when_it_comes_too_late() -> None:
    house = House()
    session = house.signin.sessions()[0]

    async def talk() -> None:
        async with house.browser(house.td) as td, house.browser() as screen:
            for client, path, body in (
                (td, "/people", {"do": "add", "name": "Fay", "role": "floor"}),
                (td, "/people", {"do": "end", "session": session.id}),
                (td, "/pin", {"pin": "2718", "set": True}),
                (screen, "/pair", {}),
                (screen, "/pair/done", {}),
            ):
                answer = await client.post(path, json=body, headers=pressed(within_ms=-1))
                assert (answer.status_code, "too late" in answer.text) == (409, True), (path, body)

    run(talk)
    assert [person.name for person in house.signin.people()] == ["Tess"]
    assert house.signin.people()[0].pin == ""
    assert house.signin.sessions() == [session]


def test_one_press_on_the_peoples_page_sent_twice_adds_one_person() -> None:
    house = House()

    async def talk() -> None:
        async with house.browser(house.td) as td:
            stamp = pressed()
            body = {"do": "add", "name": "Fay", "role": "floor"}
            answers = [(await td.post("/people", json=body, headers=stamp)).json() for _ in range(3)]
            assert answers == [answers[0]] * 3
            assert answers[0]["ok"]

    run(talk)
    assert sorted(person.name for person in house.signin.people()) == ["Fay", "Tess"]


def test_an_id_that_was_used_is_good_for_no_other_press_and_nobody_else() -> None:
    house = House()

    async def talk() -> None:
        floor = cookie_of(house.signin, Role.FLOOR)
        async with house.browser(house.td) as td, house.browser(floor) as fay:
            stamp = pressed()
            assert (await td.post("/director", json=SEATS, headers=stamp)).status_code == 200
            other = {"command": "pause", "arguments": {}}
            for client, path, body in (
                (td, "/director", other),
                (td, "/table/01/touch", {"key": 26}),
                (fay, "/director", SEATS),
            ):
                answer = await client.post(path, json=body, headers=stamp)
                assert (answer.status_code, "id" in answer.json()["error"]) == (409, True), body
            assert (await td.post("/director", json=SEATS, headers=stamp)).status_code == 200

    run(talk)
    assert house.actions.calls == [("set_seats", SEATS["arguments"])]


# ----------------------------------------------------------------------------------------- more audit


def test_who_is_signed_in_and_tries_what_is_not_theirs_is_in_the_audit() -> None:
    house = House()

    async def talk() -> None:
        async with house.browser(cookie_of(house.signin, Role.DEALER, "02", "Screen of 02")) as screen:
            for _ in range(30):
                await screen.post("/table/01/touch", json={"key": 26})
            await screen.post("/director", json={"command": "pause"})
            await screen.get("/sensed/01")
            await screen.get("/api/rulings")
            await screen.post("/people", json={"do": "add", "name": "Me", "role": "director"})
        async with house.browser() as viewer:
            await viewer.post("/table/01/touch", json={"key": 26})

    run(talk)
    tries = [(act.who, act.text) for act in house.accounts.audit(1000) if act.what == "not allowed"]
    said = ["/people", "/api/rulings", "/sensed/01", "/director: pause", "/table/01/touch"]
    assert tries == [("Screen of 02", words) for words in said]  # once a minute; a viewer is nobody


# ---------------------------------------------------------------------------------------- a full disk


def test_on_a_full_disk_the_director_can_still_sign_in_and_hears_what_is_not_kept() -> None:
    house = House()

    def full(*_: Any) -> None:
        raise NotKept("station/people.db: the disk is full; make room")

    for write in ("save_person", "save_session", "drop_session", "record", "drop_person"):
        setattr(house.accounts, write, full)

    async def talk() -> None:
        async with house.browser() as browser:
            link = house.signin.new_link(house.signin.people()[0])
            assert (await browser.post("/sign-in", json={"token": link.partition("=")[2]})).status_code == 200
            await press(browser, "/director", command="pause")
            for body in ({"do": "add", "name": "Fay", "role": "floor"}, {"do": "remove", "person": "fay"}):
                house.signin._people["fay"] = Person("fay", "Old Fay", Role.FLOOR)
                assert "the disk is full" in await press(browser, "/people", 409, **body)
            assert "the disk is full" in await press(browser, "/pin", 409, pin="2718", set=True)

    run(talk)
    assert "Fay" not in [person.name for person in house.signin.people()]


# ------------------------------------------------------------------------------------- long evenings


def test_a_screen_is_signed_in_for_as_long_as_it_is_in_use_and_whatever_the_clock_is_set_to() -> None:
    """A computer without a clock of its own wakes up in the past and is set right in mid-hand."""
    house = House()
    cookie = cookie_of(house.signin, Role.DEALER, "01").partition("=")[2]
    for _ in range(20):
        house.wall += 300 * 86_400
        assert house.signin.caller(cookie).role is Role.DEALER
    caller = house.signin.caller(cookie)
    house.wall += 300 * 86_400
    assert house.signin.lives(caller)  # a stream that nobody touches
    house.wall += 300 * 86_400
    assert SignIn(house.accounts, now=lambda: house.wall).caller(cookie).role is Role.DEALER
    house.wall += 401 * 86_400
    assert house.signin.caller(cookie).role is Role.VIEWER
