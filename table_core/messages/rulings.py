"""An open matter as the table's own screen and the director's page show it."""

from __future__ import annotations

from table_core.messages.base import Frozen, Seat
from table_core.messages.table_events import Ruled


class WayView(Frozen, frozen=True):
    """One way to rule: `no` STREET chooses it; `rule` is the id that allows it."""

    no: int
    way: str
    text: str
    rule: str


class RulingView(Frozen, frozen=True):
    """An open matter as the table's own screen and the director's page show it. On no public topic: it may name a
    player. `seen` is what devices and keys say about it."""

    question: int
    matter: str
    text: str
    seat: Seat | None
    ways: tuple[WayView, ...]  # the default first
    deadline: str = ""
    history: tuple[str, ...] = ()  # earlier rulings about this seat
    seen: tuple[str, ...] = ()


class OpenRuling(Frozen, frozen=True):
    """On `…/ruling`, which only the station reads: the matter that is open at a table after event `as_of`, None
    where there is none."""

    epoch: int
    as_of: int
    ruling: RulingView | None


class TableRuling(Frozen, frozen=True):
    """One table on the director's page: its open matter, and the director's own ruling that can be taken back."""

    table: str
    ruling: RulingView | None
    given: Ruled | None


class RulingsView(Frozen, frozen=True):
    """What the director's page shows of rulings, and no other page."""

    tables: tuple[TableRuling, ...]
