"""The next hand begun too soon: the stub mixed, or the first riffle made, while a hand is not over."""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Later, Option, for_devices, ruled
from tests.spec.effects import HandGoesOn, NextStreet, TurnGoesTo
from tests.spec.incidents.showdown import river_called
from tests.spec.play import up_to
from tests.spec.situation import BOOKS, Acts, Book, DropsDeck, FloorIsTold, StartsNewHand, Step, Table

INCIDENT = "new hand too soon"
FACTS = ("deal is over", "stub was fouled", "acts and their order")

PLAYED_OUT: dict[Book, tuple[str, ...]] = dict.fromkeys(BOOKS, ("wfp.irregularities.16",))
FIRST_RIFFLE: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.hand.1",),
    "cpp": ("wfp.decisions.5",),
    "wfp": ("wfp.decisions.5",),
    "home": ("home.decisions.2",),
    "rpl": ("rpl.decisions.4",),
}
IDLE_DECK: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.decks.1",),
    "home": ("home.suggest.c",),
    "rpl": ("rpl.deal.2",),
}
NOT_SAID = "a deal begun before the last one is over is not named"
FAIR = "'reconstituted in as fair a way as possible'"


def cells() -> Iterator[Cell]:
    """Every way to begin too soon in every book."""
    for book in BOOKS:
        yield from for_devices(_deck_dropped(book))
        yield from for_devices(_riffle_with_a_seat_to_act(book))
        yield from for_devices(_riffle_before_the_award(book))
        if book in IDLE_DECK:
            yield from for_devices(_idle_deck(book))


def one_seat_to_act(table: Table) -> tuple[Step, ...]:
    """Flop: seat 2 has bet 200, seats 3, 4 and 5 have folded, seat 1 has still to act."""
    folds = (Acts(3, "fold"), Acts(4, "fold"), Acts(5, "fold"))
    return (*up_to(table, "flop"), Acts(2, "bet", 200), *folds)


def _words(book: Book, *words: str) -> tuple[str, ...]:
    return words if book == "wfp" else (NOT_SAID, *words)


def _deck_dropped(book: Book) -> Cell:
    """The dealer overlooks seat 1, takes the deal for over and mixes the stub with the folded cards."""
    steps = (*one_seat_to_act(Table(book)), DropsDeck(), FloorIsTold("new hand", 1))
    default = book != "wfp"
    option = Option((HandGoesOn(), TurnGoesTo(1)), PLAYED_OUT[book], by_default=default)
    turn = Option((NextStreet("turn", 1),), PLAYED_OUT[book], by_default=default)
    expect = Expect((option,), _words(book))
    later = (Later((ruled(expect), Acts(1, "call", 200)), Expect((turn,), _words(book, FAIR))),)
    return Cell(
        f"{INCIDENT}/{book}/stub mixed with a seat to act", INCIDENT, Table(book), steps, expect, later, FACTS
    )


def _riffle_with_a_seat_to_act(book: Book) -> Cell:
    """The new hand is announced while seat 1 has still to act."""
    steps = (*one_seat_to_act(Table(book)), StartsNewHand(), FloorIsTold("new hand", 1))
    rules = (*PLAYED_OUT[book], *FIRST_RIFFLE[book])
    option = Option((HandGoesOn(), TurnGoesTo(1)), rules, by_default=book != "wfp")
    words = (NOT_SAID, "'the result of a deal must stand' after the first riffle, but there is no result")
    expect = Expect((option,), words)
    return Cell(f"{INCIDENT}/{book}/riffle with a seat to act", INCIDENT, Table(book), steps, expect, (), FACTS)


def _riffle_before_the_award(book: Book) -> Cell:
    """Betting on the river is complete, nobody has tabled, no pot is pushed, and the next deal is riffled."""
    steps = (*river_called(Table(book)), StartsNewHand(), FloorIsTold("new hand", 3))
    rules = (*PLAYED_OUT[book], *FIRST_RIFFLE[book])
    option = Option((HandGoesOn(),), rules, by_default=book != "wfp")
    words = (NOT_SAID, "'the result of a deal must stand' after the first riffle, but there is no result")
    expect = Expect((option,), words)
    return Cell(f"{INCIDENT}/{book}/riffle before the award", INCIDENT, Table(book), steps, expect, (), FACTS)


def _idle_deck(book: Book) -> Cell:
    """Another player shuffles the idle deck during the hand: no error at all."""
    steps = (*one_seat_to_act(Table(book)), StartsNewHand(other_deck=True), FloorIsTold("new hand", 1))
    option = Option((HandGoesOn(), TurnGoesTo(1)), IDLE_DECK[book])
    words = ("that decks rotate is said; that one is shuffled during the hand is not",) if book == "home" else ()
    expect = Expect((option,), words)
    return Cell(f"{INCIDENT}/{book}/idle deck riffled", INCIDENT, Table(book), steps, expect, (), FACTS)
