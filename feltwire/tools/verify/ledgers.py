"""The stored events of tables, from their own ledgers or a station's."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.ledger.room_ledger import SCHEMA, CollectedLedger
from feltwire.ledger.store import SEE, LedgerError, Store
from feltwire.ledger.table_ledger import Ledger, Row
from feltwire.station.station_store import StationStore
from table_core.messages import Leaseholder, decode_stored


def read_tables(path: Path) -> dict[str, list[Row]]:
    """The stored events of each table, from a table's own ledger or from a station's."""
    if is_station(path):
        collected = CollectedLedger.open(path, read_only=True)
        tables = {table: list(collected.raw_events(table)) for table in sorted(collected.heads())}
        collected.close()
        return {table: _checked(path, rows) for table, rows in tables.items()}
    ledger = Ledger.open(path, read_only=True)
    rows = _checked(path, list(ledger.raw_events()))
    ledger.close()
    return {_table_of(rows): rows}


def _checked(path: Path, rows: list[Row]) -> list[Row]:
    """Raise `LedgerError` for rows that a damaged page has without their bytes."""
    if not all(isinstance(row[2], bytes) for row in rows):
        raise LedgerError(f"{path}: an event is none: the disk damaged it, or somebody; {SEE}")
    return rows


def is_station(path: Path) -> bool:
    """Whether the file is a station's ledger."""
    try:
        Store.open(path, SCHEMA, read_only=True).close()
    except LedgerError:
        return False
    return True


def read_leaseholders(path: Path) -> dict[str, Leaseholder]:
    """Who was granted which table, from a station's `station.db`."""
    store = StationStore.open_file(path, read_only=True)
    try:
        return store.leaseholders()
    finally:
        store.close()


def _table_of(rows: list[Row]) -> str:
    try:
        return decode_stored(rows[0][2]).table if rows else ""
    except ValueError:
        return ""


def until(rows: list[Row], text: str | None) -> list[Row]:
    """The rows up to the event that `--until` names."""
    if text is None or not rows:
        return rows
    epoch, _, seq = text.rpartition("/")
    try:
        last = (int(epoch or rows[-1][0]), int(seq))
    except ValueError:
        raise UsageError(f"--until {text!r}: write SEQ or EPOCH/SEQ, as in 1200 or 3/1200") from None
    return list(takewhile(lambda row: row[:2] <= last, rows))
