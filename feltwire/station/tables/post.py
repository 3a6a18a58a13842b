"""Messages of the station to its tables: acknowledgements, questions for missing events, ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Publish
from feltwire.station.tables.link import TableLink
from table_core.messages import Ack, Millis, Resend, encode


class TablePost:
    """`prefix` begins the ids of this station's commands."""

    def __init__(self, venue: str, prefix: str, started_at: Millis) -> None:
        self._venue = venue
        self._prefix = prefix
        self._started_at = started_at
        self._said = 0

    def to(self, link: TableLink, leaf: str, payload: bytes) -> Publish:
        return Publish(topics.table(self._venue, link.table, leaf), payload)

    def ack(self, link: TableLink, epoch: int, seq: int) -> Iterator[Publish]:
        if seq > 0:
            yield self.to(link, "ack", encode(Ack(epoch, seq)))

    def ask(
        self, link: TableLink, now: Millis, missing: Iterable[tuple[int, int]], *, birth: bool = False
    ) -> Iterator[Publish]:
        """Ask for the events from each `(epoch, seq)` of `missing` on; `birth`: and which machine the table is."""
        link.asking.said(now)
        for epoch, from_seq in missing:
            yield self.to(link, "command", encode(Resend(self.next_id("resend"), epoch, from_seq, birth)))

    def next_id(self, what: str) -> str:
        """An id for a message that no event answers."""
        self._said += 1
        return f"{self._prefix}{what}-{self._started_at}-{self._said}"
