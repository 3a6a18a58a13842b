"""A station in one thread: the real node with its disk in memory, a broker that only notes, and time that moves
when it is told to.

Stories of a night use it, and tests. `room.py` adds tables and their wires.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from feltwire.config import StationConfig, rulebook_of
from feltwire.lab.strict_views import StrictViews
from feltwire.ledger.chain import LedgerHead, hash_of, past_epoch
from feltwire.ledger.room_ledger import Accepted, EventVerdict
from feltwire.ledger.tournament_ledger import decode_event
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusUp, Publish, Reply, Show
from feltwire.runtime.views import Views
from feltwire.station.node import StationNode
from feltwire.station.on_disk import OnDisk
from feltwire.station.queue.exception_queue import QueueRecord
from feltwire.station.station_io import (
    CloseEvent,
    CommitEvent,
    CommitRecords,
    Committed,
    Directed,
    DropCommand,
    Effect,
    FilePenalties,
    GrantLease,
    Input,
    KeepApart,
    KeepEvents,
    KeepLook,
    KeepPlayed,
    KeepSeason,
    LeaseGranted,
    RecordsCommitted,
    RecordsRefused,
    SaveClock,
    SaveCommand,
    SavePlayer,
    SavePoints,
    SaveQueue,
    SaveRestored,
    SaveWrites,
    SendHistory,
)
from feltwire.station.station_store import ClockRecord, Restored
from feltwire.station.tournament.kept import Kept
from table_core.messages import (
    MESSAGES_VERSION,
    MOST_STORED,
    AnyTableCommand,
    ClockState,
    History,
    Leaseholder,
    Millis,
    PastEpoch,
    RoomLook,
    StoredEvent,
    decode_stored,
    encode,
)
from table_core.tournament.events import OnFile
from table_core.tournament.money.league import EventResult
from table_core.tournament.money.played import PlayedEvent
from table_core.tournament.night import Night, Recorded

HISTORY_PAGE = 3  # short, so that a history takes several

E = TypeVar("E")


class MemoryLedger:
    """The judgement of `CollectedLedger` without the disk; survives the station as a disk does."""

    def __init__(self) -> None:
        self.rows: dict[str, list[bytes]] = {}

    def accept(self, raw: bytes) -> Accepted:
        envelope = decode_stored(raw)
        rows = self.rows.setdefault(envelope.table, [])
        last = decode_stored(rows[-1]) if rows else None
        head = LedgerHead(last.epoch, last.seq, hash_of(rows[-1])) if last else LedgerHead()
        kind = self._judge(head, envelope, raw, rows)
        if kind is EventVerdict.NEW:
            rows.append(raw)
            head = LedgerHead(envelope.epoch, envelope.seq, hash_of(raw))
        return Accepted(kind, envelope.table, head.epoch, head.seq + 1, envelope, kind.value)

    def epochs(self, table: str) -> tuple[PastEpoch, ...]:
        """As `CollectedLedger.epochs`."""
        first: dict[int, bytes] = {}
        last: dict[int, tuple[int, str]] = {}
        for raw in self.rows.get(table, []):
            envelope = decode_stored(raw)
            first.setdefault(envelope.epoch, raw)
            last[envelope.epoch] = envelope.seq, hash_of(raw)
        return tuple([past_epoch(epoch, *last[epoch], raw) for epoch, raw in first.items()])

    def _judge(self, head: LedgerHead, envelope: StoredEvent, raw: bytes, rows: list[bytes]) -> EventVerdict:
        if head.follows(envelope):
            return EventVerdict.NEW
        if raw in rows:
            return EventVerdict.DUPLICATE
        ahead = (envelope.epoch, envelope.seq) > (head.epoch, head.seq + 1)
        return EventVerdict.GAP if ahead or not rows else EventVerdict.BROKEN_CHAIN


class MemoryStation:
    """Drives the node, answers its commits, and keeps what it did. `now` is boot time; `wall` gives the wall time
    of it.

    The disk: `ledger`, `clock_record`, `queue_record`, `outgoing`, `leaseholders`, `records`, `names`, `born`,
    `apart`, `on_file`, `season`, `filed`, `restored`, `writes`, `look`; `tournament` counts the events, `last`
    is how the last one began. What it did: `effects`, and `pages` with the newest snapshot of each channel. With
    `disk_full` it takes no records; with `dies` it takes them and never answers. A view that raises, raises:
    `views` that do not are for tests that plant a fault.
    """

    views: Views = StrictViews()

    def __init__(
        self,
        config: StationConfig,
        *,
        ledger: MemoryLedger | None = None,
        recorded: ClockRecord | None = None,
        outgoing: Sequence[tuple[str, AnyTableCommand]] = (),
        leaseholders: Mapping[str, Leaseholder] | None = None,
        queue: QueueRecord | None = None,
        records: Sequence[Recorded] = (),
        names: Mapping[str, str] | None = None,
        born: Mapping[str, str] | None = None,
        shown: Mapping[str, str] | None = None,
        apart: Sequence[tuple[str, str]] = (),
        on_file: Sequence[OnFile] = (),
        season: Sequence[EventResult] = (),
        played: Sequence[PlayedEvent] = (),
        points: str = "",
        restored: Sequence[Restored] = (),
        tournament: int = 1,
        last: bytes = b"",
        kept: Kept | None = None,
        writes: int = MESSAGES_VERSION,
        look: RoomLook | None = None,
        boot: str = "b1",
        now: int = 0,
        wall: Callable[[Millis], Millis] = lambda now: Millis(1_700_000_000_000 + now),
    ) -> None:
        self.config = config
        self.boot = boot
        self.now = Millis(now)
        self.ledger = ledger or MemoryLedger()
        self.clock_record = recorded
        self.queue_record = queue
        self.leaseholders = dict(leaseholders or {})
        self.outgoing = list(outgoing)
        self.records = [_as_on_disk(record) for record in records]
        self.names = dict(names or {})
        self.born = dict(born or {})
        self.shown = dict(shown or {})
        self.apart = list(apart)
        self.on_file = tuple(on_file)
        self.season = tuple(season)
        self.played, self.points = tuple(played), points
        self.restored = tuple(restored)
        self.writes = writes
        self.look = look or RoomLook()
        self.filed: tuple[OnFile, ...] = ()
        self.disk_full = False
        self.dies = False
        self.effects: list[Effect] = []
        self._given: deque[Input | None] = deque()
        self.pages: dict[str, bytes] = {}
        self.answers_to_beats: Callable[[bytes], Iterable[Arrived]] = lambda beat: ()
        self.wake_at = self.now
        self.wall = wall
        self.tournament, self.last, self.kept = tournament, last, kept or Kept()
        self._closed = False
        self.node = self._new_node()
        self.give(None)

    def _new_node(self) -> StationNode:
        """From what is on the disk."""
        book = rulebook_of(self.config)
        night, lost = Night.as_far_as_told(self.records, book)
        found = OnDisk(
            tournament=f"t{self.tournament}",
            night=night,
            clock=self.clock_record,
            outgoing=self.outgoing,
            leaseholders=self.leaseholders,
            queue=self.queue_record,
            names=self.names,
            born=self.born,
            shown=self.shown,
            apart=self.apart,
            on_file=self.on_file,
            last=self.last,
            kept=self.kept,
            season=lambda: self.season,
            played=lambda: self.played,
            points=self.points,
            restored=self.restored,
            lost=lost,
            writes=self.writes,
            look=self.look,
        )
        node = StationNode(
            self.config, book, found, boot=self.boot, now=self.now, wall=self.wall, views=self.views
        )
        for table, rows in self.ledger.rows.items():
            envelopes = [decode_stored(raw) for raw in rows]
            numbered = [(e.epoch, e.seq, raw) for e, raw in zip(envelopes, rows, strict=True)]
            node.recover(table, numbered)
        return node

    def killed(self, *, now: int | None = None, boot: str = "b1") -> MemoryStation:
        """The station started again with what was on its disk."""
        return type(self)(
            self.config,
            ledger=self.ledger,
            recorded=self.clock_record,
            outgoing=self.outgoing,
            leaseholders=self.leaseholders,
            queue=self.queue_record,
            records=self.records,
            names=self.names,
            born=self.born,
            shown=self.shown,
            apart=self.apart,
            on_file=self.on_file,
            season=self.season,
            played=self.played,
            points=self.points,
            restored=self.restored,
            tournament=self.tournament,
            last=self.last,
            kept=self.kept,
            writes=self.writes,
            look=self.look,
            boot=boot,
            now=self.now if now is None else now,
            wall=self.wall,
        )

    def up(self) -> MemoryStation:
        self.give(BusUp())
        return self

    def give(self, given: Input | None) -> list[Effect]:
        """One input and everything that follows from it; the effects in order."""
        done: list[Effect] = []
        self._given.append(given)
        while self._given:
            effects, self.wake_at = self.node.step(self._given.popleft(), self.now)
            for effect in effects:
                done.append(effect)
                done += self._perform(effect)
            self.effects += effects
            if self._closed:
                self._closed, self.node = False, self._new_node()
                self._given += (None, BusUp())
        return done

    def _perform(self, effect: Effect) -> list[Effect]:
        """What the disk answers is the node's next input, once all effects of this step are carried out."""
        match effect:
            case CommitEvent():
                self._given.append(Committed(effect.raw, self.ledger.accept(effect.raw)))
            case GrantLease():
                self.leaseholders[effect.table] = self._leaseholder(effect)
                self._given.append(LeaseGranted(effect.table, self.leaseholders[effect.table]))
            case SendHistory():
                return [self._history(effect)]
            case Publish() if effect.topic == topics.tournament(self.config.venue, "beat"):
                self._given += self.answers_to_beats(effect.payload)
            case Show():
                self.pages[effect.channel] = effect.snapshot
            case CommitRecords() if self.disk_full:
                self._given.append(RecordsRefused("the disk is full"))
            case CommitRecords() if self.dies:  # behind the commit, before its answer
                self.records += effect.records
            case CommitRecords():
                self.records += effect.records
                self._given.append(RecordsCommitted())
            case CloseEvent():
                self.records, self.outgoing, self.queue_record = [], [], None
                self.clock_record, self.last = effect.clock, effect.last
                self.on_file = (*self.on_file, *self.filed)
                self.tournament, self._closed = self.tournament + 1, True
            case SavePlayer():
                self.names[effect.player], self.born[effect.player] = effect.name, effect.born
                self.shown[effect.player] = effect.shown
            case KeepApart():
                self.apart.append((effect.one, effect.other))
            case KeepEvents():
                self.kept = effect.kept
            case KeepSeason():
                self.season = effect.results
            case KeepPlayed():
                self.played = effect.played
            case SavePoints():
                self.points = effect.formula
            case FilePenalties():
                self.filed = effect.penalties
            case SaveClock():
                self.clock_record = effect.record
            case SaveQueue():
                self.queue_record = effect.record
            case SaveRestored():
                self.restored = effect.restored
            case SaveWrites():
                self.writes = effect.version
            case KeepLook():
                self.look = effect.look
            case SaveCommand():
                self.outgoing.append((effect.table, effect.command))
            case DropCommand():
                self.outgoing = [(t, c) for t, c in self.outgoing if c.id != effect.id]
            case _:
                pass
        return []

    def _leaseholder(self, effect: GrantLease) -> Leaseholder:
        past = self.ledger.epochs(effect.table) if effect.past is None else effect.past
        return Leaseholder(effect.ledger, effect.epoch, effect.key, past)

    def _history(self, effect: SendHistory) -> Publish:
        after = (effect.wanted.after_epoch, effect.wanted.after_seq)
        numbered = [(decode_stored(raw), raw) for raw in self.ledger.rows[effect.table]]
        page = [raw for e, raw in numbered if after < (e.epoch, e.seq) <= effect.upto][:HISTORY_PAGE]
        history = History(effect.id, effect.wanted.ledger, tuple(map(msgspec.Raw, page)))
        return Publish(topics.table(self.config.venue, effect.table, "grant"), encode(history))

    def wait(self, ms: int) -> list[Effect]:
        """Time passes; the node wakes whenever it asked to."""
        until, done = self.now + ms, []
        while self.wake_at <= until:
            self.now = Millis(max(self.now, self.wake_at))
            done += self.give(None)
        self.now = Millis(until)
        return done + self.give(None)

    def press(self, command: str, id_: str = "p1", **arguments: Any) -> Reply:
        done = self.give(Directed(id_, command, arguments))
        (reply,) = of(done, Reply)
        return reply

    @property
    def clock(self) -> ClockState:
        return msgspec.json.decode(self.pages["clock"], type=ClockState)


def _as_on_disk(record: Recorded) -> Recorded:
    """What a ledger gives back of a record."""
    return Recorded(
        record.no, record.at, record.command, record.by, decode_event(encode(record.event, MOST_STORED))
    )


def of(effects: Sequence[Effect], kind: type[E]) -> list[E]:
    return [effect for effect in effects if isinstance(effect, kind)]
