"""`feltwire verify`: does a ledger hold?

Of a table's ledger, or of every table in a station's: the hash chain over the stored bytes; that folding the
events again gives the stacks that each finished hand recorded; and, with a relay's releases log, that every
released card keeps the promise that was published when it was dealt.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from feltwire.chain import check_chain, hash_of
from feltwire.collected import CollectedLedger
from feltwire.errors import UsageError
from feltwire.ledger import Ledger, Row
from feltwire.releases import ReleasesError, read_releases
from feltwire.store import LedgerError
from table_core.commitment import Opening
from table_core.messages import CardDealt, Envelope, HandEnded, decode_envelope, encode
from table_core.projections.table import TableFold
from table_core.rulebook import Rulebook, RulebookError, load_rulebook

HELP = "Check a table's or a station's ledger: hash chain, replayed state, commitments of released cards."
EXAMPLE = "feltwire verify data/table-01.ledger --releases data/relay/releases.jsonl --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ledger", metavar="LEDGER", type=Path)
    parser.add_argument("--until", metavar="[EPOCH/]SEQ", help="stop after this event (of the last epoch)")
    parser.add_argument("--releases", metavar="FILE", type=Path, help="the relay's releases log")
    parser.add_argument("--key", metavar="HEX", default="", help="whose signature the releases must carry")
    parser.add_argument("--rulebook", metavar="ID", default="base")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, a line a table")


def run(args: argparse.Namespace) -> int:
    try:
        rulebook = load_rulebook(args.rulebook)
    except RulebookError as error:
        raise UsageError(str(error)) from error
    verdicts = [
        verify_table(table, _until(rows, args.until), rulebook) for table, rows in read_tables(args.ledger).items()
    ]
    if args.releases is not None:
        check_releases(args.releases, verdicts, key=args.key)
    for verdict in verdicts:
        print(json.dumps(verdict.as_json()) if args.json else verdict.as_text())
    return 0 if all(verdict.ok for verdict in verdicts) else 1


@dataclass(slots=True)
class Verdict:
    """What was found about one table. `first_bad` is `epoch/seq` of the first event that does not hold, or
    the line of the releases log; `state_hash` is the SHA-256 of the replayed public state."""

    table: str
    events: int = 0
    hands: int = 0
    released: int = 0
    first_bad: str = ""
    why: str = ""
    state_hash: str = ""
    promises: dict[str, set[tuple[int, int]]] = field(default_factory=dict)  # commitment -> place, attempt

    @property
    def ok(self) -> bool:
        return not self.why

    def fail(self, where: str, why: str) -> None:
        """Keep the first fault."""
        if self.ok:
            self.first_bad, self.why = where, why

    def as_json(self) -> dict[str, object]:
        return {
            "table": self.table,
            "events": self.events,
            "ok": self.ok,
            "first_bad": self.first_bad or None,
            "why": self.why,
            "hands": self.hands,
            "released": self.released,
            "state_hash": self.state_hash,
        }

    def as_text(self) -> str:
        found = f"table {self.table}: {self.events} events, {self.hands} hands, {self.released} cards released"
        if self.ok:
            return f"{found}: ok, state {self.state_hash[:16]}"
        return f"{found}: DOES NOT HOLD at {self.first_bad}: {self.why}"


def read_tables(path: Path) -> dict[str, list[Row]]:
    """The stored events of each table, from a table's own ledger or from a station's."""
    try:
        ledger = Ledger.open(path, read_only=True)
    except LedgerError as error:
        try:
            collected = CollectedLedger.open(path, read_only=True)
        except LedgerError:
            raise error from None
        tables = {table: list(collected.raw_events(table)) for table in sorted(collected.heads())}
        collected.close()
        return tables
    rows = list(ledger.raw_events())
    ledger.close()
    return {_table_of(rows): rows}


def _table_of(rows: list[Row]) -> str:
    try:
        return decode_envelope(rows[0][2]).table if rows else ""
    except ValueError:
        return ""


def _until(rows: list[Row], text: str | None) -> list[Row]:
    if text is None or not rows:
        return rows
    epoch, _, seq = text.rpartition("/")
    try:
        last = (int(epoch or rows[-1][0]), int(seq))
    except ValueError:
        raise UsageError(f"--until {text!r}: write SEQ or EPOCH/SEQ, as in 1200 or 3/1200") from None
    return list(takewhile(lambda row: row[:2] <= last, rows))


def verify_table(table: str, rows: list[Row], rulebook: Rulebook) -> Verdict:
    """Check the chain, then fold what holds of it."""
    report = check_chain(rows)
    verdict = Verdict(table, events=report.events)
    if not report.ok:
        verdict.fail(report.first_bad, report.why)
    good = rows[: report.events]
    if good:
        _replay(verdict, good, rulebook)
    return verdict


def _replay(verdict: Verdict, rows: list[Row], rulebook: Rulebook) -> None:
    fold = TableFold(decode_envelope(rows[0][2]).venue, verdict.table, rulebook)
    for envelope, head in _decoded(rows):
        number = f"{envelope.epoch}/{envelope.seq}"
        event = envelope.data
        if isinstance(event, CardDealt) and event.commitment is not None:
            verdict.promises.setdefault(event.commitment, set()).add((event.place, event.attempt))
        if isinstance(event, HandEnded):
            replayed = dict(fold.hand.stacks) if fold.hand is not None else {}
            recorded = {share.seat: share.amount for share in event.stacks}
            if replayed != recorded:
                verdict.fail(number, f"hand {event.hand} recorded other stacks than replaying it gives")
        try:
            fold.apply(envelope, head)
        except (LookupError, ValueError, AssertionError) as error:
            verdict.fail(number, f"cannot be replayed ({type(error).__name__}: {error})")
            return
    verdict.hands = fold.hands_played
    verdict.state_hash = hash_of(encode(fold.view()))


def _decoded(rows: Iterable[Row]) -> Iterator[tuple[Envelope, str]]:
    return ((decode_envelope(raw), hash_of(raw)) for _, _, raw in rows)


def check_releases(path: Path, verdicts: list[Verdict], *, key: str = "") -> None:
    """Hold every released card of these tables against its promise; a bad log fails every table."""
    tables = {verdict.table: verdict for verdict in verdicts}
    try:
        for line, opening in enumerate(read_releases(path, key=key), start=1):
            if opening.table in tables:
                _check_release(tables[opening.table], line, opening)
    except ReleasesError as error:
        for verdict in verdicts:
            verdict.fail("releases", str(error))


def _check_release(verdict: Verdict, line: int, opening: Opening) -> None:
    verdict.released += 1
    try:
        places = verdict.promises.get(opening.commitment(), set())
    except ValueError:
        places = set()
    if (opening.place, opening.attempt) not in places:
        verdict.fail(
            f"releases line {line}",
            f"hand {opening.hand} place {opening.place}: no event promised this card at this place",
        )
