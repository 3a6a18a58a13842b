"""A table as its devices sense it: pictures and bytes before they become events."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from table_core.messages.base import CardText, Chips, Few, Frozen, Many, Millis, Name, Number, Text
from table_core.messages.devices.zone import Zone


class Sight(StrEnum):
    """How well the camera sees a zone now. Until it is clear, the last reading stays."""

    CLEAR = "clear"
    MOVING = "moving"
    HIDDEN = "hidden"  # a hand, a sleeve, a cloth
    GLARE = "glare"
    BLURRED = "blurred"


class SensedZone(Frozen, frozen=True):
    """The camera's reading of one zone: faces read, faces not certain, backs; and how well it sees it.

    `chips` is their value where the camera is sure of it; `thing` is True where something lies that is no card,
    such as uncounted chips. `button` is the dealer button. `odd` is `bounty`, `unknown` or `joker`.
    """

    zone: Zone
    cards: Few[CardText] = ()
    unread: Number = 0
    face_down: Number = 0
    sight: Sight = Sight.CLEAR
    chips: Chips | None = None
    thing: bool = False
    button: bool = False
    odd: Name = ""


class SensedLine(Frozen, frozen=True):
    """Bytes of one frame as they arrived (hex text, UIDs masked at the source) and the event they became."""

    at_ms: Millis
    device: Name
    bytes: Text
    became: Text = ""


class SensedView(Frozen, frozen=True):
    """One table as its devices sense it. `picture_no` changes with every new camera picture; newest line last.

    `camera` says what is wrong with the camera, or that it was moved; empty while all is well.
    """

    picture_no: Number
    zones: Many[SensedZone] = ()
    lines: Many[SensedLine] = ()
    camera: Text = ""


MOST_JPEG = 160 * 1024  # bytes of a picture: in Base64 it is within the longest message


class CameraPicture(Frozen, frozen=True):
    """A table's answer to the `TakePicture` with the id `answers`: what everybody may see, as JPEG.

    `wall` is when it was taken. `why` says what is wrong with the camera, or why there is no picture.
    """

    epoch: Number
    answers: Name
    wall: Name = ""
    jpeg: Annotated[bytes, Meta(max_length=MOST_JPEG)] = b""
    why: Text = ""
