"""Inputs and effects of the station's node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec import field

from feltwire.ledger.room_ledger import Accepted
from feltwire.runtime.backup_status import BackupStatus
from feltwire.runtime.node_io import (
    Arrived,
    BusDown,
    BusUp,
    NodeInput,
    Publish,
    Quarantined,
    Reply,
    Say,
    ScreensSeen,
    Show,
)
from feltwire.runtime.plugged import GivenDevices, PluggedHere
from feltwire.station.queue.exception_queue import QueueRecord
from feltwire.station.station_store import ClockRecord, Restored
from feltwire.station.tournament.kept import Kept
from table_core.messages import (
    AnyTableCommand,
    ClipPart,
    HistoryWanted,
    Leaseholder,
    MachineReadings,
    Millis,
    PastEpoch,
    RoomLook,
    ScreenAnswer,
    UpgradeOrder,
)
from table_core.tournament.events import OnFile
from table_core.tournament.money.league import EventResult
from table_core.tournament.money.played import PlayedEvent
from table_core.tournament.night import Recorded

# ------------------------------------------------------------------------------------------------- inputs


class Committed(NodeInput, frozen=True):
    """The ledger's answer to a `CommitEvent`, its transaction being on the disk. `more`: a later event of the same
    table is on it, too, and acknowledges this one."""

    raw: bytes
    accepted: Accepted
    more: bool = False


class LeaseGranted(NodeInput, frozen=True):
    """The answer to `GrantLease`, being on the disk."""

    table: str
    leaseholder: Leaseholder


class NotRecorded(NodeInput, frozen=True):
    """The disk refused a record: why, in words for the director."""

    why: str


class DiskWasSlow(NodeInput, frozen=True):
    """The disk took `seconds` to record something."""

    seconds: float


class MachineSeen(NodeInput, frozen=True):
    """How the station's own machine is."""

    machine: MachineReadings
    source: ClassVar[str] = "the station's machine"


class BackupSeen(NodeInput, frozen=True):
    """What became of the last backup of the station's records; None: none was ever tried."""

    status: BackupStatus | None
    source: ClassVar[str] = "the station's backup"


class PluggedSeen(NodeInput, frozen=True):
    """What is plugged into this machine."""

    here: PluggedHere
    source: ClassVar[str] = "the devices of this machine"


class ReleaseSeen(NodeInput, frozen=True):
    """The release that lies at the station for the room: where machines fetch it, its `size` in bytes, its hash.
    `why` it is none, in words; all of it empty where none lies there."""

    version: str = ""
    size: int = 0
    sha256: str = ""
    url: str = ""
    why: str = ""
    source: ClassVar[str] = "the release at the station"


class UpgradeSeen(NodeInput, frozen=True):
    """How far a release for the station's own machine is, in words; empty where none is on its way."""

    words: str
    source: ClassVar[str] = "the release for the station"


class RecordsCommitted(NodeInput, frozen=True):
    """The answer to `CommitRecords`, being on the disk."""


class RecordsRefused(NodeInput, frozen=True):
    """The disk refused a `CommitRecords`, and has nothing of it: why, in words for the director."""

    why: str


class Directed(NodeInput, frozen=True):
    """A press of the director: `command` and its `arguments` as the page sends them. `id` answers it once; after
    `until` it is refused. `proven` is the effect that a PIN was given for (`director/proof.py`), empty where none
    was; None: this person is asked for none."""

    id: str
    command: str
    arguments: dict[str, Any] = field(default_factory=dict)
    by: str = ""  # who is signed in where it was pressed
    until: Millis | None = None
    proven: str | None = None
    source: ClassVar[str] = "the pages"


class PictureGiven(NodeInput, frozen=True):
    """A picture for the venue's screens, `slot` `logo` or `sponsor`, as the station coded it; a `Reply` answers
    `id`."""

    id: str
    slot: str
    picture: bytes
    by: str = ""
    source: ClassVar[str] = "the pages"


class PlayerAsked(NodeInput, frozen=True):
    """A phone asks to be let in under a `name`: it shows `digits`, and its earlier request `before` ends.

    A `Reply` answers `id`, and `LetPlayerIn` the `request`."""

    id: str
    request: str
    name: str
    digits: str
    before: str = ""
    source: ClassVar[str] = "the players' phones"


class PlayerCalled(NodeInput, frozen=True):
    """A player, proven by the code of the seat slip or by the desk, calls the floor; a `Reply` answers `id`."""

    id: str
    player: str
    source: ClassVar[str] = "the players' phones"


class SheetWanted(NodeInput, frozen=True):
    """Somebody reads a sheet of the tournament by its name (`sheets.SHEETS`); `SheetMade` answers `id`."""

    id: str
    name: str
    source: ClassVar[str] = "the pages"


class PublicPageSeen(NodeInput, frozen=True):
    """What became of the newest public page: `why` it is not where people read it, in words; empty: it is."""

    why: str = ""
    source: ClassVar[str] = "the public page"


Input = (
    Arrived
    | Quarantined
    | BusUp
    | BusDown
    | Committed
    | LeaseGranted
    | MachineSeen
    | BackupSeen
    | PluggedSeen
    | ReleaseSeen
    | UpgradeSeen
    | NotRecorded
    | DiskWasSlow
    | RecordsCommitted
    | RecordsRefused
    | Directed
    | PictureGiven
    | SheetWanted
    | PlayerAsked
    | PlayerCalled
    | ScreensSeen
    | PublicPageSeen
)

