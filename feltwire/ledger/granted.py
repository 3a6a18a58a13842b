"""Whether an event is accepted as its table's: its epoch was granted, and the granted machine signed it."""

from __future__ import annotations

from enum import Enum

from feltwire.ledger.signing import signed_by
from table_core.messages import Envelope, Leaseholder


class EventStatus(Enum):
    """Whether an event is accepted as its table's, and if not, why."""

    ACCEPTED = "accepted"
    AFTER_HANDOVER = "after_handover"  # written behind the event at which the next epoch began
    NOT_GRANTED = "not_granted"  # of an epoch that the station granted to nobody, as far as is known here
    NOT_SIGNED = "not_signed"  # not by the machine that was the table in this epoch


def judge(who: Leaseholder, epoch: int, seq: int, raw: bytes) -> EventStatus:
    """The status of event `seq` of `epoch` with the bytes `raw`, where `who` is the table's leaseholder."""
    if epoch > who.epoch:
        return EventStatus.NOT_GRANTED
    if epoch == who.epoch:
        return EventStatus.ACCEPTED if signed_by(raw, Envelope, who.key) else EventStatus.NOT_SIGNED
    past = next((past for past in who.past if past.epoch == epoch), None)
    if past is None:
        return EventStatus.AFTER_HANDOVER
    if not signed_by(raw, Envelope, past.key):
        return EventStatus.NOT_SIGNED
    return EventStatus.ACCEPTED if seq <= past.last_seq else EventStatus.AFTER_HANDOVER


def key_of(who: Leaseholder, epoch: int) -> str | None:
    """The key of the machine that had the table in `epoch`; None for an epoch that was granted to nobody."""
    if epoch == who.epoch:
        return who.key
    return next((past.key for past in who.past if past.epoch == epoch), None)


def lineage_of(who: Leaseholder) -> str:
    """Identifies the chain of ledgers of a table: the same over every takeover, another one for a new table."""
    return who.past[0].key if who.past else who.key


def last_of(who: Leaseholder) -> tuple[int, int, str]:
    """The event behind which its epoch begins: epoch, seq, SHA-256 (hex); `(0, 0, "")` where it is the first."""
    return (who.past[-1].epoch, who.past[-1].last_seq, who.past[-1].head) if who.past else (0, 0, "")


def same_machine(who: Leaseholder, ledger: str, key: str) -> bool:
    return (who.ledger, who.key) == (ledger, key)
