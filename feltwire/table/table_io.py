"""Inputs and effects of a table's node."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from feltwire.ledger.chain import ChainEntry
from feltwire.ledger.table_ledger import NewEpoch, ObservationRecord
from feltwire.runtime.node_io import BusDown, BusUp, NodeInput, Publish, Quarantined, Reply, Say, ScreensSeen, Show
from firmware_bridge.reports import Report
from table_core.messages import (
    AnswerScreen,
    Beat,
    Chips,
    DeviceReadings,
    DeviceState,
    Envelope,
    Key,
    MachineReadings,
    Millis,
    SealedCard,
    Seat,
    Zone,
    ZoneReading,
)

# So many events go out at once; more follow as they are acknowledged. Some go out twice, where a table sends them
# and is asked for them too: all must fit into what the station reads ahead of one (`fair_queue.MOST_INPUTS`).
OUTBOX_PAGE = 200
EVENTS_PAGE = 500

RELAY = "the relay"  # as a source of inputs

# ---------------------------------------------------------------------------------------------- inputs


class ProcessStarted(NodeInput, frozen=True):
    """The first input of a process."""


class FrameCame(NodeInput, frozen=True):
    """A frame of a device that wants an acknowledgement.

    The vault takes a card's tag inside the step, once, when it is the frame's turn: cards go in in order.
    """

    device: str
    boot: int
    seq: int
    report: Report
    most: ClassVar[int] = 64  # no device has more of them under way

    @property
    def source(self) -> str:
        return f"the {self.device}"


class ZoneCame(NodeInput, frozen=True):
    """The camera's reading of one zone."""

    reading: ZoneReading
    source: ClassVar[str] = "the camera"
    most: ClassVar[int] = 10_000  # a reading is said once: while the disk is full they wait


class EyesLooked(NodeInput, frozen=True):
    """Every picture that the cameras took up to `until` was looked at, and said are its readings. In `unsettled`
    zones something moves, or the next pictures will say more. It is recorded nowhere."""

    until: Millis
    unsettled: frozenset[Zone] = frozenset()
    source: ClassVar[str] = ZoneCame.source  # behind its readings


class DeviceSaid(NodeInput, frozen=True):
    device: str
    state: DeviceState
    detail: str = ""

    @property
    def source(self) -> str:
        return f"{self.device}'s state"


class FramesLost(NodeInput, frozen=True):
    """A device reports lost frames: its queue overflowed, or it was switched off."""

    device: str
    count: int

    @property
    def source(self) -> str:
        return f"{self.device}'s state"


class HealthSeen(NodeInput, frozen=True):
    """How this machine and the devices are."""

    machine: MachineReadings
    devices: tuple[DeviceReadings, ...] = ()
    source: ClassVar[str] = "the table's health"


class Touched(NodeInput, frozen=True):
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


class RulingsAsked(NodeInput, frozen=True):
    """Somebody at the table's own screen wants to rule on something: what is likely, about the seat that was
    touched, or what the `words` name. It is answered with a `RulingChoices` in JSON and recorded nowhere."""

    seat: Seat | None = None
    words: str = ""
    id: str = ""
    source: ClassVar[str] = "the screen's questions"


class CommandCame(NodeInput, frozen=True):
    """`charge`: on the topic that the station alone may write, which says who is the table."""

    payload: bytes
    lease: bool = False
    source: str = "the station's commands"


class BeatCame(NodeInput, frozen=True):
    """The station's boot time, once a second."""

    beat: Beat
    source: ClassVar[str] = "the station's beats"


class StationAcked(NodeInput, frozen=True):
    epoch: int
    seq: int
    source: ClassVar[str] = "the station's acknowledgements"


class RelayAcked(NodeInput, frozen=True):
    epoch: int
    seq: int
    source: ClassVar[str] = RELAY


class RelayHasAll(NodeInput, frozen=True):
    """The answer to `SendSealedAgain`: the relay has acknowledged every box that was sealed `upto` then."""

    upto: int


class PageSent(NodeInput, frozen=True):
    """The answer to `SendOutbox` and `SendEvents` where more waits behind this event."""

    epoch: int
    seq: int


class LaterStation(NodeInput, frozen=True):
    """The station's messages are of a later version than this program reads: which, in words."""

    words: str
    source: ClassVar[str] = "the station's version"


TableInput = (
    ProcessStarted
    | FrameCame
    | ZoneCame
    | EyesLooked
    | DeviceSaid
    | FramesLost
    | HealthSeen
    | ScreensSeen
    | Touched
    | RulingsAsked
    | CommandCame
    | BeatCame
    | StationAcked
    | RelayAcked
    | RelayHasAll
    | PageSent
    | LaterStation
    | Quarantined
    | BusUp
    | BusDown
)

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
    """Report this machine and the end of its ledger. `answers`: who asked for it; `question`: its name, where it
    asks who is the table."""

    answers: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class LeaveBus:
    """Leave the table's name on the broker to the leaseholder, which is connected."""


@dataclass(frozen=True, slots=True)
class SendOutbox:
    """Send what the station and the relay have not acknowledged: `OUTBOX_PAGE` of each. `PageSent` says where more
    events wait."""


@dataclass(frozen=True, slots=True)
class SendSealed:
    """Send the `count` boxes of the last commit; boxes that the relay missed go out with the outbox."""

    count: int


@dataclass(frozen=True, slots=True)
class SendSealedAgain:
    """Send the oldest boxes that the relay has not acknowledged. Where there are none, `RelayHasAll` answers with
    this `upto`."""

    upto: int


@dataclass(frozen=True, slots=True)
class SendEvents:
    """Send the events from `from_seq` of `epoch` on: `OUTBOX_PAGE` of them, and `PageSent` says where more wait.
    The relay acknowledges none: it gets `EVENTS_PAGE` of them, and asks again."""

    epoch: int
    from_seq: int
    to_relay: bool = False


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
class SendPicture:
    """Send the camera's newest picture of what everybody may see. `answers`: who asked for it."""

    answers: str


@dataclass(frozen=True, slots=True)
class KeypadLights:
    """What the keypad shows. `turn`: the seat to act. `asks`: a question waits for an answer. `refused`: the press
    was refused, `again`: it counted as the one before it once more; both are shown once."""

    turn: Seat | None = None
    asks: bool = False
    refused: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class SendClip:
    """Send the clip, up to now. `answers`: the command that opened it, which is recorded; `why` it was refused."""

    answers: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ScreenAnswered:
    """The director's answer to a browser that asks, or the end of one that was let in."""

    answer: AnswerScreen


@dataclass(frozen=True, slots=True)
class ShowLights:
    lights: KeypadLights


Effect = (
    Commit
    | ForgetHand
    | AckFrame
    | Publish
    | SayBirth
    | LeaveBus
    | SendOutbox
    | SendSealed
    | SendSealedAgain
    | SendEvents
    | ClearOutbox
    | Show
    | Say
    | Interpretation
    | ShowLights
    | SendPicture
    | SendClip
    | ScreenAnswered
    | Reply
)
