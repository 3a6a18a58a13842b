"""`feltwire station`: the tournament director's process.

MQTT, two SQLite files and the director's pages around one `StationNode`: adapters only enqueue inputs and carry
out effects. A table's event is acknowledged only after the ledger has it.
"""

from __future__ import annotations

import argparse
import itertools
import logging
import secrets
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from display.actions import ActionRefused, RulingsWanted, Touch
from display.app import create_app
from display.codes_page import DeviceOfTable, PageAddress
from display.identity.signin import pressed_by, proven_effect
from display.phone_page import PlayersPhones
from display.player_codes import PlayerCodes
from display.presses import TimedPress
from display.push import Hub
from feltwire.config import ConfigError, StationConfig, load, rulebook_of
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.season_file import PLAYED, SEASON, PlayedFile, SeasonFile
from feltwire.ledger.store import SEE, LedgerError
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.runtime.backup_status import read_status
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.broker.connection import Address
from feltwire.runtime.clip_box import ClipKey
from feltwire.runtime.host import Host
from feltwire.runtime.lan_names import VenueNames
from feltwire.runtime.machine import readings
from feltwire.runtime.node_io import BusUp, Publish, Reply, Say, ScreensSeen, Show
from feltwire.runtime.pages.answers import Answers
from feltwire.runtime.pages.faults import PageFaults
from feltwire.runtime.pages.figures import Figure, of_clock, of_queue, of_room
from feltwire.runtime.pages.lan import reached
from feltwire.runtime.pages.people_store import PeopleStore
from feltwire.runtime.pages.phones import Phones
from feltwire.runtime.pages.signing_in import at_station
from feltwire.runtime.plugged import GivenDevices, PluggedHere, read_given, read_here, write_given
from feltwire.runtime.process import Process, add_config, main
from feltwire.runtime.starts import Starts
from feltwire.station.clips import Clips
from feltwire.station.look_file import LOOK, LookFile
from feltwire.station.node import StationNode
from feltwire.station.on_disk import OnDisk
from feltwire.station.phone.key import phones_key
from feltwire.station.picture import PictureRefusedError, coded_anew
from feltwire.station.players_store import PlayersStore
from feltwire.station.public_page.pusher import PagePusher, Place
from feltwire.station.room_release import RoomRelease
from feltwire.station.station_io import (
    AnswerPhone,
    BackupSeen,
    ClipAsked,
    ClipCame,
    CloseClip,
    CloseEvent,
    CommitEvent,
    CommitRecords,
    Committed,
    Directed,
    DiskWasSlow,
    DropCommand,
    Effect,
    FilePenalties,
    GrantLease,
    KeepApart,
    KeepDevices,
    KeepEvents,
    KeepLook,
    KeepPlayed,
    KeepSeason,
    LeaseGranted,
    LetPlayerIn,
    MachineSeen,
    NotRecorded,
    PictureGiven,
    PlayerAsked,
    PlayerCalled,
    PluggedSeen,
    PublicPageMade,
    RecordsCommitted,
    RecordsRefused,
    Save,
    SaveClock,
    SaveCommand,
    SavePlayer,
    SavePoints,
    SaveQueue,
    SaveRestored,
    SaveWrites,
    SendHistory,
    SheetMade,
    SheetWanted,
    ShowLook,
    UpgradeSeen,
    UpgradeStation,
)
from feltwire.station.station_store import StationStore
from feltwire.version import in_words
from table_core.messages import (
    MOST_SENT_ALONG,
    ClockState,
    History,
    LaterVersion,
    Leaseholder,
    QueueView,
    RoomView,
    Unencodable,
    encode,
    write_as,
)
from table_core.tournament.clock import ScheduleError
from table_core.tournament.night import Night, without_event

log = logging.getLogger(__name__)

HELP = "The tournament director's process: collects every table, runs the clock, serves the station's pages."
EXAMPLE = "feltwire station --config /etc/feltwire/station/station.toml"

RECORDS = "tournament.ledger"
LEAVES = ("event", "birth", "status", "beat", "state", "device/+", *topics.PRIVATE_LEAVES)
CHECKPOINTS_AT_ONCE = 5_000  # of half a kilobyte; whoever has them asks for those after
DEVICES_S = 1.0  # how often is looked for devices that were plugged in
HISTORY_PAGE = 100  # events in one message to a machine that takes a table over
# Events of busy tables are committed together, so that the disk is waited for once: at most so many, none later
# than so many milliseconds after the first of them.
MOST_TOGETHER = 64
LONGEST_MS = 20
ASK_AGAIN = "The station had to begin anew: ask again."
PHONE_PRESS = "phone/"  # before the id of a press that is no director's
BEGUN_ANEW = "The station had to begin anew: look whether this is on record, and press again where it is not."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser, "the station")


