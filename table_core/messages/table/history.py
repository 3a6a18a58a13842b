"""What was recorded at a table, line by line, with the source of each fact: for the director's page."""

from __future__ import annotations

from enum import StrEnum

from table_core.messages.base import Chips, Few, Frozen, Name, Number, Seat, Text
from table_core.messages.vocabulary import Action


class FactKind(StrEnum):
    ACTION = "action"
    AWARD = "award"
    HAND = "hand"  # everything else of the hand
    RULING = "ruling"
    REFUSED = "refused"
    NOTICE = "notice"
    TABLE = "table"  # seats, counts, levels


class FactView(Frozen, frozen=True):
    """One recorded fact. `source` says which device or person said it, `inferred` that nobody did.

    `taken_back` says by whom, where it no longer counts. `can_go_back`: the hand can be taken back to before it.
    `amount` is what lay in front of the seat after an action, or what was counted.
    """

    seq: Number
    kind: FactKind
    text: Text
    source: Text
    hand: Number = 0
    wall: Name = ""
    inferred: bool = False
    by: Name = ""
    rule: Name = ""
    taken_back: Text = ""
    can_go_back: bool = False
    seat: Seat | None = None
    action: Action | None = None
    amount: Chips | None = None


class TableHistory(Frozen, frozen=True):
    """On the channel `history/<table>`: the newest last."""

    table: Name
    facts: Few[FactView]
