"""Waiting for what says nothing when it happens: it is looked at until it is seen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE_S = 90.0
LOOK_S = 0.01


def until(see: Callable[[], T], what: str, within_s: float = PATIENCE_S) -> T:
    """The first thing that is seen; an error when it does not come."""
    ends = time.monotonic() + within_s
    while not (found := see()):
        assert time.monotonic() < ends, f"not seen within {within_s:.0f} s: {what}"
        time.sleep(LOOK_S)
    return found
