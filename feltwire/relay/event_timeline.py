"""What was known of the tournament and when: its clock, its standings. The source of the channel `event`, as a
table's timeline is of its own.

A moment counts from the time at which it came to this relay, so that nothing is on air before its time. The time
left of a level runs by the station's clock, as its beats say it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from feltwire.relay.timeline import moment_at, next_after
from feltwire.runtime.boot_offset import Offset
from table_core.messages import Beat, ClockState, Millis
from table_core.projections.clock import clock_of, run_on

MOST_MOMENTS = 20_000  # one for each message that says something new: far more than a day of them


class EventMoment(NamedTuple):
    """What was known from `at` on, until the next moment. `offset`: of the station's boot time to this relay's,
    None where no beat of that boot has come yet."""

    at: Millis
    clock: ClockState
    offset: Offset | None


@dataclass(slots=True)
class EventTimeline:
    """The tournament's past."""

    moments: deque[EventMoment] = field(default_factory=deque)
    _offset: Offset | None = None

    # ------------------------------------------------------------------------------ what happens

    def beat(self, beat: Beat, now: Millis) -> None:
        if self._offset is None or self._offset.boot != beat.boot:
            self._offset = Offset(beat.boot)
        self._offset.heard(beat, now)

    def show(self, clock: ClockState, now: Millis) -> None:
        """The station shows this from now on. What only says the time again is left out."""
        last = self.moments[-1] if self.moments else None
        at = now if last is None else max(now, last.at)
        offset = self._offset if self._offset is not None and self._offset.boot == clock.boot else None
        if last is not None and last.offset is offset and _runs_on(last.clock, clock):
            return
        self.moments.append(EventMoment(at, clock, offset))
        if len(self.moments) > MOST_MOMENTS:
            self.moments.popleft()

    def forget(self, before: Millis) -> None:
        """Drop what ended before this time."""
        while len(self.moments) > 1 and self.moments[1].at <= before:
            self.moments.popleft()

    # ---------------------------------------------------------------------------- what it looked like

    def at(self, when: Millis) -> EventMoment | None:
        """What was known at this time; None where nothing was."""
        return moment_at(self.moments, when)

    def changes_after(self, when: Millis) -> Iterator[Millis]:
        """When the next moment begins, and when the level of this one ends."""
        begins, here = next_after(self.moments, when), self.at(when)
        if begins is not None:
            yield begins
        if here is not None:
            there = station_time(here, when)
            ends = clock_of(here.clock).changes_at(there)
            if ends is not None:
                yield Millis(when + ends - there)


def station_time(moment: EventMoment, when: Millis) -> Millis:
    """The station's boot time at `when`; without a beat, the clock was as new as it came."""
    offset = moment.offset.ms if moment.offset is not None else moment.at - moment.clock.at
    return Millis(when - offset)


def _runs_on(before: ClockState, after: ClockState) -> bool:
    """Whether `after` says nothing but the time that `before` runs to by itself."""
    if before.boot != after.boot or after.at < before.at:
        return False
    then = run_on(before, after.at)
    return then == after
