"""A list of players as CSV: our own sheet `players`, or any other program's with a name in it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from table_core.messages import LATEST, Millis
from table_core.tournament.sheet_text import BEYOND, Sheet, read_csv

# what other programs call the same column
_ID = ("id", "player", "player id", "uuid")
_NAME = ("name", "player name", "full name", "nickname")
_FIRST, _LAST = ("first name", "firstname"), ("last name", "lastname", "surname")
_FLAGS = ("member", "adult", "regular", "online")
_YES, _NO = ("yes", "y", "true", "1", "x"), ("no", "n", "false", "0", "")
LONGEST = 200


class ListedPlayer(NamedTuple):
    """A line of the list; `id` is empty where the list has none. `online`: signed up from outside, at `signed_up`
    (wall time) where the list says when."""

    line: int
    name: str
    id: str = ""
    member: bool = False
    adult: bool = False
    regular: bool = False
    online: bool = False
    signed_up: Millis | None = None


class WrongLine(NamedTuple):
    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


def read_players(text: str) -> tuple[tuple[ListedPlayer, ...], tuple[WrongLine, ...]]:
    """Everybody on the list, and what is wrong with the other lines."""
    listed: list[ListedPlayer] = []
    wrong: list[WrongLine] = []
    ids: dict[str, int] = {}
    names: dict[str, int] = {}
    lines = text.split("\n")
    left_open = {no for no, line in enumerate(lines, 1) if line.count('"') % 2}
    wrong += [WrongLine(no, "a quotation mark is left open") for no in sorted(left_open)]
    whole = "\n".join("" if no in left_open else line for no, line in enumerate(lines, 1))
    for line, row in _rows(whole, wrong):
        one = _listed(line, row)
        if isinstance(one, ListedPlayer):
            twice = ids.get(one.id) if one.id else names.get(one.name.casefold())
            if twice is None:
                ids[one.id], names[one.name.casefold()] = line, line
                listed.append(one)
                continue
            one = WrongLine(line, f"{one.id or one.name} stands in line {twice} already")
        wrong.append(one)
    if not listed and not wrong:
        wrong.append(
            WrongLine(1, f"nobody is listed; write a head line, {','.join(COLUMNS)}, and a line for each")
        )
    return tuple(listed), tuple(wrong)


def _rows(text: str, wrong: list[WrongLine]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """What can be read as CSV; where it ends before the text does, that is wrong."""
    line = 0
    try:
        for line, row in read_csv(text):
            yield line, row
    except csv.Error as error:
        wrong.append(WrongLine(line + 1, f"is no line of a list ({error})"))


COLUMNS = ("id", "name", *_FLAGS, "signed_up")


def to_sheet(players: Iterable[ListedPlayer]) -> Sheet:
    """The list as `read_players` reads it."""
    return Sheet(
        COLUMNS,
        tuple(
            (one.id, one.name, one.member, one.adult, one.regular, one.online, _time(one.signed_up))
            for one in players
        ),
    )


def _time(wall: Millis | None) -> str:
    return "" if wall is None else datetime.fromtimestamp(wall / 1_000, UTC).isoformat()


def _listed(line: int, row: Mapping[str, str]) -> ListedPlayer | WrongLine:
    if beyond := row.get(BEYOND):
        return WrongLine(
            line, f"{beyond[:40]!r} has no column; a cell with a separator in it needs quotation marks"
        )
    name = _first(row, _NAME) or f"{_first(row, _FIRST)} {_first(row, _LAST)}".strip()
    id_ = _first(row, _ID)
    if not name:
        heads = ", ".join(repr(head) for head in row if head)
        return WrongLine(line, f"no name; the columns are {heads}, one of them has to be 'name'")
    for what, text in (("name", name), ("id", id_)):
        if len(text) > LONGEST or re.search(r"[\x00-\x1f\x7f]", text):
            return WrongLine(line, f"the {what} is longer than {LONGEST} characters or has control characters")
    flags = []
    for flag in _FLAGS:
        said = row.get(flag, "").lower()
        if said not in (*_YES, *_NO):
            return WrongLine(line, f"{flag} is {said!r}; write yes or no")
        flags.append(said in _YES)
    said = _first(row, ("signed_up", "signed up"))
    try:
        signed_up = datetime.fromisoformat(said) if said else None
    except ValueError:
        signed_up = None
    if said and (signed_up is None or signed_up.tzinfo is None):
        return WrongLine(line, f"signed_up is {said!r}; write 2026-11-23T17:30+01:00, with the offset")
    member, adult, regular, online = flags
    at = None if signed_up is None else Millis(round(signed_up.timestamp() * 1_000))
    if at is not None and not 0 <= at <= LATEST:
        return WrongLine(line, f"signed_up is {said!r}; write a time from 1970 to 2099")
    return ListedPlayer(line, name, id_, member, adult, regular, online or at is not None, at)


def _first(row: Mapping[str, str], names: Iterable[str]) -> str:
    return next((row[name] for name in names if row.get(name)), "")
