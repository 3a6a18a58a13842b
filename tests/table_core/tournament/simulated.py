"""A whole tournament without tables: players bust at random, the director confirms what is proposed.

Everything is drawn from a seed, so that any night can be played again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from table_core.messages import Chips, Level, Refusal, Seat
from table_core.tournament.balance import balance, table_to_break
from table_core.tournament.busts import ConfirmBust, ReportBust
from table_core.tournament.entries import Enter, Register
from table_core.tournament.events import Instant, MoveConfirmed, Out, TablePlan
from table_core.tournament.moves import BreakTable, ConfirmMove, ReportLeft, ReportSeated
from table_core.tournament.night import Night, Recorded
from table_core.tournament.opening import Open, Start
from table_core.tournament.seating import DrawSeats, SetButton
from table_core.tournament.state import Status, TableFacts

STACK = 2_000
LEVELS = tuple(
    Level(no=no, small_blind=Chips(25 * no), big_blind=Chips(50 * no), minutes=20) for no in range(1, 31)
)


@dataclass
class Simulated:
    """A night under `book` with `entrants` players, drawn from `seed`."""

    book: str
    entrants: int
    seed: int
    seats: int = 9
    night: Night = field(init=False)
    facts: dict[str, TableFacts] = field(default_factory=dict)
    at_ms: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.book}/{self.entrants}/{self.seed}")
        self.night = Night()

    @property
    def now(self) -> Instant:
        return Instant("boot", self.at_ms, 1_700_000_000_000 + self.at_ms)

    def do(self, command: Any) -> tuple[Recorded, ...]:
        """What the command did. Raise `AssertionError` with the reason where it is refused."""
        done = self.night.do(command, self.now, self.facts, id_=f"c{len(self.night.records)}", by="TD")
        assert not isinstance(done, Refusal), (command, done)
        return done

    def open(self) -> None:
        tables = -(-self.entrants // self.seats) + 1
        plans = tuple(TablePlan(f"{no:02}", self.seats) for no in range(1, tables + 1))
        house = {"starting_stack": STACK, "seats_per_table": self.seats, "max_entrants": 5_000}
        self.do(Open("a night", self.book, plans, LEVELS, f"seed {self.seed}", house))
        for no in range(1, self.entrants + 1):
            self.do(Register(f"p{no}", member=True, adult=True))
            self.do(Enter(f"p{no}"))
        self.do(DrawSeats())
        for table in self.night.state.seats.open_tables():
            self.do(SetButton(table.plan.table, seed=f"{self.seed}/{table.plan.table}/0"))
        self.do(Start())
        self._deal_first()

    def _deal_first(self) -> None:
        self.facts = {}
        for table in self.night.state.seats.open_tables():
            self.facts[table.plan.table] = TableFacts(table.plan.table, button=table.button)

    def hand(self, name: str) -> None:
        """One hand at a table: blinds go round, one player in six loses everything to another."""
        table = self.night.state.seats.tables[name]
        seats = sorted(table.players)
        if len(seats) < 2:
            return
        before = self.facts.get(name, TableFacts(name))
        button = _next(before.button, seats) if before.hand else (before.button or seats[0])
        small, big = _next(button, seats), _next(_next(button, seats), seats)
        self.facts[name] = TableFacts(
            name, before.hand + 1, False, 1 + min(29, self.at_ms // 1_200_000), button, small, big
        )
        self.at_ms += 1_000
        if self.chance.random() < 1 / 6:
            out = self.chance.choice(seats)
            start = Chips(self.chance.randrange(1, STACK))
            self.do(ReportBust(name, before.hand + 1, (Out(table.players[out], start),)))
            self.settle()

    def settle(self) -> None:
        """The director confirms what is pending and proposed."""
        state = self.night.state
        while state.field.busts:
            self.do(ConfirmBust((next(iter(state.field.busts)),)))
            state = self.night.state
        if state.finished:
            return
        if (breaking := table_to_break(state, self.facts)) is not None:
            for record in self.do(BreakTable(breaking.table)):
                if isinstance(record.event, MoveConfirmed):
                    self._carried_out(record.event.move)
            if breaking.redraw is not None:
                self._deal_first()
        while proposed := balance(self.night.state, self.facts):
            self.move(proposed[0].player)

    def move(self, player: str) -> None:
        moved = self.do(ConfirmMove(player))[0].event
        assert isinstance(moved, MoveConfirmed)
        self._carried_out(moved.move)

    def _carried_out(self, move: str) -> None:
        self.do(ReportLeft(move, Chips(1_000)))
        self.do(ReportSeated(move, Chips(1_000)))

    def play(self, check: Any = lambda night: None) -> None:
        """To the last hand; `check` is called after each."""
        self.open()
        while not self.night.state.finished:
            hands = len(self.facts), sum(fact.hand for fact in self.facts.values())
            for table in self.night.state.seats.open_tables():
                if not self.night.state.finished and table.open:
                    self.hand(table.plan.table)
                    check(self)
            assert hands != (len(self.facts), sum(fact.hand for fact in self.facts.values())), "nobody plays"

    def in_seats(self) -> list[str]:
        tables = self.night.state.seats.tables.values()
        return [player for table in tables for player in table.players.values()]

    def playing(self) -> list[str]:
        entrants = self.night.state.field.entrants.values()
        return [entrant.player for entrant in entrants if entrant.status is Status.PLAYING]


def _next(seat: Seat | None, seats: list[Seat]) -> Seat:
    return next((other for other in seats if seat is not None and other > seat), seats[0])
