"""Whether this machine is the table: the epoch that the station granted it, or the word that another one is.

A machine is known by its ledger. One with a new ledger plays by itself and says nothing but that it is there until
the station grants it its epoch; from then on it speaks also while no station is there. One that hears that another
machine is the table is *fenced*: it takes nothing in and says nothing, and its screen says so, until the director
hands the table to it.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from feltwire.ledger.chain import LedgerHead, hash_of
from table_core.messages import (
    Grant,
    HistoryWanted,
    Millis,
    decode,
    decode_envelope,
)

NEW_ASKS_MS = 2_000
FENCED_ASKS_MS = 10_000
PULL_AGAIN_MS = 2_000


class Standing(StrEnum):
    NEW = "new"  # nobody said anything yet
    GRANTED = "granted"
    FENCED = "fenced"


class _Kept(msgspec.Struct, frozen=True):
    standing: Standing
    epoch: int


def mark_of(ledger: str) -> str:
    """What screens call a machine, so that a person can tell two of them apart."""
    return ledger[:4]


class Pull:
    """The history of the table on its way to a machine that was granted the epoch behind it."""

    def __init__(self, grant: Grant) -> None:
        self.grant = grant
        self.rows: list[bytes] = []
        self._head = LedgerHead()
        self._at = (0, 0)

    @property
    def complete(self) -> bool:
        return self._at == (self.grant.after_epoch, self.grant.after_seq)

    @property
    def as_granted(self) -> bool:
        """A complete history ends with the event that the grant names."""
        return self._head.hash == self.grant.head

    def take(self, raws: tuple[msgspec.Raw, ...]) -> bool:
        """Take the next page; whether any of it was new. What does not continue the chain is left."""
        before = len(self.rows)
        for raw in map(bytes, raws):
            envelope = decode_envelope(raw)
            if self.complete or not self._head.follows(envelope):
                continue
            self._head = LedgerHead(envelope.epoch, envelope.seq, hash_of(raw))
            self._at = (envelope.epoch, envelope.seq)
            self.rows.append(raw)
        return len(self.rows) > before

    def wanted(self) -> HistoryWanted:
        return HistoryWanted(self.grant.ledger, self.grant.epoch, *self._at)


class Lease:
    """`ledger` names the ledger of this machine, `key` what it signs with, `table` the table that it would be."""

    def __init__(self, table: str, ledger: str, key: str = "") -> None:
        self.ledger = ledger
        self.key = key
        self._table = table
        self.standing = Standing.NEW
        self.epoch = 0  # the newest grant that was heard
        self.pull: Pull | None = None
        self._asked_at: Millis | None = None
        self._left = False

    # ------------------------------------------------------------------------------------ standing

    @property
    def speaks(self) -> bool:
        """It may publish what it records."""
        return self.standing is Standing.GRANTED

    @property
    def plays(self) -> bool:
        """What its devices say counts."""
        return self.standing is not Standing.FENCED

    @property
    def words(self) -> str:
        """What its screen says while it is fenced."""
        if self.pull is not None:
            return f"Taking over table {self._table}: {len(self.pull.rows)} events so far"
        again = "; restart it to ask again" if self._left else ""
        return (
            f"Another machine is table {self._table}: nothing here counts. The director can hand the table to "
            f"this one ({mark_of(self.ledger)}) at the station{again}"
        )

    def granted(self, epoch: int) -> None:
        self.standing, self.epoch, self.pull = Standing.GRANTED, epoch, None

    def fence(self, grant: Grant) -> None:
        self.standing, self.epoch, self.pull = Standing.FENCED, grant.epoch, None
        self._left = grant.leave

    def kept(self) -> bytes:
        """The note for the ledger."""
        return msgspec.json.encode(_Kept(self.standing, self.epoch))

    def recover(self, note: bytes | None) -> None:
        if note is not None:
            kept = decode(note, _Kept)
            self.standing, self.epoch = kept.standing, kept.epoch

    # -------------------------------------------------------------------------------------- asking

    def asked(self, now: Millis) -> None:
        self._asked_at = now

    def asks_at(self) -> Millis | None:
        """When to say again that this machine is there, or to ask again for history; None when it need not."""
        if self.standing is Standing.GRANTED or self._asked_at is None:
            return None
        if self.pull is not None:
            return Millis(self._asked_at + PULL_AGAIN_MS)
        return Millis(self._asked_at + (NEW_ASKS_MS if self.standing is Standing.NEW else FENCED_ASKS_MS))

    def disconnected(self) -> None:
        self._asked_at = None
