"""The demo for people: the landing page with the live room, and the mischief panel."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from display.actions import ActionRefused, Mischief, RulingsWanted, Touch
from display.app import create_app
from display.presses import TimedPress
from display.push import Hub
from feltwire.config import Web
from feltwire.lab.demo.headless import running
from feltwire.lab.demo.passes import passes_route
from feltwire.lab.demo.room import BROKER_BACK_S, DEMO_DIRECTOR, HOST, VENUE, RoomPlan
from feltwire.lab.demo.truth import Truth
from feltwire.lab.demo.watch import PageWatcher
from feltwire.lab.simroom.dealer.mischief import WORDS
from feltwire.lab.simroom.reports import Order
from feltwire.runtime.children import Supervisor
from feltwire.runtime.pages.faults import PageFaults
from feltwire.runtime.pages.web import listen, serve_until
from feltwire.runtime.views import Part, Views
from table_core.messages import Frozen, Millis, TableView, decode
from table_core.rulebook import load_rulebook

log = logging.getLogger(__name__)

REFRESH_S = 0.5


class DemoState(Frozen, frozen=True):
    """What the landing page draws, channel `demo`."""

    rulebook: str
    tables: tuple[str, ...]
    hands: int
    counters: dict[str, int]
    urls: dict[str, str]
    td_link: str = ""
    producer_link: str = ""
    passes: bool = True  # `POST /passes` gives cookies for the tables' screens


class Numbers(NamedTuple):
    """What a room has done so far."""

    hands: int
    counters: dict[str, int]


def serve_landing(plan: RoomPlan) -> None:
    """Start the room and serve the landing page until Ctrl-C."""
    web = Web(HOST, plan.port)
    listener = listen(web)
    truth = Truth(VENUE, plan.table_ids, plan.broker_of(DEMO_DIRECTOR))
    with running(plan, truth) as (supervisor, _):

        def numbers() -> Numbers:
            misread, unread = truth.total("misread"), truth.total("unread")
            return Numbers(truth.hands, {"Cards misread": misread, "Cards never read": unread})

        def mischief(table: str, kind: Mischief, until: Millis) -> bool:
            order = msgspec.json.encode(Order(mischief=kind, until=until))
            return supervisor.tell(f"simroom-{table}", order)

        serve_page(plan, web, listener, supervisor, numbers, mischief)


def serve_page(
    plan: RoomPlan,
    web: Web,
    listener: socket.socket,
    supervisor: Supervisor,
    numbers: Callable[[], Numbers],
    mischief: Callable[[str, Mischief, Millis], bool],
) -> None:
    """The landing page of a room that is open, until Ctrl-C. `mischief(table, kind, until)` asks a dealer for it;
    False where nobody is there."""
    hub = Hub()
    views = Views()
    landing = _Landing(plan, supervisor, numbers, hub, views)
    landing.start()
    app = create_app(
        hub=hub,
        pages={"landing"},
        venue=VENUE,
        tables=plan.table_ids,
        actions=_Panel(plan, supervisor, mischief),
        extra_routes=[passes_route(plan)],
        faults=PageFaults(views),
    )
    print(f"The room opens at http://{HOST}:{plan.port}/ (seed {plan.seed}). Ctrl-C closes it.", flush=True)
    print(f"Logs: {plan.folder / 'log'}", flush=True)
    try:
        serve_until(app, listener, threading.Event(), web)
    finally:
        landing.stop()


class _Landing:
    """Keeps the landing page's snapshots fresh: the room's numbers, and what the first table noticed."""

    def __init__(
        self, plan: RoomPlan, supervisor: Supervisor, numbers: Callable[[], Numbers], hub: Hub, views: Views
    ) -> None:
        self._views = views
        self._plan = plan
        self._supervisor = supervisor
        self._numbers = numbers
        self._hub = hub
        self._events: dict[str, int] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="landing", daemon=True)
        self._tables = [
            PageWatcher(plan.table_url(table), [f"table/{table}"], self._snapshot) for table in plan.table_ids
        ]

    def start(self) -> None:
        self._publish()
        for watcher in self._tables:
            watcher.start()
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        for watcher in self._tables:
            watcher.stop()

    def _run(self) -> None:
        while not self._stopping.wait(REFRESH_S):
            self._publish()

    def _snapshot(self, channel: str, data: bytes) -> None:
        view = decode(data, TableView)
        self._hub.publish(channel, data, event_id=f"{view.epoch}.{view.as_of}")
        self._events[channel] = view.as_of

    def _publish(self) -> None:
        self._hub.publish("demo", self._views.snapshot(Part("The numbers of the room"), self._made))

    def _made(self) -> bytes:
        numbers = self._numbers()
        state = DemoState(
            rulebook=f"{self._plan.rulebook}: {load_rulebook(self._plan.rulebook).name}",
            tables=self._plan.table_ids,
            hands=numbers.hands,
            counters=self._counters(numbers),
            urls=self._urls(),
            td_link=self._link("td-link"),
            producer_link=self._link("producer-link"),
        )
        return msgspec.json.encode(state)

    def _counters(self, numbers: Numbers) -> dict[str, int]:
        broker_restarts = 0 if self._plan.broker else max(0, self._supervisor.starts("broker") - 1)
        return {"Events": sum(self._events.values()), **numbers.counters, "Broker restarts": broker_restarts}

    def _urls(self) -> dict[str, str]:
        """Every page, as a browser on this machine reaches it."""
        plan, first = self._plan, self._plan.table_ids[0]
        ports = plan.ports
        urls = {
            "table": f"{plan.table_url(first)}/table/{first}",
            "clock": f"http://{HOST}:{ports.clock}/clock",
            "station": f"{plan.station_url}/station",
            "overlay": f"http://{HOST}:{ports.relay}/air/{first}",
            "sensed": f"{plan.table_url(first)}/sensed/{first}",
        }
        if plan.tournament:
            urls["tournament"] = f"{plan.station_url}/station/players"
        return urls

    def _link(self, name: str) -> str:
        """A one-time link of the station or the relay; empty until the process has made one."""
        path = Path(self._plan.folder) / "data" / name
        try:
            return path.read_text().strip()
        except FileNotFoundError:
            return ""


class _Panel:
    """Mischief goes to the dealers, and to the supervisor for the broker."""

    def __init__(
        self, plan: RoomPlan, supervisor: Supervisor, ask: Callable[[str, Mischief, Millis], bool]
    ) -> None:
        self._plan = plan
        self._supervisor = supervisor
        self._ask = ask

    async def touch(self, table: str, touch: Touch, press: TimedPress) -> str:
        raise ActionRefused("touch the table's own screen")

    async def rulings(self, table: str, wanted: RulingsWanted, press: TimedPress) -> str:
        raise ActionRefused("touch the table's own screen")

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        raise ActionRefused("the director's commands are given at the station")

    async def mischief(self, table: str, kind: str, press: TimedPress) -> str:
        wanted = Mischief(kind)
        if wanted is Mischief.KILL_BROKER:
            return self._kill_broker()
        if not self._ask(table, wanted, press.until):
            raise ActionRefused(f"the simulated table {table} is starting; try again in a moment")
        return f"Table {table}: {WORDS[wanted]}."

    def _kill_broker(self) -> str:
        if self._plan.broker:
            raise ActionRefused("this broker is not the demo's; kill it yourself")
        if not self._supervisor.kill("broker"):
            raise ActionRefused("the broker is down already and comes back in a moment")
        return (
            f"The broker is killed (kill -9). It comes back in {BROKER_BACK_S:.0f} s; the tables go on without it."
        )
