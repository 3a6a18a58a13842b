"""Numbers by which other programs know a hand and its tournament.

They follow from what every ledger holds: the SHA-256 of a table's first event (its machine, key and time, signed),
an event's place in that chain, and the id that begins the commands of a tournament's station. So a ledger gives
the same numbers with every export, and they say nothing of a person. All are below 10**15, which every program can
count.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from table_core.histories.recorded import RecordedHand

# Fields of a history beside those of its format, as PHH has them.
GAME, TOURNAMENT, TOURNAMENT_START, ROOM = "_game_number", "_tournament_number", "_tournament_start", "_room"

_FIRST_GAME, _GAMES = 10**14, 9 * 10**14
_FIRST_OF_STATIONS = 10**9
_FIRST_OF_TABLES, _TOURNAMENTS = 6 * 10**9, 4 * 10**9
_OF_STATION = re.compile(r"command/([0-9a-f]{8})/")
_NUMBER = re.compile(r"[0-9]{1,15}")


def game_of(chain: str, place: int) -> int:
    """The number of the hand that begins with event number `place` (from 1) of a table whose first event has the
    SHA-256 `chain`: 15 digits. Later hands of a table have larger numbers, and no two of them the same."""
    return _FIRST_GAME + (_hashed(chain) + place) % _GAMES


def station_of(cause: str) -> str:
    """The id of the tournament whose station sent the command that led to an event; empty for other causes.

    >>> station_of("command/2386fd70/seats-01-4304b7b40ca1662f")
    '2386fd70'
    """
    found = _OF_STATION.match(cause)
    return found[1] if found else ""


def tournament_of(station: str, chain: str) -> int:
    """The number of a tournament: ten digits, made of its id at the station. What a table played without a station
    counts as one tournament of its own."""
    if station:
        return _FIRST_OF_STATIONS + int(station, 16)
    return _FIRST_OF_TABLES + _hashed(chain) % _TOURNAMENTS


def game_number(hand: RecordedHand) -> str:
    """As the history has it, else the number of the hand at its table."""
    return str(hand.more.get(GAME) or hand.hand)


def tournament_number(hand: RecordedHand) -> str:
    """As the history has it; `0`: not known."""
    return str(hand.more.get(TOURNAMENT, 0))


def counted(hand: RecordedHand) -> tuple[int, int]:
    """The numbers of the hand and of its tournament for formats that take no other. Where a history has none they
    are made from what it says of event, table, time and hand."""
    where = hand.where
    game, tournament = hand.more.get(GAME), hand.more.get(TOURNAMENT)
    made = game_of(_sha256(f"{where.event}/{where.table}/{where.started}"), hand.hand)
    return _counted(game, made), _counted(tournament, tournament_of("", _sha256(where.event)))


def table_letters(table: str) -> str:
    """The name of a table in ASCII letters and digits. Names that would become one another's have digits behind.

    >>> table_letters("07"), table_letters("7-A")
    ('07', '7A4347')
    """
    plain = "".join(letter for letter in table if letter.isascii() and letter.isalnum())
    return plain if plain == table and plain else f"{plain}{_hashed(_sha256(table)) % 10_000:04}"


def _counted(given: Any, otherwise: int) -> int:
    return int(given) if _NUMBER.fullmatch(str(given)) and int(given) else otherwise


def _hashed(hex_: str) -> int:
    return int(hashlib.sha256(hex_.encode()).hexdigest()[:16], 16)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
