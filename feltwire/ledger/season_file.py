"""A league's season in a file: the result of one event a line, as `feltwire season` and the station write it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from feltwire.ledger.store import LedgerError
from feltwire.ledger.unread import Unread
from feltwire.private_files import replace
from table_core.messages import MOST_STORED, Unencodable, encode
from table_core.tournament.money.league import EventResult

SEASON = "season.jsonl"  # in a station's data folder


class SeasonFile:
    """`results` are those on the disk. A file that is not there is a season without an event. A line that
    cannot be read stays in the file."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Raise `LedgerError` for a file that the disk does not give."""
        self._path = path
        self.unread = Unread(path, keep=not read_only)
        self._kept: list[bytes] = []  # lines that cannot be read
        self.results = tuple(self._read()) if path.exists() else ()

    def keep(self, results: Iterable[EventResult]) -> None:
        """The season is these; the file holds either them or what it held before. Raise `LedgerError`."""
        results = tuple(results)
        try:
            lines = [*self._kept, *(encode(result, MOST_STORED) for result in results)]
            replace(self._path, b"".join(line + b"\n" for line in lines))
        except OSError as error:
            raise LedgerError(f"{self._path}: {error.strerror}") from error
        except Unencodable as error:
            raise LedgerError(f"{self._path}: a result cannot be recorded ({error})") from error
        self.results = results

    def _read(self) -> Iterable[EventResult]:
        try:
            lines = self._path.read_bytes().splitlines()
        except OSError as error:
            raise LedgerError(f"{self._path}: {error.strerror}") from error
        for no, line in enumerate(lines, 1):
            found = self.unread.read(f"line {no}", line, _as_result, "The standing lacks this event.")
            if found is None:
                self._kept.append(line)
            else:
                yield found


def _as_result(line: bytes) -> EventResult:
    return msgspec.json.decode(line, type=EventResult)
