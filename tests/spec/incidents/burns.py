"""No burn, two burns, a burn that was shown.

Normal deck: 1 burn, 2 3 4 flop, 5 burn, 6 turn, 7 burn, 8 river.  "Those that would have come" means these places.

Example, two burns before the turn (5 and 6, turn 7).  Found before anybody acts on the turn: card 6 is the
turn and 7 goes back on top as the next burn.  Found after a check: card 7 stands, 6 goes back and is the
river's burn. In both cases the river is card 8.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Later, Option, definite, for_devices, ruled
from tests.spec.effects import BoardIs, BurnIs, CardsReturn, Effect, NextStreet, ResultStands, ShownToAll
from tests.spec.play import before_deal, board_after, checks, normal_burn, normal_cards, previous
from tests.spec.situation import (
    BOOKS,
    POSTFLOP,
    Acts,
    Book,
    Burns,
    Deals,
    FloorIsTold,
    IsRuled,
    PushesPot,
    Step,
    Street,
    Table,
    Tables,
)

INCIDENT = "burns"
FACTS = ("number of burns", "board cards in order")
SILENT = "no rule on a missing or second burn"
EXAMPLE_ALONE = "the example is read as the whole correction: the board stays"
TWO_BURNS_EXAMPLE = "'one of the cards should be put back on the deck': whether the board changes as well"

CORRECTED: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.irregularities.19a", "ccp.irregularities.19b"),
    "cpp": ("wfp.irregularities.14a", "wfp.irregularities.14b", "tda.38"),
    "wfp": ("wfp.irregularities.14a", "wfp.irregularities.14b"),
    "home": ("wfp.irregularities.14a", "wfp.irregularities.14b", "tda.38"),
    "rpl": ("rpl.holdemrules.6a", "rpl.holdemrules.6b"),
}
ALL_IN: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.irregularities.19c",),
    "cpp": ("wfp.irregularities.20",),
    "wfp": ("wfp.irregularities.14c", "wfp.irregularities.20"),
    "home": ("wfp.irregularities.20",),
    "rpl": ("rpl.holdemrules.6c",),
}
HOME_SHOWN_BEFORE_FLOP = (
    "cards exposed 'before the flop' are a misdeal, later ones go by this rule; this burn is between"
)
SILENT_BOOKS = ("cpp", "home")


def dealt_cards(street: Street, burns: int) -> tuple[int, ...]:
    """Places in the stub of the cards turned when so many cards were burned for the street.

    >>> dealt_cards("turn", 2), dealt_cards("flop", 0)
    ((7,), (1, 2, 3))
    """
    return tuple(card + burns - 1 for card in normal_cards(street))


def corrected(street: Street, burns: int) -> tuple[Effect, ...]:
    """The board and burn that should have come; with two burns the last card goes back on top."""
    burn = BurnIs(street, (normal_burn(street),))
    board = board_after(street)
    back = (CardsReturn((dealt_cards(street, 2)[-1],), "top"),) if burns == 2 else ()
    return (burn, BoardIs(len(board), board), *back)


def uncorrected(street: Street, burns: int) -> tuple[Effect, ...]:
    """The cards acted upon stand; with two burns the second goes back and is the next street's burn."""
    board = (*board_after(previous(street)), *dealt_cards(street, burns))
    back = (CardsReturn((normal_burn(street) + 1,), "top"),) if burns == 2 and street != "river" else ()
    return (BoardIs(len(board), board), *back)


def next_as_it_would_have_come(street: Street, burns: int, acted: bool) -> NextStreet:
    """The next street brings the cards it would have brought; two cards are burned if one was missing before."""
    following: Street = {"flop": "turn", "turn": "river"}[street]  # type: ignore[assignment]
    missing = 1 if acted and burns == 0 else 0
    return NextStreet(following, 1 + missing, normal_cards(following))


def cells() -> Iterator[Cell]:
    """All cells on burns."""
    for book in BOOKS:
        for street in POSTFLOP:
            for burns in (0, 2):
                for cell in (_before_action(book, street, burns), _after_action(book, street, burns)):
                    yield from for_devices(cell)
            yield from for_devices(_nothing_turned(book, street))
            yield from for_devices(_shown(book, street))
        yield from _all_in(book)


# --- Wrong number of burns ------------------------------------------------------------------------


def _before_action(book: Book, street: Street, burns: int) -> Cell:
    table = Table(book)
    steps = (*before_deal(table, street), Deals(street, burns), FloorIsTold("burns"))
    expect = ruling_before_action(book, street, burns)
    later: tuple[Later, ...] = ()
    if street != "river" and not _is_redealt(expect):
        going_on = next_as_it_would_have_come(street, burns, acted=False)
        held = definite(going_on, rules=CORRECTED[book], by_default=book in SILENT_BOOKS)
        later = (Later((ruled(expect), *checks(table, street)), held),)
    facts = (*FACTS, "order of the flop cards") if street == "flop" else FACTS
    name = f"{INCIDENT}/{book}/{street}/{burns} burns/before action"
    return Cell(name, INCIDENT, table, steps, expect, later, facts)


