"""What a dealer sees at a glance: the seat to act, what lies in front of each seat, who is out, the pot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from feltwire.lab.simroom.play.script import ScriptedAct
from table_core.hand.hand import Hand
from table_core.messages import UNKNOWN_CARD, Chips, Key, Seat, Street, TableView


class Glance(NamedTuple):
    """The same glance at the felt and at the screen tells whether they agree.

    `board` counts its cards. Once the pot is pushed `pot` is 0; only then there are `stacks`. A player without
    chips is out: a screen may not show the seat any more.
    """

    to_act: Seat | None
    bets: tuple[tuple[Seat, Chips], ...]
    folded: frozenset[Seat]
    board: int
    pot: int
    stacks: tuple[tuple[Seat, Chips], ...]


class Move(NamedTuple):
    """Something that happened: how the screen should look then, and the keys that say so, if any do."""

    glance: Glance
    keys: tuple[Key, ...]
    act: ScriptedAct | None


def glance_at_screen(view: TableView) -> Glance:
    is_open = in_hand(view)
    return Glance(
        to_act=view.legal.seat if view.legal is not None else None,
        bets=tuple((s.seat, s.bet) for s in view.seats if s.bet),
        folded=frozenset(s.seat for s in view.seats if s.folded),
        board=len(view.board),
        pot=int(view.pot) if is_open else 0,
        stacks=() if is_open else _with_chips({seat.seat: seat.stack for seat in view.seats}),
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
        pot=0 if hand.ended else sum(pot.amount for pot in hand.pots) + sum(bets.values()),
        stacks=_with_chips(hand.stacks) if hand.ended else (),
    )


def _with_chips(stacks: Mapping[Seat, int]) -> tuple[tuple[Seat, Chips], ...]:
    return tuple(sorted((seat, Chips(stack)) for seat, stack in stacks.items() if stack))


def in_hand(view: TableView) -> bool:
    return view.street is not Street.DONE


def is_tabled(view: TableView, seat: Seat) -> bool:
    """Both cards of `seat` are on the screen, or one with its neighbour unread."""
    return any(s.seat == seat and len(s.cards) == 2 and set(s.cards) != {UNKNOWN_CARD} for s in view.seats)


def done_with(view: TableView, seat: Seat) -> bool:
    """The hand of `seat` is on the screen, or the whole hand is over there."""
    return is_tabled(view, seat) or not in_hand(view)


def is_on_record(view: TableView, seat: Seat) -> bool:
    """The table has it that `seat` tabled, its cards seen or not; or the whole hand is over there."""
    return any(s.seat == seat and s.tabled for s in view.seats) or done_with(view, seat)
