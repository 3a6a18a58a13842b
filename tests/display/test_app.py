"""Pages switched on and off, policies, presses and the TD's link."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from display.actions import ActionRefused
from display.app import PAGES, Picture, create_app
from display.identity.access import Role
from display.identity.people import MemoryAccounts
from display.identity.signin import SESSION_S, SignIn, SignInRefused
from display.presses import TimedPress
from display.push import Hub
from display.server.serve import DisplayError, bind
from table_core.messages import Key
from tests.display.conftest import STAMPED, Recorded, cookie_of
from tests.display.fixtures import TABLES, VENUE

PATHS = {
    "landing": "/",
    "clock": "/clock",
    "station": "/station",
    "rules": "/rules",
    "announcements": "/announcements",
    "table": "/table/01",
    "air": "/air/01",
    "broadcast": "/broadcast",
    "sensed": "/sensed/01",
}


def app_of(pages: set[str] = PAGES, **options: Any) -> Starlette:
    return create_app(hub=Hub(), pages=pages, venue=VENUE, tables=TABLES, **options)


def asking(
    app: Starlette,
    talk: Callable[[httpx.AsyncClient], Awaitable[None]],
    *,
    peer: str = "127.0.0.1",
    cookie: str = "",
) -> None:
    async def run() -> None:
        transport = httpx.ASGITransport(app, client=(peer, 40_000))
        headers = {"cookie": cookie} if cookie else {}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://feltwire", headers=headers, event_hooks=STAMPED
        ) as client:
            await talk(client)

    asyncio.run(run())


def signed_in(
    actions: Recorded, talk: Callable[[httpx.AsyncClient], Awaitable[None]], role: Role, table: str = ""
) -> None:
    """Talk to the app as somebody in this role."""
    signin = SignIn()
    asking(app_of(actions=actions, signin=signin), talk, cookie=cookie_of(signin, role, table))


# ------------------------------------------------------------------------------------------ pages


@pytest.mark.parametrize("page", sorted(PAGES))
def test_only_the_pages_switched_on_are_there(page: str) -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        for name, path in PATHS.items():
            expected = 200 if name == page else 303 if path == "/" else 404
            assert (await client.get(path)).status_code == expected

    signin = SignIn()
    asking(app_of({page}, signin=signin), talk, cookie=cookie_of(signin, Role.TD))


def test_a_process_without_a_landing_page_opens_with_its_own() -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        assert (await client.get("/")).headers["location"] == "/table/01"

    asking(app_of({"table", "sensed"}), talk)


def test_a_table_that_is_not_here_is_said_so_with_those_that_are() -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        answer = await client.get("/table/99")
        assert answer.status_code == 404
        assert "There is no table 99 here" in answer.text
        assert "01, 02, 03" in answer.text

    asking(app_of(), talk)


def test_a_page_name_that_does_not_exist_is_a_clear_error() -> None:
    with pytest.raises(ValueError, match="choose among air, announcements, broadcast, clock, landing"):
        app_of({"klock"})


@pytest.mark.parametrize("path", [*PATHS.values(), "/events?channel=x", "/static/shared/base.css", "/nowhere"])
def test_every_answer_forbids_scripts_and_frames_from_elsewhere(path: str) -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        policy = (await client.get(path)).headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
        assert ("unsafe" in policy) == (path == PATHS["air"]), "a streaming program brings styles of its own"
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'self' http://127.0.0.1:* http://localhost:*" in policy

    asking(app_of(), talk)


@pytest.mark.parametrize("path", PATHS.values())
def test_no_page_has_an_inline_script_or_style_or_an_address_elsewhere(path: str) -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        html = (await client.get(path)).text
        assert "<style" not in html
        assert " style=" not in html
        assert "http://" not in html
        assert "https://" not in html
        scripts = [tag.partition(">")[0] for tag in html.split("<script")[1:]]
        assert all(" src=" in tag or tag == ' type="application/json" id="words"' for tag in scripts)

    asking(app_of(actions=Recorded()), talk)


def test_python_is_not_served_as_a_static_file() -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        for path in ("/static/app.py", "/static/shared/../app.py", "/static/shared/%2e%2e/signin.py"):
            assert (await client.get(path)).status_code == 404

    asking(app_of(), talk)


def test_the_camera_picture_is_served_fresh_and_its_absence_is_said() -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        answer = await client.get("/picture/01")
        assert (answer.content, answer.headers["content-type"]) == (b"jpeg of 01", "image/jpeg")
        assert answer.headers["cache-control"] == "no-store"
        assert "no camera picture of table '02'" in (await client.get("/picture/02")).json()["error"]

    signin = SignIn()
    app = app_of(picture=lambda table: Picture(1, b"jpeg of 01") if table == "01" else None, signin=signin)
    asking(app, talk, cookie=cookie_of(signin, Role.FLOOR))


# ---------------------------------------------------------------------------------------- presses


def test_a_touch_reaches_the_table_as_its_key(actions: Recorded) -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        answer = await client.post("/table/02/touch", json={"key": 18, "amount": 1200})
        assert answer.json() == {"ok": True, "text": ""}
        await client.post("/table/02/touch", json={"key": 20, "question": 7})
        assert actions.calls == [
            ("02", Key.BET_RAISE, None, 1200, None),
            ("02", Key.STREET, None, None, 7),
        ]

    signed_in(actions, talk, Role.DEALER, "02")


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/table/99/touch", {"key": 16}, 404, "no table '99' here"),
        ("/table/01/touch", {"key": 99}, 400, "$.key"),
        ("/table/01/touch", {"key": 16, "card": "Ah"}, 400, "card"),
        ("/table/01/touch", {"key": 16, "note": "x" * 5000}, 400, "4096 bytes"),
        ("/mischief", {"table": "01", "kind": "arson"}, 400, "arson"),
    ],
)
def test_a_press_that_cannot_be_understood_is_answered_with_why(
    actions: Recorded, path: str, body: dict[str, object], status: int, words: str
) -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        answer = await client.post(path, json=body)
        assert answer.status_code == status
        assert words in answer.json()["error"]
        assert actions.calls == []

    signed_in(actions, talk, Role.FLOOR)


def test_a_form_or_script_of_another_site_presses_nothing(actions: Recorded) -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        elsewhere = {"origin": "http://elsewhere.example"}
        assert (await client.post("/table/01/touch", json={"key": 16}, headers=elsewhere)).status_code == 403
        assert (await client.post("/table/01/touch", data={"key": 16})).status_code == 400
        assert actions.calls == []
        ours = {"origin": "http://feltwire"}
        assert (await client.post("/table/01/touch", json={"key": 16}, headers=ours)).status_code == 200

    signed_in(actions, talk, Role.FLOOR)


def test_what_is_not_possible_now_is_answered_in_the_process_own_words() -> None:
    class Broken(Recorded):
        async def mischief(self, table: str, kind: str, press: TimedPress) -> str:
            raise ActionRefused("the shoe's cable is already out")

    async def talk(client: httpx.AsyncClient) -> None:
        answer = await client.post("/mischief", json={"table": "01", "kind": "pull_shoe"})
        assert (answer.status_code, answer.json()["error"]) == (409, "the shoe's cable is already out")

    asking(app_of(actions=Broken()), talk)


def test_without_actions_there_is_nothing_to_press() -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        assert (await client.post("/table/01/touch", json={"key": 16})).status_code == 404

    asking(app_of(), talk)


# ------------------------------------------------------------------------------------------ sign-in


def test_the_td_link_signs_in_one_browser_once(actions: Recorded) -> None:
    signin = SignIn()
    link = signin.new_link()

    async def talk(client: httpx.AsyncClient) -> None:
        pause = {"command": "pause", "arguments": {}}
        assert (await client.post("/director", json=pause)).status_code == 403
        answer = await client.get(link)
        assert (answer.status_code, answer.headers["location"]) == (303, "/station")
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert (await client.post("/director", json=pause)).json()["text"] == "pause: done"
        assert 'data-role="director"' in (await client.get("/station")).text
        client.cookies.clear()
        again = await client.get(link)
        assert again.status_code == 403
        assert "has been used" in again.text
        assert (await client.post("/director", json=pause)).status_code == 403
        assert 'data-role="viewer"' in (await client.get("/station")).text

    asking(app_of(actions=actions, signin=signin), talk)
    assert actions.calls == [("pause", {})]


def test_looking_ahead_does_not_use_the_link_up() -> None:
    signin = SignIn()
    link = signin.new_link()

    async def talk(client: httpx.AsyncClient) -> None:
        assert (await client.head(link)).status_code == 204
        assert (await client.get(link, headers={"sec-purpose": "prefetch;prerender"})).status_code == 204
        assert (await client.get(link)).status_code == 303

    asking(app_of(signin=signin), talk)


def test_a_wrong_link_says_so() -> None:
    async def talk(client: httpx.AsyncClient) -> None:
        for path in ("/sign-in?token=guess", "/sign-in?token=%FF"):
            answer = await client.get(path)
            assert answer.status_code == 403
            assert "not valid here" in answer.text

    asking(app_of(signin=SignIn()), talk)


def test_a_cookie_that_was_altered_forged_or_has_run_out_is_a_viewers() -> None:
    wall = 1_000_000.0
    accounts = MemoryAccounts()
    signin = SignIn(accounts, now=lambda: wall)
    cookie = signin.redeem(token_of(signin.new_link()))
    assert signin.caller(cookie).role is Role.TD
    assert SignIn(accounts, now=lambda: wall).caller(cookie).role is Role.TD  # after a restart
    assert SignIn(now=lambda: wall).caller(cookie).role is Role.VIEWER
    old_format = "td.99999999999.0123456789abcdef." + "0" * 64
    stored = accounts.sessions()[0].key  # what somebody who reads the file has
    for other in (None, "", ".", "td", old_format, stored, cookie[:-1], cookie + "é", cookie.swapcase()):
        assert signin.caller(other).role is Role.VIEWER
    wall += SESSION_S
    assert signin.caller(cookie).role is Role.VIEWER


def test_which_program_it_is_stands_on_the_stations_pages_for_who_is_signed_in() -> None:
    signin = SignIn()
    app = app_of({"station"}, signin=signin, version="Feltwire 9.9.9", public_overview=True)

    async def director(client: httpx.AsyncClient) -> None:
        assert "Feltwire 9.9.9" in (await client.get("/station")).text

    async def somebody(client: httpx.AsyncClient) -> None:
        page = await client.get("/station")
        assert page.status_code == 200
        assert "Feltwire 9.9.9" not in page.text

    asking(app, director, cookie=cookie_of(signin, Role.TD))
    asking(app, somebody)


def token_of(link: str) -> str:
    return link.partition("=")[2]


def test_a_token_is_redeemed_once() -> None:
    signin = SignIn()
    token = token_of(signin.new_link())
    signin.redeem(token)
    with pytest.raises(SignInRefused, match="has been used"):
        signin.redeem(token)


# ---------------------------------------------------------------------------------------- the port


def test_a_port_in_use_is_named_with_what_to_do() -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DisplayError, match=f"port {port} on 127.0.0.1 is in use.*choose another port"):
            bind("127.0.0.1", port)


def test_an_address_of_another_machine_is_a_clear_error() -> None:
    with pytest.raises(DisplayError, match=r"cannot serve on 203\.0\.113\.9, port 8080"):
        bind("203.0.113.9", 8080)
