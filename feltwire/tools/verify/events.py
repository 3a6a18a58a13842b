"""Whether a table's events hold: chain, signatures, and the state to which they lead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from feltwire.ledger.chain import check_chain, event_in, hash_of
from feltwire.ledger.granted import key_of
from feltwire.ledger.signing import signed_by
from feltwire.ledger.table_ledger import Row
from feltwire.relay.hand import HandRecord
from feltwire.tools.verify.checkpoints import Position, Stated
from feltwire.tools.verify.verdict import DealPosition, LedgerVerdict
from table_core.messages import (
    CardDealt,
    Envelope,
    EpochBegan,
    HandEnded,
    HandStarted,
    Leaseholder,
    Millis,
    UnreadEvent,
    decode_stored,
    encode,
)
from table_core.projections.table import TableProjection
from table_core.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Proofs:
    """What a table's events are held against: whom the station granted the table, its checkpoints, the keys (hex)
    that the caller trusts. `quick`: signatures of events that a checkpoint proves are not checked."""

    leaseholders: Mapping[str, Leaseholder] | None = None
    stated: Stated = field(default_factory=lambda: Stated({}))
    keys: Collection[str] = ()
    quick: bool = False


def verify_table(table: str, rows: list[Row], rulebook: Rulebook, proofs: Proofs | None = None) -> LedgerVerdict:
    """Check the chain, its checkpoints and its signatures, then fold what holds of it."""
    proofs = proofs or Proofs()
    report = check_chain(rows)
    verdict = LedgerVerdict(table, events=report.events)
    if not report.ok:
        verdict.fail(report.first_bad, report.why)
    if report.unread:
        which = ", ".join(report.unread)
        verdict.unchecked.append(f"what event {which} says: it is in its place, and cannot be read")
    good = rows[: report.events]
    hashes = {(epoch, seq): hash_of(raw) for epoch, seq, raw in good}
    proven = proofs.stated.check(verdict, table, hashes.get, good[-1][:2] if good else (0, 0))
    _check_keys(verdict, good, proofs, proven)
    _check_signatures(verdict, good, proven if proofs.quick else (0, 0))
    if good:
        _replay(verdict, good, rulebook)
    return verdict


def _check_keys(verdict: LedgerVerdict, rows: list[Row], proofs: Proofs, proven: Position) -> None:
    """The key that each epoch names is the one that the station granted it to, or one that the caller trusts."""
    who = None if proofs.leaseholders is None else proofs.leaseholders.get(verdict.table)
    if proofs.leaseholders is not None and who is None:
        verdict.fail("1/1", "the station granted this table to nobody")
    own = proofs.keys if not proofs.stated.of else ()
    if proofs.leaseholders is None and not own and proven == (0, 0):
        verdict.unchecked.append(
            "whether the station granted the keys that this ledger names (--station, or checkpoints and --public)"
        )
    for epoch, named in _keys_named(rows).items():
        if who is not None and key_of(who, epoch) != named:
            verdict.fail(f"{epoch}/1", "the station granted this epoch to another key, or to nobody")
        if own and named not in own:
            verdict.fail(f"{epoch}/1", f"this epoch is signed with another key than --public, {named[:16]}…")


def _keys_named(rows: list[Row]) -> dict[int, str]:
    """The key that the first event of each epoch names; empty where it names none."""
    named: dict[int, str] = {}
    for epoch, _, raw in rows:
        if epoch not in named:
            began = event_in(raw)
            named[epoch] = began.key if isinstance(began, EpochBegan) else ""
    return named


def _check_signatures(verdict: LedgerVerdict, rows: list[Row], proven: Position) -> None:
    """Every event behind `proven` is signed with the key that its epoch names."""
    named = _keys_named(rows)
    for epoch, seq, raw in rows:
        if (epoch, seq) > proven and not signed_by(raw, Envelope, named[epoch]):
            verdict.fail(f"{epoch}/{seq}", "is not signed with the key that its epoch names")
            return


def _replay(verdict: LedgerVerdict, rows: list[Row], rulebook: Rulebook) -> None:
    stored = [(decode_stored(raw), hash_of(raw)) for _, _, raw in rows]
    projection = TableProjection(stored[0][0].venue, verdict.table, rulebook)
    hand, record = 0, None
    before: tuple[int, HandRecord | None] = hand, record
    for envelope, head in stored:
        number = f"{envelope.epoch}/{envelope.seq}"
        if isinstance(envelope, UnreadEvent):
            projection.pass_over(envelope, head)
            record = None
            continue
        event = envelope.data
        if isinstance(event, HandStarted):
            before = hand, record
            hand, record = event.hand, HandRecord(verdict.table, envelope.epoch, event)
        if record is not None:
            record.add(envelope, Millis(0))
        if record is not None and record.taken_back:
            hand, record = before
        if isinstance(event, CardDealt) and event.commitment is not None:
            place = DealPosition(verdict.table, envelope.epoch, hand, event.attempt, event.place, event.to)
            verdict.promises.setdefault(event.commitment, set()).add(place)
            if record is not None:
                verdict.hand_of.setdefault(event.commitment, record)
        if isinstance(event, HandEnded) and not projection.passed_over:
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
