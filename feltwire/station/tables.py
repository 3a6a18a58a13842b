"""The station's side of the tables: collect their events, ask for missing ones, repeat commands until answered.

An event is acknowledged only once the ledger has it on the disk. Effects are made as if the broker were connected;
`StationNode` drops what cannot be sent, and `bus_up` sends again what is still current.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

import msgspec

from feltwire.config import StationConfig
from feltwire.ledger.granted import EventStatus, last_of
from feltwire.ledger.room_ledger import EventVerdict
from feltwire.ledger.signing import signed_by
from feltwire.runtime import topics
from feltwire.runtime.backoff import ASK_AGAIN_AT_MOST_MS
from feltwire.runtime.node_io import Arrived, Publish, Say, Show
from feltwire.runtime.pace import RateLimit
from feltwire.station.cells import SILENT_MS, STALE_MS, ToAct, cell_of
from feltwire.station.director_arguments import RewindWanted
from feltwire.station.leases import BirthAnswer, ClaimView, TableLease
from feltwire.station.link import ReadModel, TableLink
from feltwire.station.pictures import Pictures
from feltwire.station.station_io import (
    CommitEvent,
    Committed,
    DropCommand,
    Effect,
    GrantLease,
    LeaseGranted,
    SendHistory,
)
from feltwire.station.tournament.table_watch import Changes, TableWatch
from table_core.messages import (
    Ack,
    AnyTableCommand,
    Birth,
    CameraPicture,
    Cell,
    ChangeSeats,
    DeviceState,
    Envelope,
    Expiry,
    HistoryWanted,
    LastPresses,
    Malformed,
    Millis,
    Number,
    OpenRuling,
    QueueItem,
    Refusal,
    Resend,
    RulingsView,
    Status,
    TableBeat,
    TableLeaseholder,
    TableState,
    TableView,
    TakePicture,
    decode,
    decode_envelope,
    encode,
)
from table_core.projections.table import TableProjection
from table_core.rulebook import Rulebook
from table_core.tournament.state import TableFacts

QUESTIONS = (1, 1_000)  # to a machine that seems to have lost events
HISTORIES = (200, 100)  # pages for a machine that takes over: at once, and the pause between more
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
    be deleted.
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
        authorities: Mapping[str, TableLease],
    ) -> None:
        self._authorities = authorities
        self._rulebook, self._sha256 = rulebook, rulebook.sha256()
        self._venue = config.venue
        self._prefix = prefix
        self._boot, self._started_at = boot, now
        self._answered = answered
        self._said = 0
        self._strangers: dict[str, str] = {}
        self._questions = {table: RateLimit(*QUESTIONS) for table in config.tables}
        self._histories = {table: RateLimit(*HISTORIES) for table in config.tables}
        self.changes = Changes()
        self.changed: dict[str, TableLink] = {}  # tables with events that no page has yet
        self._to_act = ToAct()
        self._pictures = Pictures()
        self._links = {
            table: TableLink(
                table,
                ReadModel(TableProjection(config.venue, table, rulebook), TableWatch(table, prefix, self.changes)),
                own=lambda cause: cause.startswith(prefix),
            )
            for table in config.tables
        }

    def recover(self, table: str, events: Iterable[tuple[int, int, bytes]]) -> Iterator[DropCommand | Show]:
        """Apply what the ledger holds of one table. A table that is no longer configured is skipped."""
        link = self._links.get(table)
        if link is None:
            return
        for _, _, raw in events:
            answers = link.collected(decode_envelope(raw), sha256(raw).hexdigest(), self._started_at)
            if answers is not None and self._answered(answers):
                yield DropCommand(answers)
        yield from self._show(link)

    # ----------------------------------------------------------------------------------- the network

    def bus_up(self, now: Millis) -> Iterator[Effect]:
        for link in self._links.values():
            link.renew()
            # An acknowledgement may have been lost, and so may what the table sent since.
            yield from self._ack(link, link.epoch, link.seq)
            # A table with a lease of an earlier station would not report its machine without being asked.
            yield from self._ask(link, now, [(link.epoch, link.seq + 1)], birth=True)
            yield from self._publish_leaseholder(link)

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
                yield from self._ask(link, now, link.missing())
            link.wants(commands(link.table))
            if not link.online:
                continue
            for outgoing in link.outgoing.values():
                if outgoing.backoff.due(now):
                    outgoing.backoff.said(now)
                    yield self._to(link, "command", encode(outgoing.command))

    def take_picture(self, table: str, expires: Expiry) -> Publish:
        """Ask the table for its camera's picture, once: whoever looks asks again."""
        wanted = TakePicture(self._next_id("picture"), expires)
        self._pictures.asked(table, wanted.id)
        return self._to(self._links[table], "command", encode(wanted))

    # --------------------------------------------------------------------------- what tables send

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
        except Malformed as error:
            # Only public topics are heard here, so nothing concealed can be in the error's words.
            link.alerts["malformed"] = f"Table {table} sent a {leaf} that cannot be read ({error}); not taken."
            yield Say(link.alerts["malformed"], "warning", f"malformed {table}")

    def _heard(self, link: TableLink, leaf: str, payload: bytes, now: Millis) -> Iterator[Effect]:
        match leaf.partition("/"):
            case ("event", _, _):
                yield from self._event(link, payload, now)
            case ("birth", _, _):
                yield from self._birth(link, decode(payload, Birth), payload, now)
            case ("handover", _, _):
                yield from self._handover(link, decode(payload, HistoryWanted), now)
            case ("ruling", _, _):
                ruling = decode(payload, OpenRuling)
                if ruling.epoch >= self._authorities[link.table].epoch:
                    link.opened(ruling)
            case ("presses", _, _):
                presses = decode(payload, LastPresses)
                if presses.epoch >= self._authorities[link.table].epoch:
                    yield Show(f"presses/{link.table}", encode(presses))
            case ("picture", _, _):
                picture = decode(payload, CameraPicture)
                if picture.epoch >= self._authorities[link.table].epoch:
                    yield from self._pictures.came(link.table, picture)
            case ("beat", _, _):
                self._beaten(link, decode(payload, TableBeat), now)
            case ("status", _, _):
                link.online = decode(payload, Status).online
            case ("state", _, _):
                seen = decode(payload, _StateSeen).view
                who = self._authorities[link.table].leaseholder
                if who is None or seen.epoch != who.epoch:
                    return  # a machine that was replaced may still speak
                if (seen.epoch, seen.as_of) <= link.reported:
                    return  # nothing new, whoever says it: a signature costs more than all the rest
                if not signed_by(payload, TableState, who.key):
                    yield from self._not_its_word(link, f"state as of event {seen.epoch}/{seen.as_of}")
                    return
                link.report(seen.epoch, seen.as_of)
            case ("device", _, name) if payload and name in topics.DEVICES:
                link.devices[name] = decode(payload, _Health).state

    def _beaten(self, link: TableLink, beat: TableBeat, now: Millis) -> None:
        who = self._authorities[link.table].leaseholder
        if who is not None and beat.epoch == who.epoch and beat.boot == self._boot and beat.at <= now:
            link.answered_beat(beat.at)
            self._authorities[link.table].heard(beat.at)

    def _event(self, link: TableLink, raw: bytes, now: Millis) -> Iterator[Effect]:
        envelope = decode_envelope(raw)
        if (envelope.venue, envelope.table) != (self._venue, link.table):
            link.alerts["forged"] = (
                f"An event of table {envelope.table} in {envelope.venue} came on table {link.table}'s topic; "
                "not taken. Check that table's configuration."
            )
            yield Say(link.alerts["forged"], "warning")
            return
        authority = self._authorities[link.table]
        match authority.judge(envelope, raw):
            case EventStatus.ACCEPTED:
                link.heard(now)
                authority.heard(now)
                link.offer(envelope.epoch, envelope.seq)
                yield CommitEvent(raw)
            case EventStatus.AFTER_HANDOVER:
                yield from self._fence(link, envelope.epoch, now)
            case EventStatus.NOT_GRANTED | EventStatus.NOT_SIGNED:
                yield from self._not_its_word(link, f"event {envelope.epoch}/{envelope.seq}")
            case None:  # nobody is in charge yet: the machine keeps it and sends it again
                pass

    def _not_its_word(self, link: TableLink, what: str) -> Iterator[Effect]:
        """A machine that is not the leaseholder sends in the table's name."""
        text = (
            f"Table {link.table}: another machine sends in its name; its messages are refused. "
            "It must have that table's certificate: revoke it if this goes on."
        )
        if link.alerts.get("not its word") != text:
            link.alerts["not its word"] = text
            yield Say(f"{text} First: {what}.", "warning")

    def _birth(self, link: TableLink, birth: Birth, raw: bytes, now: Millis) -> Iterator[Effect]:
        authority = self._authorities[link.table]
        if (birth.venue, birth.table) != (self._venue, link.table) or not signed_by(raw, Birth, birth.key):
            yield from self._not_its_word(link, "a birth")
            return
        known = authority.claims_it(birth) or authority.is_crowded(now)
        match authority.asked(birth, self.head_of(link.table), now):
            case BirthAnswer.CLAIM:
                if not known:
                    yield Say(f"table {link.table}: machine {birth.ledger[:4]} claims it", "warning")
                yield from self._say_who(link, now)
                return
            case BirthAnswer.AGAIN:
                if self._questions[link.table].take(now):
                    question = Resend(self._next_id("birth"), link.epoch, link.seq + 1, birth=True)
                    authority.question = question.id
                    yield self._to(link, "command", encode(question))
                return
            case BirthAnswer.FIRST:
                epoch = authority.take(birth.ledger, birth.key, birth.epoch)
                yield GrantLease(link.table, birth.ledger, birth.key, epoch, birth.past)
            case BirthAnswer.LEASEHOLDER:
                authority.heard(now)
                yield from self._say_who(link, now)
            case BirthAnswer.UNNAMED if birth.epoch < max(link.epoch, authority.epoch):
                yield from self._fence(link, birth.epoch, now)
                return
        up = f"table {link.table} is up: epoch {birth.epoch}, last event {birth.last_seq}"
        yield Say(up, kind=f"up {link.table}")
        link.heard(now)
        link.alerts.pop("fenced", None)
        link.report(birth.epoch, birth.last_seq)
        link.renew()
        # The table may not have had the last acknowledgement, and it may have forgotten what it was told.
        yield from self._ack(link, link.epoch, link.seq)

    def lease_granted(self, given: LeaseGranted, now: Millis) -> Iterator[Effect]:
        """The leaseholder is on the disk: send the grant to every machine of the table."""
        self._authorities[given.table].taken(given.leaseholder)
        link = self._links[given.table]
        who = given.leaseholder
        yield Say(f"table {given.table}: machine {who.ledger[:4]} is the leaseholder, epoch {who.epoch}")
        yield from self._publish_leaseholder(link)
        yield from self._say_who(link, now)
        # What it said before, nobody took.
        yield from self._ask(link, now, [(link.epoch, link.seq + 1)])

    def _publish_leaseholder(self, link: TableLink) -> Iterator[Effect]:
        """Tell the relay the leaseholder; it follows no other machine."""
        who = self._authorities[link.table].leaseholder
        if who is not None:
            topic = topics.tournament(self._venue, f"charge/{link.table}")
            yield Publish(topic, encode(TableLeaseholder(link.table, who)), retain=True)

    def _say_who(self, link: TableLink, now: Millis) -> Iterator[Effect]:
        grant = self._authorities[link.table].grant(lambda: self._next_id("grant"), now)
        if grant is not None:
            yield self._to(link, "grant", encode(grant))

    def _handover(self, link: TableLink, wanted: HistoryWanted, now: Millis) -> Iterator[Effect]:
        who = self._authorities[link.table].leaseholder
        if who is None or (who.ledger, who.epoch) != (wanted.ledger, wanted.epoch) or link.epoch == who.epoch:
            return  # whoever is told already that it begins its epoch has the history
        if who.past and self._histories[link.table].take(now):
            upto = last_of(who)[:2]
            yield SendHistory(link.table, wanted, upto, self._next_id("history"))

    def _fence(self, link: TableLink, epoch: int, now: Millis) -> Iterator[Effect]:
        """A machine sends in an epoch that is over: send the grant, and show it to the director."""
        begun = max(link.epoch, self._authorities[link.table].epoch)
        text = (
            f"Table {link.table} sends in epoch {epoch}, but epoch {begun} has begun: it is fenced and its "
            "events are refused. Switch the old machine off, or hand the table over to it."
        )
        if link.fencing.due(now):
            link.fencing.said(now)
            yield from self._say_who(link, now)
        if link.alerts.get("fenced") != text:
            link.alerts["fenced"] = text
            yield Say(text, "warning")

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
            case EventVerdict.DUPLICATE:
                in_epoch = envelope.epoch == link.epoch
                yield from self._ack(link, envelope.epoch, link.seq if in_epoch else envelope.seq)
            case EventVerdict.GAP:
                link.not_taken()
                link.report(envelope.epoch, envelope.seq)
            case EventVerdict.BROKEN_CHAIN if envelope.epoch < link.epoch:
                yield from self._fence(link, envelope.epoch, now)
            case EventVerdict.BROKEN_CHAIN:
                yield from self._broken(link, accepted.why)
            case EventVerdict.MALFORMED:  # decoded before it was offered
                pass

    def not_recorded(self) -> None:
        """The disk took nothing of what was offered: the tables send it again."""
        for link in self._links.values():
            link.not_taken()

    def _new_event(self, link: TableLink, envelope: Envelope, raw: bytes, now: Millis) -> Iterator[Effect]:
        answers = link.collected(envelope, sha256(raw).hexdigest(), now)
        yield from self._ack(link, link.epoch, link.seq)
        if answers is not None and self._answered(answers):
            yield DropCommand(answers)
        self.changed[link.table] = link
        for kind in ("fenced", "broken", "malformed"):
            link.alerts.pop(kind, None)

    def show_changed(self) -> Iterator[Show]:
        """The tables with events since the last call."""
        changed, self.changed = self.changed, {}
        for link in changed.values():
            yield from self._show(link)

    def _show(self, link: TableLink) -> Iterator[Show]:
        if link.model.view is not None:
            yield Show(f"table/{link.table}", encode(link.model.view), f"{link.epoch}.{link.seq}")
            yield Show(f"history/{link.table}", encode(link.model.history()))

    def _broken(self, link: TableLink, why: str) -> Iterator[Effect]:
        text = (
            f"Table {link.table}: {why}. It is refused, and the table is not acknowledged beyond event "
            f"{link.epoch}/{link.seq}. Keep both ledgers and run `feltwire verify` on them."
        )
        if link.alerts.get("broken") != text:
            link.alerts["broken"] = text
            yield Say(text, "warning")

    def _ack(self, link: TableLink, epoch: int, seq: int) -> Iterator[Effect]:
        if seq > 0:
            yield self._to(link, "ack", encode(Ack(epoch, seq)))

    def _ask(
        self, link: TableLink, now: Millis, missing: Iterable[tuple[int, int]], *, birth: bool = False
    ) -> Iterator[Effect]:
        link.asking.said(now)
        for epoch, from_seq in missing:
            yield self._to(link, "command", encode(Resend(self._next_id("resend"), epoch, from_seq, birth)))

    def _next_id(self, what: str) -> str:
        """An id for a message that no event answers."""
        self._said += 1
        return f"{self._prefix}{what}-{self._started_at}-{self._said}"

    def _to(self, link: TableLink, leaf: str, payload: bytes) -> Publish:
        return Publish(topics.table(self._venue, link.table, leaf), payload)

    # --------------------------------------------------------------------------------------- showing

    def views(self) -> list[TableView]:
        """The tables that have sent something, as of the last event collected from each."""
        return [link.model.view for link in self._links.values() if link.model.view is not None]

    def devices(self) -> dict[str, dict[str, DeviceState]]:
        """The devices of each table. Their own topics are fresher than the events, and say it also for a device
        that never changed."""
        return {
            link.table: {**(link.model.view.devices if link.model.view is not None else {}), **link.devices}
            for link in self._links.values()
        }

    def watches(self) -> dict[str, TableWatch]:
        """What the tournament reads in the tables' events."""
        return {table: link.model.watch for table, link in self._links.items()}

    def facts(self) -> dict[str, TableFacts]:
        """What every table reports of the tournament."""
        return {table: link.model.facts() for table, link in self._links.items()}

    def seats_changed_at(self, table: str) -> tuple[int, int] | None:
        """The last event with which the seats of a table changed; None while its events are not all here."""
        link = self._links[table]
        return None if link.model.fault or link.misses_events or not link.seq else link.model.seats_changed_at

    def state_of(self, table: str) -> TableProjection | None:
        """What is known of a table; None where there is no such table."""
        link = self._links.get(table)
        return link.model.table if link is not None else None

    def going_back(self, wanted: RewindWanted) -> Sequence[str] | Refusal:
        """What going back at a table would do, in sentences; or why that cannot be."""
        return self._links[wanted.table].model.going_back(wanted)

    def rulings(self) -> RulingsView:
        return RulingsView(tuple(link.rulings() for link in self._links.values()))

    def silent(self, now: Millis) -> dict[str, Millis]:
        """Tables that have not answered a beat for ten seconds, with the boot time of the last one."""
        heard = {link.table: link.heard_at or self._started_at for link in self._links.values()}
        return {table: at for table, at in heard.items() if now - at >= SILENT_MS}

    def is_heard(self, table: str, now: Millis) -> bool:
        link = self._links.get(table)
        return link is not None and link.online and self.quiet_ms(table, now) < STALE_MS

    def quiet_ms(self, table: str, now: Millis) -> int:
        """How long nothing has been heard of a table."""
        link = self._links[table]
        return now - (self._started_at if link.heard_at is None else link.heard_at)

    def all_quiet_ms(self, now: Millis, closed: Container[str]) -> int:
        """How long nothing has been heard of any table that was heard before, where there are several; those in
        `closed` do not count."""
        heard = [link.heard_at for link in self._links.values() if link.heard_at and link.table not in closed]
        return now - max(heard) if len(heard) > 1 else 0

    def goes_quiet_at(self, now: Millis) -> Millis | None:
        """When the next table will be stale or silent, if it is not heard before."""
        quiet = (self.quiet_ms(table, now) for table in self._links)
        left = (limit - ms for ms in quiet for limit in (STALE_MS, SILENT_MS) if ms < limit)
        return Millis(now + ms) if (ms := min(left, default=None)) is not None else None

    def cells(self, now: Millis, closed: Container[str], items: Iterable[QueueItem]) -> list[Cell]:
        """Every table; those in `closed` play no longer. `items` is the queue, the worst first."""
        of_table: dict[str, list[QueueItem]] = {}
        for item in items:
            of_table.setdefault(item.table, []).append(item)
        return [
            self._cell(link, now, link.table in closed, of_table.get(link.table, ()))
            for link in self._links.values()
        ]

    def _cell(self, link: TableLink, now: Millis, closed: bool, items: Sequence[QueueItem]) -> Cell:
        view = link.model.view
        return cell_of(
            link.table,
            view,
            link.model.facts() if view is not None else None,
            self.quiet_ms(link.table, now),
            online=link.online,
            to_act_ms=self._to_act.ms(view, now) if view is not None else 0,
            closed=closed,
            items=items,
        )

    def mute(self) -> tuple[str, ...]:
        """Tables that are connected and have not answered a command for half a minute. Seats wait for the end of a
        hand."""
        return tuple(
            link.table
            for link in self._links.values()
            if link.online
            and any(
                waiting.backoff.wait_ms >= ASK_AGAIN_AT_MOST_MS
                and not (isinstance(waiting.command, ChangeSeats) and link.model.facts().in_hand)
                for waiting in link.outgoing.values()
            )
        )

    def problems(self, now: Millis) -> Iterator[str]:
        """Problems for the director."""
        yield from self._strangers.values()
        for table, authority in self._authorities.items():
            if authority.is_crowded(now):
                yield (
                    f"Table {table}: more machines claim it than are shown. They must have its "
                    "certificate: revoke that and give the table another. Claims are forgotten after ten minutes."
                )
        for link in self._links.values():
            yield from link.problems()
            played = link.model.other_rulebook(self._rulebook, self._sha256)
            if played:
                yield (
                    f"Table {link.table} plays under another version of {played} than the station has: copy the "
                    "same file to both and start them again."
                )

    def claims(self, now: Millis) -> list[ClaimView]:
        """Machines that claim a table which has a leaseholder."""
        authorities = self._authorities.values()
        return [view for authority in authorities for view in authority.claim_views(self._started_at, now)]

    def head_of(self, table: str) -> tuple[int, int]:
        """The last event collected of a table: epoch, seq; (0, 0) where there is none."""
        link = self._links[table]
        return link.head if link.seq else (0, 0)
