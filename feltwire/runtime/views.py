"""What is only shown runs guarded: a view that raises ends no step, no thread and no request.

Where it stood, *cannot be shown* stands, with the id of the fault. The fault is counted, the director's queue has
it, and the log has its place in the code: never the exception's text or what the view was made of, because either
may hold a card. The next input goes on. What decides (money, seats, rights, the hand) is not made here: where that
raises, the input is quarantined (`quarantine.py`).

A process has one `Views`; nodes make each part of a page, each item of a queue and each message that only shows
through it, so a new part is guarded because of where it stands.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from traceback import StackSummary, walk_tb
from typing import NamedTuple, TypeVar

import msgspec

from feltwire.runtime.throttled_log import ThrottledLog

log = logging.getLogger(__name__)

T = TypeVar("T")
FRAMES = 3  # of the code that raised, the innermost first
MOST = 200  # parts whose faults are known at once


class Part(NamedTuple):
    """What is made at once: `words` name it on pages (`The prizes`). `table` is the table that it concerns, `page`
    where a person can look meanwhile; `asks`: what is missing with it may wait for a press."""

    words: str
    table: str = ""
    page: str = ""
    asks: bool = False


class Fault(NamedTuple):
    """Why a part cannot be shown. The same lines of code have the same `id`."""

    part: Part
    id: str

    @property
    def words(self) -> str:
        return f"{self.part.words} cannot be shown (fault {self.id})"


class Views:
    """Makes what is only shown; from any thread. `count` is the number of times that something could not be."""

    def __init__(self) -> None:
        self.count = 0
        self._lock = threading.Lock()
        self._faults: dict[Part, Fault] = {}
        self._throttled = ThrottledLog(log)

    def show(self, part: Part, make: Callable[[], T], instead: Callable[[Fault], T]) -> T:
        """What `make` makes; where it raises, what `instead` has for the fault."""
        try:
            made = make()
        except Exception as error:  # noqa: BLE001  (whatever it was, the room goes on)
            return instead(self.note(part, error))
        self.well(part)
        return made

    def all(self, part: Part, make: Callable[[], Iterable[T]]) -> list[T]:
        """Everything that `make` yields; where it raises, what came before."""
        made: list[T] = []
        self.show(part, lambda: made.extend(make()), lambda fault: None)
        return made

    def snapshot(self, part: Part, make: Callable[[], bytes]) -> bytes:
        """A channel's snapshot (JSON); where it cannot be made, one that says so (`display/shared/stream.js`)."""
        return self.show(part, make, lambda fault: msgspec.json.encode(not_shown([fault])))

    def note(self, part: Part, error: BaseException) -> Fault:
        """Count and log that `part` could not be made; a request of the pages, for instance."""
        places = _places(error)
        fault = Fault(part, sha256(places.encode()).hexdigest()[:6])
        with self._lock:
            self.count += 1
            if part in self._faults or len(self._faults) < MOST:
                self._faults[part] = fault
        self._throttled.warn(f"{part.words} {fault.id}", f"{fault.words}: {places}")
        return fault

    def well(self, part: Part) -> None:
        """`part` is shown again."""
        if self._faults and part in self._faults:  # looked up only where anything is missing
            with self._lock:
                self._faults.pop(part, None)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What cannot be shown now."""
        with self._lock:
            return tuple(self._faults.values())

    @property
    def newest(self) -> str:
        """The id of the newest of them; empty where all is shown."""
        faults = self.faults
        return faults[-1].id if faults else ""


def not_shown(faults: Iterable[Fault]) -> dict[str, list[str]]:
    """What a snapshot says of parts that are missing in it."""
    words = [f"{fault.words}." for fault in faults]
    return {"cannot_show": words} if words else {}


def _places(error: BaseException) -> str:
    """`ValueError at cards.py:47 in parse_card, from best_hand.py:43 in _cards`."""
    frames = StackSummary.extract(walk_tb(error.__traceback__), lookup_lines=False)
    return f"{type(error).__name__} at {', from '.join(_inner(frames))}"


def _inner(frames: StackSummary) -> Iterator[str]:
    for frame in reversed(frames[-FRAMES:]):
        yield f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
