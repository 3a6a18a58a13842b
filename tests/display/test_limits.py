"""Too many connections, requests and streams, and peers that let the server wait.

127.0.0.1 is the own screen of the machine; the other addresses of 127.0.0.0/8 are people in the hall."""

from __future__ import annotations

import contextlib
import http.client
import logging
import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from display.app import create_app
from display.identity.access import Role
from display.identity.signin import SignIn
from display.push import Hub
from display.server import connection_limits
from display.server.connection_limits import ConnectionLimits
from display.server.rates import Rate, Rates, who_is
from display.server.request_filter import RequestLimits
from display.server.throttled_log import OncePerMinute
from tests.display import fixtures
from tests.display.conftest import PATIENCE_S, Running, cookie_of
from tests.display.preview import publish_all
from tests.display.raw import ask, connect, get, post

Run = Callable[..., Running]
STREAM = "/events?channel=clock"


@pytest.fixture
def hub() -> Hub:
    hub = Hub()
    publish_all(hub)
    return hub


@pytest.fixture
def serve(run_app: Run, hub: Hub) -> Run:
    def serve(**limits: object) -> Running:
        app = create_app(hub=hub, pages={"clock", "table"}, venue="hall", tables=fixtures.TABLES, signin=SignIn())
        return run_app(app, **limits)

    return serve


@contextlib.contextmanager
def crowd(port: int, count: int, *sources: str, saying: bytes = b"") -> Iterator[list[socket.socket]]:
    """`count` connections of each source that say `saying` and no more."""
    with contextlib.ExitStack() as held:
        wires = []
        for source in sources:
            for _ in range(count):
                wire = held.enter_context(contextlib.closing(connect(port, source)))
                with contextlib.suppress(ConnectionError):
                    wire.sendall(saying)
                wires.append(wire)
        yield wires


def ended(wire: socket.socket) -> bool:
    """Whether the server has ended it; waits for an end or a word."""
    try:
        return wire.recv(4096) == b""
    except ConnectionError:
        return True


def until_ended(wire: socket.socket) -> None:
    wire.settimeout(PATIENCE_S)
    while not ended(wire):
        pass


# ---------------------------------------------------------------------------------- connections


@pytest.mark.parametrize("saying", [b"", b"GET /clock HT", b"GET /clock HTTP/1.1\r\nhost: 127.0.0.1\r\n"])
def test_who_only_waits_makes_place_for_who_asks(serve: Run, saying: bytes) -> None:
    room = serve(
        connections=ConnectionLimits(total=24, per_address=8, own=4, staff=0, arrivals=Rate(1000.0, 1000))
    )
    flood = [f"127.0.0.{n}" for n in range(2, 8)]
    with crowd(room.port, 12, *flood, saying=saying):
        for source in ("127.0.0.1", "127.0.0.9", flood[0]):
            assert get(room.port, "/clock", source=source)[0] == 200, source


def test_the_own_screen_has_places_that_nobody_else_gets(serve: Run, hub: Hub) -> None:
    """Every place is taken by somebody at work: others wait, the table's own screen does not."""
    room = serve(
        connections=ConnectionLimits(total=12, per_address=4, own=4, staff=0, arrivals=Rate(1000.0, 1000)),
        requests=RequestLimits(own=0),
    )
    asking = f"GET {STREAM} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode()
    with crowd(room.port, 4, "127.0.0.2", "127.0.0.3", saying=asking) as wires:
        for wire in wires:
            assert wire.recv(4096).startswith(b"HTTP/1.1 200")
        assert get(room.port, "/clock", source="127.0.0.4")[0] == 0, "no place is left"
        assert get(room.port, "/clock")[0] == 200
        assert hub.subscribers == 8, "nobody at work was put out"


def test_an_address_gets_no_more_than_its_places(serve: Run) -> None:
    room = serve(connections=ConnectionLimits(total=100, per_address=4, own=4))
    with crowd(room.port, 40, "127.0.0.2") as wires:
        for wire in wires[:36]:
            until_ended(wire)
        assert get(room.port, "/clock", source="127.0.0.3")[0] == 200


