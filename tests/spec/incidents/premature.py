"""Board cards dealt before betting is complete, and turn and river dealt at once.

The last seat of the round has not acted when the street is dealt.  Betting is completed first.  Then:

- a premature flop (2 3 4) is mixed into the stub and dealt again without a burn; burn 1 stays;
- after a premature turn (6) the dealer burns 7 and turns 8, the would-be river; after the betting on the turn
card 6 is shuffled into the stub and the river comes without a burn; - a premature river (8) is shuffled into
the stub and dealt again without a burn.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Later, Option, for_devices, ruled
from tests.spec.effects import BoardIs, BurnIs, CardsReturn, Effect, NextStreet, TurnGoesTo
from tests.spec.play import (
    before_deal,
    board_after,
    checks,
    normal_burn,
    normal_cards,
    order,
    previous,
    round_without_raise,
    up_to,
)
from tests.spec.situation import BOOKS, POSTFLOP, Acts, Book, Deals, FloorIsTold, Step, Street, Table

INCIDENT = "premature card"
FACTS = ("board cards in order", "betting was complete")

BARRED: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.irregularities.20",),
    "cpp": ("wfp.irregularities.21",),
    "wfp": ("wfp.irregularities.15", "wfp.irregularities.21"),
    "home": ("home.irregularities.10",),
    "rpl": ("rpl.irregularities.15", "rpl.holdemrules.7a"),
}
WFP_DEALT_AGAIN: dict[Street, tuple[str, ...]] = {
    "flop": ("wfp.irregularities.22",),
    "turn": ("wfp.irregularities.23a",),
    "river": ("wfp.irregularities.23b",),
}
DEALT_AGAIN: dict[Book, dict[Street, tuple[str, ...]]] = {
    "ccp": {
        "flop": ("ccp.irregularities.21",),
        "turn": ("ccp.irregularities.22a",),
        "river": ("ccp.irregularities.22b",),
    },
    "rpl": {
        "flop": ("rpl.holdemrules.7b",),
        "turn": ("rpl.holdemrules.8a",),
        "river": ("rpl.holdemrules.8b",),
    },
    "wfp": WFP_DEALT_AGAIN,
    "cpp": WFP_DEALT_AGAIN,
    "home": WFP_DEALT_AGAIN,
}
NO_PROCEDURE: dict[Book, str] = {
    "cpp": "no rule on cards dealt too soon",
    "home": "the cards 'will not play'; how to go on is not said",
}


def words_of(book: Book) -> tuple[str, ...]:
    """The silence of the books that bar the cards, or do not, and say nothing on how to deal again."""
    return (NO_PROCEDURE[book],) if book in NO_PROCEDURE else ()


def barred(book: Book, street: Street, turn: int | None) -> Expect:
    """The street's cards do not play; betting goes on with this seat, if it is not complete."""
    board = board_after(previous(street))
    effects: tuple[Effect, ...] = (BoardIs(len(board), board), *((TurnGoesTo(turn),) if turn else ()))
    words = (NO_PROCEDURE["cpp"],) if book == "cpp" else ()
    return Expect((Option(effects, BARRED[book], by_default=book == "cpp"),), words)


def dealt_again(book: Book, street: Street) -> Expect:
    """How the street is dealt once the betting before it is complete."""
    burn, cards = normal_burn(street), normal_cards(street)
    effects: tuple[Effect, ...]
    if street == "turn":
        effects = (BurnIs("turn", (7,)), NextStreet("turn", 1, (8,)))
    else:
        effects = (BurnIs(street, (burn,)), CardsReturn(cards, "shuffled"), NextStreet(street, 0))
    return Expect((Option(effects, DEALT_AGAIN[book][street], by_default=book in NO_PROCEDURE),), words_of(book))


def river_after_premature_turn(book: Book) -> Expect:
    """Card 6 goes into the shuffle, no burn."""
    effects = (CardsReturn((6,), "shuffled"), NextStreet("river", 0))
    return Expect((Option(effects, DEALT_AGAIN[book]["turn"], by_default=book in NO_PROCEDURE),), words_of(book))


def cells() -> Iterator[Cell]:
    """Premature flop, turn, river; the same after an act on them; turn and river at once."""
    for book in BOOKS:
        for street in POSTFLOP:
            for closing in ("check", "fold", "bet and a call"):
                yield from for_devices(_premature(book, street, closing))
            yield from for_devices(_acted_upon(book, street))
        for burned in (True, False):
            yield from for_devices(_turn_and_river(book, burned=burned))
            yield from for_devices(_turn_and_river_too_soon(book, burned=burned), ("keys+shoe", "all"))


def too_soon(table: Table, street: Street) -> tuple[tuple[Step, ...], Acts]:
    """Steps until the street is dealt while one seat has still to act, and the act of that seat."""
    before = previous(street)
    *done, last = round_without_raise(table, before)
    return (*up_to(table, before), *done, Deals(street)), last


