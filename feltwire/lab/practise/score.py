"""How often each key said what had happened, and how far a dealer has come."""

from __future__ import annotations

from collections import deque
from enum import IntEnum

from table_core.messages import Key

KEY_WORDS = {
    Key.NEW_HAND: "New hand",
    Key.FOLD: "Fold",
    Key.CHECK_CALL: "Check / Call",
    Key.BET_RAISE: "Bet / Raise",
    Key.ALL_IN: "All-in",
    Key.STREET: "Street",
    Key.AWARD: "Award, Split",
    Key.FLOOR: "Ruling",
}


class Lesson(IntEnum):
    KEYS = 1  # one thing at a time, and the key is named
    ALONE = 2  # one thing at a time
    PACE = 3  # the game does not wait, and now and then something is to be ruled on
    READY = 4


LESSON_WORDS = {
    Lesson.KEYS: "Lesson 1 of 3: one thing at a time, and the key is named",
    Lesson.ALONE: "Lesson 2 of 3: one thing at a time",
    Lesson.PACE: "Lesson 3 of 3: the game does not wait for you",
    Lesson.READY: "Ready. You may deal at a real table; practise on as long as you like",
}
_LAST = {Lesson.KEYS: (20, 18), Lesson.ALONE: (40, 38), Lesson.PACE: (40, 38)}  # of so many, so many right


class Score:
    """`right(key)` and `wrong(key)` for each thing that happened; the lesson follows from the last ones."""

    def __init__(self) -> None:
        self.lesson = Lesson.KEYS
        self.by_key: dict[Key, tuple[int, int]] = {}  # right, of
        self._last: deque[bool] = deque(maxlen=max(of for of, _ in _LAST.values()))

    def said(self, key: Key, *, right: bool) -> None:
        rights, of = self.by_key.get(key, (0, 0))
        self.by_key[key] = rights + right, of + 1
        self._last.append(right)
        if self.lesson in _LAST:
            of, needed = _LAST[self.lesson]
            recent = list(self._last)[-of:]
            if len(recent) == of and sum(recent) >= needed:
                self.lesson = Lesson(self.lesson + 1)
                self._last.clear()

    @property
    def total(self) -> tuple[int, int]:
        """Right, of."""
        return sum(right for right, _ in self.by_key.values()), sum(of for _, of in self.by_key.values())
