"""What a recorded fact may hold beside what it holds: a card that nobody read, a name that is missing, an odd
number.

Values are walked as plain data, so a new field is mutated as well; what comes out is within the bounds of its
type.
"""

from __future__ import annotations

import random
import re
from typing import Any, TypeVar

import msgspec

from table_core.messages import MOST_CHIPS, UNKNOWN_CARD, Chips, Envelope, Seat
from table_core.tournament.events import ShownHand
from table_core.tournament.state import Facts, TableFacts

T = TypeVar("T")
CARD = re.compile(r"[2-9TJQKA][cdhs]")
NAMES = ("player", "by", "name", "wall", "why", "text", "reason", "detail")
ODD = (0, 1, 7, MOST_CHIPS)


def unread(envelope: Envelope, chance: random.Random) -> Envelope:
    """Cards that nobody read, and names and times that nobody gave."""
    return msgspec.convert(_walked(msgspec.to_builtins(envelope), chance, odd=False), Envelope)


def odd(envelope: Envelope, chance: random.Random) -> Envelope | None:
    """Odd numbers as well; None where such an event cannot be."""
    plain = msgspec.to_builtins(envelope)
    plain["data"] = _walked(plain["data"], chance, odd=True)
    try:
        return msgspec.convert(plain, Envelope)
    except msgspec.ValidationError:
        return None


def _walked(value: Any, chance: random.Random, *, odd: bool, name: str = "") -> Any:
    match value:
        case dict():
            return {key: _walked(one, chance, odd=odd, name=str(key)) for key, one in value.items()}
        case list() | tuple():
            return [_walked(one, chance, odd=odd, name=name) for one in value]
        case str() if CARD.fullmatch(value) and chance.random() < 0.5:
            return UNKNOWN_CARD
        case str() if name in NAMES and chance.random() < 0.3:
            return ""
        case bool():
            return value
        case int() if odd and name in ("amount", "stack", "to", "pot", "was", "chips") and chance.random() < 0.2:
            return chance.choice(ODD)
    return value


def names_of(names: dict[str, str], chance: random.Random) -> dict[str, str]:
    """Names that are missing, empty, long, or of several people."""
    kinds = (None, "", "x" * 200, "Ann", "‮Bo", "<b>")
    drawn = {player: chance.choice((*kinds, name)) for player, name in names.items()}
    return {player: name for player, name in drawn.items() if name is not None}


def facts_of(facts: Facts, chance: random.Random) -> dict[str, TableFacts]:
    """What tables may report: some nothing, empty seats, stacks that are not known, hands that were not read."""
    return {table: _fact(fact, chance) for table, fact in facts.items() if chance.random() < 0.9}


def _fact(fact: TableFacts, chance: random.Random) -> TableFacts:
    if chance.random() < 0.1:
        return TableFacts(fact.table)
    stacks = {
        seat: Chips(chance.choice(ODD)) if chance.random() < 0.1 else stack
        for seat, stack in fact.stacks.items()
        if chance.random() < 0.9
    }
    seats = [Seat(seat) for seat in (*fact.stacks, 9)]
    shown = [_shown(fact.table, no, chance) for no in range(chance.randrange(4))]
    return msgspec.structs.replace(
        fact,
        stacks=stacks,
        in_hand=chance.random() < 0.5,
        button=chance.choice((None, fact.button)),
        small_blind=chance.choice((None, fact.small_blind)),
        floor=chance.random() < 0.2,
        waits=tuple(seats[: chance.randrange(2)]),
        all_in={chance.choice(seats): fact.hand},
        shown=(*fact.shown, *shown),
    )


def _shown(table: str, no: int, chance: random.Random) -> ShownHand:
    deck = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
    cards = [one if chance.random() < 0.7 else UNKNOWN_CARD for one in chance.sample(deck, 7)]
    return ShownHand(chance.choice(("p1", "p2", "gone", "")), table, no, tuple(cards[:2]), tuple(cards[2:]))


def some(values: list[T], chance: random.Random, most: int) -> list[T]:
    return values if len(values) <= most else chance.sample(values, most)
