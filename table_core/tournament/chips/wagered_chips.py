"""Which chips may be wagered: denominations below those of the blinds."""

from __future__ import annotations

from collections.abc import Mapping

from table_core.rulebook import Rulebook


def proper_amount(amount: int, smallest_chip: int, rulebook: Rulebook) -> int:
    """The nearest amount in chips that may be wagered (wfp.betting.4a, wfp.betting.16a)."""
    if rulebook.tournament.smaller_chips_play.value:
        return amount
    return (2 * amount + smallest_chip) // (2 * smallest_chip) * smallest_chip


def playable(chips: Mapping[int, int], smallest_chip: int, bring_in_chip: int, rulebook: Rulebook) -> int:
    """What of a stack plays: `chips` is how many there are of each denomination.

    Chips below the smallest of the blinds do not play, not even in quantity (rpl.betting.6a). Where the house
    wants the chip of the big blind or larger, smaller ones play only in quantity (wfp.nolimit.12).
    """
    tournament = rulebook.tournament
    least = 0 if tournament.smaller_chips_play.value else smallest_chip
    total = sum(value * count for value, count in chips.items() if value >= least)
    return total // bring_in_chip * bring_in_chip if tournament.bring_in_chips_only.value else total
