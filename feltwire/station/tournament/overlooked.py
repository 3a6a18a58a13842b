"""What a press overlooks.

The page sends the number of the newest record that it had drawn, as `seen`, and with the count of a stack the
stack that it had drawn, as `seen_stack`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from feltwire.station.station_io import Directed
from feltwire.station.tournament.words import words
from table_core.messages import Frozen, Malformed
from table_core.tournament.chips.counts import CountStack
from table_core.tournament.clashes import overlooked
from table_core.tournament.events import Instant, SeatAt, elapsed_ms
from table_core.tournament.night import Night
from table_core.tournament.state import Facts


class Drawn(Frozen, frozen=True):
    """What the page had drawn when its person decided; None where the press does not say."""

    seen: int | None = None
    seen_stack: int | None = None


def apart(given: Directed) -> tuple[Directed, Drawn]:
    """The press, and what its page had drawn. Raise `Malformed` where that is no number."""
    told = {name: given.arguments[name] for name in Drawn.__struct_fields__ if name in given.arguments}
    if any(isinstance(value, bool) or not isinstance(value, int | None) for value in told.values()):
        raise Malformed("seen and seen_stack are whole numbers")
    rest = {name: value for name, value in given.arguments.items() if name not in told}
    return msgspec.structs.replace(given, arguments=rest), Drawn(**told)


def why_not(
    night: Night, facts: Facts, names: Mapping[str, str], now: Instant, given: Directed, command: Any, drawn: Drawn
) -> str:
    """Why the press is not carried out: who did what since; empty where nothing is overlooked."""
    if isinstance(command, CountStack) and (stack := _another_stack(night, facts, command, drawn)):
        return stack
    record = overlooked(night, command, drawn.seen, given.by) if drawn.seen is not None else None
    if record is None:
        return ""
    ago, who = _ago(elapsed_ms(record.at, now)), record.by or "the station"
    return f"Not done, you had not seen this: {words(record.event, names)} ({who}, {ago}). Look, and press again."


def _another_stack(night: Night, facts: Facts, command: CountStack, drawn: Drawn) -> str:
    at = night.state.seats.at.get(command.player)
    fact = facts.get(at.table) if at is not None else None
    stack = fact.stacks.get(at.seat) if at is not None and fact is not None else None
    if drawn.seen_stack is None or fact is None or stack is None or stack == drawn.seen_stack:
        return ""
    counted = [count for count in fact.counts if count.player == command.player]
    last = counted[-1] if counted else None
    how = f"hand {fact.hand}" if last is None or last.stack != stack else f"counted at the table, hand {last.hand}"
    return (
        f"Not done: {stack:,} now ({how}); you had seen {drawn.seen_stack:,}. "
        f"Leave it, or press again to put {command.stack:,}."
    )


def _ago(ms: int) -> str:
    return f"{ms // 1_000} s ago" if ms < 100_000 else f"{ms // 60_000} min ago"


def about(command: Any, reason: str) -> str:
    """The field of a command that a refusal speaks of; empty where it names none."""
    for name in command.__struct_fields__:
        value = getattr(command, name)
        if (
            isinstance(value, str | SeatAt)
            and str(value)
            and name not in ("why", "anyway")
            and re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", reason)
        ):
            return str(name)
    return ""
