"""When to repeat a message that was not answered yet: exponential back-off."""

from __future__ import annotations

from dataclasses import dataclass

from table_core.messages import Millis

ASK_AGAIN_MS = 1_000
ASK_AGAIN_AT_MOST_MS = 16_000


@dataclass(slots=True)
class Backoff:
    """The first repeat is due after one second; each further one waits twice as long, up to a limit."""

    said_at: Millis | None = None
    wait_ms: int = ASK_AGAIN_MS

    def due(self, now: Millis) -> bool:
        return self.said_at is None or now - self.said_at >= self.wait_ms

    def due_at(self) -> Millis:
        """When it is due; 0 before the first attempt."""
        return Millis(0 if self.said_at is None else self.said_at + self.wait_ms)

    def said(self, now: Millis) -> None:
        self.wait_ms = ASK_AGAIN_MS if self.said_at is None else min(2 * self.wait_ms, ASK_AGAIN_AT_MOST_MS)
        self.said_at = now

    def moved(self, now: Millis) -> None:
        """There was progress: the next repeat is due one second from now."""
        self.said_at, self.wait_ms = now, ASK_AGAIN_MS

    def reset(self) -> None:
        """The next attempt is immediate."""
        self.said_at, self.wait_ms = None, ASK_AGAIN_MS
