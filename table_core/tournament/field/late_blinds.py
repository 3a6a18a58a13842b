"""The big blind that a late player's penalty is counted in: `currently in play` is one while no level has just
begun, and two while a table still plays a hand of the level before. Then a person says which."""

from __future__ import annotations

from table_core.messages import Chips, Refusal
from table_core.tournament.events import Instant
from table_core.tournament.state import Facts, State


def big_blinds_in_play(state: State, now: Instant, facts: Facts, table: str = "") -> tuple[Chips, ...]:
    """Those of the clock's level and of hands that are played, at `table` or at any open one; ascending."""
    if state.clock is None:
        return ()
    due = state.clock.playing_level(now.at)
    by_level = {level.no: level.big_blind for level in state.clock.levels if not level.is_break}
    names = [table] if table else [one.plan.table for one in state.seats.open_tables()]
    playing = {facts[name].level for name in names if name in facts and facts[name].in_hand}
    return tuple(sorted({due.big_blind, *(by_level[no] for no in playing if no in by_level)}))


def penalty_in_blinds(
    state: State, now: Instant, facts: Facts, named: Chips | None, table: str = ""
) -> tuple[int, str] | Refusal | None:
    """Chips that a late player loses, with the rule; None where no book counts it in big blinds. `named`: the big
    blind that the director says; where two are in play it has to be said."""
    rule = state.book.tournament.late_penalty_big_blinds
    if rule is None or state.clock is None:
        return None
    found = big_blinds_in_play(state, now, facts, table)
    if named is not None and named not in found:
        reason = f"The big blind in play is {' or '.join(f'{one:,}' for one in found)}."
        return Refusal(reason=reason, rule=rule.rule)
    if named is None and rule.value and len(found) > 1:
        each = " or ".join(f"{rule.value * one:,} ({rule.value} times {one:,})" for one in found)
        reason = f"A hand of the level before is played: the penalty is {each}. Name the big blind."
        return Refusal(reason=reason, rule=rule.rule)
    return rule.value * (named if named is not None else found[-1]), rule.rule
