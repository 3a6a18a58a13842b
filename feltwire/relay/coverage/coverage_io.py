"""Inputs and effects of the coverage's node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from msgspec import field

from feltwire.relay.coverage.desk import Kept
from feltwire.runtime.node_io import Arrived, NodeInput, Publish, Quarantined, Reply, Say
from table_core.coverage import CoverageDesk, CoverageView
from table_core.messages import CardText, Millis, Seat

# ------------------------------------------------------------------------------------------------- inputs


class HandReleased(NodeInput, frozen=True):
    """The relay has released hole cards of the hand that began with this event of the table."""

    table: str
    lineage: str
    began: tuple[int, int]
    cards: dict[Seat, tuple[CardText, ...]]


class WaitSeen(NodeInput, frozen=True):
    """How far what is on air lies back from now on; None: nothing is on air. `cut`: the producer took everything
    off."""

    air_ms: Millis | None
    cut: bool = False


class DeskPressed(NodeInput, frozen=True):
    """What somebody at the coverage's desk wants: `edit`, `hold`, `out`, `pin`, `unpin`, `remove` a line, `write`
    one, or set the `mode`. It is answered by a `Reply` with its `id`, and not carried out after `until`."""

    id: str
    until: Millis
    by: str
    command: str
    line: str = ""
    text: dict[str, str] = field(default_factory=dict)
    source: ClassVar[str] = "the coverage's desk"


# ------------------------------------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class KeepLine:
    """Store a line."""

    line: Kept


@dataclass(frozen=True, slots=True)
class KeepHeard:
    """Store what has to be known after a restart: the station's `field`, the `mode`."""

    what: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class ShowCoverage:
    """The pages from now on. `view` is None where only the desk's is another one."""

    view: CoverageView | None
    desk: CoverageDesk


@dataclass(frozen=True, slots=True)
class NoteAct:
    """For the audit: who did what."""

    by: str
    what: str
    text: str


Input = Arrived | Quarantined | HandReleased | WaitSeen | DeskPressed
Effect = KeepLine | KeepHeard | ShowCoverage | NoteAct | Publish | Reply | Say
