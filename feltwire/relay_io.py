"""What goes into the relay's node and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass

from feltwire.node_io import Arrived, BusDown, BusUp, Publish, Say, Show
from table_core.commitment import Opening
from table_core.messages import Ack, SealedCard

# ------------------------------------------------------------------------------------------------- inputs


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer to `OpenHand`: every box of that hand that the relay's key opened."""

    table: str
    hand: int
    openings: tuple[Opening, ...]


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
class ForgetEvents:
    """This hand needs no more following: released, or never to be."""

    table: str
    hand: int


@dataclass(frozen=True, slots=True)
class OpenHand:
    """Open the boxes of a hand; answer with `Opened`."""

    table: str
    hand: int


@dataclass(frozen=True, slots=True)
class Release:
    """Sign these cards into the releases log."""

    table: str
    hand: int
    openings: tuple[Opening, ...]


Input = Arrived | BusUp | BusDown | Opened
Effect = KeepBox | AckSealed | KeepEvent | ForgetEvents | OpenHand | Release | Publish | Show | Say
