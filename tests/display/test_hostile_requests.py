"""Requests that no page of ours sends: each is answered in words, none with a fault of the server's."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable

import pytest

from display.app import PAGES, Picture, create_app
from display.identity.signin import SignIn
from display.push import Hub
from display.server.hosts import Hosts
from tests.display import fixtures
from tests.display.conftest import Recorded, Running
from tests.display.preview import PICTURE, publish_all
from tests.display.raw import ask, connect, get, post

Run = Callable[..., Running]
SIGNIN = SignIn()


@pytest.fixture
def room(run_app: Run, actions: Recorded) -> Running:
    hub = Hub()
    publish_all(hub)
    return run_app(
        create_app(
            hub=hub,
            pages=PAGES,
            venue=fixtures.VENUE,
            tables=fixtures.TABLES,
            actions=actions,
            signin=SIGNIN,
            picture=lambda table: Picture(1, PICTURE),
        )
    )


def signed_in(room: Running) -> str:
    """The header of a browser that the director's link signed in."""
    _, answer = get(room.port, SIGNIN.new_link())
    return "cookie: " + answer.partition(b"set-cookie: ")[2].partition(b";")[0].decode()


PRESS = b'{"key": 20}'
PAUSE = b'{"command": "pause", "arguments": {}}'

# ------------------------------------------------------------------------------------- the name


@pytest.mark.parametrize(
    "path", ["/", "/events?channel=demo", "/api/demo", "/static/shared/base.css", "/picture/01"]
)
def test_nothing_is_shown_under_a_name_of_somebody_else(room: Running, path: str) -> None:
    for host in ("evil.test", "evil.test:{port}", "127.0.0.1.evil.test", "0.0.0.0:{port}", "[", "é", "a b", "@"):
        status, answer = get(room.port, path, "accept: */*", host=host.format(port=room.port))
        assert status in (400, 421), host
        assert b"sign-in?token" not in answer


def test_nothing_is_pressed_under_a_name_of_somebody_else(room: Running, actions: Recorded) -> None:
    """DNS rebinding: to the browser, page and server are of one origin."""
    request = (
        f"POST /table/01/touch HTTP/1.1\r\nhost: evil.test:{room.port}\r\norigin: http://evil.test:{room.port}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(PRESS)}\r\nconnection: close\r\n\r\n"
    )
    status, answer = ask(room.port, request.encode() + PRESS)
    assert status == 421
    assert b"does not answer to the name" in answer
    assert b"hosts" in answer, "it says what to do where the name is the venue's own"
    assert actions.calls == []


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST", "localhost."])
def test_the_own_names_are_answered(room: Running, host: str) -> None:
    assert get(room.port, "/clock", host=host.format(port=room.port))[0] == 200


def test_a_request_without_a_name_is_refused(room: Running) -> None:
    assert ask(room.port, b"GET /clock HTTP/1.0\r\n\r\n")[0] == 421
    assert ask(room.port, b"GET /clock HTTP/1.1\r\n\r\n")[0] == 400


def test_a_venue_names_what_its_browsers_use() -> None:
    hosts = Hosts(["Station.Hall.lan", "203.0.113.9"], machine="pi-07.hall.lan")
    for name in (
        "station.hall.lan",
        "station.hall.lan:8081",
        "pi-07",
        "pi-07.local",
        "pi-07.hall.lan",
        "203.0.113.9",
    ):
        assert hosts.allow(name, "192.0.2.7"), name
    assert hosts.allow("192.0.2.7:8081", "192.0.2.7"), "the address that was called"
    assert hosts.allow("192.0.2.7", "::ffff:192.0.2.7")
    assert hosts.allow("[fd00::7]:8081", "fd00::7")
    assert hosts.allow("[fe80::7]", "fe80::7%eth0")
    for name in (
        "hall.lan",
        "192.0.2.8",
        "localhost",
        "localhost:8081",
        "evil-pi-07.local",
        "",
        "pi-07:8081:1",
        "a b",
    ):
        assert not hosts.allow(name, "192.0.2.7"), name


# -------------------------------------------------------------------------------- other sites' pages


