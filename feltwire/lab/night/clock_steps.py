"""The steps of a night's story about the clock and the event as a whole: one pattern for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from feltwire.lab.night.story import duration
from table_core.messages import Chips, Millis
from table_core.tournament.control import (
    CancelEvent,
    ChangeDeck,
    DelegateClock,
    EditLevel,
    EndBreak,
    TakeBreak,
)
from table_core.tournament.disputes import CloseDispute, OpenDispute
from table_core.tournament.hand_for_hand import BeginRound, ChargeHand, SetHandForHand
from table_core.tournament.opening import AddTime, GoToLevel, Pause, Resume, Start
from table_core.tournament.policies import DeckReason

Said = Mapping[str, Any]


def _edit(said: Said) -> EditLevel:
    """`edit entry 3 100/200/25 lasts 30`: what is not said stays."""
    blinds = [Chips(int(part)) for part in (said["blinds"] or "").split("/") if part]
    small, big, ante = (*blinds, None, None, None)[:3]
    minutes = float(said["minutes"]) if said["minutes"] else None
    return EditLevel(int(said["entry"]) - 1, small, big, ante, minutes=minutes)


CLOCK_STEPS: Mapping[str, Callable[[Said], Any]] = {
    r"start": lambda s: Start(),
    r"pause(?: (?P<why>.+))?": lambda s: Pause(s["why"] or ""),
    r"resume": lambda s: Resume(),
    r"entry (?P<entry>\d+)": lambda s: GoToLevel(int(s["entry"]) - 1),
    r"(?P<sign>add|take) (?P<time>\d+:\d\d)": lambda s: AddTime(
        duration(s["time"]) * (1 if s["sign"] == "add" else -1)
    ),
    r"hand for hand (?P<on>on|off)": lambda s: SetHandForHand(s["on"] == "on"),
    r"charge hand": lambda s: ChargeHand(),
    r"begin round": lambda s: BeginRound(),
    r"break for (?P<minutes>\d+)(?: in (?P<time>\d+:\d\d))?(?: (?P<what>.+))?": lambda s: TakeBreak(
        int(s["minutes"]), s["what"] or "", duration(s["time"] or "0:00")
    ),
    r"end break(?: left (?P<time>\d+:\d\d))?(?P<agreed> agreed)?(?: anyway (?P<anyway>.+))?": lambda s: EndBreak(
        bool(s["agreed"]), Millis(duration(s["time"] or "0:00")), s["anyway"] or ""
    ),
    r"edit entry (?P<entry>\d+)(?: (?P<blinds>\d+/\d+(?:/\d+)?))?(?: lasts (?P<minutes>[\d.]+))?": lambda s: _edit(
        s
    ),
    r"dispute at (?P<table>\S+)(?: (?P<why>.+))?": lambda s: OpenDispute(s["table"], s["why"] or ""),
    r"settled (?P<dispute>\S+)": lambda s: CloseDispute(s["dispute"]),
    r"clock to table (?P<table>\S+)": lambda s: DelegateClock(s["table"]),
    r"cancel event (?P<why>.+)": lambda s: CancelEvent(s["why"]),
    rf"deck table (?P<table>\S+) (?P<reason>{'|'.join(DeckReason)})": lambda s: ChangeDeck(
        s["table"], DeckReason(s["reason"])
    ),
}
