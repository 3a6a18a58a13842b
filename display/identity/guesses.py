"""Back-off for wrong guesses: after a few, each one doubles the wait before the next is checked."""

from __future__ import annotations

from collections.abc import Callable

KEYS_KEPT = 1000  # an attacker with many addresses costs no more memory than this


class Guesses:
    """Counts wrong guesses by key (an address, a person). `now` is in seconds."""

    def __init__(self, *, free: int, first_s: float, longest_s: float, now: Callable[[], float]) -> None:
        self._free = free
        self._first_s = first_s
        self._longest_s = longest_s
        self._now = now
        self._wrong: dict[str, tuple[int, float]] = {}  # how many, until when to wait

    def wait(self, key: str) -> int:
        """Whole seconds until `key` may guess again; 0: now."""
        _, until = self._wrong.get(key, (0, 0.0))
        return max(0, -int(-(until - self._now()) // 1))

    def wrong(self, key: str) -> None:
        count, until = self._wrong.pop(key, (0, 0.0))
        if count and self._now() - until > self._longest_s:
            count = 0
        count += 1
        beyond = count - self._free
        pause = min(self._first_s * 2 ** min(beyond, 20), self._longest_s) if beyond >= 0 else 0.0
        self._wrong[key] = (count, self._now() + pause)
        while len(self._wrong) > KEYS_KEPT:
            del self._wrong[next(iter(self._wrong))]

    def right(self, key: str) -> None:
        self._wrong.pop(key, None)
