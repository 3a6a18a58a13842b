"""Cards dealt too soon and dealt wrong as well: wrong burns, or four cards on the flop."""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Later, Option, ruled
from tests.spec.effects import CardsReturn, NextStreet
from tests.spec.incidents import burns, flop_cards, premature
from tests.spec.play import previous, round_without_raise, up_to
from tests.spec.situation import BOOKS, Acts, Book, Deals, FloorIsTold, Step, Street, Table

INCIDENT = "pair"
FACTS = tuple(dict.fromkeys((*premature.FACTS, *burns.FACTS)))


def premature_and_wrong_cells() -> Iterator[Cell]:
    """All of them for every book."""
    for book in BOOKS:
        yield _four_card_flop_too_soon(book)
        for burned in (0, 2):
            yield _flop_too_soon(book, burned)
            yield _turn_too_soon(book, burned)
            yield _river_too_soon(book, burned)


def _dealt(table: Table, street: Street, burned: int, cards: int | None = None) -> tuple[tuple[Step, ...], Acts]:
    """The street is dealt while the last seat of the round before has still to act; that act comes later."""
    *done, last = round_without_raise(table, previous(street))
    told = FloorIsTold("premature")
    return (*up_to(table, previous(street)), *done, Deals(street, burned, cards), told), last


def _cell(book: Book, street: Street, what: str, steps: tuple[Step, ...], last: Acts, again: Expect) -> Cell:
    expect = premature.barred(book, street, last.seat)
    name = f"{INCIDENT}/{book}/one street/premature {street}, {what}"
    return Cell(name, INCIDENT, Table(book), steps, expect, (Later((ruled(expect), last), again),), FACTS)


def _four_card_flop_too_soon(book: Book) -> Cell:
    """None of the four cards plays, in every book: the flop is dealt again, or dealt for the first time."""
    steps, last = _dealt(Table(book), "flop", 1, 4)
    effects = (CardsReturn(flop_cards.FOUR, "shuffled"), NextStreet("flop", 0))
    rules = premature.DEALT_AGAIN[book]["flop"]
    option = Option(effects, rules, by_default=book in premature.NO_PROCEDURE)
    words = premature.words_of(book)
    return _cell(book, "flop", "four cards", steps, last, Expect((option,), words))


def _flop_too_soon(book: Book, burned: int) -> Cell:
    """No burn or two: the new flop comes without a burn; which burns stay is the open part."""
    steps, last = _dealt(Table(book), "flop", burned)
    cards = burns.dealt_cards("flop", burned)
    rules = premature.DEALT_AGAIN[book]["flop"]
    default = book in premature.NO_PROCEDURE
    none = Option((CardsReturn(cards, "shuffled"), NextStreet("flop", 0)), rules, by_default=default)
    words = (*premature.words_of(book), "the redeal without a burn supposes that one burn lies there")
    if burned == 2:
        return _cell(book, "flop", "two burns", steps, last, Expect((none,), words))
    one = Option((CardsReturn(cards, "shuffled"), NextStreet("flop", 1)), rules, "no burn lies there yet", default)
    return _cell(book, "flop", "no burn", steps, last, Expect((none, one), words))


def _turn_too_soon(book: Book, burned: int) -> Cell:
    """Card 5 was turned without a burn, or card 7 after two burns.  The would-be river is card 8."""
    steps, last = _dealt(Table(book), "turn", burned)
    rules = premature.DEALT_AGAIN[book]["turn"]
    default = book in premature.NO_PROCEDURE
    would_be = NextStreet("turn", 2 if burned == 0 else 0, (8,))
    by_count = NextStreet("turn", 1, (7,) if burned == 0 else (9,))
    options = (
        Option((would_be,), rules, "the card that the river would have been without any error", default),
        Option((by_count,), rules, "burn one and deal the next", default),
    )
    words = (*premature.words_of(book), "'burns and deals what would have been the fifth card' after a wrong burn")
    return _cell(book, "turn", "no burn" if burned == 0 else "two burns", steps, last, Expect(options, words))


def _river_too_soon(book: Book, burned: int) -> Cell:
    """The river is shuffled back in and dealt without a burn, whatever was burned before it."""
    steps, last = _dealt(Table(book), "river", burned)
    effects = (CardsReturn(burns.dealt_cards("river", burned), "shuffled"), NextStreet("river", 0))
    rules = premature.DEALT_AGAIN[book]["river"]
    option = Option(effects, rules, by_default=book in premature.NO_PROCEDURE)
    words = (*premature.words_of(book), "whether a second or missing burn is put right as well is not said")
    return _cell(book, "river", "no burn" if burned == 0 else "two burns", steps, last, Expect((option,), words))
