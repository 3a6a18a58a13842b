"""Matters that nobody has ruled on yet, and keys that came out of turn."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from table_core.messages import Millis, Seat
from table_core.tracker.memory.slice import Slice


class OpenMatter(msgspec.Struct, frozen=True):
    """A matter that somebody or something raised and that nobody has ruled on yet. `card` lies face up."""

    matter: str
    seat: Seat | None = None
    amount: int | None = None
    cause: str = ""
    place: int | None = None  # position in the deal
    card: str = ""  # empty, or the card that lies face up
    opened_at: Millis = Millis(0)
    by_person: bool = False
    act: int | None = None  # number of the seat's action that it is about, where it had acted on that street
    on_board: int | None = None  # board cards that lay there when it was raised

    def same(self, other: OpenMatter) -> bool:
        return (self.matter, self.seat) == (other.matter, other.seat)


class OutOfTurn(msgspec.Struct, frozen=True):
    """A key for a seat that was not to act, as it was pressed."""

    seat: Seat
    did: str
    number: int | None = None


class Rulings(Slice):
    open: tuple[OpenMatter, ...] = ()  # in line, the first of them asked
    out_of_turn: tuple[OutOfTurn, ...] = ()

    def like(self, matter: OpenMatter) -> OpenMatter | None:
        """The open one of this kind about this seat."""
        return next((one for one in self.open if one.same(matter)), None)

    def last_out_of_turn(self, seat: Seat | None) -> OutOfTurn | None:
        return next((one for one in reversed(self.out_of_turn) if one.seat == seat), None)

    def raise_matter(self, matter: OpenMatter) -> None:
        self.open = (*self.open, matter)

    def take_first(self) -> OpenMatter:
        first, *rest = self.open
        self.open = tuple(rest)
        return first

    def put_back(self, matter: OpenMatter) -> None:
        self.open = (matter, *self.open)

    def give_amount(self, amount: int | None) -> None:
        """Of the first."""
        self.put_back(replace(self.take_first(), amount=amount))

    def close(self, matter: OpenMatter) -> None:
        self.keep(lambda one: not one.same(matter))

    def keep(self, wanted: Callable[[OpenMatter], bool]) -> None:
        self.open = tuple([one for one in self.open if wanted(one)])

    def acted_out_of_turn(self, act: OutOfTurn) -> None:
        self.out_of_turn = (*self.out_of_turn, act)

    def was_in_turn(self, seat: Seat) -> None:
        self.out_of_turn = tuple([one for one in self.out_of_turn if one.seat != seat])

    def forget_play(self) -> None:
        self.out_of_turn = ()

    def end_hand(self) -> None:
        self.open, self.out_of_turn = (), ()
