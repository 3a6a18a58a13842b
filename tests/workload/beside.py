"""The dealer's place at a table in memory, and what goes on beside it: other people, and a camera that looks.

People are coroutines that yield the seconds until they go on.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.lab.table.wired import WiredTable
from table_core.messages import CardText, TableView
from tests.workload.eye import Eye

Waits = Iterator[float]


class Beside:
    """The clock of one hand (`now`, boot time in ms): while the dealer waits, others act and the camera reads."""

    def __init__(self, table: WiredTable, eye: Eye, felt: PhysicalFelt, deck: str) -> None:
        self.now = float(table.now)
        self.felt, self.deck = felt, deck
        self._table, self._eye = table, eye
        self._agenda: list[tuple[float, int, Waits]] = []
        self._order = itertools.count()

    @property
    def view(self) -> TableView:
        return self._table.shown

    def pass_shoe(self, card: CardText | None) -> None:
        self._table.card(self.deck, card)

    def look(self) -> None:
        self._eye.glance(self.now)

    def start(self, person: Waits) -> None:
        """Somebody begins now."""
        heapq.heappush(self._agenda, (self.now, next(self._order), person))

    def wait(self, seconds: float) -> None:
        """The dealer waits; what falls due at the same time as its end, and came first, happens before."""
        end = (self.now + 1000 * seconds, next(self._order))
        while self._agenda and self._agenda[0][:2] < end:
            self._go_on()
        self._pass_until(end[0])

    def finish(self) -> None:
        """Everybody comes to an end."""
        while self._agenda:
            self._go_on()

    def _go_on(self) -> None:
        due, _, person = heapq.heappop(self._agenda)
        self._pass_until(due)
        wait_s = next(person, None)
        if wait_s is not None:
            heapq.heappush(self._agenda, (self.now + 1000 * wait_s, next(self._order), person))

    def _pass_until(self, to: float) -> None:
        """Time passes; the camera says what it has looked at for long enough."""
        to = max(to, self.now)
        while (due := self._eye.next_due()) is not None and due <= to:
            self._table.advance(int(due))
            self._eye.say(due)
        self._table.advance(int(to))
        self.now = max(to, float(self._table.now))
