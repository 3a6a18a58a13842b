"""Errors at the showdown: pot to the wrong seat, tie not split, winner mucked, hands not tabled.

River with button 1: everybody limped and checked; seat 2 bets 200, seat 3 calls, the others fold: a pot of 900.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Option, definite, for_devices
from tests.spec.effects import HandGoesOn, HandLives, KillsHand, PotTo, ResultStands, SplitsPot, TablesNow
from tests.spec.incidents.dead_hands import MANAGEMENT, MUCKED_IS_DEAD, NO_REDRESS, RETRIEVED
from tests.spec.play import up_to
from tests.spec.situation import (
    BOOKS,
    POSTFLOP,
    Acts,
    Book,
    Deals,
    FloorIsTold,
    HandInMuck,
    PushesPot,
    StartsNewHand,
    Step,
    Table,
    TabledHandInMuck,
    Tables,
)

INCIDENT = "showdown"
POT = 900

IN_TIME: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.commissioner.3", "wfp.decisions.5"),
    "cpp": ("cpp.td.1", "wfp.decisions.5"),
    "wfp": ("wfp.decisions.5",),
    "home": ("home.decisions.2",),
    "rpl": ("rpl.decisions.4",),
}
REBUILT: dict[Book, tuple[str, ...]] = {
    "ccp": ("wfp.decisions.6",),
    "cpp": ("wfp.decisions.6",),
    "wfp": ("wfp.decisions.6",),
    "home": ("home.decisions.3",),
    "rpl": ("rpl.decisions.5",),
}
SPLIT: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.pot.6", "ccp.showdown.6"),
    "cpp": ("wfp.ties.5a",),
    "wfp": ("wfp.ties.5a",),
    "home": ("home.ties.2",),
    "rpl": ("rpl.ties.4a",),
}
ODD_CHIP: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.showdown.7",),
    "cpp": ("wfp.ties.3", "wfp.ties.5a"),
    "wfp": ("wfp.ties.3", "wfp.ties.5a"),
    "home": ("home.ties.3",),
    "rpl": ("rpl.ties.2", "rpl.ties.4a"),
}
MUST_SHOW: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.showdown.1",),
    "cpp": ("wfp.showdown.1",),
    "wfp": ("wfp.showdown.1",),
    "home": ("home.showdown.1",),
    "rpl": ("rpl.showdown.1",),
}
CARDS_SPEAK: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.showdown.3",),
    "cpp": ("wfp.showdown.2a",),
    "wfp": ("wfp.showdown.2a",),
    "home": ("home.showdown.2a",),
    "rpl": ("rpl.showdown.2a",),
}
PLAYS_BOARD: dict[Book, str] = {
    "ccp": "ccp.irregularities.23",
    "wfp": "wfp.irregularities.24",
    "rpl": "rpl.holdemrules.9",
}
NO_DEADLINE_BOOKS: tuple[Book, ...] = ("ccp", "cpp")
NO_DEADLINE = "no deadline for a ruling on a pot"
HOLD_ON = "players are 'responsible for holding onto their cards until the winner is declared'"


def cells() -> Iterator[Cell]:
    """All cells of the showdown."""
    for book in BOOKS:
        for when in ("at once", "mingled", "after the next riffle"):
            yield from for_devices(_wrong_push(book, when))
            yield from for_devices(_tie_not_split(book, when))
        if book in ("ccp", "rpl"):
            yield from for_devices(_wrong_push(book, "after the idle deck was riffled"))
        for late in (False, True):
            yield from for_devices(_odd_chip(book, late=late))
        for identifiable in (True, False):
            yield from for_devices(_winner_mucks(book, identifiable=identifiable))
            yield from for_devices(_dealer_mucks_winner(book, identifiable=identifiable))
        yield from for_devices(_tabled_winner_mucked(book))
        yield from for_devices(_last_hand_not_tabled(book))
        for declared in (True, False):
            yield from for_devices(_plays_the_board(book, declared=declared))
        yield from for_devices(_all_in_not_tabled(book))


def river_called(table: Table) -> tuple[Step, ...]:
    """Betting is complete: seats 2 and 3 are left, the pot is 900."""
    folds = (Acts(4, "fold"), Acts(5, "fold"), Acts(1, "fold"))
    return (*up_to(table, "river"), Acts(2, "bet", 200), Acts(3, "call", 200), *folds)


def _cell(book: Book, name: str, steps: tuple[Step, ...], expect: Expect, facts: tuple[str, ...]) -> Cell:
    return Cell(f"{INCIDENT}/{book}/{name}", INCIDENT, Table(book), steps, expect, (), facts)


# --- Award ----------------------------------------------------------------------------------------


def _delay(when: str) -> tuple[Step, ...]:
    return {
        "after the next riffle": (StartsNewHand(),),
        "after the idle deck was riffled": (StartsNewHand(other_deck=True),),
    }.get(when, ())


def _pot_words(book: Book, when: str) -> tuple[str, ...]:
    words = (NO_DEADLINE,) if book in NO_DEADLINE_BOOKS else ()
    return (*words, "'the first riffle': of which of two decks") if "idle" in when else words


def _wrong_push(book: Book, when: str) -> Cell:
    """Seat 3 tables the better hand, the pot is pushed to seat 2."""
    push = PushesPot(2, POT, mingled=when == "mingled")
    shown = (Tables(2, 2), Tables(3, 1))
    steps = (*river_called(Table(book)), *shown, push, *_delay(when), FloorIsTold("wrong push", 3))
    default = book in NO_DEADLINE_BOOKS
    if when == "after the next riffle":
        option = Option((ResultStands(),), IN_TIME[book], by_default=default)
    else:
        rules = IN_TIME[book] + (REBUILT[book] if when == "mingled" else ())
        option = Option((PotTo(3, POT),), rules, by_default=default)
    facts = ("tabled hands", "acts and their order")
    return _cell(book, f"pot to the loser/{when}", steps, Expect((option,), _pot_words(book, when)), facts)


def _tie_not_split(book: Book, when: str) -> Cell:
    """The hands tie, the whole pot is pushed to seat 2."""
    push = PushesPot(2, POT, mingled=when == "mingled")
    steps = (*river_called(Table(book)), Tables(2, 1), Tables(3, 1), push, *_delay(when), FloorIsTold("split", 3))
    default = book in NO_DEADLINE_BOOKS
    if when == "after the next riffle":
        option = Option((ResultStands(),), IN_TIME[book], by_default=default)
    else:
        rules = SPLIT[book] + IN_TIME[book] + (REBUILT[book] if when == "mingled" else ())
        option = Option((SplitsPot(((2, 450), (3, 450))),), rules, by_default=default)
    facts = ("tabled hands", "acts and their order")
    return _cell(book, f"tie not split/{when}", steps, Expect((option,), _pot_words(book, when)), facts)


def _odd_chip(book: Book, *, late: bool) -> Cell:
    """Blinds 25 and 50, the small blind folds: 225 for seats 3 and 4, smallest chip 25; all went to seat 4."""
    table = Table(book, small_blind=25, big_blind=50)
    limped = (Acts(4, "call", 50), Acts(5, "call", 50), Acts(1, "call", 50), Acts(2, "fold"), Acts(3, "check"))
    streets: list[Step] = []
    for street in POSTFLOP[:2]:
        streets += [Deals(street), *(Acts(seat, "check") for seat in (3, 4, 5, 1))]
    river = (Deals("river"), Acts(3, "check"), Acts(4, "check"), Acts(5, "fold"), Acts(1, "fold"))
    push = (Tables(3, 1), Tables(4, 1), PushesPot(4, 225), *((StartsNewHand(),) if late else ()))
    told = FloorIsTold("split", 3, (("smallest chip in play", "25"),))
    steps = (*limped, *streets, *river, *push, told)
    default = book in NO_DEADLINE_BOOKS
    words = (NO_DEADLINE,) if default else ()
    name = f"{INCIDENT}/{book}/tie with an odd chip not split/{'after the next riffle' if late else 'at once'}"
    facts = ("tabled hands", "smallest chip in play")
    if late:
        option = Option((ResultStands(),), IN_TIME[book], by_default=default)
        return Cell(name, INCIDENT, table, steps, Expect((option,), words), (), facts)
    stays_in_the_pot = book in ("ccp", "home")
    split = SplitsPot(((3, 100), (4, 100)), 25) if stays_in_the_pot else SplitsPot(((3, 125), (4, 100)))
    rules = tuple(dict.fromkeys(SPLIT[book] + ODD_CHIP[book] + IN_TIME[book]))
    option = Option((split,), rules, by_default=default)
    return Cell(name, INCIDENT, table, steps, Expect((option,), words), (), facts)


# --- Hands that are gone --------------------------------------------------------------------------


def _winner_mucks(book: Book, *, identifiable: bool) -> Cell:
    """Seat 2 tables a worse hand; seat 3 throws its better hand into the muck without tabling it."""
    error = HandInMuck(3, "holder", identifiable=identifiable)
    steps = (*river_called(Table(book)), Tables(2, 2), error, FloorIsTold("hand in muck", 3))
    must_show = () if book == "cpp" else MUST_SHOW[book]
    dead = Option((KillsHand(3), PotTo(2, POT)), (*MUCKED_IS_DEAD[book], *must_show))
    expect = Expect((dead,))
    if identifiable and book in ("ccp", "wfp"):
        expect = Expect((dead, Option((HandLives(3),), (RETRIEVED[book],))), (MANAGEMENT,))
    if identifiable and book == "rpl":
        expect = Expect((dead,), ("'can not be retrieved' against 'may be retrieved'",))
    name = f"winner mucks an untabled hand/{'identifiable' if identifiable else 'not identifiable'}"
    return _cell(book, name, steps, expect, ("cards touched the muck", "cards are identifiable"))


def _dealer_mucks_winner(book: Book, *, identifiable: bool) -> Cell:
    """The dealer takes the unprotected, untabled hand of seat 3 at the showdown."""
    error = HandInMuck(3, "dealer", identifiable=identifiable)
    steps = (*river_called(Table(book)), Tables(2, 2), error, FloorIsTold("hand in muck", 3))
    dead = Option((KillsHand(3), PotTo(2, POT)), NO_REDRESS[book])
    expect = Expect((dead,))
    if identifiable and book in ("ccp", "wfp"):
        expect = Expect(
            (dead, Option((HandLives(3),), (RETRIEVED[book],))), ("'no redress' against " + MANAGEMENT,)
        )
    name = f"dealer mucks an untabled hand/{'identifiable' if identifiable else 'not identifiable'}"
    return _cell(
        book, name, steps, expect, ("cards touched the muck", "cards are identifiable", "hand was protected")
    )


def _tabled_winner_mucked(book: Book) -> Cell:
    """Both hands were tabled and read; the dealer mucks the better one before the push."""
    steps = (
        *river_called(Table(book)),
        Tables(2, 2),
        Tables(3, 1),
        TabledHandInMuck(3),
        FloorIsTold("hand in muck", 3),
    )
    speaks = Option((PotTo(3, POT),), CARDS_SPEAK[book], "the hand was read by the table", book == "cpp")
    lost = Option(
        (KillsHand(3), PotTo(2, POT)), CARDS_SPEAK[book], "nobody can say what was tabled", book == "cpp"
    )
    words = ("cards touching the pile 'face down' are dead; these were face up",) if book == "cpp" else (HOLD_ON,)
    facts = ("hand was tabled before", "tabled hands")
    return _cell(book, "dealer mucks a tabled winner", steps, Expect((speaks, lost), words), facts)


def _last_hand_not_tabled(book: Book) -> Cell:
    """The bettor throws its hand away after the call; seat 3 is pushed the pot without tabling."""
    error = HandInMuck(2, "holder", identifiable=False)
    steps = (*river_called(Table(book)), error, FloorIsTold("not tabled", 3))
    facts = ("tabled hands", "cards touched the muck")
    if book == "ccp":
        return _cell(book, "last hand not tabled", steps, definite(PotTo(3, POT), rules=MUST_SHOW["ccp"]), facts)
    shows = Option((TablesNow((3,)), PotTo(3, POT)), MUST_SHOW[book], by_default=book == "cpp")
    words = ("'to win any part': whether the only hand left must be shown",)
    return _cell(book, "last hand not tabled", steps, Expect((shows,), words), facts)


def _plays_the_board(book: Book, *, declared: bool) -> Cell:
    """Both play the board; seat 2 tables, seat 3 throws its cards away, having said so before or not."""
    told = FloorIsTold("hand in muck", 3, (("board was declared", "yes" if declared else "no"),))
    steps = (*river_called(Table(book)), Tables(2, 1), HandInMuck(3, "holder", identifiable=False), told)
    name = f"plays the board/{'declared before' if declared else 'not declared'}"
    facts = ("board was declared", "cards touched the muck")
    dead_rules = (PLAYS_BOARD[book],) if book in PLAYS_BOARD else MUCKED_IS_DEAD[book]
    dead = Option((KillsHand(3), PotTo(2, POT)), dead_rules)
    if not declared:
        words = () if book in PLAYS_BOARD else ("playing the board is not named",)
        return _cell(book, name, steps, Expect((dead,), words), facts)
    split = SplitsPot(((2, 450), (3, 450)))
    if book in PLAYS_BOARD:
        option = Option((split,), (PLAYS_BOARD[book], *SPLIT[book]))
        words = ("'before you throw your cards away'; to win a part all cards must be shown",)
        return _cell(book, name, steps, Expect((option,), words), facts)
    options = (dead, Option((split,), ("wfp.irregularities.24",), by_default=True))
    return _cell(book, name, steps, Expect(options, ("playing the board is not named",)), facts)


def _all_in_not_tabled(book: Book) -> Cell:
    """Seats 4 and 5 are all-in before the flop, the others folded; the flop is dealt and nobody has tabled."""
    folds = (Acts(1, "fold"), Acts(2, "fold"), Acts(3, "fold"))
    all_in = (Acts(4, "all-in", 10_000), Acts(5, "call", 10_000), *folds)
    steps = (*all_in, Deals("flop"), FloorIsTold("not tabled", 4))
    name, facts = "all-in hands not tabled", ("tabled hands",)
    shows = TablesNow((4, 5))
    match book:
        case "wfp":
            expect = definite(shows, rules=("wfp.procedures.27",))
        case "rpl":
            expect = definite(shows, rules=("rpl.tournaments.30",))
        case "cpp":
            option = Option((shows,), ("tda.16",), by_default=True)
            expect = Expect((option,), ("no rule on turning up all-in hands",))
        case _:
            off = Option((HandGoesOn(),), MUST_SHOW[book], "the default is off", True)
            director = Option((shows,), ("tda.16",), "the director may order it", True)
            expect = Expect((off, director), ("no rule on turning up all-in hands",))
    return _cell(book, name, steps, expect, facts)
