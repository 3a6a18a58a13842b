"""What goes into the station's node and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from feltwire.collected import Accepted
from feltwire.node_io import Arrived, BusDown, BusUp, Publish, Say, Show
from feltwire.station_charge import InCharge
from feltwire.station_store import ClockRecord
from table_core.messages import AnyTableCommand, HistoryWanted

# ------------------------------------------------------------------------------------------------- inputs


@dataclass(frozen=True, slots=True)
class Committed:
    """The ledger's answer to a `Commit`, its transaction being on the disk."""

    raw: bytes
    accepted: Accepted


@dataclass(frozen=True, slots=True)
class ChargeTaken:
    """The answer to `TakeCharge`, being on the disk."""

    table: str
    in_charge: InCharge


@dataclass(frozen=True, slots=True)
class NotRecorded:
    """The disk refused something: why, in words for the director. What was to be recorded is not."""

    why: str


@dataclass(frozen=True, slots=True)
class Directed:
    """A press of the director: `command` and its `arguments` as the page sends them. `id` answers it once."""

    id: str
    command: str
    arguments: dict[str, Any] = field(default_factory=dict)


Input = Arrived | BusUp | BusDown | Committed | ChargeTaken | NotRecorded | Directed

# ------------------------------------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class Commit:
    """Offer a table's event to the ledger; its answer comes back as `Committed`."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class TakeCharge:
    """Record that the machine with `ledger` is the table in `epoch`, behind the last event that the ledger has of
    it, or with a past of its own where it is the `first`; answered by `ChargeTaken`."""

    table: str
    ledger: str
    epoch: int
    first: bool = False


@dataclass(frozen=True, slots=True)
class SendHistory:
    """Send the next events of a table to the machine that takes it over, up to where its epoch begins."""

    table: str
    wanted: HistoryWanted
    upto: tuple[int, int]
    id: str


@dataclass(frozen=True, slots=True)
class SaveClock:
    record: ClockRecord


@dataclass(frozen=True, slots=True)
class SaveCommand:
    """A command of the director that must reach the table also if the station dies first."""

    table: str
    command: AnyTableCommand


@dataclass(frozen=True, slots=True)
class DropCommand:
    """The table answered it."""

    id: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to `Directed`: words for the director; where refused by a rule its id, and what was wrong."""

    id: str
    text: str
    refused: bool = False
    rule: str = ""
    about: str = ""  # a field of what was asked for


Effect = Commit | TakeCharge | SendHistory | Publish | Show | SaveClock | SaveCommand | DropCommand | Reply | Say
