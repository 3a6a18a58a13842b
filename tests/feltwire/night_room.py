"""A tournament's room in one thread: the station's node, and nodes of tables with keypads alone.

What a table commits goes to the station, what the station says to a table goes to it, unless their wire is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from feltwire.config import TableConfig
from feltwire.lab.scenario.table import TableInMemory
from feltwire.ledger.signing import LedgerKey
from feltwire.runtime import topics
from feltwire.runtime.node_io import Arrived, Publish, Reply
from feltwire.station.station_io import Directed, Effect
from feltwire.table.node import TableNode
from feltwire.table.table_io import CommandCame, Commit
from table_core.messages import At, Chips, Key, Leaseholder, Seat, SeatStack, Status, encode
from tests.feltwire.station_room import LEVELS, VENUE, Station, config, of

STRANGERS = tuple(SeatStack(Seat(seat), Chips(7_000), "yesterday's") for seat in (1, 2, 3))


class NightTable(TableInMemory):
    """A table whose players were there yesterday."""

    def __init__(self, table: str) -> None:
        self.key = LedgerKey(f"table {table}".encode().ljust(32))
        self.raws: list[bytes] = []
        super().__init__(TableConfig(VENUE, table, "unused", STRANGERS, LEVELS, 9), ("keypad",))

    def start(self) -> None:
        self.node = TableNode(
            self.config,
            self.vault,
            known=self._known,
            stamp=lambda now: At(self.name, now),
            boot=self.boot,
            ledger=f"table-{self.config.table}",
            key=self.key,
        )
        self._take(self.node.open_table(self.now))

    @property
    def leaseholder(self) -> Leaseholder:
        return Leaseholder(f"table-{self.config.table}", 1, self.key.public)

    def _commit(self, commit: Commit) -> None:
        super()._commit(commit)
        self.raws += [entry.raw for entry in commit.entries]

    @property
    def sits(self) -> dict[int, tuple[str, int]]:
        return {seat: (held.player, held.stack) for seat, held in sorted(self.node.table.seats.items())}


class NightRoom:
    """The station and its tables. `deliver` carries what is on the way; every action of this kit does so."""

    def __init__(self, tables: Sequence[str] = ("01", "02")) -> None:
        self.tables = {table: NightTable(table) for table in tables}
        holders = {name: table.leaseholder for name, table in self.tables.items()}
        self.station = Station(config(tables, rulebook="rpl", title="Friday"), leaseholders=holders).up()
        self.cut: set[str] = set()  # tables without a wire
        self._heard = dict.fromkeys(self.tables, 0)
        self._presses = 0
        self._online()
        self.deliver()

    # ------------------------------------------------------------------------------------- wires

    def deliver(self, effects: Sequence[Effect] = ()) -> None:
        """Until nobody has anything more to say."""
        told = list(effects) or self.station.wait(0)
        for _ in range(1_000):
            for publish in of(told, Publish):
                self._to_table(publish)
            told = self._from_tables()
            if not told:
                return
        raise AssertionError("station and tables never come to an end")

    def _online(self) -> None:
        """What the broker has kept of every table."""
        for name in self.tables:
            self.station.give(Arrived(topics.table(VENUE, name, "status"), encode(Status(online=True))))

    def _to_table(self, publish: Publish) -> None:
        where = topics.split_table(publish.topic)
        if where is not None and where[1] == "command" and where[0] not in self.cut:
            self.tables[where[0]].give(CommandCame(publish.payload))

    def _from_tables(self) -> list[Effect]:
        done: list[Effect] = []
        for name, table in self.tables.items():
            while name not in self.cut and self._heard[name] < len(table.raws):
                raw = table.raws[self._heard[name]]
                self._heard[name] += 1
                done += self.station.give(Arrived(topics.table(VENUE, name, "event"), raw))
        return done

    def wait(self, ms: int) -> None:
        self.deliver(self.station.wait(ms))

    def kill_station(self, *, boot: str = "b1", after_ms: int = 0) -> None:
        """Killed, and started again with what is on its disk."""
        self.station = self.station.killed(boot=boot, now=self.station.now + after_ms).up()
        self._online()
        self.deliver(self.station.effects)
        self.wait(1_000)

    # ------------------------------------------------------------------------------------- people

    def press(self, command: str, **arguments: Any) -> Reply:
        """A press of the director, and everything that follows."""
        self._presses += 1
        done = self.station.give(Directed(f"press-{self._presses}", command, arguments, by="Tess (director)"))
        (reply,) = of(done, Reply)
        self.deliver(done)
        return reply

    def do(self, command: str, **arguments: Any) -> str:
        reply = self.press(command, **arguments)
        assert not reply.refused, (command, arguments, reply)
        return reply.text

    def run_up(self, players: int, **opened: Any) -> None:
        """Registration, entries, the draw, and cards in the air."""
        self.do("open", house={"starting_stack": 2_000}, **opened)
        for no in range(1, players + 1):
            self.do("register", player=f"p{no}", member=True, adult=True)
            self.do("enter", player=f"p{no}")
        self.do("draw_seats", tables=list(self.tables))
        for table in self.tables:
            self.do("set_button", table=table)
        self.do("start")

    # ------------------------------------------------------------------------------------- play

    def begin_hand(self, table: str) -> None:
        self.tables[table].press(Key.NEW_HAND)
        self.deliver()

    def all_in(self, table: str, *, winner: int, loser: int) -> None:
        """A hand in which two players are all-in and everybody else folds."""
        at = self.tables[table]
        at.press(Key.NEW_HAND)
        self.finish(table, winner=winner, loser=loser)

    def finish(self, table: str, *, winner: int, loser: int) -> None:
        at = self.tables[table]
        for _ in range(40):
            legal = at.view.legal
            if legal is None or not at.node.table.in_hand:
                break
            at.press(Key.ALL_IN if legal.seat in (winner, loser) else Key.FOLD)
        if at.node.table.in_hand:
            at.press(str(winner), Key.AWARD)
        if at.node.table.in_hand:
            at.press(Key.POT_PUSHED)
        assert not at.node.table.in_hand, at.view.question
        self.deliver()

    # ------------------------------------------------------------------------------------- what is known

    @property
    def shown(self) -> dict[str, Any]:
        """The tournament as pages and programs read it."""
        self.wait(1_100)
        shown: dict[str, Any] = msgspec.json.decode(self.station.pages["tournament"])
        return shown

    def entrant(self, player: str) -> dict[str, Any]:
        return next(one for one in self.shown["field"] if one["player"] == player)

    def chips(self) -> int:
        return sum(stack for table in self.tables.values() for _, stack in table.sits.values())

    def seat_of(self, player: str) -> tuple[str, int]:
        """Where the tables themselves have the player."""
        return next(
            (n, seat) for n, t in self.tables.items() for seat, (who, _) in t.sits.items() if who == player
        )
