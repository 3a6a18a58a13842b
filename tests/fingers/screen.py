"""What the table's screen said, and for how long: a line counts that stood long enough to be read.

The dealer of the campaign knows of its own slips only what these lines say.
"""

from __future__ import annotations

import copy
import gc
import re
from dataclasses import dataclass
from typing import Any

from feltwire.lab.table.wired import WiredTable
from feltwire.runtime.concealed import Concealed
from feltwire.runtime.node_io import Show
from feltwire.table.table_io import FrameCame
from firmware_bridge.decks import DeckRegistry
from firmware_bridge.reports import KeyDown
from table_core.messages import Acted, Action, Key, TableView
from tests.workload.people import LOOK_S

_CLAUSES = re.compile(r"[.;] |, (?=seats? )")
_WHO = re.compile(r"\bseats? (\d+(?:(?:, | and )\d+)*)\b(.*)", re.IGNORECASE)
_VERBS = {
    Action.FOLD: ("fold",),
    Action.CHECK: ("check",),
    Action.CALL: ("call",),
    Action.BET: ("bet",),
    Action.RAISE: ("raise", "raising"),
}


@dataclass
class Line:
    """A text on the screen: the event that it was shown with, and from when to when (boot time, ms)."""

    text: str
    as_of: int
    since: int
    until: int | None = None

    def read(self, now: int) -> bool:
        """Whether somebody had the time to read it by now."""
        return (now if self.until is None else self.until) - self.since >= 1000 * LOOK_S


class WatchedTable(WiredTable):
    """Keeps the lines that its screen showed: the newest event's, the question's, the newest notice's."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.lines: list[Line] = []
        self._standing: dict[str, Line] = {}
        super().__init__(*args, **kwargs)

    def _perform(self, effect: Any) -> None:
        super()._perform(effect)
        if isinstance(effect, Show) and not effect.channel.startswith("ruling/"):
            self._read(self.shown)

    def _read(self, view: TableView) -> None:
        texts = {"last": view.last, "question": "" if view.question is None else view.question.text}
        texts["notice"] = view.notices[-1].text if view.notices else ""
        for place, text in texts.items():
            stands = self._standing.get(place)
            if stands is not None and stands.text == text:
                continue
            if stands is not None:
                stands.until = self.now
            self._standing[place] = Line(text, view.as_of, self.now)
            self.lines.append(self._standing[place])

    def said_since(self, seq: int) -> list[str]:
        """Texts that could be read and that were shown with event `seq` or behind it."""
        found = []
        for line in reversed(self.lines):
            if line.as_of >= seq and line.read(self.now):
                found.append(line.text)
            elif self.now - line.since > 600_000:
                break
        return found

    def stands_long_enough(self) -> bool:
        """Whether somebody had the time to read what is on the screen now."""
        return all(line.read(self.now) for line in self._standing.values())

    def if_pressed(self, key: Key) -> Twin:
        """The table as it would be if `key` went down now."""
        return Twin(self, key)


class Twin:
    """What one press would do; nothing of it happens."""

    def __init__(self, table: WatchedTable, key: Key) -> None:
        shared = {
            id(one): one for one in gc.get_objects() if isinstance(one, Concealed | DeckRegistry | WatchedTable)
        }
        node = copy.deepcopy(table.node, shared)
        boot, seq = table.acked["keypad"][-1] if table.acked.get("keypad") else (1, 0)
        node.step(FrameCame("keypad", boot, seq + 1, KeyDown(table.now, key)), table.now)
        self.table = node.table


def names(text: str, act: Acted) -> bool:
    """Whether `text` says of this seat what it did, with the chips where any moved.

    >>> from table_core.messages import Chips, Seat, Source
    >>> act = Acted(Seat(4), Action.CALL, Chips(100), Chips(200), False, Source.KEY)
    >>> names("Assumed: seats 4 and 5 call 100. Flop: unread", act), names("Flop: unread", act)
    (True, False)
    """
    amount = {Action.CALL: act.added, Action.BET: act.to, Action.RAISE: act.to}.get(act.action)
    for clause in _CLAUSES.split(text):
        said = _WHO.search(clause)
        if said is None or str(act.seat) not in re.findall(r"\d+", said[1]):
            continue
        if any(verb in said[2] for verb in _VERBS[act.action]) and (amount is None or f"{amount:,}" in said[2]):
            return True
    return False
