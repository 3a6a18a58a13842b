"""What goes into the relay's node and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass

from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Quarantined, Say, Show
from table_core.commitment import Opening
from table_core.messages import Ack, Leaseholder, SealedCard

# ------------------------------------------------------------------------------------------------- inputs


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer to `OpenHand`: every box of that hand that the relay's key opened; with `again` none, for a hand
    of this number was released before."""

    table: str
    epoch: int
    hand: int
    openings: tuple[Opening, ...]
    again: bool = False


# ------------------------------------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class KeepBox:
    """Put a sealed card on the disk; its acknowledgement comes after it."""

    table: str
    card: SealedCard


@dataclass(frozen=True, slots=True)
class AckSealed:
    """Tell the table that its sealed cards up to here are on the disk."""

    table: str
    ack: Ack


@dataclass(frozen=True, slots=True)
class KeepEvent:
    """Put an event of `hand` on the disk, so that a restart can still release that hand."""

    table: str
    hand: int
    raw: bytes


@dataclass(frozen=True, slots=True)
class KeepLeaseholder:
    """Remember who is the table, as the station said."""

    table: str
    leaseholder: Leaseholder


@dataclass(frozen=True, slots=True)
class DropHand:
    """This hand is released or never will be: its events and boxes are deleted, and its promises (commitments)
    open nothing any more."""

    table: str
    epoch: int
    hand: int
    promises: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DropStale:
    """Boxes of hands before this one are deleted: they are settled, or were never followed."""

    table: str
    epoch: int
    hand: int


@dataclass(frozen=True, slots=True)
class OpenHand:
    """Open the boxes of a hand, once; answer with `Opened`. `lineage` tells tonight's hand 7 from tomorrow's."""

    table: str
    epoch: int
    hand: int
    attempt: int
    lineage: str


@dataclass(frozen=True, slots=True)
class SignRelease:
    """Sign these cards into the releases log, and remember that this hand was released."""

    table: str
    hand: int
    attempt: int
    lineage: str
    openings: tuple[Opening, ...]


Input = Arrived | Quarantined | BusUp | BusDown | Opened
Effect = (
    KeepBox
    | AckSealed
    | KeepLeaseholder
    | KeepEvent
    | DropHand
    | DropStale
    | OpenHand
    | SignRelease
    | Publish
    | Show
    | Say
)
