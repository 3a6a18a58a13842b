"""An event's envelope: number, time and link to the previous event."""

from __future__ import annotations

from msgspec import Struct

from table_core.messages.base import Frozen, Millis, Name, Number, Text
from table_core.messages.hand.events import AnyHandEvent
from table_core.messages.table.events import AnyTableEvent

AnyEvent = AnyHandEvent | AnyTableEvent


class At(Frozen, frozen=True):
    """A time: boot time in milliseconds, the boot it belongs to, and wall time as an annotation."""

    boot: Name
    ms: Millis
    wall: Name = ""  # ISO 8601, UTC; empty when unknown
    wall_unc_ms: Number = 0


class Envelope(Frozen, frozen=True):
    """The message on `…/event`.

    `prev` is the SHA-256 (hex) of the stored bytes of the previous event; `signature` (hex, Ed25519) is the
    writing ledger's, over the bytes before this field.
    """

    v: Number
    venue: Name
    table: Name
    epoch: Number
    seq: Number
    at: At
    prev: Name
    data: AnyEvent
    cause: Name = ""  # the observation or command that led to it
    by: Name = ""  # the person or screen that pressed, `Ann (floor)`; empty: not signed in
    signature: Text = ""


class UnreadEvent(Struct, frozen=True, gc=False):
    """An event of a chain whose content cannot be read: an earlier version wrote it. Its place in the chain is
    known, and what it changed is not."""

    venue: Name
    table: Name
    epoch: Number
    seq: Number
    prev: Name


StoredEvent = Envelope | UnreadEvent
