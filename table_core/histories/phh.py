"""Reads PHH, the poker hand history format in TOML: one hand a `.phh`, several in a `.phhs`.

Players are `p1` to `pn` and become seats 1 to n. With three or more players `p1` has the small blind, `p2` the
big blind and `pn` the button. Antes and blinds are listed small blind first, big blind second; heads-up `p1`
has the big blind and `p2` is small blind and button, with the lists in the same order. Where the small blind is
dead, `p1` has the big blind. Only no-limit hold'em (`NT`) is read. `phh_write.py` writes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any, NamedTuple

from table_core.histories.amounts import AmountError, Unit
from table_core.histories.phh_actions import ActionReader
from table_core.histories.phh_write import list_order, trims_antes
from table_core.histories.recorded import MOST_PLAYERS, HistoryError, RecordedAction, RecordedHand, Where
from table_core.histories.toml_lines import TomlLines
from table_core.messages import Chips, Level, Seat
from table_core.toml_text import read_toml

NO_LIMIT_HOLDEM = "NT"
_SECTION = re.compile(r"\(at line (\d+)")
_DIGITS = re.compile(r"(?<!\d)\d{1000}")
_PLACE = re.compile(r" \(at (?:line \d+, column \d+|end of document)\)")
_TAKEN = (
    *("variant", "antes", "blinds_or_straddles", "starting_stacks", "actions"),
    *("hand", "players", "finishing_stacks", "winnings", "seats", "_small_blind", "_winners"),
)
_BET = re.compile(r" cbr +([\d.]+)")
_DATE = ("time", "time_zone", "day", "month", "year")


def phh_hand(text: str, file: str, line: int = 1, unit: Decimal | None = None) -> RecordedHand:
    """The one hand of a text, a section or a whole file, that begins in `line` of `file`. `unit` is the amount
    that is one chip (`amounts.Unit`). Raise `HistoryError` for a text that is not TOML or holds a bad hand."""
    try:
        content = read_toml(text, Decimal)
    except (ValueError, ArithmeticError) as error:
        found, digits = _SECTION.search(str(error)), _DIGITS.search(text)
        at = int(found.group(1)) + line - 1 if found else line
        problem = _PLACE.sub("", str(error))[:200]
        if digits:
            at, problem = line + text.count("\n", 0, digits.start()), "a number of more than 1,000 digits"
        raise HistoryError(file, at, f"not TOML: {problem}", "not TOML") from error
    fields: Any = content
    if "variant" not in content and content:
        section, fields = next(iter(content.items()))
        if not isinstance(fields, dict):
            raise HistoryError(file, line, f"{section!r} stands outside a hand; expected 'variant' or '[1]'")
    return _Reader(file, fields, TomlLines(text, line), unit).hand()


class _Posts(NamedTuple):
    """Who posts what. `small`: None where nobody has the small blind."""

    small: Seat | None
    big: Seat
    level: Level
    extra_small: tuple[Seat, ...] = ()
    extra_big: tuple[Seat, ...] = ()


class _Reader:
    """Reads the fields of one hand and knows where they stand."""

    def __init__(self, file: str, fields: dict[str, Any], lines: TomlLines, unit: Decimal | None) -> None:
        self._file = file
        self._fields = fields
        self._lines = lines
        self._unit = Unit(unit, self._amounts())

    def _amounts(self) -> Iterator[Any]:
        for key in ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings"):
            listed = self._fields.get(key)
            yield from listed if isinstance(listed, list) else ()
        actions = self._fields.get("actions")
        for action in actions if isinstance(actions, list) else ():
            found = _BET.search(action) if isinstance(action, str) else None
            if found:
                yield found.group(1)

    def hand(self) -> RecordedHand:
        variant = self._field("variant")
        if variant != NO_LIMIT_HOLDEM:
            problem = f"variant {variant!r}; expected {NO_LIMIT_HOLDEM!r}, no-limit hold'em"
            raise self._error("variant", problem, f"another game: {str(variant)[:20]}")
        stacks = self._chips("starting_stacks")
        if not 2 <= len(stacks) <= MOST_PLAYERS:
            raise self._error("starting_stacks", f"{len(stacks)} stacks; expected 2 to {MOST_PLAYERS}")
        players = len(stacks)
        posts = self._posts(players)
        where = self._where(players)
        actions, dealt = self._read_actions(players)
        return RecordedHand(
            file=self._file,
            hand=self._hand_number(),
            players=self._players(players),
            starting_stacks=stacks,
            finishing_stacks=self._optional_chips("finishing_stacks", players),
            level=posts.level,
            button=Seat(players),
            small_blind=posts.small,
            big_blind=posts.big,
            actions=actions,
            hole_cards=dealt.hole,
            board=dealt.board,
            winners=self._winners(players, dealt),
            extra_small_blinds=posts.extra_small,
            extra_big_blinds=posts.extra_big,
            winnings=self._winnings(players),
            unit=str(self._unit.value),
            where=where,
            more=self._more(posts.level, where),
        )

    # ---------------------------------------------------------------------------------------- fields

    def _posts(self, players: int) -> _Posts:
        listed = self._chips("blinds_or_straddles", players)
        paid = [place for place, amount in enumerate(listed) if amount]
        words = _words(self._field("blinds_or_straddles"))
        if not paid:
            bomb = all(self._chips("antes", players))
            kind = "a bomb pot" if bomb else "no big blind"
            raise self._error("blinds_or_straddles", f"{words}: {kind}; expected a big blind", kind)
        order = list_order(players)
        big = 1 if listed[1] else paid[-1]
        small = next((place for place in paid if place != big and (listed[1] == 0 or place == 0)), None)
        extra = [place for place in paid if place not in (big, small)]
        if small is not None and listed[small] > listed[big]:
            expected = "expected the small blind first, then the big blind"
            raise self._error("blinds_or_straddles", f"{words}: {expected}")
        small_amount = listed[small] if small is not None else self._dead_small_blind()
        both = [place for place in extra if listed[place] == small_amount + listed[big] > listed[big]]
        extra_big = [place for place in extra if listed[place] == listed[big]] + both
        extra_small = [place for place in extra if 0 < listed[place] == small_amount < listed[big]] + both
        if odd := [place for place in extra if place not in (*extra_big, *extra_small)]:
            kind = "a straddle" if listed[odd[0]] >= 2 * listed[big] else "a dead blind"
            problem = f"{words}: {kind} of p{order[odd[0]]}; expected blinds as the level has them"
            raise self._error("blinds_or_straddles", problem, kind)
        level = self._level(small_amount, listed[big], big, players)
        return _Posts(
            None if small is None else order[small],
            order[big],
            level,
            tuple(order[place] for place in extra_small),
            tuple(order[place] for place in extra_big),
        )

    def _winnings(self, players: int) -> tuple[Chips, ...] | None:
        """What each player collected. All zeros of converters are no result: somebody won the blinds."""
        winnings = self._optional_chips("winnings", players)
        return winnings if winnings and any(winnings) else None

    def _winners(self, players: int, dealt: ActionReader) -> tuple[Seat, ...]:
        """Who won by the dealer's word, or took `winnings` without cards that are known."""
        if "_winners" in self._fields:
            return self._seat_list("_winners", players)
        winnings = self._winnings(players) or ()
        won = tuple(Seat(number) for number, amount in enumerate(winnings, 1) if amount)
        known = dealt.shown and all(seat in dealt.shown for seat in won) and len(dealt.board) == 5
        return () if known else won

    def _level(self, small_blind: Chips, big_blind: Chips, big: int, players: int) -> Level:
        """The level; `big` is the place of the big blind in the lists."""
        antes = self._chips("antes", players)
        each = {amount for place, amount in enumerate(antes) if place != big}
        ante = min(each)
        if len(each) > 1 or antes[big] < ante:
            expected = "expected the same from everyone, with what the big blind adds for the table"
            problem = f"{_words(self._field('antes'))}: {expected}"
            raise self._error("antes", problem, "antes of some players")
        number = self._fields.get("level", 1)
        no = number if isinstance(number, int) else 1
        return Level(no, small_blind, big_blind, ante, Chips(antes[big] - ante))

    def _dead_small_blind(self) -> Chips:
        amount = self._fields.get("_small_blind", 0)
        try:
            return self._unit.chips(amount)
        except AmountError as error:
            raise self._error("_small_blind", str(error), "amounts") from error

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

    def _optional_chips(self, key: str, count: int) -> tuple[Chips, ...] | None:
        return self._chips(key, count) if key in self._fields else None

    def _chips(self, key: str, count: int | None = None) -> tuple[Chips, ...]:
        amounts = self._field(key)
        if not isinstance(amounts, list):
            raise self._error(key, f"{key} = {str(amounts)[:60]!r}; expected a list of amounts", "amounts")
        if count is not None and len(amounts) != count:
            raise self._error(key, f"{key} has {len(amounts)} entries; expected {count}, one for each stack")
        try:
            return tuple(map(self._unit.chips, amounts))
        except AmountError as error:
            raise self._error(key, f"{key}: {error}", "amounts") from error

    def _field(self, key: str) -> Any:
        if key not in self._fields:
            raise HistoryError(self._file, self._lines.of_key("variant"), f"{key!r} is missing from this hand")
        return self._fields[key]

    def _read_actions(self, players: int) -> tuple[tuple[RecordedAction, ...], ActionReader]:
        texts = self._field("actions")
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise self._error("actions", f"actions = {texts!r}; expected a list of strings")
        reader = ActionReader(self._file, players, self._unit, unread_win="_winners" in self._fields)
        lines: list[int | None] = [*self._lines.of_strings("actions")]
        if len(lines) != len(texts):  # strings of several lines
            lines = [self._lines.of_key("actions")] * len(texts)
        numbered = enumerate(zip(texts, lines, strict=True), 1)
        read = [reader.read(number, line, text) for number, (text, line) in numbered]
        return tuple(action for action in read if action is not None), reader

    def _error(self, key: str, problem: str, kind: str = "cannot be read") -> HistoryError:
        return HistoryError(self._file, self._lines.of_key(key), problem[:400], kind)


def _words(amounts: list[Any]) -> str:
    return f"[{', '.join(str(amount)[:20] for amount in amounts[:20])}]"


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
