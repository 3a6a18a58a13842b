"""What passes between the dealing process and the table's: bytes of devices, pictures, time; never a plan."""

from __future__ import annotations

import struct
from typing import BinaryIO

import msgspec

from table_core.messages import CardText, Chips, DeviceState

_LENGTH = struct.Struct("<I")


class Given(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """Something reaches the table at boot time `now` (ms); whatever fell due before happens first."""

    now: int


class Bytes(Given, frozen=True, tag="bytes"):
    """Bytes arrive on the serial line of `device`."""

    device: str
    data: bytes


class Cable(Given, frozen=True, tag="cable"):
    """The cable of `device` is pulled, or put back."""

    device: str
    plugged: bool


class Zone(Given, frozen=True, tag="zone"):
    """The camera's reading of one zone."""

    zone: str
    cards: tuple[CardText, ...] = ()
    unread: int = 0
    face_down: int = 0
    chips: Chips | None = None
    pieces: int | None = None
    motions: int = 0
    button: bool = False


class Camera(Given, frozen=True, tag="camera"):
    """How the camera is."""

    state: DeviceState
    detail: str = ""


class Picture(Given, frozen=True, tag="picture"):
    """One frame: BGR, rows of pixels."""

    width: int
    height: int
    pixels: bytes


class Same(Given, frozen=True, tag="same"):
    """The camera's next frame shows what the last one showed."""


class Command(Given, frozen=True, tag="command"):
    """The director's station speaks."""

    raw: bytes


class Time(Given, frozen=True, tag="time"):
    """Nothing but time passes."""


class Opened(Given, frozen=True, tag="opened"):
    """The first message: the table's configuration (JSON), its decks (TOML), and whether it reads pictures."""

    config: bytes
    decks: str
    pictures: bool


AnyGiven = Bytes | Cable | Zone | Camera | Picture | Same | Command | Time | Opened


class Said(msgspec.Struct, frozen=True, array_like=True):
    """What the table did at once: bytes to its devices, and its dealer screen where that changed.

    `ruling` is the incident open there now (`OpenRuling`), where that changed. `busy`: its camera wants another
    look at the same picture.
    """

    lines: tuple[tuple[str, bytes], ...] = ()
    screen: bytes = b""
    ruling: bytes = b""
    busy: bool = False


_given: msgspec.msgpack.Decoder[AnyGiven] = msgspec.msgpack.Decoder(AnyGiven)
_said = msgspec.msgpack.Decoder(Said)
_encoder = msgspec.msgpack.Encoder()


def send(stream: BinaryIO, message: AnyGiven | Said) -> None:
    body = _encoder.encode(message)
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def receive_given(stream: BinaryIO) -> AnyGiven | None:
    """The next message, None at the end of the stream."""
    body = _body(stream)
    return None if body is None else _given.decode(body)


def receive_said(stream: BinaryIO) -> Said:
    """The next answer. Raise `ConnectionError` when the table's process has ended."""
    body = _body(stream)
    if body is None:
        raise ConnectionError("the table's process has ended")
    return _said.decode(body)


def _body(stream: BinaryIO) -> bytes | None:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    return stream.read(_LENGTH.unpack(head)[0])
