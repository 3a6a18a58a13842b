"""How often each key said what had happened, what was missed, and how far a dealer has come."""

from __future__ import annotations

from collections import deque
from enum import IntEnum
from typing import NamedTuple

from feltwire.lab.practise.planting import PLANTED
from table_core.messages import Key

KEY_WORDS = {
    Key.NEW_HAND: "New hand",
    Key.FOLD: "Fold",
    Key.CHECK_CALL: "Check / Call",
    Key.BET_RAISE: "Bet / Raise",
    Key.ALL_IN: "All-in",
    Key.STREET: "Street",
    Key.AWARD: "Award",
    Key.SPLIT: "Split",
    Key.FLOOR: "Ruling",
    Key.AWAY: "Away / back",
    Key.COUNT: "Count",
    Key.UNDO: "Slip put right",
}


class Lesson(IntEnum):
    KEYS = 1  # one thing at a time, and the key is named
    ALONE = 2  # one thing at a time
    PACE = 3  # the game does not wait
    READY = 4


LESSON_WORDS = {
    Lesson.KEYS: "Lesson 1 of 3: one thing at a time, and the key is named",
    Lesson.ALONE: "Lesson 2 of 3: one thing at a time",
    Lesson.PACE: "Lesson 3 of 3: the game does not wait for you",
    Lesson.READY: "Ready. You may deal at a real table; practise on as long as you like",
}
# Of so many in a row, so many right; and each key that a dealer needs so often right.
_LAST = {Lesson.KEYS: (30, 27), Lesson.ALONE: (50, 47), Lesson.PACE: (100, 95)}
_TIMES = {Lesson.KEYS: 1, Lesson.ALONE: 1, Lesson.PACE: 2}
_ONCE = (Key.SPLIT,)  # it is rare, and looked for


class Tally(NamedTuple):
    right: int = 0
    of: int = 0


class LessonScore:
    """What was said in one lesson: `by_key` in the order of KEY_WORDS, `missed` in words, the oldest first."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self._by_key: dict[Key, Tally] = {}
        self.missed: list[str] = []

    def add(self, key: Key, *, missed: str) -> None:
        right, of = self._by_key.get(key, Tally())
        self._by_key[key] = Tally(right + (not missed), of + 1)
        if missed:
            self.missed.append(missed)

    @property
    def by_key(self) -> dict[Key, Tally]:
        return {key: self._by_key[key] for key in KEY_WORDS if key in self._by_key}

    @property
    def total(self) -> Tally:
        return Tally(sum(one.right for one in self._by_key.values()), sum(one.of for one in self._by_key.values()))


class Score:
    """`add` each thing that happened, `next_lesson` between two hands. The lesson follows from the last ones, and
    ends only when each of the `keys` was right often enough in it."""

    def __init__(self, keys: frozenset[Key] = frozenset(KEY_WORDS)) -> None:
        self._keys = keys
        self.all = LessonScore(Lesson.KEYS)
        self.now = LessonScore(Lesson.KEYS)
        self._last: deque[bool] = deque(maxlen=max(of for of, _ in _LAST.values()))

    @property
    def lesson(self) -> Lesson:
        return self.now.lesson

    def add(self, key: Key, *, missed: str = "") -> None:
        """`key` said what had happened, or was `missed`: in words."""
        self.all.add(key, missed=missed)
        self.now.add(key, missed=missed)
        self._last.append(not missed)

    def missing(self) -> tuple[Key, ...]:
        """The keys that this lesson still needs; none once a dealer is ready."""
        if self.lesson not in _TIMES:
            return ()
        by_key = self.now.by_key
        times = {key: 1 if key in _ONCE else _TIMES[self.lesson] for key in KEY_WORDS if key in self._keys}
        return tuple([key for key, needed in times.items() if by_key.get(key, Tally()).right < needed])

    def next_lesson(self) -> LessonScore | None:
        """The lesson that ends here, None where it goes on."""
        if self.lesson not in _LAST or self.missing():
            return None
        of, needed = _LAST[self.lesson]
        recent = list(self._last)[-of:]
        if len(recent) < of or sum(recent) < needed:
            return None
        ended, self.now = self.now, LessonScore(Lesson(self.lesson + 1))
        self._last.clear()
        return ended

    def progress(self) -> str:
        """How far it is to the end of the lesson."""
        if self.lesson not in _LAST:
            return ""
        of, needed = _LAST[self.lesson]
        recent = list(self._last)[-of:]
        words = f"{sum(recent)} of the last {len(recent)} right, {needed} of {of} end the lesson"
        if not recent:
            words = f"{needed} of {of} right end the lesson"
        planted = [KEY_WORDS[key] for key in self.missing() if key in (*PLANTED, Key.SPLIT, Key.ALL_IN)]
        return f"{words}. Still to come: {', '.join(planted)}" if planted else words
