"""The blind clock for screens, and how a screen runs it on alone."""

from __future__ import annotations

from msgspec.structs import replace

from table_core.messages import Chips, ClockState, Mark, Millis
from table_core.projections.room import Field
from table_core.tournament.clock import TournamentClock

PLACES_SHOWN = 100


def clock_state(clock: TournamentClock, now: Millis, field: Field, *, note: str = "") -> ClockState:
    """The clock at `now` (boot time of `clock.mark.boot`), with the whole schedule for screens to go on."""
    reading = clock.read(now)
    return ClockState(
        boot=clock.mark.boot,
        at=now,
        revision=clock.mark.revision,
        running=clock.mark.running,
        level=clock.levels[reading.index],
        left_ms=reading.left_ms,
        next_level=clock.next_level(now),
        players_left=field.players,
        entrants=field.entrants,
        average_stack=Chips(max(field.average_stack, 0)),
        levels=clock.levels,
        chips=Chips(max(field.chips, 0)),
        entry=reading.index,
        buy_in=field.buy_in,
        payouts=field.payouts[:PLACES_SHOWN],
        note=note,
    )


def run_on(state: ClockState, now: Millis) -> ClockState:
    """`state` at `now` of the same boot if nobody changed the clock, with the level changes until then.

    A state without its schedule counts its level down and stays at 0.
    """
    clock = clock_of(state)
    reading = clock.read(now)
    return replace(
        state,
        at=now,
        level=clock.levels[reading.index],
        left_ms=reading.left_ms,
        next_level=clock.next_level(now) if state.levels else state.next_level,
        entry=reading.index if state.levels else state.entry,
    )


def clock_of(state: ClockState) -> TournamentClock:
    """The clock that `state` shows, ready to be read at any later instant."""
    levels = state.levels if state.level in state.levels else (state.level,)
    return TournamentClock(
        levels,
        Mark(
            boot=state.boot,
            at=state.at,
            index=_place(state, levels),
            left_ms=state.left_ms,
            running=state.running,
            revision=state.revision,
        ),
    )


def _place(state: ClockState, levels: tuple[object, ...]) -> int:
    """The entry of `state` in the schedule. Where it does not say which, two breaks can be equal: the next entry
    tells them apart."""
    if state.entry is not None and state.entry < len(levels) and levels[state.entry] == state.level:
        return state.entry
    following = (*levels[1:], None)
    alike = [index for index, level in enumerate(levels) if level == state.level]
    return next((index for index in alike if following[index] == state.next_level), alike[0])
