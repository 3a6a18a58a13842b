"""The order of a deck that makes hands rank as a cell has them."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.decks import CARDS
from tests.spec.situation import FloorIsTold, Step, Table, Tables

AS_IT_COMES = tuple(reversed(CARDS))
RANKED = (("Ah", "Kd"), ("Ac", "Ks"), ("Qh", "Jd"), ("Qc", "Js"))  # two that are best and tie, two that are second
NO_HELP = ("2c", "3d", "5h", "7s", "8c", "9d", "2d", "3h", "5s", "7c", "8d", "9h")  # no straight, no flush
BROADWAY = ("2c", "Tc", "Jh", "Qs", "2d", "Kh", "3h", "Ad", "4s", "5c", "6d", "7h")  # each hand plays the board


def deck_for(table: Table, steps: Iterable[Step]) -> tuple[str, ...]:
    """The cards from the top."""
    steps = tuple(steps)
    tabled = [step for step in steps if isinstance(step, Tables)]
    if not tabled:
        return AS_IT_COMES
    facts = [fact for step in steps if isinstance(step, FloorIsTold) for fact, _ in step.facts]
    stub = BROADWAY if "board was declared" in facts else NO_HELP
    hands, left = dict[int, tuple[str, str]](), list(RANKED)
    for one in () if stub is BROADWAY else tabled:
        hands[one.seat] = left.pop(0 if one.best == 1 else -1)
    taken = {*stub, *(card for hand in hands.values() for card in hand)}
    spare = [card for card in AS_IT_COMES if card not in taken]
    hole = [hands[seat][no] if seat in hands else spare.pop(0) for no in (0, 1) for seat in table.deal_order]
    return (*hole, *stub, *spare)
