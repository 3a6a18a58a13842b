"""`feltwire station`: the tournament director's process.

MQTT, two SQLite files and the director's pages around one `StationNode`: adapters only enqueue inputs and carry
out effects. A table's event is acknowledged only after the ledger has it.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import logging
import os
import secrets
from concurrent.futures import Future
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
from starlette.applications import Starlette

from display.actions import ActionRefused
from display.app import create_app
from display.signin import SignIn
from feltwire import topics
from feltwire.boottime import boot_id, boot_millis
from feltwire.collected import CollectedLedger
from feltwire.config import ConfigError, StationConfig, load, rulebook_of
from feltwire.node_io import Publish, Say, Show
from feltwire.process import Process, add_config, main
from feltwire.station_charge import InCharge
from feltwire.station_io import (
    ChargeTaken,
    Commit,
    Committed,
    Directed,
    DropCommand,
    Effect,
    NotRecorded,
    Reply,
    SaveClock,
    SaveCommand,
    SendHistory,
    TakeCharge,
)
from feltwire.station_node import StationNode
from feltwire.station_store import StationStore
from feltwire.store import LedgerError
from table_core.messages import Chips, History, Key, Seat, encode
from table_core.tournament.clock import ScheduleError

log = logging.getLogger(__name__)

HELP = "The tournament director's process: collects every table, runs the clock, serves the station's pages."
EXAMPLE = "feltwire station --config /etc/feltwire/station.toml"

ANSWER_WITHIN_S = 20.0  # the pages give up before
LEAVES = ("event", "birth", "status", "state", "device/+", *topics.PRIVATE_LEAVES)
HISTORY_PAGE = 200  # events in one message to a machine that takes a table over


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser, "the station")


def run(args: argparse.Namespace) -> int:
    return main(lambda: StationProcess(load(args.config, StationConfig)))


class StationProcess(Process):
    """A `StationNode` with its adapters and its disk. Raises `UsageError` for what a person can mend: a port in
    use, a bad schedule, an unknown rulebook, a ledger that cannot be opened."""

    def __init__(self, config: StationConfig) -> None:
        super().__init__()
        self.config = config
        self.actions = DirectorsDesk(self)
        self.rulebook = rulebook_of(config)
        self._unsaved = ""
        folder = Path(config.data)
        with self._opening():
            self._listen(config.web)
            self.ledger = self._open(CollectedLedger.open(folder / "station.ledger"))
            self.store = self._open(StationStore.open(folder))
            self.signin = LinkInFile(folder / "td-link", self.address, secret=self.store.secret())
            self.node = self._node()
            self._drive(self.node, "station")
            self._subscribe()

    def _node(self) -> StationNode:
        try:
            node = StationNode(
                self.config,
                self.rulebook,
                tournament=self.store.tournament(),
                boot=boot_id(),
                now=boot_millis(),
                recorded=self.store.clock(),
                outgoing=self.store.outgoing(),
                charges=self.store.charges(),
            )
        except ScheduleError as error:
            raise ConfigError(f"station: {error}") from error
        for table in self.ledger.heads():
            node.recover(table, self.ledger.raw_events(table))
        return node

    def _subscribe(self) -> None:
        config = self.config
        self._connect(
            config.broker,
            f"{config.venue}-station",
            [topics.table(config.venue, "+", leaf) for leaf in LEAVES],
        )

    # ------------------------------------------------------------------------------------- life

    def start(self) -> None:
        log.info("pages at %s/station; the director signs in with the link in %s", *self.signin.where())
        log.info("waiting for the broker at %s", self.config.broker.url)
        super().start()

    def _app(self) -> Starlette:
        return create_app(
            hub=self.hub,
            pages={"station", "clock", "rules", "table"},
            venue=self.config.venue,
            tables=self.config.tables,
            actions=self.actions,
            signin=self.signin,
            title=self.config.title,
            touchscreen=False,  # a table's keys belong to its own screen
            rulebook=self.rulebook,
        )

    # ---------------------------------------------------------------------------------- effects

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Commit():
                self._commit(effect)
            case Publish() | Show() | Say():
                self._tell(effect)
            case TakeCharge():
                self._take_charge(effect)
            case SendHistory():
                self._send_history(effect)
            case SaveClock() | SaveCommand() | DropCommand():
                self._save(effect)
            case Reply():
                self.actions.answer(self._honest(effect))

    def _commit(self, effect: Commit) -> None:
        """A full disk loses nothing: what is not acknowledged the table sends again."""
        try:
            accepted = self.ledger.accept(effect.raw)
        except LedgerError as error:
            self.driver.put(NotRecorded(str(error)))
        else:
            self.driver.put(Committed(effect.raw, accepted))

    def _take_charge(self, effect: TakeCharge) -> None:
        # Nothing of an earlier epoch is offered to the ledger any more, so its head here is where this one begins.
        head = self.ledger.heads().get(effect.table)
        after = (head.epoch, head.seq, head.hash) if head is not None else (0, 0, "")
        after = (effect.epoch, 0, "") if effect.first else after
        in_charge = InCharge(effect.ledger, effect.epoch, *after)
        try:
            self.store.save_charge(effect.table, in_charge)
        except LedgerError as error:
            self._unsaved = str(error)
            self.driver.put(NotRecorded(str(error)))
        else:
            self._unsaved = ""
            self.driver.put(ChargeTaken(effect.table, in_charge))

    def _send_history(self, effect: SendHistory) -> None:
        wanted = effect.wanted
        after = (wanted.after_epoch, wanted.after_seq)
        rows = self.ledger.raw_events(effect.table, after=after)
        page = itertools.islice((row for row in rows if row[:2] <= effect.upto), HISTORY_PAGE)
        events = tuple(msgspec.Raw(raw) for _, _, raw in page)
        topic = topics.table(self.config.venue, effect.table, "command")
        self.bus.publish(topic, encode(History(effect.id, wanted.ledger, events)))

    def _save(self, effect: SaveClock | SaveCommand | DropCommand) -> None:
        try:
            match effect:
                case SaveClock():
                    self.store.save_clock(effect.record)
                case SaveCommand():
                    self.store.add_outgoing(effect.table, effect.command)
                case DropCommand():
                    self.store.drop_outgoing(effect.id)
        except LedgerError as error:
            self._unsaved = str(error)
            self.driver.put(NotRecorded(str(error)))
        else:
            self._unsaved = ""

    def _honest(self, reply: Reply) -> Reply:
        if not self._unsaved:
            return reply
        return Reply(reply.id, f"{reply.text} It is not recorded: {self._unsaved}.", refused=True)


class DirectorsDesk:
    """Presses on the pages become inputs of the node; its replies become the pages' answers."""

    def __init__(self, process: StationProcess) -> None:
        self._process = process
        self._lock = Lock()
        self._waiting: dict[str, Future[Reply]] = {}

    async def touch(
        self, table: str, key: Key, seat: Seat | None, amount: Chips | None, question: int | None, reason: str = ""
    ) -> None:
        raise ActionRefused("the station shows this table; its keys and its screen are at the table")

    async def mischief(self, table: str, kind: str) -> str:
        raise ActionRefused("mischief is for the demo's landing page")

    async def director(self, command: str, arguments: dict[str, Any]) -> str:
        press = Directed(secrets.token_hex(8), command, arguments)
        answer: Future[Reply] = Future()
        with self._lock:
            self._waiting[press.id] = answer
        self._process.driver.put(press)
        try:
            reply = await asyncio.wait_for(asyncio.wrap_future(answer), ANSWER_WITHIN_S)
        except TimeoutError as error:
            raise ActionRefused("the station did not answer in time; look at the clock before again") from error
        finally:
            with self._lock:
                self._waiting.pop(press.id, None)
        if reply.refused:
            raise ActionRefused(reply.text, rule=reply.rule, about=reply.about)
        return reply.text

    def answer(self, reply: Reply) -> None:
        """Called by the node's thread; nobody may be waiting any more."""
        with self._lock:
            waiting = self._waiting.pop(reply.id, None)
        if waiting is not None and waiting.set_running_or_notify_cancel():
            waiting.set_result(reply)


class LinkInFile(SignIn):
    """Keeps one unused link for the director in a file that only the station's user can read.

    Whoever may read the file may be the director; each link signs in one browser, then the next one is there.
    """

    def __init__(self, path: Path, address: str, *, secret: bytes) -> None:
        super().__init__(secret=secret)
        self._path = path
        self._address = address
        self._write()

    def where(self) -> tuple[str, Path]:
        return self._address, self._path

    def redeem(self, token: str) -> str:
        cookie = super().redeem(token)
        self._write()
        return cookie

    def _write(self) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{self._address}{self.new_link()}\n")
        fresh.replace(self._path)
