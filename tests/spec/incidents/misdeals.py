"""Errors in the deal that are a misdeal, told before anybody acts, after one act, after two.

Five seats, button 1: the cards go to 2 3 4 5 1 2 3 4 5 1, and seats 4 and 5 act first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.spec.cell import Cell, Expect, Option, for_devices
from tests.spec.effects import Misdeal, NoMisdeal
from tests.spec.incidents.misdeal_rules import DEADLINE, DEADLINE_RULES, first_acts, misdeal_or_not
from tests.spec.situation import (
    BOOKS,
    Acts,
    ActsOutOfTurn,
    Book,
    DealError,
    DealsHands,
    FloorIsTold,
    Matter,
    Step,
    Table,
)

INCIDENT = "misdeal"


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause: the deal, the rules that name it (the default where a book is silent), what it rests on."""

    name: str
    deal: DealsHands
    matter: Matter
    rules: dict[Book, tuple[str, ...]]
    facts: tuple[str, ...]
    silent: tuple[Book, ...] = ("cpp",)
    wrong_hand: int | None = None


def _rules(ccp: str, home: str, cpp: str = "") -> dict[Book, tuple[str, ...]]:
    """The three books of one family share their letters; `cpp` falls back on wfp."""
    return {
        "ccp": (f"ccp.misdeals.{ccp}",),
        "cpp": (cpp or f"wfp.misdeals.{ccp}",),
        "wfp": (f"wfp.misdeals.{ccp}",),
        "home": (f"home.misdeals.{home}",),
        "rpl": (f"rpl.misdeals.{ccp}",),
    }


SEEN = ("card was exposed", "who exposed the card")
COUNTED = ("cards per seat", "seat of each card")

CAUSES: tuple[Cause, ...] = (
    Cause(
        "two cards exposed",
        DealsHands((DealError("exposed", 4), DealError("exposed", 7))),
        "exposed card",
        _rules("1b", "1a", "cpp.misdeals.1"),
        SEEN,
        silent=(),
    ),
    Cause(
        "two boxed cards",
        DealsHands((DealError("boxed", 4), DealError("boxed", 7))),
        "boxed card",
        _rules("1c", "1b"),
        ("card was boxed",),
    ),
    Cause(
        "two extra cards",
        DealsHands((DealError("extra", seat=2, count=2),)),
        "wrong count",
        _rules("1d", "1c"),
        COUNTED,
        wrong_hand=2,
    ),
    Cause(
        "two cards at once to one seat",
        DealsHands((DealError("extra inside", seat=3),)),
        "wrong count",
        _rules("1e", "1d"),
        COUNTED,
        wrong_hand=3,
    ),
    Cause(
        "a hand in the middle is short",
        DealsHands((DealError("short", seat=3),)),
        "wrong count",
        _rules("1e", "1d"),
        COUNTED,
        wrong_hand=3,
    ),
    Cause(
        "a seat left out",
        DealsHands((DealError("left out", seat=3),)),
        "wrong count",
        _rules("1j", "1h"),
        COUNTED,
        wrong_hand=3,
    ),
    Cause(
        "cards to an empty seat",
        DealsHands((DealError("empty seat", seat=6),)),
        "misdeal",
        _rules("1i", "1g"),
        COUNTED,
    ),
    Cause(
        "first card to the wrong seat",
        DealsHands(first_seat=3),
        "misdeal",
        _rules("1h", "1f"),
        ("seat of each card",),
    ),
)

WRONG_BUTTON = DealsHands(button=5, first_seat=1)
BUTTON_NEXT_HAND: dict[Book, str] = {
    "ccp": "ccp.irregularities.1",
    "cpp": "wfp.irregularities.1",
    "wfp": "wfp.irregularities.1",
    "home": "home.irregularities.1",
    "rpl": "rpl.irregularities.1",
}


def cells() -> Iterator[Cell]:
    """Every cause and the wrong button by the acts since; then heads-up, three-handed and an act out of turn."""
    for book in BOOKS:
        for acts in (0, 1, 2):
            for cause in CAUSES:
                yield from for_devices(_cell(book, cause, acts))
            yield from for_devices(_wrong_button(book, acts))
            yield from for_devices(_heads_up(book, acts), ("keys", "all"))
        yield from for_devices(_three_handed(book), ("keys", "all"))
        yield from for_devices(_out_of_turn(book), ("keys", "all"))


def _cell(book: Book, cause: Cause, acts: int) -> Cell:
    table = Table(book)
    steps: tuple[Step, ...] = (cause.deal, *first_acts(table, acts), FloorIsTold(cause.matter, cause.wrong_hand))
    expect = misdeal_or_not(
        book,
        cause.rules[book],
        acts,
        wrong_hand=cause.wrong_hand,
        by_default=book in cause.silent,
        words=("no such cause of a misdeal in the text",) if book in cause.silent else (),
    )
    return Cell(
        f"{INCIDENT}/{book}/{cause.name}/after {acts} acts", INCIDENT, table, steps, expect, (), cause.facts
    )


