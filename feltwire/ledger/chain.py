"""The hash chain over a table's events: how one is linked to the one before, and where a chain breaks.

An event is stored and sent as `encode(Envelope)`, signed by the ledger that wrote it (`signing.py`). Its
`prev` is the SHA-256 (hex) of the stored bytes of the event before, `""` for the very first one. `seq` counts from
1 in each epoch; the first event of a later epoch links to the last event of the epoch before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256

from msgspec import Struct

from feltwire.ledger.signing import Signer, with_signature
from table_core.messages import (
    MESSAGES_VERSION,
    OLDEST_VERSION,
    AnyEvent,
    At,
    Envelope,
    EpochBegan,
    LaterVersion,
    Malformed,
    Name,
    PastEpoch,
    StoredEvent,
    UnreadEvent,
    decode_stored,
    encode,
    written,
)


class _Event(Struct):
    """What differs from event to event; the rest of an envelope is the ledger's own and the configuration's."""

    data: AnyEvent
    cause: Name
    by: Name


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
        self,
        data: AnyEvent,
        *,
        at: At,
        venue: str,
        table: str,
        cause: str = "",
        by: str = "",
        key: Signer | None = None,
    ) -> ChainEntry:
        """The event that follows this head, signed with `key`. It is encoded and hashed here and nowhere else.
        Raise `Unencodable` for one that could not be read again."""
        envelope = Envelope(
            v=written(),
            venue=venue,
            table=table,
            epoch=self.epoch,
            seq=self.seq + 1,
            at=at,
            prev=self.hash,
            data=data,
            cause=cause,
            by=by,
        )
        if key is None:
            return entry_of(envelope)
        raw = key.sign(envelope, checked=_Event)
        return ChainEntry(with_signature(envelope, raw), raw, hash_of(raw))

    def in_epoch(self, epoch: int) -> LedgerHead:
        """This head with a new epoch begun: seq starts again, the hash goes on."""
        return replace(self, epoch=epoch, seq=0)

    def follows(self, envelope: StoredEvent) -> bool:
        """Whether `envelope` is the next event, in this epoch or as the first of a later one."""
        in_turn = (envelope.epoch, envelope.seq) == (self.epoch, self.seq + 1)
        new_epoch = envelope.epoch > self.epoch and envelope.seq == 1
        return (in_turn or new_epoch) and envelope.prev == self.hash


@dataclass(frozen=True, slots=True)
class ChainEntry:
    """One event of a chain: its envelope, the bytes in which it is stored and sent, and their SHA-256 (hex)."""

    envelope: Envelope
    raw: bytes
    hash: str

    @property
    def head(self) -> LedgerHead:
        """The end of a chain whose last event this is."""
        return LedgerHead(self.envelope.epoch, self.envelope.seq, self.hash)


def entry_of(envelope: Envelope) -> ChainEntry:
    """An envelope that is complete as it is, encoded and hashed."""
    raw = encode(envelope)
    return ChainEntry(envelope, raw, hash_of(raw))


def chain(
    head: LedgerHead,
    events: Iterable[AnyEvent],
    *,
    at: At,
    venue: str,
    table: str,
    cause: str = "",
    by: str = "",
    key: Signer | None = None,
) -> list[ChainEntry]:
    """`events` in order, each linked to the previous one, the first to `head`."""
    entries = []
    for data in events:
        entry = head.link(data, at=at, venue=venue, table=table, cause=cause, by=by, key=key)
        entries.append(entry)
        head = entry.head
    return entries


def past_epoch(epoch: int, last_seq: int, head: str, first: bytes) -> PastEpoch:
    """The summary of an epoch that is over, `first` being the bytes of its first event."""
    began = event_in(first)
    writer = (began.ledger, began.key) if isinstance(began, EpochBegan) else ("", "")
    return PastEpoch(epoch, last_seq, head, *writer)


def event_in(raw: bytes) -> AnyEvent | None:
    """The event in stored bytes; None where it cannot be read."""
    try:
        stored = decode_stored(raw)
    except Malformed:
        return None
    return None if isinstance(stored, UnreadEvent) else stored.data


def read_row(table: str, epoch: int, seq: int, raw: bytes) -> StoredEvent:
    """An event as it is stored under these numbers. Raise `LaterVersion`."""
    try:
        return decode_stored(raw)
    except LaterVersion:
        raise
    except Malformed:
        return UnreadEvent("", table, epoch, seq, "")


def not_of_this_version(raw: bytes | None) -> str:
    """The reason why stored events cannot be used where another version wrote them."""
    if raw is None:  # as SQLite gives it from a damaged page
        return "the last event is none: the disk damaged it, or somebody"
    try:
        stored = decode_stored(raw)
    except LaterVersion as error:
        return f"written by a later {error}. Update this program, or begin with an empty data folder"
    except Malformed:
        return ""
    version = OLDEST_VERSION if isinstance(stored, UnreadEvent) else stored.v
    if version >= OLDEST_VERSION:
        return ""
    return (
        f"written by version {version} of the messages, this is version {MESSAGES_VERSION}: events are signed "
        f"since version {OLDEST_VERSION}, the oldest that is read. Keep the file with the program that wrote it, "
        "and begin with an empty data folder"
    )


@dataclass(frozen=True, slots=True)
class ChainReport:
    """The number of `events` that hold, from the first on; `first_bad` is `epoch/seq` of the first that does
    not, `why` the reason. `unread` are those that are in their place and cannot be read."""

    events: int
    head: LedgerHead
    first_bad: str = ""
    why: str = ""
    unread: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.first_bad


def check_chain(rows: Iterable[tuple[int, int, bytes]]) -> ChainReport:
    """Check stored `(epoch, seq, bytes)` rows from the first event of a table on."""
    head, count, unread = LedgerHead(), 0, list[str]()
    for epoch, seq, raw in rows:
        why = _fault(head, epoch, seq, raw, unread)
        if why:
            return ChainReport(count, head, f"{epoch}/{seq}", why, tuple(unread))
        head = LedgerHead(epoch, seq, hash_of(raw))
        count += 1
    return ChainReport(count, head, unread=tuple(unread))


def _fault(head: LedgerHead, epoch: int, seq: int, raw: bytes, unread: list[str]) -> str:
    try:
        envelope = decode_stored(raw)
    except LaterVersion as error:
        return f"is of a later {error}"
    except Malformed as error:
        return f"not an event ({error})"
    if isinstance(envelope, UnreadEvent):
        unread.append(f"{epoch}/{seq}")
    elif envelope.v < OLDEST_VERSION:
        return f"is of version {envelope.v} of the messages; the oldest that is read is version {OLDEST_VERSION}"
    if (envelope.epoch, envelope.seq) != (epoch, seq):
        return f"stored as {epoch}/{seq} but says {envelope.epoch}/{envelope.seq}"
    if envelope.prev != head.hash:
        return "prev is not the hash of the event before: that one or this one was changed"
    if not head.follows(envelope):
        return f"does not follow {head.epoch}/{head.seq}"
    return ""
