"""Inputs and effects of the relay's node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from feltwire.relay.hand import HandRecord
from feltwire.relay.on_air.past import Past
from feltwire.relay.on_air.players import Listed
from feltwire.relay.on_air.timeline import ReleasedHand
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, NodeInput, Publish, Quarantined, Say, Show
from table_core.commitment import Opening
from table_core.messages import Ack, Leaseholder, Millis, SealedCard

# ------------------------------------------------------------------------------------------------- inputs


class Opened(NodeInput, frozen=True):
    """The answer to `OpenHand`: every box of the hand that the relay's key opened; with `again` none, because a
    hand of this number was released before."""

    table: str
    epoch: int
    hand: int
    openings: tuple[Opening, ...]
    again: bool = False


class HandKey(NamedTuple):
    """A released hand. `lineage` tells hands of the same number in two tournaments apart."""

    table: str
    lineage: str
    hand: int
    attempt: int


class HandHeld(NodeInput, frozen=True):
    """The answer to `ShowHand` where everything is cut."""

    hand: HandKey
    ended_at: Millis


class AirDelaySeen(NodeInput, frozen=True):
    """The air delay that somebody wants from now on, as it stands in its file; empty: that of the settings."""

    text: str


class PlayersListed(NodeInput, frozen=True):
    """The producer's list of players as it stands now."""

    listed: dict[str, Listed]


# ------------------------------------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class KeepBox:
    """Store a sealed card; it is acknowledged afterwards."""

    table: str
    card: SealedCard


@dataclass(frozen=True, slots=True)
class AckSealed:
    """Tell the table that its sealed cards up to this one are on the disk."""

    table: str
    ack: Ack


@dataclass(frozen=True, slots=True)
class KeepEvent:
    """Store an event of `hand`, so that a restart can still release the hand."""

    table: str
    hand: int
    raw: bytes


class SealedUpto(NamedTuple):
    """The last hand number of a table whose folded hands stay sealed whatever is set later, and the last of which
    nothing goes out."""

    folds: int = 0
    hands: int = 0


@dataclass(frozen=True, slots=True)
class KeepSealedUpto:
    """Store what stays sealed in the table's chain of ledgers."""

    table: str
    lineage: str
    upto: SealedUpto


@dataclass(frozen=True, slots=True)
class KeepFollowed:
    """Store that the table is followed under the present delay: which hand began before is on record."""

    table: str


@dataclass(frozen=True, slots=True)
class KeepLeaseholder:
    """Store the leaseholder that the station named."""

    table: str
    leaseholder: Leaseholder


@dataclass(frozen=True, slots=True)
class KeepPast:
    """Keep what was shown, so that a restart goes on with it."""

    past: Past


@dataclass(frozen=True, slots=True)
class DropHand:
    """Delete the events and boxes of a hand that is released or never will be. Its commitments open nothing
    from now on."""

    table: str
    epoch: int
    hand: int
    promises: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DropStale:
    """Delete boxes of hands before this one: they are released, or were never followed."""

    table: str
    epoch: int
    hand: int


@dataclass(frozen=True, slots=True)
class OpenHand:
    """Open the boxes of a hand, once; the answer is `Opened`. `lineage` tells hands of the same number in two
    tournaments apart."""

    table: str
    epoch: int
    hand: int
    attempt: int
    lineage: str


@dataclass(frozen=True, slots=True)
class SignRelease:
    """Sign these cards into the releases log, and record that the hand was released."""

    table: str
    hand: int
    attempt: int
    lineage: str
    openings: tuple[Opening, ...]
    told: tuple[HandRecord, ReleasedHand] | None = None  # what its page is told from


@dataclass(frozen=True, slots=True)
class ShowHand:
    """Show the page of a released hand, which ended at this boot time; `HandHeld` where everything is cut."""

    hand: HandKey
    ended_at: Millis


Input = Arrived | Quarantined | BusUp | BusDown | Opened | AirDelaySeen | HandHeld | PlayersListed
Effect = (
    KeepBox
    | AckSealed
    | KeepLeaseholder
    | KeepEvent
    | KeepSealedUpto
    | KeepFollowed
    | KeepPast
    | DropHand
    | DropStale
    | OpenHand
    | SignRelease
    | ShowHand
    | Publish
    | Show
    | Say
)
