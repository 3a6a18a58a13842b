"""What stacks are worth in prize money: the independent chip model, and the plain share of chips."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

_ONE = 1 << 128
MOST_PLAYERS = 15  # the model's work doubles with each player


def icm(stacks: Sequence[int], prizes: Sequence[int]) -> tuple[float, ...]:
    """Each stack's expected prize, in the unit of `prizes` (best place first).

    A player finishes first with the probability of their share of the chips; the other places follow in the
    same way among those who are left (Malmuth and Harville). Whole numbers of 2^-128 are computed with, so that
    it is the same on every machine and off by less than a billionth of a unit. Raise `ValueError` for no chips
    or more than 15 players.

    >>> [round(one, 2) for one in icm((50, 30, 20), (70, 30))]
    [45.18, 32.25, 22.57]
    """
    players, chips = len(stacks), sum(stacks)
    if not 0 < players <= MOST_PLAYERS or min(stacks) < 0 or not chips:
        raise ValueError(f"the model takes 1 to {MOST_PLAYERS} stacks with chips")
    paid = tuple(prizes[:players])
    worth = [0] * players
    chance = [0] * (1 << players)  # that these players, a bit each, have the first places
    chance[0] = _ONE
    for ahead, whole in enumerate(chance):
        place = ahead.bit_count()
        if not whole or place >= len(paid):
            continue
        behind = [player for player in range(players) if not ahead >> player & 1]
        left = sum(stacks[player] for player in behind)
        for player in behind:
            part = whole * stacks[player] // left if left else whole // len(behind)
            worth[player] += part * paid[place]
            chance[ahead | 1 << player] += part
    return tuple(one / _ONE for one in worth)


def chip_chop(stacks: Sequence[int], prizes: Sequence[int]) -> tuple[float, ...]:
    """The least prize for everybody, the rest by chips."""
    paid = [*prizes[: len(stacks)], *[0] * (len(stacks) - len(prizes))]
    least, total = min(paid), sum(stacks)
    rest = sum(paid) - least * len(stacks)
    return tuple(least + rest * stack / total for stack in stacks)


def to_units(worth: Sequence[float], total: int, unit: int) -> tuple[int, ...]:
    """Whole units of `unit` cents that add up to `total` as far as it divides, in cents, by `to_cents`."""
    return tuple(share * unit for share in to_cents([one / unit for one in worth], total // unit))


def to_cents(worth: Sequence[float | Fraction], total: int) -> tuple[int, ...]:
    """Whole cents that add up to `total`: each rounded down, the rest one each to the largest remainders."""
    cents = [int(amount) for amount in worth]
    order = sorted(range(len(worth)), key=lambda at: (cents[at] - worth[at], at))
    for at in order[: total - sum(cents)]:
        cents[at] += 1
    return tuple(cents)
