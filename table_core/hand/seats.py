"""The players of one hand in clockwise order.

A *seat index* is a player's number in that order: index 0 is the first player left of the button, so postflop
action, the deal and odd chips begin at the lowest index. A set of seat indices is an integer with one bit each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from table_core.messages import Seat


def clockwise_from(start: Seat, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """`seats` in clockwise order, beginning with the first one after `start`; `start` itself comes last."""
    order = sorted(seats)
    first = bisect_right(order, start)
    return (*order[first:], *order[:first])


class Ring:
    """Who was dealt in, clockwise from the button. It never changes (see `ring_of`).

    `seat_at` gives the seat at an index, and None at index -1, which belongs to nobody.
    """

    __slots__ = ("_indices", "_sets", "by_number", "everyone", "index", "seat_at", "seats")

    def __init__(self, button: Seat, seats: Iterable[Seat]) -> None:
        self.seats = clockwise_from(button, seats)
        self.seat_at: tuple[Seat | None, ...] = (*self.seats, None)
        self.index = {seat: index for index, seat in enumerate(self.seats)}
        self.everyone = (1 << len(self.seats)) - 1
        self.by_number = tuple([self.index[seat] for seat in sorted(self.seats)])
        self._sets: dict[int, tuple[Seat, ...]] = {}
        self._indices: dict[tuple[Seat, ...], int] = {}  # the same the other way round

    def seats_in(self, indices: int) -> tuple[Seat, ...]:
        """The seats of a set of indices, clockwise from the button."""
        seats = self._sets.get(indices)
        if seats is None:
            seats = self._sets[indices] = tuple([self.seats[index] for index in members(indices)])
            self._indices[seats] = indices
        return seats

    def indices(self, seats: Sequence[Seat]) -> int:
        """The set of indices of those of `seats` that were dealt in."""
        if type(seats) is tuple and seats in self._indices:
            return self._indices[seats]
        found = 0
        for seat in seats:
            if seat in self.index:
                found |= 1 << self.index[seat]
        return found


@lru_cache(64)
def ring_of(button: Seat, seats: tuple[Seat, ...]) -> Ring:
    """The ring of these players, one for all hands that they play with this button."""
    return Ring(button, seats)


@cache
def members(indices: int) -> tuple[int, ...]:
    """Each index of a set, lowest first. Cached: there are only 2,048 sets of eleven indices."""
    return tuple([index for index in range(indices.bit_length()) if indices >> index & 1])


def set_of(indices: tuple[int, ...]) -> int:
    """The set of these indices."""
    found = 0
    for index in indices:
        found |= 1 << index
    return found


def next_in(indices: int, after: int) -> int:
    """The first index of a set clockwise after index `after`, or -1 for an empty set."""
    ahead = indices >> (after + 1) << (after + 1)
    found = ahead or indices
    return (found & -found).bit_length() - 1
