"""What a press overlooks.

The page sends the number of the newest record that it had drawn, as `seen`, with the count of a stack the
stack that it had drawn, as `seen_stack`, and where it had said what the command would do, that, as `foreseen`. The
queue sends the id of the item that was pressed, as `item`, and what it had asked first, as `question`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from feltwire.station.station_io import Directed
from feltwire.station.tournament.preview import preview
from feltwire.station.tournament.words import words
from table_core.messages import Frozen, Malformed, QueueItem, Refusal
from table_core.tournament.chips.counts import CorrectStack, CountStack
from table_core.tournament.clashes import overlooked
from table_core.tournament.events import ClockChanged, Instant, SeatAt, elapsed_ms
from table_core.tournament.night import Night
from table_core.tournament.opening import Pause, Resume
from table_core.tournament.state import Facts

NEW_LINE = "\n"
_TIME = re.compile(r"\d+:\d\d left")  # it runs, and says nothing new


class Drawn(Frozen, frozen=True):
    """What the page had drawn when its person decided; None where the press does not say."""

    seen: int | None = None
    seen_stack: int | None = None
    foreseen: str | None = None
    item: str | None = None
    question: str | None = None


def apart(given: Directed) -> tuple[Directed, Drawn]:
    """The press, and what its page had drawn. Raise `Malformed` where that is no number."""
    told = {name: given.arguments[name] for name in Drawn.__struct_fields__ if name in given.arguments}
    numbers = [told.get(name) for name in ("seen", "seen_stack")]
    if any(isinstance(value, bool) or not isinstance(value, int | None) for value in numbers):
        raise Malformed("seen and seen_stack are whole numbers")
    if any(not isinstance(told.get(name), str | None) for name in ("foreseen", "item", "question")):
        raise Malformed("foreseen, item and question are texts")
    rest = {name: value for name, value in given.arguments.items() if name not in told}
    return msgspec.structs.replace(given, arguments=rest), Drawn(**told)


def why_not(
    night: Night, facts: Facts, names: Mapping[str, str], now: Instant, given: Directed, command: Any, drawn: Drawn
) -> str:
    """Why the press is not carried out: who did what since; empty where nothing is overlooked."""
    if isinstance(command, CountStack | CorrectStack) and (stack := _another_stack(night, facts, command, drawn)):
        return stack
    record = overlooked(night, command, drawn.seen, given.by) if drawn.seen is not None else None
    if record is None:
        return _another_outcome(night, facts, names, now, command, drawn)
    ago, who = _ago(elapsed_ms(record.at, now)), record.by or "the station"
    return f"Not done, you had not seen this: {words(record.event, names)} ({who}, {ago}). Look, and press again."


def another_question(command: str, drawn: Drawn, queue: Iterable[QueueItem]) -> str:
    """Why what was asked at the queue is not what the item would ask now; empty where it is."""
    if drawn.item is None or drawn.question is None:
        return ""
    item = next((one for one in queue if one.id == drawn.item), None)
    if item is None:
        return "Not done: this had ended already."
    ways = [way for way in (item.primary, *item.also) if way is not None and way.command == command]
    if any(way.confirm == drawn.question for way in ways):
        return ""
    return f"Not done: it would be another thing now. {ways[0].confirm if ways else item.fact} Press again."


def _another_outcome(
    night: Night, facts: Facts, names: Mapping[str, str], now: Instant, command: Any, drawn: Drawn
) -> str:
    """What the command would do is not what the page had said: a level has begun, a hand was played."""
    if drawn.foreseen is None:
        return ""
    said = preview(night, command, now, facts, names)
    if isinstance(said, Refusal) or _TIME.sub("", said) == _TIME.sub("", drawn.foreseen):
        return ""
    return f"Not done: it would be another thing now. {said.replace(NEW_LINE, ' ')} Press again."


def so_already(night: Night, command: Any, names: Mapping[str, str], now: Instant) -> str:
    """The answer to a press that changes nothing; of the clock it says who did it and when."""
    if not isinstance(command, Pause | Resume):
        return "It is so already."
    changed = (record for record in reversed(night.records) if isinstance(record.event, ClockChanged))
    record = next(record for record in changed if night.stands(record.no))
    ago, who = _ago(elapsed_ms(record.at, now)), record.by or "the station"
    return f"It is so already: {words(record.event, names)} ({who}, {ago})."


def _another_stack(night: Night, facts: Facts, command: CountStack | CorrectStack, drawn: Drawn) -> str:
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