@pytest.mark.parametrize(
    "origin",
    ["http://[", "http://", "null", "http://[::1", "://", "http://127.0.0.1:99999", "\xff", "http://evil"],
)
def test_a_press_with_an_origin_that_is_none_or_anothers_is_refused(
    room: Running, actions: Recorded, origin: str
) -> None:
    assert post(room.port, "/table/01/touch", PRESS, signed_in(room), f"origin: {origin}")[0] == 403
    assert actions.calls == []


def test_an_origin_of_this_host_by_another_scheme_or_port_is_anothers(room: Running, actions: Recorded) -> None:
    screen = signed_in(room)
    for origin in (f"https://127.0.0.1:{room.port}", f"http://127.0.0.1:{room.port + 1}"):
        assert post(room.port, "/table/01/touch", PRESS, screen, f"origin: {origin}")[0] == 403
    assert actions.calls == []
    assert post(room.port, "/table/01/touch", PRESS, screen, f"origin: http://127.0.0.1:{room.port}")[0] == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_a_browser_says_comes_from_elsewhere_gets_neither_data_nor_presses(
    room: Running, actions: Recorded, site: str
) -> None:
    screen = signed_in(room)
    for path in ("/api/demo", "/events?channel=demo", "/picture/01"):
        assert get(room.port, path, screen, f"sec-fetch-site: {site}")[0] == 403
    assert post(room.port, "/table/01/touch", PRESS, screen, f"sec-fetch-site: {site}")[0] == 403
    assert get(room.port, "/clock", f"sec-fetch-site: {site}")[0] == 200, "a link and a frame may open a page"
    assert actions.calls == []


# ------------------------------------------------------------------------------------ who is who


def test_a_header_does_not_say_who_is_connected(room: Running, actions: Recorded) -> None:
    """A proxy's header from anybody is not believed: neither to be somebody else nor to come over TLS."""
    screen = signed_in(room)
    assert post(room.port, "/table/01/touch", PRESS, screen, "x-forwarded-for: 203.0.113.9")[0] == 200
    https = (f"origin: https://127.0.0.1:{room.port}", "x-forwarded-proto: https")
    status, _ = post(room.port, "/table/01/touch", PRESS, screen, *https)
    assert status == 403
    assert len(actions.calls) == 1


# ---------------------------------------------------------------------------------- malformed

BODIES = {
    "bad UTF-8": b'{"key": 20, "reason": "\xff\xfe"}',
    "bad UTF-8 in a key": b'{"\xff": 20}',
    "lone surrogate": b'{"key": 20, "reason": "\\ud800"}',
    "nested": b"[" * 4000,
    "nested in arguments": b'{"command": "pause", "arguments": {"a": ' + b"[" * 1900 + b"]" * 1900 + b"}}",
    "huge number": b'{"key": ' + b"9" * 4000 + b"}",
    "NaN": b'{"key": NaN}',
    "null bytes": b"\0" * 100,
    "empty": b"",
    "too long": b'{"key": 20, "reason": "' + b"x" * 9000 + b'"}',
    "gzip": b"\x1f\x8b\x08\0\0\0\0\0",
}


@pytest.mark.parametrize("path", ["/table/01/touch", "/director", "/mischief"])
def test_a_body_that_is_no_press_is_refused_in_words(room: Running, actions: Recorded, path: str) -> None:
    cookie = signed_in(room)
    for what, body in BODIES.items():
        status, answer = post(room.port, path, body, cookie)
        assert status == 400, (what, answer)
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"], what
    assert actions.calls == []


TARGETS = [
    "/%",
    "/%zz",
    "/%ff%fe",
    "/%00",
    "/table/%00",
    "/table/%ff",
    "/table/..%2f..%2fetc",
    "/static/shared/%00",
    "/static/shared/%ff",
    "/static/shared",
    "/static/shared/",
    "/static/shared/.",
    "/static/shared//etc/passwd",
    "/static/shared/base.css/x",
    "/static/shared/" + "a" * 5000,
    "/static/shared/" + "a/" * 3000,
    "/static/shared/%5c%5c",
    "/picture/%00",
    "/api/%00",
    "/api/",
    "/api//",
    "/events",
    "/events?channel=%ff",
    "/events?channel=" + "x" * 9000,
    "/events?" + "&".join(["channel=x"] * 1500),
    "/events?" + "&" * 9000,
    "/sign-in",
    "/sign-in?token=%ff",
    "/sign-in?token=" + "t" * 9000,
    "//evil.test/",
    "///",
    "/?" + "q" * 9000,
    "http://evil.test/clock",
    "http://[",
    "*",
    "clock",
    "/clock#x",
    "/clock;x=y",
]


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "HEAD", "BREW"])
def test_no_target_and_no_method_is_a_fault_of_the_server(room: Running, method: str) -> None:
    for target in TARGETS:
        request = f"{method} {target} HTTP/1.1\r\nhost: 127.0.0.1:{room.port}\r\nconnection: close\r\n\r\n"
        status, answer = ask(room.port, request.encode())
        assert 200 <= status < 500, (target[:80], answer[:300])
        assert b"Traceback" not in answer


