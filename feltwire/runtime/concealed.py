"""Values that must not leave the process by accident."""

from __future__ import annotations

import ctypes
import os
import resource
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Generic, NoReturn, TypeVar

from supervised.thread import where

T = TypeVar("T")

_PR_SET_DUMPABLE = 4


def _say_where(_kind: type[BaseException], error: BaseException | None, _traceback: TracebackType | None) -> None:
    if error is not None:
        print(where(error), file=sys.stderr, flush=True)


class Concealed(Generic[T]):
    """Holds a value that nothing prints, copies, pickles or encodes; only `reveal()` gives it.

    >>> card = Concealed("Ah")
    >>> f"{card} {card!r}"
    '•• Concealed(••)'
    """

    __slots__ = ("_open",)

    def __init__(self, value: T) -> None:
        # In a closure: no attribute of this object holds the value, so walking its slots finds none.
        self._open: Callable[[], T] = lambda: value

    def reveal(self) -> T:
        return self._open()

    def __repr__(self) -> str:
        return "Concealed(••)"

    def __str__(self) -> str:
        return "••"

    def __format__(self, _: str) -> str:
        return "••"

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise TypeError("a concealed value is not pickled, copied or encoded")

    def __copy__(self) -> NoReturn:
        raise TypeError("a concealed value is not pickled, copied or encoded")

    def __deepcopy__(self, _: object) -> NoReturn:
        raise TypeError("a concealed value is not pickled, copied or encoded")


def harden_process() -> None:
    """No core dumps, no other process of the same user may read this one's memory, and an uncaught exception is
    reported with its code lines but without its text, which may hold a card.

    Root can read it all the same: that is outside the threat model. Raise OSError when the kernel refuses.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.excepthook = _say_where
    threading.excepthook = lambda raised: _say_where(raised.exc_type, raised.exc_value, raised.exc_traceback)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
