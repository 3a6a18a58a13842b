"""An open matter as the table's own screen and the director's page show it."""

from __future__ import annotations

from table_core.messages.base import Few, Frozen, Many, Name, Number, Seat, Text
from table_core.messages.table_events import Ruled


class WayView(Frozen, frozen=True):
    """One way to rule: `no` STREET chooses it; `rule` is the id that allows it."""

    no: Number
    way: Name
    text: Text
    rule: Name


class RulingView(Frozen, frozen=True):
    """An open matter as the table's own screen and the director's page show it. Only who may rule sees it: it
    may name a player whom nobody has ruled against. `seen` is what devices and keys say about it."""

    question: Number
    matter: Name
    text: Text
    seat: Seat | None
    ways: Few[WayView]  # the default first
    deadline: Text = ""
    history: Few[Text] = ()  # earlier rulings about this seat
    seen: Few[Text] = ()


class OpenRuling(Frozen, frozen=True):
    """On `…/ruling`, which only the station reads, and on the dealer screen's channel: the matter that is open at
    a table after event `as_of`, None where there is none."""

    epoch: Number
    as_of: Number
    ruling: RulingView | None


class TableRuling(Frozen, frozen=True):
    """One table on the director's page: its open matter, and the director's own ruling that can be taken back."""

    table: Name
    ruling: RulingView | None
    given: Ruled | None


class RulingsView(Frozen, frozen=True):
    """What the director's page shows of rulings, and no other page."""

    tables: Many[TableRuling]
