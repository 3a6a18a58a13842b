"""A deck passes the table's shoe, and its camera where it names the cards: what they say, in one queue."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from feltwire.config import TableConfig
from feltwire.errors import UsageError
from feltwire.table.devices.keypad_and_shoe import settings_of
from firmware_bridge.drivers import registry
from firmware_bridge.drivers.interface import DriverError
from firmware_bridge.reports import Report
from supervised.thread import SupervisedThread
from table_core.messages import CardText, DeviceState

if TYPE_CHECKING:
    from feltwire.tools.deck.camera import NamingCamera

QUIET_S = 1.0  # what a shoe still had to tell of before has come by then


class Passed(NamedTuple):
    """The shoe reports; it goes on once `boot` and `seq` are acknowledged."""

    boot: int
    seq: int
    report: Report


class Shown(NamedTuple):
    """What the camera reads where the deck is laid down."""

    cards: tuple[CardText, ...]
    unread: int


class Ended(NamedTuple):
    """Whoever holds the deck has pressed Enter."""


class Trouble(NamedTuple):
    """A device does not work, and why."""

    words: str


Happened = Passed | Shown | Ended | Trouble


class Passing:
    """`happenings()` gives what happens until the block ends. Raise `UsageError` for a table without a shoe, or
    whose shoe or camera cannot be opened."""

    def __init__(self, config: TableConfig, *, camera: bool) -> None:
        if not config.shoe.port:
            raise UsageError("this table has no shoe: its configuration has no [shoe] with a port")
        self._happened: queue.SimpleQueue[Happened] = queue.SimpleQueue()
        self._is_up = threading.Event()
        self.trouble = ""
        self._newest = (0, 0)  # boot and number of the report that came last,
        self._kept = (0, 0)  # and of the last one that was kept
        try:
            self._shoe = registry.shoe(config.shoe.driver)(settings_of("shoe", config.shoe), self)
        except DriverError as error:
            raise UsageError(str(error)) from error
        self._camera = _camera(config, self._happened) if camera else None

    def __enter__(self) -> Self:
        self._shoe.start()
        if self._camera is not None:
            self._camera.start()
        SupervisedThread(self._listen_to_enter, "enter").start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._shoe.stop()
        if self._camera is not None:
            self._camera.stop()

    def wait_until_quiet(self, longest_s: float) -> Shown:
        """Wait for the shoe, and pass over what it had still to tell of before. What the camera sees lie there
        already. Raise `UsageError` where the shoe does not come."""
        if not self._is_up.wait(longest_s):
            raise UsageError(f"the shoe does not answer: {self.trouble or 'nothing comes'}")
        lies = Shown((), 0)
        for happened in self.happenings(QUIET_S):
            if isinstance(happened, Passed):
                self.acknowledge(happened)
            elif isinstance(happened, Shown):
                lies = happened
        return lies

    def happenings(self, idle_s: float) -> Iterator[Happened]:
        """One after the other; it ends when nothing happens for so long."""
        while True:
            try:
                yield self._happened.get(timeout=idle_s)
            except queue.Empty:
                return

    def acknowledge(self, passed: Passed) -> None:
        """What it told is kept."""
        self._kept = passed.boot, passed.seq
        self._shoe.acknowledge(passed.boot, passed.seq)

    # --------------------------------------------------------- what the shoe's driver says (a `Listener`)

    def report(self, boot: int, seq: int, report: Report) -> None:
        """A report that comes again is the same card, not another one."""
        if (boot, seq) != self._newest:
            self._newest = boot, seq
            self._happened.put(Passed(boot, seq, report))
        elif self._newest == self._kept:
            self._shoe.acknowledge(boot, seq)

    def state(self, state: DeviceState, detail: str) -> None:
        self.trouble = "" if state is DeviceState.OK else detail
        if state is DeviceState.OK:
            self._is_up.set()
        elif detail and self._is_up.is_set():
            self._happened.put(Trouble(f"the shoe: {detail}"))

    def bytes(self, text: str) -> None:
        """Nobody looks at them here."""

    def lost(self, count: int) -> None:
        self._happened.put(Trouble(f"the shoe lost {count} messages: begin again"))

    def _listen_to_enter(self) -> None:
        for _ in sys.stdin:
            self._happened.put(Ended())


def _camera(config: TableConfig, happened: queue.SimpleQueue[Happened]) -> NamingCamera:
    # Loaded here: networks and picture libraries take as long to load as all the rest.
    from feltwire.tools.deck.camera import NamingCamera

    def shown(cards: tuple[CardText, ...], unread: int) -> None:
        happened.put(Shown(cards, unread))

    def trouble(words: str) -> None:
        happened.put(Trouble(f"the camera: {words}"))

    return NamingCamera(config, shown, trouble)
