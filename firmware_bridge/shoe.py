"""The tag of a card. A tag *is* a card, so it stays inside `Uid`."""

from __future__ import annotations

import hmac
from typing import NoReturn

from firmware_bridge import payloads


class Uid:
    """A card's tag, opaque: it does not print, pickle, copy or encode. Equal tags are equal and hash alike.

    Only the vault and the simulated room's dealer may call `reveal()`.
    """

    __slots__ = ("_raw",)

    def __init__(self, raw: bytes) -> None:
        """Raise `ValueError` for a wrong number of bytes."""
        if len(raw) != payloads.UID_BYTES:
            raise ValueError(f"tag: {len(raw)} bytes, {payloads.UID_BYTES} expected")
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


def tag_of(raw: bytes) -> Uid | None:
    """The tag in a frame; None where none answered."""
    return None if raw == payloads.NO_TAG else Uid(raw)
