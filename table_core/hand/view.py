"""Read access to a hand: its public facts by seat, and its frozen snapshot."""

from __future__ import annotations

from collections.abc import Mapping

from table_core.hand import showdown
from table_core.hand.betting import may_raise
from table_core.hand.seats import members
from table_core.hand.snapshot import CollectedPot, HandSnapshot, SeatSnapshot
from table_core.hand.state import NOBODY, HandState
from table_core.messages import CardText, Chips, Duty, Level, Seat, Street


class HandView:
    """Read-only properties over the state of one hand. Seats come clockwise from the button."""

    __slots__ = ("state",)

    state: HandState

    @property
    def number(self) -> int:
        """Number of the hand; 0 before the first."""
        return self.state.start.hand

    @property
    def level(self) -> Level:
        """The level that the hand began with and keeps."""
        return self.state.start.level

    @property
    def button(self) -> Seat:
        return self.state.start.button

    @property
    def small_blind(self) -> Seat | None:
        """None when the small blind is dead."""
        return self.state.start.small_blind

    @property
    def big_blind(self) -> Seat:
        return self.state.start.big_blind

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who was dealt in."""
        return self.state.ring.seats

    @property
    def street(self) -> Street:
        """`done` before the first hand and after each."""
        return self.state.street

    @property
    def started(self) -> bool:
        """Whether there is a hand at all, finished or not."""
        return bool(self.state.ring.seats)

    @property
    def ended(self) -> bool:
        """Whether a hand was played and is over."""
        return not self.state.under_way and self.started  # most is asked while a hand is under way

    @property
    def to_act(self) -> Seat | None:
        state = self.state
        return state.ring.seat_at[state.to_act]

    @property
    def board(self) -> tuple[CardText, ...]:
        return self.state.board

    @property
    def pots(self) -> tuple[CollectedPot, ...]:
        """Collected pots, main pot first, each with the live seats that can win it; without bets in front."""
        state = self.state
        return tuple(
            CollectedPot(Chips(amount), state.ring.seats_in(state.can_win(indices)))
            for amount, indices in state.pots()
        )

    @property
    def stacks(self) -> Mapping[Seat, Chips]:
        """Chips behind."""
        return self._by_seat(self.state.stacks)

    @property
    def bets(self) -> Mapping[Seat, Chips]:
        """Chips in front, on this street."""
        return self._by_seat(self.state.bets)

    @property
    def high(self) -> Chips:
        """The bet to match on this street."""
        return Chips(self.state.high)

    def to_call(self, seat: Seat) -> Chips:
        """What the seat has less in front than the bet to match; 0 for a seat that was not dealt in."""
        state = self.state
        index = state.ring.index.get(seat)
        return Chips(0 if index is None else max(state.high - state.bets[index], 0))

    @property
    def folded(self) -> tuple[Seat, ...]:
        return self._seats_in(self.state.folded)

    @property
    def mucked(self) -> tuple[Seat, ...]:
        """Seats that gave up at the showdown."""
        return self._seats_in(self.state.mucked)

    @property
    def all_in(self) -> tuple[Seat, ...]:
        """Live seats without chips behind."""
        return self._seats_in(self.state.all_in)

    @property
    def live_seats(self) -> tuple[Seat, ...]:
        """Seats that can still win: dealt in, neither folded nor mucked."""
        return self._seats_in(self.state.live)

    @property
    def tabled(self) -> Mapping[Seat, tuple[CardText, ...]]:
        seats = self.state.ring.seats
        return {seats[index]: cards for index, cards in self.state.tabled.items()}

    @property
    def show_order(self) -> tuple[Seat, ...]:
        """Live seats in the order in which they show."""
        return showdown.show_order(self.state)

    @property
    def awaiting_board(self) -> bool:
        """Betting is closed and the next street is due."""
        return self.state.awaiting_board

    @property
    def betting_over(self) -> bool:
        """No more betting in this hand: all-in, or the showdown."""
        return self.state.betting_over

    @property
    def must_table(self) -> tuple[Seat, ...]:
        """Seats that must turn their hands up now and have not: somebody is all-in and betting is over."""
        state = self.state
        return tuple([s for s in self._seats_in(showdown.must_table(state)) if s not in self.tabled])

    @property
    def away(self) -> tuple[Seat, ...]:
        """Dealt-in seats whose players are absent."""
        return self._seats_in(self.state.away)

    @property
    def missed_deal(self) -> tuple[Seat, ...]:
        """Dealt-in seats whose players were away from the riffle until the deal was complete, or still are."""
        state = self.state
        away = state.missed if state.dealt else state.away
        return tuple([seat for seat in self._seats_in(away) if seat in getattr(state.start, "away", ())])

    @property
    def beaten(self) -> tuple[Seat, ...]:
        """Seats whose hands lost a pot at the showdown."""
        return self._seats_in(self.state.beaten)

    @property
    def short_calls(self) -> Mapping[Seat, Chips]:
        """Chips missing from calls that the table let pass, on this street and before it."""
        seats, owed, short = self.state.ring.seats, self.state.owed, self.state.short
        return {seats[index]: Chips(owed.get(index, 0) + short.get(index, 0)) for index in {**owed, **short}}

    @property
    def duties(self) -> Mapping[Seat, tuple[Duty, ...]]:
        """What seats owe at their next turn by rulings; seats that owe nothing are left out."""
        seats = self.state.ring.seats
        return {seats[index]: owed for index, owed in self.state.duties.items()}

    @property
    def ready_to_award(self) -> bool:
        """Every live hand is tabled at the showdown, or one hand is left."""
        return showdown.ready_to_award(self.state)

    def snapshot(self) -> HandSnapshot:
        """The whole state, frozen; equal snapshots are equal hands."""
        state = self.state
        raisers = [index for index in members(state.pending) if may_raise(state, index)]
        return HandSnapshot(
            hand=self.number,
            level=self.level,
            button=self.button,
            small_blind=self.small_blind,
            big_blind=self.big_blind,
            street=state.street,
            board=state.board,
            seats=tuple(self._seat_snapshot(index) for index in range(len(state.stacks))),
            pots=self.pots,
            to_act=self.to_act,
            pending=self._seats_in(state.pending),
            may_raise=tuple(state.ring.seats[index] for index in raisers),
            bet_to_match=Chips(state.high),
            full_bet=Chips(state.full_high),
            full_raise=Chips(state.last_raise),
            aggressor=None if state.aggressor == NOBODY else state.ring.seats[state.aggressor],
            betting_closed=state.closed,
            dead=Chips(state.dead),
            away=self.away,
            beaten=self.beaten,
            short_calls=tuple(sorted(self.short_calls.items())),
            duties=tuple(sorted(self.duties.items())),
        )

    def _seat_snapshot(self, index: int) -> SeatSnapshot:
        state = self.state
        return SeatSnapshot(
            seat=state.ring.seats[index],
            stack=Chips(state.stacks[index]),
            bet=Chips(state.bets[index]),
            paid=Chips(state.paid[index]),
            folded=bool(state.folded >> index & 1),
            mucked=bool(state.mucked >> index & 1),
            all_in=bool(state.all_in >> index & 1),
            tabled=state.tabled.get(index, ()),
        )

    def _seats_in(self, indices: int) -> tuple[Seat, ...]:
        return self.state.ring.seats_in(indices)

    def _by_seat(self, chips: list[int]) -> dict[Seat, Chips]:
        return {seat: Chips(amount) for seat, amount in zip(self.state.ring.seats, chips, strict=True)}
