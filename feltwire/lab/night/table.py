"""A table of a story: it carries out what the station tells it by the table's own code, and reports the hands that
the story tells, as events that the hand engine gives.

Between hands the dealer counts stacks where the story names others than the table has, so that chips which the
story does not mention are neither made nor lost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from feltwire.lab.scenario.table import MemoryVault
from feltwire.ledger.signing import LedgerKey
from feltwire.table.commands import carry_out
from feltwire.table.unit_of_work import TableUnitOfWork
from table_core.hand.hand import Hand
from table_core.messages import (
    UNKNOWN_CARD,
    Act,
    Action,
    AnyHandCommand,
    AnyTableCommand,
    At,
    AwardPots,
    ChangeSeats,
    Chips,
    Counted,
    DealBoard,
    Leaseholder,
    Level,
    Millis,
    Refusal,
    Seat,
    SeatsSet,
    SetPresence,
    Source,
    StartHand,
    decode_command,
)
from table_core.projections.next_hand import stacks_next
from table_core.projections.table import TableProjection
from table_core.rulebook import Rulebook
from table_core.tracker.keys.called_clock import blind_clock
from table_core.tracker.state import TrackerState

BOARD = {0: 3, 3: 1, 4: 1}  # cards of the next street, by those that lie there


@dataclass(frozen=True, slots=True)
class ToldHand:
    """A hand as the story tells it. `stacks` are those at its start, `lost` those of players who lose them, `by`
    who wins them; nobody named: who has most. `then`: who wins the pots that those cannot. `also_small`,
    `also_big`: who posts such a blind besides another."""

    hand: int
    button: Seat
    small_blind: Seat | None
    big_blind: Seat | None
    level: Level
    stacks: Mapping[Seat, Chips]
    lost: Mapping[Seat, Chips] = field(default_factory=dict)
    by: tuple[Seat, ...] = ()
    then: tuple[tuple[Seat, ...], ...] = ()
    also_small: tuple[Seat, ...] = ()
    also_big: tuple[Seat, ...] = ()


class StoryTable:
    """`waits(table, command)`: whether the players have not got up or sat down yet; the command is then kept, as
    in the middle of a hand. `wall` gives the wall time, in ms since 1970, with which its events are dated."""

    def __init__(
        self,
        venue: str,
        table: str,
        rulebook: Rulebook,
        waits: Callable[[str, ChangeSeats], bool],
        wall: Callable[[], int],
    ) -> None:
        self.raws: list[bytes] = []
        self.table = TableProjection(venue, table, rulebook, epoch=1)
        self._venue, self._name = venue, table
        self._key = LedgerKey(f"table {table}".encode().ljust(32))
        self._vault = MemoryVault()
        self._state = TrackerState()
        self._waits = waits
        self._wall = wall
        self._kept: ChangeSeats | None = None
        self._away: dict[Seat, SetPresence] = {}  # when the hand is over
        self._said: ToldHand | None = None
        self._record(SeatsSet((), None))

    @property
    def leaseholder(self) -> Leaseholder:
        return Leaseholder(f"table-{self._name}", 1, self._key.public)

    # ------------------------------------------------------------------------------------- the station

    def hear(self, command: bytes) -> None:
        """Seats change between hands, and so does who is there: a hand goes as the story tells it. Everything else
        at once."""
        wanted = decode_command(command)
        if isinstance(wanted, ChangeSeats):
            self._kept = wanted
            self._change_seats()
        elif isinstance(wanted, SetPresence) and self.table.in_hand:
            self._away[wanted.seat] = wanted
        else:
            self._carry_out(wanted)

    def _carry_out(self, wanted: AnyTableCommand) -> None:
        unit = self._unit(f"command/{wanted.id}")
        carry_out(unit, self._state, wanted, Millis(0))
        self._sent(unit)

    def _change_seats(self, *, anyway: bool = False) -> None:
        wanted = self._kept
        if wanted is None or self.table.in_hand or (not anyway and self._waits(self._name, wanted)):
            return
        self._kept = None
        self._carry_out(wanted)

    def change_seats(self) -> None:
        """Who is told to get up or to sit down does so."""
        self._change_seats(anyway=True)

    def touch_clock(self) -> None:
        """The blind clock is stopped here, or started, where it is left to this table."""
        unit = self._unit()
        blind_clock(unit)
        self._sent(unit)

    # ------------------------------------------------------------------------------------- hands

    def begin(self, told: ToldHand) -> None:
        """A hand begins. Raise `ValueError` where nobody could deal it."""
        self.end()
        self.change_seats()
        if told.lost and not told.by:
            told = replace(told, by=self._richest_but(told.lost))
        self.count({**told.stacks, **told.lost}, told.by, max(told.lost.values(), default=0))
        big = told.big_blind
        if big is None:
            raise ValueError("a hand needs its blinds: `hand 5 button 3 blinds 4 5`")
        self._said = told
        self._push(
            StartHand(
                told.hand,
                told.button,
                told.small_blind,
                big,
                told.level,
                stacks_next(self.table),
                Source.KEY,
                extra_small_blinds=told.also_small,
                extra_big_blinds=told.also_big,
            )
        )

    def end(self, *, counted: bool = False) -> None:
        """The hand is over, as it was told; `counted`: with the stacks that the story named."""
        told, self._said = self._said, None
        if told is None:
            return
        self._play(told)
        if counted:
            self.count(told.stacks)
        while self._away:
            self._carry_out(self._away.popitem()[1])
        self._change_seats()

    def _play(self, told: ToldHand) -> None:
        """Who loses everything and who wins go all-in, the others fold."""
        winners = {*told.by, *(seat for group in told.then for seat in group)}
        playing = {*told.lost, *winners} if told.lost else set()
        while (hand := self._hand()) is not None:
            award = AwardPots(told.by, then=told.then) if told.lost else _nobody_out(hand)
            if hand.to_act is not None:
                self._act(hand, hand.to_act, all_in=hand.to_act in playing)
            elif isinstance(hand.decide(award), Refusal) and len(hand.board) in BOARD:
                self._push(DealBoard((UNKNOWN_CARD,) * BOARD[len(hand.board)]))
            else:
                self._push(award)

    def count(self, stacks: Mapping[Seat, Chips], winners: Sequence[Seat] = (), at_least: int = 0) -> None:
        """The dealer counts. `at_least`: what each winner has, so that those who lose everything can."""
        have = {seat: held.stack for seat, held in self.table.seats.items()}
        wrong = [seat for seat in (*stacks, *winners) if seat not in have]
        if wrong:
            raise ValueError(f"nobody sits at table {self._name} seat {wrong[0]}")
        counted: dict[Seat, int] = {**stacks, **self._others(have, stacks, winners, at_least)}
        for seat, stack in sorted(counted.items()):
            if stack != have[seat]:
                self._record(Counted(seat, Chips(stack), have[seat]))

    def _richest_but(self, seats: Collection[Seat]) -> tuple[Seat, ...]:
        others = [seat for seat in self.table.seats if seat not in seats]
        return tuple(sorted(others, key=lambda seat: -self.table.seats[seat].stack)[:1])

    def _others(
        self, have: Mapping[Seat, int], named: Mapping[Seat, int], winners: Sequence[Seat], at_least: int
    ) -> dict[Seat, int]:
        """Stacks of the seats that the story did not name: what those have more or less comes from these, the
        players with most giving most. Where they have not so much, chips are made."""
        others = {seat: stack for seat, stack in have.items() if seat not in named and stack}
        if not others:
            return {}
        winners = [seat for seat in winners if seat in others]
        more = sum(have[seat] for seat in named) - sum(named.values())
        if more > 0:
            others[(winners or list(others))[0]] += more
        short = max(-more, 0)
        for seat in winners:
            short += max(at_least - others[seat], 0)
            others[seat] = max(at_least, others[seat])
        givers = [seat for seat in others if seat not in winners]
        total = sum(others[seat] for seat in givers)
        if 0 < short < total:
            given = {seat: others[seat] * short // total for seat in givers}
            given[max(givers, key=lambda seat: others[seat])] += short - sum(given.values())
            others |= {seat: others[seat] - given[seat] for seat in givers}
        return others

    def _hand(self) -> Hand | None:
        """The hand in progress."""
        return self.table.hand if self.table.in_hand else None

    def _act(self, hand: Hand, seat: Seat, *, all_in: bool) -> None:
        wanted = (Action.RAISE, Action.BET, Action.CALL, Action.CHECK) if all_in else (Action.FOLD,)
        possible = (one for one in wanted if not isinstance(hand.decide(Act(seat, one)), Refusal))
        self._push(Act(seat, next(possible)))

    # ------------------------------------------------------------------------------------- the ledger

    def _push(self, command: AnyHandCommand) -> None:
        unit = self._unit()
        refusal = unit.push(command)
        self._sent(unit)
        if refusal is not None:
            raise ValueError(f"table {self._name}: {refusal.reason} {refusal.rule}".strip())

    def _record(self, event: Counted | SeatsSet) -> None:
        unit = self._unit()
        unit.record(event)
        self._sent(unit)

    def _unit(self, cause: str = "") -> TableUnitOfWork:
        wall = datetime.fromtimestamp(self._wall() / 1_000, UTC).isoformat()
        at = At(f"table {self._name}", Millis(self.table.seq), wall)
        return TableUnitOfWork(self.table, self._vault, self._venue, at, cause, self._key)

    def _sent(self, unit: TableUnitOfWork) -> None:
        self.raws += [entry.raw for entry in unit.commit.entries]


def _nobody_out(hand: Hand) -> AwardPots:
    """Who is all-in from a blind wins, and stays in."""
    all_in = tuple(seat for seat in hand.live_seats if not hand.stacks[seat])
    return AwardPots(all_in, then=(tuple(seat for seat in hand.live_seats if seat not in all_in),))
