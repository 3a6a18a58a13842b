"""The player's phone at its doors: what everybody is told, what the code opens, and what wrong codes tell."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from display import phone_page
from display.app import create_app
from display.identity.signin import SignIn
from display.player_codes import LETTERS, PlayerCodes
from display.push import Hub
from display.server.rates import Rate
from display.server.request_filter import RequestLimits
from tests.display.conftest import Running
from tests.display.phone_states import CODES, STATES, WARNED, Desk, PhoneState, phones_of, row
from tests.display.raw import connect, get

SEEN = PhoneState(me=row(), own={"penalties": [WARNED]})


class Door:
    """An app with players' phones, asked without a socket."""

    def __init__(self, state: PhoneState = SEEN) -> None:
        self.hub, self.signin, self.desk, self.now = Hub(), SignIn(), Desk(), 0.0
        state.publish(self.hub)
        self.phones = phones_of(self.hub, self.signin, self.desk, now=lambda: self.now)
        self.app = create_app(
            hub=self.hub, pages={"clock"}, venue="hall", tables=(), signin=self.signin, phones=self.phones
        )

    def ask(self, talk: Callable[[httpx.AsyncClient], Awaitable[None]]) -> None:
        async def run() -> None:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://hall") as client:
                await talk(client)

        asyncio.run(run())


async def entered(client: httpx.AsyncClient, player: str, code: str) -> httpx.Response:
    return await client.post("/me/code", json={"player": player, "code": code})


# ------------------------------------------------------------------------------------------ codes


def test_a_code_is_of_one_player_one_event_and_one_station() -> None:
    event = "event-1"
    codes = PlayerCodes(b"1" * 32, lambda: event)
    code, proof = codes.code("p7"), codes.proof("p7")
    assert set(code.replace("-", "")) <= set(LETTERS)
    assert codes.player_of(proof) == "p7"
    assert not codes.is_code("p8", code)
    assert not PlayerCodes(b"2" * 32, lambda: event).is_code("p7", code)
    assert codes.player_of(proof.replace("p7", "p8")) == codes.player_of("") == codes.player_of("p7.") == ""
    event = "event-2"
    assert not codes.is_code("p7", code)
    assert codes.player_of(proof) == ""


@pytest.mark.parametrize("spelt", ["{}", " {} ", "lower", "spaced", "o for 0"])
def test_a_code_may_be_typed_as_people_read_it(spelt: str) -> None:
    player = next(f"p{no}" for no in range(1, 999) if "0" in CODES.code(f"p{no}"))
    code = CODES.code(player)
    ways = {"lower": code.lower(), "spaced": code.replace("-", " "), "o for 0": code.replace("0", "o")}
    assert CODES.is_code(player, ways.get(spelt, spelt.format(code)))


def test_codes_of_a_thousand_players_differ() -> None:
    assert len({CODES.code(f"p{no}") for no in range(1_000)}) == 1_000


# ------------------------------------------------------------------------------------- the code opens


def test_a_wrong_code_and_a_player_whom_there_is_not_get_the_same_answer() -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        answers = [
            await entered(client, "p7", "AAA-AAA"),
            await entered(client, "p999", "AAA-AAA"),
            await entered(client, "nobody", ""),
            await entered(client, "p8", CODES.code("p7")),
        ]
        said = {(one.status_code, one.text, one.headers.get("set-cookie")) for one in answers}
        assert said == {(403, '{"error":"This code does not fit."}', None)}

    Door().ask(talk)


def test_tries_of_a_player_run_out_for_everybody_and_the_right_code_is_not_told_then() -> None:
    door = Door()

    async def talk(client: httpx.AsyncClient) -> None:
        tries = phone_page.OF_A_PLAYER.burst
        for _ in range(tries):
            assert (await entered(client, "p7", "AAA-AAA")).status_code == 403
        locked = [await entered(client, "p7", code) for code in ("AAA-AAA", CODES.code("p7"))]
        assert {(one.status_code, one.text) for one in locked} == {
            (429, json.dumps({"error": phone_page.MANY}, separators=(",", ":")))
        }
        assert (await entered(client, "p8", CODES.code("p8"))).status_code == 200
        door.now = 1 / phone_page.OF_A_PLAYER.per_s
        assert (await entered(client, "p7", CODES.code("p7"))).status_code == 200

    door.ask(talk)


def test_tries_are_counted_in_all_too() -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        found = [(await entered(client, f"p{no}", "AAA-AAA")).status_code for no in range(200)]
        assert found.index(429) == phone_page.OF_AN_ADDRESS.burst

    Door().ask(talk)


