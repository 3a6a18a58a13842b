"""Two errors on the board of one hand.

Each cell names both errors.  The second ruling starts from the deck that the first one left: after a reshuffle no
place in the stub is known, so those cards are not named.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Later, Option, for_devices, ruled
from tests.spec.effects import BoardIs, NextStreet, TurnGoesTo
from tests.spec.incidents import burns, flop_cards
from tests.spec.incidents.premature import (
    BARRED,
    DEALT_AGAIN,
    NO_PROCEDURE,
    barred,
    dealt_again,
    too_soon,
    words_of,
)
from tests.spec.play import before_deal, checks
from tests.spec.situation import BOOKS, Book, Deals, FloorIsTold, Step, Table

INCIDENT = "two board errors"
FACTS = ("board cards in order", "number of burns", "betting was complete")
RESHUFFLED_BOOKS = ("ccp", "rpl")


def cells() -> Iterator[Cell]:
    """The combinations that can follow one another in one hand."""
    makers = (
        _premature_turn_then_premature_river,
        _premature_flop_then_premature_turn,
        _premature_river_twice,
        _two_burns_then_no_burn,
        _two_burns_acted_then_premature_turn,
        _four_card_flop_then_premature_river,
    )
    for make in makers:
        for book in BOOKS:
            yield from for_devices(make(book), ("keys", "keys+shoe", "all"))


def _premature_turn_then_premature_river(book: Book) -> Cell:
    """Card 6 waits outside; turn is 8 after burn 7; the river (unburned, from the shuffled stub) comes too
    soon."""
    table = Table(book)
    dealt, last = too_soon(table, "turn")
    *most, slow = checks(table, "turn")
    steps = (
        *dealt,
        FloorIsTold("premature"),
        ruled(barred(book, "turn", last.seat)),
        last,
        Deals("turn"),
        *most,
        Deals("river", 0),
        FloorIsTold("premature"),
    )
    board = BoardIs(4, (2, 3, 4, 8))
    expect = _barred(book, board, slow.seat)
    rules = DEALT_AGAIN[book]["river"] + DEALT_AGAIN[book]["turn"]
    again = Option((NextStreet("river", 0),), rules, by_default=book in NO_PROCEDURE)
    later = (Later((ruled(expect), slow), Expect((again,), words_of(book))),)
    return Cell(
        f"{INCIDENT}/{book}/premature turn, then premature river", INCIDENT, table, steps, expect, later, FACTS
    )


def _premature_flop_then_premature_turn(book: Book) -> Cell:
    """The flop came again without a burn; then the turn comes too soon: the next card but one is the turn."""
    table = Table(book)
    dealt, last = too_soon(table, "flop")
    *most, slow = checks(table, "flop")
    steps = (
        *dealt,
        FloorIsTold("premature"),
        ruled(barred(book, "flop", last.seat)),
        last,
        Deals("flop", 0),
        *most,
        Deals("turn"),
        FloorIsTold("premature"),
    )
    expect = _barred(book, BoardIs(3), slow.seat)
    by_default = book in NO_PROCEDURE
    turn = Option((NextStreet("turn", 1),), DEALT_AGAIN[book]["turn"], by_default=by_default)
    river = Option((NextStreet("river", 0),), DEALT_AGAIN[book]["turn"], by_default=by_default)
    on_turn: tuple[Step, ...] = (ruled(expect), slow, Deals("turn"), *checks(table, "turn"))
    later = (
        Later((ruled(expect), slow), Expect((turn,), words_of(book))),
        Later(on_turn, Expect((river,), words_of(book))),
    )
    return Cell(
        f"{INCIDENT}/{book}/premature flop, then premature turn", INCIDENT, table, steps, expect, later, FACTS
    )


def _premature_river_twice(book: Book) -> Cell:
    """The river comes too soon, and after the order to go on with the betting it comes too soon again."""
    table = Table(book)
    *done, slower, slowest = checks(table, "turn")
    first = (
        *before_deal(table, "turn"),
        Deals("turn"),
        *done,
        Deals("river"),
        FloorIsTold("premature"),
        ruled(barred(book, "river", slower.seat)),
    )
    steps = (*first, slower, Deals("river", 0), FloorIsTold("premature"))
    expect = _barred(book, BoardIs(4, (2, 3, 4, 6)), slowest.seat)
    later = (Later((ruled(expect), slowest), _river_again(book)),)
    return Cell(f"{INCIDENT}/{book}/premature river twice", INCIDENT, table, steps, expect, later, FACTS)


def _river_again(book: Book) -> Expect:
    option = dealt_again(book, "river").options[0]
    return Expect((Option((NextStreet("river", 0),), option.rules, by_default=option.by_default),), words_of(book))


def _two_burns_then_no_burn(book: Book) -> Cell:
    """Two burns on the turn, corrected at once (6 is the turn, 7 next); then the river without a burn is
    card 7."""
    table = Table(book)
    steps = (
        *before_deal(table, "turn"),
        Deals("turn", 2),
        FloorIsTold("burns"),
        ruled(burns.ruling_before_action(book, "turn", 2)),
        *checks(table, "turn"),
        Deals("river", 0),
        FloorIsTold("burns"),
    )
    expect = burns.ruling_before_action(book, "river", 0)
    return Cell(f"{INCIDENT}/{book}/two burns on the turn, then none", INCIDENT, table, steps, expect, (), FACTS)


def _two_burns_acted_then_premature_turn(book: Book) -> Cell:
    """Flop 3 4 5 stands after a check, 2 is the turn's burn; then the turn (6) comes too soon."""
    table = Table(book)
    first, *most, slow = checks(table, "flop")
    steps = (
        *before_deal(table, "flop"),
        Deals("flop", 2),
        first,
        FloorIsTold("burns"),
        ruled(burns.ruling_after_action(book, "flop", 2)),
        *most,
        Deals("turn"),
        FloorIsTold("premature"),
    )
    expect = _barred(book, BoardIs(3, (3, 4, 5)), slow.seat)
    later = (Later((ruled(expect), slow), dealt_again(book, "turn")),)
    name = f"{INCIDENT}/{book}/two burns on the flop acted upon, then premature turn"
    return Cell(name, INCIDENT, table, steps, expect, later, FACTS)


