"""Whether a tournament's records hold: their chain, and what the station signed of them."""

from __future__ import annotations

from pathlib import Path

from feltwire.ledger.checkpoints import RECORDS
from feltwire.ledger.store import LedgerError, Store
from feltwire.ledger.tournament_ledger import SCHEMA, TournamentLedger
from feltwire.tools.verify.checkpoints import Stated
from feltwire.tools.verify.verdict import LedgerVerdict


def is_tournament(path: Path) -> bool:
    """Whether the file is a `tournament.ledger`."""
    try:
        Store.open(path, SCHEMA, read_only=True).close()
    except LedgerError:
        return False
    return True


def verify_records(path: Path, stated: Stated) -> LedgerVerdict:
    """What is found about a tournament's records; `events` counts them."""
    verdict = LedgerVerdict(RECORDS)
    try:
        ledger = TournamentLedger.open(path, read_only=True)
    except LedgerError as error:
        verdict.fail("records", str(error))
        return verdict
    head = ledger.head
    verdict.events, verdict.state_hash = head.seq, head.hash
    stated.check(verdict, RECORDS, lambda at: ledger.hash_of_record(at[1]), (0, head.seq))
    if not stated.of.get(RECORDS):
        verdict.unchecked.append("whether the station signed these records (--checkpoints)")
    ledger.close()
    return verdict