def test_new_connections_of_an_address_are_counted_too(serve: Run) -> None:
    room = serve(connections=ConnectionLimits(arrivals=Rate(per_s=0.001, burst=3)))
    assert [get(room.port, "/clock", source="127.0.0.2")[0] for _ in range(4)] == [200, 200, 200, 0]
    assert get(room.port, "/clock", source="127.0.0.3")[0] == 200
    assert [get(room.port, "/clock")[0] for _ in range(4)] == [200] * 4, "the own screen is not counted"


@pytest.mark.parametrize(
    "saying",
    [
        b"",
        b"GET /clock HTTP/1.1\r\n",
        b"POST /director HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 400\r\n\r\n",
        b"GET /clock HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\nGET /clock HTTP/1.1\r\n",
    ],
    ids=["nothing", "half a head", "no body", "half a second request"],
)
def test_who_lets_the_server_wait_is_ended_however_it_drips(
    serve: Run, monkeypatch: pytest.MonkeyPatch, saying: bytes
) -> None:
    monkeypatch.setattr(connection_limits, "REQUEST_S", 0.4)
    room, over = serve(), threading.Event()
    with connect(room.port) as wire:
        wire.sendall(saying)

        def drip() -> None:
            with contextlib.suppress(OSError):
                while not over.wait(0.05):
                    wire.sendall(b"x")

        dripping = threading.Thread(target=drip)
        dripping.start()
        until_ended(wire)
        over.set()
        dripping.join()


