"""TOML from outside: whatever the text is, one kind of error."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any


def read_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Raise `ValueError` (`tomllib.TOMLDecodeError` is one) with what is wrong in it, and nothing else."""
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise ValueError("nested too deep") from None
