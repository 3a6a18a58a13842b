"""The room of one machine: how many tables, under which rulebook, at which ports; kept for the next evening."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from feltwire.config import Language, load
from feltwire.errors import UsageError
from feltwire.private_files import replace
from feltwire.rulebooks import SUFFIX, rulebook_named
from table_core.messages import Frozen
from table_core.rulebook import BASE, RulebookError

MOST_TABLES = 40
NO_PAGE = Path("none")
_HIGHEST_PORT = 65_535
# The broker's port is drawn, so that two rooms that open at once do not try the same one: where mosquitto's own
# service is not, and below what outgoing connections are given.
_BROKER_FROM, _BROKER_PORTS = 18_830, 10_000


class Remembered(Frozen, frozen=True):
    """What an evening was opened with: the next one opens the same way (`home.toml`)."""

    tables: Annotated[int, msgspec.Meta(ge=0, le=MOST_TABLES)] = 2
    book: str = BASE
    port: Annotated[int, msgspec.Meta(ge=1, le=_HIGHEST_PORT)] = 8080
    language: Language = "en"
    public: str = ""  # the folder of the public page; empty: there is none


@dataclass(frozen=True, kw_only=True)
class HomePlan:
    """`folder` holds everything: settings, records, logs. Ports are free when the plan is made."""

    folder: Path
    book: str
    language: Language = "en"
    public: str = ""
    station_port: int
    clock_port: int
    table_ports: dict[str, int]  # table -> port
    broker_port: int
    mosquitto: str  # the program; empty: the embedded broker

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(self.table_ports)

    @property
    def records(self) -> Path:
        return self.folder / "records"

    @property
    def settings(self) -> Path:
        return self.folder / "settings"

    @property
    def devices(self) -> Path:
        return self.folder / "devices"

    @property
    def logs(self) -> Path:
        return self.folder / "log"

    @property
    def broker_files(self) -> Path:
        return self.folder / "broker"


def asked_for(
    folder: Path,
    *,
    tables: int | None,
    book: str | None,
    port: int | None,
    language: Language | None,
    public: Path | None = None,
) -> Remembered:
    """What is asked for, the rest as last time; kept for the next time. Raise `UsageError` for what cannot be."""
    file = folder / "home.toml"
    before = load(file, Remembered) if file.exists() else Remembered()
    if tables is not None and not 0 <= tables <= MOST_TABLES:
        raise UsageError(f"--tables {tables}: a room has 1 to {MOST_TABLES} tables, or 0 to play by hand")
    if port is not None and not 1 <= port <= _HIGHEST_PORT:
        raise UsageError(f"--port {port}: choose a port from 1 to {_HIGHEST_PORT}")
    if book is not None and book.endswith(SUFFIX):
        book = str(Path(book).absolute())
    now = Remembered(
        before.tables if tables is None else tables,
        book or before.book,
        port or before.port,
        language or before.language,
        before.public if public is None else "" if public == NO_PAGE else str(public.absolute()),
    )
    try:
        rulebook_named(now.book)
    except RulebookError as error:
        raise UsageError(f"--book: {error}") from error
    replace(file, msgspec.toml.encode(now), mode=0o600)
    return now


def plan_of(folder: Path, wanted: Remembered, mosquitto: str) -> HomePlan:
    """The room at the free ports from the wanted one up. Raise `UsageError` where there are too few."""
    pages = _free_ports(wanted.port, "0.0.0.0")
    station, clock = next(pages), next(pages)
    return HomePlan(
        folder=folder,
        book=wanted.book,
        language=wanted.language,
        public=wanted.public,
        station_port=station,
        clock_port=clock,
        table_ports={f"{number:02}": next(pages) for number in range(1, wanted.tables + 1)},
        broker_port=next(_free_ports(_BROKER_FROM + secrets.randbelow(_BROKER_PORTS), "127.0.0.1")),
        mosquitto=mosquitto,
    )


def _free_ports(first: int, host: str) -> Iterator[int]:
    for port in range(first, _HIGHEST_PORT + 1):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
        yield port
    raise UsageError(f"--port {first}: there are not enough free ports from there up; choose a lower one")
