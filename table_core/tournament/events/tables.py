"""What a table is in: hand for hand, a dispute, another deck."""

from __future__ import annotations

from table_core.messages import Frozen, Many, Name, Number, Text
from table_core.tournament.events.base import TournamentEvent
from table_core.tournament.policies import DeckReason


class HandForHand(TournamentEvent, frozen=True, tag="hand_for_hand"):
    """All tables begin their hands together, or no longer. The clock is charged `charged_ms` a hand."""

    on: bool
    charged_ms: Number = 0
    rule: Name = ""


class TableHand(Frozen, frozen=True):
    """A hand of a table, by its number."""

    table: Name
    hand: Number


class RoundBegan(TournamentEvent, frozen=True, tag="round_began"):
    """Hand for hand: each table plays up to this hand and waits for the others."""

    hands: Many[TableHand]


class DisputeOpened(TournamentEvent, frozen=True, tag="dispute_opened"):
    """Something at a table needs the director; where the book says so the clock stands meanwhile. `hand` is
    the table's last one then."""

    dispute: Name
    table: Name
    why: Text = ""
    rule: Name = ""
    hand: Number = 0


class DisputeClosed(TournamentEvent, frozen=True, tag="dispute_closed"):
    dispute: Name


class DeckChanged(TournamentEvent, frozen=True, tag="deck_changed"):
    table: Name
    reason: DeckReason
    rule: Name = ""
