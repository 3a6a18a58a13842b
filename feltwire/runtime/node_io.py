"""Inputs and effects that every process has: the bus and the pages.

Those of a single node are in `table_io`, `station_io` and `relay_io`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec import Struct

from feltwire.runtime.broker import topics
from table_core.messages import AdmittedScreen, AskingScreen, Millis

TOO_LATE = "Too late: the press waited here too long and was not carried out. Look again, then press again."

# ------------------------------------------------------------------------------------------------- inputs


class NodeInput(Struct, frozen=True, tag=True):
    """What goes into a node: a value, so that a run can be stored as times and inputs and played again.

    A node tells its inputs apart by their type. `source`, where an input has one, is who sent it.
    """


class Arrived(NodeInput, frozen=True):
    """A message from the bus."""

    topic: str
    payload: bytes

    @property
    def source(self) -> str:
        """Each table has a queue of its own."""
        where = topics.split_table(self.topic)
        return f"table {where[0]}" if where else "the bus"


class Quarantined(NodeInput, frozen=True):
    """An input at which this node raised; None for the passing of time, or a part of the node. The node was
    rebuilt without it; `words` say so, `count` is the number of such faults since the process began. `why`, for
    the person who gave it: what of it cannot be recorded; empty where the fault is the program's."""

    given: Any
    words: str
    count: int
    why: str = ""

    def answer(self, of: str) -> str:
        """To the person who gave it; `of`: whose the fault is else."""
        why = f"it cannot be recorded ({self.why})" if self.why else f"a fault of the {of}'s"
        return f"That could not be carried out, and nothing was changed: {why}."

    @property
    def worth_saying(self) -> bool:
        """True for the 1st, 2nd, 4th, 8th …, so that a flood does not fill a ledger with notices."""
        return self.count & (self.count - 1) == 0


class ScreensSeen(NodeInput, frozen=True):
    """Who asks to be let in at this process, and who was let in; `ms_ago` as of `at`."""

    at: Millis
    asking: tuple[AskingScreen, ...] = ()
    admitted: tuple[AdmittedScreen, ...] = ()
    source: ClassVar[str] = "who asks at the screen"


class BusUp(NodeInput, frozen=True):
    """Connected to the broker and subscribed."""


class BusDown(NodeInput, frozen=True):
    """`why` names the broker and what is wrong, as `Bus` says it."""

    why: str = ""


# ------------------------------------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class Publish:
    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False


@dataclass(frozen=True, slots=True)
class Show:
    """A snapshot for the pages."""

    channel: str
    snapshot: bytes
    event_id: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be pressed instead of a press that was refused, as the page words it."""

    words: str
    command: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a press: text for the person; after a refusal by a rule its id and the reason."""

    id: str
    text: str
    refused: bool = False
    rule: str = ""
    about: str = ""  # a field of what was asked for
    unproven: str = ""  # the effect that needs a PIN first; nothing was done
    choices: tuple[Choice, ...] = ()  # of a refusal that is a question


@dataclass(frozen=True, slots=True)
class Say:
    """A line for the log. With a `kind`, lines of that kind are written once a minute at most."""

    text: str
    level: str = "info"  # info, warning
    kind: str = ""
