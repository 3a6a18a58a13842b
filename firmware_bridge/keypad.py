"""The content of the keypad's key frames."""

from __future__ import annotations

from typing import Protocol

from firmware_bridge import payloads
from firmware_bridge.frames import KEY
from table_core.messages import Key


class PayloadError(ValueError):
    """A valid frame with an invalid payload. The text never holds a tag."""


class HasPayload(Protocol):
    """A `frames.Frame` or a `link.ReceivedFrame`."""

    @property
    def kind(self) -> int: ...
    @property
    def payload(self) -> bytes: ...


def parse_key(frame: HasPayload) -> tuple[Key, int]:
    """`(key, device_ms)` of a KEY frame; raise `PayloadError` when it is none or names no key."""
    expect_kind(frame, KEY, "key")
    try:
        code, device_ms = payloads.read_key(frame.payload)
    except ValueError as error:
        raise PayloadError(str(error)) from None
    try:
        return Key(code), device_ms
    except ValueError:
        raise PayloadError(f"key: no key has code {code}; is the keypad's firmware newer?") from None


def expect_kind(frame: HasPayload, kind: int, name: str) -> None:
    """Raise `PayloadError` where a frame is of another kind."""
    if frame.kind != kind:
        raise PayloadError(f"{name}: a frame of kind 0x{frame.kind:02x}, 0x{kind:02x} expected")
