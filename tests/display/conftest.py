"""A real server in a thread, so that tests speak to it as browsers do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.applications import Starlette

from display.serve import Server, bind, server_for
from table_core.messages import Chips, Key, Seat
from tests.ports import free_port

PATIENCE_S = 240.0  # how long a fact may take on a busy machine before the test gives up


class Recorded:
    """`Actions` that write down what they were asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    async def touch(
        self, table: str, key: Key, seat: Seat | None, amount: Chips | None, question: int | None, reason: str = ""
    ) -> None:
        self.calls.append((table, key, seat, amount, question))

    async def director(self, command: str, arguments: dict[str, Any]) -> str:
        self.calls.append((command, arguments))
        return f"{command}: done"

    async def mischief(self, table: str, kind: str) -> str:
        self.calls.append((table, kind))
        return f"{kind} at table {table}"


class Running:
    """An app being served at `url`, until `stop`."""

    def __init__(self, app: Starlette, port: int | None = None) -> None:
        listener = bind("127.0.0.1", port or free_port())
        self.port: int = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.hub = app.state.hub
        self._server: Server = server_for(app)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), f"the server did not stop within {PATIENCE_S:.0f} seconds"


@pytest.fixture
def actions() -> Recorded:
    return Recorded()


@pytest.fixture
def run_app() -> Iterator[Callable[..., Running]]:
    running: list[Running] = []

    def run(app: Starlette, port: int | None = None) -> Running:
        running.append(Running(app, port))
        return running[-1]

    yield run
    for server in running:
        server.stop()
