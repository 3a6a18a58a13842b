"""The players of one hand in the order in which the table goes round.

A *place* is a player's index in that order: place 0 is the first player left of the button, so postflop
action, the deal and odd chips all begin at the lowest place. Sets of places are integers with one bit each.
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
    """Who was dealt in, clockwise from the button, and where each of them is. It never changes (see `ring_of`).

    `seat_at` gives the seat at a place, None at the place -1, which is nobody's.
    """

    __slots__ = ("_places", "_sets", "by_number", "everyone", "place", "seat_at", "seats")

    def __init__(self, button: Seat, seats: Iterable[Seat]) -> None:
        self.seats = clockwise_from(button, seats)
        self.seat_at: tuple[Seat | None, ...] = (*self.seats, None)
        self.place = {seat: place for place, seat in enumerate(self.seats)}
        self.everyone = (1 << len(self.seats)) - 1
        self.by_number = tuple([self.place[seat] for seat in sorted(self.seats)])
        self._sets: dict[int, tuple[Seat, ...]] = {}
        self._places: dict[tuple[Seat, ...], int] = {}  # the same the other way round

    def seats_in(self, places: int) -> tuple[Seat, ...]:
        """The seats of a set of places, clockwise from the button."""
        seats = self._sets.get(places)
        if seats is None:
            seats = self._sets[places] = tuple([self.seats[place] for place in members(places)])
            self._places[seats] = places
        return seats

    def places(self, seats: Sequence[Seat]) -> int:
        """The set of places of those of `seats` that were dealt in."""
        if type(seats) is tuple and seats in self._places:
            return self._places[seats]
        found = 0
        for seat in seats:
            if seat in self.place:
                found |= 1 << self.place[seat]
        return found


@lru_cache(64)
def ring_of(button: Seat, seats: tuple[Seat, ...]) -> Ring:
    """The ring of these players, one for all hands that they play with this button."""
    return Ring(button, seats)


@cache
def members(places: int) -> tuple[int, ...]:
    """Each place of a set, lowest first. There are 2,048 sets of eleven places, so each is worked out once."""
    return tuple([place for place in range(places.bit_length()) if places >> place & 1])


def set_of(places: Iterable[int]) -> int:
    """The set of these places."""
    found = 0
    for place in places:
        found |= 1 << place
    return found


def next_in(places: int, after: int) -> int:
    """The first place of a set clockwise after place `after`, or -1 for an empty set."""
    ahead = places >> (after + 1) << (after + 1)
    found = ahead or places
    return (found & -found).bit_length() - 1
