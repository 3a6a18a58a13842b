"""Values for a field of a message: valid, at its bounds, beyond them, and what no field is."""

from __future__ import annotations

import enum
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import inspect

Chance = random.Random

TEXTS = (
    *(
        "",
        " ",
        "Ann",
        "a\nb",
        "a\r\nb",
        "\t",
        "a\x00b",
        "\x1b[31mred",
        "\x7f",
        "\u2028",
        "\u202eevil",
        "e\u0301" * 60,
    ),
    *("\ud800", "\ufeff", "🂡" * 40, "x" * 199, "x" * 200, "x" * 201, "é" * 2_000, "x" * 3_999, "x" * 4_000),
    *(
        "x" * 4_001,
        "x" * 4_010,
        "x" * 70_000,
        "</script><img src=x>",
        "=cmd|x",
        "../../etc/passwd",
        "p1,p2",
        '"',
        "'",
    ),
    *("Ks", "??", "p1", "01", "null", "-1", "1e400", "NaN", "%s%s%n", "{0}", "a" * 64, "٣", "K" * 130_000),
)
NUMBERS = (
    *(0, 1, 2, 3, 9, 10, 99, 100, 1_000, 32_767, 65_536, 100_000, 100_001, 10**6, 10**9, 2**31, 2**32, 10**12),
    *(10**12 + 1, 10**15, 10**15 + 1, 10**16, 2**53 - 2, 2**53 - 1, 2**53, 2**63 - 1, 2**63, 2**64, 10**30),
    *(-1, -2, -(10**12), -(2**53), -(2**63), -(2**63) - 1),
)
FLOATS = (0.0, -0.0, 0.5, 1e-300, 5e-324, 1.0, 99.99, 1e5, 100_001.0, 1e12, 1e15, 1e16, 1e300, 1.7e308, -1.0)
MARKS = ("1e400", "NaN", "-Infinity", "[" * 900 + "]" * 900, '{"a":' * 900 + "1" + "}" * 900, "1" * 400)
_MARK = "\x02mark-"
_OFTEN = {"anyway": 0.8, "member": 0.8, "adult": 0.8}  # without which most is refused
STRANGE: tuple[Any, ...] = (None, True, False, 0, -1, 1.5, "", "x", [], {}, [[]], {"a": 1}, [None], ["x"] * 3)