def test_a_page_that_reads_nothing_is_let_go(serve: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "UNREAD_MS", 400)
    room = serve()
    with connect(room.port) as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wire.sendall(f"GET {STREAM} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
        wire.recv(1)
        assert hub.subscribers == 1
        wait, deadline = threading.Event(), PATIENCE_S
        while hub.subscribers and deadline > 0:
            hub.publish("clock", b'"' + b"x" * 200_000 + b'"')
            wait.wait(0.05)
            deadline -= 0.05
        assert hub.subscribers == 0


# ------------------------------------------------------------------------- who is signed in, in a flood

ONE_HALL = "127.0.0.2"  # staff, players and whoever floods, behind one address
NO_MORE = Rate(per_s=0.001, burst=8)


def answered(wire: socket.socket, cookie: str = "", path: str = "/clock") -> int:
    """The status of a request on an open connection; 0 where it has ended."""
    lines = [f"GET {path} HTTP/1.1", "host: 127.0.0.1", *([f"cookie: {cookie}"] if cookie else []), "", ""]
    try:
        wire.sendall("\r\n".join(lines).encode())
        answer = http.client.HTTPResponse(wire)
        answer.begin()
        answer.read()
        return answer.status
    except (ConnectionError, http.client.HTTPException):
        return 0


@pytest.fixture
def hall(run_app: Run, hub: Hub) -> Callable[..., tuple[Running, str]]:
    """A running process and the cookie of a floor person."""

    def run(**limits: object) -> tuple[Running, str]:
        signin = SignIn()
        app = create_app(hub=hub, pages={"clock", "table"}, venue="hall", tables=fixtures.TABLES, signin=signin)
        return run_app(app, **limits), cookie_of(signin, Role.FLOOR)

    return run


def test_who_is_signed_in_arrives_where_strangers_of_the_address_may_not(
    hall: Callable[..., tuple[Running, str]],
) -> None:
    room, cookie = hall(connections=ConnectionLimits(arrivals=NO_MORE))
    for _ in range(NO_MORE.burst):
        assert get(room.port, "/clock", source=ONE_HALL)[0] == 200
    assert get(room.port, "/clock", source=ONE_HALL)[0] == 0
    assert get(room.port, "/clock", "cookie: feltwire-station=forged", source=ONE_HALL)[0] == 0
    assert get(room.port, "/clock", f"cookie: {cookie}", source=ONE_HALL)[0] == 200


def test_who_is_signed_in_gets_past_more_strangers_than_wait_at_the_door(
    hall: Callable[..., tuple[Running, str]],
) -> None:
    room, cookie = hall(connections=ConnectionLimits(arrivals=NO_MORE))
    with crowd(room.port, 3 * connection_limits.AT_THE_DOOR, ONE_HALL, saying=b"GET /clock HTTP/1.1\r\n"):
        for _ in range(40):
            assert get(room.port, "/clock", f"cookie: {cookie}", source=ONE_HALL)[0] == 200


def test_streams_of_strangers_leave_places_for_who_is_signed_in(hall: Callable[..., tuple[Running, str]]) -> None:
    """Every place of strangers is at work; who is signed in reads and presses all the same, and is not put out."""
    most = ConnectionLimits(total=24, per_address=24, own=4, staff=6, arrivals=Rate(1000.0, 1000))
    room, cookie = hall(connections=most, requests=RequestLimits(own=0))
    asking = f"GET {STREAM} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode()
    with crowd(room.port, 14, ONE_HALL, saying=asking) as wires:
        for wire in wires:
            assert wire.recv(4096).startswith(b"HTTP/1.1 200")
        assert get(room.port, "/clock", source=ONE_HALL)[0] == 0, "no place for strangers is left"
        with contextlib.closing(connect(room.port, ONE_HALL)) as staff:
            assert answered(staff, cookie) == 200
            with crowd(room.port, 30, ONE_HALL, "127.0.0.3"):
                assert answered(staff, cookie) == 200, "nobody who is signed in makes place for strangers"
                assert get(room.port, "/clock", f"cookie: {cookie}", source=ONE_HALL)[0] == 200


def test_requests_of_who_is_signed_in_are_counted_apart_from_those_of_the_address(
    hall: Callable[..., tuple[Running, str]],
) -> None:
    room, cookie = hall(requests=RequestLimits(Rate(0.001, 3), Rate(0.001, 2), Rate(0.001, 1)))
    assert [get(room.port, "/clock", source=ONE_HALL)[0] for _ in range(4)] == [200, 200, 200, 429]
    mine = [get(room.port, "/clock", f"cookie: {cookie}", source=ONE_HALL)[0] for _ in range(4)]
    assert mine == [200, 200, 200, 429], "a session has a limit, too"


def test_an_answer_that_nobody_reads_makes_place(
    hall: Callable[..., tuple[Running, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow reader holds no place for long: it is neither idle nor a stream."""
    most = ConnectionLimits(total=12, per_address=4, own=2, staff=0, arrivals=Rate(1000.0, 1000))
    room, _ = hall(connections=most, requests=RequestLimits(reads=Rate(1e6, 10**6)))
    slow = b"GET /static/dealer/dealer.css HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
    with contextlib.ExitStack() as held:
        for _ in range(4):
            wire = held.enter_context(contextlib.closing(socket.socket()))
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            wire.bind((ONE_HALL, 0))
            wire.connect(("127.0.0.1", room.port))
            wire.sendall(slow * 400)
            assert wire.recv(1)
        assert get(room.port, "/clock", source=ONE_HALL)[0] == 0, "they may read still"
        monkeypatch.setattr(connection_limits, "ANSWER_READ_S", 0.0)
        assert get(room.port, "/clock", source=ONE_HALL)[0] == 200


def test_connections_stay_below_what_the_brokers_client_can_wait_for() -> None:
    limits = connection_limits.OF_PHONES.within_descriptors()
    assert limits.total <= 1_024 - 224
    assert limits.own + limits.staff < limits.total


# ------------------------------------------------------------------------------------- streams


def test_streams_of_an_address_are_counted_and_its_presses_get_through(serve: Run, hub: Hub) -> None:
    room = serve(requests=RequestLimits(streams=8, streams_per_address=3, own=2))
    asking = f"GET {STREAM} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode()
    with crowd(room.port, 3, "127.0.0.2", "127.0.0.3", saying=asking) as wires:
        for wire in wires:
            assert wire.recv(4096).startswith(b"HTTP/1.1 200")
        status, answer = get(room.port, STREAM, source="127.0.0.2")
        assert status == 429
        assert b"this address has 3 streams open" in answer
        assert get(room.port, STREAM, source="127.0.0.4")[0] == 429, "the last two are kept for the own screen"
        assert get(room.port, "/clock", source="127.0.0.2")[0] == 200
        with crowd(room.port, 2, "127.0.0.1", saying=asking) as own:
            for wire in own:
                assert wire.recv(4096).startswith(b"HTTP/1.1 200")
    while hub.subscribers:  # the pages were closed
        threading.Event().wait(0.01)
    with crowd(room.port, 3, "127.0.0.2", saying=asking) as wires:
        assert all(wire.recv(4096).startswith(b"HTTP/1.1 200") for wire in wires)


def test_a_program_on_the_machine_takes_no_stream_of_its_signed_in_screen(run_app: Run, hub: Hub) -> None:
    signin = SignIn()
    app = create_app(hub=hub, pages={"clock", "table"}, venue="hall", tables=fixtures.TABLES, signin=signin)
    room = run_app(app, requests=RequestLimits(streams=4, streams_per_address=3, own=2))
    asking = f"GET {STREAM} HTTP/1.1\r\nhost: 127.0.0.1\r\n".encode()
    cookie = f"cookie: {cookie_of(signin, Role.DEALER, '01')}\r\n\r\n".encode()
    with crowd(room.port, 3, "127.0.0.1", saying=asking + b"\r\n") as wires:
        assert all(wire.recv(4096).startswith(b"HTTP/1.1 200") for wire in wires)
        assert get(room.port, STREAM)[0] == 429
        assert get(room.port, STREAM, f"cookie: {signin.cookie}=forged")[0] == 429
        with crowd(room.port, 3, "127.0.0.1", saying=asking + cookie) as own:
            assert all(wire.recv(4096).startswith(b"HTTP/1.1 200") for wire in own)
            fourth = asking + b"connection: close\r\n" + cookie
            assert ask(room.port, fourth)[0] == 429, "a session has a limit, too"


# -------------------------------------------------------------------------------------- requests


def test_who_asks_too_often_is_told_how_long_to_wait(serve: Run) -> None:
    room = serve(requests=RequestLimits(Rate(0.001, 3), Rate(0.001, 2), Rate(0.001, 1)))
    hall = "127.0.0.2"
    assert [get(room.port, "/clock", source=hall)[0] for _ in range(4)] == [200, 200, 200, 429]
    assert [post(room.port, "/director", b"{}", source=hall)[0] for _ in range(3)][2] == 429
    status, answer = get(room.port, "/sign-in?token=guess", source=hall)
    assert status == 403
    status, answer = get(room.port, "/sign-in?token=guess", source=hall)
    assert status == 429
    assert b"retry-after: 1000" in answer
    assert b"too many tries to sign in from this address; wait 1000 s" in answer
    assert [get(room.port, "/clock")[0] for _ in range(5)] == [200] * 5, "the own screen is not counted"
    assert get(room.port, "/sign-in?token=guess")[0] == 403
    assert get(room.port, "/sign-in?token=guess")[0] == 429, "but for tries to sign in"


def test_tokens_come_back_with_time_and_addresses_are_forgotten() -> None:
    rates = Rates(Rate(per_s=2.0, burst=2))
    assert [rates.grant("a", 0.0) for _ in range(3)] == [True, True, False]
    assert rates.grant("a", 0.5)
    assert not rates.grant("a", 0.6)
    assert [rates.grant("a", 9.0) for _ in range(3)] == [True, True, False]
    for number in range(10_000):
        rates.grant(str(number), 9.0)
    assert rates.remembered <= 4096


def test_one_machine_is_one_address_whatever_it_calls_itself() -> None:
    assert who_is("fd00::1") == who_is("fd00::ffff:1") != who_is("fd00:0:0:1::1")
    assert who_is("::ffff:192.0.2.7") == who_is("192.0.2.7") != who_is("192.0.2.8")


# ------------------------------------------------------------------------------------------ the log


def test_a_line_that_anybody_can_provoke_is_written_once_a_minute_with_how_often() -> None:
    now = 0.0
    quiet = OncePerMinute(lambda: now)

    def lines(count: int, text: str, *values: object) -> list[str]:
        made = [logging.LogRecord("x", logging.WARNING, "", 0, text, values, None) for _ in range(count)]
        return [record.getMessage() for record in made if quiet.filter(record)]

    assert lines(1000, "%s connections", 7) == ["7 connections"]
    assert lines(1000, "another") == ["another"]
    now = 61.0
    assert lines(1000, "%s connections", 8) == ["8 connections (999 more like this since the last such line)"]
