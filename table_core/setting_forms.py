"""Settings of a book as people type them: the heading and the unit of each, text into a value and back.

>>> typed("buy_in", "$40.50"), typed("starting_stack", "5k"), typed("payouts", "50, 30, 20")
(40.5, 5000, [50, 30, 20])
>>> as_typed("buy_in", 40.5), as_typed("starting_stack", 5000), as_typed("add_on", True)
('$40.50', '5,000', 'yes')
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, get_args, get_origin

from table_core.messages import Few, Frozen
from table_core.parameters import Dollars
from table_core.reference import in_words, sentence
from table_core.rulebook_file import SECTIONS, choices_of, names_of, section_of, type_of, value_fault
from table_core.tournament.local_day import time_of_day

ANY = "any"  # rebuys: as many as one likes


class Kind(StrEnum):
    """What is typed for a setting."""

    YES = "yes"  # yes or no
    NUMBER = "number"
    MONEY = "money"  # dollars
    SHARE = "share"  # a part of a whole, in per cent
    CHOICE = "choice"  # one word of several
    CHOICES = "choices"  # some of them, in an order
    TIME = "time"  # of day
    TEXT = "text"
    NUMBERS = "numbers"
    TEXTS = "texts"
    CHIPS = "chips"  # how many of which value
    ROWS = "rows"  # of numbers
    MEALS = "meals"  # time of day and minutes
    PLACES = "places"  # place and what it wins


_TIMES = ("start_time", "early_bonus_until")
_PAIRS = {"chip_set": Kind.CHIPS, "starting_chips": Kind.CHIPS, "meals": Kind.MEALS, "seat_prizes": Kind.PLACES}
_EXAMPLES = {
    Kind.NUMBER: "12",
    Kind.MONEY: "$40 or 40.50",
    Kind.SHARE: "80 %",
    Kind.TIME: "19:30",
    Kind.NUMBERS: "16, 8",
    Kind.TEXTS: "1/1, 1/2",
    Kind.CHIPS: "8x25, 8x100, 4x500",
    Kind.ROWS: "5, 2, 1; 6, 3, 1",
    Kind.MEALS: "18:30 for 45, 23:00 for 20",
    Kind.PLACES: "1: the main event, 2: the main event",
}


class SettingForm(Frozen, frozen=True):
    """How a setting is asked for. `says` is its sentence with … for the value; of a yes or no
    `says_no` is the one for no. `label` is the short name of one that has a field of its own."""

    name: str
    kind: Kind
    says: str
    unit: str = ""
    example: str = ""
    says_no: str = ""
    choices: Few[tuple[str, str]] = ()
    label: str = ""

    @property
    def title(self) -> str:
        """What the field is called: the short name, or the sentence without its value."""
        if self.label:
            return self.label
        if self.kind is Kind.YES:
            return self.says.rstrip(".")
        return re.sub(r"\s*…\.?$|\.$", "", self.says).rstrip(": ")


@cache
def _forms() -> Mapping[str, Any]:
    return tomllib.loads(resources.files("table_core").joinpath("rules", "setting_forms.toml").read_text("utf-8"))


@cache
def setting_forms() -> Mapping[str, tuple[SettingForm, ...]]:
    """Every setting of a book under its heading."""
    return {group: tuple(form_of(name) for name in names) for group, names in _forms()["groups"].items()}


def all_settings() -> tuple[str, ...]:
    """The names of every setting that a book may have."""
    return tuple(name for section in SECTIONS if section != "cites" for name in names_of(section))


@cache
def form_of(name: str) -> SettingForm:
    """How this setting is asked for."""
    kind = kind_of(name)
    label, example = _forms()["names"].get(name, ("", ""))
    unit = next((unit for unit, names in _forms()["units"].items() if name in names), "")
    if kind is Kind.YES:
        yes, no = sentence(name, True), sentence(name, False)
        return SettingForm(name, kind, yes, says_no=no, label=label)
    choices = tuple((word, in_words(word)) for word in choices_of(name))
    example = example or ("" if kind is Kind.CHOICE else _EXAMPLES.get(kind, ""))
    return SettingForm(name, kind, sentence(name, "…"), unit, example, choices=choices, label=label)


@cache
def kind_of(name: str) -> Kind:
    """What is typed for this setting."""
    type_, listed = type_of(name), get_origin(type_of(name)) is tuple
    if name in _PAIRS:
        return _PAIRS[name]
    if name in _TIMES:
        return Kind.TIME
    if choices_of(name):
        return Kind.CHOICES if listed else Kind.CHOICE
    if listed:
        part = get_args(type_)[0]
        return Kind.ROWS if get_origin(part) is tuple else Kind.TEXTS if part is str else Kind.NUMBERS
    kinds = {bool: Kind.YES, int: Kind.NUMBER, float: Kind.SHARE, str: Kind.TEXT, Dollars: Kind.MONEY}
    return kinds[type_]


# ------------------------------------------------------------------------------------------------------- reading


def typed(name: str, text: str) -> Any:
    """The value of what was typed for a setting, as a file has it. Raise `ValueError` with what is wrong and what
    to write."""
    kind, words = kind_of(name), text.strip()
    value = _READ[kind](words, name)
    if fault := value_fault(name, value):
        raise ValueError(f"{fault[:1].upper()}{fault[1:]}.")
    return value


def _number(words: str, name: str) -> int:
    """`12`, `5,000`, `5 000`, `5k`, `1.5k`, `2m`."""
    unit = form_of(name).unit
    found = re.fullmatch(rf"(\d[\d., ]*?)\s*([km]?)(?:\s*{re.escape(unit.rstrip('s'))}s?)?", words.lower())
    value = None if found is None else _figure(found[1])
    if found is not None and not found[2] and re.search(r"[.,]\d{1,2}$", found[1]):
        value = None  # a slip for thousands, and no part of a chip
    whole = None if value is None or found is None else value * {"": 1, "k": 1_000, "m": 1_000_000}[found[2]]
    if whole is None or abs(whole - round(whole)) > 1e-6:
        what = f"a whole number{f' of {unit}' if unit.endswith('s') else ''}"
        raise ValueError(f"{words} is not {what}: write {form_of(name).example or '12'}.")
    return round(whole)


def _figure(words: str) -> float | None:
    """A number with separators of thousands; a comma or a point before one or two digits at the end is a decimal
    one."""
    plain = words.strip().replace("\u00a0", " ")
    if re.fullmatch(r"\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", plain):
        return float(re.sub(r"[ ,]", "", plain))
    if re.fullmatch(r"\d+,\d{1,2}", plain):
        return float(plain.replace(",", "."))
    return None


def _money(words: str, name: str) -> Dollars:
    """`$40`, `40`, `40.50`, `1,200`; whole dollars are a whole number."""
    value = _figure(re.sub(r"^\s*\$|\s*(?:\$|dollars?)\s*$", "", words.lower()).strip())
    if value is None or abs(value * 100 - round(value * 100)) > 1e-6:
        raise ValueError(f"{words} is no amount: write $40, 40 or 40.50.")
    return int(value) if value == int(value) else value


def _share(words: str, name: str) -> float:
    value = _figure(re.sub(r"\s*(?:%|per cent)\s*$", "", words.lower()))
    if value is None or not 0 <= value <= 100:
        raise ValueError(f"{words} is no part of a whole: write it in per cent, 80.")
    return value / 100


def _yes(words: str, name: str) -> bool:
    if words.lower() not in ("yes", "no"):
        raise ValueError("Write yes or no.")
    return words.lower() == "yes"


def _word(words: str, name: str) -> str:
    known = {shown: value for value, shown in form_of(name).choices} | {one: one for one in choices_of(name)}
    if words.lower() not in known:
        raise ValueError(f"{words} is none of: {', '.join(in_words(one) for one in choices_of(name))}.")
    return known[words.lower()]


def _time(words: str, name: str) -> str:
    if time_of_day(words) is None:
        raise ValueError(f"{words} is no time of day: write 19:30.")
    return words


def _parts(words: str) -> list[str]:
    """What commas and semicolons separate; commas alone where numbers have no thousands in them."""
    return [part.strip() for part in re.split(r"[,;]|\s(?=\d)", words) if part.strip()]


def _numbers(words: str, name: str) -> list[Dollars]:
    values = [_figure(part.rstrip("% ")) for part in _parts(words)]
    if not values or None in values:
        raise ValueError(f"Write numbers with commas between them: {form_of(name).example}.")
    return [int(value) if value == int(value) else value for value in values if value is not None]


def _texts(words: str, name: str) -> list[str]:
    return [part for part in (one.strip() for one in words.split(",")) if part]


def _choices(words: str, name: str) -> list[str]:
    return [_word(part, name) for part in _texts(words, name)]


def _chips(words: str, name: str) -> list[list[int]]:
    found = [re.fullmatch(r"(\d+)\s*[x×*]\s*(\d[\d.]*k?)", part.lower()) for part in _texts(words, name)]
    odd = [part for part, one in zip(_texts(words, name), found, strict=True) if one is None]
    if odd or not found:
        raise ValueError(f"Write how many of which value, such as 8x25, 8x100; not {', '.join(odd) or 'nothing'}.")
    return [[_number(one[2], name), int(one[1])] for one in found if one is not None]


def _rows(words: str, name: str) -> list[list[Dollars]]:
    return [_numbers(row, name) for row in words.split(";") if row.strip()]


def _meals(words: str, name: str) -> list[list[Any]]:
    found = [
        re.fullmatch(r"(\d{1,2}:\d\d)\s*(?:for\s*)?(\d+)\s*(?:min\w*)?", part) for part in _texts(words, name)
    ]
    if not found or None in found:
        raise ValueError("Write when and for how many minutes: 18:30 for 45.")
    return [[one[1], int(one[2])] for one in found if one is not None]


def _places(words: str, name: str) -> list[list[Any]]:
    found = [re.fullmatch(r"(\d+)\s*:\s*(\S.*)", part) for part in _texts(words, name)]
    if not found or None in found:
        raise ValueError("Write the place and what it wins: 1: the main event.")
    return [[int(one[1]), one[2]] for one in found if one is not None]


_READ: Mapping[Kind, Callable[[str, str], Any]] = {
    Kind.YES: _yes,
    Kind.NUMBER: _number,
    Kind.MONEY: _money,
    Kind.SHARE: _share,
    Kind.CHOICE: _word,
    Kind.CHOICES: _choices,
    Kind.TIME: _time,
    Kind.TEXT: lambda words, _: words,
    Kind.NUMBERS: _numbers,
    Kind.TEXTS: _texts,
    Kind.CHIPS: _chips,
    Kind.ROWS: _rows,
    Kind.MEALS: _meals,
    Kind.PLACES: _places,
}


# ------------------------------------------------------------------------------------------------------- writing


def dollars(amount: Dollars) -> str:
    """`$40`, `$40.50`, `$1,200`."""
    return f"${amount:,}" if amount == int(amount) and isinstance(amount, int) else f"${amount:,.2f}"


def _plain(number: Dollars) -> str:
    return f"{int(number)}" if number == int(number) else f"{number:g}"


def as_typed(name: str, value: Any) -> str:
    """A value of a setting as a person types it; `typed` takes it back."""
    match kind_of(name):
        case Kind.MONEY:
            return dollars(value)
        case Kind.SHARE:
            return f"{value * 100:g} %"
        case Kind.NUMBER:
            return f"{value:,}" if form_of(name).unit == "chips" else f"{value}"
        case Kind.CHIPS:
            return ", ".join(f"{count}x{worth}" for worth, count in value)
        case Kind.ROWS:
            return "; ".join(", ".join(map(_plain, row)) for row in value)
        case Kind.MEALS:
            return ", ".join(f"{at} for {minutes}" for at, minutes in value)
        case Kind.PLACES:
            return ", ".join(f"{place}: {what}" for place, what in value)
        case Kind.NUMBERS:
            return ", ".join(_plain(one) for one in value)
        case Kind.CHOICE | Kind.CHOICES | Kind.TEXTS:
            return in_words(value) if kind_of(name) is not Kind.TEXTS else ", ".join(value)
    return in_words(value) if isinstance(value, bool) else f"{value}"


def read_all(given: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of everything that was typed, by setting, and what is wrong with the others. What is empty is the
    book's; *any* number of rebuys is `rebuys_unlimited`."""
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for name, text in given.items():
        if not text.strip():
            continue
        if section_of(name) in (None, "cites"):
            faults[name] = "There is no such setting."
        elif name == "rebuys" and text.strip().lower() == ANY:
            values["rebuys_unlimited"] = True
        else:
            try:
                values[name] = typed(name, text)
            except ValueError as error:
                faults[name] = str(error)
    return values, faults


def typed_of(house: Mapping[str, Any], names: Sequence[str] | None = None) -> dict[str, str]:
    """Settings as they are typed, by name; without what is no setting of this program, or no value of one."""
    found = {
        name: as_typed(name, value)
        for name, value in house.items()
        if (names is None or name in names)
        and section_of(name) not in (None, "cites")
        and not value_fault(name, value)
    }
    if house.get("rebuys_unlimited") is True and "rebuys" not in house:
        found["rebuys"] = ANY
        found.pop("rebuys_unlimited", None)
    return found
