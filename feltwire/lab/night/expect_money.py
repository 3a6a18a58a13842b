"""What a night's story expects of the money."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feltwire.lab.night.found import Expectations, money, same
from table_core.tournament.money.prizes import fees_taken

if TYPE_CHECKING:
    from feltwire.lab.night.play import Playing


def _payouts(playing: Playing, rest: str) -> str:
    return same(money(playing.shown["money"]["payouts"]), rest)


def _owed(playing: Playing, rest: str) -> str:
    name, _, amount = rest.partition(" ")
    return same(money([playing.shown["money"]["owed"].get(name, 0)]), amount)


def _fee(playing: Playing, rest: str) -> str:
    """`fee food 80`: what the entries have brought in for it."""
    what, _, amount = rest.partition(" ")
    return same(money([fees_taken(playing.state).get(what, 0)]), amount)


MONEY: Expectations = {
    "payouts": _payouts,
    "purse": lambda playing, rest: same(money([playing.shown["money"]["purse"]]), rest),
    "pool": lambda playing, rest: same(money([playing.shown["money"]["pool"]]), rest),
    "championship": lambda playing, rest: same(money([playing.shown["money"]["championship"]]), rest),
    "owed": _owed,
    "unclaimed": lambda playing, rest: same(money([playing.shown["money"]["unclaimed"]]), rest),
    "cash": lambda playing, rest: same(money([playing.shown["money"]["cash_expected"]]), rest),
    "fee": _fee,
}
