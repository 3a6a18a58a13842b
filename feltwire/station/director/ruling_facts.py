"""What the director reads before a ruling at a table: who is out and since when, what cannot be ruled on about a
player whose hand is out of play, and whether the director plays in the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table_core.messages import Acted, Frozen, Name, Seat
from table_core.projections.table import TableProjection
from table_core.tracker.ruling.director import plays_in_it
from table_core.tracker.ruling.fitting import unfit_about


class RulingFactsWanted(Frozen, frozen=True):
    """`seat`: whom the ruling is to be about, None for no one."""

    table: Name
    seat: Seat | None = None


class OutThere(Frozen, frozen=True):
    """Who went out of chips in a seat. A player whose bust is `pending` can be ruled on."""

    seat: Seat
    player: str
    name: str
    words: str
    pending: bool


class RulingFacts(Frozen, frozen=True):
    """`unfit`: incidents that the table would refuse about the seat, with the reasons. `third`: why somebody else
    may have to rule, by the rule `third_rule`. `acted`: the seat that acted last in the hand in progress."""

    out: tuple[OutThere, ...]
    unfit: dict[str, str]
    third: str = ""
    third_rule: str = ""
    acted: Seat | None = None


def ruling_facts(
    table: TableProjection, out: Sequence[OutThere], seat: Seat | None, by: str, names: Mapping[str, str]
) -> RulingFacts:
    third, rule = _third(table, by.rpartition(" (")[0] or by, names)
    log = table.hand_log if table.in_hand else []
    acted = next((logged.event.seat for logged in reversed(log) if isinstance(logged.event, Acted)), None)
    unfit = unfit_about(table, seat) if seat is not None else {}
    return RulingFacts(tuple(out), unfit, third, rule, acted)


def _third(table: TableProjection, name: str, names: Mapping[str, str]) -> tuple[str, str]:
    known_as = [name, *(player for player, called in names.items() if called == name)]
    if not any(plays_in_it(table, one) for one in known_as):
        return "", ""
    policy = table.rulebook.policies.director_conflict_of_interest
    if policy is None or not policy.value:
        return "You are in this hand. Your book is silent on a director who plays in it.", ""
    return "You are in this hand. The book asks for a third person: let somebody else rule.", policy.rule
