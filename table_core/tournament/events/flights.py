"""An event over several days: a flight that ends with chips in bags, and the day that takes the bags."""

from __future__ import annotations

import msgspec

from table_core.messages import Chips, Few, Frozen, Many, Name, Number, Text
from table_core.tournament.events.base import Cents, TournamentEvent
from table_core.tournament.events.entries import Purchase


class Bag(Frozen, frozen=True):
    """What a player has as the day ends."""

    player: Name
    chips: Chips


class FlightEntrant(Frozen, frozen=True):
    """A player of a flight: what was paid, and the bag; without chips the place in the flight, and the level in
    which the player went out."""

    player: Name
    entries: Number
    paid: Cents
    pool: Cents
    chips: Chips = Chips(0)
    place: Number = 0
    level: Number = 0
    bought: dict[Purchase, Number] = msgspec.field(default_factory=dict)
    knockouts: Number = 0
    member: bool = False
    adult: bool = False


class Flight(Frozen, frozen=True):
    """A flight that is over. `tournament` begins the ids of its commands, `entry` is where its clock stood."""

    tournament: Name
    name: Text
    day: Name
    entry: Number
    entrants: Many[FlightEntrant]


class FlightBagged(TournamentEvent, frozen=True, tag="flight_bagged"):
    """The day is over: everybody who is in has these chips in a bag. `difference`: chips that should be there and
    are not, below 0 too many; `why` it was bagged so."""

    bags: Many[Bag]
    difference: int = 0
    why: Text = ""


class FlightsCarried(TournamentEvent, frozen=True, tag="flights_carried"):
    """This event goes on with the bags of these flights; their entries, money and places are its own."""

    flights: Few[Flight]
