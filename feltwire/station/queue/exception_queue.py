"""The exception queue of the station: what waits for a person, who comes, what ended and by whom.

It is computed anew from tables and tournament. Only what people said about an item is kept here, in memory: after
a restart nobody is coming yet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from table_core.messages import Decided, Frozen, ItemKind, Millis, Name, QueueItem, QueueView, Severity

DECIDED_MS = 120_000  # how long a decided item is shown
PRESS_MS = 30_000  # an item that ends so soon after a press of its command was ended by it
BOTH_MS = 2_000  # two people who press within this time did not see each other
ORDER = {severity: place for place, severity in enumerate(Severity)}
RULED = (ItemKind.FLOOR_CALL, ItemKind.RULING)


class ItemWanted(Frozen, frozen=True):
    """`take_item`, `leave_item`, `done_item`."""

    item: Name


COMMANDS = ("take_item", "leave_item", "done_item")


@dataclass(frozen=True, slots=True)
class _Press:
    command: str
    arguments: Mapping[str, Any]
    by: str
    at: Millis


class ExceptionQueue:
    """Remembers between two looks which items there are, since when, who comes, and what people pressed."""

    def __init__(self) -> None:
        self._items: dict[str, QueueItem] = {}
        self._began: dict[str, Millis] = {}
        self._taken: dict[str, tuple[str, Millis]] = {}
        self._done: dict[str, str] = {}  # by whom
        self._presses: deque[_Press] = deque(maxlen=100)
        self._decided: deque[tuple[QueueItem, str, str, Millis]] = deque(maxlen=20)

    def look(self, found: Iterable[QueueItem], now: Millis) -> QueueView:
        """The queue as of now, worst first and oldest first. An item's age is what its builder says, or the time
        since it was found first."""
        items = {item.id: item for item in found}
        for id_ in self._items.keys() - items.keys():
            self._ended(self._items[id_], now)
        for id_, item in items.items():
            self._began.setdefault(id_, Millis(now - item.ms_ago))
        self._items = items
        while self._decided and now - self._decided[0][3] > DECIDED_MS:
            self._decided.popleft()
        shown = [self._shown(item, now) for id_, item in items.items() if id_ not in self._done]
        shown.sort(key=lambda item: (ORDER[item.severity], -item.ms_ago))
        decided = [
            Decided(item.id, item.fact, outcome, by, Millis(now - at)) for item, outcome, by, at in self._decided
        ]
        return QueueView(tuple(shown), tuple(reversed(decided)))

    def press(self, command: str, item_id: str, by: str, now: Millis) -> tuple[str, bool]:
        """The answer to a person's press about an item, and whether it was refused."""
        item = self._items.get(item_id)
        if item is None or item_id in self._done:
            return "That has ended already.", True
        holder, since = self._taken.get(item_id, ("", now))
        match command:
            case "take_item" if holder == by:
                return f"{by} comes already.", False
            case "take_item" if holder and now - since < BOTH_MS:
                return f"{holder} comes.", True
            case "take_item":
                self._taken[item_id] = (by, now)
                return f"{by} comes{f' instead of {holder}' if holder else ''}.", False
            case "leave_item" if holder != by:
                return f"{holder} comes, not {by}." if holder else "Nobody comes yet.", True
            case "leave_item":
                del self._taken[item_id]
                return f"{by} does not come.", False
            case _ if not item.can_be_done:
                return "This ends by itself when its matter is settled.", True
            case _:
                self._done[item_id] = by
                self._decided.append((item, "Done", by, now))
                return "Done.", False

    def pressed(self, command: str, arguments: Mapping[str, Any], by: str, now: Millis) -> None:
        """Somebody gave a command: an item that ends soon behind it was decided by that person."""
        self._presses.append(_Press(command, arguments, by, now))

    def _shown(self, item: QueueItem, now: Millis) -> QueueItem:
        holder, since = self._taken.get(item.id, ("", now))
        return msgspec.structs.replace(
            item, ms_ago=Millis(now - self._began[item.id]), taken_by=holder, taken_ms_ago=Millis(now - since)
        )

    def _ended(self, item: QueueItem, now: Millis) -> None:
        done = self._done.pop(item.id, "")
        self._began.pop(item.id, None)
        self._taken.pop(item.id, None)
        if done:
            return
        by = self._who(item, now)
        if by:
            self._decided.append((item, "Decided", by, now))
        elif item.kind in RULED:  # decided or taken back there
            self._decided.append((item, "Closed", f"table {item.table}", now))
        else:
            self._decided.append((item, "Over", "", now))

    def _who(self, item: QueueItem, now: Millis) -> str:
        for press in reversed(self._presses):
            if now - press.at > PRESS_MS:
                break
            ruled = item.kind in RULED and press.command == "rule"
            if ruled and press.arguments.get("table") == item.table:
                return press.by
            wanted = item.primary
            same = wanted is not None and press.command == wanted.command
            if same and wanted is not None and _covers(press.arguments, wanted.arguments):
                return press.by
        return ""


def queue_without_ages(queue: QueueView) -> QueueView:
    """The queue without ages, which pages count on by themselves."""
    return QueueView(
        tuple(msgspec.structs.replace(item, ms_ago=0, taken_ms_ago=0) for item in queue.items),
        tuple(msgspec.structs.replace(one, ms_ago=0) for one in queue.decided),
    )


def _covers(given: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a press had an item's arguments; a list in it may name more than the item's."""
    return all(
        given.get(name) == value or (isinstance(value, list) and {*value} <= {*(given.get(name) or ())})
        for name, value in wanted.items()
    )
