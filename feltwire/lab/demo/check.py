"""The demo's final check: each table's ledger, the station's copy and every page must agree."""

from __future__ import annotations

import bisect
import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from feltwire.lab.demo.room import RULEBOOK, SMALLEST_CHIP, VENUE
from feltwire.lab.demo.truth import Truth
from feltwire.lab.demo.watch import Followed
from feltwire.ledger.chain import LedgerHead, hash_of
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger, LedgerError
from table_core.messages import (
    ClockState,
    Envelope,
    Frozen,
    OverlayView,
    RoomView,
    TableView,
    decode,
)
from table_core.projections.room import field_of
from table_core.projections.table import TableProjection
from table_core.rulebook import load_rulebook

T = TypeVar("T")

SETTLES_S = 120.0  # outboxes are empty and pages up to date this long after the last hand, on a busy machine too
GLANCE_S = 0.3


class TableReport(Frozen, frozen=True):
    """One table at the end of the demo."""

    epoch: int
    last_seq: int
    head: str
    hands: int
    mismatched: tuple[str, ...]  # who had something else, and what


class DemoReport(Frozen, frozen=True):
    """What `--report` writes. Zero is what all counts but `hands` and `events` must be."""

    hands: int
    events: int
    lost: int  # key frames without a record, events of tables that the station has not
    duplicates: int  # frames that led to events twice, events that the station has twice
    mismatched: int  # ledgers, pages or stacks that differ from the table's ledger
    misread_cards: int
    unread_cards: int
    p50_ms: float | None
    p99_ms: float | None
    measured: int  # key presses behind the two figures
    tables: dict[str, TableReport]
    seed: int
    seconds: float
    hand_seconds: float | None
    presses: int
    questions: int
    corrections: int
    counts: int
    restarts: int = 0  # processes that were started again
    killed: int = 0  # with `--kill`, in the middle of hands

    @property
    def ok(self) -> bool:
        return not (self.lost or self.duplicates or self.mismatched or self.misread_cards or self.unread_cards)


class RoomFiles:
    """The ledgers of a running room, read beside their processes."""

    def __init__(self, data: Path, tables: Sequence[str]) -> None:
        self._data = data
        self._tables = tables

    def heads(self) -> dict[str, LedgerHead]:
        return {table: self._read(table, lambda ledger: ledger.head) for table in self._tables}

    def envelopes(self, table: str) -> list[tuple[Envelope, bytes]]:
        rows: list[tuple[int, int, bytes]] = self._read(table, lambda ledger: list(ledger.raw_events()))
        return [(decode(raw, Envelope), raw) for _, _, raw in rows]

    def frames(self, table: str) -> set[str]:
        """Origins of every recorded observation."""
        seen = self._read(table, lambda ledger: ledger.observations())
        return {f"{record.device}/{record.boot:x}/{record.seq}" for record in seen}

    def station_heads(self) -> dict[str, LedgerHead]:
        return self._station(lambda ledger: ledger.heads())

    def station_events(self, table: str) -> list[tuple[int, int, bytes]]:
        return self._station(lambda ledger: list(ledger.raw_events(table)))

    def _read(self, table: str, ask: Callable[[Ledger], T]) -> T:
        ledger = Ledger.open(self._data / f"table-{table}.ledger", read_only=True)
        try:
            return ask(ledger)
        finally:
            ledger.close()

    def _station(self, ask: Callable[[CollectedLedger], T]) -> T:
        ledger = CollectedLedger.open(self._data / "station.ledger", read_only=True)
        try:
            return ask(ledger)
        finally:
            ledger.close()


def wait_settled(files: RoomFiles, pages: dict[str, dict[str, Followed]], tables: Sequence[str]) -> None:
    """Wait until station and pages are where the tables are; give up after a while, the report will say so."""
    deadline = time.monotonic() + SETTLES_S
    before: dict[str, LedgerHead] = {}
    while time.monotonic() < deadline:
        with contextlib.suppress(LedgerError):  # not to be read just now: its process stands still as it writes
            heads = files.heads()
            if heads == before == files.station_heads() and _all_show(files, heads, pages, tables):
                return
            before = heads
        time.sleep(GLANCE_S)


def _all_show(
    files: RoomFiles,
    heads: dict[str, LedgerHead],
    pages: dict[str, dict[str, Followed]],
    tables: Sequence[str],
) -> bool:
    """Whether every page was sent the end of the tables' logs, and agrees with it."""
    at = {table: (head.epoch, head.seq) for table, head in heads.items()}
    here = all(
        _shown_at(channel, followed, tables).items() <= at.items()
        for channels in pages.values()
        for channel, followed in channels.items()
    )
    return (
        here
        and not any(_wrong_pages(table, _states(files, table), pages) for table in tables)
        and not check_clock(files, tables, pages)
    )


