"""What a machine hears and says of versions with the station's beats.

A beat says which version of the messages the room writes. To the first beat of a station, and to every tenth, the
machine says which program it runs.
"""

from __future__ import annotations

from msgspec import Struct

from table_core.messages import EARLIEST_WRITTEN, Malformed, Number, decode_any, write_as

SAYS_EVERY = 10  # beats


class _Beat(Struct):
    """The part of a beat that a program of any version reads."""

    v: Number
    boot: str = ""


class RoomVersion:
    """Heard in the bus's thread, obeyed in the node's: so one event is written in one version. Before a beat came
    nobody knows what others read: what the release before reads is written."""

    def __init__(self) -> None:
        self._writes = EARLIEST_WRITTEN
        self._boot = ""
        self._beats = 0

    def heard(self, payload: bytes) -> bool:
        """A beat of the station came; whether this machine says now which program it runs."""
        try:
            beat = decode_any(payload, _Beat)
        except Malformed:
            return False
        self._writes = beat.v
        if beat.boot != self._boot:
            self._boot, self._beats = beat.boot, 0
        self._beats += 1
        return self._beats % SAYS_EVERY == 1

    def obey(self) -> None:
        write_as(self._writes)
