"""A process starts from the disk that a power cut left: whether it does, and whether all is there that it said."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from feltwire.config import Broker, CameraConfig, RelayConfig, SerialDevice, StationConfig, TableConfig, Web, load
from feltwire.errors import UsageError
from feltwire.ledger.checkpoints import check_checkpoints
from feltwire.ledger.releases import read_releases
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.relay.keys import RelayKeys
from feltwire.relay.process import RelayProcess
from feltwire.runtime.process import Process
from feltwire.station.process import StationProcess
from feltwire.table.process import TableProcess
from table_core.messages import (
    Ack,
    Birth,
    Grant,
    HandTabled,
    OverlayView,
    TableState,
    decode,
    decode_envelope,
)
from tests.powercuts.recording import Said

NOBODY = "mqtt://127.0.0.1:9"  # no broker listens there
P = TypeVar("P", bound=Process)
Row = tuple[int, int, bytes]


class Restart(ABC, Generic[P]):
    """`final` is the data folder as the recorded process left it in the end."""

    @abstractmethod
    def process(self, folder: Path) -> P:
        """The process on the disk in `folder`."""

    @abstractmethod
    def faults(self, process: P, said: Sequence[Said]) -> Iterator[str]:
        """What is missing of what was said, or is there and never was."""

    def check(self, folder: Path, said: Sequence[Said]) -> list[str]:
        """Start the process from this disk; everything that is wrong with it. `said` left it before the cut."""
        try:
            process = self.process(folder)
        except Exception as error:  # noqa: BLE001  (whatever keeps it from starting is a fault)
            return [f"does not start: {type(error).__name__}: {error}"]
        found: list[str] = []
        try:
            found += self.faults(process, said)
            process.start()
        except UsageError as error:
            found.append(f"cannot be read: {error}")
        finally:
            process.stop()
        if process.driver.failure is not None:
            found.append(f"fails at its first step: {process.driver.failure!r}")
        return found


class TableRestart(Restart[TableProcess]):
    """What a table said: frames acknowledged, events, sealed cards and states sent, its birth."""

    def __init__(self, config: Path, final: Path) -> None:
        self._config = load(config, TableConfig)
        with closing(Ledger.open(final / f"table-{self._config.table}.ledger", read_only=True)) as ledger:
            self._rows = list(ledger.raw_events())

    def process(self, folder: Path) -> TableProcess:
        none = SerialDevice()
        config = msgspec.structs.replace(
            self._config,
            data=str(folder),
            runtime=str(folder.parent / "run"),
            broker=Broker(NOBODY),
            web=Web(port=0),
            keypad=none,
            shoe=none,
            camera=CameraConfig(),
        )
        return TableProcess(config)

    def faults(self, process: TableProcess, said: Sequence[Said]) -> Iterator[str]:
        ledger = process.ledger
        rows = list(ledger.raw_events())
        yield from _prefix(rows, self._rows, "table")
        seen = {(one.boot, one.seq) for one in ledger.observations()}
        events = {raw for _, _, raw in rows}
        sealed = {raw for _, _, raw in ledger.sealed_newest(1_000_000)}
        for one in said:
            leaf = one.topic.rpartition("/")[2]
            if one.seq and (one.boot, one.seq) not in seen:
                yield f"frame {one.boot:x}/{one.seq} was acknowledged and is lost"
            elif leaf == "event" and one.payload not in events:
                yield "an event was sent and is lost"
            elif leaf == "sealed" and one.payload not in sealed:
                yield "a sealed card was sent and is lost"
            elif leaf == "state":
                view = decode(one.payload, TableState).view
                if (view.epoch, view.as_of) > (ledger.head.epoch, ledger.head.seq):
                    yield f"a state as of {view.epoch}/{view.as_of} was sent and is lost"
            elif leaf == "birth":
                birth = decode(one.payload, Birth)
                if (birth.ledger, birth.key) != (ledger.identity(), ledger.key.public):
                    yield "it said which machine it is, and is another one"


class StationRestart(Restart[StationProcess]):
    """What a station said: events acknowledged, grants, answers to the director's presses. `answers` says how many
    records of the tournament, and how many names, were there when a text was answered."""

    def __init__(self, config: Path, final: Path, answers: dict[str, tuple[int, int]] | None = None) -> None:
        self._config = load(config, StationConfig)
        self._answers = {text.encode(): counts for text, counts in (answers or {}).items()}
        with closing(CollectedLedger.open(final / "station.ledger", read_only=True)) as ledger:
            self._rows = {table: list(ledger.raw_events(table)) for table in ledger.heads()}
        with closing(TournamentLedger.open(final / "tournament.ledger", read_only=True)) as records:
            self._records = [msgspec.to_builtins(record.event) for record in records.records()]

    def process(self, folder: Path) -> StationProcess:
        broker, web = Broker(NOBODY), Web(port=0)
        return StationProcess(msgspec.structs.replace(self._config, data=str(folder), broker=broker, web=web))

    def faults(self, process: StationProcess, said: Sequence[Said]) -> Iterator[str]:
        ledger = process.ledger
        heads = ledger.heads()
        for table, head in heads.items():
            yield from _prefix(list(ledger.raw_events(table)), self._rows[table], f"table {table}")
            assert head.hash
        checkpoints = list(check_checkpoints(ledger.checkpoints(), None))
        if checkpoints and checkpoints[-1].key != ledger.public:
            yield "checkpoints go on with another key"
        records = [msgspec.to_builtins(record.event) for record in process.records.records()]
        if records != self._records[: len(records)]:
            yield "records are there that were never made"
        leases = process.store.leaseholders()
        names = len(process.players.names())
        for one in said:
            table, leaf = _where(one.topic)
            if leaf == "ack":
                ack, head = decode(one.payload, Ack), heads.get(table)
                if head is None or (head.epoch, head.seq) < (ack.epoch, ack.seq):
                    yield f"event {ack.epoch}/{ack.seq} of table {table} was acknowledged and is lost"
            elif leaf == "grant" and (grant := _grant(one.payload)) is not None:
                lease = leases.get(table)
                if lease is None or (lease.epoch, lease.ledger) != (grant.epoch, grant.ledger):
                    yield f"epoch {grant.epoch} of table {table} was granted and is lost"
            elif one.browser:
                for text, (count, named) in self._answers.items():
                    if text in one.payload and (len(records) < count or names < named):
                        yield f"{text.decode()} was answered; {len(records)} of {count} records are there"


class RelayRestart(Restart[RelayProcess]):
    """What a relay said: sealed cards acknowledged, cards shown that nobody had tabled."""

    def __init__(self, config: Path, final: Path) -> None:
        self._config = load(config, RelayConfig)
        self._key = RelayKeys.load(self._config.key).verify_hex
        self._released = list(read_releases(final / "releases.jsonl", key=self._key))
        self._hands: dict[tuple[str, int, int], int] = {}  # of each sealed card, by table, epoch and number
        self._tabled: set[tuple[str, int, str]] = set()
        for path in final.glob("table-*.ledger"):
            self._read_table(path)

    def _read_table(self, path: Path) -> None:
        hand = 0
        with closing(Ledger.open(path, read_only=True)) as ledger:
            for _, _, raw in ledger.raw_events():
                envelope = decode_envelope(raw)
                hand = getattr(envelope.data, "hand", hand)
                if isinstance(envelope.data, HandTabled):
                    self._tabled |= {(envelope.table, hand, card) for card in envelope.data.cards}
            table = path.stem.removeprefix("table-")
            for epoch, seq, raw in ledger.sealed_newest(1_000_000):
                self._hands[table, epoch, seq] = msgspec.json.decode(raw)["hand"]

    def process(self, folder: Path) -> RelayProcess:
        broker, web = Broker(NOBODY), Web(port=0)
        return RelayProcess(msgspec.structs.replace(self._config, data=str(folder), broker=broker, web=web))

    def faults(self, process: RelayProcess, said: Sequence[Said]) -> Iterator[str]:
        path = process.releases.path
        released = list(read_releases(path, key=self._key)) if path.exists() else []
        if released != self._released[: len(released)]:
            yield "cards are released that never were"
        shown = {(one.table, one.hand, one.card) for one in released}
        rows = process.store._store.rows("SELECT table_id, epoch, seq FROM boxes")
        boxes = {tuple(row) for row in rows}
        over = set(process.store._store.rows("SELECT table_id, hand FROM released"))
        inboxes = process.store.inboxes()
        for one in said:
            table, leaf = _where(one.topic)
            if leaf == "sealed/ack":
                ack, inbox = decode(one.payload, Ack), inboxes.get(table)
                if inbox is None or (inbox.epoch, inbox.upto) < (ack.epoch, ack.seq):
                    yield f"box {ack.epoch}/{ack.seq} was acknowledged, and the relay does not know"
                for seq in range(1, ack.seq + 1):
                    kept = (table, ack.epoch, seq) in boxes
                    if not kept and (table, self._hands[table, ack.epoch, seq]) not in over:
                        yield f"box {ack.epoch}/{seq} was acknowledged and is lost"
            elif "/overlay/" in one.topic:
                view = decode(one.payload, OverlayView)
                for card in (card for seat in view.seats for card in seat.cards if card != "??"):
                    where = (view.table, view.hand, card)
                    if where not in self._tabled and where not in shown:
                        yield f"a card of hand {view.hand} was shown and is not in the releases"


def _prefix(rows: list[Row], final: list[Row], what: str) -> Iterator[str]:
    if rows != final[: len(rows)]:
        yield f"{what}: events are there that were never recorded"


def _where(topic: str) -> tuple[str, str]:
    """The table and the rest of a topic `…/table/<table>/<leaf>`."""
    _, found, rest = topic.partition("/table/")
    table, _, leaf = rest.partition("/")
    return (table, leaf) if found else ("", "")


def _grant(raw: bytes) -> Grant | None:
    return msgspec.json.decode(raw, type=Grant) if b'"type":"grant"' in raw else None
