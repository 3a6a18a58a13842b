"""A station's node with a ledger in memory, a broker that only notes, and tables that speak when told to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from feltwire.config import StationConfig
from feltwire.ledger.chain import LedgerHead, chain, hash_of, past_epoch
from feltwire.ledger.room_ledger import Accepted, EventVerdict
from feltwire.ledger.signing import LedgerKey
from feltwire.runtime import topics
from feltwire.runtime.node_io import Arrived, BusUp, Publish, Reply, Say, Show
from feltwire.station.node import StationNode
from feltwire.station.station_io import (
    CommitEvent,
    CommitRecords,
    Committed,
    Directed,
    DropCommand,
    Effect,
    GrantLease,
    Input,
    LeaseGranted,
    RecordsCommitted,
    RecordsRefused,
    SaveClock,
    SaveCommand,
    SavePlayer,
    SendHistory,
)
from feltwire.station.station_store import ClockRecord
from table_core.messages import (
    Ack,
    AnyEvent,
    AnyTableCommand,
    At,
    Birth,
    Chips,
    ClockState,
    Envelope,
    History,
    Leaseholder,
    Level,
    Millis,
    Noticed,
    PastEpoch,
    RoomView,
    Seat,
    SeatsSet,
    SeatStack,
    Status,
    TableState,
    decode_command,
    decode_envelope,
    encode,
)
from table_core.rulebook import load_rulebook
from table_core.tournament.night import Night, Recorded
from tests.display import fixtures

VENUE = "hall"
AT = At(boot="t" * 16, ms=Millis(1))
MINUTE = 60_000

HISTORY_PAGE = 3  # short, so that a history takes several

E = TypeVar("E")


def level(no: int, minutes: float = 20, *, is_break: bool = False) -> Level:
    return Level(no=no, small_blind=Chips(50 * no), big_blind=Chips(100 * no), minutes=minutes, is_break=is_break)


LEVELS = (level(1), level(2), level(0, 10, is_break=True), level(3, 15))


def config(tables: Sequence[str] = ("01", "02"), **more: Any) -> StationConfig:
    settings: dict[str, Any] = {"venue": VENUE, "data": "unused", "tables": tuple(tables), "levels": LEVELS}
    return StationConfig(**settings | more)


def seated(*stacks: int) -> SeatsSet:
    return SeatsSet(
        tuple(SeatStack(Seat(n), Chips(stack), f"P{n}") for n, stack in enumerate(stacks, 1)), Seat(1), hand=1
    )


def notices(count: int) -> list[AnyEvent]:
    return [Noticed(kind="test", text=f"fact {n}") for n in range(count)]


class FakeTable:
    """Writes a valid chain of events and keeps it, as a table's ledger does."""

    def __init__(self, table: str = "01", ledger: str = "") -> None:
        self.table = table
        self.ledger = ledger or f"{int(table):016}"
        self.key = LedgerKey(self.ledger.encode().ljust(32))
        self.head = LedgerHead()
        self.rows: list[bytes] = []

    def write(self, *facts: AnyEvent, cause: str = "") -> list[bytes]:
        written = chain(self.head, facts, at=AT, venue=VENUE, table=self.table, cause=cause, key=self.key)
        self.head = written[-1].head if written else self.head
        raws = [entry.raw for entry in written]
        self.rows += raws
        return raws

    def topic(self, leaf: str) -> str:
        return topics.table(VENUE, self.table, leaf)

    def birth(self, *, epoch: int | None = None, last_seq: int | None = None) -> Arrived:
        epoch = self.head.epoch if epoch is None else epoch
        last = self.head.seq if last_seq is None else last_seq
        before = {e.epoch: (e.seq, hash_of(raw)) for raw in self.rows if (e := decode_envelope(raw)).epoch < epoch}
        past = tuple(PastEpoch(e, *end, self.ledger, self.key.public) for e, end in before.items())
        born = Birth(VENUE, self.table, epoch, last, "s", {}, self.ledger, self.head.hash, self.key.public, past)
        return Arrived(self.topic("birth"), self.key.sign(born))

    def state(self, as_of: int) -> Arrived:
        """Its retained snapshot."""
        view = msgspec.structs.replace(
            fixtures.table_view(), venue=VENUE, table=self.table, epoch=self.head.epoch, as_of=as_of
        )
        return Arrived(self.topic("state"), self.key.sign(TableState(view)))

    @property
    def leaseholder(self) -> Leaseholder:
        """It is in charge, in the epoch that it is in."""
        return Leaseholder(self.ledger, self.head.epoch, self.key.public)

    def status(self, *, online: bool) -> Arrived:
        return Arrived(self.topic("status"), encode(Status(online=online)))


class MemoryLedger:
    """The judgement of `CollectedLedger` without the disk; survives the station as a disk does."""

    def __init__(self) -> None:
        self.rows: dict[str, list[bytes]] = {}

    def accept(self, raw: bytes) -> Accepted:
        envelope = decode_envelope(raw)
        rows = self.rows.setdefault(envelope.table, [])
        last = decode_envelope(rows[-1]) if rows else None
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
            envelope = decode_envelope(raw)
            first.setdefault(envelope.epoch, raw)
            last[envelope.epoch] = envelope.seq, hash_of(raw)
        return tuple([past_epoch(epoch, *last[epoch], raw) for epoch, raw in first.items()])

    def _judge(self, head: LedgerHead, envelope: Envelope, raw: bytes, rows: list[bytes]) -> EventVerdict:
        if head.follows(envelope):
            return EventVerdict.NEW
        if raw in rows:
            return EventVerdict.DUPLICATE
        ahead = (envelope.epoch, envelope.seq) > (head.epoch, head.seq + 1)
        return EventVerdict.GAP if ahead or not rows else EventVerdict.BROKEN_CHAIN


