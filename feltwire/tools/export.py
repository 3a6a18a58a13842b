"""`feltwire export`: hand histories out of a ledger.

Finished hands only, as they stand after every correction: a hand counts as finished when the next one begins or
the ledger ends. Cards that were not shown are unknown.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from feltwire.errors import UsageError
from feltwire.ledger.chain import read_row
from feltwire.ledger.table_ledger import LedgerError, Row
from feltwire.rulebooks import rulebook_named
from feltwire.runtime.views import Part, Views
from feltwire.tools.verify.ledgers import read_tables
from table_core.histories.identifiers import (
    GAME,
    ROOM,
    TOURNAMENT,
    TOURNAMENT_START,
    game_of,
    station_of,
    tournament_of,
)
from table_core.histories.ohh_write import ohh_text
from table_core.histories.phh_write import phhs_text
from table_core.histories.played import PlayedHand, from_events
from table_core.histories.recorded import HistoryError, Where
from table_core.histories.stars_write import stars_text
from table_core.messages import (
    AnyEvent,
    HandResumed,
    HandStarted,
    LaterVersion,
    Rewound,
    Seat,
    SeatsChanged,
    SeatsSet,
    Source,
    StoredEvent,
    UnreadEvent,
)
from table_core.projections.table import TableProjection, deal_stands
from table_core.projections.table_state import TableState
from table_core.rulebook import RulebookError, load_rulebook

HELP = "Write the finished hands of a table's or a station's ledger as hand histories."
EXAMPLE = "feltwire export data/table-01.ledger --format ohh --out friday.ohh"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ledger", metavar="LEDGER", type=Path)
    parser.add_argument("--format", choices=sorted(_FORMATS), required=True, help="which kind of history")
    parser.add_argument("--table", metavar="ID", help="only this table of a station's ledger")
    parser.add_argument("--event", metavar="NAME", default="", help="name of the tournament, for the histories")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write there instead of to standard output")
    parser.add_argument("--rulebook", metavar="ID", default="base")


def run(args: argparse.Namespace) -> int:
    write = _FORMATS[args.format]
    hands, left_out = [], 0
    for hand in _hands(args):
        try:
            if isinstance(hand, HistoryError):
                raise hand
            with _told(hand.recorded.file):
                write([hand])
        except HistoryError as error:
            print(f"left out: {error}", file=sys.stderr)
            left_out += 1
        else:
            hands.append(hand)
    if args.out is None:
        sys.stdout.write(write(hands))
    else:
        _write(args.out, write(hands))
    print(f"{len(hands)} hands written, {left_out} left out", file=sys.stderr)
    return 1 if left_out else 0


class _Begun(NamedTuple):
    """A hand that began: where and when, and the numbers by which other programs know it."""

    where: Where
    numbers: Mapping[str, Any] = {}


def finished_hands(
    table: str, stored: Iterable[StoredEvent], rulebook_id: str, *, event: str = ""
) -> Iterator[PlayedHand | HistoryError]:
    """Each finished hand of a table in order, from the events that still count; an error for one that no history
    can tell, and for an event that cannot be read. One behind which NEW HAND can be taken back is not finished."""
    projection = TableProjection(venue="", table=table, rulebook=load_rulebook(rulebook_id))
    begun = before = _Begun(Where(event=event, table=table))
    chain, station, since = "", "", dict[int, str]()  # of each tournament: the start of its first hand here
    for place, envelope in enumerate(stored, 1):
        chain = envelope.prev if place == 2 else chain
        if isinstance(envelope, UnreadEvent):
            yield from _finished(projection, begun)
            projection.pass_over(envelope, "")
            why = "cannot be read: its hand is left out"
            yield HistoryError(f"table {table}, event {envelope.epoch}/{envelope.seq}", None, why)
            continue
        station = station_of(envelope.cause) or station
        waits, stands, number = projection.before_hand, deal_stands(envelope.data), projection.hand_number
        begins = isinstance(envelope.data, HandStarted | HandResumed) and not projection.in_hand
        button = isinstance(envelope.data, SeatsSet) and envelope.data.source in (Source.KEY, Source.SCREEN)
        while waits is not None and stands and not button:
            yield from _finished(waits, before)
            waits = waits.before_hand
        if (isinstance(envelope.data, SeatsSet | SeatsChanged) and not button) or (begins and stands):
            yield from _finished(projection, begun)
        if begins:
            started, tournament = _whole_seconds(envelope.at.wall), tournament_of(station, chain)
            numbers = {
                GAME: game_of(chain, place),
                TOURNAMENT: tournament,
                TOURNAMENT_START: since.setdefault(tournament, started),
                ROOM: envelope.venue,
            }
            before, begun = begun, _Begun(replace(begun.where, started=started), numbers)
        projection.apply(envelope, "")
        if isinstance(envelope.data, Rewound) and not stands and projection.hand_number < number:
            begun = before  # NEW HAND was taken back
    if projection.before_hand is not None and projection.hand is None:  # BUTTON, and no hand behind it
        yield from _finished(projection.before_hand, begun)
    yield from _finished(projection, begun)


def _finished(projection: TableState, begun: _Begun) -> Iterator[PlayedHand | HistoryError]:
    """The hand that the fold holds, when it is over."""
    if projection.hand is None or not projection.hand.ended:
        return
    events = [logged.event for logged in projection.hand_log]
    name = f"table {begun.where.table}, hand {projection.hand_number}"
    try:
        with _told(name):
            where = replace(begun.where, seat_count=max(*projection.seats, _button(events)))
            told = from_events(events, file=name, where=where)
            known = {name: value for name, value in begun.numbers.items() if value}
            told = replace(told, recorded=replace(told.recorded, more=known))
    except HistoryError as error:
        yield error
    else:
        yield told


def _button(events: Sequence[AnyEvent]) -> Seat:
    """The seat with the disc, which may lie behind the last player's."""
    return next((event.button for event in events if isinstance(event, HandStarted)), Seat(1))