def _shown_at(channel: str, followed: Followed, tables: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Where in each table's log the last thing is that `channel` was sent: of the tables that it must follow."""
    if channel == "room":
        cells = decode(followed.last, RoomView).cells if followed.last else ()
        shown = {cell.table: (cell.epoch, cell.as_of) for cell in cells}
        return {table: shown.get(table, (0, 0)) for table in tables}
    return {table: _as_of(followed) for table in tables_in([channel])}


def tables_in(channels: Iterable[str]) -> list[str]:
    return [channel.removeprefix("table/") for channel in channels if channel.startswith("table/")]


def check_table(
    files: RoomFiles, table: str, pages: dict[str, dict[str, Followed]], truth: Truth
) -> tuple[TableReport, int, int]:
    """One table's part of the report, its lost events and frames, and its duplicates."""
    events = files.envelopes(table)
    station = files.station_events(table)
    head = files.heads()[table]
    wrong = _wrong_pages(table, list(states_of(table, events)), pages)
    if files.station_heads().get(table) != head:
        wrong.append("station's ledger")
    wrong += [f"stacks after hand {hand.hand}" for hand in truth.tables[table].hands if not hand.stacks_agree]
    collected = {(epoch, seq): raw for epoch, seq, raw in station}
    lost = sum(collected.get((envelope.epoch, envelope.seq)) != raw for envelope, raw in events)
    lost += len(truth.tables[table].sent.keys() - files.frames(table))
    duplicates = len(station) - len(collected) + _twice(envelope for envelope, _ in events)
    report = TableReport(head.epoch, head.seq, head.hash, len(truth.tables[table].hands), tuple(wrong))
    return report, lost, duplicates


def check_clock(files: RoomFiles, tables: Sequence[str], pages: dict[str, dict[str, Followed]]) -> int:
    """Walls whose last picture counts other players or another average stack than the tables' ledgers do."""
    views = [_states(files, table)[-1] for table in tables]
    field = field_of(views)
    wrong = 0
    for channels in pages.values():
        if (followed := channels.get("clock")) is not None:
            shown = decode(followed.last, ClockState) if followed.last else None
            truth = (field.players, field.average_stack)
            wrong += shown is None or (shown.players_left, shown.average_stack) != truth
    return wrong


def states_of(table: str, events: Iterable[tuple[Envelope, bytes]]) -> Iterator[TableView]:
    """The public state after each event, as a table's ledger gives it when it is replayed."""
    state = TableProjection(VENUE, table, load_rulebook(RULEBOOK), smallest_chip=SMALLEST_CHIP)
    for envelope, raw in events:
        state.apply(envelope, hash_of(raw))
        yield state.view()


def _states(files: RoomFiles, table: str) -> list[TableView]:
    return list(states_of(table, files.envelopes(table)))


def _wrong_pages(table: str, states: Sequence[TableView], pages: dict[str, dict[str, Followed]]) -> list[str]:
    return [
        f"page {page}"
        for page, channels in pages.items()
        for channel, followed in channels.items()
        if not _page_agrees(channel, followed.last, table, states)
    ]


def _page_agrees(channel: str, last: bytes, table: str, states: Sequence[TableView]) -> bool:
    """Whether the last thing a page was sent on `channel` says what the table's ledger says.

    An overlay is behind on purpose: what it shows must be a state that the table went through.
    """
    if channel == f"table/{table}":
        return bool(last) and decode(last, TableView) == states[-1]
    if channel == f"overlay/{table}":
        shown = decode(last, OverlayView) if last else None
        return shown is None or any((at.hand, at.board) == (shown.hand, shown.board) for at in states)
    if channel == "room":
        if not last:
            return False
        at = {cell.table: (cell.epoch, cell.as_of, cell.hand) for cell in decode(last, RoomView).cells}
        return at.get(table) == (states[-1].epoch, states[-1].as_of, states[-1].hand)
    return True


def _twice(envelopes: Iterable[Envelope]) -> int:
    """Frames whose events stand at more than one place in the log: taken twice."""
    seen: set[str] = set()
    last, twice = "", 0
    for envelope in envelopes:
        cause = envelope.cause
        if cause != last and cause.count("/") == 2:
            twice += cause in seen
            seen.add(cause)
        last = cause
    return twice


def latencies(events: Iterable[Envelope], followed: Followed, sent: dict[str, float]) -> list[float]:
    """Milliseconds from the last byte of each key frame to the first snapshot with the event that it caused."""
    places = [arrival[:2] for arrival in followed.arrivals]
    found: dict[str, float] = {}
    for envelope in events:
        at = sent.get(envelope.cause)
        if at is None or envelope.cause in found:
            continue
        place = bisect.bisect_left(places, (envelope.epoch, envelope.seq))
        if place < len(places):
            found[envelope.cause] = followed.arrivals[place][2] - at
    return list(found.values())


def quantile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that `share` of all do not exceed; None of none.

    >>> quantile([5.0, 1.0, 3.0], 0.5)
    3.0
    """
    if not values:
        return None
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)


def _as_of(followed: Followed) -> tuple[int, int]:
    epoch, _, seq = followed.event_id.partition(".")
    return (int(epoch), int(seq)) if seq else (0, 0)
