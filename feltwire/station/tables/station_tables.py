"""The station's side of the tables: collect their events, ask for missing ones, repeat commands until answered.

An event is acknowledged only once the ledger has it on the disk. Effects are made as if the broker were connected;
`StationNode` drops what cannot be sent, and `bus_up` sends again what is still current.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256

import msgspec

from feltwire.config import StationConfig
from feltwire.ledger.chain import LedgerHead, read_row
from feltwire.ledger.granted import EventStatus
from feltwire.ledger.room_ledger import EventVerdict
from feltwire.ledger.signing import signed_by
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Publish, Say, ScreensSeen, Show
from feltwire.runtime.views import Part, Views
from feltwire.station.station_io import ClipAsked, ClipCame, CommitEvent, Committed, DropCommand, Effect
from feltwire.station.tables.known import KnownTables
from feltwire.station.tables.leases import TableLease
from feltwire.station.tables.link import ProgramSeen, ReadModel, TableLink
from feltwire.station.tables.machines import TableMachines
from feltwire.station.tables.pictures import Pictures
from feltwire.station.tables.post import TablePost
from feltwire.station.tournament.table_watch import Changes, TableWatch
from table_core.messages import (
    AnswerScreen,
    AnyTableCommand,
    Birth,
    CameraPicture,
    ClipPart,
    DeviceState,
    Expiry,
    HistoryWanted,
    LastPresses,
    LaterVersion,
    Leaseholder,
    Malformed,
    Millis,
    Number,
    OpenClip,
    OpenRuling,
    Program,
    ScreenAnswer,
    Status,
    StoredEvent,
    TableBeat,
    TableHealth,
    TableScreens,
    TableState,
    TakePicture,
    UnreadEvent,
    decode,
    decode_any,
    decode_stored,
    encode,
    encode_page,
    encode_view,
)
from table_core.projections.health import view_of
from table_core.projections.table import TableProjection
from table_core.rulebook import Rulebook

STRANGERS = 20  # tables of other tournaments that are named


class _AsOf(msgspec.Struct):
    epoch: Number
    as_of: Number


class _StateSeen(msgspec.Struct):
    """The part of a table's retained `TableState` that says how many events it has."""

    view: _AsOf


class _Health(msgspec.Struct):
    """The part of `…/device/<name>` that every kind of device has."""

    state: DeviceState


