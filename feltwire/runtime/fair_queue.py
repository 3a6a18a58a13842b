"""The input queue of a node: one bounded queue per source, served in turn (round robin).

A source that sends without pause delays the others by at most one of its inputs. Input that does not fit is
dropped: devices, tables and the station send again what was not answered. Inputs of the process itself (source
`""`) come first and are never dropped.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from typing import Any

MOST_INPUTS = 1_000
MOST_BYTES = 8 * 1024 * 1024
MOST_SOURCES = 1_000  # each of the 500 tables of a hall is one, and the pages are one


class _SourceQueue:
    """The waiting inputs of one source."""

    def __init__(self) -> None:
        self.inputs: deque[Any] = deque()
        self.bytes = 0


class FairQueue:
    """An input may have `source` (who sent it), `most` (how many of that source may wait), `payload` (bytes)."""

    def __init__(self) -> None:
        self._some = threading.Condition()
        self._own: deque[Any] = deque()
        self._lines: dict[str, _SourceQueue] = {}  # sources with waiting inputs, the next one first

    def put(self, given: Any) -> bool:
        """False when too many inputs of its source wait: it was dropped."""
        source = source_of(given)
        with self._some:
            if source:
                if not self._fits(source, given):
                    return False
                line = self._lines.setdefault(source, _SourceQueue())
                line.inputs.append(given)
                line.bytes += _size(given)
            else:
                self._own.append(given)
            self._some.notify()
            return True

    def _fits(self, source: str, given: Any) -> bool:
        line = self._lines.get(source)
        if line is None and len(self._lines) >= MOST_SOURCES:
            return False
        waiting, held = (len(line.inputs), line.bytes) if line else (0, 0)
        return waiting < getattr(given, "most", MOST_INPUTS) and held + _size(given) <= MOST_BYTES

    def __len__(self) -> int:
        with self._some:
            return len(self._own) + sum(len(line.inputs) for line in self._lines.values())

    @property
    def has_inputs(self) -> bool:
        """Whether an input waits."""
        with self._some:
            return bool(self._own or self._lines)

    def next(self, timeout: float | None) -> Any:
        """The next input; `queue.Empty` when none came in time."""
        with self._some:
            if not self._some.wait_for(lambda: self._own or self._lines, timeout):
                raise queue.Empty
            if self._own:
                return self._own.popleft()
            source = next(iter(self._lines))
            line = self._lines.pop(source)
            given = line.inputs.popleft()
            line.bytes -= _size(given)
            if line.inputs:
                self._lines[source] = line  # behind the others
            return given

    def of_others(self) -> list[Any]:
        """The inputs that wait, but for those of the process itself."""
        with self._some:
            return [given for line in self._lines.values() for given in line.inputs]

    def forget_own(self) -> None:
        """Drops the inputs of the process itself: they belonged to the node that was replaced."""
        with self._some:
            self._own.clear()


def source_of(given: Any) -> str:
    """Who sent an input; `""` for the process itself."""
    return getattr(given, "source", "")


def _size(given: Any) -> int:
    return len(getattr(given, "payload", b""))
