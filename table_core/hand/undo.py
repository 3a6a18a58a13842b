"""Undo: steps are taken back by replay.

The journal of a hand holds the events of each step, which are in the log anyway, and from time to time a record of
the whole state. To take a step back, the last such record is restored and the steps after it are applied again by
the same code, which gives exactly the same state.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from types import TracebackType
from typing import Any, Final, Protocol

from table_core.hand.reducers.by_event import REDUCERS
from table_core.hand.state import FIELDS, HandState
from table_core.messages import AnyEvent

_RECORD_EVERY: Final = (
    48  # steps, where a step is no action: so many are applied again at most, or a street of actions
)

_CHANGED_IN_PLACE: Final = ("stacks", "bets", "paid", "faced", "tabled")
_NEVER_CHANGED: Final = (
    "rulebook",
    "any_raise",
    "check_raise",
    "raise_by_last",
    "raise_cap",
    "raiser_may_raise",
    "reopened_by_last",
    "single_raise",
)
_PUT_ANEW: Final = tuple([name for name in FIELDS if name not in _CHANGED_IN_PLACE + _NEVER_CHANGED])
_values: Final = attrgetter(*_PUT_ANEW)

Record = tuple[tuple[Any, ...], list[int], list[int], list[int], list[int], dict[int, Any]]


def recorded(state: HandState) -> Record:
    """A record of the whole state."""
    return (
        _values(state),
        state.stacks.copy(),
        state.bets.copy(),
        state.paid.copy(),
        state.faced.copy(),
        state.tabled.copy(),
    )


def restore(state: HandState, record: Record) -> None:
    """Restore the state of `record`."""
    values, stacks, bets, paid, faced, tabled = record
    for name, value in zip(_PUT_ANEW, values, strict=True):
        setattr(state, name, value)
    state.stacks, state.bets, state.paid, state.faced = stacks[:], bets[:], paid[:], faced[:]
    state.tabled = tabled.copy()


class Journal:
    """The steps of one hand since the riffle: each is its event, or the list of its events.

    `record` is the state before the first step; a hand's first step needs none, because it is no action. `before`
    has the steps from before a trial.
    """

    __slots__ = ("_before", "_records", "steps")

    def __init__(self, record: Record | None = None, before: Journal | None = None) -> None:
        self.steps: list[AnyEvent | list[AnyEvent]] = []
        self._before = before
        self._records: list[tuple[int, Record]] = []  # before the step of this number
        if record is not None:
            self._records.append((0, record))

    def clear(self) -> None:
        self.steps.clear()
        self._records.clear()

    def begin(self, state: HandState, event: AnyEvent) -> None:
        """Prepare a step, before its first event is applied."""
        done = len(self.steps)
        if not self._records or done - self._records[-1][0] >= _RECORD_EVERY:
            self._records.append((done, recorded(state)))
        self.steps.append(event)

    def of_last_step(self) -> list[AnyEvent]:
        """The list of the last step's events, to which more may be appended."""
        last: Any = self.steps[-1]
        if type(last) is list:
            return last
        self.steps[-1] = events = [last]
        return events

    def newest_first(self) -> Iterator[AnyEvent]:
        """The first event of each step, the last step first; also of those from before a trial."""
        for step in reversed(self.steps):
            yield step[0] if isinstance(step, list) else step
        if self._before is not None:
            yield from self._before.newest_first()

    def take_back(self, state: HandState) -> None:
        """Put everything back to before the last step. Raise `IndexError` when there is none."""
        self.steps.pop()
        while self._records[-1][0] > len(self.steps):
            self._records.pop()
        at, record = self._records[-1]
        restore(state, record)
        for step in self.steps[at:]:
            for event in step if isinstance(step, list) else (step,):
                REDUCERS[type(event)](state, event)


class TrialStart(Protocol):
    """What a trial restores: a hand's state, and the journal of its steps."""

    @property
    def state(self) -> HandState: ...

    journal: Journal


class Trial:
    """A `with` block that restores the hand at its end, also after an exception.

    Trials may be nested. Steps from before the block cannot be taken back in it.
    """

    __slots__ = ("_hand", "_journal", "_record")

    def __init__(self, hand: TrialStart) -> None:
        self._hand = hand

    def __enter__(self) -> None:
        hand = self._hand
        self._record = recorded(hand.state)
        self._journal, hand.journal = hand.journal, Journal(self._record, hand.journal)

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hand.journal = self._journal
        restore(self._hand.state, self._record)
