"""Players who move from table to table, and tables that break."""

from __future__ import annotations

from table_core.messages import CardText, Chips, Few, Many, Name, Number, Seat, Text
from table_core.tournament.events.base import SeatAt, TournamentEvent


class CardsDealt(TournamentEvent, frozen=True, tag="cards_dealt"):
    """Cards dealt for the move with this number: one a table, or one for each of `seats` of the only table."""

    tables: Many[Name]
    seats: Few[Seat]
    cards: Few[CardText]
    turn: Number
    rule: Name


class MoveConfirmed(TournamentEvent, frozen=True, tag="move_confirmed"):
    move: Name
    player: Name
    start: SeatAt
    to: SeatAt
    why: Text
    rule: Name
    waits_for_all: bool = False  # the player gets up when the hands at all tables are over


class MoveLeft(TournamentEvent, frozen=True, tag="move_left"):
    """The player got up after the hand with `rack` chips."""

    move: Name
    rack: Chips
    player: Name


class MoveSeated(TournamentEvent, frozen=True, tag="move_seated"):
    """The player sits at the new table and `rack` was counted there."""

    move: Name
    rack: Chips
    player: Name


class MoveWithdrawn(TournamentEvent, frozen=True, tag="move_withdrawn"):
    move: Name
    why: Text
    player: Name


class TableClosed(TournamentEvent, frozen=True, tag="table_closed"):
    """The table is not played on any more; its players move."""

    table: Name
    rule: Name
