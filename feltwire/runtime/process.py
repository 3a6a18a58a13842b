"""The base of every long-running process of a room: one node on a thread, the bus, the pages, a configuration.

A process opens its resources in its constructor, so a fault that a person can fix (a port in use, a ledger that
cannot be opened) is reported before anything runs, and what was opened is closed again. `main` is its whole life:
`start`, `serve` until it is told to end, `stop`.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import signal
import socket
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from platform import python_version
from typing import Any, Protocol, TypeVar

from starlette.applications import Starlette

from display.look import Look
from display.push import Hub
from feltwire.config import Broker, Web
from feltwire.errors import UsageError
from feltwire.private_files import keep_files_private
from feltwire.runtime.backup_status import OwnBackups
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus_port import BusPort, Will
from feltwire.runtime.broker.connection import Address
from feltwire.runtime.certificates.trust import Trust
from feltwire.runtime.disk import Disk
from feltwire.runtime.host import Host
from feltwire.runtime.log_lines import LOGS, log_to_stderr
from feltwire.runtime.node import Driver, Node
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Quarantined, Say, Show
from feltwire.runtime.notify import Supervisor
from feltwire.runtime.pages.figures import Figure, exposition, of_backups
from feltwire.runtime.pages.lan import lan_address
from feltwire.runtime.pages.operation import Health, operation_routes, token_of
from feltwire.runtime.pages.web import listen, serve_until
from feltwire.runtime.parts import Parts
from feltwire.runtime.quarantine import Quarantine
from feltwire.runtime.room_version import RoomVersion
from feltwire.runtime.sent_release import SentRelease
from feltwire.runtime.starts import Starts
from feltwire.runtime.throttled_log import ThrottledLog
from feltwire.runtime.views import Views
from feltwire.version import in_words, program_version
from supervised.thread import SupervisedThread, tell_of_others
from table_core.messages import Frozen, Malformed, Program, RoomLook, UpgradeOrder, decode, decode_any, encode

log = logging.getLogger(__name__)


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)
T = TypeVar("T", bound=Frozen)
HANGS_S = 15.0  # the node's thread beats each second


class Process(ABC):
    """Adapters around one node. A subclass opens what it needs within `self._opening()`, calls `_drive` and
    `_connect`, says in `_app` which pages it serves and carries out effects in `_perform`."""

    driver: Driver
    bus: BusPort
    listener: socket.socket
    _web: Web

    def __init__(self, host: Host | None = None) -> None:
        self.host = host or Host()
        self.hub = Hub()
        self.look = Look(self.hub)
        self.views = Views()
        self._throttled = ThrottledLog(logging.getLogger(type(self).__module__))
        self._opened = ExitStack()
        self.parts = Parts()
        self.starts = Starts(None)
        self.recording: Disk | None = None  # the disk under its records
        self._folder: Path | None = None  # of its records
        self._losses = 0  # of the broker
        self._beat_at = time.monotonic()
        self._room_version = RoomVersion()
        self._room_version.obey()
        self._sent: SentRelease | None = None  # on its way to this machine
        self._said = ""  # of it
        self._backups: OwnBackups | None = None

    # ------------------------------------------------------------------------------------ making

    @contextmanager
    def _opening(self) -> Iterator[None]:
        """Closes what was opened when the block raises."""
        try:
            yield
        except BaseException:
            self._opened.close()
            raise

    def _open(self, thing: C) -> C:
        """`thing`, to be closed when the process stops."""
        return self._opened.enter_context(closing(thing))

    def _listen(self, web: Web) -> None:
        """Take the port of the pages before anything else; raise `UsageError` for one in use."""
        self._web = web
        self._token = token_of(web.metrics_token)
        self.listener = self._open(listen(web))

    def _drive(self, node: Node[Any, Any], name: str, folder: Path | None = None) -> None:
        """Starts the driver of `node`; inputs at which it raises are kept in `folder`/quarantine."""
        self._folder = folder
        quarantine = Quarantine(folder / "quarantine" if folder else None)
        self.driver = self.host.driver(
            node,
            self._perform,
            name=name,
            rebuild=self._rebuilt_in_time,
            quarantine=quarantine,
            parts=self.parts,
            between=self._between_inputs,
            beat=self._beat,
            now=self.host.now,
        )
        if self.starts.left_out_while_running:
            self.driver.leave_out(self.starts.left_out_while_running)

    def _rebuilt_in_time(self) -> tuple[Node[Any, Any], Sequence[Any]]:
        with self.host.supervisor.long_work():
            return self._rebuilt()

    def _beat(self) -> None:
        """Each second, by the thread that drives the node."""
        self._beat_at = time.monotonic()
        self._obey()
        self.hub.beat()
        self.host.supervisor.alive()

    def _connect(
        self,
        broker: Broker,
        client_id: str,
        subscriptions: Sequence[str],
        *,
        venue: str,
        data: Path | None = None,
        tells: bool = False,
        on_message: Callable[[str, bytes], object] | None = None,
        on_up: Callable[[], object] | None = None,
        will: Will | None = None,
        program: str = "",
        machine: str = "",
    ) -> None:
        """Make bus messages inputs of the node, unless `on_message` or `on_up` handle them.

        `data` holds what it keeps of the venue's certificates; the station `tells` the others. `program` is the
        topic on which it answers beats with the program that it runs, `machine` the name under which it is sent
        releases.
        """
        take = on_message or (lambda topic, payload: put(Arrived(topic, payload)))

        def came(topic: str, payload: bytes) -> None:
            if topic == upgrade:
                self._order_came(payload, machine)
                return
            if topic == look:
                self._look_came(payload)
                return
            if topic == beat and (self._room_version.heard(payload) or self._has_news()):
                self._say_program(program)
            take(topic, payload)

        beat, upgrade, look = (topics.tournament(venue, leaf) for leaf in ("beat", "upgrade", "look"))
        if data is not None:
            self._backups = OwnBackups(data)
            self._sent = self._open(SentRelease(data / "upgrade", broker.ca, self._between_hands))
        put, kept = self.driver.put, data / "ca.crl" if data is not None else None
        trust = None
        if Address.parse(broker.url).tls:
            trust = Trust(broker, venue, kept=kept, tells=tells, pages=self._web.cert)
            for words in trust.revocations.unread.words if trust.revocations.unread is not None else ():
                put(Quarantined(None, words.rstrip("."), 1))
        self.bus = self.host.bus(
            broker,
            client_id=client_id,
            subscriptions=[*subscriptions, *([upgrade] if machine else []), *([] if tells else [look])],
            on_message=came,
            on_up=on_up or (lambda: put(BusUp())),
            on_down=self._bus_lost,
            will=will,
            trust=trust,
        )

    def _obey(self) -> None:
        """Write the version of the messages that the station's beats name; in the node's thread."""
        self._room_version.obey()

    def _say_program(self, topic: str) -> None:
        epoch, self._said = self._says_program_in(), self._words()
        if topic and epoch is not None:
            backup = self._backups.trouble() if self._backups is not None else ""
            said = Program(program_version(), epoch=epoch, upgrade=self._said, backup=backup)
            self.bus.publish(topic, encode(said), qos=0)

    def _words(self) -> str:
        return self._sent.words if self._sent is not None else ""

    def _has_news(self) -> bool:
        return self._words() != self._said

    def _order_came(self, payload: bytes, machine: str) -> None:
        try:
            order = decode_any(payload, UpgradeOrder)
        except Malformed as error:
            self._throttled.warn("upgrade", f"an order to upgrade cannot be read ({error})")
            return
        if order.machine == machine and self._sent is not None:
            self._sent.ordered(order)

    def _look_came(self, payload: bytes) -> None:
        try:
            self.look.take(decode(payload, RoomLook))
        except Malformed as error:
            self._throttled.warn("look", f"the look of the screens cannot be read ({error}); they keep theirs")

    def _between_hands(self) -> bool:
        """Whether nobody waits for it now, so that it may be upgraded."""
        return True

    def _says_program_in(self) -> int | None:
        """The epoch in which it says which program it runs; None: it does not speak for its table."""
        return 0

    def _bus_lost(self, reason: str) -> None:
        self._losses += 1
        self.driver.put(BusDown(reason))

    # -------------------------------------------------------------------------------- operation

    holds_cards = False  # that are not public

    def health(self) -> Health:
        """Whether it does its work; from any thread."""
        why = []
        age = time.monotonic() - self._beat_at
        if age > HANGS_S:
            why.append(f"nothing was done for {age:.0f} s")
        if self.recording is not None and self.recording.why:
            why.append(f"nothing can be recorded: {self.recording.why}")
        return Health(tuple(why), self.bus.is_up, program_version())

    def figures(self) -> bytes:
        """What `/metrics` says; from any thread."""
        return exposition(self._figures(), holds_cards=self.holds_cards)

    def _figures(self) -> Iterator[Figure]:
        """A process adds those of its own."""
        labels = {"version": program_version(), "python": python_version(), "process": self.driver.name}
        yield Figure("feltwire_program_info", 1, labels)
        yield Figure("feltwire_broker_connected", self.bus.is_up)
        yield Figure("feltwire_broker_losses_total", self._losses)
        yield Figure("feltwire_beat_age_seconds", round(time.monotonic() - self._beat_at, 1))
        yield Figure("feltwire_faults_total", self.driver.faults)
        yield Figure("feltwire_parts_left_out", len(self.parts.left_out))
        yield Figure("feltwire_failed_lives", self.starts.failed_lives)
        if not self.holds_cards:
            yield Figure("feltwire_inputs_waiting", self.driver.waiting)
        if self.recording is not None:
            yield Figure("feltwire_disk_refuses", bool(self.recording.why))
            yield Figure("feltwire_disk_sync_seconds", self.recording.longest_s())
        if self._folder is not None:
            yield Figure("feltwire_disk_free_megabytes", shutil.disk_usage(self._folder).free // 1_000_000)
            yield from of_backups(self._folder)

    def _shown_as(self, channel: str, kind: type[T], figures: Callable[[T], Iterator[Figure]]) -> Iterator[Figure]:
        """Figures of what pages show on `channel`; nothing where it shows nothing yet."""
        snapshot = self.hub.latest(channel)
        if snapshot is not None:
            with suppress(Malformed):  # a fault of what only shows
                yield from figures(decode(snapshot.data, kind))

    # -------------------------------------------------------------------------------------- life

    def start(self) -> None:
        self.starts.started()
        self.driver.start()
        self.bus.start()

    def serve(self) -> None:
        """The pages, until the process is told to end or its node fails."""
        app = self._app()
        app.router.routes[:0] = operation_routes(self.health, self.figures, self._token)
        serve_until(app, self.listener, self.driver.failed, self._web)

    def stop(self) -> None:
        self.bus.stop()
        self.driver.stop()
        self._opened.close()

    @property
    def address(self) -> str:
        """Where its pages are: `http://host:port`; with a certificate https, under the first of its names. Where
        it listens at every address of the machine, under the one by which others reach it."""
        host, port = self.listener.getsockname()[:2]
        scheme = "https" if self._web.cert else "http"
        everywhere = ip_address(host).is_unspecified
        if self._web.hosts and (self._web.cert or everywhere):
            host = self._web.hosts[0]
        elif everywhere:
            host = lan_address() or "127.0.0.1"
        return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"

    def reach(self) -> str:
        """Where others in the network find its pages; empty where they are for this machine only."""
        host = self.listener.getsockname()[0]
        alone = ip_address(host).is_loopback or (ip_address(host).is_unspecified and not lan_address())
        return "" if alone else self.address

    @abstractmethod
    def _app(self) -> Starlette:
        """Its pages."""

    @abstractmethod
    def _rebuilt(self) -> tuple[Node[Any, Any], Sequence[Any]]:
        """A new node from what is on the disk, and its first inputs."""

    def _between_inputs(self, more: bool) -> None:  # noqa: B027  (most processes have nothing to carry out together)
        """Called before each input of the node; `more`: one waits already."""

    def _bus_state(self) -> list[BusUp]:
        """The state of the bus as first inputs of a rebuilt node."""
        return [BusUp()] if self.bus.is_up else []

    @abstractmethod
    def _perform(self, effect: Any) -> None:
        """Carry out one effect of the node, in the node's thread."""

    def _tell(self, effect: Publish | Show | Say) -> None:
        """Carry out the effects that every process has: bus, pages, log."""
        match effect:
            case Publish():
                self.bus.publish(effect.topic, effect.payload, qos=effect.qos, retain=effect.retain)
            case Show():
                self.hub.publish(effect.channel, effect.snapshot, event_id=effect.event_id)
            case Say() if effect.kind:
                self._throttled.warn(effect.kind, effect.text)
            case Say():
                level = logging.WARNING if effect.level == "warning" else logging.INFO
                logging.getLogger(type(self).__module__).log(level, "%s", effect.text)


