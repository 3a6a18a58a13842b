"""What every process of a room shares: the bus and the pages, as a node without I/O hears and uses them.

What goes only into one node or comes only out of it stands in a module of its own: `table_io`, `station_io`,
`relay_io`.
"""

from __future__ import annotations

from dataclasses import dataclass

# ------------------------------------------------------------------------------------------------- inputs


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message from the bus."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class BusUp:
    """Connected to the broker and subscribed."""


@dataclass(frozen=True, slots=True)
class BusDown:
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
class Say:
    """A line for the log."""

    text: str
    level: str = "info"  # info, warning
