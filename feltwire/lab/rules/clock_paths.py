"""The mutants of the tournament's clock, one per rule that is no parameter. The name says what is then wrong."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from feltwire.lab.rules.mutants import mutant
from table_core.messages import Chips, Refusal
from table_core.tournament.clock import ClockReading


@mutant(
    "table_core.tournament.clock:TournamentClock.read",
    rules=["ccp.timer.1", "wfp.procedures.4", "rpl.tournaments.8"],
)
def _the_clock_stands_at_the_end_of_its_level(read: Any) -> Any:
    def stand(self: Any, now: Any) -> ClockReading:
        reading = read(self, now)
        mark = self.mark
        over = reading.index != mark.index
        return ClockReading(mark.index, 0, mark.announcement) if over else reading

    return stand


@mutant("table_core.tournament.control:take_break", rules=["ccp.timer.6"])
def _no_break_is_taken_out_of_turn(take_break: Any) -> Any:
    del take_break
    return lambda *arguments: Refusal("Breaks are in the schedule.", "")


@mutant("table_core.projections.clock:clock_state", rules=["ccp.schedule.1"])
def _the_display_shows_the_present_level_alone(clock_state: Any) -> Any:
    def alone(*arguments: Any, **options: Any) -> Any:
        state = clock_state(*arguments, **options)
        return replace(state, levels=(state.level,))

    return alone


@mutant("table_core.tournament.clock:TournamentClock.with_time", rules=["wfp.decisions.9"])
def _a_level_that_runs_keeps_its_length(with_time: Any) -> Any:
    del with_time
    return lambda self, by_ms, now: self


@mutant("table_core.tournament.control:edit_level", rules=["rpl.holdem.3"])
def _a_level_has_no_ante(edit_level: Any) -> Any:
    return lambda state, wanted, now, facts: edit_level(state, replace(wanted, ante=Chips(0)), now, facts)
