"""Chips and words as a dealer keys them, and the number that a question about them wants."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.messages import Key
from tests.spec.situation import Matter, PutsChips

INCIDENTS: dict[Matter, int] = {
    "string bet": 43,
    "silent chips": 44,
    "amount": 44,
    "below minimum": 74,
    "short call": 74,
    "misunderstanding": 46,
    "withdrawal": 47,
}


def put_in(chips: PutsChips, motions: int | None = None) -> int:
    """What lies there behind so many motions; behind all of them."""
    return sum(sum(one) for one in chips.motions[:motions])


def keys(chips: PutsChips, high: int) -> Iterator[Key | str]:
    """What a dealer keys who hears the words and counts the chips, before anybody thinks of the rule: `high` is
    the bet that the seat faces."""
    to = chips.said_to or put_in(chips)
    match chips.said:
        case "all-in":
            yield Key.ALL_IN
        case "call":
            yield Key.CHECK_CALL
        case None if to <= high:
            yield Key.CHECK_CALL
        case _:
            yield str(to)
            yield Key.BET_RAISE


def count_for(matter: Matter, chips: PutsChips) -> int:
    """The number that a person says when the floor asks for one."""
    if matter == "string bet":
        return put_in(chips, 1)
    return chips.said_to or put_in(chips) if matter == "amount" else put_in(chips)
