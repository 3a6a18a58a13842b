"""A tournament's room in one thread: the station's node, its tables, and the wires between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from feltwire.config import StationConfig
from feltwire.lab.station.memory import MemoryStation, of
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Publish, Reply
from feltwire.station.station_io import Directed, Effect
from table_core.messages import Beat, Leaseholder, Status, TableBeat, decode, encode

ROUNDS = 1_000  # of messages there and back, until nobody has anything more to say


class RoomTable(Protocol):
    """A table of the room. `raws` are the events that it has committed, in order, as it sends them."""

    raws: list[bytes]

    @property
    def leaseholder(self) -> Leaseholder: ...

    def hear(self, command: bytes) -> None:
        """A command of the station."""


class MemoryRoom:
    """What a table commits goes to the station, what the station says to a table goes to it, unless their wire is
    `cut`. `options` are those of `MemoryStation`."""

    def __init__(self, config: StationConfig, tables: Mapping[str, RoomTable], **options: Any) -> None:
        self._venue = config.venue
        self._tables = tables
        holders = {name: table.leaseholder for name, table in tables.items()}
        self.station = MemoryStation(config, leaseholders=holders, **options).up()
        self.cut: set[str] = set()  # tables without a wire
        self.deaf: set[str] = set()  # tables that answer beats and take no command
        self._heard = dict.fromkeys(tables, 0)
        self._presses = 0
        self._online()
        self.deliver(self.station.effects)

    def deliver(self, effects: Sequence[Effect] = ()) -> None:
        """Until nobody has anything more to say."""
        told = list(effects) or self.station.give(None)
        for _ in range(ROUNDS):
            for publish in of(told, Publish):
                self._to_table(publish)
            told = self._from_tables()
            if not told:
                return
        raise AssertionError("station and tables never come to an end")

    def press(self, command: str, **arguments: Any) -> Reply:
        """A press of the director, and everything that follows."""
        return self.pressed_by("Tess (director)", command, **arguments)

    def pressed_by(self, by: str, command: str, *, proven: str | None = None, **arguments: Any) -> Reply:
        """As `press`, of somebody else; `proven` as in `Directed`."""
        self._presses += 1
        done = self.station.give(Directed(f"press-{self._presses}", command, arguments, by=by, proven=proven))
        (reply,) = of(done, Reply)
        self.deliver(done)
        return reply

    def kill_station(self, *, boot: str = "b1", after_ms: int = 0) -> None:
        """Killed, and started again with what is on its disk."""
        self.station = self.station.killed(boot=boot, now=self.station.now + after_ms).up()
        self._online()
        self.deliver(self.station.effects)

    def _online(self) -> None:
        """What the broker has kept of every table; from now on they answer the station's beats."""
        self.station.answers_to_beats = self._beats
        for name in self._tables:
            self.station.give(Arrived(topics.table(self._venue, name, "status"), encode(Status(online=True))))

    def _beats(self, raw: bytes) -> Iterator[Arrived]:
        beat = decode(raw, Beat)
        for name, table in self._tables.items():
            if name not in self.cut:
                answer = TableBeat(table.leaseholder.epoch, beat.boot, beat.at)
                yield Arrived(topics.table(self._venue, name, "beat"), encode(answer))

    def _to_table(self, publish: Publish) -> None:
        where = topics.split_table(publish.topic)
        if where is not None and where[1] == "command" and where[0] not in self.cut | self.deaf:
            self._tables[where[0]].hear(publish.payload)

    def _from_tables(self) -> list[Effect]:
        done: list[Effect] = []
        for name, table in self._tables.items():
            while name not in self.cut and self._heard[name] < len(table.raws):
                raw = table.raws[self._heard[name]]
                self._heard[name] += 1
                done += self.station.give(Arrived(topics.table(self._venue, name, "event"), raw))
        return done
