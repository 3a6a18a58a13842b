"""Whether a tournament's records hold: their chain, and what the station signed of them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from feltwire.ledger.checkpoints import RECORDS
from feltwire.ledger.store import LedgerError, Store
from feltwire.ledger.tournament_ledger import SCHEMA, TournamentLedger
from feltwire.tools.verify.checkpoints import Stated
from feltwire.tools.verify.verdict import LedgerVerdict

_ASIDE = re.compile(r"tournament-.+-(?P<event>[0-9a-f]{8})\.ledger")


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
    head, stated = ledger.head, _of_its_event(stated, path)
    verdict.events, verdict.state_hash = head.seq, head.hash
    verdict.unchecked += [words.strip() for words in ledger.unread.words]
    stated.check(verdict, RECORDS, lambda at: ledger.hash_of_record(at[1]), (0, head.seq))
    if not stated.of.get(RECORDS):
        verdict.unchecked.append("whether the station signed these records (--checkpoints)")
    ledger.close()
    return verdict


def _of_its_event(stated: Stated, path: Path) -> Stated:
    """Without checkpoints of other tournaments: the one whose id the file's name ends with, else the last."""
    named, records = _ASIDE.fullmatch(path.name), stated.of.get(RECORDS, ())
    event = named["event"] if named is not None else max(records, key=lambda one: one.no).event if records else ""
    return replace(stated, of={**stated.of, RECORDS: [one for one in records if one.event == event]})
