"""Incidents that nobody has ruled on yet."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

import msgspec
from msgspec.structs import replace

from table_core.tracker.kept import Millis, Seat
from table_core.tracker.memory.slice import Slice


class OpenIncident(msgspec.Struct, frozen=True):
    """An incident without a ruling yet, raised by a person or a device. `card` lies face up."""

    incident: str
    seat: Seat | None = None
    amount: int | None = None
    cause: str = ""
    place: int | None = None  # position in the deal
    card: str = ""  # empty, or the card that lies face up
    opened_at: Millis = Millis(0)
    by_person: bool = False
    act: int | None = None  # number of the seat's action that it is about, where it had acted on that street
    on_board: int | None = None  # board cards that lay there when it was raised
    by_director: bool = False  # the director is making this ruling

    def same(self, other: OpenIncident) -> bool:
        """Whether one ruling is for both: a person who raises it means what a device has noticed."""
        one_cause = self.cause == other.cause or not self.cause or not other.cause
        return (self.incident, self.seat) == (other.incident, other.seat) and one_cause

    def same_bet(self, other: OpenIncident) -> bool:
        """Whether both are about the same chips, where both are about a bet: those of one action of a seat."""
        return (self.seat, self.on_board, self.act) == (other.seat, other.on_board, other.act)


class RefusedBet(msgspec.Struct, frozen=True):
    """A bet of too little that was keyed and not taken."""

    seat: Seat
    number: int


class RuledOn(msgspec.Struct, frozen=True):
    """An incident and the number of the event that ruled on it. Its card is not kept."""

    seq: int
    incident: OpenIncident


class Rulings(Slice):
    open: tuple[OpenIncident, ...] = ()  # in line, the first of them asked
    asked: OpenIncident | None = None  # the incident of the open question, as it was asked; without its card
    ruled_on: tuple[RuledOn, ...] = ()
    left_open: tuple[OpenIncident, ...] = ()  # when the hand ended; open again where its end is taken back
    refused_bet: RefusedBet | None = None  # the last one of this turn

    def like(self, incident: OpenIncident) -> OpenIncident | None:
        """The open incident of this kind about this seat."""
        return next((one for one in self.open if one.same(incident)), None)

    def bet_was_refused(self, seat: Seat, number: int | None) -> None:
        self.refused_bet = None if number is None else RefusedBet(seat, number)

    def forget_refused_bet(self) -> None:
        self.refused_bet = None

    def refused_to(self, seat: Seat | None) -> int | None:
        """What was keyed for the seat and not taken."""
        bet = self.refused_bet
        return bet.number if bet is not None and bet.seat == seat else None

    def raise_incident(self, incident: OpenIncident, instead: OpenIncident | None = None) -> None:
        """In line, in the place of another where it is raised `instead`."""
        if instead is None:
            self.open = (*self.open, incident)
        else:
            self.open = tuple([incident if one == instead else one for one in self.open])

    def take_first(self) -> OpenIncident:
        first, *rest = self.open
        self.open = tuple(rest)
        return first

    def put_back(self, incident: OpenIncident) -> None:
        self.open = (incident, *self.open)

    def is_asked(self, incident: OpenIncident) -> None:
        self.asked = replace(incident, card="")

    def was_ruled_on(self, incident: OpenIncident, seq: int) -> None:
        self.ruled_on = (*self.ruled_on, RuledOn(seq, replace(incident, card="")))

    def taken_back_to(self, found: Rulings, at: Millis, reopened: Sequence[OpenIncident]) -> None:
        """A press was taken back: as it found them, with what was opened since `at`, and without what others than
        this press have closed. `reopened`: those that it had closed."""
        later = [one for one in self.open if one.opened_at > at or one.by_director]  # or in the same millisecond
        since = [one for one in later if not found.like(one)]
        if not reopened:  # in line as they are now: the director may have gone first
            found = replace(found, open=tuple([one for one in self.open if found.like(one)]))
        there = (*self.open, *reopened)
        still = [next((now for now in there if now.same(one)), None) for one in found.open]
        self.asked, self.ruled_on, self.left_open = found.asked, found.ruled_on, found.left_open
        self.refused_bet = found.refused_bet
        self.open = (*[one for one in still if one is not None], *since)

    def taken_back(self, cut: Container[int]) -> list[OpenIncident]:
        """The incidents whose rulings are among the events that are cut."""
        back = [one.incident for one in self.ruled_on if one.seq in cut]
        self.ruled_on = tuple([one for one in self.ruled_on if one.seq not in cut])
        return back

    def take_over(self, incident: OpenIncident) -> None:
        """The director makes the ruling on it."""
        self.open = tuple([replace(one, by_director=True) if one.same(incident) else one for one in self.open])

    def give_amount(self, amount: int | None) -> None:
        """Set the first incident's amount."""
        self.put_back(replace(self.take_first(), amount=amount))

    def close(self, incident: OpenIncident) -> None:
        self.keep(lambda one: not one.same(incident))

    def keep(self, wanted: Callable[[OpenIncident], bool]) -> None:
        self.open = tuple([one for one in self.open if wanted(one)])

    def hand_is_over(self, wanted: Callable[[OpenIncident], bool]) -> None:
        """Close what cannot be ruled on behind a hand."""
        self.left_open += tuple([replace(one, card="") for one in self.open if not wanted(one)])
        self.keep(wanted)

    def hand_goes_on(self) -> tuple[OpenIncident, ...]:
        """What was open when the hand ended."""
        back, self.left_open = self.left_open, ()
        return back

    def forget_play(self) -> None:
        self.refused_bet = None

    def end_hand(self) -> None:
        self.open, self.asked, self.ruled_on, self.left_open = (), None, (), ()
        self.refused_bet = None
