"""Players who lost their last chips, and their places."""

from __future__ import annotations

from table_core.messages import Chips, Few, Frozen, Name, Number, Text
from table_core.tournament.events.base import TournamentEvent


class Out(Frozen, frozen=True):
    """One player who lost the last chips: the stack at the hand's start, and who won them, largest stack first."""

    player: Name
    start_stack: Chips
    by: Few[Name] = ()


class BustReported(TournamentEvent, frozen=True, tag="bust_reported"):
    """A table's hand took the last chips of these players. Pending until a person confirms. `level`: the highest
    of which any table had begun a hand when they went."""

    bust: Name
    table: Name
    hand: Number
    out: Few[Out]
    level: Number = 0


class BustConfirmed(TournamentEvent, frozen=True, tag="bust_confirmed"):
    """These places are final; `places` in the order of `players`, equal numbers share a place."""

    busts: Few[Name]
    players: Few[Name]
    places: Few[Number]
    rule: Name
    undecided: Few[Few[Name]] = ()  # whose order no sentence of the book gives


class BustDropped(TournamentEvent, frozen=True, tag="bust_dropped"):
    """The player is in after all: a rebuy, a mistake in the report. `chips` of it come back from `giver`, who was
    given them by mistake. `instead`: another one who went out in that hand gets the place."""

    bust: Name
    player: Name
    why: Text
    rule: Name = ""  # that is departed from
    chips: Chips = Chips(0)
    giver: Name = ""
    instead: bool = False


class PlacesCorrected(TournamentEvent, frozen=True, tag="places_corrected"):
    """Players have their final places in another order; `places` belong to `players` one by one."""

    players: Few[Name]
    places: Few[Number]
    why: Text


class PlacesDecided(TournamentEvent, frozen=True, tag="places_decided"):
    """A person decided the places of players who went out together; equal numbers share a place."""

    players: Few[Name]
    places: Few[Number]
    why: Text = ""
    rule: Name = ""  # that leaves it open


class Reinstated(TournamentEvent, frozen=True, tag="reinstated"):
    """A player who was out is in again with `chips`: from the stack of `giver`, or of those that had left play.
    The seat is the one before, where nobody has it."""

    player: Name
    chips: Chips
    why: Text
    giver: Name = ""
    rule: Name = ""