def closings(street: Street, last: Acts, closing: str) -> tuple[tuple[Acts, ...], tuple[int, ...]]:
    """How betting before the street is completed, and the seats that are then left; all five were in."""
    seat = last.seat
    match closing:
        case "fold":
            return (Acts(seat, "fold"),), tuple(other for other in range(1, 6) if other != seat)
        case "bet and a call":
            caller, *others = (seat % 5 + 1, (seat + 1) % 5 + 1, (seat + 2) % 5 + 1, (seat + 3) % 5 + 1)
            raises = street == "flop"
            opening = Acts(seat, "raise" if raises else "bet", 300)
            return (opening, Acts(caller, "call", 300), *(Acts(o, "fold") for o in others)), (seat, caller)
        case _:
            return (last,), (1, 2, 3, 4, 5)


def _premature(book: Book, street: Street, closing: str) -> Cell:
    table = Table(book)
    dealt, last = too_soon(table, street)
    steps = (*dealt, FloorIsTold("premature"))
    rest, left = closings(street, last, closing)
    expect = barred(book, street, last.seat)
    later = [Later((ruled(expect), *rest), dealt_again(book, street))]
    if street == "turn":
        river: tuple[Step, ...] = (ruled(expect), *rest, Deals("turn"), *checks(table, "turn", left))
        later.append(Later(river, river_after_premature_turn(book)))
    name = f"{INCIDENT}/{book}/{street}/the last seat completes the betting: {closing}"
    return Cell(name, INCIDENT, table, steps, expect, tuple(later), FACTS)


def _acted_upon(book: Book, street: Street) -> Cell:
    """The first seat of the new street checks before anybody notices: the card is barred all the same."""
    table = Table(book)
    dealt, last = too_soon(table, street)
    opener = order(table, street)[0]
    steps = (*dealt, Acts(opener, "check"), FloorIsTold("premature"))
    expect = barred(book, street, last.seat)
    words = (*expect.open_words, "whether the act made on the void card binds later is not said")
    later = (Later((ruled(expect), last), dealt_again(book, street)),)
    name = f"{INCIDENT}/{book}/{street}/after a check on it"
    return Cell(name, INCIDENT, table, steps, Expect(expect.options, words), later, FACTS)


def _turn_and_river(book: Book, *, burned: bool) -> Cell:
    """Betting on the flop is complete; the river follows the turn without betting: the river is premature."""
    table = Table(book)
    river = Deals("river", 1 if burned else 0)
    steps = (*before_deal(table, "turn"), Deals("turn"), river, FloorIsTold("premature"))
    opener = order(table, "turn")[0]
    expect = barred(book, "river", opener)
    card = 8 if burned else 7
    burns = (BurnIs("river", (7,)),) if burned else ()
    effects = (*burns, CardsReturn((card,), "shuffled"), NextStreet("river", 0))
    again = Option(effects, DEALT_AGAIN[book]["river"], by_default=book in NO_PROCEDURE)
    words = words_of(book)
    if not burned:
        words = (*words, "'without burning a card' supposes that a burn lies there already")
    later = (Later((ruled(expect), *checks(table, "turn")), Expect((again,), words)),)
    name = f"{INCIDENT}/{book}/turn and river at once/{'with' if burned else 'without'} a burn between"
    return Cell(name, INCIDENT, table, steps, expect, later, FACTS)


def _turn_and_river_too_soon(book: Book, *, burned: bool) -> Cell:
    """Turn and river while a seat has still to act on the flop: both are barred; what the turn is then is open."""
    table = Table(book)
    dealt, last = too_soon(table, "turn")
    steps = (*dealt, Deals("river", 1 if burned else 0), FloorIsTold("premature"))
    expect = barred(book, "turn", last.seat)
    river_card = 8 if burned else 7
    would_be = Option(
        (NextStreet("turn", 0, (river_card,)),),
        DEALT_AGAIN[book]["turn"],
        "the would-be river comes in the turn's place though it was seen",
        by_default=book in NO_PROCEDURE,
    )
    shuffled = Option(
        (CardsReturn((6, river_card), "shuffled"), NextStreet("turn", 0)),
        DEALT_AGAIN[book]["river"],
        "both cards count as turned up prematurely",
        by_default=book in NO_PROCEDURE,
    )
    words = (*words_of(book), "'what would have been the fifth card' was itself turned too soon")
    later = (Later((ruled(expect), last), Expect((would_be, shuffled), words)),)
    how = "with" if burned else "without"
    name = f"{INCIDENT}/{book}/turn and river before betting is complete/{how} a burn between"
    return Cell(name, INCIDENT, table, steps, expect, later, FACTS)