class Values:
    """Draws values. `world` gives what there is now, by the name of a field: ids of players, tables, records."""

    def __init__(self, chance: Chance, world: Callable[[], Mapping[str, Sequence[Any]]]) -> None:
        self._chance = chance
        self._world = world

    def of(self, kind: Any, odd: float) -> Any:
        """A value of a type; each part is odd with the probability `odd`."""
        return self._value(inspect.type_info(kind), "", odd)

    def json(self, value: Any) -> bytes:
        """As JSON, with what JSON cannot say put in afterwards."""
        return _written(value)

    def _value(self, info: Any, name: str, odd: float) -> Any:
        chance = self._chance
        if odd and chance.random() < odd:
            return self._odd(info, name)
        known = self._world().get(name)
        if known and not isinstance(info, inspect.StructType) and chance.random() < 0.9:
            return self._of_world(info, known)
        match info:
            case inspect.UnionType():
                return self._value(chance.choice(info.types), name, odd)
            case inspect.StructType():
                return self._struct(info, odd)
            case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
                size = min(chance.choice((0, 1, 1, 2, 2, 3, 8)), info.max_length or 100)
                return [self._value(info.item_type, name, odd) for _ in range(size)]
            case inspect.TupleType():
                return [self._value(one, name, odd) for one in info.item_types]
            case inspect.DictType():
                return self._dict(name)
            case inspect.EnumType():
                return chance.choice([one.value for one in info.cls])
            case inspect.LiteralType():
                return chance.choice(info.values)
            case inspect.BoolType():
                return chance.random() < 0.5
            case inspect.IntType():
                return self._within(info, chance.choice((1, 1, 2, 3, 5, 25, 50, 100, 400, 1_000, 5_000)))
            case inspect.FloatType():
                return chance.choice((1.0, 5.0, 15.0, 20.0, 0.5))
            case inspect.StrType():
                return chance.choice(("", "Ann", "a reason", "p1", "01"))
            case inspect.NoneType():
                return None
            case inspect.RawType() | inspect.AnyType():
                return chance.choice(STRANGE)
            case inspect.CustomType():
                return chance.choice((1, "x", None))
            case inspect.BytesType():
                return "AAAA"
        return chance.choice(STRANGE)

    def _of_world(self, info: Any, known: Sequence[Any]) -> Any:
        if isinstance(info, inspect.VarTupleType | inspect.ListType):
            return self._chance.sample(list(known), self._chance.randint(1, min(4, len(known))))
        return self._chance.choice(list(known))

    def _struct(self, info: inspect.StructType, odd: float) -> dict[str, Any]:
        chance = self._chance
        made: dict[str, Any] = {} if info.tag_field is None else {info.tag_field: info.tag}
        for field in info.fields:
            if field.required or chance.random() < _OFTEN.get(field.name, 0.4):
                made[field.encode_name] = self._value(field.type, field.encode_name, odd)
        return made

    def _dict(self, name: str) -> dict[str, Any]:
        settings = self._world().get("settings", ())
        made: dict[str, Any] = {}
        for _ in range(self._chance.choice((0, 1, 1, 2))):
            key = self._chance.choice(list(settings) or ["x"])
            made[key] = self._chance.choice((*STRANGE, *NUMBERS, *FLOATS, [100], [50, 30, 20], "18:00"))
        return made

    def _within(self, info: inspect.IntType, wanted: int) -> int:
        least = info.ge if info.ge is not None else wanted
        most = info.le if info.le is not None else wanted
        return int(min(max(wanted, least), most))

    def _odd(self, info: Any, name: str) -> Any:
        """At the bounds, beyond them, or of no such type."""
        chance = self._chance
        if chance.random() < 0.06:
            return f"{_MARK}{chance.randrange(len(MARKS))}"
        if chance.random() < 0.1:
            return chance.choice(STRANGE)
        match info:
            case inspect.UnionType():
                return self._odd(chance.choice(info.types), name)
            case inspect.IntType():
                bounds = [b + d for b in (info.ge, info.le) if b is not None for d in (-1, 0, 0, 1)]
                return int(chance.choice((*NUMBERS, *bounds, *bounds, *bounds)))
            case inspect.FloatType():
                return chance.choice((*FLOATS, *NUMBERS))
            case inspect.StrType():
                most = info.max_length or 4_000
                longest = ("x" * most, "é" * most, "x" * (most + 1), "x" * (most - 1), '"' * most)
                return chance.choice((*TEXTS, *longest))
            case inspect.VarTupleType() | inspect.ListType():
                most = info.max_length or 100
                one = self._value(info.item_type, name, 0.0)
                size = chance.choice((0, 1, 2, 100, min(most, 3_000), min(most + 1, 3_001)))
                if chance.random() < 0.5:
                    return [one] * size
                return [self._value(info.item_type, name, 0.05) for _ in range(min(size, 200))]
            case inspect.StructType():
                made = self._struct(info, 0.3)
                return made | ({"strange": 1} if chance.random() < 0.2 else {})
            case inspect.DictType():
                return {
                    chance.choice(("x", "", "a\nb", *self._world().get("settings", ()))): chance.choice(STRANGE)
                }
            case inspect.EnumType() | inspect.LiteralType():
                return chance.choice(("", "x", 0, 99))
        return chance.choice(STRANGE)


def _written(value: Any) -> bytes:
    import json

    text = json.dumps(value, separators=(",", ":"), default=_plain)
    for at, mark in enumerate(MARKS):
        text = text.replace(json.dumps(f"{_MARK}{at}"), mark)
    return text.encode(errors="surrogatepass")


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, enum.Enum) else msgspec.to_builtins(value)
