"""Checkpoints: what the station signs about its records at the end of each hand.

A checkpoint states the head of one chain: a table's events up to the end of a hand, or the tournament's records.
It is signed with the station's key and holds the hash of the checkpoint before. So whoever has the station's
public key and the checkpoints, kept elsewhere than the ledgers, notices a ledger that was changed or cut short
(docs/decisions/0039-the-station-signs-the-end-of-each-hand.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from feltwire.errors import UsageError
from feltwire.ledger.chain import LedgerHead, hash_of
from feltwire.ledger.signing import LedgerKey, signed_by
from table_core.messages import Frozen, Malformed, decode

RECORDS = ""  # in place of a table: the tournament's records


class Checkpoint(Frozen, frozen=True):
    """What is signed, and stored as it is signed. `no` counts from 1; `prev` is the SHA-256 (hex) of the
    checkpoint before, `""` for the first one.

    Event `seq` of `epoch` at `table` ended `hand`, and has the SHA-256 (hex) `head`. With `table` `""`: record
    `seq` of the tournament with the id `event` has it; `epoch` and `hand` are 0. A tournament's first checkpoint
    has `seq` 0 and `head` `""`. `key` (hex) is the station's.
    """

    venue: str
    no: int
    prev: str
    table: str
    epoch: int
    seq: int
    head: str
    hand: int
    key: str
    event: str = ""
    signature: str = ""


class CheckpointError(UsageError):
    """A checkpoint that does not hold: which, and why."""


class CheckpointHead(NamedTuple):
    """The end of the chain of checkpoints: number and SHA-256 (hex) of the last one."""

    no: int = 0
    hash: str = ""

    def link(
        self, key: LedgerKey, venue: str, table: str, head: LedgerHead, *, hand: int = 0, event: str = ""
    ) -> tuple[int, bytes]:
        """The next checkpoint, as number and signed bytes."""
        no = self.no + 1
        found = Checkpoint(venue, no, self.hash, table, head.epoch, head.seq, head.hash, hand, key.public, event)
        return no, key.sign(found)


def check_checkpoints(raws: Iterable[bytes], keys: Collection[str] | None) -> Iterator[Checkpoint]:
    """Each checkpoint, its signature and its link checked. They may begin at any number. `keys` (hex) are the
    station's, None: those that they name.

    Raise `CheckpointError` at the first that does not hold.
    """
    before: CheckpointHead | None = None
    for line, raw in enumerate(raws, start=1):
        try:
            found = decode(raw, Checkpoint)
        except Malformed as error:
            raise CheckpointError(f"checkpoint {line}: cannot be read ({error})") from error
        if keys is not None and found.key not in keys:
            raise CheckpointError(
                f"checkpoint {found.no}: names the key {found.key[:16]}…, which is not the station's"
            )
        if not signed_by(raw, Checkpoint, found.key):
            raise CheckpointError(f"checkpoint {found.no}: is not signed with the key that it names")
        if before is not None and (found.no, found.prev) != (before.no + 1, before.hash):
            raise CheckpointError(
                f"checkpoint {found.no}: does not follow {before.no}; one was removed or changed"
            )
        before = CheckpointHead(found.no, hash_of(raw))
        yield found
