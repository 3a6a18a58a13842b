"""What a watcher says of a zone: the values alone, for programs that load no camera."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from table_core.messages import FOR_CHIPS, Zone, ZoneKind, ZoneReading

if TYPE_CHECKING:
    from vision.cards import Corners

JOKER = "joker"


class Condition(StrEnum):
    """How well a zone can be seen now. Glare and blur are told only where they keep something from being read."""

    CLEAR = "clear"
    MOVING = "moving"
    HIDDEN = "hidden"  # covered by a hand, a sleeve, a cloth: the last reading is kept
    GLARE = "glare"
    BLURRED = "blurred"


class Kind(StrEnum):
    READ = "read"
    UNREAD = "unread"
    JOKER = "joker"
    FACE_DOWN = "face_down"
    BUTTON = "button"


@dataclass(frozen=True)
class Annotation:
    """Something seen, for a person to look at: four corners in pixels of the whole picture, and what it is.

    `text` is the card's name, or why it was not read; empty for a card that lies face down and for the button.
    `identity` is the same for one card for as long as it lies there; 0 for what was never read.
    """

    corners: Corners
    kind: Kind
    text: str
    identity: int = 0


@dataclass(frozen=True)
class WatchedZone:
    """The reading of a zone, and what only its picture needs.

    `thing` is True when something that is no card lies in a zone for chips or the button.
    """

    reading: ZoneReading
    thing: bool = False
    boxes: tuple[Annotation, ...] = field(default=(), compare=False)


def is_for_things(zone: Zone) -> bool:
    """Zones for chips and the button: what is no card there hides nothing."""
    return zone.kind in FOR_CHIPS or zone.kind is ZoneKind.BUTTON
