"""What of an entry is not prize money."""

from __future__ import annotations

from table_core.tournament.events import in_cents
from table_core.tournament.policies import BountyGame
from table_core.tournament.state import State


def own_bounty_chip(state: State) -> bool:
    """Whether everybody's entry buys a bounty chip."""
    bounties = state.book.tournament.bounties
    return bounties is not None and bounties.value is BountyGame.CHIP_PER_PLAYER


def fees(state: State) -> dict[str, int]:
    """Cents of one entry that are not prize money, by what they are for."""
    book = state.book.tournament
    named = {
        "food": book.fee_for_food,
        "extra_prizes": book.fee_for_extra_prizes,
        "best_hand": book.fee_for_best_hand,
        "organiser": book.entry_fee,
        "bounty_chip": book.bounty_price if own_bounty_chip(state) else None,
    }
    return {what: in_cents(fee.value) for what, fee in named.items() if fee is not None and fee.value}
