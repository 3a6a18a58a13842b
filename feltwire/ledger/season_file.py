"""A league's season in a file: the result of one event a line, as `feltwire season` and the station write it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from feltwire.ledger.store import LedgerError
from feltwire.private_files import replace
from table_core.messages import encode
from table_core.tournament.money.league import EventResult

SEASON = "season.jsonl"  # in a station's data folder


class SeasonFile:
    """`results` are those on the disk. A file that is not there is a season without an event."""

    def __init__(self, path: Path) -> None:
        """Raise `LedgerError` for a line that is none."""
        self._path = path
        self.results = tuple(_read(path)) if path.exists() else ()

    def keep(self, results: Iterable[EventResult]) -> None:
        """The season is these; the file holds either them or what it held before. Raise `LedgerError`."""
        results = tuple(results)
        try:
            replace(self._path, b"".join(encode(result) + b"\n" for result in results))
        except OSError as error:
            raise LedgerError(f"{self._path}: {error.strerror}") from error
        self.results = results


def _read(path: Path) -> Iterable[EventResult]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise LedgerError(f"{path}: {error.strerror}") from error
    for no, line in enumerate(lines, 1):
        try:
            yield msgspec.json.decode(line, type=EventResult)
        except msgspec.DecodeError as error:
            raise LedgerError(f"{path}:{no}: {error}; each line is one event, as --add writes it") from error
