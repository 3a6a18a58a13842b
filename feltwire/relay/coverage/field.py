"""The tournament's public facts, as far as the coverage names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from feltwire.relay.coverage.news import Stack
from table_core.messages import Chips, TournamentField


class Finish(NamedTuple):
    """A player who is out: name, place (None while a person decides it), and prize in cents."""

    name: str
    place: int | None
    prize: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """`event` names the tournament. `left` are the players who are left, by what the tables call them, `number`
    how many there are; `payouts` cents by place. `open`: somebody may still come in, so that no place is final."""

    event: str = ""
    left: Mapping[str, Stack] = field(default_factory=dict)
    number: int = 0
    out: Mapping[str, Finish] = field(default_factory=dict)
    entrants: int = 0
    open: bool = False
    payouts: tuple[int, ...] = ()
    deal: bool = False
    winner: str = ""

    @property
    def paid(self) -> int:
        """How many places are paid."""
        return sum(one > 0 for one in self.payouts)

    @property
    def tables(self) -> frozenset[str]:
        return frozenset(one.table for one in self.left.values() if one.table)


def field_of(said: TournamentField) -> Field:
    """The field as the station says it."""
    return Field(
        said.event,
        {
            one.player: Stack(one.player, one.name, one.stack or Chips(0), one.table, one.seat)
            for one in said.players
        },
        said.left,
        {one.player: Finish(one.name, one.place, one.prize) for one in said.out},
        said.entrants,
        said.entry_open,
        said.payouts,
        said.deal,
        said.winner,
    )


def largest(stacks: Iterable[Stack]) -> tuple[Stack, ...]:
    """The largest stack first."""
    return tuple(sorted((one for one in stacks if one.stack), key=lambda one: (-one.stack, one.name)))
