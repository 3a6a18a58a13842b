"""The room that is dealt in: a clock that is told to go on, devices that speak bytes, a felt, a camera, a screen.

Nothing sleeps. `pass_time` moves the clock and everything that falls due happens on the way, in order.
"""

from __future__ import annotations

import heapq
import itertools
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from feltwire.config import TableConfig
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from firmware_bridge import payloads
from firmware_bridge.debounce import Change, Debouncer
from firmware_bridge.decks import DeckRegistry, generate
from firmware_bridge.device import Device
from firmware_bridge.frames import CARD, KEY
from firmware_bridge.sim.kept import KeptReports
from table_core.messages import CardText, Key, OpenRuling, RulingView, SetSeats, TableView, encode
from tests.faults import wire
from tests.faults.camera import Eye

ROOT = Path(__file__).resolve().parents[2]
BEGAN_MS = 10_000
SETTLE_MS = 5  # of the keypad's contacts
FINGER_MS = 60  # from the key going down to its coming up
MENDED_MS = 2_000
STUCK = 400  # messages without the clock moving


class Room:
    """A table in a process of its own, and everything that stands on it. A context manager."""

    def __init__(self, folder: Path, config: TableConfig, eye: Eye, *, pictures: bool, seed: int) -> None:
        self.now = BEGAN_MS
        self.felt = PhysicalFelt()
        self.eye = eye
        self.presses = 0
        self._chance = random.Random(f"room/{seed}")
        decks = generate(seed, decks=2)
        self._registry = DeckRegistry.parse(decks)
        self._decks = self._registry.deck_names
        self._deck = 0
        self._screen = b""
        self.open_ruling: RulingView | None = None  # the incident that is open on the dealer screen
        self._view: TableView | None = None
        self._told_ms = 0
        self._later: list[tuple[int, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._commands = itertools.count(1)
        self._devices = {
            "keypad": Device(payloads.KEYPAD, "feltwire-keypad sim", self._boot(), 10_000, log=KeptReports()),
            "shoe": Device(payloads.SHOE, "feltwire-shoe sim", self._boot(), 10_000, log=KeptReports()),
        }
        self._plugged = {"keypad": False, "shoe": False}
        self._contacts = Debouncer(SETTLE_MS)
        folder.mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.table", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
        self._tell(wire.Opened(self.now, msgspec.json.encode(config), decks, pictures))
        for device in self._devices:
            self.plug(device)
        self.look()
        self.pass_time(2_000)

    def _boot(self) -> int:
        return self._chance.randrange(2**16, 2**32)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """The table's process ends when its input does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    # ------------------------------------------------------------------------------------------ time

    def pass_time(self, ms: int) -> None:
        """The clock goes on; devices, camera and whatever was put off do what falls due."""
        end = self.now + ms
        while (due := self._next_due()) is not None and due <= end:
            self.now = max(self.now, due)
            self._happen()
        self.now = end

    def later(self, ms: int, do: Callable[[], None]) -> None:
        """Have `do` happen when `ms` have passed."""
        heapq.heappush(self._later, (self.now + ms, next(self._order), do))

    def mend(self) -> None:
        """Let whatever was put off happen, and its traces with it."""
        if self._later:
            self.pass_time(max(at for at, _, _ in self._later) - self.now + MENDED_MS)

    def _next_due(self) -> int | None:
        times = [self._later[0][0]] if self._later else []
        camera = self.eye.due()
        times += [] if camera is None else [camera]
        for name, device in self._devices.items():
            wake = device.wake_at() if self._plugged[name] else None
            times += [] if wake is None else [wake]
        return min(times, default=None)

    def _happen(self) -> None:
        while self._later and self._later[0][0] <= self.now:
            heapq.heappop(self._later)[2]()
        while (said := self.eye.say(self.now)) is not None:
            self._tell(said)
        for name in self._devices:
            self._serve(name)

    # --------------------------------------------------------------------------------------- devices

    def press(self, key: Key, *, chatter_ms: int = 0) -> None:
        """A finger on a key. With `chatter_ms` its contact opens and closes again so long after."""
        self.presses += 1
        edges = [(0, 1), (FINGER_MS, 0)]
        if chatter_ms:
            edges = [(0, 1), (chatter_ms, 0), (2 * chatter_ms, 1), (2 * chatter_ms + FINGER_MS, 0)]
        began = self.now
        for at, level in edges:
            self.pass_time(began + at - self.now)
            changes = self._contacts.edge(int(key), level, self.now)
            self._report_keys(changes)
        self.pass_time(SETTLE_MS)
        self._report_keys(self._contacts.due(self.now))

    def _report_keys(self, changes: list[Change]) -> None:
        for change in changes:
            if change.level:
                self._devices["keypad"].report(KEY, payloads.key(change.pin, change.at_ms), self.now)
                self._serve("keypad")

    def next_deck(self) -> None:
        self._deck = 1 - self._deck

    def pass_shoe(self, card: CardText | None, *, other_deck: bool = False) -> None:
        """A card passes the shoe's reader; None: its tag does not answer."""
        deck = self._decks[1 - self._deck if other_deck else self._deck]
        uid = payloads.NO_TAG if card is None else self._registry.tag_of(deck, card).reveal()
        self._devices["shoe"].report(CARD, payloads.card(uid, self.now), self.now)
        self._serve("shoe")

    def is_plugged(self, device: str) -> bool:
        return self._plugged[device]

    def unplug(self, device: str) -> None:
        self._plugged[device] = False
        self._tell(wire.Cable(self.now, device, False))

    def plug(self, device: str) -> None:
        self._plugged[device] = True
        self._devices[device].greet()
        self._tell(wire.Cable(self.now, device, True))
        self._serve(device)

    def _serve(self, name: str) -> None:
        """Let a device write what is due; every answer may have it write more."""
        for _ in range(STUCK):
            data = self._devices[name].transmit(self.now) if self._plugged[name] else b""
            if not data:
                return
            self._tell(wire.Bytes(self.now, name, data))
        raise RuntimeError(f"the {name} never stops writing")

    # ---------------------------------------------------------------------------- felt, camera, screen

    def look(self) -> None:
        """The felt has changed."""
        self.eye.look(self.felt, self.now)

    def cover(self, covered: bool) -> None:
        """Somebody leans over the table, or sits back."""
        self.eye.cover(covered, self.felt, self.now)

    @property
    def view(self) -> TableView:
        """The dealer screen as it is now."""
        if self._told_ms < self.now:
            self._tell(wire.Time(self.now))
        if self._view is None:
            self._view = msgspec.json.decode(self._screen, type=TableView)
        return self._view

    def director_seats(self, command: SetSeats) -> None:
        """The director sets seats and stacks from the station."""
        named = msgspec.structs.replace(command, id=f"faults-{next(self._commands)}")
        self._tell(wire.Command(self.now, encode(named)))

    # -------------------------------------------------------------------------------------- the table

    def _tell(self, given: wire.AnyGiven) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        wire.send(self._process.stdin, given)  # type: ignore[arg-type]
        said = wire.receive_said(self._process.stdout)  # type: ignore[arg-type]
        self._told_ms = given.now
        if said.screen:
            self._screen, self._view = said.screen, None
        if said.ruling:
            self.open_ruling = msgspec.json.decode(said.ruling, type=OpenRuling).ruling
        self.eye.heard(said)
        for name, data in said.lines:
            if self._plugged[name]:
                self._devices[name].receive(data, self.now)
