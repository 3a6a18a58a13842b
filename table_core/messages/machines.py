"""What machines tell one another of themselves: who is here, how far, what has arrived."""

from __future__ import annotations

import msgspec

from table_core.messages.base import Frozen


class Ack(Frozen, frozen=True):
    """Station -> table: every event of `epoch` up to `seq` is committed."""

    epoch: int
    seq: int


class SealedCard(Frozen, frozen=True):
    """On `…/sealed`: one fixed-length box for the relay. Says nothing but where it belongs."""

    epoch: int
    sealed_seq: int
    hand: int
    attempt: int
    place: int
    box: str  # base64


class Birth(Frozen, frozen=True):
    """A table is on the network: how far it is, and which machine it is. `ledger` names the ledger that it writes
    (drawn when that was made), `head` is the SHA-256 (hex) of its last event."""

    venue: str
    table: str
    epoch: int
    last_seq: int
    schema: str
    firmware: dict[str, str] = msgspec.field(default_factory=dict)
    ledger: str = ""
    head: str = ""


class HistoryWanted(Frozen, frozen=True):
    """On `…/handover`: the machine with `ledger`, which was granted `epoch`, asks for what comes after this event.
    Answered by `History`."""

    ledger: str
    epoch: int
    after_epoch: int
    after_seq: int


class Status(Frozen, frozen=True):
    online: bool
    boot: str = ""
