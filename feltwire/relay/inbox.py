"""Which sealed cards of one table the relay has."""

from __future__ import annotations

from table_core.messages import Ack

MOST_ABOVE = 2_000  # a table sends 500 at once


class SealedInbox:
    """The sealed cards of one table that are here, so that an acknowledgement never skips one.

    A table sends from its oldest unacknowledged card on. A card that comes again while earlier ones are missing
    shows that the table no longer has those.
    """

    def __init__(self, epoch: int = 0, upto: int = 0) -> None:
        self.epoch = epoch
        self.upto = upto  # every card of the epoch up to here is on the disk or gone
        self._above: set[int] = set()

    def take(self, epoch: int, seq: int) -> Ack | None:
        if epoch > self.epoch:
            self.epoch, self.upto, self._above = epoch, 0, set()
        if epoch < self.epoch:
            return Ack(epoch, seq)
        if seq in self._above and seq == min(self._above):
            self.upto = seq
        if len(self._above) >= MOST_ABOVE and seq not in self._above and seq != self.upto + 1:
            return None
        self._above.add(seq)
        while self.upto + 1 in self._above:
            self.upto += 1
        self._above = {waiting for waiting in self._above if waiting > self.upto}
        return Ack(epoch, self.upto) if seq <= self.upto else None
