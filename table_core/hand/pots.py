"""Main and side pots: who can win which chips, and how a pot is split."""

from __future__ import annotations

from collections.abc import Sequence

from table_core.hand.seats import members
from table_core.messages import Chips, PotAwarded, Seat

Pot = tuple[int, int]  # amount, and the set of seat indices that can win it


def layers(paid: list[int], contenders: int, dead: int) -> list[Pot]:
    """Main pot first, then side pots, from what each index has `paid` in.

    A pot ends where a contender is all-in: chips of seat indices that folded never make a pot of their own. `dead`
    chips (a big blind ante) belong to the main pot, whoever paid them. Pots stay apart for good, also when
    every hand but one is mucked (tda.21).
    """
    everybody = paid[0] if paid else 0
    if everybody and paid.count(everybody) == len(paid):
        return [(everybody * len(paid) + dead, contenders)]
    caps = sorted({paid[index] for index in members(contenders)})
    if len(caps) == 1:
        total = sum(paid) + dead
        return [(total, contenders)] if total else []
    pots: list[Pot] = []
    below = 0
    for cap in caps:
        amount = sum([min(chips, cap) - below for chips in paid if chips > below])
        if cap == caps[-1]:  # chips of folded hands above the last cap
            amount += sum([chips - cap for chips in paid if chips > cap])
        amount += dead
        dead = min(amount, 0)  # more chips missing than this pot has: the rest is missing from the next
        if amount > 0:
            eligible = sum([1 << index for index in members(contenders) if paid[index] >= cap])
            pots.append((amount, eligible))
        below = cap
    return pots


def joined(earlier: Sequence[Pot], pots: list[Pot], contenders: int) -> list[Pot]:
    """`pots` after those from before the hand was resumed; the last of these grows where the same seats can win
    it."""
    if not earlier:
        return pots
    live = [(amount, indices & contenders) for amount, indices in earlier]
    if pots and pots[0][1] == live[-1][1]:
        return [*live[:-1], (live[-1][0] + pots[0][0], pots[0][1]), *pots[1:]]
    return live + pots


def won_by_somebody(pots: list[Pot], live: int) -> list[Pot]:
    """`pots`, with those that no live seat can win added to the previous pot (or, for the first, to the next)."""
    if all(indices & live for _, indices in pots):
        return pots
    kept: list[Pot] = []
    homeless = 0
    for amount, indices in pots:
        if indices & live:
            kept.append((amount + homeless, indices))
            homeless = 0
        elif kept:
            kept[-1] = (kept[-1][0] + amount, kept[-1][1])
        else:
            homeless += amount
    return [*kept, (homeless, live)] if homeless else kept


def split(amount: int, winners: Sequence[int], unit: int, *, carry: bool = False) -> list[tuple[int, int]]:
    """(index, chips) for each of `winners`, which come in order from the left of the button.

    Equal shares in whole chips of `unit`, the smallest in play. Odd chips go one each from the first winner left
    of the button on, and with them what is less than one such chip (tda.20); with `carry` they stay in the pot
    of the next hand (ccp.showdown.7).
    """
    if len(winners) == 1:
        return [(winners[0], amount)]
    share = amount // len(winners) // unit * unit
    shares = [share] * len(winners)
    odd = amount - share * len(winners)
    if odd and not carry:
        chips, dust = divmod(odd, unit)
        shares = [share + unit if number < chips else share for number in range(len(winners))]
        shares[0] += dust
    return list(zip(winners, shares, strict=True))


def odd_chips(award: PotAwarded) -> list[tuple[Seat, Chips]]:
    """Who got more of a split pot than the others, and how much more."""
    least = min((share.amount for share in award.shares), default=Chips(0))
    return [(share.seat, Chips(share.amount - least)) for share in award.shares if share.amount > least]
