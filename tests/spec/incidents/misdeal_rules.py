"""Until when a misdeal can be called.

Three books: before two players have acted, which in button games means two players after the blinds.  The
home book: before one player has acted.  The Cambridge text names no deadline; the default is that of the
three.
"""

from __future__ import annotations

from tests.spec.cell import Expect, Option
from tests.spec.effects import ChipsStay, Effect, KillsHand, Misdeal, NoMisdeal
from tests.spec.play import limps
from tests.spec.situation import Acts, Book, Table

DEADLINE: dict[Book, int] = {"ccp": 2, "cpp": 2, "wfp": 2, "home": 1, "rpl": 2}
DEADLINE_RULES: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.misdeals.1", "ccp.misdeals.2a", "ccp.misdeals.2b"),
    "cpp": ("wfp.misdeals.1", "wfp.misdeals.2a", "wfp.misdeals.2b"),
    "wfp": ("wfp.misdeals.1", "wfp.misdeals.2a", "wfp.misdeals.2b"),
    "home": ("home.misdeals.1",),
    "rpl": ("rpl.misdeals.1", "rpl.misdeals.2a", "rpl.misdeals.2b"),
}
WRONG_NUMBER_IS_DEAD: dict[Book, str] = {
    "ccp": "ccp.deadhands.1c",
    "cpp": "wfp.deadhands.1c",
    "wfp": "wfp.deadhands.1c",
    "home": "home.deadhands.1c",
    "rpl": "rpl.deadhands.1c",
}
NO_DEADLINE = "misdeals have no deadline in the text"


def first_acts(table: Table, count: int) -> tuple[Acts, ...]:
    """The first acts in turn before the flop; everybody calls."""
    return limps(table)[:count]


def misdeal_or_not(
    book: Book,
    causes: tuple[str, ...],
    acts: int,
    *,
    wrong_hand: int | None = None,
    by_default: bool = False,
    words: tuple[str, ...] = (),
) -> Expect:
    """A cause of a misdeal, told after so many acts in turn of players who are not in the blinds.

    `wrong_hand`: the seat whose hand has the wrong number of cards; played on, it is dead and gets nothing back.
    """
    if acts < DEADLINE[book]:
        deadline = DEADLINE_RULES[book][:1] if acts else ()
        default = by_default or (book == "cpp" and acts > 0)
        more = (NO_DEADLINE,) if book == "cpp" and acts else ()
        return Expect((Option((Misdeal(),), (*causes, *deadline), by_default=default),), (*words, *more))
    effects: tuple[Effect, ...] = (NoMisdeal(),)
    rules = DEADLINE_RULES[book]
    if wrong_hand is not None:
        effects, rules = (
            (*effects, KillsHand(wrong_hand), ChipsStay(wrong_hand)),
            (*rules, WRONG_NUMBER_IS_DEAD[book]),
        )
    more = (NO_DEADLINE,) if book == "cpp" else ()
    return Expect((Option(effects, rules, by_default=book == "cpp"),), (*words, *more))
