"""What a dealer sees at a glance: the seat to act, what lies in front of each seat, who is out."""

from __future__ import annotations

from typing import NamedTuple

from table_core.hand.hand import Hand
from table_core.messages import Chips, Seat, TableView


class Glance(NamedTuple):
    """The same glance at the felt and at the screen tells whether they agree. `board` counts its cards."""

    to_act: Seat | None
    bets: tuple[tuple[Seat, Chips], ...]
    folded: frozenset[Seat]
    board: int


def glance_at_screen(view: TableView) -> Glance:
    return Glance(
        to_act=view.legal.seat if view.legal is not None else None,
        bets=tuple((s.seat, s.bet) for s in view.seats if s.bet),
        folded=frozenset(s.seat for s in view.seats if s.folded),
        board=len(view.board),
    )


def glance_at_hand(hand: Hand) -> Glance:
    """How the screen should look."""
    legal = hand.legal()
    bets = {} if hand.ended else hand.bets
    return Glance(
        to_act=legal.seat if legal is not None else None,
        bets=tuple((seat, Chips(bets[seat])) for seat in sorted(bets) if bets[seat]),
        folded=frozenset(hand.folded),
        board=len(hand.board),
    )