def run(args: argparse.Namespace) -> int:
    return main(lambda host: StationProcess(load(args.config, StationConfig), host), args.log)


class StationProcess(Process):
    """A `StationNode` with its adapters and its disk.

    Raises `UsageError` for faults that a person can fix: a port in use, a bad schedule, an unknown rulebook, a
    ledger that cannot be opened.
    """

    def __init__(self, config: StationConfig, host: Host | None = None) -> None:
        super().__init__(host)
        self.config = config
        self.actions = DirectorActions(self)
        self.phone_actions = PhoneActions(self)
        self._event = ""
        self._sheets = Answers(lambda wanted: self.driver.put(wanted))
        self._sheet_numbers = itertools.count(1)
        self.rulebook = rulebook_of(config)
        self._unsaved = ""
        self._here = PluggedHere()
        self._names: VenueNames | None = None
        self._uncommitted: list[bytes] = []
        self._since = self.host.now()  # when the first of them came
        folder = Path(config.data)
        with self._opening():
            self._disk = self.recording = self._open(
                self.host.disk(lambda why: None, lambda: None)
            )  # pages miss the beat
            self._listen(config.web)
            self.ledger = self._open(CollectedLedger.open(folder / "station.ledger"))
            self.store = self._open(StationStore.open(folder))
            write_as(self.store.writes())
            self.records = self._open(TournamentLedger.open(folder / RECORDS))
            self._put_aside()
            self.players = self._open(PlayersStore.open(folder))
            self.season = SeasonFile(folder / SEASON)
            self.played = PlayedFile(folder / PLAYED)
            self._look_file = LookFile(folder / LOOK)
            self._people = self._open(PeopleStore.open(folder / "people.db"))
            self.signin = at_station(self._people, folder, self.address)
            self.players_phones = self._players_phones(folder)
            self.phones = Phones(self.signin, "", self._put, self.host.now) if config.admission else None
            self.clips = _clips(config, self.hub)
            self.starts = Starts(folder / "station.starts")
            self.release = RoomRelease(folder)
            self._missing = self._check_records()
            if Address.parse(config.broker.url).tls:
                self._names = self._open(VenueNames(config.venue, config.web.port, config.web.hosts))
            self.node = self._node()
            self._drive(self.node, "station", folder)
            self.pusher = self._page_pusher()
            self._subscribe()

    def _node(self) -> StationNode:
        try:
            node = StationNode(
                self.config,
                self.rulebook,
                self._found(),
                boot=self.host.boot,
                now=self.host.now(),
                wall=lambda _: self.host.wall(),
                views=self.views,
                parts=self.parts,
                phone_page=f"{self.reach()}/me" if self.config.phones and self.reach() else "",
            )
        except ScheduleError as error:
            raise ConfigError(f"station: {error}") from error
        for table, head in self.ledger.heads().items():
            try:
                with self.starts.doing(f"the events of table {table}") as left_out:
                    if left_out:
                        node.recover_nothing(table, head)
                    else:
                        node.recover(table, self.ledger.checked_events(table))
            except LaterVersion as error:
                path = Path(self.config.data) / "station.ledger"
                raise LedgerError(f"{path}: an event of table {table} is of a later {error}; {SEE}") from None
        return node

    def _players_phones(self, folder: Path) -> PlayersPhones | None:
        if not self.config.phones:
            return None
        codes = PlayerCodes(phones_key(folder), lambda: self._event)
        return PlayersPhones(self.hub, codes, self.phone_actions, self.signin, reach=lambda: self.reach())

    def _found(self) -> OnDisk:
        tournament = self._event = self.store.tournament()
        with self.starts.doing("the records of the tournament") as left_out:
            records = (
                [without_event(one) for one in self.records.records()] if left_out else self.records.records()
            )
            night, lost = Night.as_far_as_told(records, self.rulebook)
        found = OnDisk(
            tournament=tournament,
            night=night,
            clock=self.store.clock(),
            outgoing=self.store.outgoing(),
            leaseholders=self.store.leaseholders(),
            queue=self.store.queue(),
            names=self.players.known(),
            born=self.players.born(),
            shown=self.players.shown(),
            apart=self.players.apart(),
            on_file=self.players.on_file(tournament),
            last=self.store.last_event(),
            kept=self.store.kept(),
            season=lambda: self.season.results,
            played=lambda: self.played.results,
            points=self.store.points(),
            missing=self._missing,
            restored=self.store.restored(),
            lost=lost,
            writes=self.store.writes(),
            devices=read_given(Path(self.config.devices)) if self.config.devices else GivenDevices(),
            look=self._look_file.look,
        )
        stores = self.store, self.players, self.season, self.played, self._people, self._look_file
        return replace(found, unread=[words for store in stores for words in store.unread.words])

    def _check_records(self) -> str:
        """Whether the records are those that were signed last, in words for the director where they are not; sign
        what was not signed before the process ended."""
        signed, head = self.ledger.records_signed(self.store.tournament()), self.records.head
        if signed is not None and self.records.hash_of_record(signed.seq) != signed.hash:
            text = f"Records of the tournament are missing: {signed.seq} were signed, {head.seq} are here; {SEE}."
            log.error("%s", text)
            return text
        if head != signed:
            self._sign_records()
        return ""

    def _rebuilt(self) -> tuple[StationNode, list[BusUp | ScreensSeen | PluggedSeen]]:
        self._uncommitted.clear()  # the new node does not know that they were offered
        to_come = self.driver.to_come()
        self.actions.begun_anew({given.id for given in to_come if isinstance(given, Directed | PictureGiven)})
        self.phone_actions.begun_anew()
        if self.players_phones is not None:
            self.players_phones.begun_anew()
        self.node = self._node()
        phones = [self.phones.seen] if self.phones is not None else []
        return self.node, [*phones, PluggedSeen(self._here), *self._bus_state()]

    def _subscribe(self) -> None:
        config = self.config
        self._connect(
            config.broker,
            f"{config.venue}-station",
            [
                *(topics.table(config.venue, "+", leaf) for leaf in LEAVES),
                *(topics.process(config.venue, "+", leaf) for leaf in topics.PROCESS_LEAVES),
                topics.expiry(config.venue, "+"),
            ],
            venue=config.venue,
            data=Path(config.data),
            tells=True,
        )

    def _obey(self) -> None:
        """It says itself which version the room writes."""

    # ------------------------------------------------------------------------------------- life

    def start(self) -> None:
        link = Path(self.config.data) / "td-link"
        log.info("pages at %s/station; the director signs in with the link in %s", self.address, link)
        log.info("checkpoints at %s/checkpoints are signed with the key %s", self.address, self.ledger.public)
        log.info("waiting for the broker at %s", self.config.broker.url)
        super().start()
        self._open(self.host.regularly(self._look_at_machine, "machine"))
        if self._names is not None:
            self._open(self.host.regularly(self._announce, "names"))
        if self.config.devices:
            self._open(self.host.regularly(self._look_at_devices, "devices", DEVICES_S))

    def _put(self, seen: ScreensSeen) -> None:
        self.driver.put(seen)

    def _page_pusher(self) -> PagePusher | None:
        config = self.config
        if not config.public.is_on:
            return None
        own = Path(config.data) / "public"
        place = Place(config.public, own, config.title or config.venue, config.time_zone, config.language)
        return self._open(PagePusher(place, lambda seen: self.driver.put(seen)))

    def _look_at_machine(self) -> None:
        if self.phones is not None:
            self.phones.look()
        self.driver.put(MachineSeen(readings(self.config.data)))
        self.driver.put(BackupSeen(read_status(Path(self.config.data))))
        if (found := self.release.look(self.address)) is not None:
            self.driver.put(found)
        self.driver.put(UpgradeSeen(self._words()))

    def _announce(self) -> None:
        """Say in the network where the broker is, once a broker with a good certificate was reached."""
        if self._names is None or not isinstance(self.bus, Bus):
            return
        try:
            self._names.tell(self.bus.nodes[0].host, *self.bus.ends())
        except OSError as error:
            self._throttled.warn("names", f"nobody is told where the broker is ({error}); names must resolve")

    def _look_at_devices(self) -> None:
        """What is plugged in, where that has changed."""
        here = read_here(Path(self.config.devices))
        if here != self._here:
            self._here = here
            self.driver.put(PluggedSeen(here))

    def _app(self) -> Starlette:
        return create_app(
            hub=self.hub,
            pages={"station", "clock", "rules", "announcements", "table"},
            venue=self.config.venue,
            language=self.config.language,
            tables=self.config.tables,
            actions=self.actions,
            signin=self.signin,
            pin_required=self.config.pin_required,
            public_overview=self.config.public_overview,
            plan=self.config.plan,
            title=self.config.title,
            version=in_words(),
            touchscreen=False,  # a table's keys belong to its own screen
            rulebook=lambda: self.node.rulebook,
            sheets=self.sheets,
            clip=self._clip_picture,
            faults=PageFaults(self.views),
            admission=self.phones.admission if self.phones is not None else None,
            codes=self._codes if self.config.codes else None,
            devices=self._devices if self.config.devices else None,
            phones=self.players_phones,
            reach=self.reach,
            look=self.look,
            picture_for_walls=self.actions.picture,
            extra_routes=[
                Route("/checkpoints", self._checkpoints),
                Route(self.release.route, self.release.given),
            ],
        )

    def _codes(self) -> list[PageAddress]:
        return [PageAddress(code.name, reached(code.url)) for code in self.config.codes]

    def _devices(self) -> list[DeviceOfTable]:
        here = {one.id for one in self._here.devices}
        given = read_given(Path(self.config.devices))
        return [DeviceOfTable(one.id, one.kind, one.words, one.table, one.id in here) for one in given.taken]

    async def _checkpoints(self, request: Request) -> Response:
        """Signed checkpoints, one a line: to be kept elsewhere, by whoever wants to check the records."""
        after = request.query_params.get("after", "0")
        if not (after.isascii() and after.isdecimal() and len(after) <= 15):
            return PlainTextResponse("after: the number of the last checkpoint that you have\n", 400)
        lines = await run_in_threadpool(self.ledger.checkpoints, int(after), CHECKPOINTS_AT_ONCE)
        return Response(b"".join(line + b"\n" for line in lines), media_type="application/jsonl")

    def _clip_picture(self, table: str, opening: str, shot: str) -> bytes | None:
        return None if self.clips is None else self.clips.picture(table, opening, shot)

    def _figures(self) -> Iterator[Figure]:
        yield from super()._figures()
        yield from self._shown_as("room", RoomView, of_room)
        yield from self._shown_as("queue", QueueView, of_queue)
        yield from self._shown_as("clock", ClockState, of_clock)

    async def sheets(self, name: str) -> bytes:
        """A sheet of the tournament as JSON, from the node; empty for a name that there is not."""
        wanted = SheetWanted(f"sheet-{next(self._sheet_numbers)}", name)
        return (await self._sheets.to(wanted.id, wanted)).encode()

    # ---------------------------------------------------------------------------------- effects

    def _perform(self, effect: Effect) -> None:
        match effect:
            case CommitEvent():
                self._collect(effect)
            case Publish() | Show() | Say():
                self._tell(effect)
            case GrantLease():
                self._commit_events()
                self._grant_lease(effect)
            case SendHistory():
                self._send_history(effect)
            case CommitRecords():
                self._commit_records(effect)
            case CloseEvent():
                self._close_event(effect)
            case _ if isinstance(effect, Save):
                self._save(effect)
            case ClipAsked() | ClipCame() | CloseClip():
                if self.clips is not None:
                    self.clips.take(effect, self.host.now())
            case AnswerPhone():
                if self.phones is not None:
                    self.phones.answer(effect.screen, effect.answer, effect.by)
            case ShowLook():
                self.look.take(effect.look)
            case LetPlayerIn():
                if self.players_phones is not None:
                    self.players_phones.answer(effect.request, effect.player, effect.by)
            case UpgradeStation():
                if self._sent is not None:
                    self._sent.ordered(effect.order)
            case PublicPageMade():
                if self.pusher is not None:
                    self.pusher.take(effect)
            case SheetMade():
                self._sheets.give(Reply(effect.id, effect.why or effect.sheet.decode(), refused=bool(effect.why)))
            case Reply() if effect.id.startswith(PHONE_PRESS):
                self.phone_actions.answer(effect)
            case Reply():
                self.actions.answer(self._honest(effect))

    def _collect(self, effect: CommitEvent) -> None:
        if not self._uncommitted:
            self._since = self.host.now()
        self._uncommitted.append(effect.raw)

    def _between_inputs(self, more: bool) -> None:
        full = len(self._uncommitted) >= MOST_TOGETHER
        if full or not more or self.host.now() - self._since >= LONGEST_MS:
            self._commit_events()

    def _commit_events(self) -> None:
        """A full disk loses nothing: a table sends again what is not acknowledged."""
        if not self._uncommitted:
            return
        raws, self._uncommitted = self._uncommitted, []
        try:
            with self._watched():
                accepted = self.ledger.accept_all(raws)
        except LedgerError as error:
            self.driver.put(NotRecorded(str(error)))
        else:
            last = {one.table: at for at, one in enumerate(accepted) if one.is_there}
            for at, (raw, one) in enumerate(zip(raws, accepted, strict=True)):
                self.driver.put(Committed(raw, one, more=at < last.get(one.table, 0)))

    def _commit_records(self, effect: CommitRecords) -> None:
        try:
            with self._watched():
                self.records.append(effect.records)
                self._sign_records()
        except (LedgerError, Unencodable) as error:
            self.driver.put(RecordsRefused(str(error)))
        else:
            self.driver.put(RecordsCommitted())

    def _sign_records(self) -> None:
        """The records are on the disk: sign where they end. What could not be signed is, with the next ones."""
        try:
            self.ledger.sign_records(self.config.venue, self.store.tournament(), self.records.head)
        except LedgerError as error:
            log.warning("the tournament's records are not signed: %s", error)

    def _close_event(self, effect: CloseEvent) -> None:
        """The file of its records gets a name of its own; a new one begins, and a new node with it."""
        aside = f"tournament-{effect.day or 'undated'}-{self.store.tournament()}.ledger"
        self._sign_records()
        try:
            self.store.begin_closing(aside, effect.clock, effect.last)
            self._put_aside()
        except LedgerError as error:
            self._unsaved = str(error)
        else:
            self._missing = ""
            self._sign_records()
            self.driver.renew()

    def _put_aside(self) -> None:
        """The records of an event that is being closed; nothing where none is. Raise `LedgerError`."""
        folder, aside = Path(self.config.data), self.store.closing()
        if not aside:
            return
        if not (folder / aside).exists():
            self.records.move(folder / aside)
            self.records = self._open(TournamentLedger.open(folder / RECORDS))
        self.store.closed()

    def _grant_lease(self, effect: GrantLease) -> None:
        # Nothing of an earlier epoch is offered to the ledger any more: what is committed is what was before.
        try:
            past = self.ledger.epochs(effect.table) if effect.past is None else effect.past
            leaseholder = Leaseholder(effect.ledger, effect.epoch, effect.key, past)
            with self._watched():
                self.store.save_leaseholder(effect.table, leaseholder)
        except (LedgerError, Unencodable) as error:
            self._unsaved = str(error)
            self.driver.put(NotRecorded(str(error)))
        else:
            self._unsaved = ""
            self.driver.put(LeaseGranted(effect.table, leaseholder))

    def _send_history(self, effect: SendHistory) -> None:
        wanted = effect.wanted
        after = (wanted.after_epoch, wanted.after_seq)
        rows = self.ledger.raw_events(effect.table, after=after)
        page = [raw for *_, raw in itertools.islice((row for row in rows if row[:2] <= effect.upto), HISTORY_PAGE)]
        sizes = itertools.accumulate(len(raw) + 1 for raw in page)
        events = tuple(msgspec.Raw(raw) for raw, size in zip(page, sizes, strict=True) if size <= MOST_SENT_ALONG)
        topic = topics.table(self.config.venue, effect.table, "grant")
        self.bus.publish(topic, encode(History(effect.id, wanted.ledger, events)))

    def _save(self, effect: Save) -> None:
        if self.clips is not None and isinstance(effect, SaveClock):  # some seconds have passed
            self.clips.forget_old(self.host.now())
        try:
            with self._watched():
                self._keep(effect)
        except (LedgerError, Unencodable) as error:
            self._unsaved = str(error)
            self.driver.put(NotRecorded(str(error)))
        else:
            self._unsaved = ""

    def _keep(self, effect: Save) -> None:
        match effect:
            case SaveClock():
                self.store.save_clock(effect.record)
            case SaveQueue():
                self.store.save_queue(effect.record)
            case SaveRestored():
                self.store.save_restored(effect.restored)
            case SaveWrites():
                self.store.save_writes(effect.version)
                write_as(effect.version)
            case SaveCommand():
                self.store.add_outgoing(effect.table, effect.command)
            case SavePlayer():
                known = self.players.names().get(effect.player, effect.name)
                if known != effect.name:  # what is deleted later is deleted by the name that is kept then
                    self.signin.accounts.forget(known, effect.name or effect.player)
                self.players.save(effect.player, effect.name, effect.born, effect.shown)
            case KeepApart():
                self.players.keep_apart(effect.one, effect.other)
            case FilePenalties():
                self.players.file(effect.event, effect.day, effect.penalties)
            case KeepSeason():
                self.season.keep(effect.results)
            case KeepEvents():
                self.store.save_kept(effect.kept)
            case KeepPlayed():
                self.played.keep(effect.played)
            case SavePoints():
                self.store.save_points(effect.formula)
            case KeepDevices():
                self._keep_devices(effect.given)
            case KeepLook():
                self._look_file.keep(effect.look)
            case DropCommand():
                self.store.drop_outgoing(effect.id)

    def _keep_devices(self, given: GivenDevices) -> None:
        """Raise `LedgerError`."""
        folder = Path(self.config.devices)
        try:
            write_given(folder, given)
        except OSError as error:
            raise LedgerError(f"{folder}: {error.strerror}") from error

    def _watched(self) -> AbstractContextManager[None]:
        return self._disk.watched(lambda seconds: self.driver.put(DiskWasSlow(seconds)))

    def _honest(self, reply: Reply) -> Reply:
        if not self._unsaved:
            return reply
        return Reply(reply.id, f"{reply.text} It is not recorded: {self._unsaved}.", refused=True)


