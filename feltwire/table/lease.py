"""This machine's lease on its table: the epoch that the station granted it, or that another machine holds the
table.

A machine is known by its ledger. With a new ledger it plays and records, and reports only its presence, until the
station grants it an epoch; from then on it also publishes while no station is there. A machine that learns of
another leaseholder is *fenced*: it records and publishes nothing, and its screen says so, until the director hands
the table to it.
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
    decode_stored,
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
    """The short name that screens show for a machine."""
    return ledger[:4]


class Pull:
    """The table's history, on its way to a machine that was granted the next epoch."""

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
        """Whether the complete history ends with the event that the grant names."""
        return self._head.hash == self.grant.head

    def is_for(self, grant: Grant) -> bool:
        return (self.grant.epoch, self.grant.head) == (grant.epoch, grant.head)

    def take(self, raws: tuple[msgspec.Raw, ...]) -> bool:
        """Take the next page; whether any of it was new. Rows that do not continue the chain are dropped."""
        before = len(self.rows)
        for raw in map(bytes, raws):
            envelope = decode_stored(raw)
            if self.complete or not self._head.follows(envelope):
                continue
            self._head = LedgerHead(envelope.epoch, envelope.seq, hash_of(raw))
            self._at = (envelope.epoch, envelope.seq)
            self.rows.append(raw)
        return len(self.rows) > before

    def wanted(self) -> HistoryWanted:
        return HistoryWanted(self.grant.ledger, self.grant.epoch, *self._at)


class Lease:
    """`ledger` names the ledger of this machine, `key` what it signs with, `table` the table that it plays."""

    def __init__(self, table: str, ledger: str, key: str = "") -> None:
        self.ledger = ledger
        self.key = key
        self._table = table
        self.standing = Standing.NEW
        self.epoch = 0  # the newest grant that was heard
        self.pull: Pull | None = None
        self._question = ""  # the name of the last birth that asked
        self._asked_at: Millis | None = None
        self._left = False

    # ------------------------------------------------------------------------------------ standing

    @property
    def speaks(self) -> bool:
        """Whether it may publish what it records."""
        return self.standing is Standing.GRANTED

    @property
    def plays(self) -> bool:
        """Whether input of its devices counts."""
        return self.standing is not Standing.FENCED

    @property
    def words(self) -> str:
        """The text on its screen while it is fenced."""
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
        self._left = False

    def leave(self) -> None:
        """The broker is left to the leaseholder: this machine hears nothing more before it is started again."""
        self._left = True

    @property
    def has_left(self) -> bool:
        return self._left

    def kept(self) -> bytes:
        """The note for the ledger."""
        return msgspec.json.encode(_Kept(self.standing, self.epoch))

    def recover(self, note: bytes) -> None:
        """Take up the note; without one nothing is known, and nothing is published before the station's word."""
        kept = decode(note, _Kept)
        self.standing, self.epoch = kept.standing, kept.epoch

    # -------------------------------------------------------------------------------------- asking

    def asked(self, now: Millis) -> None:
        self._asked_at = now

    def asks(self, question: str) -> None:
        """It asks who is the table, with a birth of this name."""
        self._question = question

    def is_answered_by(self, grant: Grant) -> bool:
        """Whether the station says this now: it answers the last birth that asked."""
        return bool(grant.answers) and grant.answers == self._question

    def asks_at(self) -> Millis | None:
        """When to report its presence, or to ask for history, again; None when there is no need."""
        if self.standing is Standing.GRANTED or self._asked_at is None:
            return None
        if self.pull is not None:
            return Millis(self._asked_at + PULL_AGAIN_MS)
        return Millis(self._asked_at + (NEW_ASKS_MS if self.standing is Standing.NEW else FENCED_ASKS_MS))

    def disconnected(self) -> None:
        self._asked_at = None
