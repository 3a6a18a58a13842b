"""The director's commands as forms: names, words and fields, for the pages and for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


def command_view(kinds: Mapping[str, type]) -> dict[str, Any]:
    """Every command with its description and fields: enough for a form or for another program."""
    shown = {}
    for name, kind in kinds.items():
        shown[name] = {
            "text": " ".join((kind.__dict__.get("__doc__") or "").split()),
            "fields": [
                {"name": one.encode_name, "required": one.required, "kind": _kind(one.type)}
                for one in msgspec.structs.fields(kind)
            ],
        }
    return shown


def _kind(hint: Any) -> str:
    """What a form writes for a field: text, number, yes (a box), or json."""
    info = msgspec.inspect.type_info(hint)
    if isinstance(info, msgspec.inspect.UnionType):
        info = next(one for one in info.types if not isinstance(one, msgspec.inspect.NoneType))
    match info:
        case msgspec.inspect.BoolType():
            return "yes"
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            return "number"
        case msgspec.inspect.StrType() | msgspec.inspect.EnumType():
            return "text"
        case _:
            return "json"
