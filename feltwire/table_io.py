"""What goes into a table's node and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from feltwire.ledger import NewEpoch, ObservationRecord
from feltwire.node_io import Publish, Show
from table_core.messages import (
    AnyObservation,
    Beat,
    CardText,
    Chips,
    DeviceState,
    Envelope,
    Key,
    Origin,
    SealedCard,
    Seat,
)

# ---------------------------------------------------------------------------------------------- inputs


@dataclass(frozen=True, slots=True)
class Opening:
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


@dataclass(frozen=True, slots=True)
class ZoneCame:
    """The camera's reading of one zone."""

    zone: str
    cards: tuple[CardText, ...] = ()
    unread: int = 0
    face_down: int = 0
    chips: Chips | None = None
    pieces: int | None = None
    motions: int = 0
    odd: str = ""
    button: bool = False


@dataclass(frozen=True, slots=True)
class DeviceSaid:
    device: str
    state: DeviceState
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Touched:
    key: Key
    seat: Seat | None = None
    amount: Chips | None = None
    question: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CommandCame:
    raw: bytes


@dataclass(frozen=True, slots=True)
class BeatCame:
    """The station's boot time, once a second."""

    beat: Beat


@dataclass(frozen=True, slots=True)
class StationAcked:
    epoch: int
    seq: int


@dataclass(frozen=True, slots=True)
class RelayAcked:
    epoch: int
    seq: int


# --------------------------------------------------------------------------------------------- effects


@dataclass(slots=True)
class Commit:
    """One transaction. `told` are the stored bytes of its events, for the bus."""

    envelopes: list[Envelope] = field(default_factory=list)
    told: list[bytes] = field(default_factory=list)
    observations: list[ObservationRecord] = field(default_factory=list)
    sealed: list[SealedCard] = field(default_factory=list)
    boxes: list[bytes] = field(default_factory=list)
    drop_boxes: bool = False
    new_epoch: NewEpoch | None = None
    notes: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ForgetHand:
    """The recovery keys of earlier hands are destroyed: a new hand is on the disk."""


@dataclass(frozen=True, slots=True)
class AckFrame:
    device: str
    boot: int
    seq: int


@dataclass(frozen=True, slots=True)
class SayBirth:
    """Say that this machine is on the network: how far it is, and which one."""


@dataclass(frozen=True, slots=True)
class LeaveBus:
    """Another machine is this table, and there: leave its name on the broker to it."""


@dataclass(frozen=True, slots=True)
class SendOutbox:
    """Send what the station and the relay have not acknowledged."""


@dataclass(frozen=True, slots=True)
class SendSealed:
    """Send the `count` boxes of the last commit; what the relay missed goes out with the outbox."""

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
class Became:
    """What an observation became, for the page that shows how the table senses."""

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
    | Became
    | LightSeat
)
