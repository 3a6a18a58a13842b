"""What a person may raise now, for the table's own screen: what is likely in this state, or what was searched
for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from table_core.messages import Millis, RaisableView, RulingChoices, Seat
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Option
from table_core.rulings.incident_search import incidents_for
from table_core.rulings.likely import SHOWN, Likely, likely
from table_core.rulings.register import Incident
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.ruling.opening import at_this_moment, not_now, options_at_once, with_what_was_seen
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

MOST = 12  # of what was searched for
_OF_A_SEAT = frozenset(
    ("exposed", "boxed", "extra_card", "left_out", "no_right_to_cards", "joker", "foreign_card")
)


def choices(
    unit: UnitOfWork, state: TrackerState, now: Millis, seat: Seat | None = None, words: str = ""
) -> RulingChoices:
    """Six likely incidents at most, or with `words` those that they name, the best first.

    `seat` is the one that was touched. An incident about a player is about it, else about the seat of which it is
    likely; where there is none, its `seat` is None although it needs one. What cannot be raised now has `why`;
    of what is likely it is left out. Nothing is recorded, and no incident is opened.
    """
    refused = None if state.rulings.refused_bet is None else state.rulings.refused_bet.seat
    guessed = likely(unit.table, seat, refused)
    if not words.strip():
        fit = (one for one in _tried(unit, state, now, guessed) if not one.why)
        return RulingChoices(seat, tuple(one for one, _ in zip(fit, range(SHOWN), strict=False)))
    found = []
    for incident in incidents_for(words)[:MOST]:
        about = next((one.seat for one in guessed if one.incident == incident.key and one.seat is not None), seat)
        found.append(Likely(incident.key, about))
    return RulingChoices(seat, tuple(_tried(unit, state, now, found)))


def _tried(
    unit: UnitOfWork, state: TrackerState, now: Millis, guessed: Iterable[Likely]
) -> Iterator[RaisableView]:
    for key, seat in guessed:
        incident = INCIDENTS[key]
        opened = OpenIncident(key, seat, opened_at=now, by_person=True)
        why = not_now(unit.table, incident, seat)
        effect = ""
        if why is None:
            opened = at_this_moment(unit, state, with_what_was_seen(unit, state, opened))
            options = options_at_once(unit, state, opened)
            why, effect = (options, "") if isinstance(options, str) else ("", _effect(incident, seat, options))
        yield RaisableView(incident.no, key, incident.title, seat, incident.needs_seat, effect, why)


def _effect(incident: Incident, seat: Seat | None, options: tuple[Option, ...]) -> str:
    """What the first answer does, or what must be said before it is known; in its own words where they name it."""
    if incident.key in _OF_A_SEAT and seat is None:
        return "of which seat?"
    return options[0].effect or options[0].asks.partition("?")[0] or options[0].text
