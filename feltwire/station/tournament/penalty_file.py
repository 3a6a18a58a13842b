"""Penalties that outlive an event: what the station keeps of them beside the names of players."""

from __future__ import annotations

from table_core.notices import PenaltyKind
from table_core.tournament.events import OnFile
from table_core.tournament.state import State


def to_file(state: State) -> tuple[OnFile, ...]:
    """The penalties of this event as they go on file; who never came and is suspended for it, too."""
    given = tuple(
        OnFile(one.player, state.day, one.kind, one.reason, one.rule, one.major)
        for one in state.penalties.given.values()
    )
    sent_out = {one.player for one in given}
    rule = state.book.tournament.no_show_suspended
    never_came = (one for one in state.field.entrants.values() if one.suspended and one.player not in sent_out)
    return given + tuple(
        OnFile(one.player, state.day, PenaltyKind.SUSPENDED, one.why_out, rule.rule if rule is not None else "")
        for one in never_came
    )
