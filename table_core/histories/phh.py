"""Reads PHH, the poker hand history format in TOML: one hand a `.phh`, several in a `.phhs`.

Players are `p1` to `pn` and become seats 1 to n. With three or more players `p1` has the small blind, `p2` the
big blind and `pn` the button. Antes and blinds are listed small blind first, big blind second; heads-up `p1`
has the big blind and `p2` is small blind and button, with the lists in the same order. Where the small blind is
dead, `p1` has the big blind. Only no-limit hold'em (`NT`) is read. `phh_write.py` writes the format.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from table_core.histories.phh_actions import ActionReader
from table_core.histories.phh_write import list_order, trims_antes
from table_core.histories.recorded import (
    HistoryError,
    RecordedAction,
    RecordedHand,
    RecordedStep,
    Where,
    to_commands,
    to_steps,
)
from table_core.histories.toml_lines import TomlLines
from table_core.messages import Chips, Level, Seat
from table_core.toml_text import read_toml

__all__ = ["HistoryError", "RecordedHand", "RecordedStep", "parse_phh", "read_phh", "to_commands", "to_steps"]

NO_LIMIT_HOLDEM = "NT"
_SECTION = re.compile(r"\(at line (\d+)")
_TAKEN = (
    *("variant", "antes", "blinds_or_straddles", "starting_stacks", "actions"),
    *("hand", "players", "finishing_stacks", "seats", "_small_blind", "_winners"),
)
_DATE = ("time", "time_zone", "day", "month", "year")


def read_phh(path: Path, name: str | None = None) -> tuple[RecordedHand, ...]:
    """Every hand of a file. Raise `HistoryError` with `name` (default: the path), line and what was expected."""
    file = str(path) if name is None else name
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise HistoryError(file, None, "not UTF-8 text; expected a PHH file") from error
    except OSError as error:
        raise HistoryError(file, None, f"cannot be read: {error.strerror}") from error
    return parse_phh(text, file)


def parse_phh(text: str, file: str) -> tuple[RecordedHand, ...]:
    """Every hand of a PHH text; `file` is its name in errors, with `#n` added where it holds several hands.

    Raise `HistoryError` for a text that is not TOML or holds a bad hand.
    """
    try:
        content = read_toml(text)
    except ValueError as error:
        line = _SECTION.search(str(error))
        raise HistoryError(file, int(line.group(1)) if line else None, f"not TOML: {error}") from error
    if "variant" in content or not content:
        return (_Reader(file, content, TomlLines(text)).hand(),)
    hands = []
    for number, (section, fields) in enumerate(content.items(), 1):
        if not isinstance(fields, dict):
            line_no = TomlLines(text).of_key(section)
            raise HistoryError(file, line_no, f"{section!r} stands outside a hand; expected 'variant' or '[1]'")
        hands.append(_Reader(f"{file}#{number}", fields, TomlLines(text, section)).hand())
    return tuple(hands)


class _Reader:
    """Reads the fields of one hand and knows where they stand."""

    def __init__(self, file: str, fields: dict[str, Any], lines: TomlLines) -> None:
        self._file = file
        self._fields = fields
        self._lines = lines

    def hand(self) -> RecordedHand:
        variant = self._field("variant")
        if variant != NO_LIMIT_HOLDEM:
            raise self._error("variant", f"variant {variant!r}; expected {NO_LIMIT_HOLDEM!r}, no-limit hold'em")
        stacks = self._chips("starting_stacks")
        if len(stacks) < 2:
            raise self._error("starting_stacks", f"{len(stacks)} stack; expected two or more")
        players = len(stacks)
        small_blind, big_blind, level = self._blinds(players)
        where = self._where(players)
        actions, dealt = self._read_actions(players)
        return RecordedHand(
            file=self._file,
            hand=self._hand_number(),
            players=self._players(players),
            starting_stacks=stacks,
            finishing_stacks=self._finishing_stacks(players),
            level=level,
            button=Seat(players),
            small_blind=small_blind,
            big_blind=big_blind,
            actions=actions,
            hole_cards=dealt.hole,
            board=dealt.board,
            winners=self._seat_list("_winners", players) if "_winners" in self._fields else (),
            where=where,
            more=self._more(level, where),
        )

    # ---------------------------------------------------------------------------------------- fields

    def _blinds(self, players: int) -> tuple[Seat | None, Seat, Level]:
        """Who has the small blind (None: nobody) and the big blind, and the level."""
        listed = self._chips("blinds_or_straddles", players)
        paid = [place for place, amount in enumerate(listed) if amount]
        if len(paid) > 2:
            raise self._error("blinds_or_straddles", f"{list(listed)}: a straddle; expected two blinds, then 0")
        if not paid:
            raise self._error("blinds_or_straddles", f"{list(listed)}: no big blind")
        big = paid[-1]
        order = list_order(players)
        if len(paid) == 1:
            return None, order[big], self._level(self._dead_small_blind(), listed[big], big, players)
        small = paid[0]
        if listed[small] > listed[big]:
            expected = "expected the small blind first, then the big blind"
            raise self._error("blinds_or_straddles", f"{list(listed)}: {expected}")
        return order[small], order[big], self._level(listed[small], listed[big], big, players)

    def _level(self, small_blind: Chips, big_blind: Chips, big: int, players: int) -> Level:
        """The level; `big` is the place of the big blind in the lists."""
        antes = self._chips("antes", players)
        each = {amount for place, amount in enumerate(antes) if place != big}
        ante = min(each)
        if len(each) > 1 or antes[big] < ante:
            expected = "expected the same from everyone, with what the big blind adds for the table"
            raise self._error("antes", f"{list(antes)}: {expected}")
        number = self._fields.get("level", 1)
        no = number if isinstance(number, int) else 1
        return Level(no, small_blind, big_blind, ante, Chips(antes[big] - ante))

    def _dead_small_blind(self) -> Chips:
        amount = self._fields.get("_small_blind", 0)
        if not _is_chips(amount):
            raise self._error("_small_blind", f"{amount!r}; expected a whole number of chips")
        return Chips(amount)

    def _where(self, players: int) -> Where:
        fields = self._fields
        table, event, count, button = (fields.get(key) for key in ("table", "event", "seat_count", "_button"))
        return Where(
            event=event if isinstance(event, str) else "",
            table=table if isinstance(table, str) else "",
            seat_count=count if isinstance(count, int) else None,
            seats=self._seat_list("seats", None, players) if "seats" in fields else (),
            button=Seat(button) if isinstance(button, int) else None,
            started=_started(fields),
        )

    def _seat_list(self, key: str, most: int | None, count: int | None = None) -> tuple[Seat, ...]:
        """Different seat numbers: none above `most`, `count` of them."""
        seats = self._field(key)
        valid = isinstance(seats, list) and all(isinstance(seat, int) and seat > 0 for seat in seats)
        if not valid or len(set(seats)) != len(seats) or (count is not None and len(seats) != count):
            raise self._error(key, f"{key} = {seats!r}; expected different seat numbers{_number(count)}")
        if most is not None and max(seats, default=0) > most:
            raise self._error(key, f"{key} = {seats!r}; expected players from 1 to {most}")
        return tuple(Seat(seat) for seat in seats)

    def _more(self, level: Level, where: Where) -> dict[str, Any]:
        """Fields that nothing above has taken in, to be written again as they are."""
        fields = self._fields
        usual = {"min_bet": level.big_blind, "ante_trimming_status": trims_antes(level.big_blind_ante > 0)}
        taken = set(_TAKEN) | {key for key, value in usual.items() if fields.get(key) == value}
        taken |= {key for key in ("event", "table") if getattr(where, key)}
        taken |= set(_DATE) if where.started else set()
        taken |= {key for key in ("level", "seat_count", "_button") if isinstance(fields.get(key), int)}
        return {key: value for key, value in fields.items() if key not in taken}

    def _hand_number(self) -> int:
        number = self._fields.get("hand", 1)
        if not isinstance(number, int):
            raise self._error("hand", f"hand {number!r}; expected a whole number")
        return number

    def _players(self, count: int) -> tuple[str, ...]:
        names = self._fields.get("players", [f"p{number}" for number in range(1, count + 1)])
        if not isinstance(names, list) or len(names) != count:
            raise self._error("players", f"{names!r}; expected {count} names, one for each stack")
        return tuple(str(name) for name in names)

    def _finishing_stacks(self, count: int) -> tuple[Chips, ...] | None:
        return self._chips("finishing_stacks", count) if "finishing_stacks" in self._fields else None

    def _chips(self, key: str, count: int | None = None) -> tuple[Chips, ...]:
        amounts = self._field(key)
        if not isinstance(amounts, list) or not all(_is_chips(amount) for amount in amounts):
            raise self._error(key, f"{key} = {amounts!r}; expected whole numbers of chips, none negative")
        if count is not None and len(amounts) != count:
            raise self._error(key, f"{key} has {len(amounts)} entries; expected {count}, one for each stack")
        return tuple(Chips(amount) for amount in amounts)

    def _field(self, key: str) -> Any:
        if key not in self._fields:
            raise HistoryError(self._file, self._lines.of_key("variant"), f"{key!r} is missing from this hand")
        return self._fields[key]

    def _read_actions(self, players: int) -> tuple[tuple[RecordedAction, ...], ActionReader]:
        texts = self._field("actions")
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise self._error("actions", f"actions = {texts!r}; expected a list of strings")
        reader = ActionReader(self._file, players)
        numbered = enumerate(zip(texts, self._lines.of_strings("actions"), strict=True), 1)
        read = [reader.read(number, line, text) for number, (text, line) in numbered]
        return tuple(action for action in read if action is not None), reader

    def _error(self, key: str, problem: str) -> HistoryError:
        return HistoryError(self._file, self._lines.of_key(key), problem)


def _is_chips(amount: object) -> bool:
    return isinstance(amount, int) and not isinstance(amount, bool) and amount >= 0


def _number(count: int | None) -> str:
    return "" if count is None else f", {count} of them"


def _started(fields: dict[str, Any]) -> str:
    """When the hand began; "" unless the file says it in full and in UTC."""
    clock, year, month, day = (fields.get(key) for key in ("time", "year", "month", "day"))
    if not isinstance(clock, time) or fields.get("time_zone") != "UTC":
        return ""
    if not isinstance(year, int) or not isinstance(month, int) or not isinstance(day, int):
        return ""
    try:
        began = datetime(year, month, day, clock.hour, clock.minute, clock.second, tzinfo=UTC)
    except ValueError:
        return ""
    return began.isoformat().replace("+00:00", "Z")
