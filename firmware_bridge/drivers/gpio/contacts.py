"""Presses of buttons, out of edges that bounce, come late or get lost: pure, with the times as they were.

gpiozero has a `bounce_time`. Its mock pins do nothing with it; on real pins edges within that time are dropped,
and with them the last one, so that a press can be lost. Here every edge counts with its own time. Each contact is
looked at besides, so that an edge that got lost is noticed by the next look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from firmware_bridge.debounce import Change, Debouncer

LOOK_MS = 10  # how often the contacts are looked at


class Contacts:
    """`closed`: the pins whose button is held down from the start; that is no press.

    A press counts that holds for `settle_ms`, and is told at most `settle_ms + LOOK_MS` after it began to hold.
    Where edges get lost, one counts that holds for `settle_ms + 2 * LOOK_MS`, with as long a rest behind it, of a
    contact that bounces for less than `settle_ms`; a worn one may then be told twice, within the time in which the
    tracker takes two presses of one key for one.
    """

    def __init__(self, settle_ms: int, closed: Iterable[int] = ()) -> None:
        self._settle_ms = settle_ms
        self._contacts: dict[int, _Contact] = {}
        self._down = dict.fromkeys(closed, 0)
        for pin in self._down:
            self._contact(pin).rests_closed()

    @property
    def bounces(self) -> int:
        """How often a contact did not hold."""
        return sum(contact.bounces for contact in self._contacts.values())

    def edge(self, pin: int, closed: bool, at_ms: int) -> list[Change]:
        """The contact at `pin` was closed, or opened; the changes that count by now."""
        return self._noted(self._contact(pin).edge(int(closed), at_ms))

    def look(self, levels: Mapping[int, bool], now_ms: int) -> list[Change]:
        """Every contact as it is now; the changes that count by now, oldest first."""
        changes = [
            change for pin, closed in levels.items() for change in self._contact(pin).look(int(closed), now_ms)
        ]
        changes.sort(key=lambda change: change.at_ms)
        return self._noted(changes)

    def held(self, longer_than_ms: int, now_ms: int) -> list[int]:
        """The pins whose button has been down for so long."""
        return [pin for pin, since in self._down.items() if now_ms - since > longer_than_ms]

    def _contact(self, pin: int) -> _Contact:
        return self._contacts.setdefault(pin, _Contact(pin, self._settle_ms))

    def _noted(self, changes: list[Change]) -> list[Change]:
        for change in changes:
            if change.level:
                self._down[change.pin] = change.at_ms
            else:
                self._down.pop(change.pin, None)
        return changes


class _Contact:
    def __init__(self, pin: int, settle_ms: int) -> None:
        self._pin = pin
        self._debouncer = Debouncer(settle_ms)
        self._level = 0
        self._known = 0  # up to when the level is known

    @property
    def bounces(self) -> int:
        return self._debouncer.bounces

    def rests_closed(self) -> None:
        self._debouncer.rests_closed(self._pin)
        self._level = 1

    def edge(self, level: int, at_ms: int) -> list[Change]:
        self._level = level
        self._known = max(self._known, at_ms)
        return self._debouncer.edge(self._pin, level, self._known)

    def look(self, level: int, now_ms: int) -> list[Change]:
        lost: list[Change] = []
        if level != self._level:
            # When it changed nobody knows. A level that did not count yet is not believed to have held; a new one
            # begins now.
            waits = self._debouncer.next_due() is not None
            lost = self._debouncer.edge(self._pin, level, self._known if waits else now_ms)
            self._level = level
        self._known = max(self._known, now_ms)
        return lost + self._debouncer.due(self._known)
