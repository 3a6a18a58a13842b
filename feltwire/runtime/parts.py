"""The parts of a node that run at every step, whatever its input: timers, what is repeated, what falls due.

What raises in one is no fault of the input. The part is named by the node, so that the driver can say which it
was, make the node anew, and leave the part out where it raises again at once: the rest of the node goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from feltwire.ledger.store import LedgerError
from table_core.messages import Millis

NOT_THE_INPUTS = (LedgerError, OSError, MemoryError)  # faults of the disk and of the machine
AGAIN_MS = 60_000  # a part that raises twice within this time is left out

T = TypeVar("T")


class PartFailed(Exception):
    """A part of a node raised; the fault itself is its cause."""

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part


class InputFailed(Exception):
    """An input that had waited in the node raised when its turn came; the fault itself is its cause."""

    def __init__(self, given: Any) -> None:
        super().__init__(type(given).__name__)
        self.given = given


class Parts:
    """The parts of one process, over every node that it makes. What is in `left_out` runs no more in it."""

    def __init__(self) -> None:
        self.left_out: set[str] = set()
        self.running = ""
        self._failed_at: dict[str, Millis] = {}

    def run(self, part: str, do: Callable[[], Iterable[T]]) -> list[T]:
        """What `do` gives; nothing while the part is left out. Raise `PartFailed`, or `InputFailed` of `do`."""
        if part in self.left_out:
            return []
        before, self.running = self.running, part
        try:
            made = [*do()]
        except NOT_THE_INPUTS:
            raise
        except InputFailed:
            self.running = before
            raise
        except Exception as error:
            raise PartFailed(part) from error
        self.running = before
        return made

    def failed(self, part: str, now: Millis) -> str:
        """Count a failure; the text for the page."""
        before = self._failed_at.get(part)
        self._failed_at[part] = now
        if before is None or now - before > AGAIN_MS:
            return f"A fault in {part}: it is tried again"
        self.left_out.add(part)
        return f"A fault in {part}: it is left out until this process is started again"