class Station:
    """Drives the node, answers its commits, and keeps what it did. `now` is boot time; nothing waits for it.

    Without `charges` a `FakeTable` of each table was put in charge before.
    """

    def __init__(
        self,
        settings: StationConfig | None = None,
        *,
        ledger: MemoryLedger | None = None,
        recorded: ClockRecord | None = None,
        outgoing: Sequence[tuple[str, AnyTableCommand]] = (),
        leaseholders: Mapping[str, Leaseholder] | None = None,
        records: Sequence[Recorded] = (),
        names: Mapping[str, str] | None = None,
        boot: str = "b1",
        now: int = 0,
    ) -> None:
        self.config = settings or config()
        self.now = Millis(now)
        self.ledger = ledger or MemoryLedger()
        self.clock_record = recorded
        if leaseholders is None:
            leaseholders = {table: FakeTable(table).leaseholder for table in self.config.tables}
        self.leaseholders = dict(leaseholders)
        self.outgoing = list(outgoing)
        self.records = list(records)
        self.disk_full = False  # for records of the tournament
        self.dies = False
        self.names = dict(names or {})
        self.effects: list[Effect] = []
        self.pages: dict[str, bytes] = {}
        self.wake_at = self.now
        self.node = StationNode(
            self.config,
            load_rulebook("base"),
            tournament="t1",
            boot=boot,
            now=self.now,
            recorded=recorded,
            outgoing=outgoing,
            leaseholders=leaseholders,
            night=Night.replayed(self.records),
            names=self.names,
            wall=lambda now: Millis(1_700_000_000_000 + now),
        )
        for table, rows in self.ledger.rows.items():
            envelopes = [decode_envelope(raw) for raw in rows]
            numbered = [(e.epoch, e.seq, raw) for e, raw in zip(envelopes, rows, strict=True)]
            self.node.recover(table, numbered)
        self.give(None)

    def killed(self, *, now: int | None = None, boot: str = "b1") -> Station:
        """The station started again with what was on its disk."""
        return Station(
            self.config,
            ledger=self.ledger,
            recorded=self.clock_record,
            outgoing=self.outgoing,
            leaseholders=self.leaseholders,
            records=self.records,
            names=self.names,
            boot=boot,
            now=self.now if now is None else now,
        )

    def up(self) -> Station:
        self.give(BusUp())
        return self

    def give(self, given: Input | None) -> list[Effect]:
        """One input and everything that follows from it; the effects in order."""
        effects, self.wake_at = self.node.step(given, self.now)
        done: list[Effect] = []
        for effect in effects:
            done.append(effect)
            done += self._perform(effect)
        self.effects += effects
        return done

    def _perform(self, effect: Effect) -> list[Effect]:
        match effect:
            case CommitEvent():
                return self.give(Committed(effect.raw, self.ledger.accept(effect.raw)))
            case GrantLease():
                self.leaseholders[effect.table] = self._leaseholder(effect)
                return self.give(LeaseGranted(effect.table, self.leaseholders[effect.table]))
            case SendHistory():
                return [self._history(effect)]
            case Show():
                self.pages[effect.channel] = effect.snapshot
            case CommitRecords() if self.disk_full:
                return self.give(RecordsRefused("the disk is full"))
            case CommitRecords() if self.dies:  # behind the commit, before its answer
                self.records += effect.records
            case CommitRecords():
                self.records += effect.records
                return self.give(RecordsCommitted())
            case SavePlayer():
                self.names[effect.player] = effect.name
            case SaveClock():
                self.clock_record = effect.record
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
        numbered = [(decode_envelope(raw), raw) for raw in self.ledger.rows[effect.table]]
        page = [raw for e, raw in numbered if after < (e.epoch, e.seq) <= effect.upto][:HISTORY_PAGE]
        history = History(effect.id, effect.wanted.ledger, tuple(map(msgspec.Raw, page)))
        return Publish(topics.table(VENUE, effect.table, "grant"), encode(history))

    def hear(self, table: FakeTable, *raws: bytes) -> list[Effect]:
        return [effect for raw in raws for effect in self.give(Arrived(table.topic("event"), raw))]

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
    def room(self) -> RoomView:
        self.wait(100)
        return msgspec.json.decode(self.pages["room"], type=RoomView)

    @property
    def clock(self) -> ClockState:
        return msgspec.json.decode(self.pages["clock"], type=ClockState)


def of(effects: Sequence[Effect], kind: type[E]) -> list[E]:
    return [effect for effect in effects if isinstance(effect, kind)]


def sent(effects: Sequence[Effect], table: FakeTable, leaf: str) -> list[bytes]:
    return [p.payload for p in of(effects, Publish) if p.topic == table.topic(leaf)]


def acks(effects: Sequence[Effect], table: FakeTable) -> list[Ack]:
    return [msgspec.json.decode(raw, type=Ack) for raw in sent(effects, table, "ack")]


def commands(effects: Sequence[Effect], table: FakeTable) -> list[AnyTableCommand]:
    to_table = [p for p in of(effects, Publish) if p.topic in (table.topic("command"), table.topic("grant"))]
    return [decode_command(publish.payload) for publish in to_table]


def said(effects: Sequence[Effect]) -> str:
    return "\n".join(say.text for say in of(effects, Say))
