"""Results at a station, one event a line: a league's season, as `feltwire season` writes it too, and every event
that was played here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from feltwire.ledger.store import LedgerError
from feltwire.ledger.unread import Unread
from feltwire.private_files import replace
from table_core.messages import MOST_STORED, Frozen, Unencodable, encode
from table_core.tournament.money.league import EventResult
from table_core.tournament.money.played import PlayedEvent

SEASON, PLAYED = "season.jsonl", "played.jsonl"  # in a station's data folder
R = TypeVar("R", bound=Frozen)


class _ResultsFile(Generic[R]):
    """`results` are those on the disk. A file that is not there has none. A line that cannot be read stays in the
    file; `_then` says what is missing without it."""

    _kind: type[R]
    _then: str

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Raise `LedgerError` for a file that the disk does not give."""
        self._path = path
        self.unread = Unread(path, keep=not read_only)
        self._kept: list[bytes] = []  # lines that cannot be read
        self.results: tuple[R, ...] = tuple(self._read()) if path.exists() else ()

    def keep(self, results: Iterable[R]) -> None:
        """The results are these; the file holds either them or what it held before. Raise `LedgerError`."""
        results = tuple(results)
        try:
            lines = [*self._kept, *(encode(result, MOST_STORED) for result in results)]
            replace(self._path, b"".join(line + b"\n" for line in lines))
        except OSError as error:
            raise LedgerError(f"{self._path}: {error.strerror}") from error
        except Unencodable as error:
            raise LedgerError(f"{self._path}: a result cannot be recorded ({error})") from error
        self.results = results

    def _read(self) -> Iterable[R]:
        try:
            lines = self._path.read_bytes().splitlines()
        except OSError as error:
            raise LedgerError(f"{self._path}: {error.strerror}") from error
        for no, line in enumerate(lines, 1):
            found = self.unread.read(f"line {no}", line, self._as_result, self._then)
            if found is None:
                self._kept.append(line)
            else:
                yield found

    def _as_result(self, line: bytes) -> R:
        return msgspec.json.decode(line, type=self._kind)


class SeasonFile(_ResultsFile[EventResult]):
    """The events of a league's season."""

    _kind, _then = EventResult, "The standing lacks this event."


class PlayedFile(_ResultsFile[PlayedEvent]):
    """Every event that is over, with money and knock-outs."""

    _kind, _then = PlayedEvent, "Statistics and past results lack this event."
