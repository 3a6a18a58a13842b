"""Who may read and press what, asked over HTTP in every role."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest
from msgspec.structs import replace

from display.app import PAGES, Picture, create_app
from display.identity.access import Role
from display.identity.pairing import CODE_S, Pairing
from display.identity.people import MemoryAccounts, Person
from display.identity.signin import SignIn, SignInRefused
from display.push import EventStream, Hub
from tests.display.conftest import PATIENCE_S, STAMPED, Recorded, cookie_of
from tests.display.fixtures import TABLES, VENUE

VIEWERS = (Role.VIEWER, Role.DISPLAY, Role.PRODUCER)
Talk = Callable[[httpx.AsyncClient], Awaitable[None]]


def asking(talk: Talk, signin: SignIn, actions: Recorded | None = None, cookie: str = "") -> None:
    hub = Hub()
    for channel in ("rulings", "ruling/01", "sensed/01", "table/01", "room"):
        hub.publish(channel, b"{}")
    app = create_app(
        hub=hub,
        pages=PAGES,
        venue=VENUE,
        tables=TABLES,
        actions=actions or Recorded(),
        signin=signin,
        picture=lambda table: Picture(1, b"jpeg"),
    )

    async def run() -> None:
        # From the machine itself: being there is no identity.
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 40_000))
        headers = {"cookie": cookie} if cookie else {}
        async with httpx.AsyncClient(
            event_hooks=STAMPED, transport=transport, base_url="http://feltwire", headers=headers
        ) as client:
            await talk(client)

    asyncio.run(run())


def statuses(paths: list[str], role: Role, table: str = "") -> list[int]:
    signin, found = SignIn(), []

    async def talk(client: httpx.AsyncClient) -> None:
        found.extend([(await client.get(path)).status_code for path in paths])

    asking(talk, signin, cookie="" if role is Role.VIEWER else cookie_of(signin, role, table))
    return found


@pytest.mark.parametrize("role", [*VIEWERS, Role.DEALER])
def test_what_the_camera_reads_and_sees_is_for_floor_and_director_only(role: Role) -> None:
    paths = ["/sensed/01", "/picture/01", "/api/sensed/01", "/events?channel=table/01&channel=sensed/01"]
    assert statuses(paths, role, "01") == [403, 403, 403, 403]
    assert statuses(paths[:3], Role.FLOOR) == statuses(paths[:3], Role.TD) == [200, 200, 200]


def test_an_open_incident_is_read_by_the_screen_of_its_table_and_by_who_may_rule() -> None:
    for role in VIEWERS:
        assert statuses(["/api/ruling/01", "/events?channel=ruling/01"], role) == [403, 403]
    assert statuses(["/api/ruling/01"], Role.DEALER, "02") == [403]
    assert statuses(["/api/ruling/01"], Role.DEALER, "01") == [200]
    assert statuses(["/api/ruling/01"], Role.FLOOR) == [200]
    assert statuses(["/api/rulings"], Role.DEALER, "01") == [403]
    assert statuses(["/api/rulings"], Role.FLOOR) == [200]


def test_what_everyone_may_see_needs_no_sign_in() -> None:
    paths = ["/table/01", "/clock", "/air/01", "/rules", "/api/table/01"]
    assert statuses(paths, Role.VIEWER) == [200, 200, 200, 200, 200]


@pytest.mark.parametrize(
    ("role", "table", "status"),
    [
        *[(role, "", 403) for role in VIEWERS],
        (Role.DEALER, "02", 403),
        (Role.DEALER, "01", 200),
        (Role.FLOOR, "", 200),
        (Role.TD, "", 200),
    ],
)
def test_keys_are_pressed_by_the_tables_own_screen_and_by_floor_and_director(
    actions: Recorded, role: Role, table: str, status: int
) -> None:
    signin = SignIn()

    async def talk(client: httpx.AsyncClient) -> None:
        answer = await client.post("/table/01/touch", json={"key": 26})
        assert answer.status_code == status
        shown = (await client.get("/table/01")).text
        assert ('data-key="26"' in shown) == (status == 200)  # what cannot be pressed is not shown

    asking(talk, signin, actions, "" if role is Role.VIEWER else cookie_of(signin, role, table))
    assert bool(actions.calls) == (status == 200)


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("pause", {Role.TD}),
        ("select_level", {Role.TD}),
        ("hand_over", {Role.TD}),
        ("no_such_command", {Role.TD}),
        ("rule", {Role.TD, Role.FLOOR}),
        ("set_hand", {Role.TD, Role.FLOOR}),
    ],
)
def test_the_directors_commands_are_not_the_floors_and_nobody_elses(
    actions: Recorded, command: str, allowed: set[Role]
) -> None:
    for role in Role:
        signin = SignIn()

        async def talk(client: httpx.AsyncClient, role: Role = role) -> None:
            answer = await client.post("/director", json={"command": command})
            assert answer.status_code == (200 if role in allowed else 403), role

        asking(talk, signin, actions, "" if role is Role.VIEWER else cookie_of(signin, role, "01"))
    assert actions.calls == [(command, {})] * len(allowed)


def test_a_cookie_copied_before_the_sign_out_is_worth_nothing_after_it_nor_after_a_restart() -> None:
    book = MemoryAccounts()
    signin = SignIn(book)
    cookie = cookie_of(signin, Role.TD)

    async def signs_out(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/rulings")).status_code == 200
        assert (await client.post("/sign-out", json={})).status_code == 200

    async def stolen(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/rulings")).status_code == 403
        assert (await client.post("/director", json={"command": "pause"})).status_code == 403

    asking(signs_out, signin, cookie=cookie)
    asking(stolen, signin, cookie=cookie)
    asking(stolen, SignIn(book), cookie=cookie)


def test_a_private_stream_ends_with_the_session_that_opened_it() -> None:
    hub, signin = Hub(), SignIn()
    caller = signin.caller(signin.begin(signin.keep(Person("ann", "Ann", Role.TD))))
    assert caller.session is not None
    heard: list[bytes] = []

    async def follow() -> None:
        hub.publish("rulings", b'"before"')
        stream = EventStream(hub, "rulings", lives=lambda: signin.lives(caller))
        async for part in stream.body_iterator:
            heard.append(bytes(part))
            if b"before" in heard[-1]:
                signin.end(caller.session.id)  # type: ignore[union-attr]
                hub.publish("rulings", b'"after"')

    asyncio.run(follow())
    assert b"before" in heard[-1]


def test_a_private_stream_on_which_nothing_is_said_ends_with_its_session_too() -> None:
    hub, signin = Hub(), SignIn()
    caller = signin.caller(signin.begin(signin.keep(Person("ann", "Ann", Role.TD))))
    heard: list[bytes] = []

    async def follow() -> None:
        lives = lambda: signin.lives(caller)  # noqa: E731
        async for part in EventStream(hub, "rulings", lives=lives).body_iterator:
            heard.append(bytes(part))
            assert caller.session is not None
            signin.end(caller.session.id)

    asyncio.run(asyncio.wait_for(follow(), PATIENCE_S))
    assert len(heard) == 1


def test_who_loses_a_role_loses_what_it_allowed_at_once() -> None:
    signin = SignIn()
    fay = signin.keep(Person("fay", "Fay", Role.FLOOR))
    cookie = signin.begin(fay)
    caller = signin.caller(cookie)
    signin.keep(replace(fay, role=Role.DISPLAY))
    assert signin.caller(cookie).role is Role.DISPLAY
    assert not signin.lives(caller)
    signin.remove("fay")
    assert signin.caller(cookie).role is Role.VIEWER


def test_a_link_does_not_change_a_signed_in_browser_without_being_asked() -> None:
    """Otherwise one's own link, sent to the director, would have the director work under one's name."""
    signin = SignIn()
    bad = signin.keep(Person("mallory", "Mallory", Role.FLOOR))
    link = signin.new_link(bad)

    async def talk(client: httpx.AsyncClient) -> None:
        answer = await client.get(link)
        assert answer.status_code == 200
        assert "Sign in as Mallory?" in answer.text
        assert (await client.get("/api/rulings")).status_code == 200
        elsewhere = {"origin": "http://elsewhere.example"}
        token = link.partition("=")[2]
        assert (await client.post("/sign-in", json={"token": token}, headers=elsewhere)).status_code == 403
        assert 'data-role="director"' in (await client.get("/station")).text
        assert (await client.post("/sign-in", json={"token": token})).status_code == 200

    asking(talk, signin, cookie=cookie_of(signin, Role.TD))


def test_a_cookie_that_was_put_into_a_browser_is_not_the_one_it_has_after_signing_in() -> None:
    signin = SignIn()
    link = signin.new_link()

    async def talk(client: httpx.AsyncClient) -> None:
        client.cookies.set(signin.cookie, "put-there-by-somebody")
        cookie = (await client.get(link)).cookies[signin.cookie]
        assert cookie != "put-there-by-somebody"
        assert signin.caller("put-there-by-somebody").role is Role.VIEWER

    asking(talk, signin)


def test_wrong_links_are_answered_more_and_more_slowly_but_a_right_one_at_once() -> None:
    wall = 1000.0
    signin = SignIn(now=lambda: wall)
    link = signin.new_link()

    async def talk(client: httpx.AsyncClient) -> None:
        answers = [await client.get(f"/sign-in?token=guess-{no}") for no in range(30)]
        assert [answer.status_code for answer in answers[:10]] == [403] * 10
        assert [answer.status_code for answer in answers[10:]] == [429] * 20
        assert "Try again in 30 seconds" in answers[-1].text
        assert (await client.get(link)).status_code == 303

    asking(talk, signin)
    assert len([act for act in signin.accounts.audit(100) if act.what == "sign-in refused"]) == 10


def test_a_clock_that_is_set_changes_no_wait() -> None:
    """A wait that began in a wrong year would last for years once the clock is right."""
    wall, ticks = 2e9, 0.0
    signin = SignIn(now=lambda: wall, ticks=lambda: ticks)
    pairing = Pairing(signin.ticks)
    code = pairing.ask("192.168.7.20", "a screen")[0].code

    def wrong() -> int:
        with pytest.raises(SignInRefused) as refused:
            signin.redeem("guess", "192.168.7.20")
        return refused.value.wait_s

    waits = [wrong() for _ in range(11)]
    assert waits[-1] == 30
    wall -= 2 * 365 * 86_400
    assert wrong() == 30
    ticks += 31
    assert wrong() == 0
    ticks += CODE_S
    assert pairing.shown(code) is None