def add_config(parser: argparse.ArgumentParser, what: str) -> None:
    """`--config FILE` and `--log`; `what` names whose file it is."""
    parser.add_argument("--config", required=True, metavar="FILE", help=f"TOML file of {what}")
    parser.add_argument(
        "--log", choices=LOGS, default="text", help="one line of text or one JSON object each (text)"
    )


LIVES_S = 60.0  # a process that lived so long did not end at its start
FAILED = 1  # it may be started again at once: feltwire/deploy/systemd


def main(make: Callable[[Host], Process], log_as: str = "text") -> int:
    """The whole life of a process; its exit status: 1 when its node failed, or its disk, or another program has
    its port. Raise `UsageError` (status 2) for what a person must mend first: a wrong configuration."""
    log_to_stderr(log_as)
    keep_files_private()
    host = Host(Supervisor.of_environment())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # no fault of what is being read
    try:
        with host.supervisor.long_work():
            process = make(host)
    except UsageError as error:
        if not error.passes:
            raise
        print(f"feltwire: {error}", file=sys.stderr)
        return FAILED
    log.info("%s", in_words())  # not before: a wrong call is answered in one line
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGABRT, lambda *_: _hangs(process))
    tell_of_others(process.driver.failed.set)
    process.start()
    host.supervisor.ready()
    ends = threading.Event()
    SupervisedThread(partial(_lives, process, ends), "lives").start()
    try:
        process.serve()
    finally:
        ends.set()
        host.supervisor.stopping()
        process.stop()
        signal.signal(signal.SIGABRT, signal.SIG_DFL)
        host.supervisor.close()
    failure = process.driver.failure
    if isinstance(failure, Exception | MemoryError) and not isinstance(failure, UsageError | OSError):
        process.starts.ended(process.driver.at)
    return FAILED if process.driver.failed.is_set() else 0


def _lives(process: Process, ends: threading.Event) -> None:
    if not ends.wait(LIVES_S):
        process.starts.lived()


def _hangs(process: Process) -> None:
    """The watchdog ends the process: its node's thread does not get on."""
    process.starts.ended(process.driver.at)
    log.critical("the node's thread hangs: this process ends")
    os._exit(128 + signal.SIGABRT)
