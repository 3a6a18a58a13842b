"""A test that shows a rule passes a door of a process; else it is marked `function_only`, with a reason.

A door is where what happens in a room reaches the code: the step of a node, a page over HTTP, a command in a
shell, or the hand engine's `push` and `decide`, to which the table's process gives every command
(`tests/table_core/hand/test_commands.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from starlette.applications import Starlette

from feltwire.relay.node import RelayNode
from feltwire.station.node import StationNode
from feltwire.table.node import TableNode
from feltwire.tools import season
from feltwire.wall_clock.node import ClockNode
from table_core.hand.hand import Hand

DOORS: tuple[tuple[Any, str], ...] = (
    (TableNode, "step"),
    (StationNode, "step"),
    (RelayNode, "step"),
    (ClockNode, "step"),
    (Starlette, "__call__"),
    (season, "run"),
    (Hand, "push"),
    (Hand, "decide"),
)
OF_THE_ENGINE = {"Hand.push", "Hand.decide"}  # no process, but all that one hands on


@contextmanager
def watched() -> Iterator[set[str]]:
    """The doors that are passed meanwhile, by name: `TableNode.step`."""
    passed: set[str] = set()
    with ExitStack() as stack:
        for holder, name in DOORS:
            noting = _noting(getattr(holder, name), passed, f"{holder.__name__}.{name}")
            stack.enter_context(mock.patch.object(holder, name, noting))
        yield passed


def _noting(door: Callable[..., Any], passed: set[str], name: str) -> Callable[..., Any]:
    @functools.wraps(door)
    def noted(*arguments: Any, **options: Any) -> Any:
        passed.add(name)
        return door(*arguments, **options)

    return noted
