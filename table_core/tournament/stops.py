"""When the clock stands by the book, and when tables begin no new hand."""

from __future__ import annotations

from table_core.messages import Frozen, Name, Text
from table_core.parameters import Rule
from table_core.tournament.clock import TournamentClock
from table_core.tournament.events import ClockStopped, Instant
from table_core.tournament.state import MoveStage, State, TableSeats


class Wait(Frozen, frozen=True):
    """Why no new hand begins, for dealers, and the rule."""

    why: Text
    rule: Name


def stop_clock(state: State, now: Instant, stops: Rule[bool] | None) -> tuple[ClockStopped, ...]:
    """The clock stands, where the book says so and it runs (ccp.timer.7)."""
    if stops is None or not stops.value or state.clock is None or not state.clock.mark.running:
        return ()
    return (ClockStopped(state.clock.pause(now.at).mark, stops.rule),)


def let_go_on(
    state: State, now: Instant, stops: Rule[bool] | None, *, move: str = "", dispute: str = ""
) -> tuple[ClockStopped, ...]:
    """The clock that `stop_clock` stopped goes on with the last move and the last dispute; not once there is a
    winner."""
    waits_for = (state.seats.moves.keys() - {move}) | (state.disputes.keys() - {dispute})
    if not state.stopped_by_book or state.clock is None or waits_for or state.finished is not None:
        return ()
    rule = stops.rule if stops is not None else ""
    return (ClockStopped(state.clock.resume(now.at).mark, rule, goes_on=True),)


def over(state: State) -> str:
    """Why nothing more is played, for the walls; empty before."""
    if state.cancelled:
        return "The event is cancelled"
    return "The event is over" if state.finished is not None else ""


def stopped_wait(state: State) -> Wait | None:
    """Why no new hand begins while the clock stands (ccp.timer.8)."""
    if state.cancelled:
        return Wait(over(state), state.cancelled_by)
    rule = state.book.tournament.no_new_hands_while_stopped
    stands = state.clock is not None and not state.clock.mark.running and state.hand_for_hand is None
    if state.started is None or state.finished is not None or not stands or rule is None or not rule.value:
        return None
    return Wait("The clock is stopped: no new hand begins", rule.rule)


def as_rounds_go(state: State, clock: TournamentClock, now: Instant) -> TournamentClock:
    """The clock while it is played hand for hand: it stands in a level, charged by the hand, and runs in a
    break. Otherwise it is left as it is."""
    if state.hand_for_hand is None:
        return clock
    return clock.resume(now.at) if clock.level(now.at).is_break else clock.pause(now.at)


def broken_wait(table: TableSeats) -> Wait | None:
    """Why no new hand begins at a table that breaks: its players leave."""
    return None if table.open else Wait("The table breaks: no new hand begins", table.closed_by)


def short_wait(state: State, table: TableSeats) -> Wait | None:
    """Why no new hand begins at a table that has too few players beside the fullest one: a move is due. Who is on
    the way counts where the move began until it is done."""
    rule = state.book.tournament.play_halts_at_difference
    if rule is None or state.started is None or state.finished is not None:
        return None
    on_the_way = [
        move.ordered.start.table for move in state.seats.moves.values() if move.stage is MoveStage.IN_TRANSIT
    ]
    open_tables = state.seats.open_tables()
    most = max(len(one.players) + on_the_way.count(one.plan.table) for one in open_tables)
    fewer = most - len(table.players)
    return Wait(f"{fewer} players fewer than the fullest table", rule.rule) if fewer >= rule.value else None


def break_rule(state: State) -> str:
    """The rule by which no hand begins in a break; empty where hands do."""
    rule = state.book.tournament.no_new_hands_in_break
    return rule.rule if rule is not None and rule.value and state.started is not None else ""