def ruling_before_action(book: Book, street: Street, burns: int) -> Expect:
    """Two books reshuffle for the flop, one corrects it; on turn and river all that speak correct."""
    default = book in SILENT_BOOKS
    fixed = Option(corrected(street, burns), CORRECTED[book], by_default=default)
    silent = (SILENT,) if default else ()
    example: tuple[Option, ...] = ()
    if burns == 2 and street != "river":
        example = (Option(uncorrected(street, 2), CORRECTED[book], EXAMPLE_ALONE, default),)
    if street != "flop":
        return Expect((fixed, *example), (*silent, TWO_BURNS_EXAMPLE) if example else silent)
    reshuffled = (CardsReturn(dealt_cards("flop", burns), "shuffled"), BoardIs(0, ()), NextStreet("flop", 0))
    two_burns = ("'the burncard remains on the table': with two it is not said which",) if burns == 2 else ()
    match book:
        case "wfp":
            return Expect((fixed, *example), (TWO_BURNS_EXAMPLE,) if example else ())
        case "ccp":
            rules = ("ccp.irregularities.18b", "ccp.irregularities.21")
            again = Option(reshuffled, rules)
            if burns == 2:
                return Expect((again,), two_burns)
            with_burn = Option((*reshuffled[:2], NextStreet("flop", 1)), rules[:1], "no burn lies there yet")
            return Expect(
                (again, with_burn), ("'without burning a card' supposes 'the burncard remains on the table'",)
            )
        case "rpl":
            again_with_burn = (*reshuffled[:2], NextStreet("flop", 1))
            words = "the redeal without a burn names premature and overdealt flops only"
            options = (
                Option(reshuffled, ("rpl.holdemrules.5", "rpl.holdemrules.7b")),
                Option(again_with_burn, ("rpl.holdemrules.5",)),
            )
            return Expect(options, (*two_burns, words))
        case _:
            other = Option(reshuffled, ("rpl.holdemrules.5", "ccp.irregularities.18b"), by_default=True)
            return Expect((fixed, other, *example), (SILENT, "the default books differ on the flop"))


def _is_redealt(expect: Expect) -> bool:
    return any(isinstance(effect, NextStreet) for effect in expect.options[0].effects)


def _after_action(book: Book, street: Street, burns: int) -> Cell:
    table = Table(book)
    first, *rest = checks(table, street)
    steps = (*before_deal(table, street), Deals(street, burns), first, FloorIsTold("burns"))
    expect = ruling_after_action(book, street, burns)
    later: tuple[Later, ...] = ()
    if street != "river":
        going_on = next_as_it_would_have_come(street, burns, acted=True)
        held = definite(going_on, rules=CORRECTED[book], by_default=book in SILENT_BOOKS)
        later = (Later((ruled(expect), *rest), held),)
    return Cell(
        f"{INCIDENT}/{book}/{street}/{burns} burns/after a check", INCIDENT, table, steps, expect, later, FACTS
    )


def ruling_after_action(book: Book, street: Street, burns: int) -> Expect:
    """The board cards stand; for the flop two books have a reshuffle without a deadline."""
    words = (SILENT,) if book in SILENT_BOOKS else ()
    if street == "flop" and book in ("ccp", "rpl"):
        words = ("'the deck must be reshuffled if any cards were exposed' has no deadline of its own",)
    return Expect((Option(uncorrected(street, burns), CORRECTED[book], by_default=book in SILENT_BOOKS),), words)


def _nothing_turned(book: Book, street: Street) -> Cell:
    """Two cards burned, noticed before a board card is turned: one goes back, and the street is dealt."""
    table = Table(book)
    steps = (*before_deal(table, street), Burns(street, 2), FloorIsTold("burns"))
    before_flop = {"ccp": ("ccp.irregularities.18a",), "rpl": ("rpl.holdemrules.5",)}
    rules = before_flop.get(book, CORRECTED[book]) if street == "flop" else CORRECTED[book]
    burn = normal_burn(street)
    effects = (
        BurnIs(street, (burn,)),
        CardsReturn((burn + 1,), "top"),
        NextStreet(street, 0, normal_cards(street)),
    )
    expect = Expect(
        (Option(effects, rules, by_default=book in SILENT_BOOKS),), (SILENT,) if book in SILENT_BOOKS else ()
    )
    name = f"{INCIDENT}/{book}/{street}/2 burns/nothing turned"
    return Cell(name, INCIDENT, table, steps, expect, (), FACTS)


