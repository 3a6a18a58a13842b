"""From a room on one machine to a venue: the description that `feltwire provision` takes, the players, the season.

Nothing secret goes along: a venue's machines get keys and passwords of their own.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from feltwire.config import StationConfig, TableConfig, load
from feltwire.errors import UsageError
from feltwire.home.files import TABLES_BY_HAND, TITLE, VENUE
from feltwire.ledger.season_file import SEASON
from feltwire.ledger.store import LedgerError, Store
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.private_files import data_folder, replace
from feltwire.rulebooks import SUFFIX, rulebook_named
from feltwire.station.players_store import SCHEMA, PlayersStore
from feltwire.tools.provision.access import STATION, table_name
from feltwire.tools.provision.venue_file import Venue, load_venue, venue_text
from table_core.rulebook import Rulebook, RulebookError
from table_core.toml_text import read_toml
from table_core.tournament.decision import ConflictError
from table_core.tournament.night import Night
from table_core.tournament.schedule import for_an_evening
from table_core.tournament.state import State

DESCRIPTION, RECORDS = "hall.toml", "station"
DOMAIN = "home.lan"
_DEVICES = ("keypad", "shoe", "decks", "camera")
STAYS = (
    "Does not go along: the tables' ledgers and the event in progress (they stay in {records}: end the event "
    "first, or play it to its end here), who is signed in, admitted phones, passwords."
)


def export(home: Path, to: Path) -> Iterator[str]:
    """Write what a venue begins with from the room in `home`; what a person should know of it, a line each.

    Raise `UsageError` where there is no room, or a file cannot be written.
    """
    settings = home / "settings" / f"{STATION}.toml"
    if not settings.exists():
        raise UsageError(
            f"{home}: no room was opened from here yet; open it once with feltwire home --data {home}"
        )
    station = load(settings, StationConfig)
    state = _event(home / "records")
    house, for_one_event = _house(rulebook_named(station.rulebook), state)
    book = station.rulebook
    try:
        data_folder(to)
        if book.endswith(SUFFIX):
            shutil.copyfile(book, to / "rulebook.toml")
            book = str((to / "rulebook.toml").resolve())
        venue = _description(home, station, state, book=book, house=house)
        description = to / DESCRIPTION
        replace(description, venue_text(venue).encode(), mode=0o600)
        load_venue(description)
        yield f"{description}: {len(venue.tables)} tables; try it: feltwire provision check {description}"
        yield from _people(home / "records", to / RECORDS)
    except OSError as error:
        raise UsageError(f"{error.filename or to}: cannot be written ({error.strerror})") from error
    except LedgerError as error:
        raise UsageError(str(error)) from error
    if book != station.rulebook:
        yield f"{book}: your rulebook. Each table and the station need it at this same path before they start."
    if for_one_event:
        yield f"Belongs to one event, give it again when one is opened: {', '.join(sorted(for_one_event))}"
    yield STAYS.format(records=home / "records")


def _event(records: Path) -> State | None:
    """The event as it is recorded; None where none was opened."""
    file = records / "tournament.ledger"
    if not file.exists():
        return None
    try:
        ledger = TournamentLedger.open(file, read_only=True)
        try:
            state = Night.replayed(ledger.records()).state
        finally:
            ledger.close()
    except (LedgerError, ConflictError) as error:
        raise UsageError(str(error)) from error
    return state if state.opened else None


def _house(book: Rulebook, state: State | None) -> tuple[dict[str, Any], list[str]]:
    """Settings of the house in force, and the names of those that only an event can have."""
    if state is None:
        return {}, []
    kept, left = {}, []
    for name, value in state.book.house_settings(event=True).items():
        try:
            book.with_house({name: value})
        except RulebookError:
            left.append(name)
        else:
            kept[name] = value
    return kept, left


def _description(
    home: Path, station: StationConfig, state: State | None, *, book: str, house: dict[str, Any]
) -> Venue:
    tables = station.tables or tuple(f"{no:02}" for no in range(1, TABLES_BY_HAND + 1))  # a hall has some
    usual, _ = for_an_evening(rulebook_named(book), len(tables))
    levels = state.clock.levels if state is not None and state.clock is not None else station.levels
    return Venue(
        venue=VENUE,
        domain=DOMAIN,
        tables=tables,
        rulebook=book,
        house=house,
        levels=() if levels == usual else levels,
        title=(state.name if state is not None else "") or TITLE,
        language=station.language,
        time_zone=station.time_zone,
        settings={
            "station": {"admission": True},
            "table": {"admission": True},
            **{
                table_name(table): devices
                for table in station.tables
                if (devices := _devices(home / "settings" / f"{table_name(table)}.toml"))
            },
        },
    )


def _devices(settings: Path) -> dict[str, Any]:
    """The sections of a table's devices that say something."""
    load(settings, TableConfig)
    said, plain = read_toml(settings.read_text()), msgspec.to_builtins(TableConfig("v", "t", "d", (), ()))
    found = {name: value for name in _DEVICES if (value := said.get(name, plain[name])) != plain[name]}
    return {
        name: {key: one for key, one in value.items() if one != plain[name][key]}
        if isinstance(value, dict)
        else value
        for name, value in found.items()
    }


def _people(records: Path, to: Path) -> Iterator[str]:
    """The register and the season, as the station keeps them."""
    players, season = records / "players.db", records / SEASON
    if not players.exists() and not season.exists():
        return
    data_folder(to)
    count = _players(players, to / players.name) if players.exists() else 0
    if season.exists():
        replace(to / SEASON, season.read_bytes(), mode=0o600)
    yield (
        f"{to}: {count} players{' and the season' if season.exists() else ''}. They are for the station: "
        "copy them into /var/lib/feltwire/station before it has players of its own, as its user "
        "and while it is stopped."
    )


def _players(there: Path, to: Path) -> int:
    """Names, birthdays, pairs, penalties, as of now: the room may be open."""
    to.unlink(missing_ok=True)
    with closing(Store.open(there, SCHEMA, read_only=True)) as source, closing(Store.open(to, SCHEMA)) as copy:
        source.copy_to(copy.connection)
    with closing(PlayersStore.open_file(to, read_only=True)) as players:
        return len(players.names())
