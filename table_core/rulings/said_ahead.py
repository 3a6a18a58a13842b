"""A player says ahead what it will do: *if you bet, I call*."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.messages import Duty, Owes, SetDuties
from table_core.rulings.case import Case, Option, Push
from table_core.rulings.register import Group, incident


def _in_turn(case: Case) -> str:
    """Why nothing is said ahead: at its turn a player's word is a key, who cannot act any more says nothing."""
    if case.is_to_act(case.the_seat):
        return f"it is the turn of seat {case.seat}: key what it says"
    to_come = case.betting_open and case.seat in case.hand.live_seats and case.seat not in case.hand.all_in
    return "" if to_come else f"seat {case.seat} is not to act any more"


@incident("said_ahead", 50, "Said ahead what it will do", Group.ACTION, needs_seat=True, unfit=_in_turn)
def said_ahead(case: Case) -> Iterator[Option]:
    """Words bind in turn (wfp.betting.5); said ahead they hang on what others do first. No book binds a player to
    them; a person may, since others act on them."""
    rule = case.cite("fairness")
    yield Option("free", f"Seat {case.seat} chooses at its turn: words ahead of it bind to nothing", rule)
    for key, owes, words in (
        ("call", Owes.CALL, "calls whatever is bet, and checks where nobody bets"),
        ("no_raise", Owes.NO_RAISE, "neither bets nor raises"),
    ):
        held = Push(SetDuties(case.the_seat, (Duty(owes, rule),)))
        yield Option(key, f"Seat {case.seat} is held to its words: it {words}", rule, (held,))
