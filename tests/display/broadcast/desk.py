"""A relay with a producer's desk, behind its real web server; what its node would show is published here."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import BrowserContext, Page

from display.app import create_app
from display.identity.access import Role
from display.identity.people import Person
from display.identity.signin import SignIn
from feltwire.runtime.node_io import Show
from table_core.messages import GaugeTable, GaugeView, LongestHand, Verdict, WaitingHand, encode
from tests.display import fixtures
from tests.display.conftest import Running
from tests.feltwire.relay.test_programme import TABLES, Relay

GAUGE = GaugeView(
    Verdict.LITTLE,
    "0:20 to spare: a longer hand begins on air with backs.",
    card_s=1_800.0,
    air_s=2_400.0,
    floor_s=1_800.0,
    spare_s=20.0,
    proposed_s=2_520,
    longest=LongestHand("01", 17, 580),
    folded=True,
    broker=True,
    tables=(
        GaugeTable("01", 18, 9, 2, "", (WaitingHand(17, "waits for the card delay", 712),)),
        GaugeTable("02", 7, 8, 960, "Nothing was heard of it for 16 minutes: it is black on air."),
    ),
)


class Desk:
    """`url` of the relay's pages; `relay` is what stands behind them. It can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.relay = Relay(folder)
        self.signin = SignIn(name="relay")
        self._serve(None)

    def _serve(self, port: int | None) -> None:
        relay, pages = self.relay, {"air", "broadcast"}
        app = create_app(
            hub=relay.hub, pages=pages, venue="hall", tables=TABLES, signin=self.signin, desk=relay.desk
        )
        self._running = Running(app, port)
        self.url, self.port = self._running.url, self._running.port
        self.shows()

    def shows(self) -> None:
        """Both tables play; the desk has a gauge."""
        self.relay.overlays()
        for table in TABLES:
            view = replace(fixtures.overlay_view(), table=table, feed=table)
            self.relay.programme.show(Show(f"preview/{table}", encode(view)))
        self.relay.hub.publish("gauge", encode(GAUGE))

    def restart(self) -> None:
        """A new life of the relay, with the same disk and address."""
        self._running.stop()
        self.relay.start()
        self._serve(self.port)

    def producer(self, context: BrowserContext, name: str = "Ann") -> Page:
        """The desk in a browser that is signed in under this name."""
        person = Person(name, name, Role.PRODUCER)
        page = context.new_page()
        page.goto(self.url + self.signin.new_link(self.signin.keep(person)))
        page.locator("#elements button").first.wait_for()
        return page

    def stop(self) -> None:
        self._running.stop()


@contextmanager
def a_desk() -> Iterator[Desk]:
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        try:
            yield desk
        finally:
            desk.stop()
