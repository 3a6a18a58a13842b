"""`feltwire verify`: does a ledger hold?

Of a table's ledger, or of every table in a station's: the hash chain over the stored bytes; that each event is
signed with the key that its epoch names; that folding the events again gives the stacks that each finished hand
recorded; and, with a relay's releases log and key, that every released card keeps the promise that was published
when it was dealt, of its hand, place and destination, may be released and is released once. What could not
be checked is said.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.ledger.checkpoints import RECORDS
from feltwire.rulebooks import rulebook_named
from feltwire.tools.verify.checkpoints import read_stated
from feltwire.tools.verify.events import Proofs, verify_table
from feltwire.tools.verify.ledgers import is_station, read_leaseholders, read_tables, until
from feltwire.tools.verify.records import is_tournament, verify_records
from feltwire.tools.verify.releases import check_releases
from feltwire.tools.verify.verdict import LedgerVerdict
from table_core.rulebook import RulebookError

HELP = "Check a ledger: hash chain, signatures, checkpoints, replayed state, commitments of released cards."
EXAMPLE = "feltwire verify data/station.ledger --public 3f2a… --checkpoints kept-elsewhere.jsonl"
_KEY = re.compile("[0-9a-fA-F]{64}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ledger", metavar="LEDGER", type=Path, help="a table's or the station's, or tournament.ledger"
    )
    parser.add_argument("--until", metavar="[EPOCH/]SEQ", help="stop after this event (of the last epoch)")
    parser.add_argument(
        "--public",
        metavar="HEX",
        action="append",
        default=[],
        help="the station's public key, which its checkpoints are signed with; without checkpoints a table's own. "
        "More than once where it changed",
    )
    parser.add_argument(
        "--checkpoints",
        metavar="FILE",
        type=Path,
        help="what the station signed, kept elsewhere: lines of its page /checkpoints, or another station.ledger",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="check no signature of an event that a checkpoint covers; needs --public",
    )
    parser.add_argument("--releases", metavar="FILE", type=Path, help="the relay's releases log; needs --key")
    parser.add_argument("--key", metavar="HEX", default="", help="`sign` in the relay's relay.pub")
    parser.add_argument(
        "--station",
        metavar="FILE",
        type=Path,
        help="the station's station.db: which keys it granted each epoch to",
    )
    parser.add_argument("--rulebook", metavar="ID", default="base")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, a line a table")


def run(args: argparse.Namespace) -> int:
    """Verify and print; exit status 1 where a table does not hold. Raise `UsageError` for bad arguments."""
    _check_arguments(args)
    verdicts = verify(args)
    if args.releases is not None:
        check_releases(args.releases, verdicts, key=args.key)
    for verdict in verdicts:
        print(json.dumps(verdict.as_json()) if args.json else verdict.as_text())
    return 0 if all(verdict.ok for verdict in verdicts) else 1


def _check_arguments(args: argparse.Namespace) -> None:
    if not args.ledger.is_file():
        raise UsageError(f"{args.ledger}: no such ledger; name an existing file")
    if args.releases is not None and not _KEY.fullmatch(args.key):
        raise UsageError("--releases: needs --key, the 64 hex digits after `sign` in relay.pub")
    for key in args.public:
        public_key(key)
    if args.quick and not args.public:
        raise UsageError("--quick: needs --public, for a checkpoint proves nothing without the station's key")


def public_key(text: str) -> str:
    """What `--public` names. Raise `UsageError` for what is no public key."""
    if not _KEY.fullmatch(text):
        raise UsageError(f"--public {text[:80]!r}: is no public key, which has 64 hex digits")
    return text.lower()


def verify(args: argparse.Namespace) -> list[LedgerVerdict]:
    """What is found about each table of the ledger, or about a tournament's records."""
    try:
        rulebook = rulebook_named(args.rulebook)
    except RulebookError as error:
        raise UsageError(str(error)) from error
    keys = frozenset(map(public_key, args.public))
    stated = read_stated([args.ledger, *([args.checkpoints] if args.checkpoints else [])], keys)
    if is_tournament(args.ledger):
        return [verify_records(args.ledger, stated)]
    leaseholders = None if args.station is None else read_leaseholders(args.station)
    tables = read_tables(args.ledger)
    verdicts = []
    for table, rows in tables.items():
        wanted = until(rows, args.until)
        signed = stated.upto(wanted[-1][:2]) if args.until and wanted else stated
        verdicts.append(verify_table(table, wanted, rulebook, Proofs(leaseholders, signed, keys, args.quick)))
    if is_station(args.ledger):
        verdicts += [LedgerVerdict.gone(table) for table in sorted(stated.of.keys() - tables.keys() - {RECORDS})]
    return verdicts
