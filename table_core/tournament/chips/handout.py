"""A club's chips by colour: what a starting stack is made of, how many are needed, what is short.

>>> owned = (OwnChips("red", 25, 200), OwnChips("green", 100, 200), OwnChips("black", 500, 150))
>>> [(one.value, one.each) for one in handout(owned, stack=5_000, players=12).lines]
[(25, 8), (100, 8), (500, 8)]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from table_core.messages import Few, Frozen, Number, Text
from table_core.tournament.chips.account import players_carried

Pieces = Annotated[int, Meta(ge=0, le=100_000)]
Worth = Annotated[int, Meta(ge=1, le=10_000_000)]

_EASY = (8, 8, 6, 4)  # pieces of a stack that pay comfortably, the smallest value first
_MOST_EACH = 30  # of one value in a stack
_TRIES = 20_000


class OwnChips(Frozen, frozen=True):
    """Chips of one colour that a club owns."""

    colour: Text
    value: Worth
    count: Pieces


class Line(Frozen, frozen=True):
    """Of one colour: `each` of a stack, `needed` for everybody with rebuys and what colour-ups bring in, what is
    `left` over, below 0 what is short."""

    colour: Text
    value: Number
    count: Number
    each: Number
    needed: Number
    left: int


class Handout(Frozen, frozen=True):
    """`lines` by value, the smallest first; none where no stack can be made. `carries`: for how many stacks the
    chips are enough."""

    lines: Few[Line]
    carries: Number
    says: tuple[str, ...]


def handout(
    owned: Sequence[OwnChips],
    *,
    stack: int,
    players: int,
    rebuys: int = 0,
    made_of: Mapping[int, int] | None = None,
    leaving: Collection[int] = (),
) -> Handout:
    """How `stack` is made of the chips in `owned` for so many players and `rebuys` more stacks; `made_of`: the
    pieces of a stack by value, where somebody has decided that; `leaving`: values that leave play."""
    own = _by_value(owned)
    stacks = players + rebuys
    tries = iter(range(_TRIES))
    each = dict(made_of) if made_of is not None else {}
    each = each or _stack_of(own, stack, stacks, tries) or _stack_of(own, stack, 1, tries)
    if not each:
        values = ", ".join(f"{value:,}" for value in own)
        return Handout((), 0, (f"No stack of {stack:,} can be made of {values or 'no chips'}.",))
    lines = tuple(_lines(own, each, stacks, leaving))
    carries = players_carried({value: one.count for value, one in own.items()}, each)
    return Handout(lines, carries, tuple(_said(lines, each, carries, stacks)))


def _by_value(owned: Sequence[OwnChips]) -> dict[int, OwnChips]:
    """Of two colours with one value they are counted together."""
    found: dict[int, OwnChips] = {}
    for one in sorted(owned, key=lambda one: one.value):
        before = found.get(one.value)
        colour = f"{before.colour} and {one.colour}" if before is not None else one.colour
        found[one.value] = OwnChips(colour, one.value, one.count + (before.count if before is not None else 0))
    return found


def _stack_of(own: Mapping[int, OwnChips], stack: int, stacks: int, tries: Iterator[int]) -> dict[int, int]:
    """Pieces by value that make the stack and that `stacks` players can have; as near as possible to what pays
    comfortably. Empty where there is no way, or none was found
    in so many `tries`."""
    values = [value for value in own if value <= stack]
    most = {value: min(_MOST_EACH, own[value].count // max(1, stacks)) for value in values}

    def fill(at: int, left: int) -> dict[int, int] | None:
        if next(tries, None) is None:
            return None
        if at == len(values) - 1:
            count, rest = divmod(left, values[at])
            return {values[at]: count} if not rest and count <= most[values[at]] else None
        easy = _EASY[min(at, len(_EASY) - 1)]
        for count in sorted(range(min(most[values[at]], left // values[at]) + 1), key=lambda n: abs(n - easy)):
            if (left - count * values[at]) % _step(values[at + 1 :]):
                continue
            found = fill(at + 1, left - count * values[at])
            if found is not None:
                return {values[at]: count, **found}
        return None

    # The smallest values are left out one by one where they cannot be part of it.
    while values:
        found = fill(0, stack)
        if found is not None:
            return {value: count for value, count in found.items() if count}
        values = values[1:]
    return {}


def _step(values: Sequence[int]) -> int:
    """What every sum of these values is a multiple of."""
    step = 0
    for value in values:
        while value:
            step, value = value, step % value
    return max(1, step)


def _lines(
    own: Mapping[int, OwnChips], each: Mapping[int, int], stacks: int, leaving: Collection[int]
) -> Iterator[Line]:
    """The need of each colour: its pieces in all stacks, and what comes in for smaller ones that leave play."""
    values = sorted({*own, *each})
    pieces = {value: each.get(value, 0) * stacks for value in values}
    spare = {value: max(0, own[value].count - pieces[value]) if value in own else 0 for value in values}
    comes_in = dict.fromkeys(values, 0)
    for at, value in enumerate(values):
        worth = (pieces[value] + comes_in[value]) * value
        larger = values[at + 1 :]
        if not worth or value not in leaving or not larger:
            continue
        for next_ in larger:
            taken = min(spare[next_], worth // next_)
            spare[next_] -= taken
            comes_in[next_] += taken
            worth -= taken * next_
        comes_in[larger[0]] += -(-worth // larger[0]) if worth >= larger[0] else 0
    for value in values:
        one = own.get(value, OwnChips("", value, 0))
        needed = pieces[value] + comes_in[value]
        yield Line(one.colour, value, one.count, each.get(value, 0), needed, one.count - needed)


def _said(lines: Sequence[Line], each: Mapping[int, int], carries: int, stacks: int) -> Iterator[str]:
    made = ", ".join(_pieces(one, one.each) for one in lines if one.each)
    yield f"A stack is {sum(each.values())} chips: {made}."
    short = [one for one in lines if one.count < one.each * stacks]
    if short:
        missing = ", ".join(_pieces(one, one.each * stacks - one.count) for one in short)
        yield f"Short for {stacks} stacks: {missing}. The chips are enough for {carries}."
    else:
        yield f"The chips are enough for {carries} stacks; {stacks} are needed."
    late = [one for one in lines if one not in short and one.left < 0]
    if late:
        yield f"Short for the colour-ups: {', '.join(_pieces(one, -one.left) for one in late)}."


def _pieces(line: Line, count: int) -> str:
    return f"{count} {line.colour or 'of'} {line.value:,}"
