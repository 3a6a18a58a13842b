"""In how many motions the chips of an action came, also where the camera cannot tell how many chips they are.

A zone counts its motions from when it was empty; those of an action are what came since the one before it. It is
evidence for whoever rules on a string bet, and says nothing by itself: change was made, or a chip fell over.
"""

from __future__ import annotations

from table_core.messages import Acted, Millis, Posted, Seat, ZoneSeen
from table_core.tracker.desk import Desk
from table_core.tracker.state import Arrived, TrackerState


def chips_arrived(state: TrackerState, seat: Seat, seen: ZoneSeen) -> None:
    """A new reading of what lies in front of a seat."""
    name = str(seat)
    known = state.arrived.get(name, Arrived())
    if seen.motions < known.now:  # gathered, or taken back: what comes now begins anew
        known = Arrived()
    state.arrived[name] = Arrived(known.before, known.at_act, seen.motions)


def follow_acts(desk: Desk, state: TrackerState, now: Millis) -> None:
    """Who has acted or posted since this was last called: chips that come from now on are of another action."""
    for logged in desk.table.hand_log:
        if logged.seq <= state.arrived_after:
            continue
        if isinstance(logged.event, Acted):
            _acted(state, str(logged.event.seat))
            state.acted_at[str(logged.event.seat)] = now
        elif isinstance(logged.event, Posted):
            _posted(state, str(logged.event.seat))
    state.arrived_after = desk.table.seq


def _posted(state: TrackerState, name: str) -> None:
    """A blind comes in one motion, before or after it is on the books."""
    now = state.arrived.get(name, Arrived()).now
    state.arrived[name] = Arrived(now + 1, now + 1, now)


def _acted(state: TrackerState, name: str) -> None:
    known = state.arrived.get(name, Arrived())
    if known.now > known.at_act:
        state.arrived[name] = Arrived(known.at_act, known.now, known.now)


def new_street(state: TrackerState) -> None:
    """What lies in front of the seats now is of the street before."""
    state.arrived = {name: Arrived(known.now, known.now, known.now) for name, known in state.arrived.items()}


def something_lies(state: TrackerState, seat: Seat) -> bool:
    """Chips came in front of the seat and have not been taken away, however many they are."""
    return state.arrived.get(str(seat), Arrived()).now > 0


def motions_to_come(state: TrackerState, seat: Seat) -> int:
    """In how many motions chips came that no action of the seat accounts for yet."""
    known = state.arrived.get(str(seat), Arrived())
    return max(0, known.now - known.at_act)


def motions_of(state: TrackerState, seat: Seat) -> int:
    """In how many motions the chips of the seat's last action came; 0 where nobody saw them come."""
    known = state.arrived.get(str(seat), Arrived())
    return known.now - known.before
