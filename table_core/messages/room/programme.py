"""What the producer has on air: which table is the feature, which elements, lower third, ticker, or nothing."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from table_core.messages.base import Few, Frozen, Many, Name, Number, Signed, Text

Shown = Annotated[str, Meta(max_length=120, pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)")]  # a line on a screen
Slug = Annotated[str, Meta(max_length=40, pattern=r"^[a-z0-9-]*$(?!\n)")]  # an element, a layout, a skin


class LowerThird(Frozen, frozen=True):
    """Two lines of text. `for_s`: the relay takes it off air after so many seconds; 0: a person does. `until`:
    when that is (wall time, ms)."""

    title: Shown
    line: Shown = ""
    for_s: Number = 0
    until: Signed | None = None


class ProgrammeView(Frozen, frozen=True):
    """What is on air. `elements`: by name, whether it is on; what is not named is on where its address asks for
    it. `layout`, `skin` and `stack` hold where an address has none of its own; empty: as the page has it. With
    `cut` nothing is on air, and there is neither lower third nor ticker."""

    feature: Name = ""
    cut: bool = False
    elements: dict[Slug, bool] = msgspec.field(default_factory=dict)
    lower_third: LowerThird | None = None
    ticker: Few[Shown] = ()
    layout: Slug = ""
    skin: Slug = ""
    stack: Slug = ""


class Verdict(StrEnum):
    """Whether the air delay is long enough for hole cards from the deal on."""

    ENOUGH = "enough"
    LITTLE = "little"
    SHORT = "short"
    NONE = "none"


class LongestHand(Frozen, frozen=True):
    """The longest hand of an event so far; `event` tells two events apart."""

    table: Name
    hand: Number
    took_s: Number
    event: Name = ""


class WaitingHand(Frozen, frozen=True):
    """A hand whose cards are not out: why, and in how many seconds at the earliest."""

    hand: Number
    why: Text
    in_s: Number | None = None


class GaugeTable(Frozen, frozen=True):
    """A table as the relay hears it: `heard_s` ago, `trouble` in words."""

    table: Name
    hand: Number
    players: Number
    heard_s: Number | None = None
    trouble: Text = ""
    waiting: Few[WaitingHand] = ()


class GaugeView(Frozen, frozen=True):
    """How late the picture is, in seconds, and whether cards come in time for it. `spare_s` is the air delay less
    the card delay and the longest hand. `folded`: folded hands are released, too."""

    verdict: Verdict
    words: Text
    card_s: float | None = None
    air_s: float | None = None
    floor_s: float | None = None
    spare_s: float | None = None
    proposed_s: Number | None = None
    longest: LongestHand | None = None
    folded: bool = False
    broker: bool = False
    tables: Many[GaugeTable] = ()


class DeskLine(Frozen, frozen=True):
    """One change of what goes on air: `at` is wall time as text."""

    at: Name
    who: Name
    what: Name
    text: Text = ""


class DeskView(Frozen, frozen=True):
    """The producer's desk: what is on air, behind a cut too; what *take* puts on air; what is prepared; and the
    last lines of the audit, the newest first."""

    on_air: ProgrammeView
    staged: ProgrammeView
    prepared: Few[LowerThird] = ()
    ticker: Few[Shown] = ()
    lines: Few[DeskLine] = ()
    unkept: Text = ""  # why what was pressed last is not on the disk
