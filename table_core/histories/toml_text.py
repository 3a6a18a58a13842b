"""Writes TOML values for PHH, each list on one line; tomli-w writes each entry on a line of its own."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from typing import Any

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def toml_line(key: str, value: Any) -> str:
    """`key = value`. Raise `TypeError` for a value that TOML has no form for."""
    return f"{toml_key(key)} = {toml_value(value)}"


def toml_key(key: str) -> str:
    return key if key and set(key) <= _BARE else toml_string(key)


def toml_value(value: Any) -> str:
    """One value on one line; tables are written inline."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return toml_string(value)
        case Decimal() if value.is_finite():
            return str(value)
        case Decimal():
            return repr(float(value))
        case int() | float():
            return repr(value)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(toml_value(entry) for entry in value)}]"
        case dict():
            return f"{{{', '.join(toml_line(key, entry) for key, entry in value.items())}}}"
        case _:
            raise TypeError(f"{type(value).__name__} has no form in TOML")


def toml_string(text: str) -> str:
    """A literal string where that can hold the text, else a basic one."""
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
