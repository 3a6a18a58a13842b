"""The notes that a table keeps beside its events, as a restart reads them: one that cannot be read is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

NOTES = {  # in words
    "charge": "who has this table",
    "commands": "the commands that were carried out",
    "decks": "the wear of the decks",
    "faces": "what the camera read at the seats",
    "presses": "the last presses",
    "tracker": "what was seen of the hand",
}


class Notes:
    """`stored` gives the bytes of a note, None where there is none. `unread` are the keys of those that could not
    be read."""

    def __init__(self, stored: Callable[[str], bytes | None]) -> None:
        self._stored = stored
        self.unread: list[str] = []

    def raw(self, key: str) -> bytes | None:
        return self._stored(key)

    def read(self, key: str, decode: Callable[[bytes], T]) -> T | None:
        """The note as `decode` reads it; None where there is none, or it cannot be read."""
        raw = self._stored(key)
        if raw is None or key in self.unread:
            return None
        try:
            return decode(raw)
        except Exception:  # noqa: BLE001  (whatever reading old bytes raises, the table starts without them)
            self.unread.append(key)
            return None
