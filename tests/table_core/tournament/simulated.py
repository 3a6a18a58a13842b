"""A whole tournament without tables' processes: chips go round by chance, the director confirms what is proposed.

Everything is drawn from a seed, so that any night can be played again. Between the hands there are late comers,
rebuys, absences, penalties, breaks and colour-ups as the book allows them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from table_core.messages import Chips, Level, Millis, Refusal, Seat, SeatStack
from table_core.notices import PenaltyKind
from table_core.rulebook import load_rulebook
from table_core.tournament.chips.account import chip_account
from table_core.tournament.chips.colour_up import ColourUp
from table_core.tournament.events import (
    ChipsBought,
    ColouredUp,
    Instant,
    MoveConfirmed,
    Out,
    Purchase,
    TablePlan,
)
from table_core.tournament.field.absences import Forfeit, Leave, Return, absences
from table_core.tournament.field.busts import ConfirmBust, ReportBust
from table_core.tournament.field.entries import Enter
from table_core.tournament.field.finishing import DecidePlaces
from table_core.tournament.field.rebuys import Buy
from table_core.tournament.field.registration import Register
from table_core.tournament.money.prizes import PayPrize, owed, payouts, purse
from table_core.tournament.night import Night, Recorded, Undo
from table_core.tournament.opening import Open, Start
from table_core.tournament.penalties import GivePenalty
from table_core.tournament.seats.balance import balance, table_to_break
from table_core.tournament.seats.button import SetButton
from table_core.tournament.seats.draw import DrawSeats
from table_core.tournament.seats.moves import BreakTable, ConfirmMove, ReportLeft, ReportSeated
from table_core.tournament.seats.seating import SeatPlayer
from table_core.tournament.state import MoveStage, Status, TableFacts

STACK = 2_000
HAND_MS = 90_000
LEVELS = tuple(
    Level(no=no, small_blind=Chips(25 * no), big_blind=Chips(50 * no), minutes=20) for no in range(1, 31)
)


@dataclass
class Simulated:
    """A night under `book` with `entrants` players, drawn from `seed`."""

    book: str
    entrants: int
    seed: int
    seats: int = 10
    night: Night = field(init=False)
    facts: dict[str, TableFacts] = field(default_factory=dict)
    at_ms: int = 0
    undone: int = 0
    _last_stacks: dict[str, Chips] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.book}/{self.entrants}/{self.seed}")
        self.night = Night()

    @property
    def now(self) -> Instant:
        return Instant("boot", Millis(self.at_ms), Millis(1_700_000_000_000 + self.at_ms))

    def do(self, command: Any) -> tuple[Recorded, ...]:
        """What the command did. Raise `AssertionError` with the reason where it is refused."""
        done = self.night.do(command, self.now, self.facts, id_=f"c{len(self.night.records)}", by="TD")
        assert not isinstance(done, Refusal), (command, done)
        return done

    def may(self, command: Any) -> tuple[Recorded, ...]:
        """What the command did; nothing where the book refuses it."""
        done = self.night.do(command, self.now, self.facts, id_=f"c{len(self.night.records)}", by="TD")
        return () if isinstance(done, Refusal) else done

    # ------------------------------------------------------------------------------------ before the start

    def open(self) -> None:
        tables = -(-self.entrants // self.seats) + 1
        plans = tuple(TablePlan(f"{no:02}", self.seats) for no in range(1, tables + 1))
        house = {"starting_stack": STACK, "seats_per_table": self.seats, "max_entrants": 5_000}
        if load_rulebook(self.book).tournament.play_is_free is None:
            house["buy_in"] = 20
        self.do(Open("a night", self.book, plans, LEVELS, f"seed {self.seed}", house))
        late = self.entrants // 20 if self.entrants > 11 else 0
        for no in range(1, self.entrants + 1):
            self.do(Register(f"p{no}", member=True, adult=True))
            if no <= self.entrants - late:
                self.do(Enter(f"p{no}"))
        self.do(DrawSeats())
        for table in self.night.state.seats.open_tables():
            self.do(SetButton(table.plan.table))
        self.do(Start())
        self._first_facts()

    def _first_facts(self) -> None:
        """What the tables report right after a draw: everybody's stack at the new seat."""
        stacks = self._stacks()
        self.facts = {
            table.plan.table: TableFacts(
                table.plan.table,
                button=table.button,
                stacks={seat: stacks[player] for seat, player in table.players.items()},
            )
            for table in self.night.state.seats.open_tables()
        }

    def _stacks(self) -> dict[str, Chips]:
        """What everybody has, before the first hand what the records gave."""
        given = {
            entrant.player: Chips(entrant.chips - entrant.removed)
            for entrant in self.night.state.field.entrants.values()
        }
        return {**given, **self._last_stacks}

    # ------------------------------------------------------------------------------------ a hand

    def hand(self, name: str) -> None:
        """One hand at a table: some chips go from one player to another, sometimes all of them."""
        table = self.night.state.seats.tables[name]
        seats = sorted(table.players)
        if len(seats) < 2:
            return
        before = self.facts.get(name, TableFacts(name))
        button = _next(before.button, seats) if before.hand else (before.button or seats[0])
        small, big = _next(button, seats), _next(_next(button, seats), seats)
        level = self.night.state.clock.playing_level(Millis(self.at_ms)).no if self.night.state.clock else 1
        loser, winner = self.chance.sample(seats, 2)
        stacks = dict(before.stacks)
        lost = stacks[loser] if self.chance.random() < 0.3 else stacks[loser] // 4
        lost = Chips(min(lost, stacks[winner])) if self.chance.random() < 0.5 else lost
        started = dict(stacks)
        stacks[loser], stacks[winner] = Chips(stacks[loser] - lost), Chips(stacks[winner] + lost)
        self.facts[name] = TableFacts(name, before.hand + 1, False, level, button, small, big, stacks, started)
        self.at_ms += HAND_MS // max(1, len(self.facts))
        if not stacks[loser]:
            out = Out(table.players[loser], started[loser], (table.players[winner],))
            self.do(ReportBust(name, before.hand + 1, (out,)))
            self.settle()

    # ------------------------------------------------------------------------------------ the director

    def settle(self) -> None:
        """The director decides what is pending, and confirms what is proposed."""
        while self.night.state.field.busts:
            id_, bust = next(iter(self.night.state.field.busts.items()))
            player = bust.out[0].player
            if self.chance.random() < 0.5 and (bought := self.may(Buy(player, Purchase.REBUY))):
                assert isinstance(bought[0].event, ChipsBought)
                self._add(player, bought[0].event.chips)
                continue
            confirmed = self.do(ConfirmBust((id_,)))
            self._gone(player)
            if self.chance.random() < 0.05 and not self.night.state.finished:
                self.do(Undo(confirmed[0].no))  # a second look, and the same again
                self.undone += 1
                self.do(ConfirmBust((id_,)))
        self._keep_equal()

    def _keep_equal(self) -> None:
        state = self.night.state
        if state.finished:
            return
        if (breaking := table_to_break(state, self.facts)) is not None:
            self._last_stacks = self._by_player()
            for record in self.do(BreakTable(breaking.table)):
                if isinstance(record.event, MoveConfirmed):
                    self._carried_out(record.event)
            if breaking.redraw is not None:
                self._first_facts()
                for table in self.night.state.seats.open_tables():
                    self.do(SetButton(table.plan.table))
                    name = table.plan.table
                    self.facts[name] = replace(self.facts[name], button=self.night.state.seats.tables[name].button)
        while proposed := balance(self.night.state, self.facts):
            event = self.do(ConfirmMove(proposed[0].player))[0].event
            assert isinstance(event, MoveConfirmed)
            self._carried_out(event)

    def _by_player(self) -> dict[str, Chips]:
        tables = self.night.state.seats.tables
        return {
            tables[name].players[seat]: chips
            for name, fact in self.facts.items()
            for seat, chips in fact.stacks.items()
            if seat in tables[name].players
        }

    def _carried_out(self, move: MoveConfirmed) -> None:
        source, target = self.facts[move.start.table], self.facts[move.to.table]
        rack = source.stacks[move.start.seat]
        self.do(ReportLeft(move.move, rack))
        left = {seat: chips for seat, chips in source.stacks.items() if seat != move.start.seat}
        self.facts[move.start.table] = replace(source, stacks=left)
        assert self.night.state.seats.moves[move.move].stage is MoveStage.IN_TRANSIT
        assert chip_account(self.night.state, self.facts).missing == 0
        self.do(ReportSeated(move.move, rack))
        self.facts[move.to.table] = replace(target, stacks={**target.stacks, move.to.seat: rack})
        if not left:
            del self.facts[move.start.table]

    def _add(self, player: str, chips: int) -> None:
        at = self.night.state.seats.at[player]
        fact = self.facts[at.table]
        stacks = {**fact.stacks, at.seat: Chips(fact.stacks.get(at.seat, 0) + chips)}
        self.facts[at.table] = replace(fact, stacks=stacks)

    def _gone(self, player: str) -> None:
        """The tables drop seats in which nobody sits any more."""
        tables = self.night.state.seats.tables
        for name, fact in self.facts.items():
            if any(seat not in tables[name].players for seat in fact.stacks):
                stacks = {seat: chips for seat, chips in fact.stacks.items() if seat in tables[name].players}
                self.facts[name] = replace(fact, stacks=stacks)

    # ------------------------------------------------------------------------------------ between the hands

    def between(self) -> None:
        """What else happens in a night, each now and then."""
        state, chance = self.night.state, self.chance
        waiting = [e.player for e in state.field.entrants.values() if e.status is Status.REGISTERED]
        if waiting and chance.random() < 0.3:
            self._late(waiting[0])
        playing = self.playing()
        if len(playing) < 4:
            return
        player = chance.choice(playing)
        if chance.random() < 0.03:
            self.do(Return(player) if state.field.entrants[player].away else Leave(player))
        if chance.random() < 0.02:
            self._penalty(player)
        for absence in absences(self.night.state, self.now, self.facts):
            if not absence.left_ms and chance.random() < 0.2 and len(self.playing()) > 3:
                stack = self._by_player()[absence.player]
                self.do(Forfeit(absence.player, stack, absence.why))
                self._gone(absence.player)
                self._keep_equal()
        if chance.random() < 0.01:
            self._colour_up()

    def _late(self, player: str) -> None:
        entered = self.may(Enter(player))
        if entered and self.may(SeatPlayer(player)):
            entrant = self.night.state.field.entrants[player]
            self._add(player, entrant.chips - entrant.removed)
            self._keep_equal()
        elif entered:
            self.do(Undo(entered[0].no))  # no free seat

    def _penalty(self, player: str) -> None:
        kind = self.chance.choice([PenaltyKind.WARNING, PenaltyKind.TIME_OUT, PenaltyKind.OUT])
        stack = self._by_player().get(player, Chips(0))
        self.do(GivePenalty(player, "conduct", kind, minutes=10, chips=stack))
        if kind is PenaltyKind.OUT:
            self._gone(player)
            self._keep_equal()

    def _colour_up(self) -> None:
        """Amounts below 100 leave the stacks of one table."""
        name = self.chance.choice(sorted(self.facts))
        fact = self.facts[name]
        odd = tuple(
            SeatStack(seat, Chips(chips % 100 // 25)) for seat, chips in fact.stacks.items() if chips % 100 // 25
        )
        for record in self.may(ColourUp(name, Chips(25), Chips(100), odd)) if odd else ():
            assert isinstance(record.event, ColouredUp)
            changed = {one.seat: Chips(fact.stacks[one.seat] + one.chips) for one in record.event.changes}
            self.facts[name] = replace(fact, stacks={**fact.stacks, **changed})
            assert all(self.facts[name].stacks.values()), "nobody is raced out"

    # ------------------------------------------------------------------------------------ the whole of it

    def play(self, check: Callable[[Simulated], None] = lambda played: None) -> None:
        """To the last hand and the last prize; `check` is called after each hand."""
        self.open()
        while not self.night.state.finished:
            before = self.at_ms
            for table in self.night.state.seats.open_tables():
                if self.night.state.finished or not self.night.state.seats.tables[table.plan.table].open:
                    continue
                self.hand(table.plan.table)
                if not self.night.state.finished:
                    self.between()
                check(self)
            assert self.at_ms > before, "nobody plays"
        for one in list(self.night.state.field.undecided):
            self.do(DecidePlaces(tuple(one.players)))
        for player in owed(self.night.state):
            self.do(PayPrize(player))

    def assert_holds(self) -> None:
        """What holds after every hand. Raise `AssertionError` with what does not."""
        state = self.night.state
        assert sorted(self.in_seats()) == sorted(self.playing()), "one seat for everybody in play"
        account = chip_account(state, self.facts)
        assert account.missing == 0, f"chips are accounted for: {account}"
        trigger = state.book.tournament.balance_at_difference
        counts = [len(table.players) for table in state.seats.open_tables()]
        assert state.finished or trigger is None or max(counts) - min(counts) < trigger.value, (
            f"balanced: {counts}"
        )

    def assert_ends_right(self) -> None:
        """What holds when it is over. Raise `AssertionError` with what does not."""
        state = self.night.state
        places = sorted(entrant.place for entrant in state.field.entrants.values() if entrant.place is not None)
        assert len(places) == len(set(places)), f"every place once: {places}"
        assert places[0] == 1
        assert sum(payouts(state)) in (0, purse(state)), "prizes add up"
        assert not state.field.undecided
        assert sum(state.prizes.paid.values()) == sum(owed(state).values()) == sum(payouts(state))
        assert Night.replayed(self.night.records).state == state, "replayed, it is the same night"

    def in_seats(self) -> list[str]:
        tables = self.night.state.seats.tables.values()
        return [player for table in tables for player in table.players.values()]

    def playing(self) -> list[str]:
        entrants = self.night.state.field.entrants.values()
        return [
            entrant.player
            for entrant in entrants
            if entrant.status is Status.PLAYING and entrant.player in self.night.state.seats.at
        ]


def _next(seat: Seat | None, seats: list[Seat]) -> Seat:
    return next((other for other in seats if seat is not None and other > seat), seats[0])
