"""`python -m tests.room.looked_at`: what the director's page says while a process stands still or dies.

Real processes: mosquitto, station and tables whose simulated dealers play, and one Chromium page of the director.
Station, a table and the broker are frozen (SIGSTOP, then SIGCONT) and killed (SIGKILL, started again) for
fourteen seconds each. Printed: what the page says after 1, 3 and 10 s, when there was an item of the queue, how
many seconds after the return all of it is right again, and how long a press then takes. Exit status 1 where the
page was not right within a minute, or a table's silence was no item within eleven seconds.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

from feltwire.lab.demo.room import HOST, RoomPlan, children, lay_out
from feltwire.runtime.children import Supervisor
from feltwire.table.recovery import destroy_keys
from tests import chromium
from tests.ports import free_base
from tests.room.open_room import mosquitto_child

AWAY_S = 14.0
LOOKS_S = (1.0, 3.0, 10.0)
LOOK_MS = 100
PATIENCE_S = 60.0
ITEM_S = 11.0  # a table is silent ten seconds after its last word, which may be a second old
TABLE = "01"
PROCESSES = {"station": "station", "table": f"table-{TABLE}", "broker": "mosquitto"}
SIGNALS = {"SIGSTOP": signal.SIGSTOP, "SIGKILL": signal.SIGKILL}

SEEN = """() => {
    const shown = (node) => node && node.checkVisibility() ? node.innerText.trim() : '';
    const all = (path) => [...document.querySelectorAll(path)];
    return {
        link: shown(document.querySelector('.lost')),
        old: all('#tables a.old').length,
        tiles: all('#tables a').length,
        heard: all('#tables .heard').map(shown).filter(Boolean),
        silent: all('#items .item').filter((node) => /silent|No table|broker/.test(node.innerText))
            .map((node) => `${node.querySelector('.fact').innerText} ${node.querySelector('.age').innerText}`),
        hands: all('#tables .foot span:first-child').map((node) => node.textContent),
    };
}"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands on the page: the line about the station, grey tiles, items about what is not heard."""

    link: str
    old: int
    tiles: int
    heard: tuple[str, ...]
    silent: tuple[str, ...]
    hands: tuple[str, ...]

    @property
    def right(self) -> bool:
        return not self.link and not self.old and not self.silent and self.tiles > 0

    def words(self) -> str:
        if self.link:
            return f"all grey: “{' '.join(self.link.split())}”"
        said = [f"{self.old} of {self.tiles} tiles grey ({self.heard[0]})"] if self.old and self.heard else []
        return "; ".join([*said, *(f"item “{item}”" for item in self.silent)]) or "as before"


class LookedAtRoom:
    """A room with mosquitto that plays, and a director's page of it."""

    def __init__(self, folder: Path, tables: int, back_s: float = AWAY_S) -> None:
        port = free_base()
        self.plan = RoomPlan(
            folder=folder,
            tables=tables,
            seed=14,
            speed=1,
            port=port,
            broker=f"mqtt://{HOST}:{port + 4}",
            cameras=frozenset(),
        )
        self.plan.check()
        lay_out(self.plan)
        specs = [mosquitto_child(self.plan), *children(self.plan, lambda _table, _line: None)]
        self.supervisor = Supervisor(
            [
                replace(spec, first_backoff_s=back_s, longest_backoff_s=back_s)
                for spec in specs
                if spec.name not in ("clock", "relay")
            ]
        )

    @contextmanager
    def open(self) -> Iterator[Page]:
        with self.supervisor, sync_playwright() as playwright:
            try:
                link = self.plan.folder / "data" / "td-link"
                _wait(lambda: link.exists() and link.read_text().strip(), "the station's link for the director")
                browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
                page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
                _wait(lambda: _goes(page, link.read_text().strip()), "the station's pages")
                page.goto(f"{self.plan.station_url}/station")
                _wait(lambda: all(hand != "No hand yet" for hand in look(page).hands), "a hand at every table")
                _wait(lambda: look(page).right, "the room as it is")
                yield page
            finally:
                destroy_keys(self.plan.folder / "data")

    @contextmanager
    def away(self, name: str, sig: signal.Signals) -> Iterator[Callable[[], None]]:
        """`name` is frozen or killed; the function given waits until it is back."""
        starts = self.supervisor.starts(name)
        self.supervisor.kill(name, sig=sig)

        def back() -> None:
            if sig is signal.SIGSTOP:
                self.supervisor.kill(name, sig=signal.SIGCONT)
            else:
                _wait(lambda: self.supervisor.starts(name) > starts, f"{name} started again")

        try:
            yield back
        finally:
            self.supervisor.kill(name, sig=signal.SIGCONT)


def look(page: Page) -> Seen:
    found = page.evaluate(SEEN)
    return Seen(**{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()})


@dataclass(slots=True)
class Struck:
    """What the page says at each look; when there was an item first; the seconds from the return until all is
    right, and then of a press."""

    said: list[str] = field(default_factory=list)
    item_s: float | None = None
    right_s: float = 0.0
    press_s: float = 0.0

    def row(self) -> str:
        item = "none" if self.item_s is None else f"{self.item_s:.1f}"
        return f"{' | '.join(self.said)} | {item} | {self.right_s:.1f} | {self.press_s:.1f}"


def strike(room: LookedAtRoom, page: Page, process: str, sig: signal.Signals) -> Struck:
    struck = Struck()
    with room.away(PROCESSES[process], sig) as back:
        began = time.monotonic()
        for look_s in (*LOOKS_S, AWAY_S):
            while (passed := time.monotonic() - began) < look_s:
                if struck.item_s is None and look(page).silent:
                    struck.item_s = passed
                page.wait_for_timeout(min(LOOK_MS, (look_s - passed) * 1000))
            if look_s < AWAY_S:
                struck.said.append(look(page).words())
        back()
        returned = time.monotonic()
        _wait(lambda: look(page).right, f"the page is right after {sig.name} of the {process}")
        struck.right_s = time.monotonic() - returned
    began = time.monotonic()
    page.locator("#toggle").click()
    page.locator("#said:not(:empty):not(.error)").wait_for()
    struck.press_s = time.monotonic() - began
    page.locator("#toggle").click()  # the clock runs again
    page.wait_for_timeout(3_000)
    return struck


def _goes(page: Page, url: str) -> bool:
    try:
        page.goto(url)
    except Error:  # it does not listen yet
        return False
    return True


def _wait(fact: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not fact():
        assert time.monotonic() < deadline, f"waited {PATIENCE_S:.0f} s in vain: {what}"
        time.sleep(0.05)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--only", choices=PROCESSES, nargs="+", default=list(PROCESSES))
    asked = parser.parse_args()
    print("| process | signal | after 1 s | 3 s | 10 s | item, s | right again, s | a press then, s |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="feltwire-looked-at-") as folder:
        room = LookedAtRoom(Path(folder), asked.tables)
        with room.open() as page:
            for process in asked.only:
                for name, sig in SIGNALS.items():
                    try:
                        struck = strike(room, page, process, sig)
                    except AssertionError as error:
                        wrong += 1
                        print(f"| {process} | {name} | {error}: {look(page).words()} |", flush=True)
                        continue
                    wrong += process == "table" and (struck.item_s is None or struck.item_s > ITEM_S)
                    print(f"| {process} | {name} | {struck.row()} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
