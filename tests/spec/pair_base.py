"""What a kind of error is in a pair: where it can be placed, how it happens, how its street goes on.

A kind's `happen` puts the error into the hand up to the moment when the floor is told, and returns what the book
prescribes then and how the street is finished under the first option.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tests.spec.cell import Expect, Later
from tests.spec.pair_hand import Hand
from tests.spec.situation import Street

Point = Literal["deal", "preflop", "flop", "turn", "river", "showdown"]
POINTS: tuple[Point, ...] = ("deal", "preflop", "flop", "turn", "river", "showdown")


@dataclass(frozen=True, slots=True)
class Happened:
    """What holds when the floor is told, what holds later, and how the street goes on to its end."""

    expect: Expect
    settle: Callable[[], None]
    later: tuple[Later, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of error and the points of a hand where it is placed, earliest first."""

    name: str
    points: tuple[Point, ...]
    happen: Callable[[Hand, Street], Happened]


class CannotMeet(Exception):
    """The second error is none after the first, or the hand is over; the message says why."""


def nothing_to_settle() -> None:
    """The ruling leaves nothing to be settled before the next street."""
