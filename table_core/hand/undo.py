"""How steps are taken back: by what they did, played again up to there.

The journal of a hand holds the events of each step, which lie in the log anyway, and now and then all that was
true before a step. To take a step back is to restore the last such record and to apply the steps after it again:
the same code that applied them the first time, so the same state to the last chip.
"""

from __future__ import annotations

from operator import attrgetter
from types import TracebackType
from typing import Any, Protocol

from table_core.hand.reducers.by_event import REDUCERS
from table_core.hand.state import HandState
from table_core.messages import AnyEvent

_RECORD_EVERY = 48  # steps, where a step is no action: so many are applied again at most, or a street of actions

_CHANGED_IN_PLACE = ("stacks", "bets", "paid", "faced", "tabled")
_NEVER_CHANGED = ("rulebook", "raise_by_last", "raise_cap")
_PUT_ANEW = tuple([name for name in HandState.__slots__ if name not in (*_CHANGED_IN_PLACE, *_NEVER_CHANGED)])
_values = attrgetter(*_PUT_ANEW)

Record = tuple[tuple[Any, ...], list[int], list[int], list[int], list[int], dict[int, Any]]


def recorded(state: HandState) -> Record:
    """All that is true now."""
    return (
        _values(state),
        state.stacks.copy(),
        state.bets.copy(),
        state.paid.copy(),
        state.faced.copy(),
        state.tabled.copy(),
    )


def restore(state: HandState, record: Record) -> None:
    """Make everything true again that was when `record` was made."""
    values, stacks, bets, paid, faced, tabled = record
    for name, value in zip(_PUT_ANEW, values, strict=True):
        setattr(state, name, value)
    state.stacks, state.bets, state.paid, state.faced = stacks[:], bets[:], paid[:], faced[:]
    state.tabled = tabled.copy()


class Journal:
    """The steps of one hand since the riffle: each is its event, or the list of its events.

    `record` is what was true before the first step; a hand's first step needs none, because it is no action.
    """

    __slots__ = ("_records", "steps")

    def __init__(self, record: Record | None = None) -> None:
        self.steps: list[AnyEvent | list[AnyEvent]] = []
        self._records: list[tuple[int, Record]] = []  # before the step of this number
        if record is not None:
            self._records.append((0, record))

    def clear(self) -> None:
        self.steps.clear()
        self._records.clear()

    def begin(self, state: HandState, event: AnyEvent) -> None:
        """Before the first event of a step is applied."""
        done = len(self.steps)
        if not self._records or done - self._records[-1][0] >= _RECORD_EVERY:
            self._records.append((done, recorded(state)))
        self.steps.append(event)

    def of_last_step(self) -> list[AnyEvent]:
        """The events of the last step, to put more to them."""
        last: Any = self.steps[-1]
        if type(last) is list:
            return last
        self.steps[-1] = events = [last]
        return events

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
    """A `with` block: at its end, also by an exception, the hand is as it was at its beginning.

    Trials may be nested. Steps from before the block cannot be taken back in it.
    """

    __slots__ = ("_hand", "_journal", "_record")

    def __init__(self, hand: TrialStart) -> None:
        self._hand = hand

    def __enter__(self) -> None:
        hand = self._hand
        self._record = recorded(hand.state)
        self._journal, hand.journal = hand.journal, Journal(self._record)

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hand.journal = self._journal
        restore(self._hand.state, self._record)
