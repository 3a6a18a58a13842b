"""The plan's doings and the table's ledger, brought together when the hands are over."""

from __future__ import annotations

from pathlib import Path

from feltwire.ledger.chain import hash_of
from feltwire.ledger.table_ledger import Ledger
from table_core.messages import Counted, Envelope, HandStarted, SeatsSet, decode_envelope
from table_core.projections.table import TableProjection
from table_core.rulebook import Rulebook
from tests.faults import done as doings
from tests.faults.done import Done
from tests.faults.judge import Verdict, judge


def join(ledger: Path, done: Path, book: Rulebook) -> list[Verdict]:
    """A verdict for every hand in `done`, from the events that `ledger` has of it."""
    hands = [*doings.read(done)]
    kept = Ledger.open(ledger, read_only=True)
    try:
        events = [(decode_envelope(raw), hash_of(raw)) for _, _, raw in kept.raw_events()]
    finally:
        kept.close()
    return join_events(events, hands, book)


def join_events(events: list[tuple[Envelope, str]], hands: list[Done], book: Rulebook) -> list[Verdict]:
    """As `join`, with events and their hashes in hand."""
    first = events[0][0]
    projection = TableProjection(first.venue, first.table, book, smallest_chip=25)
    verdicts: list[Verdict] = []
    at = 0
    for done in hands:
        mine: list[Envelope] = []
        while at < len(events) and _belongs(events[at][0], done):
            envelope, head = events[at]
            projection.apply(envelope, head)
            if envelope.seq > done.from_seq:
                mine.append(envelope)
            at += 1
        verdicts.append(judge(done, mine, projection))
    return verdicts


def _belongs(envelope: Envelope, done: Done) -> bool:
    """Whether an event is of this hand: also what comes behind it until the next one begins or seats are set."""
    return envelope.seq <= done.to_seq or not isinstance(envelope.data, HandStarted | SeatsSet | Counted)
