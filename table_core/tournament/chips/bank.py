"""Chips from the bank and back to it, by the director's word: a bonus that was not given, one that was not due.

What a count finds at a table comes from no bank (`counts.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Frozen, Name, Refusal, Said, SignedAmount
from table_core.tournament.decision import Decision
from table_core.tournament.events import ChipsGiven, Instant
from table_core.tournament.field.lookup import entrant_of, known, stack_of
from table_core.tournament.state import Facts, State, Status


class GiveChips(Frozen, frozen=True):
    """`chips` more for the player, or below 0 fewer: a player keeps at least one chip."""

    player: Name
    chips: SignedAmount
    why: Said


def give_chips(state: State, wanted: GiveChips, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if entrant.status is not Status.PLAYING or not wanted.chips or not wanted.why.strip():
        return Refusal(reason="A player who plays, how many chips, and why.", rule="")
    stack = stack_of(state, wanted.player, facts)
    have = stack if stack is not None else entrant.chips - entrant.removed
    if have + wanted.chips < 1:
        return Refusal(reason=f"{wanted.player} has {have:,}: nobody is put out by that.", rule="")
    return (ChipsGiven(wanted.player, wanted.chips, wanted.why),)


def _given(state: State, event: ChipsGiven, now: Instant) -> None:
    entrant = entrant_of(state, event.player, Status.PLAYING)
    entrant.chips += max(event.chips, 0)
    entrant.removed -= min(event.chips, 0)


COMMANDS: Mapping[type, Any] = {GiveChips: give_chips}
REDUCERS: Mapping[type, Any] = {ChipsGiven: _given}
