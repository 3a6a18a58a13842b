"""Whether a ledger holds what the station signed at the end of each hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.ledger.checkpoints import RECORDS, Checkpoint, CheckpointError, check_checkpoints
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.store import LedgerError
from feltwire.tools.verify.verdict import LedgerVerdict

_SQLITE = b"SQLite format 3\0"

Position = tuple[int, int]  # epoch and seq of an event; 0 and the number of a record


@dataclass(frozen=True, slots=True)
class Stated:
    """Checkpoints, by the table that they are about. `pinned`: each is signed with a key that the caller named.
    `why` is the fault of the first that does not hold."""

    of: Mapping[str, Sequence[Checkpoint]]
    pinned: bool = False
    why: str = ""

    def upto(self, end: Position) -> Stated:
        """Without checkpoints of what is behind `end`."""
        of = {table: [one for one in stated if (one.epoch, one.seq) <= end] for table, stated in self.of.items()}
        return replace(self, of=of)

    def check(
        self, verdict: LedgerVerdict, table: str, hash_at: Callable[[Position], str | None], end: Position
    ) -> Position:
        """Hold the checkpoints of `table` against its ledger, whose last event or record is `end`; `hash_at` gives
        the SHA-256 (hex) of one. The answer is the last one that checkpoints prove, `(0, 0)` for none."""
        stated = self.of.get(table, ())
        if self.why:
            verdict.fail("checkpoints", self.why)
        for one in stated:
            _check(verdict, one, hash_at((one.epoch, one.seq)), end)
        verdict.checkpoints = len(stated)
        if stated and not self.pinned:
            verdict.unchecked.append("whether the checkpoints are signed with the station's key (--public)")
        if not (stated and verdict.ok and self.pinned):
            return (0, 0)
        proven = max((one.epoch, one.seq) for one in stated)
        if proven != end:
            verdict.unchecked.append(f"what follows {_where(proven)}, the last that the station signed")
        return proven


def _check(verdict: LedgerVerdict, one: Checkpoint, found: str | None, end: Position) -> None:
    where = _where((one.epoch, one.seq))
    what = where if one.table == RECORDS else f"the end of hand {one.hand}"
    if found is None:
        verdict.fail(where, f"checkpoint {one.no} states {what} there; this ends with {_where(end)}: it was cut")
    elif found != one.head:
        verdict.fail(where, f"checkpoint {one.no} states another {what}: it was changed since")


def _where(at: Position) -> str:
    return f"{at[0]}/{at[1]}" if at[0] else f"record {at[1]}"


def read_stated(paths: Sequence[Path], keys: Collection[str]) -> Stated:
    """The checkpoints in files of lines and in stations' ledgers. `keys` (hex) are the station's; empty: any.

    Raise `UsageError` for a file that cannot be read.
    """
    of: dict[str, list[Checkpoint]] = {}
    for path in paths:
        try:
            for checkpoint in check_checkpoints(_lines(path), keys or None):
                of.setdefault(checkpoint.table, []).append(checkpoint)
        except CheckpointError as error:
            return Stated(of, bool(keys), f"{path}: {error}")
    return Stated(of, bool(keys))


def _lines(path: Path) -> list[bytes]:
    try:
        with path.open("rb") as file:
            if file.read(len(_SQLITE)) != _SQLITE:
                file.seek(0)
                return file.read().splitlines()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        ledger = CollectedLedger.open(path, read_only=True)
    except LedgerError:
        return []  # a table's own ledger has none
    try:
        return ledger.checkpoints()
    finally:
        ledger.close()
