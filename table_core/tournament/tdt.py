"""Tournament files of The Tournament Director 3 (`.tdt`): its players, who finished where, and its schedule.

Such a file is one value as JavaScript would write it: objects, lists, strings, numbers, `new Name(…)` and
`Map.from([[key, value], …])`. What is read here is what files of version 3.7.2 have (docs/tournament.md).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from table_core.messages import Chips, Level, Refusal
from table_core.people.names import clean_name
from table_core.tournament.clock import entry_fault
from table_core.tournament.money.league import EventResult, Finisher
from table_core.tournament.players_text import ListedPlayer, WrongLine, each_once

MOST_DEPTH = 100
MOST_DIGITS = 30
MOST_NAMED = 40
_READ = frozenset({"UUID", "Title", "Players", "Prizes"})
_READ_OF_LEVELS = frozenset({"Minutes", "SmallBlind", "BigBlind", "Ante", "ChipUp"})
_HOLDEM = {"GameType": 2}  # as every round of no-limit hold'em has it
_READ_OF_PLAYERS = frozenset({"UUID", "Name", "Buyins"})
_TOKEN = re.compile(
    r'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)'
    r"|(?P<name>[A-Za-z_$][\w$.]*)|(?P<mark>[{}\[\]():,]))"
)
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}


class TdtError(ValueError):
    """A file that is no tournament of The Tournament Director 3: where, and what was expected."""


class TdtPlayer(NamedTuple):
    """`out` is when the last chips were gone (ms since 1970), None for who never lost them. `prize` in the file's
    money."""

    uuid: str
    name: str
    entries: int
    out: int | None
    prize: float


class TdtFile(NamedTuple):
    """`rounds` are levels and breaks as the file has them. `unread` names the parts of the tournament,
    `unread_of_players` those of its players, in which something stands that is not taken over."""

    title: str
    players: tuple[TdtPlayer, ...]
    rounds: tuple[Mapping[str, Any], ...] = ()
    unread: tuple[str, ...] = ()
    unread_of_players: tuple[str, ...] = ()

    def schedule(self) -> tuple[tuple[Level, ...], tuple[str, ...]]:
        """Levels and breaks, and the names of what is not read of them. Who pays an ante is not in the file: each
        player, as levels have it. Raise `TdtError`."""
        levels: list[Level] = []
        for at, one in enumerate(self.rounds, 1):
            levels.append(_level(one, at, 1 + sum(not level.is_break for level in levels)))
        unread = dict.fromkeys(name for one in self.rounds for name in _said_of_level(one))
        return tuple(levels), tuple(unread)

    def lost(self) -> str:
        """What is not taken over, in words; empty where nothing is."""
        parts = ("", self.unread), ("of players: ", self.unread_of_players)
        return "; ".join(f"{of}{', '.join(names)}" for of, names in parts if names)

    def listed(self) -> tuple[tuple[ListedPlayer, ...], tuple[WrongLine, ...]]:
        """Its players, as a list to register, and who cannot be; a line is a player, counted from 1."""
        return each_once(_listed(no, one) for no, one in enumerate(self.players, 1))

    def result(self, event: str = "") -> EventResult:
        """Places by when the last chips were gone, under the players' names. Raise `TdtError` while more than one
        player is in, and for a name that is none."""
        played = [one for one in self.players if one.entries]
        left = [one.name for one in played if one.out is None]
        if len(left) != 1:
            raise TdtError(f"the tournament is not over: {len(left)} players are in")
        order = sorted(played, key=lambda one: -(one.out if one.out is not None else 2**53))
        finishers = tuple(Finisher(_name(one), place) for place, one in enumerate(order, 1))
        return EventResult(event or self.title, len(played), finishers)


def _level(plain: Mapping[str, Any], at: int, number: int) -> Level:
    """A break has no blinds; one in which chips are coloured up is called so, their value is not in the file."""
    is_break = "SmallBlind" not in plain
    small, big, ante = (_whole(plain.get(name, 0), name, at) for name in ("SmallBlind", "BigBlind", "Ante"))
    minutes, what = _amount(plain.get("Minutes")), "colour-up" if plain.get("ChipUp") is True else ""
    level = Level(0 if is_break else number, small, big, ante, Chips(0), minutes, is_break, what)
    if fault := entry_fault(level):
        raise TdtError(f"entry {at} of the schedule: {fault}")
    return level


def _whole(value: Any, name: str, at: int) -> Chips:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise TdtError(f"entry {at} of the schedule: {name} {str(value)[:40]!r} is no whole number")
    return Chips(int(value))


def _said_of_level(plain: Mapping[str, Any]) -> Iterator[str]:
    """The names of what is not read of an entry and says something: a game that is none of ours, notes, limits."""
    for name, value in plain.items():
        if name == "GameName" or name in _READ_OF_LEVELS or value == _HOLDEM.get(name):
            continue
        values = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else [value]
        if any(values):
            yield name[:40]


def _listed(no: int, player: TdtPlayer) -> ListedPlayer | WrongLine:
    try:
        return ListedPlayer(no, _name(player))
    except TdtError as error:
        return WrongLine(no, str(error))


def _name(player: TdtPlayer) -> str:
    name = clean_name(player.name)
    if isinstance(name, Refusal):
        raise TdtError(f"the name of player {player.uuid[:40]}: {name.reason}")
    return name


def read_tdt(text: str) -> TdtFile:
    """Raise `TdtError` for anything else than a tournament file."""
    document = _Reader(text).document()
    tournament = document.get("T") if isinstance(document, dict) else None
    if not isinstance(tournament, dict):
        raise TdtError("no tournament in it: expected { V: …, T: new Tournament({…}) }")
    prizes: dict[str, float] = {}
    for prize in _list(_dict(tournament.get("Prizes")).get("Prizes")):
        for player in _list(_dict(prize).get("AwardedToPlayers")):
            prizes[str(player)] = prizes.get(str(player), 0) + _amount(_dict(prize).get("CalculatedAmount"))
    found = [_dict(one) for one in _dict(_dict(tournament.get("Players")).get("Players")).values()]
    return TdtFile(
        str(tournament.get("Title") or ""),
        tuple(_player(one, prizes) for one in found),
        tuple(_dict(one) for one in _list(_dict(tournament.get("Levels")).get("Levels"))),
        _filled(tournament, _READ),
        tuple(sorted({name for one in found for name in _filled(one, _READ_OF_PLAYERS)})),
    )


def _filled(plain: Mapping[str, Any], read: frozenset[str]) -> tuple[str, ...]:
    """The names of what is not read and says something."""
    return tuple(sorted(name[:40] for name, value in plain.items() if name not in read and value))[:MOST_NAMED]


def _player(plain: Mapping[str, Any], prizes: Mapping[str, float]) -> TdtPlayer:
    name = _dict(plain.get("Name"))
    whole = f"{name.get('Firstname') or ''} {name.get('Lastname') or ''}".strip()
    entries = [_dict(one) for one in _list(plain.get("Buyins"))]
    last = _dict(entries[-1].get("BustOut")).get("Time") if entries else None
    uuid = str(plain.get("UUID") or "")
    out = int(last) if isinstance(last, int | float) else None
    return TdtPlayer(uuid, whole or str(name.get("Nickname") or uuid), len(entries), out, prizes.get(uuid, 0))


def _amount(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


class _Reader:
    """Reads values one after the other; `new Name(x)` is `x`, `Map.from([[k, v]])` an object."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def document(self) -> Any:
        value = self._value()
        if self._text[self._at :].strip():
            raise self._wrong("the end of the file")
        return value

    def _value(self) -> Any:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise self._wrong(f"values at most {MOST_DEPTH} deep")
        kind, text = self._next()
        value: Any
        if kind == "string":
            value = self._string(text)
        elif kind == "number":
            value = self._number(text)
        elif text == "{":
            value = dict(self._pairs())
        elif text == "[":
            value = list(self._several("]"))
        elif kind == "name":
            value = self._named(text)
        else:
            raise self._wrong("a value")
        self._depth -= 1
        return value

    def _named(self, name: str) -> Any:
        if name in _WORDS:
            return _WORDS[name]
        if name == "new":
            kind, name = self._next()
            if kind != "name":
                raise self._wrong("a name after `new`")
        self._expect("(")
        arguments = list(self._several(")"))
        value = arguments[0] if arguments else {}
        if name in ("Map.from", "Map") and isinstance(value, list):
            return {str(pair[0]): pair[1] for pair in value if isinstance(pair, list) and len(pair) == 2}
        return value

    def _pairs(self) -> Iterator[tuple[str, Any]]:
        while True:
            kind, text = self._next()
            if text == "}" and kind == "mark":
                return
            if text == "," and kind == "mark":
                continue
            if kind not in ("name", "string", "number"):
                raise self._wrong("a name")
            self._expect(":")
            yield (self._string(text) if kind == "string" else text), self._value()

    def _several(self, end: str) -> Iterator[Any]:
        while True:
            before = self._at
            kind, text = self._next()
            if text == end and kind == "mark":
                return
            if text != "," or kind != "mark":
                self._at = before
                yield self._value()

    def _number(self, text: str) -> float:
        number = float(text) if len(text) <= MOST_DIGITS else math.inf
        if not math.isfinite(number):
            raise self._wrong(f"a number of {MOST_DIGITS} signs at most that a computer can hold")
        return int(text) if text.lstrip("-").isdigit() else number

    def _string(self, text: str) -> str:
        try:  # half of a pair of surrogates is no letter, and nothing could write it
            return str(json.loads(text, strict=False)).encode("utf-8", "replace").decode()
        except json.JSONDecodeError:
            return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)

    def _next(self) -> tuple[str, str]:
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            raise self._wrong("a value, a name or a bracket")
        self._at = found.end()
        kind = str(found.lastgroup)
        return kind, found[kind]

    def _expect(self, mark: str) -> None:
        if self._next() != ("mark", mark):
            raise self._wrong(f"`{mark}`")

    def _wrong(self, expected: str) -> TdtError:
        line = self._text.count("\n", 0, self._at) + 1
        near = self._text[max(0, self._at - 20) : self._at + 20].replace("\n", " ")
        return TdtError(f"line {line}, near {near!r}: expected {expected}")
