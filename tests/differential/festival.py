"""Ledgers of a festival: rooms that call themselves, their tables and events the same, over several nights."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from feltwire.ledger.chain import LedgerHead, chain
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.table_ledger import Ledger
from table_core.messages import AnyEvent, At, EpochBegan, HandEnded, HandStarted, Millis, SeatsSet
from tests.table_core.hand.random_hand import random_hand

ROOMS, TABLES, NIGHTS, HANDS = 3, 40, 5, 3
NAMES = ("", "Ann", "Ben", "Ann", "José Núñez", "O'Neil", "Lee (L)", "李小龙", "Max 2", "#7", "Smith, Jr.", "Zoë")
FIRST = datetime(2026, 11, 23, 19, tzinfo=UTC)


class Place(NamedTuple):
    """A table of a room: its machine's ledger holds every night."""

    room: int
    table: int


def places() -> list[Place]:
    return [Place(room, table) for room in range(ROOMS) for table in range(1, TABLES + 1)]


def station_of(room: int, night: int, seed: int) -> str:
    """The id that the room's station drew for its tournament of that night."""
    return f"{Random(f'{seed}/{room}/{night}').getrandbits(32):08x}"


def write_ledger(path: Path, place: Place, *, hands: int, seed: int) -> int:
    """The ledger of a table, `hands` hands a night; how many that are."""
    machine = f"{Random(f'{seed}/{place}').getrandbits(64):016x}"
    key, head = LedgerKey(machine.encode().ljust(32)), LedgerHead()
    entries = []
    for at, cause, event in _events(place, machine, key.public, hands, seed):
        entries += chain(head, [event], at=at, venue="hall", table=f"{place.table:02}", cause=cause, key=key)
        head = entries[-1].head
    ledger = Ledger.open(path)
    ledger.commit(entries=entries)
    ledger.close()
    return hands * NIGHTS


def _events(place: Place, machine: str, key: str, hands: int, seed: int) -> Iterator[tuple[At, str, AnyEvent]]:
    yield _at(place, 0, 0), "config", EpochBegan(machine, key)
    for night in range(NIGHTS):
        order = f"command/{station_of(place.room, night, seed)}/seats-{place.table:02}-0"
        for no in range(1, hands + 1):
            at = _at(place, night, no)
            for event in random_hand(Random(f"{seed}/{place}/{night}/{no}").getrandbits(32), unread=False):
                if isinstance(event, HandStarted):
                    event = replace(
                        event, seats=tuple(replace(one, player=NAMES[one.seat]) for one in event.seats)
                    )
                    yield at, order, SeatsSet(event.seats, event.button, hand=no, level=event.level)
                if isinstance(event, HandStarted | HandEnded):
                    event = replace(event, hand=no)
                yield at, "keypad/0/1", event


def _at(place: Place, night: int, no: int) -> At:
    """All rooms begin at the same second, as do all tables."""
    wall = FIRST + timedelta(days=night, minutes=3 * no)
    return At(f"{place.room}{night}".ljust(16, "0"), Millis(1 + no), wall.isoformat(timespec="milliseconds"))
