"""The hash chain over a table's events: how one is linked to the one before, and where a chain breaks.

An event is stored and sent as `encode(Envelope)`. Its `prev` is the SHA-256 (hex) of the stored bytes of the
event before, `""` for the very first one. `seq` counts from 1 in each epoch; the first event of a later epoch
links to the last event of the epoch before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256

import msgspec

from table_core.messages import ENVELOPE_VERSION, AnyEvent, At, Envelope, decode_envelope, encode


def hash_of(raw: bytes) -> str:
    """SHA-256 in hex: what the next event's `prev` holds."""
    return sha256(raw).hexdigest()


@dataclass(frozen=True, slots=True)
class LedgerHead:
    """The end of a chain: epoch and seq of its last event and the hash of that event's bytes.

    `seq` is 0 where the epoch has no event yet; `hash` is `""` where there is none at all.
    """

    epoch: int = 1
    seq: int = 0
    hash: str = ""

    def link(
        self, data: AnyEvent, *, at: At, venue: str, table: str, cause: str = ""
    ) -> tuple[Envelope, LedgerHead]:
        """The envelope that follows this head, and the head after it."""
        envelope = Envelope(
            v=ENVELOPE_VERSION,
            venue=venue,
            table=table,
            epoch=self.epoch,
            seq=self.seq + 1,
            at=at,
            prev=self.hash,
            data=data,
            cause=cause,
        )
        return envelope, self.after(envelope)

    def after(self, envelope: Envelope) -> LedgerHead:
        """The head once `envelope` is its last event (not checked: see `follows`)."""
        return LedgerHead(envelope.epoch, envelope.seq, hash_of(encode(envelope)))

    def in_epoch(self, epoch: int) -> LedgerHead:
        """This head with a new epoch begun: seq starts again, the hash goes on."""
        return replace(self, epoch=epoch, seq=0)

    def follows(self, envelope: Envelope) -> bool:
        """Whether `envelope` is the next event, in this epoch or as the first of a later one."""
        in_turn = (envelope.epoch, envelope.seq) == (self.epoch, self.seq + 1)
        new_epoch = envelope.epoch > self.epoch and envelope.seq == 1
        return (in_turn or new_epoch) and envelope.prev == self.hash


def chain(
    head: LedgerHead, events: Iterable[AnyEvent], *, at: At, venue: str, table: str, cause: str = ""
) -> list[Envelope]:
    """Envelopes for `events` in order, each linked to the one before, the first to `head`."""
    envelopes = []
    for data in events:
        envelope, head = head.link(data, at=at, venue=venue, table=table, cause=cause)
        envelopes.append(envelope)
    return envelopes


@dataclass(frozen=True, slots=True)
class ChainReport:
    """`events` that hold, from the first one on; `first_bad` is `epoch/seq` of the first that does not, and
    `why` it does not."""

    events: int
    head: LedgerHead
    first_bad: str = ""
    why: str = ""

    @property
    def ok(self) -> bool:
        return not self.first_bad


def check_chain(rows: Iterable[tuple[int, int, bytes]]) -> ChainReport:
    """Check stored `(epoch, seq, bytes)` rows from the first event of a table on."""
    head, count = LedgerHead(), 0
    for epoch, seq, raw in rows:
        why = _fault(head, epoch, seq, raw)
        if why:
            return ChainReport(count, head, first_bad=f"{epoch}/{seq}", why=why)
        head = LedgerHead(epoch, seq, hash_of(raw))
        count += 1
    return ChainReport(count, head)


def _fault(head: LedgerHead, epoch: int, seq: int, raw: bytes) -> str:
    try:
        envelope = decode_envelope(raw)
    except msgspec.DecodeError as error:
        return f"not an event ({error})"
    if (envelope.epoch, envelope.seq) != (epoch, seq):
        return f"stored as {epoch}/{seq} but says {envelope.epoch}/{envelope.seq}"
    if envelope.prev != head.hash:
        return "prev is not the hash of the event before: that one or this one was changed"
    if not head.follows(envelope):
        return f"does not follow {head.epoch}/{head.seq}"
    return ""
