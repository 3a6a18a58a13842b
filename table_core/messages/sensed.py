"""A table as its devices sense it: pictures and bytes before they are facts."""

from __future__ import annotations

from table_core.messages.base import CardText, Frozen, Millis


class SensedZone(Frozen, frozen=True):
    """What the camera's reader made of one zone: faces read, faces not certain, backs."""

    zone: str
    cards: tuple[CardText, ...] = ()
    unread: int = 0
    face_down: int = 0


class SensedLine(Frozen, frozen=True):
    """Bytes of one frame as they arrived (hex text, UIDs masked at the source) and the event they became."""

    at_ms: Millis
    device: str
    bytes: str
    became: str = ""


class SensedView(Frozen, frozen=True):
    """One table as its devices sense it. `picture_no` changes with every new camera picture; newest line last."""

    picture_no: int
    zones: tuple[SensedZone, ...] = ()
    lines: tuple[SensedLine, ...] = ()
