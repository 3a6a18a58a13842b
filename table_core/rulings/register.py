"""Every matter that can be ruled on: its number on the keypad, its name, and the ways that the book allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec import Struct

from table_core.rulings.case import Case, Way

Ways = Callable[[Case], Iterable[Way]]
Why = Callable[[Case], str]


class Group(StrEnum):
    """Where the screen lists a matter."""

    DEAL = "Deal"
    BOARD = "Board"
    ACTION = "Action"
    HANDS = "Hands"
    SHOWDOWN = "Showdown"
    CHIPS = "Chips"
    FLOOR = "Floor"


class Matter(Struct, frozen=True):
    """`needs_seat`: who it is about must be said. `after_hand`: it can be raised when the pot is pushed.
    `unfit`: why it cannot be raised as things stand at the table, empty where it can."""

    key: str
    no: int
    title: str
    group: Group
    ways: Ways
    needs_seat: bool = False
    after_hand: bool = False
    before_hand: bool = False
    unfit: Why = lambda _: ""


MATTERS: dict[str, Matter] = {}


def matter(
    key: str,
    no: int,
    title: str,
    group: Group,
    *,
    needs_seat: bool = False,
    after_hand: bool = False,
    before_hand: bool = False,
    unfit: Why = lambda _: "",
) -> Callable[[Ways], Ways]:
    """Register the function below as what a matter allows, the default first."""

    def register(ways: Ways) -> Ways:
        if key in MATTERS or any(other.no == no for other in MATTERS.values()):
            raise ValueError(f"matter {key!r} or its number {no} is taken")
        MATTERS[key] = Matter(key, no, title, group, ways, needs_seat, after_hand, before_hand, unfit)
        return ways

    return register


def by_number(no: int) -> Matter | None:
    return next((found for found in MATTERS.values() if found.no == no), None)


REASONS = (
    "seen at the table",
    "camera checked",
    "players agree",
    "dealer's word",
    "director's decision",
    "fairness",
)
