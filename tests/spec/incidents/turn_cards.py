"""Two cards dealt as the turn (6 7), or as the river (8 9): no book has a rule for the number of cards there.

The adopted reading (gaps in variation.md) is the procedure for premature cards.  The books that say "least
influence the identity" of the board would also bear out keeping the first card.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Later, Option, for_devices, ruled
from tests.spec.effects import BoardIs, CardsReturn, Effect, NextStreet
from tests.spec.incidents.premature import DEALT_AGAIN
from tests.spec.play import before_deal, checks
from tests.spec.situation import BOOKS, Book, Deals, FloorIsTold, Street, Table

INCIDENT = "two cards on one street"
FACTS = ("board cards in order",)
SILENT = "no rule on a turn or river with too many cards"
LEAST = "'least influence the identity' of the cards that would have come"


def cells() -> Iterator[Cell]:
    """Turn and river with two cards, noticed at once."""
    for book in BOOKS:
        for street in ("turn", "river"):
            yield from for_devices(_cell(book, street))


def _cell(book: Book, street: Street) -> Cell:
    table = Table(book)
    fact = (("which card came first", "the left one"),)
    told = FloorIsTold("too many cards", facts=fact)
    steps = (*before_deal(table, street), Deals(street, cards=2), told)
    rules = DEALT_AGAIN[book][street]
    words = (SILENT, LEAST)
    if street == "turn":
        effects: tuple[Effect, ...] = (BoardIs(3, (2, 3, 4)), NextStreet("turn", 0, (8,)))
        barred = Option(effects, rules, "as a premature turn; card 7, already off the stub, is the burn", True)
        kept = Option((BoardIs(4, (2, 3, 4, 6)),), rules, "the first card is known and stays", True)
        river = Option((CardsReturn((6,), "shuffled"), NextStreet("river", 0)), rules, by_default=True)
        expect = Expect((barred, kept), words)
        later = (Later((ruled(expect), Deals("turn", 0), *checks(table, "turn")), Expect((river,), words)),)
        return Cell(f"{INCIDENT}/{book}/turn", INCIDENT, table, steps, expect, later, FACTS)
    effects = (BoardIs(4, (2, 3, 4, 6)), CardsReturn((8, 9), "shuffled"), NextStreet("river", 0))
    barred = Option(effects, rules, "as a premature river", True)
    kept = Option((BoardIs(5, (2, 3, 4, 6, 8)),), rules, "the first card is known and stays", True)
    return Cell(f"{INCIDENT}/{book}/river", INCIDENT, table, steps, Expect((barred, kept), words), (), FACTS)
