"""Rate limits for answers to other machines: answering costs more than asking."""

from __future__ import annotations

from table_core.messages import Millis


class RateLimit:
    """`burst` answers at once, then one each `each_ms`. What is not answered is asked again."""

    def __init__(self, burst: int, each_ms: int) -> None:
        self._burst = burst
        self._each_ms = each_ms
        self._left = burst
        self._since: Millis | None = None  # what was used since then has not come back yet

    def take(self, now: Millis) -> bool:
        """Whether one more may be answered now."""
        if self._since is None:
            self._since = now
        back = (now - self._since) // self._each_ms
        self._left = min(self._burst, self._left + back)
        self._since = now if self._left == self._burst else Millis(self._since + back * self._each_ms)
        if not self._left:
            return False
        self._left -= 1
        return True
