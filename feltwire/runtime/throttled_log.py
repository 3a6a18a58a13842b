"""Log lines that somebody outside can cause: each kind at most once a minute, so that nobody can fill the disk."""

from __future__ import annotations

import logging
import threading

from feltwire.runtime.boottime import boot_millis

EVERY_MS = 60_000
KINDS = 64  # more kinds share one counter


class ThrottledLog:
    """Writes each kind of line at most once a minute, with how many were left out since the last one."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._said: dict[str, tuple[int, int]] = {}  # when, and how many left out since

    def warn(self, kind: str, text: str) -> None:
        now = boot_millis()
        with self._lock:
            kind = kind if kind in self._said or len(self._said) < KINDS else "other"
            said_at, left_out = self._said.get(kind, (now - EVERY_MS, 0))
            due = now - said_at >= EVERY_MS
            self._said[kind] = (now, 0) if due else (said_at, left_out + 1)
        if due:
            more = f" ({left_out} more since the last such line)" if left_out else ""
            self._log.warning("%s%s", text, more)