# --- All-in: no betting on the street -------------------------------------------------------------


def all_in_preflop() -> tuple[Step, ...]:
    """Seats 4 and 5 are all-in for 10,000 before the flop, the others fold; both table their hands."""
    folds = (Acts(1, "fold"), Acts(2, "fold"), Acts(3, "fold"))
    return (Acts(4, "all-in", 10_000), Acts(5, "call", 10_000), *folds, Tables(4, 1), Tables(5, 2))


ALL_IN_POT = 20_150


def _all_in(book: Book) -> Iterator[Cell]:
    for street in ("turn", "river"):
        for burns in (0, 2):
            for found in ("before the award", "after the award"):
                yield from for_devices(
                    _all_in_cell(book, street, burns, found, stub_intact=True), ("keys+shoe", "all")
                )
    if book == "wfp":
        yield from for_devices(_all_in_cell(book, "river", 2, "before the award", stub_intact=False))


def _all_in_cell(book: Book, street: Street, burns: int, found: str, *, stub_intact: bool) -> Cell:
    dealt = tuple(Deals(name, burns if name == street else 1) for name in POSTFLOP)
    shift = burns - 1
    as_dealt = {"turn": (2, 3, 4, 6 + shift, 8 + shift), "river": (2, 3, 4, 6, 8 + shift)}[street]
    award = (PushesPot(4, ALL_IN_POT),) if found == "after the award" else ()
    told = FloorIsTold("burns", facts=(("stub and burns intact", "yes" if stub_intact else "no"),))
    steps = (*all_in_preflop(), *dealt, *award, told)
    effects: tuple[Effect, ...]
    if award:
        effects = (BoardIs(5, as_dealt), ResultStands())
    elif stub_intact:
        effects = (BoardIs(5, (2, 3, 4, 6, 8)),)
    else:
        effects = (BoardIs(5, as_dealt),)
    words = (SILENT,) if book in SILENT_BOOKS else ()
    if book == "wfp" and street == "turn" and not award:
        words = ("one rule says 'on the last round', the other 'on a round'",)
    expect = Expect((Option(effects, ALL_IN[book], by_default=book in SILENT_BOOKS),), words)
    name = f"{INCIDENT}/{book}/{street}/{burns} burns/all-in, {found}{'' if stub_intact else ', stub fouled'}"
    return Cell(name, INCIDENT, Table(book), steps, expect, (), (*FACTS, "stub was fouled"))


# --- A burn that was shown ------------------------------------------------------------------------


def _shown(book: Book, street: Street) -> Cell:
    table = Table(book)
    steps = (*before_deal(table, street), Burns(street, 1, shown=True), FloorIsTold("burn shown"))
    burn = normal_burn(street)
    later: tuple[Later, ...] = ()
    stays = (ShownToAll((burn,)), BurnIs(street, (burn,)), NextStreet(street, 0, normal_cards(street)))
    if book == "home":
        expect, later = _home_shown(table, street)
    elif book == "rpl":
        expect = definite(*stays, rules=("rpl.deal.6",))
    else:
        rules = ("ccp.announcements.4",) if book == "ccp" else ("rpl.deal.6",)
        silence = "no rule on a burn that was shown"
        expect = Expect((Option(stays, rules, by_default=book != "ccp"),), (silence,))
    return Cell(
        f"{INCIDENT}/{book}/{street}/burn shown", INCIDENT, table, steps, expect, later, (*FACTS, "burn was shown")
    )


def _home_shown(table: Table, street: Street) -> tuple[Expect, tuple[Later, ...]]:
    """home.irregularities.11: shown to all, held aside; another burn; shuffled in after the turn, river
    unburned."""
    burn = normal_burn(street)
    next_cards = tuple(card + 1 for card in normal_cards(street))
    aside = (ShownToAll((burn,)), BurnIs(street, (burn + 1,)), NextStreet(street, 0, next_cards))
    at_once = Option(aside, ("home.irregularities.11a",))
    if street == "river":
        effects = (ShownToAll((burn,)), CardsReturn((burn,), "shuffled"), NextStreet("river", 0))
        shuffled = Option(effects, ("home.irregularities.11b",))
        words = "'after 4th street' the card is shuffled in: it was shown only then"
        return Expect((at_once, shuffled), (words,)), ()
    streets = POSTFLOP[POSTFLOP.index(street) :]
    going_on: list[Step] = [IsRuled(0, aside)]
    for name in streets[:-1]:
        going_on += [Deals(name, 0 if name == street else 1), *checks(table, name)]
    river = definite(CardsReturn((burn,), "shuffled"), NextStreet("river", 0), rules=("home.irregularities.11b",))
    before_flop = (HOME_SHOWN_BEFORE_FLOP,) if street == "flop" else ()
    return Expect((at_once,), before_flop), (Later(tuple(going_on), river),)
