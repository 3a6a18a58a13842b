"""A sample of every message, with every field filled in, made from its types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, get_args

import msgspec
from msgspec import inspect

from feltwire.tools.describe import TOPICS, DeviceHealth
from table_core import messages
from table_core.messages import AnyEvent, AnyObservation, AnyTableCommand, Envelope, to_text
from table_core.messages.zone import Zone

TEXTS = ("sample", "Ah", "2026-11-24", "00ff", "0")  # the first that a pattern takes


def samples() -> Iterator[tuple[str, type, bytes]]:
    """Name, type to read it as, and bytes: the messages of every topic, every event in its envelope, every
    command and every observation."""
    for topic in TOPICS:
        kind = topic.message
        if kind not in (Envelope, messages.TableCommand, str, DeviceHealth):
            yield f"{topic.name}", kind, sample(kind)
    for kind in kinds_of(AnyEvent):
        yield f"event/{kind.__name__}", Envelope, sample(Envelope, {"data": plain(kind)})
    for kind in kinds_of(AnyTableCommand):
        yield f"command/{kind.__name__}", AnyTableCommand, sample(kind)  # type: ignore[misc]
    for kind in kinds_of(AnyObservation):
        yield f"observation/{kind.__name__}", AnyObservation, sample(kind)  # type: ignore[misc]


def kinds_of(union: Any) -> list[type]:
    """The structs of a union of unions."""
    return [kind for part in get_args(union) for kind in (kinds_of(part) if get_args(part) else [part])]


def sample(kind: type, given: dict[str, Any] | None = None) -> bytes:
    """A message of this kind, encoded."""
    raw = msgspec.json.encode(plain(kind) | (given or {}))
    return messages.encode(messages.decode(raw, kind))  # type: ignore[type-var]


def plain(kind: type) -> dict[str, Any]:
    value = _value(inspect.type_info(kind))
    assert isinstance(value, dict)
    return value


def _value(info: inspect.Type) -> Any:
    make = _MAKERS.get(type(info))
    if make is None:
        raise TypeError(f"no sample for {info}; add one here")
    return make(info)


def _struct(info: Any) -> dict[str, Any]:
    fields = {field.encode_name: _value(field.type) for field in info.fields}
    return fields if info.tag_field is None else {info.tag_field: info.tag, **fields}


def _int(info: Any) -> int:
    return int(info.ge if info.ge is not None and info.ge > 2 else min(2, info.le if info.le is not None else 2))


def _text(info: Any) -> str:
    def fits(text: str) -> bool:
        try:
            msgspec.convert(text, _annotated(info))
        except msgspec.ValidationError:
            return False
        return True

    return next(text for text in TEXTS if fits(text))


def _annotated(info: Any) -> Any:
    return Annotated[
        str, msgspec.Meta(pattern=info.pattern, min_length=info.min_length, max_length=info.max_length)
    ]


def _union(info: Any) -> Any:
    """What is there, where it may be missing; the first kind of several."""
    return _value(next(one for one in info.types if not isinstance(one, inspect.NoneType)))


def _custom(info: Any) -> Any:
    if info.cls is Zone:
        return to_text(Zone.parse("seat-4-cards"))
    raise TypeError(f"no sample for {info.cls}; add one here")


_MAKERS: dict[type, Callable[[Any], Any]] = {
    inspect.StructType: _struct,
    inspect.IntType: _int,
    inspect.FloatType: lambda info: 0.5,
    inspect.BoolType: lambda info: True,
    inspect.StrType: _text,
    inspect.BytesType: lambda info: "AAEC",
    inspect.RawType: lambda info: {"any": "message"},
    inspect.AnyType: lambda info: 1,
    inspect.NoneType: lambda info: None,
    inspect.EnumType: lambda info: list(info.cls)[-1].value,
    inspect.LiteralType: lambda info: info.values[-1],
    inspect.UnionType: _union,
    inspect.VarTupleType: lambda info: [_value(info.item_type)],
    inspect.TupleType: lambda info: [_value(one) for one in info.item_types],
    inspect.ListType: lambda info: [_value(info.item_type)],
    inspect.DictType: lambda info: {_value(info.key_type): _value(info.value_type)},
    inspect.CustomType: _custom,
}