def _four_card_flop_then_premature_river(book: Book) -> Cell:
    """The flop was put right at once; much later the river comes too soon."""
    table = Table(book)
    *most, slow = checks(table, "turn")
    first = flop_cards.ruling(book, acted=False, known=True)
    redealt = book in RESHUFFLED_BOOKS
    flop_again = (Deals("flop", 0),) if redealt else ()
    turn = Deals("turn", 1 if redealt else 0)
    steps = (
        *before_deal(table, "flop"),
        Deals("flop", cards=4),
        FloorIsTold("too many cards", facts=(("which flop card was the extra one", "the last one dealt"),)),
        ruled(first),
        *flop_again,
        *checks(table, "flop"),
        turn,
        *most,
        Deals("river"),
        FloorIsTold("premature"),
    )
    board = BoardIs(4, (2, 3, 4, 6)) if book == "wfp" else BoardIs(4)
    expect = _barred(book, board, slow.seat, first.open_words)
    option = dealt_again(book, "river").options[0]
    again = Option((NextStreet("river", 0),), option.rules, by_default=option.by_default)
    later = (Later((ruled(expect), slow), Expect((again,), words_of(book))),)
    return Cell(
        f"{INCIDENT}/{book}/four-card flop, then premature river", INCIDENT, table, steps, expect, later, FACTS
    )


def _barred(book: Book, board: BoardIs, turn: int, words: tuple[str, ...] = ()) -> Expect:
    own = barred(book, "turn", turn)
    option = Option((board, TurnGoesTo(turn)), BARRED[book], by_default=book == "cpp")
    return Expect((option,), tuple(dict.fromkeys((*words, *own.open_words))))
