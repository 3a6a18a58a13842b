"""What the records add up to: the chips that were given out, by why, and the money that each person took and
paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from table_core.tournament.events import (
    BestHandWon,
    BountyChipsCashed,
    BountyEntered,
    BountyWon,
    CashMoved,
    ChipsBought,
    ColouredUp,
    Entered,
    PrizePaid,
    Purchase,
    RebuyAnnounced,
    RebuyPaid,
    Refunded,
    StackPlaced,
    StackSold,
)
from table_core.tournament.night import Night, Recorded

_KINDS = ("entries", "bonus", "stacks placed", "rebuys", "add-ons", "coloured up", "removed")
_BOUGHT = {Purchase.REBUY: "rebuys", Purchase.BREAK: "rebuys", Purchase.ADD_ON: "add-ons"}


def chips_given(night: Night) -> list[dict[str, Any]]:
    """What was given out: `{"what": "rebuys", "count": 2, "chips": 10000}`, less what left play."""
    of_players: dict[str, list[tuple[str, int]]] = {}
    for record in _standing(night):
        player = getattr(record.event, "stack", "") if isinstance(record.event, StackPlaced) else ""
        player = player or getattr(record.event, "player", "")
        if isinstance(record.event, Refunded):
            of_players.pop(player, None)
        of_players.setdefault(player, []).extend(_chips(record.event))
    found: dict[str, list[int]] = {what: [0, 0] for what in _KINDS}
    for what, chips in (line for lines in of_players.values() for line in lines):
        found[what][0] += 1
        found[what][1] += chips
    removed = [entrant.removed for entrant in night.state.field.entrants.values() if entrant.removed]
    found["removed"] = [len(removed), -sum(removed)]
    return [{"what": what, "count": count, "chips": chips} for what, (count, chips) in found.items() if count]


def tills(night: Night) -> dict[str, int]:
    """Cents that each person took, less what the person paid out; `""` is the station."""
    found: dict[str, int] = {}
    for record in _standing(night):
        if cents := _cents(record.event):
            found[record.by] = found.get(record.by, 0) + cents
    return found


def paid_to(night: Night) -> dict[str, tuple[str, int]]:
    """Who took the last money of each player, and when (wall time, ms)."""
    money = ((record, _cents(record.event), getattr(record.event, "player", "")) for record in _standing(night))
    return {player: (record.by, record.at.wall) for record, cents, player in money if player and cents > 0}


def _standing(night: Night) -> Iterator[Recorded]:
    return (record for record in night.records if night.stands(record.no))


def _chips(event: Any) -> Iterator[tuple[str, int]]:
    match event:
        case Entered(chips=chips, bonus=bonus):
            yield "entries", chips
            if bonus:
                yield "bonus", bonus
        case StackPlaced(chips=chips):
            yield "stacks placed", chips
        case ChipsBought(kind=kind, chips=chips):
            yield _BOUGHT[kind], chips
        case RebuyAnnounced(chips=chips) if chips:
            yield "rebuys", chips
        case ColouredUp(changes=changes):
            yield "coloured up", sum(change.chips for change in changes)


def _cents(event: Any) -> int:
    """What came into the cash box, below 0 what left it."""
    match event:
        case Entered(paid=paid) | ChipsBought(paid=paid) | RebuyPaid(paid=paid):
            return paid
        case StackSold(paid=paid) | BountyEntered(paid=paid):
            return paid
        case Refunded(paid=paid):
            return -paid
        case CashMoved(amount=amount):
            return amount
        case PrizePaid(amount=amount) | BountyChipsCashed(amount=amount):
            return -amount
        case BestHandWon(shares=shares) | BountyWon(shares=shares):
            return -sum(share.amount for share in shares)
    return 0
