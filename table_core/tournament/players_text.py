"""A list of players as CSV: our own sheet `players`, or any other program's with a name in it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from table_core.messages import LATEST, Millis, Refusal
from table_core.people.names import LONGEST, Likeness, clean_name, is_birthday
from table_core.people.register import ByName
from table_core.people.shown import Shows
from table_core.tournament.sheet_text import BEYOND, Sheet, read_csv

# what other programs call the same column
_ID = ("id", "player", "player id", "uuid")
_NAME = ("name", "player name", "full name", "nickname")
_BORN = ("born", "birthday", "date of birth")
_FIRST, _LAST = ("first name", "firstname"), ("last name", "lastname", "surname")
_ANOTHER = "another"
_FLAGS = ("member", "adult", "regular", "online", _ANOTHER)
_YES, _NO = ("yes", "y", "true", "1", "x"), ("no", "n", "false", "0", "")


class ListedPlayer(NamedTuple):
    """A line of the list; `id` is empty where the list has none. `online`: signed up from outside, at `signed_up`
    (wall time) where the list says when. `another`: the desk has asked, and this is nobody on file with an
    equal name, or perhaps an equal one. `shown`: what the public reads (`Shows`), empty: as the club has it."""

    line: int
    name: str
    id: str = ""
    member: bool = False
    adult: bool = False
    regular: bool = False
    online: bool = False
    signed_up: Millis | None = None
    another: bool = False
    born: str = ""
    shown: str = ""


class WrongLine(NamedTuple):
    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


def read_players(text: str) -> tuple[tuple[ListedPlayer, ...], tuple[WrongLine, ...]]:
    """Everybody on the list, and what is wrong with the other lines."""
    wrong: list[WrongLine] = []
    lines = text.split("\n")
    left_open = {no for no, line in enumerate(lines, 1) if line.count('"') % 2}
    wrong += [WrongLine(no, "a quotation mark is left open") for no in sorted(left_open)]
    whole = "\n".join("" if no in left_open else line for no, line in enumerate(lines, 1))
    listed, others = each_once(_listed(line, row) for line, row in _rows(whole, wrong))
    wrong += others
    if not listed and not wrong:
        wrong.append(
            WrongLine(1, f"nobody is listed; write a head line, {','.join(COLUMNS)}, and a line for each")
        )
    return listed, tuple(wrong)


def each_once(
    found: Iterable[ListedPlayer | WrongLine],
) -> tuple[tuple[ListedPlayer, ...], tuple[WrongLine, ...]]:
    """The players who stand on the list once, and what is wrong with the other lines."""
    listed: list[ListedPlayer] = []
    wrong: list[WrongLine] = []
    ids: dict[str, int] = {}
    names = ByName({})  # by the line's number
    for one in found:
        if isinstance(one, WrongLine):
            wrong.append(one)
        elif twice := _twice(one, ids, names):
            wrong.append(WrongLine(one.line, twice))
        else:
            ids.setdefault(one.id, one.line)
            names.add(str(one.line), one.name)
            listed.append(one)
    return tuple(listed), tuple(wrong)


def _twice(one: ListedPlayer, ids: Mapping[str, int], names: ByName) -> str:
    """Why the player stands on the list before; empty for who does not."""
    if one.id:
        return f"{one.id} stands in line {ids[one.id]} already" if one.id in ids else ""
    alike = names.alike(one.name) if not one.another else ()
    if not alike:
        return ""
    if alike[0].likeness is Likeness.EQUAL:
        return f"{one.name} stands in line {alike[0].player} already"
    return f"{one.name} is perhaps who stands in line {alike[0].player}: leave one out, or write `another` yes"


def _rows(text: str, wrong: list[WrongLine]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """What can be read as CSV; where it ends before the text does, that is wrong."""
    line = 0
    try:
        for line, row in read_csv(text):
            yield line, row
    except csv.Error as error:
        wrong.append(WrongLine(line + 1, f"is no line of a list ({error})"))


COLUMNS = ("id", "name", *_FLAGS[:-1], "signed_up")


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
    said = _first(row, _NAME) or f"{_first(row, _FIRST)} {_first(row, _LAST)}".strip()
    id_ = _first(row, _ID)
    if not said:
        heads = ", ".join(repr(head) for head in row if head)
        return WrongLine(line, f"no name; the columns are {heads}, one of them has to be 'name'")
    name = clean_name(said)
    if isinstance(name, Refusal):
        return WrongLine(line, f"the name: {name.reason}")
    if id_ and id_ != clean_name(id_):
        return WrongLine(line, f"the id has {LONGEST} characters at most, and none that is not shown")
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
    member, adult, regular, online, another = flags
    at = None if signed_up is None else Millis(round(signed_up.timestamp() * 1_000))
    if at is not None and not 0 <= at <= LATEST:
        return WrongLine(line, f"signed_up is {said!r}; write a time from 1970 to 2099")
    if not is_birthday(born := _first(row, _BORN)):
        return WrongLine(line, f"born is {born[:40]!r}; write 1991-03-02")
    if (shown := row.get("shown", "").lower()) and shown not in {*Shows}:
        return WrongLine(line, f"shown is {shown[:40]!r}; write name, initials or number")
    online = online or at is not None
    return ListedPlayer(line, name, id_, member, adult, regular, online, at, another, born, shown)


def _first(row: Mapping[str, str], names: Iterable[str]) -> str:
    return next((row[name] for name in names if row.get(name)), "")
