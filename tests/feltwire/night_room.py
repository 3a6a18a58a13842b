"""A tournament's room in one thread, with nodes of tables that have keypads alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from display.night_state import CHANNELS, night_of
from display.push import Hub
from feltwire.config import TableConfig
from feltwire.lab.scenario.table import TableInMemory
from feltwire.lab.station.room import MemoryRoom
from feltwire.ledger.signing import LedgerKey
from feltwire.table.node import UNDO_MS, TableNode
from feltwire.table.table_io import CommandCame, Commit
from table_core.messages import At, Chips, ItemKind, Key, Leaseholder, QueueView, Seat, SeatStack
from tests.feltwire.station_room import LEVELS, VENUE, config

STRANGERS = tuple(SeatStack(Seat(seat), Chips(7_000), "yesterday's") for seat in (1, 2, 3))


def wall_of(now: int) -> str:
    """The wall time of the rooms here, as `MemoryStation` has it."""
    return datetime.fromtimestamp(1_700_000_000 + now / 1_000, UTC).isoformat()


class NightTable(TableInMemory):
    """A table whose players were there yesterday."""

    def __init__(self, table: str, settings: TableConfig | None = None) -> None:
        self.key = LedgerKey(f"table {table}".encode().ljust(32))
        self.raws: list[bytes] = []
        super().__init__(settings or TableConfig(VENUE, table, "unused", STRANGERS, LEVELS, 9), ("keypad",))

    def start(self) -> None:
        self.node = TableNode(
            self.config,
            self.vault,
            known=self._known,
            stamp=lambda now: At(self.name, now, wall_of(now)),
            boot=self.boot,
            ledger=f"table-{self.config.table}",
            key=self.key,
            views=self.views,
        )
        self._take(self.node.open_table(self.now))

    @property
    def leaseholder(self) -> Leaseholder:
        return Leaseholder(f"table-{self.config.table}", 1, self.key.public)

    def hear(self, command: bytes) -> None:
        self.give(CommandCame(command))

    def _commit(self, commit: Commit) -> None:
        super()._commit(commit)
        self.raws += [entry.raw for entry in commit.entries]

    @property
    def sits(self) -> dict[int, tuple[str, int]]:
        return {seat: (held.player, held.stack) for seat, held in sorted(self.node.table.seats.items())}


class NightRoom(MemoryRoom):
    """The station and its tables. Every action of this kit carries what is on the way."""

    def __init__(self, tables: Sequence[str] = ("01", "02"), *, book: str = "base", **options: Any) -> None:
        self.tables = {
            table: NightTable(table, TableConfig(VENUE, table, "unused", STRANGERS, LEVELS, 9, rulebook=book))
            for table in tables
        }
        super().__init__(config(tables, rulebook="rpl", title="Friday"), self.tables, **options)

    def wait(self, ms: int) -> None:
        self.deliver(self.station.wait(ms))

    def kill_station(self, *, boot: str = "b1", after_ms: int = 0) -> None:
        super().kill_station(boot=boot, after_ms=after_ms)
        self.wait(1_000)

    # ------------------------------------------------------------------------------------- people

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
        """The hand is over, and its award stands."""
        self.award(table, winner=winner, loser=loser)
        self.tables[table].wait(UNDO_MS)
        self.deliver()

    def award(self, table: str, *, winner: int, loser: int) -> None:
        """The hand to its end; the dealer may still take the award back."""
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

    def play_to_the_end(self, table: str = "01") -> None:
        """Hands and confirmed busts, until one player of the table is left; everybody else is out."""
        while True:
            for bust in self.shown["busts"]:
                self.do("confirm_bust", busts=[bust["bust"]])
            self.wait(2_000)
            sits = self.tables[table].sits
            left = sorted(seat for seat, (_, stack) in sits.items() if stack)
            if len(left) < 2:
                return
            richest = max(left, key=lambda seat: sits[seat][1])
            self.all_in(table, winner=richest, loser=next(seat for seat in left if seat != richest))

    # ------------------------------------------------------------------------------------- what is known

    @property
    def shown(self) -> dict[str, Any]:
        """The tournament as pages and programs read it."""
        self.wait(1_100)
        return night_of(self.station.pages.get(channel) for channel in CHANNELS)

    @property
    def alerts(self) -> tuple[str, ...]:
        """What the director is told of the station and its tables."""
        self.wait(1_100)
        items = msgspec.json.decode(self.station.pages["queue"], type=QueueView).items
        return tuple(item.fact for item in items if item.kind in (ItemKind.OTHER, ItemKind.DISK))

    def entrant(self, player: str) -> dict[str, Any]:
        return next(one for one in self.shown["field"] if one["player"] == player)

    def chips(self) -> int:
        return sum(stack for table in self.tables.values() for _, stack in table.sits.values())

    def seat_of(self, player: str) -> tuple[str, int]:
        """Where the tables themselves have the player."""
        return next(
            (n, seat) for n, t in self.tables.items() for seat, (who, _) in t.sits.items() if who == player
        )


def publish_night(hub: Hub, room: NightRoom) -> None:
    """What the station of `room` shows of its tournament, on `hub`."""
    for channel in CHANNELS:
        if channel in room.station.pages:
            hub.publish(channel, room.station.pages[channel])
