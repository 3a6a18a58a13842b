"""What stacks are worth in prize money: the independent chip model, and the plain share of chips."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

MOST_PLAYERS = 15  # the model's work doubles with each player


def icm(stacks: Sequence[int], prizes: Sequence[int]) -> tuple[float, ...]:
    """Each stack's expected prize, in the unit of `prizes` (best place first).

    A player finishes first with the probability of their share of the chips; the other places follow in the same
    way among those who are left (Malmuth and Harville). Raise `ValueError` for no chips or more than 15 players.
    """
    players = len(stacks)
    if not 0 < players <= MOST_PLAYERS or min(stacks) < 0 or not sum(stacks):
        raise ValueError(f"the model takes 1 to {MOST_PLAYERS} stacks with chips")
    paid = tuple(prizes[:players])

    @cache
    def expected(left: int, place: int) -> tuple[float, ...]:
        """Of the players in the set `left`, from this place down."""
        if place == len(paid) or not left:
            return (0.0,) * players
        among = [player for player in range(players) if left >> player & 1]
        chips = sum(stacks[player] for player in among)
        worth = [0.0] * players
        for first in among:
            chance = stacks[first] / chips if chips else 1 / len(among)
            if not chance:
                continue
            worth[first] += chance * paid[place]
            for player, rest in enumerate(expected(left & ~(1 << first), place + 1)):
                worth[player] += chance * rest
        return tuple(worth)

    return expected((1 << players) - 1, 0)


def chip_chop(stacks: Sequence[int], prizes: Sequence[int]) -> tuple[float, ...]:
    """The least prize for everybody, the rest by chips."""
    paid = [*prizes[: len(stacks)], *[0] * (len(stacks) - len(prizes))]
    least, total = min(paid), sum(stacks)
    rest = sum(paid) - least * len(stacks)
    return tuple(least + rest * stack / total for stack in stacks)


def to_units(worth: Sequence[float], total: int, unit: int) -> tuple[int, ...]:
    """Whole units of `unit` cents that add up to `total` as far as it divides, in cents, by `to_cents`."""
    return tuple(share * unit for share in to_cents([one / unit for one in worth], total // unit))


def to_cents(worth: Sequence[float], total: int) -> tuple[int, ...]:
    """Whole cents that add up to `total`: each rounded down, the rest one each to the largest remainders."""
    cents = [int(amount) for amount in worth]
    order = sorted(range(len(worth)), key=lambda at: (cents[at] - worth[at], at))
    for at in order[: total - sum(cents)]:
        cents[at] += 1
    return tuple(cents)
