"""An open incident as the table's own screen and the director's page show it."""

from __future__ import annotations

from table_core.messages.base import Few, Frozen, Many, Name, Number, Seat, Text
from table_core.messages.table.events import Ruled


class OptionView(Frozen, frozen=True):
    """One option of a ruling: `no` STREET chooses it; `rule` is the id that allows it; `asks` what must be said
    before it can be chosen, empty where everything is known."""

    no: Number
    option: Name
    text: Text
    rule: Name
    asks: Text = ""


class RulingView(Frozen, frozen=True):
    """An open incident as the table's own screen and the director's page show it.

    Only people who may rule see it: it may name a player whom nobody has ruled against. `seen` is what devices and
    keys say about it, `street` the option that STREET alone takes (0: none, its number comes first), `by` who
    makes the ruling: `table` or `director`.
    """

    question: Number
    incident: Name
    text: Text
    seat: Seat | None
    options: Few[OptionView]  # the default first
    deadline: Text = ""
    history: Few[Text] = ()  # earlier rulings about this seat
    seen: Few[Text] = ()
    street: Number = 0
    by: Name = "table"


class OpenRuling(Frozen, frozen=True):
    """The incident open at a table after event `as_of`; `ruling` is None where there is none.

    It goes to `…/ruling`, which only the station reads, and to the dealer screen's own channel.
    """

    epoch: Number
    as_of: Number
    ruling: RulingView | None


class TableRuling(Frozen, frozen=True):
    """One table on the director's page: its open incident, and the director's last ruling that can be taken
    back."""

    table: Name
    ruling: RulingView | None
    given: Ruled | None


class RulingsView(Frozen, frozen=True):
    """The rulings of all tables, for the director's page only."""

    tables: Many[TableRuling]
