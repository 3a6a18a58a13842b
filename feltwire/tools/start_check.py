"""What a start finds wrong in a data folder. `feltwire doctor` and `feltwire backup` call it.

Everything that a process reads when it starts is read here by the same functions, and nothing is written: a folder
of a process that runs may be checked, and so may a backup.
"""

from __future__ import annotations

import fnmatch
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from feltwire.config import TableConfig
from feltwire.errors import UsageError
from feltwire.ledger.releases import ReleasesError, check_lines
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.season_file import PLAYED, SEASON, PlayedFile, SeasonFile
from feltwire.ledger.store import LedgerError
from feltwire.ledger.table_ledger import Ledger
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.relay.coverage.coverage_store import DATABASE as COVERAGE
from feltwire.relay.coverage.coverage_store import CoverageStore
from feltwire.relay.desk.audit import AUDIT, AuditError, read_audit
from feltwire.relay.desk.programme import PROGRAMME, read_kept
from feltwire.relay.feed.store import HANDS, HandStore
from feltwire.relay.relay_store import RelayStore
from feltwire.runtime.pages.people_store import PeopleStore
from feltwire.station.look_file import LOOK, LookFile
from feltwire.station.players_store import PlayersStore
from feltwire.station.station_store import StationStore
from feltwire.table.memory import TableMemory
from feltwire.table.notes import Notes
from table_core.messages import LaterVersion, Malformed
from table_core.projections.table import TableProjection
from table_core.rulebook import BASE, Rulebook, load_rulebook
from table_core.tournament.night import Night


class StartFault(NamedTuple):
    """`words` names the `file` and what is wrong, in a sentence or two. `stops`: no process starts from it; else
    one starts without what cannot be read."""

    file: str
    words: str
    stops: bool = False


def start_faults(data: Path, rulebook: Rulebook | None = None) -> list[StartFault]:
    """What a start from this folder would not read as it was written; empty: it reads all.

    Every file of a table, the station or the relay is read as a start reads it, whichever there are. `rulebook` is
    that of the configuration, which counts for records that name none. Raises nothing for what the files hold;
    `UsageError` where the folder itself cannot be read.
    """
    book = rulebook or load_rulebook(BASE)
    try:
        names = sorted(path.name for path in data.iterdir())
    except OSError as error:
        raise UsageError(f"{data}: cannot be read ({error.strerror}); name a data folder") from error
    found: list[StartFault] = []
    for pattern, look in _LOOKS:
        for name in fnmatch.filter(names, pattern):
            if not (data / name).is_file():
                found.append(StartFault(name, f"{data / name}: is not a plain file.", stops=True))
                continue
            try:
                found += [StartFault(name, words) for words in look(data / name, book)]
            except (LedgerError, ReleasesError) as error:
                found.append(StartFault(name, f"{error}.", stops=True))
    return found


def _table(path: Path, book: Rulebook) -> Iterator[str]:
    with closing(Ledger.open(path, read_only=True)) as ledger:
        events = ledger.hashed_events()
        table = next((stored.table for stored, _ in events if stored.table), path.stem.partition("-")[2])
        memory = TableMemory(TableConfig(venue="", table=table, data=str(path.parent), seats=(), levels=()))
        notes = Notes(ledger.note)
        memory.recover(events, notes, _Sealed())
        yield from (
            f"{path.name}: event {number} cannot be read, or does not fit." for number in memory.passed_over
        )
        yield from (f"{path.name}: the note {key} cannot be read." for key in notes.unread)


class _Sealed:
    """The boxes of a hand open at its table alone."""

    def uncover(self, box: bytes) -> None:
        return None


def _station(path: Path, book: Rulebook) -> Iterator[str]:
    with closing(CollectedLedger.open(path, read_only=True)) as ledger:
        for table in ledger.heads():
            projection = TableProjection("", table, book)
            try:
                for stored, hash_ in ledger.stored_events(table):
                    if not projection.take(stored, hash_):
                        yield (
                            f"{path.name}: event {stored.epoch}/{stored.seq} of table {table} cannot be read, "
                            "or does not fit."
                        )
            except LaterVersion as error:
                yield f"{path.name}: an event of table {table} is of a later {error}."
        if why := ledger.unread_checkpoint():
            yield f"{path.name}: {why}"


def _tournament(path: Path, book: Rulebook) -> Iterator[str]:
    with closing(TournamentLedger.open(path, read_only=True)) as ledger:
        _, lost = Night.as_far_as_told(ledger.records(), book)
        yield from (f"{path.name}: record {no} cannot be read, or does not fit." for no in lost)


def _station_store(path: Path, book: Rulebook) -> Iterator[str]:
    with closing(StationStore.open_file(path, read_only=True)) as store:
        store.read_all()
        yield from store.unread.words


def _players(path: Path, book: Rulebook) -> Iterator[str]:
    with closing(PlayersStore.open_file(path, read_only=True)) as store:
        store.names()
        store.on_file()
        yield from store.unread.words


def _people(path: Path, book: Rulebook) -> Iterator[str]:
    with closing(PeopleStore.open(path, read_only=True)) as store:
        store.people()
        store.sessions()
        yield from store.unread.words


def _season(path: Path, book: Rulebook) -> Iterator[str]:
    yield from SeasonFile(path, read_only=True).unread.words


def _played(path: Path, book: Rulebook) -> Iterator[str]:
    yield from PlayedFile(path, read_only=True).unread.words


def _look(path: Path, book: Rulebook) -> Iterator[str]:
    yield from LookFile(path, read_only=True).unread.words


def _relay(path: Path, book: Rulebook) -> Iterator[str]:
    with closing(RelayStore.open(path, read_only=True)) as store:
        store.read_all()
        yield from store.unread.words


def _hands(path: Path, book: Rulebook) -> Iterator[str]:
    with closing(HandStore.open(path, read_only=True)) as store:
        yield from (f"{path.name}: hand {name} of table {table} cannot be read." for table, name in store.unread())


def _coverage(path: Path, book: Rulebook) -> Iterator[str]:
    with closing(CoverageStore.open(path, read_only=True)) as store:
        deque(store.lines(), maxlen=0)
        yield from store.unread.words


def _releases(path: Path, book: Rulebook) -> Iterator[str]:
    yield from check_lines(path)


def _audit(path: Path, book: Rulebook) -> Iterator[str]:
    try:
        read_audit(path, key="")
    except AuditError as error:
        yield f"{error}."


def _programme(path: Path, book: Rulebook) -> Iterator[str]:
    try:
        read_kept(path)
    except (OSError, Malformed) as error:
        yield f"{path.name}: cannot be read ({error}). Nothing is on air until the producer releases the cut."


_LOOKS: tuple[tuple[str, Callable[[Path, Rulebook], Iterator[str]]], ...] = (
    ("table-*.ledger", _table),
    ("*.people", _people),
    ("station.ledger", _station),
    ("station.db", _station_store),
    ("tournament*.ledger", _tournament),
    ("players.db", _players),
    ("people.db", _people),
    (SEASON, _season),
    (PLAYED, _played),
    (LOOK, _look),
    ("relay.db", _relay),
    (HANDS, _hands),
    (COVERAGE, _coverage),
    ("releases.jsonl", _releases),
    (AUDIT, _audit),
    (PROGRAMME, _programme),
)
