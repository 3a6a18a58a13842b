"""Whether an event is the table's word: of an epoch that the station granted, signed by the machine granted it."""

from __future__ import annotations

from enum import Enum

from feltwire.ledger.signing import signed_by
from table_core.messages import Envelope, InCharge


class Word(Enum):
    """What an event is worth."""

    TAKEN = "taken"
    OVER = "over"  # written behind the point at which the next epoch began
    NOT_GRANTED = "not_granted"  # of an epoch that the station granted to nobody, as far as is known here
    NOT_SIGNED = "not_signed"  # not by the machine that was the table in this epoch


def judge(who: InCharge, epoch: int, seq: int, raw: bytes) -> Word:
    """`raw` are the bytes of event `seq` of `epoch`, of the table of which `who` is in charge."""
    if epoch > who.epoch:
        return Word.NOT_GRANTED
    if epoch == who.epoch:
        return Word.TAKEN if signed_by(raw, Envelope, who.key) else Word.NOT_SIGNED
    past = next((past for past in who.past if past.epoch == epoch), None)
    if past is None:
        return Word.OVER
    if not signed_by(raw, Envelope, past.key):
        return Word.NOT_SIGNED
    return Word.TAKEN if seq <= past.last_seq else Word.OVER


def key_of(who: InCharge, epoch: int) -> str | None:
    """What the machine that was the table in `epoch` signs with; None for an epoch that was granted to nobody."""
    if epoch == who.epoch:
        return who.key
    return next((past.key for past in who.past if past.epoch == epoch), None)


def lineage_of(who: InCharge) -> str:
    """One ledger and its heirs: the same over every machine that takes the table over, another one tomorrow."""
    return who.past[0].key if who.past else who.key


def last_of(who: InCharge) -> tuple[int, int, str]:
    """The event behind which its epoch begins: epoch, seq, SHA-256 (hex); `(0, 0, "")` where it is the first."""
    return (who.past[-1].epoch, who.past[-1].last_seq, who.past[-1].head) if who.past else (0, 0, "")


def same_machine(who: InCharge, ledger: str, key: str) -> bool:
    return (who.ledger, who.key) == (ledger, key)