HEADERS = {
    "cookies": "cookie: " + "; ".join(f"c{n}=\xff" for n in range(900)),
    "cookie of ours": "cookie: feltwire-station=td.99999999999999999999.x.\xff; feltwire-station=...",
    "cookie of dots": "cookie: feltwire-station=" + "." * 2000,
    "quoted cookie": 'cookie: feltwire-station="\\377\\400\\"',
    "ranges": "range: bytes=" + ",".join("0-" for _ in range(3000)),
    "range": "range: bytes=-",
    "etag": "if-none-match: \xff" + ", " * 3000,
    "date": "if-modified-since: Fri, 99 Foo 99999999999999999999 99:99:99 GMT",
    "date 2": "if-modified-since: \xff",
    "if-range": "if-range: \xff\r\nrange: bytes=0-1",
    "upgrade": "connection: upgrade\r\nupgrade: websocket",
    "h2c": "connection: upgrade, http2-settings\r\nupgrade: h2c",
    "expect": "expect: 100-continue",
    "encodings": "accept-encoding: " + "gzip," * 2000,
    "content type": "content-type: \xff/\xff; boundary=\xff",
    "many": "\r\n".join(f"x-{n}: y" for n in range(900)),
    "forwarded": "x-forwarded-for: " + "1.2.3.4, " * 900,
}


@pytest.mark.parametrize(
    "path", ["/station", "/static/shared/base.css", "/picture/01", "/api/rulings", "/nowhere"]
)
def test_no_header_is_a_fault_of_the_server(room: Running, path: str) -> None:
    for what, header in HEADERS.items():
        status, answer = get(room.port, path, header)
        assert 100 <= status < 500, (what, answer[:300])


WIRES = {
    "not HTTP": b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + b"\0" * 400,
    "MQTT": b"\x10\x10\0\x04MQTT\x04\x02\0<\0\x04abcd",
    "noise": bytes(range(256)) * 8,
    "a header without end": b"GET / HTTP/1.1\r\nx: " + b"x" * 200_000,
    "headers without end": b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 20_000,
    "two lengths": b"POST /director HTTP/1.1\r\nhost: 127.0.0.1\r\n"
    b"content-length: 4\r\ncontent-length: 5\r\n\r\nabcd",
    "length and chunks": b"POST /director HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 4\r\n"
    b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "negative length": b"POST /director HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: -1\r\n\r\n",
    "a chunk of 2^80": b"POST /director HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n"
    b"fffffffffffffffffffff\r\nx",
    "two hosts": b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: evil.test\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "version": b"GET / HTTP/9.9\r\nhost: 127.0.0.1\r\n\r\n",
    "folded": b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: y\r\n\tz\r\n\r\n",
}


def test_what_is_no_request_leaves_the_server_as_it_was(room: Running) -> None:
    for what, wire in WIRES.items():
        assert ask(room.port, wire, end=True)[0] < 500, what
        assert get(room.port, "/clock")[0] == 200, what


def test_a_press_whose_connection_ends_before_its_body_is_neither_carried_out_nor_a_fault(
    room: Running, actions: Recorded, caplog: pytest.LogCaptureFixture
) -> None:
    request = (
        f"POST /table/01/touch HTTP/1.1\r\nhost: 127.0.0.1:{room.port}\r\ncontent-type: application/json\r\n"
        f"{signed_in(room)}\r\ncontent-length: 4000\r\n\r\n{{"
    )
    with connect(room.port) as wire:
        wire.sendall(request.encode())
        assert get(room.port, "/clock")[0] == 200, "the request has been taken in meanwhile"
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert get(room.port, "/clock")[0] == 200
    room.stop()
    assert actions.calls == []
    assert [record.message for record in caplog.records if record.exc_info] == []
