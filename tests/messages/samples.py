"""Samples of every message, made from its types: every field filled in, and every value of an enumeration, every
kind of a union and every missing value somewhere. And the shape of every message."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Annotated, Any, Union, get_args

import msgspec
from msgspec import inspect

from feltwire.ledger.tournament_ledger import TournamentRecord
from feltwire.station.queue.exception_queue import QueueRecord
from feltwire.station.station_store import ClockRecord, Restored
from feltwire.tools.describe import TOPICS, DeviceHealth
from table_core import messages
from table_core.messages import AnyEvent, AnyObservation, AnyTableCommand, Envelope, Zone, to_text
from table_core.tournament.events import Undone
from table_core.tournament.night import REDUCERS

TEXTS = ("sample", "Ah", "2026-11-24", "00ff", "0", "00ff" * 16, "#0e3a29")  # the first that a pattern takes
WORDS = ("title", "description")  # of a schema: they change nothing
AnyRecord: Any = Union[(*REDUCERS, Undone)]
KEPT = (TournamentRecord, ClockRecord, QueueRecord, Restored)  # by the station, beside the tables' events


def samples() -> Iterator[tuple[str, type, bytes]]:
    """Name, type to read it as, and bytes: the messages of every topic, every event in its envelope, every
    command, every observation and what a station keeps. What follows the first sample of a message has `/2`, `/3`
    … in its name."""
    for name, kind, read_as in _messages():
        inner = name.startswith("event/")
        for number, plain in enumerate(plains(kind), 1):
            raw = sample(Envelope, {"data": plain}) if inner else sample(kind, plain)
            yield (name if number == 1 else f"{name}/{number}"), read_as, raw


def shapes() -> Iterator[tuple[str, str]]:
    """Each struct and enumeration that a message is made of, with a hash of what it takes."""
    yield from ((name, shape(schema)) for name, schema in sorted(schemas()["$defs"].items()))


def schemas() -> dict[str, Any]:
    """JSON schemas, without their words: what each message is read as, under `door_of` its name; `$defs` are its
    parts."""
    named = {door_of(name): read_as for name, _, read_as in _messages()}
    kinds = sorted({*named.values()}, key=str)
    shown, components = msgspec.json.schema_components(kinds, schema_hook=messages.schema_of)
    of_kind = dict(zip(kinds, shown, strict=True))
    messages_ = {name: of_kind[kind] for name, kind in named.items()}
    whole = {"messages": messages_, "$defs": dict(sorted(components.items()))}
    return {part: {name: _wordless(one) for name, one in all_.items()} for part, all_ in whole.items()}


def door_of(name: str) -> str:
    """The kinds of a union are read as one: `command` for `command/AskCount/2`."""
    first, _, rest = name.partition("/")
    return f"{first}/{rest.partition('/')[0]}" if first == "kept" else first


def shape(schema: Any) -> str:
    """A hash of a JSON schema without its words."""
    return sha256(msgspec.json.encode(_wordless(schema), order="deterministic")).hexdigest()[:16]


def _wordless(schema: Any) -> Any:
    if isinstance(schema, dict):
        # A field may have the name of one of the words; its value is a schema, and no text.
        return {
            name: _wordless(value)
            for name, value in schema.items()
            if not (name in WORDS and isinstance(value, str))
        }
    return [_wordless(one) for one in schema] if isinstance(schema, list) else schema


def _messages() -> Iterator[tuple[str, type, Any]]:
    """Name, struct, and what it is read as."""
    for topic in TOPICS:
        kind = topic.message
        if kind not in (Envelope, messages.TableCommand, str, DeviceHealth):
            yield topic.name, kind, kind
    for kind in kinds_of(AnyEvent):
        yield f"event/{kind.__name__}", kind, Envelope
    for kind in kinds_of(AnyTableCommand):
        yield f"command/{kind.__name__}", kind, AnyTableCommand
    for kind in kinds_of(AnyObservation):
        yield f"observation/{kind.__name__}", kind, AnyObservation
    for kind in kinds_of(AnyRecord):
        yield f"record/{kind.__name__}", kind, AnyRecord
    for kind in KEPT:
        yield f"kept/{kind.__name__}", kind, kind


def kinds_of(union: Any) -> list[type]:
    """The structs of a union of unions."""
    return [kind for part in get_args(union) for kind in (kinds_of(part) if get_args(part) else [part])]


def sample(kind: type, given: dict[str, Any]) -> bytes:
    """A message of this kind, encoded; what is not `given` is filled in."""
    raw = msgspec.json.encode(_Maker(0).struct(inspect.type_info(kind)) | given)
    return messages.encode(messages.decode(raw, kind))  # type: ignore[type-var]


def plains(kind: type) -> Iterator[dict[str, Any]]:
    """As many as it takes until each choice has been made in each of its ways."""
    most, number = 1, 0
    while number < most:
        maker = _Maker(number)
        yield maker.struct(inspect.type_info(kind))
        most, number = max(most, maker.most), number + 1


class _Maker:
    """One sample. `number` says which way is taken where there are several; `most` is how many there are at one
    place at most."""

    def __init__(self, number: int, within: tuple[type, ...] = ()) -> None:
        self.most = 1
        self._number = number
        self._within = within  # the structs around it, which may hold several of their own kind: here none

    def value(self, info: inspect.Type) -> Any:
        make = _MAKERS.get(type(info))
        if make is None:
            raise TypeError(f"no sample for {info}; add one here")
        return make(self, info)

    def struct(self, info: Any) -> dict[str, Any]:
        around, self._within = self._within, (*self._within, info.cls)
        fields = {field.encode_name: self.value(field.type) for field in info.fields}
        self._within = around
        return fields if info.tag_field is None else {info.tag_field: info.tag, **fields}

    def several(self, info: Any) -> list[Any]:
        its_own = isinstance(info.item_type, inspect.StructType) and info.item_type.cls in self._within
        return [] if its_own else [self.value(info.item_type)]

    def one_of(self, ways: Any) -> Any:
        self.most = max(self.most, len(ways))
        return ways[self._number % len(ways)]

    def union(self, info: Any) -> Any:
        """What is there comes before what is missing. Within each kind every choice is made, too."""
        kinds = sorted(info.types, key=lambda one: isinstance(one, inspect.NoneType))
        inner = _Maker(self._number // len(kinds), self._within)
        value = inner.value(self.one_of(kinds))
        self.most = max(self.most, len(kinds) * inner.most)
        return value


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


def _custom(info: Any) -> Any:
    if info.cls is Zone:
        return to_text(Zone.parse("seat-4-cards"))
    raise TypeError(f"no sample for {info.cls}; add one here")


_MAKERS: dict[type, Callable[[_Maker, Any], Any]] = {
    inspect.StructType: _Maker.struct,
    inspect.IntType: lambda maker, info: _int(info),
    inspect.FloatType: lambda maker, info: max(0.5, info.ge or 0.5),
    inspect.BoolType: lambda maker, info: maker.one_of((True, False)),
    inspect.StrType: lambda maker, info: _text(info),
    inspect.BytesType: lambda maker, info: "AAEC",
    inspect.RawType: lambda maker, info: {"any": "message"},
    inspect.AnyType: lambda maker, info: 1,
    inspect.NoneType: lambda maker, info: None,
    inspect.EnumType: lambda maker, info: maker.one_of([one.value for one in info.cls]),
    inspect.LiteralType: lambda maker, info: maker.one_of(info.values),
    inspect.UnionType: _Maker.union,
    inspect.VarTupleType: _Maker.several,
    inspect.TupleType: lambda maker, info: [maker.value(one) for one in info.item_types],
    inspect.ListType: lambda maker, info: [maker.value(info.item_type)],
    inspect.DictType: lambda maker, info: {maker.value(info.key_type): maker.value(info.value_type)},
    inspect.CustomType: lambda maker, info: _custom(info),
}
