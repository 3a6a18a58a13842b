"""A station in memory, and tables that speak when told to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from feltwire.config import StationConfig
from feltwire.lab.station.memory import MemoryStation, of
from feltwire.ledger.chain import LedgerHead, chain, hash_of
from feltwire.ledger.signing import LedgerKey
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Publish, Say
from feltwire.station.station_io import (
    Effect,
)
from table_core.messages import (
    Ack,
    AnyEvent,
    AnyTableCommand,
    At,
    Birth,
    Chips,
    ClockFollowed,
    FollowClock,
    ItemKind,
    Leaseholder,
    Level,
    LevelBegan,
    Millis,
    Noticed,
    PastEpoch,
    QueueView,
    RoomView,
    ScheduleSet,
    Seat,
    SeatsSet,
    SeatStack,
    SetLevel,
    SetSchedule,
    Status,
    TableState,
    decode_command,
    decode_envelope,
    encode,
)
from tests.display import fixtures

VENUE = "hall"
AT = At(boot="t" * 16, ms=Millis(1))
MINUTE = 60_000

HISTORY_PAGE = 3  # short, so that a history takes several

E = TypeVar("E")


@dataclass(frozen=True)
class Claimed:
    """A machine that claims a table, as the director is asked about it."""

    text: str
    table: str
    ledger: str
    key: str


def level(no: int, minutes: float = 20, *, is_break: bool = False) -> Level:
    return Level(no=no, small_blind=Chips(50 * no), big_blind=Chips(100 * no), minutes=minutes, is_break=is_break)


LEVELS = (level(1), level(2), level(0, 10, is_break=True), level(3, 15))


def config(tables: Sequence[str] = ("01", "02"), **more: Any) -> StationConfig:
    settings: dict[str, Any] = {"venue": VENUE, "data": "unused", "tables": tuple(tables), "levels": LEVELS}
    settings["autostart"] = True
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

    def obey(self, command: AnyTableCommand) -> list[bytes]:
        """The events with which a table between two hands answers the schedule, its level and the clock."""
        match command:
            case SetSchedule():
                return self.write(ScheduleSet(command.revision, command.levels), cause=command.id)
            case SetLevel():
                return self.write(LevelBegan(command.level), cause=command.id)
            case FollowClock():
                told = {name: getattr(command, name) for name in ClockFollowed.__struct_fields__}
                return self.write(ClockFollowed(**told), cause=command.id)
        return []

    def topic(self, leaf: str) -> str:
        return topics.table(VENUE, self.table, leaf)

    def birth(self, *, epoch: int | None = None, last_seq: int | None = None) -> Arrived:
        epoch = self.head.epoch if epoch is None else epoch
        last = self.head.seq if last_seq is None else last_seq
        before = {e.epoch: (e.seq, hash_of(raw)) for raw in self.rows if (e := decode_envelope(raw)).epoch < epoch}
        past = tuple(PastEpoch(e, *end, self.ledger, self.key.public) for e, end in before.items())
        born = Birth(VENUE, self.table, epoch, last, "s", self.ledger, self.head.hash, self.key.public, past)
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


class Station(MemoryStation):
    """Without `leaseholders` a `FakeTable` of each table was put in charge before."""

    def __init__(
        self,
        settings: StationConfig | None = None,
        *,
        leaseholders: Mapping[str, Leaseholder] | None = None,
        **disk: Any,
    ) -> None:
        settings = settings or config()
        if leaseholders is None:
            leaseholders = {table: FakeTable(table).leaseholder for table in settings.tables}
        super().__init__(settings, leaseholders=leaseholders, **disk)

    def hear(self, table: FakeTable, *raws: bytes) -> list[Effect]:
        return [effect for raw in raws for effect in self.give(Arrived(table.topic("event"), raw))]

    @property
    def queue(self) -> QueueView:
        self.wait(100)
        return msgspec.json.decode(self.pages["queue"], type=QueueView)

    @property
    def alerts(self) -> tuple[str, ...]:
        """What is said to the director of the station and its tables."""
        return tuple(item.fact for item in self.queue.items if item.kind in (ItemKind.OTHER, ItemKind.DISK))

    @property
    def claims(self) -> tuple[Claimed, ...]:
        """Machines that claim a table, as the director is asked about them."""
        asked = [item for item in self.queue.items if item.kind is ItemKind.CLAIM]
        return tuple(Claimed(item.fact, **item.primary.arguments) for item in asked if item.primary is not None)

    @property
    def room(self) -> RoomView:
        self.wait(100)
        return msgspec.json.decode(self.pages["room"], type=RoomView)


def sent(effects: Sequence[Effect], table: FakeTable, leaf: str) -> list[bytes]:
    return [p.payload for p in of(effects, Publish) if p.topic == table.topic(leaf)]


def acks(effects: Sequence[Effect], table: FakeTable) -> list[Ack]:
    return [msgspec.json.decode(raw, type=Ack) for raw in sent(effects, table, "ack")]


def commands(effects: Sequence[Effect], table: FakeTable) -> list[AnyTableCommand]:
    to_table = [p for p in of(effects, Publish) if p.topic in (table.topic("command"), table.topic("grant"))]
    return [decode_command(publish.payload) for publish in to_table]


def said(effects: Sequence[Effect]) -> str:
    return "\n".join(say.text for say in of(effects, Say))