def _clips(config: StationConfig, hub: Hub) -> Clips | None:
    """What opens clips, with a key."""
    if not config.clip_key:
        return None
    return Clips(ClipKey.load(config.clip_key), lambda table, view: hub.publish(f"clip/{table}", encode(view)))


class DirectorActions:
    """Presses on the pages become inputs of the node; its replies become the pages' answers."""

    def __init__(self, process: StationProcess) -> None:
        self._answers = Answers(lambda press: process.driver.put(press))
        self._decoding = False  # one picture at a time

    async def touch(self, table: str, touch: Touch, press: TimedPress) -> str:
        """Raise `ActionRefused`: keys and screen are at the table."""
        raise ActionRefused("the station shows this table; its keys and its screen are at the table")

    async def rulings(self, table: str, wanted: RulingsWanted, press: TimedPress) -> str:
        """Raise `ActionRefused`, as `touch`."""
        raise ActionRefused("the station shows this table; its keys and its screen are at the table")

    async def mischief(self, table: str, kind: str, press: TimedPress) -> str:
        """Raise `ActionRefused`: mischief is for the demo's landing page."""
        raise ActionRefused("mischief is for the demo's landing page")

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        given = Directed(press.id, command, arguments, until=press.until, by=pressed_by(), proven=proven_effect())
        return await self._answers.to(press.id, given)

    async def picture(self, slot: str, raw: bytes, press: TimedPress) -> str:
        """A picture for the venue's screens. Raise `ActionRefused` for one that is not taken."""
        if self._decoding:
            raise ActionRefused("another picture is being read; send this one again in a moment")
        self._decoding = True
        try:
            coded = await run_in_threadpool(coded_anew, raw, slot)
        except PictureRefusedError as refused:
            raise ActionRefused(f"That picture is not taken: {refused}.") from None
        finally:
            self._decoding = False
        return await self._answers.to(press.id, PictureGiven(press.id, slot, coded, pressed_by()))

    def answer(self, reply: Reply) -> None:
        self._answers.give(reply)

    def begun_anew(self, to_come: Collection[str]) -> None:
        """Whoever waits at a page is answered: a new node knows nothing of presses but those `to_come`."""
        self._answers.refuse_others(to_come, BEGUN_ANEW)


class PhoneActions:
    """What players press on their phones becomes an input of the node."""

    def __init__(self, process: StationProcess) -> None:
        self._answers = Answers(lambda press: process.driver.put(press))

    async def ask(self, request: str, name: str, digits: str, before: str) -> str:
        id_ = f"{PHONE_PRESS}{request}"
        return await self._answers.to(id_, PlayerAsked(id_, request, name, digits, before))

    async def call(self, player: str) -> str:
        id_ = f"{PHONE_PRESS}{secrets.token_hex(8)}"
        return await self._answers.to(id_, PlayerCalled(id_, player))

    def answer(self, reply: Reply) -> None:
        self._answers.give(reply)

    def begun_anew(self) -> None:
        """Requests are not on the disk: whoever waits is told to ask again."""
        self._answers.refuse_others((), ASK_AGAIN)