def _wrong_button(book: Book, acts: int) -> Cell:
    """The button lay at seat 5, where it lay in the hand before, and the cards began at seat 1."""
    table = Table(book)
    steps: tuple[Step, ...] = (WRONG_BUTTON, *first_acts(table, acts), FloorIsTold("wrong button"))
    name = f"{INCIDENT}/{book}/button out of position/after {acts} acts"
    facts = ("button seat", "seat of each card")
    if book == "home" and acts < DEADLINE[book]:
        first_card = Option((Misdeal(),), ("home.misdeals.1f",), "the first card went to the wrong position")
        goes_on = Option((NoMisdeal(),), ("home.irregularities.1",), "the button is corrected for the next hand")
        words = ("a wrong button is not among the causes; a wrong first card is",)
        return Cell(name, INCIDENT, table, steps, Expect((first_card, goes_on), words), (), facts)
    cause = {"ccp": "ccp.misdeals.1g", "rpl": "rpl.misdeals.1g"}.get(book, "wfp.misdeals.1g")
    silence = ("no such cause of a misdeal in the text",) if book == "cpp" else ()
    expect = misdeal_or_not(book, (cause,), acts, by_default=book == "cpp", words=silence)
    if isinstance(expect.options[0].effects[0], NoMisdeal):
        option = expect.options[0]
        rules = (*option.rules, BUTTON_NEXT_HAND[book])
        expect = Expect((Option(option.effects, rules, by_default=option.by_default),), expect.open_words)
    return Cell(name, INCIDENT, table, steps, expect, (), facts)


def _heads_up(book: Book, acts: int) -> Cell:
    """Nobody is behind the blinds; by default the two players' own first acts count (gaps in variation.md)."""
    table = Table(book, stacks=(10_000, 10_000))
    steps: tuple[Step, ...] = (
        DealsHands((DealError("exposed", 3), DealError("exposed", 4))),
        *first_acts(table, acts),
    )
    expect = misdeal_or_not(book, CAUSES[0].rules[book], acts, by_default=acts > 0 and book != "home")
    words = ("action needs two players after the blinds: heads-up there are none",)
    if acts and book != "home":
        options = tuple(Option(o.effects, o.rules, by_default=True) for o in expect.options)
        expect = Expect(options, (*expect.open_words, *words))
    name = f"{INCIDENT}/{book}/heads-up, two cards exposed/after {acts} acts"
    return Cell(name, INCIDENT, table, (*steps, FloorIsTold("exposed card")), expect, (), SEEN)


def _three_handed(book: Book) -> Cell:
    """Button and small blind have acted: two players, but only one of them after the blinds."""
    table = Table(book, stacks=(10_000,) * 3)
    steps: tuple[Step, ...] = (
        DealsHands((DealError("exposed", 3), DealError("exposed", 4))),
        *first_acts(table, 2),
    )
    name = f"{INCIDENT}/{book}/three-handed, two cards exposed/after 2 acts"
    told = (*steps, FloorIsTold("exposed card"))
    if book == "home":
        expect = misdeal_or_not(book, CAUSES[0].rules[book], 2)
        return Cell(name, INCIDENT, table, told, expect, (), SEEN)
    late = Option((NoMisdeal(),), DEADLINE_RULES[book][:2], "two players have acted", book == "cpp")
    early = Option(
        (Misdeal(),),
        (*CAUSES[0].rules[book], DEADLINE_RULES[book][2]),
        "only one player after the blinds has acted",
        book == "cpp",
    )
    words = ("'before two players have acted' against two players after the blinds",)
    return Cell(name, INCIDENT, table, told, Expect((late, early), words), (), SEEN)


def _out_of_turn(book: Book) -> Cell:
    """Seat 4 has called in turn, seat 1 has called out of turn: two have acted, one of them in turn."""
    table = Table(book)
    deal = CAUSES[0].deal
    steps: tuple[Step, ...] = (
        deal,
        Acts(4, "call", 100),
        ActsOutOfTurn(1, "call", 100, "chips"),
        FloorIsTold("exposed card"),
    )
    name = f"{INCIDENT}/{book}/two cards exposed/after 1 act in turn and 1 out of turn"
    if book == "home":
        return Cell(name, INCIDENT, table, steps, misdeal_or_not(book, CAUSES[0].rules[book], 1), (), SEEN)
    early = Option(
        (Misdeal(),), (*CAUSES[0].rules[book], DEADLINE_RULES[book][0]), "only acts in turn count", book == "cpp"
    )
    late = Option((NoMisdeal(),), DEADLINE_RULES[book][:1], "any two acts count", book == "cpp")
    words = ("'two players have acted' against 'two players have acted in turn'",)
    return Cell(name, INCIDENT, table, steps, Expect((early, late), words), (), SEEN)
