"""Saying something again over a network that loses what it likes."""

from __future__ import annotations

from dataclasses import dataclass

from table_core.messages import Millis

ASK_AGAIN_MS = 1_000
ASK_AGAIN_AT_MOST_MS = 16_000


@dataclass(slots=True)
class Patience:
    """When to say something again: after a second at first, ever later while nothing comes of it."""

    said_at: Millis | None = None
    wait_ms: int = ASK_AGAIN_MS

    def due(self, now: Millis) -> bool:
        return self.said_at is None or now - self.said_at >= self.wait_ms

    def due_at(self) -> Millis:
        """When it is due; 0 where it was never said."""
        return Millis(0 if self.said_at is None else self.said_at + self.wait_ms)

    def said(self, now: Millis) -> None:
        self.wait_ms = ASK_AGAIN_MS if self.said_at is None else min(2 * self.wait_ms, ASK_AGAIN_AT_MOST_MS)
        self.said_at = now

    def moved(self, now: Millis) -> None:
        """Something came of it, and more is on its way."""
        self.said_at, self.wait_ms = now, ASK_AGAIN_MS

    def renew(self) -> None:
        """There is hope again: say it at once, and soon again."""
        self.said_at, self.wait_ms = None, ASK_AGAIN_MS