@contextmanager
def _told(hand: str) -> Iterator[None]:
    """A hand at which a writer raises is left out as well, and the others are written. Raise `HistoryError`."""
    try:
        yield
    except HistoryError:
        raise
    except Exception as error:  # noqa: BLE001  (whatever it was: the exception's text may hold a card)
        raise HistoryError(hand, None, f"{Views().note(Part('It'), error).words}; report it") from None


def _whole_seconds(wall: str) -> str:
    """An ISO time without its fraction, `"2026-11-21T07:36:05Z"`; "" for no time."""
    return f"{wall[:19]}Z" if wall else ""


def _hands(args: argparse.Namespace) -> Iterator[PlayedHand | HistoryError]:
    try:
        rulebook_named(args.rulebook)
        tables = read_tables(args.ledger)
    except (RulebookError, LedgerError) as error:
        raise UsageError(str(error)) from error
    if args.table is not None and args.table not in tables:
        raise UsageError(f"no table {args.table!r} in {args.ledger}; there are: {', '.join(tables) or 'none'}")
    for table, rows in tables.items():
        if args.table in (None, table):
            yield from finished_hands(table, _decoded(table, rows), args.rulebook, event=args.event)


def _decoded(table: str, rows: Sequence[Row]) -> Iterator[StoredEvent]:
    try:
        yield from (read_row(table, *row) for row in rows)
    except LaterVersion as error:
        raise UsageError(f"table {table}: an event is of a later {error}; use that version") from error


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}; give another --out") from error


_FORMATS: dict[str, Callable[[Iterable[PlayedHand]], str]] = {
    "phh": lambda hands: phhs_text(hand.recorded for hand in hands),
    "ohh": ohh_text,
    "pokerstars": stars_text,
}
