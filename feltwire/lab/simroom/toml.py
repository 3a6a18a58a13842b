"""Writes a configuration struct as TOML, one setting a line, nested structs as inline tables."""

from __future__ import annotations

import json
from enum import Enum
from typing import Any

import msgspec


def dumps(config: msgspec.Struct) -> str:
    """TOML that `feltwire.config.load` reads back as an equal struct; settings that are None are left out."""
    settings: dict[str, Any] = msgspec.to_builtins(config)
    return "".join(f"{name} = {_value(value)}\n" for name, value in settings.items() if value is not None)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return _value(value.value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # a JSON string is a TOML basic string
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(k)} = {_value(v)}" for k, v in value.items() if v is not None)
        return "{" + inner + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise TypeError(f"no TOML for {type(value).__name__}")
