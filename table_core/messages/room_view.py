"""The whole room as the director's station draws it."""

from __future__ import annotations

from table_core.messages.base import Frozen
from table_core.messages.clock import ClockState
from table_core.messages.table_view import TableView


class TileView(Frozen, frozen=True):
    """One table on the station: its state and how it is connected."""

    table: str
    online: bool
    acked: int
    seen_ms_ago: int
    state: TableView | None


class ClaimView(Frozen, frozen=True):
    """A machine that is not in charge of a table asks to be it; the director hands the table over, or not.

    `mark` is what its screen shows, `heard_ms_ago` how long ago the machine in charge was heard.
    """

    table: str
    ledger: str
    mark: str
    text: str
    heard_ms_ago: int


class RoomView(Frozen, frozen=True):
    venue: str
    rulebook: str
    tiles: tuple[TileView, ...]
    clock: ClockState | None
    alerts: tuple[str, ...] = ()
    claims: tuple[ClaimView, ...] = ()
