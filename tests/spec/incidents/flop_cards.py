"""A flop of four cards: stub places 2 3 4 5, where 5 is the one too many when the order is known."""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Later, Option, definite, for_devices, ruled
from tests.spec.effects import BoardIs, BurnIs, CardsReturn, NextStreet, ShownToAll
from tests.spec.play import before_deal, checks
from tests.spec.situation import BOOKS, Book, Deals, FloorIsTold, Table

INCIDENT = "four-card flop"
FACTS = ("board cards in order", "which flop card was the extra one")
FOUR = (2, 3, 4, 5)

REDEALT: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.irregularities.17", "ccp.irregularities.21"),
    "rpl": ("rpl.holdemrules.4", "rpl.holdemrules.7b"),
    "wfp": ("wfp.irregularities.22",),
}
NO_DEADLINE = "the rule names no deadline"
BURN_RULE_STANDS: dict[Book, str] = {"ccp": "ccp.irregularities.19a", "rpl": "rpl.holdemrules.6a"}


def cells() -> Iterator[Cell]:
    """Noticed at once or after a check; with and without knowing which card was the fourth."""
    for book in BOOKS:
        for acted in (False, True):
            for known in (True, False):
                yield from for_devices(_cell(book, acted=acted, known=known))


def _cell(book: Book, *, acted: bool, known: bool) -> Cell:
    table = Table(book)
    first, *rest = checks(table, "flop")
    fact = (("which flop card was the extra one", "the last one dealt" if known else "nobody knows"),)
    done = (first,) if acted else ()
    told = FloorIsTold("too many cards", facts=fact)
    steps = (*before_deal(table, "flop"), Deals("flop", cards=4), *done, told)
    expect = ruling(book, acted=acted, known=known)
    kept = isinstance(expect.options[0].effects[0], BoardIs)
    later: tuple[Later, ...] = ()
    if kept and book == "wfp":
        going_on = (*rest,) if acted else checks(table, "flop")
        turn = definite(BurnIs("turn", (5,)), NextStreet("turn", 0, (6,)), rules=("wfp.irregularities.19",))
        later = (Later((ruled(expect), *going_on), turn),)
    name = (
        f"{INCIDENT}/{book}/{'after a check' if acted else 'at once'}/extra card {'known' if known else 'unknown'}"
    )
    return Cell(name, INCIDENT, table, steps, expect, later, FACTS)


def redeal(rules: tuple[str, ...], cards: tuple[int, ...] = FOUR, by_default: bool = False) -> Option:
    """The flop is mixed into the stub, the burn stays, and a new flop comes without a burn."""
    effects = (CardsReturn(cards, "shuffled"), BoardIs(0, ()), BurnIs("flop", (1,)), NextStreet("flop", 0))
    return Option(effects, rules, by_default=by_default)


def ruling(book: Book, *, acted: bool, known: bool) -> Expect:
    """Two books redeal even if the extra card is known; one keeps three; two are silent (tda.39: scramble)."""
    match book:
        case "ccp" | "rpl":
            again = redeal(REDEALT[book])
            if not acted:
                return Expect((again,))
            stands = Option((BoardIs(3),), (BURN_RULE_STANDS[book],), "the card acted upon stands, as with burns")
            return Expect((again, stands), (NO_DEADLINE, "whether bets made on the void flop stand is not said"))
        case "wfp":
            shown = Option(
                (BoardIs(3, (2, 3, 4)), ShownToAll((5,)), BurnIs("turn", (5,))), ("wfp.irregularities.19",)
            )
            if known:
                return Expect((shown,), (NO_DEADLINE,) if acted else ())
            words = ("'the extra card' when nobody knows which it was",)
            return Expect((redeal(REDEALT["wfp"]),), (*words, NO_DEADLINE) if acted else words)
        case _:
            scrambled = Option((BoardIs(3), NextStreet("turn", 0)), ("tda.39",), by_default=True)
            silence = "no rule on a flop with too many cards"
            return Expect((scrambled,), (silence, NO_DEADLINE) if acted else (silence,))
