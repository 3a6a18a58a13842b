"""Pages of a coverage whose node runs in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from threading import RLock

import httpx
from starlette.applications import Starlette

from display.actions import ActionRefused
from display.app import create_app
from display.coverage_page import DeskPress
from display.identity.signin import SignIn
from display.presses import TimedPress
from display.push import Hub
from feltwire.relay.coverage.coverage import CHANNEL, DESK_CHANNEL
from feltwire.relay.coverage.coverage_io import ShowCoverage
from table_core.coverage import CoverageView
from table_core.messages import encode_page
from tests.display.conftest import STAMPED
from tests.feltwire.relay.coverage.told import VENUE, CoverageRig


class Client:
    """Asks the pages without a network."""

    def __init__(self, pages: Pages) -> None:
        self._app = pages.app

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        return self._ask("GET", path, headers)

    def post(self, path: str, json: object) -> httpx.Response:
        return self._ask("POST", path, None, json)

    def _ask(
        self, method: str, path: str, headers: Mapping[str, str] | None, json: object = None
    ) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(
                event_hooks=STAMPED, transport=transport, base_url="http://127.0.0.1"
            ) as client:
                return await client.request(method, path, headers=headers, json=json)

        return asyncio.run(ask())


class Pages:
    """A `Covered`: what `rig` says goes to `hub`, and presses go to `rig`."""

    def __init__(self, rig: CoverageRig) -> None:
        self.rig = rig
        self.hub = Hub()
        self.signin = SignIn()
        self._lock = RLock()
        self._shown = 0
        self.app: Starlette = create_app(
            hub=self.hub,
            pages={"air"},
            venue=VENUE,
            tables=["01"],
            signin=self.signin,
            coverage=self,
        )
        self.show()

    @property
    def view(self) -> CoverageView:
        return self.rig.view

    async def press(self, press: DeskPress, by: str, timed: TimedPress) -> str:
        with self._lock:
            reply = self.rig.press(press.do, press.line, by, **press.text)
            self.show()
        if reply.refused:
            raise ActionRefused(reply.text)
        return reply.text

    def show(self) -> None:
        """Publish what the node has shown since."""
        for effect in self.rig.effects[self._shown :]:
            if isinstance(effect, ShowCoverage):
                if effect.view is not None:
                    self.hub.publish(CHANNEL, b'{"version":%d}' % effect.view.version)
                self.hub.publish(DESK_CHANNEL, encode_page(effect.desk))
        self._shown = len(self.rig.effects)
