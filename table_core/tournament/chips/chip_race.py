"""The chip race: odd chips when a denomination leaves play."""

from __future__ import annotations

from collections.abc import Mapping

from table_core.cards import Card
from table_core.messages import Seat
from table_core.tournament.policies import ChipRace


def race(
    method: ChipRace,
    odd: Mapping[Seat, int],
    old: int,
    new: int,
    best_card: Mapping[Seat, Card],
    last_chips: frozenset[Seat] = frozenset(),
) -> dict[Seat, int]:
    """New chips of value `new` for each seat's `odd` chips of value `old`, full lots already changed up.

    `best_card` is the highest card that each seat drew (one card an odd chip); ranks decide, then suits.
    `last_chips` are seats that have nothing else: nobody is raced out (wfp.procedures.6c).
    """
    if method is ChipRace.ROUND_UP:
        return {seat: -(-count * old // new) for seat, count in odd.items() if count}
    if method is ChipRace.EXCHANGE_OR_RACE:
        exchanged = {seat: 1 for seat, count in odd.items() if count > 1}
        singles = {seat: count for seat, count in odd.items() if count == 1}
        return exchanged | _by_cards(singles, old, new, best_card, last_chips)
    return _by_cards(odd, old, new, best_card, last_chips)


def _by_cards(
    odd: Mapping[Seat, int], old: int, new: int, best_card: Mapping[Seat, Card], last_chips: frozenset[Seat]
) -> dict[Seat, int]:
    """At most one new chip a player, the highest card first; half a chip's worth or more left over earns one
    more (wfp.procedures.6d)."""
    chips, left = divmod(sum(odd.values()) * old, new)
    if 2 * left >= new:
        chips += 1
    racing = [seat for seat, count in odd.items() if count]
    safe = [seat for seat in racing if seat in last_chips]
    order = sorted((seat for seat in racing if seat not in safe), key=lambda seat: -best_card[seat])
    winners = (safe + order)[: max(chips, len(safe))]
    return dict.fromkeys(winners, 1)
