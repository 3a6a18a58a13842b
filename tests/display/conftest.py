"""A real server in a thread, so that tests speak to it as browsers do."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, sync_playwright
from starlette.applications import Starlette

from display.actions import PinWanted, RulingsWanted, Touch
from display.identity.access import Role
from display.identity.people import Person
from display.identity.signin import SignIn, proven_effect
from display.presses import SERVER, TimedPress, now_ms
from display.server.serve import Server, bind, server_for
from feltwire.station.director.ruling_facts import RulingFacts
from table_core.messages import RulingChoices, encode
from tests import chromium
from tests.ports import free_port

# How long a fact may take on a busy machine before the test gives up.
PATIENCE_S = float(os.environ.get("FELTWIRE_PATIENCE_S", "240"))


FLOOR = Person("floor", "Fay", Role.FLOOR)


def cookie_of(signin: SignIn, role: Role, table: str = "", name: str = "") -> str:
    """The `Cookie` header of a browser that is signed in."""
    person = signin.keep(Person(f"{role}{table}{name}", name or f"The {role}", role, table))
    return f"{signin.cookie}={signin.begin(person)}"


def pressed(id_: str = "", *, within_ms: int = 30_000) -> dict[str, str]:
    """The headers of a press on a server in this process."""
    return {"press-id": id_ or secrets.token_hex(12), "press-until": f"{SERVER}/{now_ms() + within_ms}"}


async def stamped(request: httpx.Request) -> None:
    """A request hook of httpx: every press says its id and its time."""
    if request.method == "POST":
        request.headers.update(pressed() | dict(request.headers))


STAMPED = {"request": [stamped]}


class Recorded:
    """`Actions` that write down what they were asked to do; `facts` and `choices` are what they know before a
    ruling."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.facts = RulingFacts((), {})
        self.choices = RulingChoices(None, ())

    async def touch(self, table: str, touch: Touch, press: TimedPress) -> str:
        self.calls.append((table, touch.key, touch.seat, touch.amount, touch.question))
        return ""

    async def rulings(self, table: str, wanted: RulingsWanted, press: TimedPress) -> str:
        return encode(self.choices).decode()

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        if command == "ruling_facts":
            return encode(self.facts).decode()
        self.calls.append((command, arguments))
        return f"{command}: done"

    async def mischief(self, table: str, kind: str, press: TimedPress) -> str:
        self.calls.append((table, kind))
        return f"{kind} at table {table}"


class Asking(Recorded):
    """`Recorded` that want the PIN for some commands: `effects` has what each would do."""

    def __init__(self, effects: dict[str, str]) -> None:
        super().__init__()
        self._effects = effects

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        effect = self._effects.get(command)
        if effect is not None and proven_effect() not in (None, effect):
            raise PinWanted(f"{command}: {effect}.", effect)
        return await super().director(command, arguments, press)


class Running:
    """An app being served at `url`, until `stop`."""

    def __init__(self, app: Starlette, port: int | None = None, **limits: Any) -> None:
        listener = bind("127.0.0.1", port or free_port())
        self.port: int = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.hub = app.state.hub
        self._server: Server = server_for(app, **limits)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), f"the server did not stop within {PATIENCE_S:.0f} seconds"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all tests of a worker: its start costs as much as five pages. Between calls its event loop stays set
    in this thread (`tests/conftest.py`)."""
    assert chromium.PROGRAM, chromium.MISSING
    with sync_playwright() as playwright:
        loop = asyncio._get_running_loop()
        started = playwright.chromium.launch(
            executable_path=chromium.PROGRAM, args=chromium.QUIET, timeout=PATIENCE_S * 1000
        )
        yield started
        asyncio._set_running_loop(loop)  # the last test of the worker may need no browser
        started.close()


@pytest.fixture
def actions() -> Recorded:
    return Recorded()


@pytest.fixture
def run_app() -> Iterator[Callable[..., Running]]:
    running: list[Running] = []

    def run(app: Starlette, port: int | None = None, **limits: Any) -> Running:
        running.append(Running(app, port, **limits))
        return running[-1]

    yield run
    for server in running:
        server.stop()
