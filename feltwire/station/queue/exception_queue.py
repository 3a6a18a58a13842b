"""The exception queue of the station: what waits for a person, who comes, what ended and by whom.

It is computed anew from tables and tournament. Kept are the age of an item and what people said about it; a
restart finds both again (`kept`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from table_core.messages import Decided, Frozen, ItemKind, Many, Millis, Name, QueueItem, QueueView, Severity, Text

DECIDED_MS = 120_000  # how long a decided item is shown
PRESS_MS = 30_000  # an item that ends so soon after a press of its command was ended by it
BOTH_MS = 2_000  # two people who press within this time did not see each other
TENDED_MS = 120_000  # somebody who comes is there by then; if not, the item stands among the others again
AGAIN_MS = 60_000  # what comes and goes is one matter while it comes again within this time
ORDER = {severity: place for place, severity in enumerate(Severity)}
RULED = (ItemKind.FLOOR_CALL, ItemKind.RULING)
PLAY_STANDS = (*RULED, ItemKind.DISPUTE)  # first of what is equally urgent
RECORD_IS_WRONG = (ItemKind.SILENT, ItemKind.NO_ANSWER, ItemKind.CLAIM, ItemKind.CHIPS)  # then
COMES_AND_GOES = (ItemKind.SILENT, ItemKind.NO_ANSWER, ItemKind.DEVICE)


class ItemWanted(Frozen, frozen=True):
    """`take_item`, `leave_item`, `done_item`, `reopen_item`."""

    item: Name


COMMANDS = ("take_item", "leave_item", "done_item", "reopen_item")


class KeptItem(Frozen, frozen=True):
    """What outlasts a restart: wall times in ms."""

    id: Name
    began: Millis
    taken_by: Text = ""
    taken: int = 0
    done_by: Text = ""


class QueueRecord(Frozen, frozen=True):
    items: Many[KeptItem] = ()


@dataclass(frozen=True, slots=True)
class _Press:
    command: str
    arguments: Mapping[str, Any]
    by: str
    at: Millis


@dataclass(slots=True)
class _Matter:
    """`gone`: since when it is not found. `times`: how often it came."""

    began: Millis
    taken_by: str = ""
    taken: int = 0
    done_by: str = ""
    times: int = 1
    gone: Millis | None = None


@dataclass(frozen=True, slots=True)
class _Ended:
    item: QueueItem
    outcome: str
    by: str
    at: Millis


class ExceptionQueue:
    """Remembers between two looks which items there are, since when, who comes, and what people pressed.

    `record` is what an earlier life kept, at `wall` which is now the boot time `now`.
    """

    def __init__(self, record: QueueRecord | None, now: Millis, wall: Millis) -> None:
        past = wall - now
        self._items: dict[str, QueueItem] = {}
        self._matters: dict[str, _Matter] = {
            kept.id: _Matter(
                Millis(kept.began - past),
                kept.taken_by,
                kept.taken - past,
                kept.done_by,
                times=0,
                gone=now,
            )
            for kept in (record.items if record is not None else ())
        }
        self._presses: deque[_Press] = deque(maxlen=100)
        self._decided: deque[_Ended] = deque(maxlen=20)

    def look(self, found: Iterable[QueueItem], now: Millis) -> QueueView:
        """The queue as of now, worst first and oldest first. An item's age is what its builder says, or the time
        since it was found first."""
        items = {item.id: item for item in found}
        for id_ in self._items.keys() - items.keys():
            self._ended(self._items[id_], now)
        self._forget(items.keys(), now)
        for item in items.values():
            self._found(item, now)
        self._items = items
        shown = [self._shown(item, now) for id_, item in items.items() if not self._matters[id_].done_by]
        shown.sort(key=_order)
        decided = [self._as_decided(one, now) for one in reversed(self._decided)]
        return QueueView(tuple(shown), tuple(decided))

    def _found(self, item: QueueItem, now: Millis) -> None:
        matter = self._matters.get(item.id)
        if matter is None:
            self._matters[item.id] = _Matter(Millis(now - item.ms_ago))
        elif matter.gone is not None:
            matter.gone, matter.times = None, matter.times + 1
            matter.done_by = matter.done_by if matter.times == 1 else ""  # it came again after it was done
            self._decided = deque((one for one in self._decided if one.item.id != item.id), maxlen=20)

    def _forget(self, there: Collection[str], now: Millis) -> None:
        """What ended a while ago."""
        while self._decided and now - self._decided[0].at > DECIDED_MS:
            self._decided.popleft()
        for id_, matter in list(self._matters.items()):
            if id_ not in there and matter.gone is not None and now - matter.gone > AGAIN_MS:
                del self._matters[id_]

    def kept(self, now: Millis, wall: Millis) -> QueueRecord:
        """What a restart needs."""
        past = wall - now
        return QueueRecord(
            tuple(
                KeptItem(
                    id_,
                    Millis(matter.began + past),
                    matter.taken_by,
                    matter.taken + past if matter.taken_by else 0,
                    matter.done_by,
                )
                for id_, matter in self._matters.items()
                if matter.gone is None
            )
        )

    def said(self) -> Any:
        """What `kept` holds, without times: it is recorded again when this changes."""
        return [(id_, one.taken_by, one.done_by) for id_, one in self._matters.items() if one.gone is None]

    def press(self, command: str, item_id: str, by: str, now: Millis) -> tuple[str, bool]:
        """The answer to a person's press about an item, and whether it was refused."""
        item, matter = self._items.get(item_id), self._matters.get(item_id)
        if item is None or matter is None:
            return "That has ended already.", True
        if command == "reopen_item":
            return self._reopen(item, matter)
        if matter.done_by:
            return f"{matter.done_by} has said that it is done.", True
        holder = matter.taken_by
        match command:
            case "take_item" if holder == by:
                return f"{by} comes already.", False
            case "take_item" if holder and now - matter.taken < BOTH_MS:
                return f"{holder} comes.", True
            case "take_item":
                matter.taken_by, matter.taken = by, now
                return f"{by} comes{f' instead of {holder}' if holder else ''}.", False
            case "leave_item" if holder != by:
                return f"{holder} comes, not {by}." if holder else "Nobody comes yet.", True
            case "leave_item":
                matter.taken_by = ""
                return f"{by} does not come.", False
            case _ if not item.can_be_done:
                return "This ends by itself when its matter is settled.", True
            case _:
                matter.done_by = by
                outcome = "Done, no ruling recorded" if item.kind in RULED else "Done"
                self._decided.append(_Ended(item, outcome, by, now))
                return f"{outcome}.", False

    def _reopen(self, item: QueueItem, matter: _Matter) -> tuple[str, bool]:
        """The undo of *Done*: its age and who comes are as they were."""
        if not matter.done_by:
            return "It is open.", False
        matter.done_by = ""
        self._decided = deque((one for one in self._decided if one.item.id != item.id), maxlen=20)
        return f"Open again: {item.fact}", False

    def said_of(self, item_id: str) -> tuple[bool, bool]:
        """Whether somebody comes for an item, and whether somebody has said that it is done."""
        matter = self._matters.get(item_id)
        return (bool(matter.taken_by), bool(matter.done_by)) if matter is not None else (False, False)

    def pressed(self, command: str, arguments: Mapping[str, Any], by: str, now: Millis) -> None:
        """Somebody gave a command: an item that ends soon behind it was decided by that person."""
        self._presses.append(_Press(command, arguments, by, now))

    def _shown(self, item: QueueItem, now: Millis) -> QueueItem:
        matter = self._matters[item.id]
        age, taken = now - matter.began, now - matter.taken if matter.taken_by else 0
        fact = f"{item.fact} It came {matter.times} times." if matter.times > 1 else item.fact
        return msgspec.structs.replace(
            item,
            fact=fact,
            ms_ago=Millis(max(0, age)),
            taken_by=matter.taken_by,
            taken_ms_ago=Millis(max(0, taken)),
        )

    def _as_decided(self, one: _Ended, now: Millis) -> Decided:
        open_still = one.item.id in self._items and bool(self._matters[one.item.id].done_by)
        return Decided(one.item.id, one.item.fact, one.outcome, one.by, Millis(now - one.at), open_still)

    def _ended(self, item: QueueItem, now: Millis) -> None:
        matter = self._matters[item.id]
        if item.kind in COMES_AND_GOES:
            matter.gone = now
        else:
            del self._matters[item.id]
        if matter.done_by:
            return
        by = self._who(item, now)
        if by:
            self._decided.append(_Ended(item, "Decided", by, now))
        elif item.kind in RULED:  # decided or taken back there
            self._decided.append(_Ended(item, "Closed", f"table {item.table}", now))
        elif item.kind is ItemKind.SILENT:
            self._decided.append(_Ended(item, f"Heard again after {_minutes(now - matter.began)}", "", now))
        else:
            self._decided.append(_Ended(item, "Over", "", now))

    def _who(self, item: QueueItem, now: Millis) -> str:
        for press in reversed(self._presses):
            if now - press.at > PRESS_MS:
                break
            ruled = item.kind in RULED and press.command == "rule"
            if ruled and press.arguments.get("table") == item.table:
                return press.by
            ways = [way for way in (item.primary, *item.also) if way is not None and way.command == press.command]
            if any(_covers(press.arguments, way.arguments) for way in ways):
                return press.by
        return ""


def _order(item: QueueItem) -> tuple[int, bool, int, int]:
    """The worst first; of the same urgency what somebody comes for last, then by kind, then the oldest first."""
    tended = bool(item.taken_by) and item.taken_ms_ago < TENDED_MS
    kind = 0 if item.kind in PLAY_STANDS else 1 if item.kind in RECORD_IS_WRONG else 2
    return ORDER[item.severity], tended, kind, -item.ms_ago


def _minutes(ms: int) -> str:
    return f"{ms // 60_000}:{ms // 1_000 % 60:02}"


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
