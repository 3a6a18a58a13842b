"""Two people with the same open incident before them: whoever rules second is told who ruled first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from feltwire.station.director.arguments import RulingWanted
from table_core.messages import Millis, RulingView

ANSWER_MS = 3_000  # a table that is heard has answered a ruling by then


@dataclass(frozen=True, slots=True)
class _Sent:
    question: int
    by: str
    at: Millis


class RuledAlready:
    """`open_at` is the incident open at a table, as the station knows it."""

    def __init__(self, open_at: Callable[[str], RulingView | None]) -> None:
        self._open_at = open_at
        self._sent: dict[str, _Sent] = {}  # the last ruling by table

    def why_not(self, wanted: RulingWanted, by: str, now: Millis) -> str:
        """Why a ruling on the question that the person saw open is not sent; empty where it is."""
        if wanted.question is None or not wanted.option:
            return ""
        first = self._sent.get(wanted.table)
        same = first is not None and first.question == wanted.question
        if first is not None and same and first.by != by and now - first.at < ANSWER_MS:
            return f"Not done: {first.by} has just ruled on this. Look at the ruling first."
        known = self._open_at(wanted.table)
        if known is None or known.question != wanted.question:
            who = first.by if first is not None and same else f"table {wanted.table}"
            return f"Not done: {who} has closed this. Look at what was decided first."
        self._sent[wanted.table] = _Sent(wanted.question, by, now)
        return ""
