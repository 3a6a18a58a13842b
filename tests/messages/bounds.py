"""Values at the bounds of a type and beyond, and structs with one field changed to each of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect
from msgspec.structs import replace

from table_core.messages import Unencodable, encode, from_text
from tests.messages.samples import plains

FAR = 2**53
NUMBERS = (0, -1, FAR - 1, FAR, -FAR, 2**63, 2**64, -(2**63) - 1, 10**40)
FLOATS = (0.0, -1.0, 1e5, 1e9, 1e308, float("inf"), float("-inf"), float("nan"))
LETTERS = ("", "\n", "a\n", "\x00", "\x7f", "é", "\U0001f0a1", "\ud800", '"', "\\", "Zz", "??")


def around(info: inspect.Type) -> Iterator[Any]:
    """Values of a field at its bounds and beyond."""
    match info:
        case inspect.IntType():
            ends = {end + by for end in (info.ge, info.le) if end is not None for by in (-1, 0, 1)}
            yield from sorted({*NUMBERS, *map(int, ends)})
        case inspect.FloatType():
            yield from FLOATS
        case inspect.StrType():
            yield from LETTERS
            most = info.max_length or 4_000
            yield from ("x" * most, "x" * (most + 1), "\U0001f0a1" * most)
        case inspect.VarTupleType():
            most = info.max_length or 100
            for one in itertools.islice(around(info.item_type), 1):
                yield from ((one,) * length for length in (0, most, most + 1))
            yield from ((value,) for value in around(info.item_type))
        case inspect.UnionType():
            for one in info.types:
                # JSON writes what is no number as null, which here is a missing one.
                yield from FLOATS[:5] if isinstance(one, inspect.FloatType) else around(one)
        case inspect.NoneType():
            yield None
        case inspect.StructType():
            yield whole(info.cls)


def changed(whole: Any, info: Any, but: tuple[type, ...] = ()) -> Iterator[Any]:
    """`whole` with one field at a time changed, those of the structs in it too; `but`: of these kinds none."""
    for field in info.fields:
        if field.name == "v":  # the version of the messages: who writes gives its own
            continue
        part = getattr(whole, field.name)
        for value in around(field.type):
            yield replace(whole, **{field.name: value})
        if isinstance(part, msgspec.Struct) and not isinstance(part, but):
            for inner in changed(part, inspect.type_info(type(part)), but):
                yield replace(whole, **{field.name: inner})


def whole(kind: type) -> Any:
    return msgspec.json.decode(msgspec.json.encode(next(plains(kind))), type=kind, dec_hook=from_text)


def fits(kind: type) -> bool:
    """Whether it is data: structs that hold functions or other objects are none."""
    try:
        whole(kind)
    except (TypeError, msgspec.ValidationError):
        return False
    return True


def encoded(value: Any) -> bytes | None:
    try:
        return encode(value)
    except Unencodable:
        return None
