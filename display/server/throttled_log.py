"""A logging filter for lines that anybody can cause: each kind once a minute, with the number left out."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

EVERY_S = 60.0
_MOST_KINDS = 256


class OncePerMinute(logging.Filter):
    """Passes the first line of a kind and then one a minute. A kind is the beginning of the text before values are
    filled in, and the type of the exception that came with it."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._kinds: dict[tuple[str, str], tuple[float, int]] = {}  # when last passed, how many held back since

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        # asyncio writes its values into the text: the beginning of it is the kind.
        kind = (str(record.msg).partition("\n")[0][:60], type(error).__name__ if error else "")
        now = self._now()
        passed, held = self._kinds.get(kind, (now - EVERY_S, 0))
        if now - passed < EVERY_S:
            self._kinds[kind] = (passed, held + 1)
            return False
        if len(self._kinds) >= _MOST_KINDS:
            self._kinds.clear()
        self._kinds[kind] = (now, 0)
        if held:
            record.msg = f"{record.getMessage().rstrip()} ({held} more like this since the last such line)"
            record.args = ()
        return True


_ONE = OncePerMinute()


def throttle(*names: str) -> None:
    """Puts the filter on the loggers of these names; calling it again changes nothing."""
    for name in names:
        logger = logging.getLogger(name)
        if _ONE not in logger.filters:
            logger.addFilter(_ONE)
