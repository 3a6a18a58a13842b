"""An open incident as the table's own screen and the director's page show it."""

from __future__ import annotations

from table_core.messages.base import Few, Frozen, Many, Name, Number, Seat, Text
from table_core.messages.table.events import Ruled


class OptionView(Frozen, frozen=True):
    """One option of a ruling: `no` STREET chooses it; `rule` is the id that allows it; `asks` what must be said
    before it can be chosen, empty where everything is known; `effect` what it changes at the table as it is now
    (`seat 4 dead; seat 5 wins 6,300`), empty where its words say all."""

    no: Number
    option: Name
    text: Text
    rule: Name
    asks: Text = ""
    effect: Text = ""


class RulingView(Frozen, frozen=True):
    """An open incident as the table's own screen and the director's page show it.

    Only people who may rule see it: it may name a player whom nobody has ruled against. `seen` is what devices and
    keys say about it, `street` the option that STREET alone takes (0: none, its number comes first), `by` who
    makes the ruling: `table` or `director`. `holds`: what waits for it, in words; empty where the hand goes on.
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
    holds: Text = ""


class RaisableView(Frozen, frozen=True):
    """An incident that a person may raise: its number, key and title, the seat that it would be about, and what
    its first answer would change, or asks. `why`: why it cannot be raised now, empty where it can."""

    no: Number
    incident: Name
    text: Text
    seat: Seat | None = None
    needs_seat: bool = False
    effect: Text = ""
    why: Text = ""


class RulingChoices(Frozen, frozen=True):
    """What a person who pressed *Ruling* may raise, the likeliest first; `seat` is the one that was touched. For
    the table's own screen, which asked: it travels on no topic."""

    seat: Seat | None
    choices: Few[RaisableView]


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
