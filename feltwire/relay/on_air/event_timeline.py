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

from msgspec.structs import replace

from feltwire.relay.on_air.timeline import moment_at, next_after
from feltwire.runtime.boot_offset import Offset
from table_core.messages import Beat, ClockState, Millis, TournamentField
from table_core.projections.clock import clock_of, run_on

MOST_SHOWN = 100  # players of the field
MOST_MOMENTS = 20_000  # one for each message that says something new: far more than a day of them


class EventMoment(NamedTuple):
    """What was known from `at` on, until the next moment. `offset`: of the station's boot time to this relay's,
    None where no beat of that boot has come yet; `clock_at`: when the clock came; `wall`: the time of the
    moment by the relay's wall clock, a label."""

    at: Millis
    clock: ClockState | None = None
    clock_at: Millis = Millis(0)
    offset: Offset | None = None
    field: TournamentField | None = None
    wall: Millis | None = None


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

    def show(self, clock: ClockState, now: Millis, wall: Millis | None = None) -> bool:
        """The station's clock is this from now on. What only says the time again is left out; whether it was
        not."""
        last = self._last
        offset = self._offset if self._offset is not None and self._offset.boot == clock.boot else None
        if last.clock is None or last.offset is not offset or not _runs_on(last.clock, clock):
            self._add(last._replace(clock=clock, clock_at=now, offset=offset, wall=wall), now)
            return True
        return False

    def show_field(self, field: TournamentField, now: Millis, wall: Millis | None = None) -> bool:
        """The field is this from now on; whether it is another one than before."""
        last, shown = self._last, _sharing(field, self._last.field)
        if last.field != shown:
            self._add(last._replace(field=shown, wall=wall), now)
            return True
        return False

    @property
    def _last(self) -> EventMoment:
        return self.moments[-1] if self.moments else EventMoment(Millis(0))

    def _add(self, moment: EventMoment, now: Millis) -> None:
        self.moments.append(moment._replace(at=max(now, self._last.at)))
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
        if here is not None and here.clock is not None:
            there = _station_time(here, here.clock, when)
            ends = clock_of(here.clock).changes_at(there)
            if ends is not None:
                yield Millis(when + ends - there)


def clock_at(moment: EventMoment, when: Millis) -> ClockState | None:
    """The clock as it stood at `when`."""
    clock = moment.clock
    return None if clock is None else run_on(clock, _station_time(moment, clock, when))


def _station_time(moment: EventMoment, clock: ClockState, when: Millis) -> Millis:
    """The station's boot time at `when`; without a beat, the clock was as new as it came."""
    offset = moment.offset.ms if moment.offset is not None else moment.clock_at - clock.at
    return Millis(when - offset)


def _runs_on(before: ClockState, after: ClockState) -> bool:
    """Whether `after` says nothing but the time that `before` runs to by itself."""
    if before.boot != after.boot or after.at < before.at:
        return False
    return run_on(before, after.at) == after


def _sharing(field: TournamentField, before: TournamentField | None) -> TournamentField:
    """The field as far as it is shown; who stands as before is the same object, so that a day of moments is
    small."""
    known = {one: one for one in (*before.players, *before.out)} if before is not None else {}
    players = tuple([known.get(one, one) for one in field.players[:MOST_SHOWN]])
    return replace(field, players=players, out=tuple([known.get(one, one) for one in field.out]))
