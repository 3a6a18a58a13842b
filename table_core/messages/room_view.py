"""The whole room as the director's page shows it."""

from __future__ import annotations

from table_core.messages.base import (
    Frozen,
    Many,
    Name,
    Number,
    Text,
)
from table_core.messages.clock import ClockState
from table_core.messages.table_view import TableView


class TileView(Frozen, frozen=True):
    """One table on the station: its state and how it is connected."""

    table: Name
    online: bool
    acked: Number
    seen_ms_ago: Number
    state: TableView | None


class ClaimView(Frozen, frozen=True):
    """A machine that claims a table with a leaseholder; the director decides.

    `mark` is the short name on its screen, `key` (hex) what it signs with, `heard_ms_ago` the time since the
    leaseholder was heard.
    """

    table: Name
    ledger: Name
    mark: Name
    text: Text
    heard_ms_ago: Number
    key: Text = ""


class RoomView(Frozen, frozen=True):
    venue: Name
    rulebook: Name
    tiles: Many[TileView]
    clock: ClockState | None
    alerts: Many[Text] = ()
    claims: Many[ClaimView] = ()
