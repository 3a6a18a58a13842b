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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from feltwire.errors import UsageError
from feltwire.ledger.chain import check_chain, hash_of
from feltwire.ledger.granted import key_of
from feltwire.ledger.releases import ReleasesError, read_releases
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.signing import signed_by
from feltwire.ledger.store import LedgerError
from feltwire.ledger.table_ledger import Ledger, Row
from feltwire.relay.hand import HandRecord
from feltwire.rulebooks import rulebook_named
from feltwire.station.station_store import StationStore
from table_core.commitment import Opening
from table_core.messages import (
    CardDealt,
    Envelope,
    EpochBegan,
    HandEnded,
    HandStarted,
    Leaseholder,
    Millis,
    decode_envelope,
    encode,
)
from table_core.projections.table import TableProjection
from table_core.rulebook import Rulebook, RulebookError

HELP = "Check a table's or a station's ledger: hash chain, replayed state, commitments of released cards."
EXAMPLE = "feltwire verify data/table-01.ledger --releases data/relay/releases.jsonl --key 3f2a…"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ledger", metavar="LEDGER", type=Path)
    parser.add_argument("--until", metavar="[EPOCH/]SEQ", help="stop after this event (of the last epoch)")
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
    try:
        rulebook = rulebook_named(args.rulebook)
    except RulebookError as error:
        raise UsageError(str(error)) from error
    if args.releases is not None and not re.fullmatch("[0-9a-fA-F]{64}", args.key):
        raise UsageError("--releases: needs --key, the 64 hex digits after `sign` in relay.pub")
    leaseholders = None if args.station is None else read_leaseholders(args.station)
    verdicts = [
        verify_table(table, _until(rows, args.until), rulebook, leaseholders)
        for table, rows in read_tables(args.ledger).items()
    ]
    if args.releases is not None:
        check_releases(args.releases, verdicts, key=args.key)
    for verdict in verdicts:
        print(json.dumps(verdict.as_json()) if args.json else verdict.as_text())
    return 0 if all(verdict.ok for verdict in verdicts) else 1


class DealPosition(NamedTuple):
    """A place of a deal, as the event that published its commitment names it."""

    table: str
    epoch: int
    hand: int
    attempt: int
    place: int
    to: str


@dataclass(slots=True)
class LedgerVerdict:
    """What was found about one table. `first_bad` is `epoch/seq` of the first event that does not hold, or
    the line of the releases log; `state_hash` is the SHA-256 of the replayed public state."""

    table: str
    events: int = 0
    hands: int = 0
    released: int = 0
    first_bad: str = ""
    why: str = ""
    state_hash: str = ""
    promises: dict[str, set[DealPosition]] = field(default_factory=dict)  # commitment -> what was published for it
    hand_of: dict[DealPosition, HandRecord] = field(default_factory=dict)  # in which a place was promised
    folded: list[str] = field(default_factory=list)  # places of folded or mucked hands that were released
    unchecked: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)  # commitments of released cards

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
            "unchecked": self.unchecked,
        }

    def as_text(self) -> str:
        found = f"table {self.table}: {self.events} events, {self.hands} hands, {self.released} cards released"
        held = f"ok, state {self.state_hash[:16]}" if self.ok else f"DOES NOT HOLD at {self.first_bad}: {self.why}"
        return "\n".join([f"{found}: {held}", *[f"  not checked: {what}" for what in self.unchecked]])


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


def read_leaseholders(path: Path) -> dict[str, Leaseholder]:
    """Who was granted which table, from a station's `station.db`."""
    store = StationStore.open_file(path, read_only=True)
    try:
        return store.leaseholders()
    finally:
        store.close()


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


def verify_table(
    table: str, rows: list[Row], rulebook: Rulebook, leaseholders: Mapping[str, Leaseholder] | None = None
) -> LedgerVerdict:
    """Check the chain and its signatures, then fold what holds of it. `charges`: whom the station granted."""
    report = check_chain(rows)
    verdict = LedgerVerdict(table, events=report.events)
    if not report.ok:
        verdict.fail(report.first_bad, report.why)
    good = rows[: report.events]
    _check_signatures(verdict, good, leaseholders)
    if good:
        _replay(verdict, good, rulebook)
    return verdict


