"""Players who are away: at the deal, when the turn comes, in the middle of the hand.

Deadlines: Cambridge: seated at the first card.  WFP: at the table when all hands are complete.  RPL: at the
table when the action comes.  CCP: hands "dealt in his absence" are dropped.  The home book only has the
blinds posted. Seat 1 is the button and acts third before the flop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.spec.cell import Cell, Expect, Option, for_devices
from tests.spec.effects import HandLives, KillsHand
from tests.spec.play import limps, up_to
from tests.spec.situation import BOOKS, Acts, Book, ComesBack, DealsHands, FloorIsTold, IsAway, Step, Table

INCIDENT = "absent"
FACTS = ("player away",)
SEAT = 1

NO_RULE = "no rule on a player who leaves after the deal"


@dataclass(frozen=True, slots=True)
class Case:
    """Steps until the floor is told, and by book "dead", "live" or both in the order of likelihood."""

    name: str
    steps: tuple[Step, ...]
    holds: dict[Book, tuple[str, ...]]
    rules: dict[Book, tuple[str, ...]]
    words: dict[Book, tuple[str, ...]]


PRESENCE: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.leaving.1",),
    "cpp": ("cpp.dealing.3", "cpp.absent.2"),
    "wfp": ("wfp.procedures.8",),
    "home": ("wfp.procedures.8", "rpl.tournaments.12"),
    "rpl": ("rpl.tournaments.12",),
}
LEAVING: dict[Book, tuple[str, ...]] = {**PRESENCE, "cpp": ("cpp.dealing.4",)}
BACK_TOO_LATE: dict[Book, tuple[str, ...]] = {**PRESENCE, "cpp": ("cpp.dealing.5", "cpp.absent.2")}
HOME_SILENT = "absent players only have their blinds posted; their hand is not mentioned"


def _cases() -> Iterator[Case]:
    table = Table("wfp")
    to_seat_1 = limps(table)[:2]
    home: dict[Book, tuple[str, ...]] = {"home": (HOME_SILENT,)}
    dead, live, both = ("dead",), ("live",), ("live", "dead")
    yield Case(
        "away for the whole deal and at the turn",
        (IsAway(SEAT), DealsHands(), *to_seat_1),
        {"ccp": dead, "cpp": dead, "wfp": dead, "home": ("dead", "live"), "rpl": dead},
        PRESENCE,
        home,
    )
    yield Case(
        "away at the first card, back before the last",
        (IsAway(SEAT), DealsHands(upto=3), ComesBack(SEAT), DealsHands()),
        {"ccp": both, "cpp": dead, "wfp": live, "home": both, "rpl": live},
        BACK_TOO_LATE,
        {**home, "ccp": ("'each hand dealt in his absence': here a part of it was",)},
    )
    yield Case(
        "away for the whole deal, back before the turn",
        (IsAway(SEAT), DealsHands(), Acts(4, "call", 100), ComesBack(SEAT)),
        {"ccp": dead, "cpp": dead, "wfp": dead, "home": both, "rpl": live},
        BACK_TOO_LATE,
        home,
    )
    yield Case(
        "leaves after the deal, away at the turn",
        (DealsHands(), IsAway(SEAT), *to_seat_1),
        {"ccp": both, "cpp": dead, "wfp": both, "home": both, "rpl": dead},
        LEAVING,
        {**home, "ccp": (NO_RULE,), "wfp": (NO_RULE,)},
    )
    yield Case(
        "leaves after the deal, back before the turn",
        (DealsHands(), IsAway(SEAT), Acts(4, "call", 100), ComesBack(SEAT)),
        {"ccp": live, "cpp": dead, "wfp": live, "home": live, "rpl": live},
        LEAVING,
        {**home, "ccp": (NO_RULE,)},
    )
    yield Case(
        "has acted, leaves on the flop, away at the turn",
        (*up_to(table, "flop"), IsAway(SEAT), *(Acts(seat, "check") for seat in (2, 3, 4, 5))),
        {"ccp": both, "cpp": dead, "wfp": both, "home": both, "rpl": both},
        LEAVING,
        {
            **home,
            "ccp": (NO_RULE,),
            "wfp": (NO_RULE,),
            "rpl": ("at the table 'by the [time] action is to them': the first time or each time",),
        },
    )
    all_in = (*to_seat_1, Acts(SEAT, "all-in", 10_000), Acts(2, "fold"), Acts(3, "fold"))
    called = (Acts(4, "call", 10_000), Acts(5, "fold"))
    yield Case(
        "all-in and called, leaves before the flop",
        (*all_in, *called, IsAway(SEAT)),
        {"ccp": live, "cpp": dead, "wfp": live, "home": live, "rpl": live},
        LEAVING,
        {**home, "ccp": (NO_RULE,), "wfp": (NO_RULE,), "rpl": ("no action is to come to this player",)},
    )


def cells() -> Iterator[Cell]:
    """Every case in every book."""
    for book in BOOKS:
        for case in _cases():
            yield from for_devices(_cell(book, case))


def _cell(book: Book, case: Case) -> Cell:
    options = tuple(
        Option(
            (KillsHand(SEAT),) if outcome == "dead" else (HandLives(SEAT),),
            case.rules[book],
            by_default=book == "home",
        )
        for outcome in case.holds[book]
    )
    expect = Expect(options, case.words.get(book, ()))
    steps = (*case.steps, FloorIsTold("absent", SEAT))
    return Cell(f"{INCIDENT}/{book}/{case.name}", INCIDENT, Table(book), steps, expect, (), FACTS)
