"""The look of the venue's screens in one file, `look.toml` of the station's data folder, pictures included."""

from __future__ import annotations

from pathlib import Path

import msgspec

from feltwire.ledger.store import LedgerError
from feltwire.ledger.unread import Unread
from feltwire.private_files import replace
from table_core.messages import RoomLook

LOOK = "look.toml"
THEN = "The screens have the program's own look: set it again at /station/wall."


class LookFile:
    """`look` is what the file says; of one that is missing or cannot be read, the program's own."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Raise `LedgerError` for a file that the disk does not give."""
        self._path = path
        self.unread = Unread(path, keep=not read_only)
        self.look = self._read()

    def keep(self, look: RoomLook) -> None:
        """The file holds either this or what it held before. Raise `LedgerError`."""
        try:
            replace(self._path, msgspec.toml.encode(msgspec.structs.replace(look, phone_page="")))
        except OSError as error:
            raise LedgerError(f"{self._path}: {error.strerror}") from error
        self.look = look

    def _read(self) -> RoomLook:
        try:
            raw = self._path.read_bytes()
        except FileNotFoundError:
            return RoomLook()
        except OSError as error:
            raise LedgerError(f"{self._path}: {error.strerror}") from error
        return self.unread.read("the look", raw, _as_look, THEN) or RoomLook()


def _as_look(raw: bytes) -> RoomLook:
    return msgspec.toml.decode(raw, type=RoomLook)
