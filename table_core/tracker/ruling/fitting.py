"""What cannot be ruled on about a player whose hand is out of play, and why, from the public state alone."""

from __future__ import annotations

from msgspec.structs import replace

from table_core.messages import Seat
from table_core.projections.table import TableProjection
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Case
from table_core.rulings.offered import offered
from table_core.rulings.register import Incident
from table_core.tracker.ruling.opening import not_now


def unfit_about(table: TableProjection, seat: Seat) -> dict[str, str]:
    """The incidents about one player that the table would refuse, each with the reason. None of them for a player
    in the hand: there much depends on what the devices saw, which only the table knows."""
    if table.hand is not None and table.in_hand and seat in table.hand.live_seats:
        return {}
    about = (incident for incident in INCIDENTS.values() if incident.needs_seat)
    found = {incident.key: _why_not(table, incident, seat) for incident in about}
    return {key: f"{why[:1].upper()}{why[1:].rstrip('.')}" for key, why in found.items() if why}


def _why_not(table: TableProjection, incident: Incident, seat: Seat) -> str:
    title = f"{incident.title}: "
    soon = not_now(table, incident, seat)
    if soon is not None:
        return soon.removeprefix(title)
    case = Case(table, incident.key, seat=seat)
    if table.in_hand:
        last = case.last_act(seat)
        case = replace(case, act=None if last is None else last[0].seq, on_board=len(case.hand.board))
    unfit = incident.unfit(case)
    if unfit:
        return unfit
    options, why = offered(case, incident)
    return "" if options else why