def test_with_the_code_a_phone_calls_the_floor_and_without_it_does_not() -> None:
    door = Door()

    async def talk(client: httpx.AsyncClient) -> None:
        assert (await client.post("/me/call", json={})).status_code == 403
        assert door.desk.called == []
        await entered(client, "p7", CODES.code("p7"))
        assert (await client.post("/me/call", json={})).json() == {"ok": True, "text": "The floor is called."}
        assert door.desk.called == ["p7"]
        door.desk.refuses = "The floor was just here. Call your dealer, or wait two minutes."
        assert (await client.post("/me/call", json={})).status_code == 409
        for _ in range(2):
            await client.post("/me/call", json={})
        assert (await client.post("/me/call", json={})).status_code == 429
        await client.post("/me/forget", json={})
        assert (await client.post("/me/call", json={})).status_code == 403

    door.ask(talk)


def test_presses_of_another_site_change_nothing() -> None:
    door = Door()

    async def talk(client: httpx.AsyncClient) -> None:
        await entered(client, "p7", CODES.code("p7"))
        for headers in ({"origin": "http://evil.test"}, {"sec-fetch-site": "cross-site"}):
            assert (await client.post("/me/call", json={}, headers=headers)).status_code == 403
        assert (
            await client.post("/me/call", content=b"{}", headers={"content-type": "text/plain"})
        ).status_code == 400
        assert door.desk.called == []

    door.ask(talk)


# ----------------------------------------------------------------------------------------- the desk


def test_a_phone_that_the_desk_lets_in_is_its_players_and_only_that_one() -> None:
    door = Door()

    async def talk(client: httpx.AsyncClient) -> None:
        said = (await client.post("/me/ask", json={"name": "Ann Lee"})).json()
        ((request, name, digits, before),) = door.desk.asked
        assert (name, before, said) == ("Ann Lee", "", {"ok": True, "digits": digits})
        assert (await client.get("/me/asked")).json() == {"state": "waiting", "digits": digits}
        door.phones.answer(request, "p7", "Tess (director)")
        async with httpx.AsyncClient(transport=httpx.ASGITransport(door.app), base_url="http://hall") as other:
            assert (await other.get("/me/asked")).json() == {"state": "gone"}
        assert (await client.get("/me/asked")).json() == {"ok": True, "state": "in", "player": "p7"}
        assert (await client.post("/me/call", json={})).status_code == 200
        assert (await client.get("/me/asked")).json() == {"state": "gone"}

    door.ask(talk)


def test_a_request_that_is_refused_or_asked_anew_opens_nothing() -> None:
    door = Door()

    async def talk(client: httpx.AsyncClient) -> None:
        await client.post("/me/ask", json={"name": "Ann"})
        await client.post("/me/ask", json={"name": "Ann Lee"})
        (first, *_), (second, _, _, before) = door.desk.asked
        assert before == first
        door.phones.answer(first, "p7", "Tess")
        door.phones.answer(second, "", "Tess")
        assert (await client.get("/me/asked")).json()["state"] == "refused"
        assert (await client.post("/me/call", json={})).status_code == 403
        door.phones.begun_anew()
        assert (await client.get("/me/asked")).json() == {"state": "gone"}

    door.ask(talk)


# -------------------------------------------------------------------------------------- the stream


@contextlib.asynccontextmanager
async def told(door: Door, path: str, cookie: str = "") -> AsyncIterator[Callable[[], Awaitable[dict[str, Any]]]]:
    """What a phone is told from now on: each call answers with the next event or events."""
    asked = {
        "type": "http",
        "method": "GET",
        "path": path.partition("?")[0],
        "query_string": path.partition("?")[2].encode(),
        "headers": [(b"host", b"hall"), *([(b"cookie", cookie.encode())] if cookie else [])],
        "client": ("192.0.2.9", 1),
        "server": ("hall", 80),
        "scheme": "http",
    }
    sent: asyncio.Queue[bytes] = asyncio.Queue()
    gone = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            await sent.put(message["body"])

    serving = asyncio.create_task(door.app(asked, receive, send))

    async def following() -> dict[str, Any]:
        events = {}
        for block in (await sent.get()).decode().split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.splitlines())
            if "event" in lines:
                events[lines["event"]] = json.loads(lines["data"])
        return events

    try:
        yield following
    finally:
        gone.set()
        await serving


def proof_of(door: Door, player: str) -> str:
    return f"{door.signin.cookie}-player={CODES.proof(player)}"