def _check_signatures(
    verdict: LedgerVerdict, rows: list[Row], leaseholders: Mapping[str, Leaseholder] | None
) -> None:
    """Every event is signed with the key of its epoch: the one granted by the station, else the one that the first
    event of the epoch names."""
    who = None if leaseholders is None else leaseholders.get(verdict.table)
    if leaseholders is None:
        verdict.unchecked.append("whether the station granted the keys that this ledger names (--station)")
    elif who is None:
        verdict.fail("1/1", "the station granted this table to nobody")
    named: dict[int, str] = {}
    for epoch, seq, raw in rows:
        if epoch not in named:
            began = decode_envelope(raw).data
            named[epoch] = began.key if isinstance(began, EpochBegan) else ""
            if who is not None and key_of(who, epoch) != named[epoch]:
                verdict.fail(f"{epoch}/{seq}", "the station granted this epoch to another key, or to nobody")
        if not signed_by(raw, Envelope, named[epoch]):
            verdict.fail(f"{epoch}/{seq}", "is not signed with the key that its epoch names")
            return


def _replay(verdict: LedgerVerdict, rows: list[Row], rulebook: Rulebook) -> None:
    projection = TableProjection(decode_envelope(rows[0][2]).venue, verdict.table, rulebook)
    hand, record = 0, None
    for envelope, head in _decoded(rows):
        number = f"{envelope.epoch}/{envelope.seq}"
        event = envelope.data
        if isinstance(event, HandStarted):
            hand, record = event.hand, HandRecord(verdict.table, envelope.epoch, event)
        if record is not None:
            record.add(envelope, Millis(0))
        if isinstance(event, CardDealt) and event.commitment is not None:
            place = DealPosition(verdict.table, envelope.epoch, hand, event.attempt, event.place, event.to)
            verdict.promises.setdefault(event.commitment, set()).add(place)
            if record is not None:
                verdict.hand_of[place] = record
        if isinstance(event, HandEnded):
            replayed = dict(projection.hand.stacks) if projection.hand is not None else {}
            recorded = {share.seat: share.amount for share in event.stacks}
            if replayed != recorded:
                verdict.fail(number, f"hand {event.hand} recorded other stacks than replaying it gives")
        try:
            projection.apply(envelope, head)
        except (LookupError, ValueError, AssertionError) as error:
            verdict.fail(number, f"cannot be replayed ({type(error).__name__}: {error})")
            return
    verdict.hands = projection.hands_played
    verdict.state_hash = hash_of(encode(projection.view()))


def _decoded(rows: Iterable[Row]) -> Iterator[tuple[Envelope, str]]:
    return ((decode_envelope(raw), hash_of(raw)) for _, _, raw in rows)


def check_releases(path: Path, verdicts: list[LedgerVerdict], *, key: str) -> None:
    """Hold every released card of these tables against its promise; a bad log fails every table."""
    tables = {verdict.table: verdict for verdict in verdicts}
    others = 0
    try:
        for line, opening in enumerate(read_releases(path, key=key), start=1):
            if opening.table in tables:
                _check_release(tables[opening.table], line, opening)
            else:
                others += 1
    except ReleasesError as error:
        for verdict in verdicts:
            verdict.fail("releases", str(error))
    for verdict in verdicts:
        verdict.unchecked += [
            "whether lines were cut off the end of the releases, now or before others followed, and whether a "
            "card was released early",
            *(
                [f"whether the relay was told to release folded hands too: {', '.join(verdict.folded)}"]
                if verdict.folded
                else []
            ),
            *([f"{others} released cards of tables that are not in this ledger"] if others else []),
        ]


def _check_release(verdict: LedgerVerdict, line: int, opening: Opening) -> None:
    verdict.released += 1
    where, what = f"releases line {line}", f"hand {opening.hand} place {opening.place}"
    try:
        promise = opening.commitment()
    except ValueError:
        promise = ""
    place = DealPosition(opening.table, opening.epoch, opening.hand, opening.attempt, opening.place, opening.to)
    if place not in verdict.promises.get(promise, set()):
        verdict.fail(where, f"{what}: no event promised this card at this place, for {opening.to}")
    else:
        _check_allowed(verdict, where, what, opening, verdict.hand_of.get(place))
    if promise in verdict.seen:
        verdict.fail(where, f"{what}: was released before")
    verdict.seen.add(promise)


def _check_allowed(
    verdict: LedgerVerdict, where: str, what: str, opening: Opening, hand: HandRecord | None
) -> None:
    """Whether a relay that follows these events may release it."""
    if hand is None or hand.void or hand.ended_at is None:
        verdict.fail(where, f"{what}: this ledger does not tell that the hand was played to its end")
    elif not hand.allowed([opening], folded=True):
        verdict.fail(where, f"{what}: a burn, a card that was put back, or of an earlier deal stays sealed")
    elif not hand.allowed([opening], folded=False):
        seat = f"hand {opening.hand} {opening.to}"
        verdict.folded += [] if seat in verdict.folded else [seat]
