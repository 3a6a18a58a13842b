"""Requests, spoilt as bytes of a connection: the real parser, guard, pages and presses, without a socket."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from uvicorn.server import ServerState

from display.app import create_app
from display.identity.access import Role
from display.identity.people import Person
from display.presses import SERVER
from display.push import Hub
from display.server.connection_limits import TimedConnection
from display.server.rates import Rate
from display.server.request_filter import RequestLimits
from display.server.serve import server_for
from table_core.messages import Key
from tests.display import fixtures
from tests.display.conftest import Recorded
from tests.mutated import mutations
from tests.mutated.mutations import Chance
from tests.mutated.room import TABLE, Room

PORT = 8080
HOST = f"127.0.0.1:{PORT}".encode()
_STATUS = re.compile(rb"^HTTP/1\.[01] (\d{3}) ", re.MULTILINE)
_IN_THREADS = (b" /static/", b" /picture/", b" /pin")
ORIGINS = (b"http://[", b"null", b"http://evil.test", b"\xff", b"x" * 9_000, b"http://127.0.0.1:8080", b"://", b"")
STAMPS = ("", "x", "00000000/1", "ffffffff/99999999999999999", "/", f"{SERVER}/1", f"{SERVER}/-1", f"{SERVER}/1e9")
PATHS = (
    "/%00",
    "/..%2f..%2fetc/passwd",
    "/é",
    "//",
    "/" + "a" * 70_000,
    "*",
    "http://[",
    "/table/%ff",
    "/\x7f",
    "?",
)


class Asked(NamedTuple):
    how: str
    topic: str  # the process
    payload: bytes
    retained: bool = False


class Form(NamedTuple):
    """A request as a page of ours makes it."""

    process: str
    method: str
    path: str
    body: bytes = b""
    who: str = ""  # whose cookie


class HttpDoor:
    name = "http"

    def __init__(self, heard: list[tuple[str, bytes]]) -> None:
        self._other = [payload for _, payload in heard]
        self.forms = list(every_form())
        self.statuses: dict[int, int] = {}
        self._loop = asyncio.new_event_loop()
        self._doors: Doors | None = None

    def close(self) -> None:
        self._loop.close()

    def doors(self, room: Room) -> Doors:
        if self._doors is None or self._doors.room is not room:
            self._doors = Doors(room)
        return self._doors

    def make(self, chance: Chance, room: Room) -> Asked:
        cookies = self.doors(room).cookies
        form = chance.choice(self.forms)
        how, cookie, stamp, body = (
            "",
            cookies.get((form.process, form.who), ""),
            f"{SERVER}/{room.now.ms + 20_000}",
            form.body,
        )
        dice = chance.random()
        if dice < 0.35 and body:
            how, body = mutations.spoilt(chance, body, chance.choice(self._other))
        elif dice < 0.5 and form.method == "POST":
            how, stamp = "stamp", chance.choice(STAMPS)
        elif dice < 0.6:
            how, cookie = "cookie", chance.choice(("", "x=y", "é", *cookies.values()))
        raw = request_of(form, cookie, stamp, body)
        if not how:
            how, raw = _spoilt_request(chance, raw, form)
        return Asked(how, form.process, raw)

    def give(self, room: Room, asked: Asked) -> tuple[bool, list[str]]:
        """Whether it may have changed nothing, and what is wrong with the answers: what is refused and what only
        reads changes nothing."""
        found = self._loop.run_until_complete(self.doors(room).ask(asked.topic, asked.payload))
        for status in found:
            self.statuses[status] = self.statuses.get(status, 0) + 1
        reads = asked.payload.startswith((b"GET ", b"HEAD ")) and b"token" not in asked.payload[:200]
        done = any(200 <= status < 400 for status in found)
        return reads or not done, [f"answered {status}" for status in found if status >= 500]


def request_of(form: Form, cookie: str, stamp: str, body: bytes, press: str = "") -> bytes:
    lines = [f"{form.method} {form.path} HTTP/1.1", f"host: {HOST.decode()}", f"cookie: {cookie}"]
    if form.method == "POST":
        id_ = press or f"{abs(hash((form, stamp, body))):016x}"
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
        lines += [f"press-id: {id_}", f"press-until: {stamp}"]
    return "\r\n".join([*lines, "", ""]).encode(errors="replace") + body


def _spoilt_request(chance: Chance, raw: bytes, form: Form) -> tuple[str, bytes]:
    dice = chance.random()
    head, _, body = raw.partition(b"\r\n\r\n")
    if dice < 0.4:
        mutation = chance.choice(mutations.ANY_BYTES)
        return f"request {mutation.__name__}", mutation(chance, raw, raw)
    if dice < 0.55:
        return "origin", head + b"\r\norigin: " + chance.choice(ORIGINS) + b"\r\n\r\n" + body
    if dice < 0.7:
        path = chance.choice((*PATHS, form.path + chance.choice(("/", "%", "?q=%ff", "?token=%00", "x" * 300))))
        return "path", raw.replace(form.path.encode(), path.encode(errors="replace"), 1)
    if dice < 0.8:
        method = chance.choice(
            (b"TRACE", b"PUT", b"DELETE", b"HEAD", b"OPTIONS", b"CONNECT", b"get", b"\x00", b"POST")
        )
        return "method", raw.replace(form.method.encode(), method, 1)
    if dice < 0.9:
        more = chance.choice(HEADERS)
        return "header", head + b"\r\n" + more + b"\r\n\r\n" + body
    lie = chance.choice((b"-1", b"1000000000000", b"0", b"3", b"x", b"1, 2", b"9" * 400))
    return "length", re.sub(rb"content-length: \d+", b"content-length: " + lie, raw)


HEADERS = (
    *(b"range: bytes=0-1,2-3", b"last-event-id: " + b"9" * 400, b"host: evil.test", b"transfer-encoding: chunked"),
    *(
        b"content-encoding: gzip",
        b"expect: 100-continue",
        b"upgrade: h2c",
        b"upgrade: websocket",
        b"x: " + b"a" * 70_000,
    ),
    *(b"cookie: a=b; =; ;;", b"accept: \xff", b"content-type: text/plain", b"sec-fetch-site: cross-site", b": x"),
    *(b"user-agent: " + "‮\u0301".encode() * 200, b"content-length: 5", b"press-id: x", b"if-modified-since: x"),
)

TOUCHES = [
    b'{"key":%d,"seat":%s,"amount":%s}' % (key, s, a)
    for key in Key
    for s, a in ((b"null", b"null"), (b"2", b"700"))
]
DIRECTOR = (
    *(
        b'{"command":"%s","arguments":{}}' % one
        for one in (b"pause", b"resume", b"next_level", b"nonsense", b"undo")
    ),
    *(
        b'{"command":"select_level","arguments":%s}' % one
        for one in (b'{"level":2}', b'{"entry":1}', b'{"entry":-1}')
    ),
    b'{"command":"set_seats","arguments":{"table":"01","seats":[{"seat":1,"stack":5},{"seat":2,"stack":9}],"button":1}}',
    b'{"command":"set_hand","arguments":{"table":"01","hand":{"hand":7,"button":1,"seats":[{"seat":1,"stack":9}]}}}',
    b'{"command":"rule","arguments":{"table":"01","incident":"string_bet","option":"call","seat":2,"ruler":"A","note":"n"}}',
    b'{"command":"take_back_ruling","arguments":{"table":"01","ruler":"Ann"}}',
    b'{"command":"preview_rewind","arguments":{"table":"01","seq":9}}',
    b'{"command":"rewind","arguments":{"table":"01","seq":9,"instead":{"type":"act","seat":2,"action":"fold"}}}',
    b'{"command":"ruling_facts","arguments":{"table":"01","seat":2}}',
    b'{"command":"take_picture","arguments":{"table":"01"}}',
    *(b'{"command":"%s_clip","arguments":{"table":"01"}}' % one for one in (b"open", b"close")),
    b'{"command":"ask_count","arguments":{"table":"01","seat":2}}',
    b'{"command":"hand_over","arguments":{"table":"01","ledger":"12","key":"ab"}}',
)
PEOPLE = (
    b'{"do":"add","name":"Eve","role":"floor"}',
    *(b'{"do":"%s","person":"kiosk"}' % one for one in (b"link", b"remove", b"forget_pin")),
    b'{"do":"end","session":"x"}',
    b'{"do":"pair","code":"1234","name":"W","role":"display"}',
)
GETS = (
    "/",
    "/now",
    "/press/0123456789abcdef",
    "/sign-in",
    "/sign-in?token=x",
    "/people",
    "/audit?q=x",
    "/audit.csv",
    "/pair",
)


def every_form() -> Iterator[Form]:
    pages = {
        "table": (
            "/table/01",
            "/sensed/01",
            "/picture/01",
            "/api/table/01",
            "/api/ruling/01",
            "/events?channel=table/01",
        ),
        "station": (
            "/station",
            "/clock",
            "/rules",
            "/table/01",
            "/api/room",
            "/api/rulings",
            "/events?channel=room",
        ),
        "relay": ("/air/01", "/api/overlay/01", "/events?channel=overlay/01&channel=x"),
        "clock": ("/clock", "/api/clock", "/events?channel=clock&channel=beat"),
        "landing": ("/", "/api/demo", "/events?channel=demo", "/static/shared/base.css", "/static/../x"),
    }
    for process, paths in pages.items():
        yield from (Form(process, "GET", path, who=who) for path in (*paths, *GETS) for who in ("", "td"))
    for who in ("dealer", "td", ""):
        yield from (Form("table", "POST", f"/table/{TABLE}/touch", body, who) for body in TOUCHES)
    for who in ("td", "floor", ""):
        yield from (Form("station", "POST", "/director", body, who) for body in DIRECTOR for _ in range(3))
    for process, who in (("table", "dealer"), ("table", "td"), ("station", "td"), ("station", "floor")):
        yield from (Form(process, "POST", "/people", body, who) for body in PEOPLE)
        for path in ("/pair", "/pair/done", "/sign-out"):
            yield Form(process, "POST", path, b"{}", who if path != "/sign-out" else "")
        yield Form(process, "POST", "/sign-in", b'{"token":"nonsense"}', who)
    yield Form("station", "POST", "/pin", b'{"pin":"1234"}', "floor")
    yield Form("landing", "POST", "/mischief", b'{"table":"01","kind":"skip_burn"}')


class Doors:
    """The pages of a room's processes, each behind its guard, and who is signed in there."""

    def __init__(self, room: Room) -> None:
        self.room = room
        hub = Hub()
        landing = create_app(
            hub=hub,
            pages={"landing"},
            venue="x",
            tables=fixtures.TABLES,
            actions=Recorded(),  # what it would do
        )
        apps = {"table": room.table, "station": room.station, "relay": room.relay, "clock": room.clock}
        self._configs = {name: _config(process._app()) for name, process in apps.items()}
        self._configs["landing"] = _config(landing)
        self.cookies: dict[tuple[str, str], str] = {}
        for name, role in (
            ("table", Role.DEALER),
            ("table", Role.TD),
            ("station", Role.TD),
            ("station", Role.FLOOR),
        ):
            signin = apps[name].signin  # type: ignore[attr-defined]
            person = Person(f"m-{role}", f"M {role}", role, TABLE if role is Role.DEALER else "")
            cookie = signin.begin(signin.known(person.id, person.name, role, person.table))
            self.cookies[name, role.name.lower()] = f"{signin.cookie}={cookie}"

    async def ask(self, process: str, raw: bytes) -> list[int]:
        return statuses_of(await self.answer(process, raw))

    async def answer(self, process: str, raw: bytes, in_threads: bool = False) -> bytes:
        """What the connection got back; `in_threads`: the request may be worked on in another thread."""
        state = ServerState()
        protocol = TimedConnection(self._configs[process], state, {})
        protocol.gone = lambda: None
        transport = _Transport(protocol)
        protocol.connection_made(transport)  # type: ignore[arg-type]
        if raw:  # a transport never hands over nothing
            protocol.data_received(raw)
        for _ in range(40):
            if not state.tasks:
                break
            await asyncio.sleep(0)
        if state.tasks and (in_threads or any(one in raw[:200] for one in _IN_THREADS)):
            await asyncio.wait(state.tasks, timeout=10)
        transport.close()
        if state.tasks:
            _, late = await asyncio.wait(state.tasks, timeout=30)
            if late:
                raise AssertionError("a request is worked on after its connection was closed")
        return transport.written


def statuses_of(written: bytes) -> list[int]:
    return [int(found) for found in _STATUS.findall(written)]


def _config(app: Starlette) -> uvicorn.Config:
    limits = RequestLimits(signing_in=Rate(per_s=1e6, burst=10**6))
    config = server_for(app, requests=limits).config
    config.log_level = "critical"
    config.load()
    return config


class _Transport(asyncio.Transport):
    """A connection from this machine whose answers are kept."""

    def __init__(self, protocol: TimedConnection) -> None:
        super().__init__()
        self._protocol = protocol
        self._closing = False
        self.written = b""

    def write(self, data: Any) -> None:
        if len(self.written) < 1_000_000:
            self.written += data

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("127.0.0.1", 50_000), "sockname": ("127.0.0.1", PORT)}.get(name, default)

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._protocol.connection_lost(None)

    abort = close

    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...