def test_a_phone_is_told_what_everybody_may_know_and_of_its_player_what_is_new() -> None:
    async def run() -> None:
        door = Door()
        async with told(door, "/me/events?player=p7") as following:
            first = await following()
            assert list(first) == ["now"]
            facts = await following()
            assert set(facts) == {"schedule", "clock", "shared", "me", "own"}
            assert facts["me"]["stack"] == 41_250
            assert facts["own"] is None, "its penalties are the player's"
            PhoneState(me=row(stack=9_000), own={"penalties": [WARNED, WARNED]}).publish(door.hub)
            assert set(await following()) == {"me"}

    asyncio.run(run())


@pytest.mark.parametrize(
    ("query", "player", "sees"),
    [("?player=p7", "p7", "p7"), ("", "p7", "p7"), ("?player=p7", "p8", "p8"), ("?player=p9", "", "p9")],
)
def test_only_the_proof_opens_what_is_a_players_own(query: str, player: str, sees: str) -> None:
    async def run() -> None:
        door = Door()
        async with told(door, f"/me/events{query}", proof_of(door, player) if player else "") as following:
            await following()
            facts = await following()
            assert facts["me"]["name"] == {"p7": "Ann Lee", "p8": "Ann Leeds", "p9": "B. C."}[sees]
            wanted = None if not player else {"penalties": [WARNED]} if player == "p7" else {}
            assert facts["own"] == wanted

    asyncio.run(run())


def test_a_forged_proof_is_none() -> None:
    async def run() -> None:
        door = Door()
        forged = f"{door.signin.cookie}-player=p7.{'0' * 32}"
        async with told(door, "/me/events?player=p7", forged) as following:
            await following()
            assert (await following())["own"] is None

    asyncio.run(run())


def test_a_clock_that_only_ran_on_is_not_told_again() -> None:
    async def run() -> None:
        door = Door()
        async with told(door, "/me/events?player=p7") as following:
            await following()
            await following()
            SEEN.publish(door.hub)
            PhoneState(me=row(), own={"penalties": []}, running=False).publish(door.hub)
            assert set(await following()) <= {"clock", "me"}

    asyncio.run(run())


@pytest.mark.parametrize("path", ["/api/phones/facts", "/api/phones/results", "/events?channel=phones/facts"])
def test_the_snapshot_of_all_phones_is_no_channel(path: str) -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        answer = await client.get(path)
        assert answer.status_code in (403, 404)
        assert "phone at the table" not in answer.text

    Door().ask(talk)


def test_pages_of_another_site_read_nothing() -> None:
    door = Door()
    running = Running(door.app)
    try:
        for path in ("/me/players", "/me/events", "/me/asked", "/me/results"):
            assert get(running.port, path, "sec-fetch-site: cross-site")[0] == 403
    finally:
        running.stop()


# ------------------------------------------------------------------------------- more phones than places


def stream(port: int, cookie: str = "") -> Any:
    wire = connect(port, "127.0.0.2")
    head = ["GET /me/events?player=p7 HTTP/1.1", "host: 127.0.0.1", *([f"cookie: {cookie}"] if cookie else [])]
    wire.sendall("\r\n".join([*head, "", ""]).encode())
    return wire


def test_a_phone_with_its_code_takes_the_place_of_the_oldest_without() -> None:
    door = Door()
    running = Running(door.app, requests=RequestLimits(phones=3, reads=Rate(1e3, 10**4)))
    try:
        with contextlib.ExitStack() as held:
            strangers = [held.enter_context(contextlib.closing(stream(running.port))) for _ in range(3)]
            for wire in strangers:
                assert wire.recv(4096).startswith(b"HTTP/1.1 200")
            assert get(running.port, "/me/events?player=p7", source="127.0.0.2")[0] == 429
            own = [
                held.enter_context(contextlib.closing(stream(running.port, proof_of(door, "p7"))))
                for _ in range(3)
            ]
            for wire in own:
                assert wire.recv(4096).startswith(b"HTTP/1.1 200")
            for wire in strangers:
                said = b"".join(iter(lambda wire=wire: wire.recv(65536), b""))  # type: ignore[misc]
                assert b"event: full" in said
            assert get(running.port, "/me/events", f"cookie: {proof_of(door, 'p8')}", source="127.0.0.2")[0] == 429
    finally:
        running.stop()


def test_every_state_of_the_gallery_can_be_told() -> None:
    for state in STATES.values():
        Door(state())
