"""The register of incidents: number on the keypad, name, and the options that the rulebook allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec import Struct

from table_core.rulings.case import Case, Option

Options = Callable[[Case], Iterable[Option]]
Why = Callable[[Case], str]


class Group(StrEnum):
    """Where the screen lists an incident."""

    DEAL = "Deal"
    BOARD = "Board"
    ACTION = "Action"
    HANDS = "Hands"
    SHOWDOWN = "Showdown"
    CHIPS = "Chips"
    FLOOR = "Floor"


class Incident(Struct, frozen=True):
    """`needs_seat`: who it is about must be said. `number_is_seat`: so is the number that is said with it, else
    chips or a count. `after_hand`: it can be raised when the pot is pushed. `unfit`: why it cannot be raised as
    things stand at the table, empty where it can."""

    key: str
    no: int
    title: str
    group: Group
    options: Options
    needs_seat: bool = False
    after_hand: bool = False
    before_hand: bool = False
    number_is_seat: bool = False
    unfit: Why = lambda _: ""

    def refused(self, why: str) -> str:
        """In words, why it cannot be raised or ruled so."""
        why = why.removesuffix(".")
        if self.title.endswith("?"):
            return f"{self.title} {why[:1].upper()}{why[1:]}"
        return f"{self.title}: {why[:1].lower()}{why[1:]}"


INCIDENTS: dict[str, Incident] = {}
KEYED = "keyed"  # cause of an incident about a bet that was keyed just now and not taken
OF_A_BET = frozenset(
    {"out_of_turn", "string_bet", "declared", "forward_motion", "misunderstood", "unaware", "bet_size"}
)  # what one ruling settles: the chips that a seat has put in, or said, at its last action


def incident(
    key: str,
    no: int,
    title: str,
    group: Group,
    *,
    needs_seat: bool = False,
    after_hand: bool = False,
    before_hand: bool = False,
    number_is_seat: bool = False,
    unfit: Why = lambda _: "",
) -> Callable[[Options], Options]:
    """Register the function below as the options of an incident, the default first."""

    def register(options: Options) -> Options:
        if key in INCIDENTS or any(other.no == no for other in INCIDENTS.values()):
            raise ValueError(f"incident {key!r} or its number {no} is taken")
        INCIDENTS[key] = Incident(
            key, no, title, group, options, needs_seat, after_hand, before_hand, number_is_seat, unfit
        )
        return options

    return register


def by_number(no: int) -> Incident | None:
    return next((found for found in INCIDENTS.values() if found.no == no), None)


REASONS = (
    "seen at the table",
    "camera checked",
    "players agree",
    "dealer's word",
    "director's decision",
    "fairness",
)
