"""Records that an earlier version wrote and this one cannot read, planted on a disk as they were written then."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from nacl.signing import SigningKey

from feltwire.ledger.chain import LedgerHead, hash_of
from table_core.messages import At, Millis, Noticed, encode

LONG = b"r" * 4_010  # a ruling's reason of the time when nothing bounded it
AT = At(boot="t" * 16, ms=Millis(1))


def unreadable_event(head: LedgerHead, venue: str, table: str, seed: bytes) -> bytes:
    """The event behind `head` as its machine signed it; its text is longer than any may be."""
    entry = head.link(Noticed("old", "LONG"), at=AT, venue=venue, table=table)
    part = entry.raw.removesuffix(b',"signature":""}').replace(b'"LONG"', b'"' + LONG + b'"')
    signature = SigningKey(seed).sign(b"feltwire Envelope 1\n" + part).signature.hex().encode()
    return part + b',"signature":"' + signature + b'"}'


def plant_event(ledger: Path, venue: str, table: str) -> bytes:
    """At the end of a table's ledger, not yet acknowledged by the station."""
    with closing(sqlite3.connect(ledger)) as file, file:
        epoch, seq, hash_ = file.execute(
            "SELECT epoch, seq, hash FROM events ORDER BY epoch DESC, seq DESC LIMIT 1"
        ).fetchone()
        seed = ledger.with_name(f"{ledger.name}.key").read_bytes()
        raw = unreadable_event(LedgerHead(epoch, seq, hash_), venue, table, seed)
        file.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (epoch, seq + 1, raw, hash_of(raw)))
        file.execute("INSERT INTO outbox VALUES (?, ?)", (epoch, seq + 1))
    return raw


def plant(path: Path, statement: str, *values: object) -> None:
    """Change a file of records while its process is down."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(statement, values)


def plant_record(ledger: Path, old: bytes, new: bytes) -> int:
    """Change the last record of a tournament's ledger, which still continues the one before; its number."""
    with closing(sqlite3.connect(ledger)) as file, file:
        no, raw = file.execute("SELECT no, bytes FROM records ORDER BY no DESC LIMIT 1").fetchone()
        assert old in raw, raw
        file.execute("UPDATE records SET bytes = ? WHERE no = ?", (raw.replace(old, new), no))
    return int(no)


def notice(kind: str, text: str) -> bytes:
    return encode(Noticed(kind, text))
