"""The content of the RFID shoe's card frames. A tag *is* a card, so it stays inside `Uid`."""

from __future__ import annotations

import hmac
from typing import NamedTuple, NoReturn

from firmware_bridge import payloads
from firmware_bridge.frames import CARD
from firmware_bridge.keypad import HasPayload, PayloadError, expect_kind


class Uid:
    """A card's tag, opaque: it does not print, pickle, copy or encode. Equal tags are equal and hash alike.

    Only the vault and the simulated room's dealer may call `reveal()`.
    """

    __slots__ = ("_raw",)

    def __init__(self, raw: bytes) -> None:
        """Raise `PayloadError` for a wrong number of bytes."""
        if len(raw) != payloads.UID_BYTES:
            raise PayloadError(f"tag: {len(raw)} bytes, {payloads.UID_BYTES} expected")
        self._raw = bytes(raw)

    def reveal(self) -> bytes:
        return self._raw

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Uid) and hmac.compare_digest(self._raw, other._raw)

    def __hash__(self) -> int:
        return hash(self._raw)

    def __repr__(self) -> str:
        return "Uid(••)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a card's tag is not pickled or copied")


class CardPassage(NamedTuple):
    """A card left the shoe; `uid` is None when no tag answered. `device_ms` is the shoe's own clock."""

    uid: Uid | None
    device_ms: int


def parse_card(frame: HasPayload) -> CardPassage:
    """The content of a CARD frame; raise `PayloadError` for any other."""
    expect_kind(frame, CARD, "card")
    try:
        raw, device_ms = payloads.read_card(frame.payload)
    except ValueError as error:
        raise PayloadError(str(error)) from None
    return CardPassage(None if raw == payloads.NO_TAG else Uid(raw), device_ms)
