"""The table's last events as lines for the director, each with its source."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from table_core.messages import (
    Acted,
    Answered,
    AnyEvent,
    AwaySet,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    CardDealt,
    Chips,
    ClockFollowed,
    Counted,
    Envelope,
    FactKind,
    FactView,
    HandEnded,
    HandsBeaten,
    HandTabled,
    LevelBegan,
    Noticed,
    Posted,
    PotAwarded,
    Refused,
    Rewound,
    Ruled,
    ScheduleSet,
    SeatsChanged,
    SeatsSet,
    Source,
    TableHistory,
)
from table_core.projections.words import describe

KEPT = 80
_WORDS = {
    Source.KEY: "key",
    Source.SHOE: "shoe",
    Source.CAMERA: "camera",
    Source.SCREEN: "screen",
    Source.DIRECTOR: "director",
    Source.ENGINE: "follows from the rules",
    Source.ASSUMED: "assumed",
}
_DEVICES = {"keypad": "keypad", "screen": "screen touch", "camera": "camera", "shoe": "shoe", "command": "station"}
_FOLLOWS = (BettingClosed, BetReturned, HandsBeaten, HandEnded)
_LEFT_OUT = (CardDealt, ScheduleSet, ClockFollowed)


def device_of(cause: str) -> str:
    """`keypad/1/5` in words; empty for what no device and no person led to."""
    return _DEVICES.get(cause.partition("/")[0], "")


def source_of(event: AnyEvent, cause: str) -> tuple[str, bool]:
    """Which device or person said it, and whether it is inferred."""
    device = device_of(cause)
    match event:
        case Acted(source=Source.ASSUMED):
            return "filled in, nobody keyed it", True
        case Acted(source=Source.CAMERA):
            return "camera saw it, not keyed", True
        case Acted(source=Source.KEY):
            return f"{device or 'key'}, declared", False
        case Posted(source=Source.ASSUMED):
            return "assumed posted as due", True
        case PotAwarded(why="dealer"):
            return device or "dealer", False
        case PotAwarded():
            return "computed, not confirmed", True
        case BoardDealt() | BoardRead() | HandTabled():
            return _several(event.sources), tuple(event.sources) == (Source.ASSUMED,)
        case Noticed() | Answered() | Refused() | Rewound():
            return device or "the table", False
        case _ if isinstance(event, _FOLLOWS):
            return _WORDS[Source.ENGINE], False
    source = getattr(event, "source", None)
    if source is Source.KEY:
        return device or _WORDS[source], False
    if source is None:
        return device or "the table", False
    return _WORDS[source], source is Source.ASSUMED


def _several(sources: Sequence[Source]) -> str:
    return " and ".join(_WORDS[source] for source in sources) or "not said"


def _kind(event: AnyEvent) -> FactKind:
    match event:
        case Acted():
            return FactKind.ACTION
        case PotAwarded():
            return FactKind.AWARD
        case Ruled():
            return FactKind.RULING
        case Refused():
            return FactKind.REFUSED
        case Noticed():
            return FactKind.NOTICE
        case SeatsSet() | SeatsChanged() | Counted() | AwaySet() | LevelBegan():
            return FactKind.TABLE
    return FactKind.HAND


def _amount(event: AnyEvent) -> Chips | None:
    match event:
        case Acted():
            return event.to
        case Counted():
            return event.stack
    return None


@dataclass(slots=True)
class HistoryCollector:
    """The last lines of a table. `apply` every envelope in order."""

    facts: deque[FactView] = field(default_factory=lambda: deque(maxlen=KEPT))
    epoch: int = 0
    cut: dict[int, frozenset[int]] = field(default_factory=dict)  # by the number of the `Rewound`

    def apply(self, envelope: Envelope, hand: int) -> None:
        event = envelope.data
        if envelope.epoch != self.epoch:  # numbers begin anew: those of before lead nowhere
            self.epoch = envelope.epoch
            self.facts, self.cut = deque((replace(fact, seq=0) for fact in self.facts), maxlen=KEPT), {}
        if isinstance(event, Rewound):
            self._take_back(frozenset(event.cut), envelope)
        words = "" if isinstance(event, _LEFT_OUT) else describe(event)
        if not words:
            return
        source, inferred = source_of(event, envelope.cause)
        self.facts.append(
            FactView(
                envelope.seq,
                _kind(event),
                words,
                source,
                hand,
                envelope.at.wall,
                inferred,
                envelope.by or getattr(event, "ruler", ""),
                getattr(event, "rule", ""),
                seat=getattr(event, "seat", None),
                action=event.action if isinstance(event, Acted) else None,
                amount=_amount(event),
            )
        )

    def _take_back(self, cut: frozenset[int], envelope: Envelope) -> None:
        """A ruling takes back as well as UNDO. Where what it took back is taken back, that counts again."""
        again = {seq for one in cut for seq in self.cut.pop(one, ())} - cut
        self.cut[envelope.seq] = cut
        self.facts = deque(
            (replace(fact, taken_back="") if fact.seq in again else fact for fact in self.facts), maxlen=KEPT
        )
        who = envelope.by or device_of(envelope.cause) or "the table"
        self.facts = deque(
            (replace(fact, taken_back=who) if fact.seq in cut else fact for fact in self.facts), maxlen=KEPT
        )

    def view(self, table: str, points: Container[int]) -> TableHistory:
        """`points`: the facts that the hand can be taken back to."""
        facts = (replace(fact, can_go_back=True) if fact.seq in points else fact for fact in self.facts)
        return TableHistory(table, tuple(facts))