# ------------------------------------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class CommitEvent:
    """Offer a table's event to the ledger; its answer comes back as `Committed`."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class GrantLease:
    """Record that the machine with `ledger` and `key` is the table in `epoch`. The first one brings its `past`;
    otherwise (None) the epoch begins behind the last event that is committed. Answered by `LeaseGranted`."""

    table: str
    ledger: str
    key: str
    epoch: int
    past: tuple[PastEpoch, ...] | None = None


@dataclass(frozen=True, slots=True)
class SendHistory:
    """Send the next events of a table to the machine that takes it over, up to the start of its epoch."""

    table: str
    wanted: HistoryWanted
    upto: tuple[int, int]
    id: str


@dataclass(frozen=True, slots=True)
class AnswerPhone:
    """The answer of the director `by` to a phone that asks at the station itself."""

    screen: str
    answer: ScreenAnswer
    by: str


@dataclass(frozen=True, slots=True)
class UpgradeStation:
    """The order is for the station's own machine."""

    order: UpgradeOrder


@dataclass(frozen=True, slots=True)
class ClipAsked:
    """The director `by` opens the clip of a table; its parts come as the answer to `opening`."""

    table: str
    opening: str
    by: str


@dataclass(frozen=True, slots=True)
class ClipCame:
    """A part of the clip that was asked for, signed by the table."""

    table: str
    part: ClipPart


@dataclass(frozen=True, slots=True)
class CloseClip:
    table: str


@dataclass(frozen=True, slots=True)
class SaveClock:
    record: ClockRecord


@dataclass(frozen=True, slots=True)
class SaveQueue:
    record: QueueRecord


@dataclass(frozen=True, slots=True)
class SaveRestored:
    restored: tuple[Restored, ...]


@dataclass(frozen=True, slots=True)
class SaveWrites:
    """From now on the room writes this version of the messages."""

    version: int


@dataclass(frozen=True, slots=True)
class CommitRecords:
    """Record what a command of the tournament did: all or nothing. Answered by `RecordsCommitted` or
    `RecordsRefused`."""

    records: tuple[Recorded, ...]


@dataclass(frozen=True, slots=True)
class CloseEvent:
    """Put the records of the tournament aside and go on as a station without one: `clock` is its clock then,
    `last` what the next event may begin with, as JSON. Commands under way are forgotten."""

    day: str
    clock: ClockRecord
    last: bytes


@dataclass(frozen=True, slots=True)
class SavePlayer:
    """Keep the name of a player, the birthday where it is known, and what the public reads where the player chose
    that; an empty name: delete all."""

    player: str
    name: str
    born: str = ""
    shown: str = ""


@dataclass(frozen=True, slots=True)
class KeepApart:
    """Keep that two players are two people, whatever their names."""

    one: str
    other: str


@dataclass(frozen=True, slots=True)
class FilePenalties:
    """Keep the penalties of an event for later ones; suspensions of earlier days are served on its `day`."""

    event: str
    day: str
    penalties: tuple[OnFile, ...]


@dataclass(frozen=True, slots=True)
class KeepSeason:
    """The league's season is these results."""

    results: tuple[EventResult, ...]


@dataclass(frozen=True, slots=True)
class KeepEvents:
    """What the station keeps from one event to the next."""

    kept: Kept


@dataclass(frozen=True, slots=True)
class KeepPlayed:
    """The events that were played here are these."""

    played: tuple[PlayedEvent, ...]


@dataclass(frozen=True, slots=True)
class SavePoints:
    """The league's points follow this formula; empty: the book's."""

    formula: str


@dataclass(frozen=True, slots=True)
class KeepDevices:
    """Which table has which device of this machine."""

    given: GivenDevices


@dataclass(frozen=True, slots=True)
class KeepLook:
    """The look of the venue's screens is this."""

    look: RoomLook


@dataclass(frozen=True, slots=True)
class ShowLook:
    """The pages of this process have this look."""

    look: RoomLook


@dataclass(frozen=True, slots=True)
class SheetMade:
    """Answers a `SheetWanted`: the sheet as JSON, empty for a name that there is not; `why` it cannot be shown."""

    id: str
    sheet: bytes = b""
    why: str = ""


@dataclass(frozen=True, slots=True)
class LetPlayerIn:
    """What `by` decided about a phone's `request`: it is this player's; empty: it is not let in."""

    request: str
    player: str
    by: str


@dataclass(frozen=True, slots=True)
class PublicPageMade:
    """What the public page says from now on (`public_page/contents.py`): at `wall` time, `live` while a tournament
    is on. Answered by `PublicPageSeen` once it is where people read it, or why it is not."""

    wall: Millis
    live: bool
    contents: dict[str, Any]
    look: RoomLook


@dataclass(frozen=True, slots=True)
class SaveCommand:
    """Keep a director's command that must reach the table even if the station is killed first."""

    table: str
    command: AnyTableCommand


@dataclass(frozen=True, slots=True)
class DropCommand:
    """Delete a command that the table has answered."""

    id: str


Save = (
    SaveClock
    | SaveQueue
    | SaveRestored
    | SaveWrites
    | SaveCommand
    | DropCommand
    | SavePlayer
    | KeepApart
    | FilePenalties
    | KeepSeason
    | KeepEvents
    | KeepPlayed
    | SavePoints
    | KeepDevices
    | KeepLook
)
Effect = (
    CommitEvent
    | GrantLease
    | SendHistory
    | Publish
    | Show
    | SaveClock
    | SaveQueue
    | SaveRestored
    | SaveWrites
    | AnswerPhone
    | LetPlayerIn
    | UpgradeStation
    | ClipAsked
    | ClipCame
    | CloseClip
    | CommitRecords
    | CloseEvent
    | SavePlayer
    | KeepApart
    | FilePenalties
    | KeepSeason
    | KeepEvents
    | KeepPlayed
    | SavePoints
    | KeepDevices
    | KeepLook
    | ShowLook
    | SaveCommand
    | DropCommand
    | SheetMade
    | PublicPageMade
    | Reply
    | Say
)
