"""The station's beat once a second, and the clock that everybody shows."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Publish, Show
from feltwire.runtime.views import Fault, Part, Views
from feltwire.station.clock import StationClock
from feltwire.station.room_field import RoomField
from feltwire.station.station_io import Effect, SaveClock
from feltwire.station.tournament.names import Names
from feltwire.station.tournament.public_names import public_names
from feltwire.station.tournament.records import TournamentRecords
from table_core.messages import Beat, ClockState, Millis, encode
from table_core.projections.clock import clock_state
from table_core.projections.room import Field
from table_core.tournament.stops import over

CLOCK = Part("All but the time of the clock", page="/station/clock")
CLOCK_SENT = Part("The clock on the walls", page="/station/clock")
BEAT_MS = 1_000
CLOCK_MS = 10_000  # the clock is published and recorded at least this often


class Timekeeping:
    def __init__(
        self,
        venue: str,
        clock: StationClock,
        field: RoomField,
        records: TournamentRecords,
        names: Names,
        views: Views,
        now: Millis,
    ) -> None:
        self._views = views
        self._venue = venue
        self._clock = clock
        self._field = field
        self._records = records
        self._names = names
        self._next_beat = now
        self._next_clock = now
        self._shown: ClockState | None = None

    def wake_at(self) -> Iterator[Millis]:
        yield from (self._next_beat, self._next_clock)

    def say_again(self, now: Millis) -> None:
        """The broker is back: the clock is published whether it differs or not."""
        self._next_clock = now

    def beat(self, now: Millis) -> Iterator[Effect]:
        if now >= self._next_beat:
            self._next_beat = Millis(now + BEAT_MS)
            clock = self._shown.at if self._shown is not None else Millis(0)
            beat = encode(Beat(self._clock.boot, now, clock=clock))
            yield Publish(topics.tournament(self._venue, "beat"), beat, qos=0)
            yield Show("beat", beat)

    def show(self, now: Millis) -> Iterator[Effect]:
        """The clock, where it differs from the one shown, or was not shown for long."""
        state = self.state(now)
        if now >= self._next_clock or _differs(state, self._shown):
            self._next_clock = Millis(now + CLOCK_MS)
            self._shown = state
            # On the disk before anyone sees it: a clock that was seen is the clock after a restart.
            yield SaveClock(self._clock.record(now))
            raw = self._views.show(
                CLOCK_SENT, lambda: encode(state), lambda fault: encode(self._alone(fault, now))
            )
            yield Publish(topics.tournament(self._venue, "clock"), raw, retain=True)
            yield Show("clock", raw)

    def state(self, now: Millis) -> ClockState:
        """What everybody shows; where not all of it can be shown, the time alone."""
        return self._views.show(
            CLOCK,
            lambda: clock_state(self._clock.clock, now, self._field.field, note=self._note(now)),
            lambda fault: self._alone(fault, now),
        )

    def _note(self, now: Millis) -> str:
        """Why the clock stands: the winner, once there is one; at the beginning, that nothing is played yet."""
        state, clock = self._records.state, self._clock.clock
        won = [one.player for one in state.field.entrants.values() if one.place == 1]
        if state.finished is not None and won:
            names = public_names(self._names, state)
            return f"{over(state)}: {' and '.join(names[player] for player in won)} won"
        first = clock.read(now).index == 0 and clock.passed(now) == 0
        return over(state) or ("Not started yet" if first and not clock.mark.running else "")

    def _alone(self, fault: Fault, now: Millis) -> ClockState:
        state = clock_state(self._clock.clock, now, Field(), note=f"{fault.words}.")
        return msgspec.structs.replace(state, levels=())


def _differs(state: ClockState, shown: ClockState | None) -> bool:
    """Whether screens need an update now: anything but the time running down."""
    if shown is None or state.running != shown.running:
        return True
    same = msgspec.structs.replace(state, at=shown.at, left_ms=shown.left_ms)
    return same != shown
