"""Events about the clock and the event as a whole, beside its schedule and mark (`events.py`)."""

from __future__ import annotations

from table_core.messages import Frozen, Name, Number, Text
from table_core.messages.base import Many
from table_core.tournament.events import TournamentEvent
from table_core.tournament.policies import DeckReason


class DisputeOpened(TournamentEvent, frozen=True, tag="dispute_opened"):
    """Something at a table needs the director; where the book says so the clock stands meanwhile."""

    dispute: Name
    table: Name
    why: Text = ""
    rule: Name = ""


class DisputeClosed(TournamentEvent, frozen=True, tag="dispute_closed"):
    dispute: Name


class TableHand(Frozen, frozen=True):
    """A hand of a table, by its number."""

    table: Name
    hand: Number


class RoundBegan(TournamentEvent, frozen=True, tag="round_began"):
    """Hand for hand: each table plays up to this hand and waits for the others."""

    hands: Many[TableHand]


class ClockDelegated(TournamentEvent, frozen=True, tag="clock_delegated"):
    """The clock may be stopped and started at `table` too; empty: at the station alone."""

    table: Name
    rule: Name = ""


class ClockPressed(TournamentEvent, frozen=True, tag="clock_pressed"):
    """A table asked to stop the clock or to let it go on; `taken`: the clock was left to it."""

    press: Name
    table: Name
    running: bool
    taken: bool
    rule: Name = ""


class EventCancelled(TournamentEvent, frozen=True, tag="event_cancelled"):
    why: Text
    rule: Name = ""


class DeckChanged(TournamentEvent, frozen=True, tag="deck_changed"):
    table: Name
    reason: DeckReason
    rule: Name = ""
