"""Disputes that need the director: open, closed, and the clock meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Frozen, Name, Number, Refusal, Said
from table_core.tournament.decision import ConflictError, Decision, unused
from table_core.tournament.events import DisputeClosed, DisputeOpened, Instant
from table_core.tournament.state import Facts, State
from table_core.tournament.stops import let_go_on, stop_clock


class OpenDispute(Frozen, frozen=True):
    """A dispute at a table that the director is needed for. A table that calls the floor opens it by itself."""

    table: Name
    why: Said = ""
    dispute: Name = ""


class CloseDispute(Frozen, frozen=True):
    dispute: Name


def open_dispute(state: State, wanted: OpenDispute, now: Instant, facts: Facts) -> Decision:
    if wanted.table not in state.seats.tables:
        return Refusal(reason=f"There is no table {wanted.table}.", rule="")
    dispute = wanted.dispute or unused("dispute-", state.disputes_opened, state.disputes)
    if dispute in state.disputes:
        return ()
    stops = state.book.tournament.clock_stops_for_disputes
    rule = stops.rule if stops is not None else ""
    hand = facts[wanted.table].hand if wanted.table in facts else Number(0)
    return (DisputeOpened(dispute, wanted.table, wanted.why, rule, hand), *stop_clock(state, now, stops))


def close_dispute(state: State, wanted: CloseDispute, now: Instant, facts: Facts) -> Decision:
    if wanted.dispute not in state.disputes:
        return Refusal(reason=f"There is no open dispute {wanted.dispute}.", rule="")
    stops = state.book.tournament.clock_stops_for_disputes
    return (DisputeClosed(wanted.dispute), *let_go_on(state, now, stops, dispute=wanted.dispute))


# ------------------------------------------------------------------------------------------------ reducers


def _opened(state: State, event: DisputeOpened, now: Instant) -> None:
    state.disputes[event.dispute] = event
    state.disputes_opened += 1


def _closed(state: State, event: DisputeClosed, now: Instant) -> None:
    if event.dispute not in state.disputes:
        raise ConflictError(f"{event.dispute} is not open")
    del state.disputes[event.dispute]


COMMANDS: Mapping[type, Any] = {OpenDispute: open_dispute, CloseDispute: close_dispute}
REDUCERS: Mapping[type, Any] = {DisputeOpened: _opened, DisputeClosed: _closed}
