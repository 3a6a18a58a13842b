"""Inputs and effects of a table's node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from feltwire.ledger.chain import ChainEntry
from feltwire.ledger.table_ledger import NewEpoch, ObservationRecord
from feltwire.runtime.node_io import Publish, Reply, Say, Show
from table_core.messages import (
    AnyObservation,
    Beat,
    Chips,
    DeviceState,
    Envelope,
    Key,
    Millis,
    Origin,
    SealedCard,
    Seat,
    ZoneReading,
)

# ---------------------------------------------------------------------------------------------- inputs


@dataclass(frozen=True, slots=True)
class ProcessStarted:
    """The first input of a process."""


@dataclass(frozen=True, slots=True)
class FrameCame:
    """A frame of a device that wants an acknowledgement.

    `read` turns it into an observation, with boxes for the commit that records it, or says why it cannot
    (`ValueError`). It runs inside the step, once, when it is the frame's turn: the vault takes cards in order.
    """

    device: str
    boot: int
    seq: int
    read: Callable[[Origin], tuple[AnyObservation, tuple[bytes, ...]]]
    most: ClassVar[int] = 64  # no device has more of them under way

    @property
    def source(self) -> str:
        return f"the {self.device}"


@dataclass(frozen=True, slots=True)
class ZoneCame:
    """The camera's reading of one zone."""

    reading: ZoneReading
    source: ClassVar[str] = "the camera"
    most: ClassVar[int] = 10_000  # a reading is said once: while the disk is full they wait


@dataclass(frozen=True, slots=True)
class DeviceSaid:
    device: str
    state: DeviceState
    detail: str = ""

    @property
    def source(self) -> str:
        return f"{self.device}'s state"


@dataclass(frozen=True, slots=True)
class FramesLost:
    """A device reports lost frames: its queue overflowed, or it was switched off."""

    device: str
    count: int

    @property
    def source(self) -> str:
        return f"{self.device}'s state"


@dataclass(frozen=True, slots=True)
class Touched:
    """A touch on the table's own screen. With an `id` it is answered; after `until` it is refused."""

    key: Key
    seat: Seat | None = None
    amount: Chips | None = None
    question: int | None = None
    reason: str = ""
    by: str = ""  # who is signed in on that screen
    id: str = ""
    until: Millis | None = None
    source: ClassVar[str] = "the screen"


@dataclass(frozen=True, slots=True)
class CommandCame:
    """`charge`: on the topic that the station alone may write, which says who is the table."""

    payload: bytes
    lease: bool = False
    source: str = "the station's commands"


@dataclass(frozen=True, slots=True)
class BeatCame:
    """The station's boot time, once a second."""

    beat: Beat
    source: ClassVar[str] = "the station's beats"


@dataclass(frozen=True, slots=True)
class StationAcked:
    epoch: int
    seq: int
    source: ClassVar[str] = "the station's acknowledgements"


@dataclass(frozen=True, slots=True)
class RelayAcked:
    epoch: int
    seq: int
    source: ClassVar[str] = "the relay"


# --------------------------------------------------------------------------------------------- effects


@dataclass(slots=True)
class Commit:
    """One transaction. `entries` are its events, as they are stored and go to the bus."""

    entries: list[ChainEntry] = field(default_factory=list)
    observations: list[ObservationRecord] = field(default_factory=list)
    sealed: list[SealedCard] = field(default_factory=list)
    boxes: list[bytes] = field(default_factory=list)
    drop_boxes: bool = False
    new_epoch: NewEpoch | None = None
    notes: dict[str, bytes] = field(default_factory=dict)

    @property
    def envelopes(self) -> list[Envelope]:
        return [entry.envelope for entry in self.entries]


@dataclass(frozen=True, slots=True)
class ForgetHand:
    """Destroy the recovery keys of earlier hands: the new hand is on the disk."""


@dataclass(frozen=True, slots=True)
class AckFrame:
    device: str
    boot: int
    seq: int


@dataclass(frozen=True, slots=True)
class SayBirth:
    """Report this machine and the end of its ledger. `answers`: who asked for it."""

    answers: str = ""


@dataclass(frozen=True, slots=True)
class LeaveBus:
    """Leave the table's name on the broker to the leaseholder, which is connected."""


@dataclass(frozen=True, slots=True)
class SendOutbox:
    """Send what the station and the relay have not acknowledged."""


@dataclass(frozen=True, slots=True)
class SendSealed:
    """Send the `count` boxes of the last commit; boxes that the relay missed go out with the outbox."""

    count: int


@dataclass(frozen=True, slots=True)
class SendEvents:
    """Send every event from `from_seq` of `epoch` on."""

    epoch: int
    from_seq: int


@dataclass(frozen=True, slots=True)
class ClearOutbox:
    epoch: int
    seq: int
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What an observation led to, for the page *as it is sensed*."""

    device: str
    cause: str
    text: str


@dataclass(frozen=True, slots=True)
class LightSeat:
    seat: Seat | None


Effect = (
    Commit
    | ForgetHand
    | AckFrame
    | Publish
    | SayBirth
    | LeaveBus
    | SendOutbox
    | SendSealed
    | SendEvents
    | ClearOutbox
    | Show
    | Say
    | Interpretation
    | LightSeat
    | Reply
)
