"""One story from its beginning to its end in a folder of its own, and the shortest story that fails the same
way."""

from __future__ import annotations

import re
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.simulation.room import Broken, SimulatedRoom
from tests.simulation.story import Story

MEMORY = Path("/dev/shm")  # no power fails here
LAST_LINES = 3  # of a traceback


@dataclass(frozen=True)
class Played:
    """`failure` is empty where everything held; `virtual_s` is how long the room ran, `real_s` how long that
    took."""

    story: Story
    failure: str
    virtual_s: float
    real_s: float
    presses: int
    trace: int

    @property
    def way(self) -> str:
        """How it failed, without numbers and names: two failures with the same way are one fault."""
        return re.sub(r"\S*\d\S*", "…", self.failure.partition("\n")[0])


def play(story: Story) -> Played:
    began = time.perf_counter()
    memory = MEMORY if MEMORY.is_dir() else None
    with _hooks_restored(), tempfile.TemporaryDirectory(prefix="feltwire-story-", dir=memory) as folder:
        room = SimulatedRoom(story, Path(folder))
        try:
            failure = _failure_of(room)
        finally:
            room.close()
        presses = sum(dealer.presses for dealer in room.dealers)
        took = time.perf_counter() - began
        return Played(story, failure, room.world.now / 1e6, took, presses, room.trace)


@contextmanager
def _hooks_restored() -> Iterator[None]:
    """A process of a venue that knows cards sets how exceptions are reported, for all that runs in it
    (`feltwire.runtime.concealed.harden_process`). That it leaves no core file cannot be taken back."""
    before = sys.excepthook, threading.excepthook
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before


def _failure_of(room: SimulatedRoom) -> str:
    try:
        room.play()
    except Broken as broken:
        return str(broken)
    except Exception as error:  # noqa: BLE001  (whatever a room throws is what is looked for)
        where = "".join(traceback.format_tb(error.__traceback__)[-LAST_LINES:])
        return f"{type(error).__name__}: {error}\n{where}"
    return ""


def shorter(played: Played) -> Played:
    """The shortest story that is found to fail the same way."""
    again = True
    while again:
        again = False
        for story in _less(played.story):
            tried = play(story)
            if tried.way == played.way:
                played, again = tried, True
                break
    return played


def _less(story: Story) -> Iterator[Story]:
    """Stories with something less, the much shorter ones first."""
    steps, half = story.steps, len(story.steps) // 2
    if half > 1:
        yield story._replace(steps=steps[half:])
        yield story._replace(steps=steps[:half])
    for at in range(len(steps)):
        yield story._replace(steps=steps[:at] + steps[at + 1 :])
    last = max((step.at_ms for step in steps), default=0) + 1_000
    if last < story.ms:
        yield story._replace(ms=last)
    for table in story.tables[1:]:
        if not any(table in step.target for step in steps):
            yield story._replace(tables=tuple(one for one in story.tables if one != table))
    if story.clocks > 1 and not any(step.target == f"clock-{story.clocks - 1}" for step in steps):
        yield story._replace(clocks=story.clocks - 1)
    if story.relay and not any(step.target == "relay" for step in steps):
        yield story._replace(relay=False)
    if story.shoe:
        yield story._replace(shoe=False)