class StationTables:
    """`prefix` begins the ids of this station's commands.

    `answered(id)` is called for each one that a table answered; it returns whether the command is recorded and may
    be deleted. `known` is what is known of the tables, `machines` answers those that say they are one.
    """

    def __init__(
        self,
        config: StationConfig,
        rulebook: Rulebook,
        prefix: str,
        *,
        boot: str,
        now: Millis,
        answered: Callable[[str], bool],
        leaseholders: Mapping[str, Leaseholder],
        views: Views,
    ) -> None:
        self._views = views
        self._leases = leases = {table: TableLease(table, leaseholders.get(table)) for table in config.tables}
        self._venue = config.venue
        self._boot, self._started_at = boot, now
        self._answered = answered
        self._strangers: dict[str, str] = {}
        self.changes = Changes()
        self.changed: dict[str, TableLink] = {}  # tables with events that no page has yet
        self._pictures = Pictures()
        self._clips: dict[str, str] = {}  # the id of the newest question for its clip, by table
        self._links = {
            table: TableLink(
                table,
                ReadModel(TableProjection(config.venue, table, rulebook), TableWatch(table, prefix, self.changes)),
                own=lambda cause: cause.startswith(prefix),
            )
            for table in config.tables
        }
        self._post = TablePost(config.venue, prefix, now)
        self.machines = TableMachines(config.venue, self._post, self._links, leases, now)
        self.known = KnownTables(self._links, rulebook, now)

    def recover(self, table: str, events: Iterable[tuple[int, int, bytes]]) -> Iterator[DropCommand | Show]:
        """Apply what the ledger holds of one table. A table that is no longer configured is skipped."""
        link = self._links.get(table)
        if link is None:
            return
        for epoch, seq, raw in events:
            stored = read_row(table, epoch, seq, raw)
            answers = link.collected(stored, sha256(raw).hexdigest(), self._started_at)
            if answers is not None and self._answered(answers):
                yield DropCommand(answers)
        yield from self._show(link)

    def recover_nothing(self, table: str, head: LedgerHead) -> None:
        """What the ledger holds of one table ended the station before: its events are left out."""
        if table in self._links:
            self._links[table].collected(
                UnreadEvent(self._venue, table, head.epoch, head.seq, ""), head.hash, self._started_at
            )

    # ----------------------------------------------------------------------------------- the network

    def bus_up(self, now: Millis) -> Iterator[Effect]:
        for link in self._links.values():
            link.renew()
            # An acknowledgement may have been lost, and so may what the table sent since.
            yield from self._post.ack(link, link.epoch, link.seq)
            # A table with a lease of an earlier station would not report its machine without being asked.
            yield from self._post.ask(link, now, [(link.epoch, link.seq + 1)], birth=True)
            yield from self.machines.publish_leaseholder(link)

    def bus_down(self) -> None:
        for link in self._links.values():
            link.online = False

    def speak(
        self,
        commands: Callable[[str], Iterable[AnyTableCommand]],
        now: Millis,
        tables: Iterable[str] | None = None,
    ) -> Iterator[Effect]:
        """Ask for missing events and repeat unanswered commands, with a growing back-off.

        `commands(table)` gives the current commands for a table. To all tables, or to those of `tables` that there
        are.
        """
        for link in (
            self._links.values() if tables is None else [self._links[t] for t in tables if t in self._links]
        ):
            if link.misses_events and link.asking.due(now):
                yield from self._post.ask(link, now, link.missing())
            elif self._leases[link.table].is_vacant and link.asking.due(now):
                # A machine that was granted the table before does not ask, and what it says counts for nothing.
                yield from self._post.ask(link, now, [(link.epoch, link.seq + 1)], birth=True)
            link.wants(commands(link.table))
            if not link.online:
                continue
            for outgoing in link.outgoing.values():
                if outgoing.due(now, heard=link.answers):
                    outgoing.backoff.said(now)
                    yield self._post.to(link, "command", encode(outgoing.command))

    def take_picture(self, table: str, expires: Expiry) -> Publish:
        """Ask the table for its camera's picture, once: whoever looks asks again."""
        wanted = TakePicture(self._post.next_id("picture"), expires)
        self._pictures.asked(table, wanted.id)
        return self._post.to(self._links[table], "command", encode(wanted))

    def open_clip(self, table: str, expires: Expiry, by: str) -> Iterator[Effect]:
        """Ask the table for its camera's last minutes, once: whoever looks asks again."""
        wanted = OpenClip(self._post.next_id("clip"), expires, by)
        self._clips[table] = wanted.id
        yield ClipAsked(table, wanted.id, by)
        yield self._post.to(self._links[table], "command", encode(wanted))

    def answer_screen(self, table: str, screen: str, answer: ScreenAnswer, expires: Expiry, by: str) -> Publish:
        """Tell the table what the director decided about a phone, once, where no one but the station writes."""
        said = AnswerScreen(self._post.next_id("screen"), screen, answer, expires, by)
        return self._post.to(self._links[table], "grant", encode(said))

    # --------------------------------------------------------------------------- what tables send

    def knows(self, given: Arrived) -> bool:
        """Whether this is a table's state as of an event that came before it. Almost every one is, and they are a
        third of what a hall sends."""
        table, leaf = topics.split_table(given.topic) or ("", "")
        link = self._links.get(table)
        if leaf != "state" or link is None:
            return False
        try:
            seen = decode(given.payload, _StateSeen).view
        except (LaterVersion, Malformed):
            return False
        return (seen.epoch, seen.as_of) <= link.reported

    def arrived(self, given: Arrived, now: Millis) -> Iterator[Effect]:
        address = topics.split_table(given.topic)
        if address is None:
            return
        table, leaf = address
        link = self._links.get(table)
        if link is None:
            if table not in self._strangers and len(self._strangers) < STRANGERS:
                self._strangers[table] = f"Table {table} is on the network but not in this tournament's tables."
                yield Say(self._strangers[table], "warning")
            return
        try:
            yield from self._heard(link, leaf, given.payload, now)
        except LaterVersion as error:
            link.alerts["later"] = (
                f"Table {table} has a later version than this station ({error}): update the station. The table "
                "plays on, and what happens there comes then."
            )
            yield Say(link.alerts["later"], "warning", f"later {table}")
        except Malformed as error:
            # Only public topics are heard here, so nothing concealed can be in the error's words.
            link.alerts["malformed"] = f"Table {table} sent a {leaf} that cannot be read ({error}); not taken."
            yield Say(link.alerts["malformed"], "warning", f"malformed {table}")

    def _heard(self, link: TableLink, leaf: str, payload: bytes, now: Millis) -> Iterator[Effect]:
        match leaf.partition("/"):
            case ("event", _, _):
                yield from self._event(link, payload, now)
            case ("birth", _, _):
                yield from self.machines.birth(link, decode(payload, Birth), payload, now)
            case ("handover", _, _):
                yield from self.machines.handover(link, decode(payload, HistoryWanted), now)
            case ("ruling", _, _):
                ruling = decode(payload, OpenRuling)
                if ruling.epoch >= self._leases[link.table].epoch:
                    link.opened(ruling)
            case ("presses", _, _):
                presses = decode(payload, LastPresses)
                if presses.epoch >= self._leases[link.table].epoch:
                    yield Show(f"presses/{link.table}", encode_view(presses))
            case ("health", _, _):
                health = decode(payload, TableHealth)
                if health.epoch >= self._leases[link.table].epoch:
                    yield Show(f"health/{link.table}", self._health(link, health))
            case ("program", _, _):
                said = decode_any(payload, Program)
                if said.epoch >= self._leases[link.table].epoch:
                    link.program = ProgramSeen(said, now)
            case ("screens", _, _):
                yield from self._screens(link, decode(payload, TableScreens), payload, now)
            case ("picture", _, _):
                picture = decode(payload, CameraPicture)
                if picture.epoch >= self._leases[link.table].epoch:
                    yield from self._pictures.came(link.table, picture)
            case ("clip", _, _):
                yield from self._clip_came(link, decode(payload, ClipPart), payload)
            case ("beat", _, _):
                self._beaten(link, decode(payload, TableBeat), now)
            case ("status", _, _):
                link.online = decode(payload, Status).online
            case ("state", _, _):
                seen = decode(payload, _StateSeen).view
                who = self._leases[link.table].leaseholder
                if who is None or seen.epoch != who.epoch:
                    return  # a machine that was replaced may still speak
                if not signed_by(payload, TableState, who.key):
                    yield from self.machines.not_its_word(link, f"state as of event {seen.epoch}/{seen.as_of}")
                    return
                link.report(seen.epoch, seen.as_of)
            case ("device", _, name) if payload and name in topics.DEVICES:
                link.devices[name] = decode(payload, _Health).state

    def _health(self, link: TableLink, said: TableHealth) -> bytes:
        """How its devices are: kept for the queue, and as a snapshot."""

        def made() -> bytes:
            link.health = view_of(link.table, said)
            return encode(link.health)

        return self._views.snapshot(Part(f"The devices of table {link.table}", link.table), made)

    def _clip_came(self, link: TableLink, part: ClipPart, raw: bytes) -> Iterator[Effect]:
        """A part of a clip counts where it was asked for and the leaseholder signed it."""
        who = self._leases[link.table].leaseholder
        if who is None or part.answers != self._clips.get(link.table):
            return
        if signed_by(raw, ClipPart, who.key):
            yield ClipCame(link.table, part)
        else:
            yield from self.machines.not_its_word(link, "a clip")

    def _screens(self, link: TableLink, said: TableScreens, raw: bytes, now: Millis) -> Iterator[Effect]:
        """Who asks to be a keypad there, or was let in: as the leaseholder signed it."""
        who = self._leases[link.table].leaseholder
        if who is None or said.epoch != who.epoch:
            return
        if signed_by(raw, TableScreens, who.key):
            link.screens = ScreensSeen(now, said.asking, said.admitted)
        else:
            yield from self.machines.not_its_word(link, "a phone that asks")

    def _beaten(self, link: TableLink, beat: TableBeat, now: Millis) -> None:
        who = self._leases[link.table].leaseholder
        if who is not None and beat.epoch == who.epoch and beat.boot == self._boot and beat.at <= now:
            link.answered_beat(beat.at)
            link.cannot_show = beat.cannot_show
            self._leases[link.table].heard(beat.at)

    def _event(self, link: TableLink, raw: bytes, now: Millis) -> Iterator[Effect]:
        envelope = decode_stored(raw)
        if (envelope.venue, envelope.table) != (self._venue, link.table):
            link.alerts["forged"] = (
                f"An event of table {envelope.table} in {envelope.venue} came in the name of table {link.table}; "
                "not taken. Check that table's configuration."
            )
            yield Say(link.alerts["forged"], "warning")
            return
        lease = self._leases[link.table]
        match lease.judge(envelope, raw):
            case EventStatus.ACCEPTED:
                link.said_something()
                lease.heard(now)
                link.offer(envelope, sha256(raw).hexdigest())
                yield CommitEvent(raw)
            case EventStatus.AFTER_HANDOVER:
                yield from self.machines.fence(link, envelope.epoch, now)
            case EventStatus.NOT_GRANTED | EventStatus.NOT_SIGNED:
                yield from self.machines.not_its_word(link, f"event {envelope.epoch}/{envelope.seq}")
            case None:  # nobody is in charge yet: the machine keeps it and sends it again
                pass

    # ----------------------------------------------------------------------------- what was taken

    def committed(self, given: Committed, now: Millis) -> Iterator[Effect]:
        accepted = given.accepted
        envelope = accepted.envelope
        link = self._links.get(accepted.table)
        if envelope is None or link is None:
            return
        match accepted.kind:
            case EventVerdict.NEW:
                yield from self._new_event(link, envelope, given.raw, now)
                if not given.more:
                    yield from self._post.ack(link, link.epoch, link.seq)
            case EventVerdict.DUPLICATE if envelope.epoch < link.epoch:
                yield from self._post.ack(link, envelope.epoch, envelope.seq)
            case EventVerdict.DUPLICATE if not given.more:
                yield from self._post.ack(link, link.epoch, link.seq)
            case EventVerdict.GAP:
                link.not_taken()
                link.report(envelope.epoch, envelope.seq)
            case EventVerdict.BROKEN_CHAIN if envelope.epoch < link.epoch:
                yield from self.machines.fence(link, envelope.epoch, now)
            case EventVerdict.BROKEN_CHAIN:
                yield from self._broken(link, accepted.why)
            case _:  # acknowledged with a later one; what is malformed is not offered
                pass

    def not_recorded(self) -> None:
        """The disk took nothing of what was offered: the tables send it again."""
        self.machines.not_recorded()
        for link in self._links.values():
            link.not_taken()

    def problems(self, now: Millis) -> Iterator[str]:
        """Problems for the director that are of no table of the tournament."""
        yield from self._strangers.values()
        yield from self.machines.problems(now)

    def _new_event(self, link: TableLink, envelope: StoredEvent, raw: bytes, now: Millis) -> Iterator[Effect]:
        answers = link.collected(envelope, sha256(raw).hexdigest(), now)
        if answers is not None and self._answered(answers):
            yield DropCommand(answers)
        self.changed[link.table] = link
        for kind in ("fenced", "broken", "malformed", "later"):
            link.alerts.pop(kind, None)

    def show_changed(self) -> Iterator[Show]:
        """The tables with events since the last call."""
        changed, self.changed = self.changed, {}
        for link in changed.values():
            yield from self._show(link)

    def _show(self, link: TableLink) -> Iterator[Show]:
        view, table, snapshot = link.model.view, link.table, self._views.snapshot
        if view is not None:
            shown = snapshot(Part(f"Table {table}", table), lambda: encode_page(view))
            yield Show(f"table/{table}", shown, f"{link.epoch}.{link.seq}")
            part = Part(f"What was recorded last at table {table}", table)
            yield Show(f"history/{table}", snapshot(part, lambda: encode_view(link.model.history())))

    def _broken(self, link: TableLink, why: str) -> Iterator[Effect]:
        text = (
            f"Table {link.table}: {why}. It is refused. Keep the records of the table and of the station, and "
            "run `feltwire verify` on both."
        )
        if link.alerts.get("broken") != text:
            link.alerts["broken"] = text
            yield Say(text, "warning")
