"""Seats: reserved, drawn, given; the button and who deals."""

from __future__ import annotations

from enum import StrEnum

from table_core.messages import CardText, Few, Frozen, Many, Name, Seat, Text
from table_core.tournament.events.base import SeatAt, TournamentEvent


class Seated(Frozen, frozen=True):
    """Who sits where."""

    player: Name
    at: SeatAt


class SeatReserved(TournamentEvent, frozen=True, tag="seat_reserved"):
    at: SeatAt
    player: Name
    why: Text = ""
    rule: Name = ""


class KeptApart(TournamentEvent, frozen=True, tag="kept_apart"):
    one: Name
    other: Name
    rule: Name = ""


class Redraw(StrEnum):
    START = "start"
    TABLES_MERGED = "tables_merged"
    FINAL_TABLE = "final_table"


class SeatsDrawn(TournamentEvent, frozen=True, tag="seats_drawn"):
    """Everybody's seat, drawn from `seed` (or by cards, `cards` in the order of `seats`). Tables that are not
    named are not played on any more."""

    why: Redraw
    tables: Many[Name]
    seats: Many[Seated]
    rule: Name
    seed: Text = ""
    cards: Many[CardText] = ()


class ButtonSet(TournamentEvent, frozen=True, tag="button_set"):
    table: Name
    seat: Seat
    rule: Name
    cards: Few[CardText] = ()


class DealerSet(TournamentEvent, frozen=True, tag="dealer_set"):
    """The player at `seat` deals; without one, somebody who does not play."""

    table: Name
    seat: Seat | None = None
    rule: Name = ""


class PlayerSeated(TournamentEvent, frozen=True, tag="player_seated"):
    """A player who joins while it is played. `waits`: no cards between button and small blind."""

    player: Name
    at: SeatAt
    rule: Name
    waits: bool = False
