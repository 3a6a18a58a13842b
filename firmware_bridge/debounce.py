"""Debounces contacts: a pure, timestamped state machine that turns edges into presses. Plain Python that
MicroPython runs.

A level counts once it has held for `settle_ms`, from the moment it began to hold. The output depends only on the
edges and their times, never on when it is asked for.
"""


class Change:
    """Contact `pin` is at `level` since `at_ms`."""

    def __init__(self, pin: int, level: int, at_ms: int) -> None:
        self.pin = pin
        self.level = level
        self.at_ms = at_ms

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Change) and (
            (self.pin, self.level, self.at_ms) == (other.pin, other.level, other.at_ms)
        )

    def __hash__(self) -> int:
        return hash((self.pin, self.level, self.at_ms))

    def __repr__(self) -> str:
        return f"Change(pin={self.pin}, level={self.level}, at_ms={self.at_ms})"


class Debouncer:
    """Contacts that rest at level 0. Times are milliseconds that never go back. `bounces`: levels that did not
    hold."""

    def __init__(self, settle_ms: int = 5) -> None:
        self.bounces = 0
        self._settle_ms = settle_ms
        self._settled: dict[int, int] = {}  # pin -> level that counts
        self._last: dict[int, int] = {}  # pin -> level at its last edge
        self._since: dict[int, int] = {}  # pin -> when, for pins whose level does not count yet

    def rests_closed(self, pin: int) -> None:
        """Contact `pin` is closed from the start: that is no change."""
        self._settled[pin] = self._last[pin] = 1

    def edge(self, pin: int, level: int, at_ms: int) -> list[Change]:
        """Contact `pin` is seen at `level`; the changes that count by now."""
        changes = self.due(at_ms)
        if level != self._last.get(pin, 0):
            self._last[pin] = level
            if level == self._settled.get(pin, 0):
                self._since.pop(pin, None)
                self.bounces += 1
            else:
                self._since[pin] = at_ms
        return changes

    def due(self, at_ms: int) -> list[Change]:
        """The changes that count by `at_ms`, oldest first, each once."""
        held = [pin for pin in self._since if at_ms - self._since[pin] >= self._settle_ms]
        held.sort(key=lambda pin: (self._since[pin], pin))
        changes = []
        for pin in held:
            self._settled[pin] = self._last[pin]
            changes.append(Change(pin, self._last[pin], self._since.pop(pin)))
        return changes

    def next_due(self) -> int | None:
        """When the next change counts if no edge comes; None: no change is pending."""
        return min(self._since.values()) + self._settle_ms if self._since else None
