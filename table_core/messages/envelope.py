"""How an event travels: numbered, dated and chained to the one before."""

from __future__ import annotations

from table_core.messages.base import Frozen, Millis
from table_core.messages.hand_events import AnyHandEvent
from table_core.messages.table_events import AnyTableEvent

ENVELOPE_VERSION = 1

AnyEvent = AnyHandEvent | AnyTableEvent


class At(Frozen, frozen=True):
    """When: boot time in milliseconds, the boot it belongs to, and wall time as an annotation."""

    boot: str
    ms: Millis
    wall: str = ""  # ISO 8601, UTC; empty when unknown
    wall_unc_ms: int = 0


class Envelope(Frozen, frozen=True):
    """What travels on `…/event`. `prev` is the SHA-256 (hex) of the stored bytes of the event before."""

    v: int
    venue: str
    table: str
    epoch: int
    seq: int
    at: At
    prev: str
    data: AnyEvent
    cause: str = ""  # the observation or command that led to it
