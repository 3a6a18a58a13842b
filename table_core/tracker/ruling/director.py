"""Rulings by the director: made at the station, final at the table."""

from __future__ import annotations

from msgspec.structs import replace

from table_core.messages import Millis, Noticed, Refused, Ruled
from table_core.projections.table_state import TableState
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.cites import cited_here
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.ruling.carrying_out import decide
from table_core.tracker.ruling.facts import case_of, options_of
from table_core.tracker.ruling.opening import (
    at_this_moment,
    not_now,
    of_the_same_bet,
    open_incident,
    refuse,
    with_what_was_seen,
)
from table_core.tracker.ruling.pending import close
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

DISMISS = "dismiss"  # the director's way to say that there is nothing to rule


def directed(
    unit: UnitOfWork,
    state: TrackerState,
    opened: OpenIncident,
    option: str,
    now: Millis,
    ruler: str,
    reason: str,
    note: str,
) -> None:
    """The director's ruling from the station: opened and decided at once, or opened only."""
    refusal = (
        director_in_it(unit.table, ruler)
        or _unknown(opened.incident)
        or not_now(unit.table, INCIDENTS[opened.incident], opened.seat, opened.amount)
    )
    if refusal is not None:
        unit.record(Refused(refusal, cited_here(unit.table.rulebook.id, "third_party")))
        return
    if not option:
        opened = replace(with_what_was_seen(unit, state, opened), by_person=True, by_director=True)
        state.rulings.take_over(opened)
        refuse(unit, open_incident(unit, state, opened), opened)
        return
    if option == DISMISS:
        _dismiss(unit, state, opened)
        return
    opened = _as_opened(unit, state, opened)
    unfit = INCIDENTS[opened.incident].unfit(case_of(unit, state, opened))
    chosen = next((one for one in options_of(unit, state, opened) if one.key == option), None)
    if chosen is None and unfit:
        text = INCIDENTS[opened.incident].refused(unfit)
        unit.record(Refused(text, cited_here(unit.table.rulebook.id, "fairness")))
        return
    if chosen is not None and chosen.asks:
        unit.record(Refused(chosen.asks, chosen.rule))
        return
    if chosen is None:
        allowed = "; ".join(one.text for one in options_of(unit, state, opened)) or "nothing"
        text = INCIDENTS[opened.incident].refused(f"{option!r} is not allowed now. Allowed: {allowed}")
        unit.record(Refused(text, cited_here(unit.table.rulebook.id, "fairness")))
        return
    settled = state.rulings.like(opened) or of_the_same_bet(state, at_this_moment(unit, state, opened))
    in_line = settled is not None
    close(unit, state, settled or opened, "Ruled by the director")
    decide(unit, state, opened, chosen, now, in_line=in_line, by="director", ruler=ruler, reason=reason, note=note)


def _as_opened(unit: UnitOfWork, state: TrackerState, wanted: OpenIncident) -> OpenIncident:
    """The open incident that the director rules on, with what was seen of it; else as the director names it."""
    known = state.rulings.like(wanted) or at_this_moment(unit, state, wanted)
    return known if wanted.amount is None else replace(known, amount=wanted.amount)


def _dismiss(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> None:
    before = unit.table.seq
    close(unit, state, opened, "Nothing to rule")
    if unit.table.seq == before:
        unit.record(Noticed("matter_closed", "An incident was closed without a ruling"))


def _unknown(incident: str) -> str | None:
    return (
        None if incident in INCIDENTS else f"No incident {incident!r}; there are: {', '.join(sorted(INCIDENTS))}"
    )


def director_in_it(table: TableState, ruler: str) -> str | None:
    """Why a player of the hand may not rule on it, where the book appoints a third party (ccp.commissioner.4)."""
    policy = table.rulebook.policies.director_conflict_of_interest
    if policy is None or not policy.value or not plays_in_it(table, ruler):
        return None
    return f"{ruler} plays in this hand: somebody else rules"


def plays_in_it(table: TableState, name: str) -> bool:
    seats = table.hand.seats if table.hand is not None and name else ()
    return any(table.seats[seat].player == name for seat in seats if seat in table.seats)


def locked(unit: UnitOfWork, ruled: Ruled) -> Refused | None:
    """Whether UNDO at the table stops here: a director's ruling is final."""
    if ruled.by != "director":
        return None
    return Refused(
        "The director ruled: only the director takes it back", cited_here(unit.table.rulebook.id, "final")
    )
