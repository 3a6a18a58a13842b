"""How a tournament's players are named where everybody may read: walls, phones, on air, the public page."""

from __future__ import annotations

from collections.abc import Mapping

from feltwire.station.tournament.names import Names
from table_core.tournament.state import State


def public_names(names: Names, state: State) -> Mapping[str, str]:
    """The text for everybody on the event's list, by id: the name, initials or number, as the player chose. In the
    order in which they were registered, so that nobody's text changes because another player comes."""
    return names.in_public(state.field.entrants)
