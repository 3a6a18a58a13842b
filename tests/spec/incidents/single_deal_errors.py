"""One irregular card in the deal: exposed, flashed, off the table, boxed, one too many, one missing.

Five seats, button 1: card 1 goes to seat 2, card 4 to seat 5, card 5 to seat 1.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Later, Option, definite, for_devices, ruled
from tests.spec.effects import BurnIs, CompletesHand, HandLives, Misdeal, NextStreet, NoMisdeal, ReplacesCard
from tests.spec.incidents.misdeal_rules import DEADLINE, DEADLINE_RULES, NO_DEADLINE, first_acts, misdeal_or_not
from tests.spec.play import limps
from tests.spec.situation import BOOKS, Book, DealError, DealsHands, FloorIsTold, Step, Table

INCIDENT = "single deal error"
SEEN = ("card was exposed", "who exposed the card")
COUNTED = ("cards per seat", "seat of each card")

REPLACED: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.irregularities.15b", "ccp.irregularities.13"),
    "cpp": ("cpp.misdeals.2",),
    "wfp": ("wfp.irregularities.17b", "wfp.irregularities.12"),
    "rpl": ("rpl.holdemrules.2b", "rpl.irregularities.13"),
}
FLASHED: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.irregularities.12a",),
    "cpp": ("cpp.misdeals.2",),
    "wfp": ("wfp.irregularities.11a",),
    "rpl": ("rpl.irregularities.12a",),
}
OFF_TABLE: dict[Book, tuple[str, ...]] = {**FLASHED, "ccp": ("ccp.irregularities.12d",)}
LOOKED: dict[Book, str] = {
    "ccp": "ccp.irregularities.12c",
    "wfp": "wfp.irregularities.11c",
    "rpl": "rpl.irregularities.12c",
}
FIRST_TWO: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.misdeals.1a", "ccp.irregularities.15a"),
    "wfp": ("wfp.misdeals.1a", "wfp.irregularities.17a"),
    "rpl": ("rpl.misdeals.1a",),
}


def cells() -> Iterator[Cell]:
    """All single errors in the deal."""
    for book in BOOKS:
        for index in (1, 2, 3, 5, 10):
            yield from for_devices(_exposed(book, index))
        for index in (1, 5):
            for acts in (1, 2):
                yield from for_devices(_exposed_late(book, index, acts))
        for kind in ("flashed", "off table"):
            yield from for_devices(_seen(book, kind))
        yield from for_devices(_flashed_and_looked(book), ("keys", "all"))
        for dealt in (4, 5):
            yield from for_devices(_boxed(book, dealt))
        for seat in (2, 4):
            for acts in (0, 1, 2):
                yield from for_devices(_one_extra(book, seat, acts))
        for acts in (0, 2):
            yield from for_devices(_last_hand_short(book, acts))


def seat_of(table: Table, index: int) -> int:
    """The seat that card `index` of the deal goes to."""
    return table.deal_order[(index - 1) % len(table.stacks)]


# --- Exposed --------------------------------------------------------------------------------------


def _exposed(book: Book, index: int) -> Cell:
    """The dealer exposes one card; the whole deal is out and nobody has acted."""
    table = Table(book)
    steps: tuple[Step, ...] = (
        DealsHands((DealError("exposed", index),)),
        FloorIsTold("exposed card", seat_of(table, index)),
    )
    name = f"{INCIDENT}/{book}/card {index} exposed"
    return Cell(name, INCIDENT, table, steps, *ruling_on_exposed(table, index), SEEN)


def ruling_on_exposed(table: Table, index: int) -> tuple[Expect, tuple[Later, ...]]:
    """A misdeal, or the card is replaced after the deal and becomes the first burn."""
    book = table.book
    if book == "home":
        return definite(Misdeal(), rules=("home.misdeals.1a",)), ()
    if index <= 2 and book != "cpp":
        words = ("the hold'em section names the first card only",) if book == "rpl" and index == 2 else ()
        return Expect((Option((Misdeal(),), FIRST_TWO[book]),), words), ()
    return _replaced(table, seat_of(table, index), REPLACED[book])


def _replaced(
    table: Table,
    seat: int,
    rules: tuple[str, ...],
    words: tuple[str, ...] = (),
    by_default: bool = False,
) -> tuple[Expect, tuple[Later, ...]]:
    effects = (ReplacesCard(seat, "after the deal"), BurnIs("flop", ("exposed",)))
    expect = Expect((Option(effects, rules, by_default=by_default),), words)
    flop = definite(NextStreet("flop", 0, (2, 3, 4)), rules=rules, by_default=by_default)
    return expect, (Later((ruled(expect), *limps(table)), flop),)


def _exposed_late(book: Book, index: int, acts: int) -> Cell:
    """Nobody speaks up before so many players have acted."""
    table = Table(book)
    seat = seat_of(table, index)
    deal = DealsHands((DealError("exposed", index),))
    steps: tuple[Step, ...] = (deal, *first_acts(table, acts), FloorIsTold("exposed card", seat))
    name = f"{INCIDENT}/{book}/card {index} exposed/after {acts} acts"
    return Cell(name, INCIDENT, table, steps, _ruling_on_exposed_late(table, seat, index, acts), (), SEEN)


def _ruling_on_exposed_late(table: Table, seat: int, index: int, acts: int) -> Expect:
    """A misdeal within the deadline; after it the card plays, unless replacing it has no deadline."""
    book = table.book
    late = acts >= DEADLINE[book]
    if index <= 2 and not late and book in FIRST_TWO:
        return Expect((Option((Misdeal(),), (*FIRST_TWO[book], DEADLINE_RULES[book][0])),))
    plays = Option((NoMisdeal(), HandLives(seat)), DEADLINE_RULES[book], by_default=book == "cpp")
    if book == "home":
        return Expect((plays,))
    if index <= 2 and book != "cpp":
        return Expect((plays,), ("what becomes of an exposed card after two acts is not said",))
    effects = (NoMisdeal(), ReplacesCard(seat, "after the deal"), BurnIs("flop", ("exposed",)))
    replaced = Option(effects, REPLACED[book])
    words: tuple[str, ...] = ("replacing an exposed card has no deadline in the text",)
    if book == "cpp":
        words = (*words, NO_DEADLINE)
    return Expect((plays, replaced) if late else (replaced, plays), words)


def _seen(book: Book, kind: str) -> Cell:
    """Card 5 is flashed by the dealer, or dealt off the table: it counts as exposed."""
    table = Table(book)
    seat = seat_of(table, 5)
    error = DealError("flashed", 5) if kind == "flashed" else DealError("off table", 5)
    steps: tuple[Step, ...] = (DealsHands((error,)), FloorIsTold("exposed card", seat))
    name = f"{INCIDENT}/{book}/card 5 {kind}"
    if book == "home":
        misdeal = Option((Misdeal(),), ("home.misdeals.1a",), "it counts as exposed by the dealer")
        plays = Option((NoMisdeal(), HandLives(seat)), ("home.irregularities.9",), "it does not count as exposed")
        words = (f"'exposed by the dealer': a card {kind} is not named",)
        return Cell(name, INCIDENT, table, steps, Expect((misdeal, plays), words), (), SEEN)
    rules = (OFF_TABLE if kind == "off table" else FLASHED)[book] + REPLACED[book]
    if book == "cpp" and kind == "off table":
        expect, later = _replaced(table, seat, ("cpp.misdeals.2", "wfp.irregularities.11a"), by_default=True)
        words = ("a card off the table is not named; 'exposed, or seen by someone' is",)
        return Cell(name, INCIDENT, table, steps, Expect(expect.options, words), later, SEEN)
    return Cell(name, INCIDENT, table, steps, *_replaced(table, seat, tuple(dict.fromkeys(rules))), SEEN)


def _flashed_and_looked(book: Book) -> Cell:
    """The holder looks at the card first and then says that it was flashed."""
    table = Table(book)
    seat = seat_of(table, 5)
    told = FloorIsTold("exposed card", seat, (("player had looked", "yes"),))
    steps: tuple[Step, ...] = (DealsHands((DealError("flashed", 5),)), told)
    name = f"{INCIDENT}/{book}/card 5 flashed, holder looked first"
    facts = (*SEEN, "player had looked")
    if book in LOOKED:
        expect = definite(HandLives(seat), NoMisdeal(), rules=(LOOKED[book],))
        words = ("a player 'should announce' before looking",)
        return Cell(name, INCIDENT, table, steps, Expect(expect.options, words), (), facts)
    if book == "cpp":
        expect, later = _replaced(table, seat, REPLACED[book])
        words = ("no word on a holder who looked first",)
        return Cell(name, INCIDENT, table, steps, Expect(expect.options, words), later, facts)
    options = (
        Option((Misdeal(),), ("home.misdeals.1a",)),
        Option((NoMisdeal(), HandLives(seat)), ("wfp.irregularities.11c",), by_default=True),
    )
    words = ("a flashed card is not named, nor a holder who looked",)
    return Cell(name, INCIDENT, table, steps, Expect(options, words), (), facts)


# --- Boxed ----------------------------------------------------------------------------------------


def _boxed(book: Book, dealt: int) -> Cell:
    """Card 4, for seat 5, lies face up in the deck; noticed at once, or when card 5 has gone to seat 1."""
    table = Table(book)
    deal = DealsHands((DealError("boxed", 4),), upto=dealt)
    steps: tuple[Step, ...] = (deal, FloorIsTold("boxed card", 5))
    name = f"{INCIDENT}/{book}/card 4 boxed/noticed after card {dealt}"
    facts = ("card was boxed", "seat of each card")
    if book == "home":
        return Cell(name, INCIDENT, table, steps, definite(Misdeal(), rules=("home.misdeals.1b",)), (), facts)
    letter = "a" if dealt == 4 else "b"
    rule = {"ccp": f"ccp.irregularities.8{letter}", "rpl": f"rpl.irregularities.7{letter}"}.get(
        book, f"wfp.irregularities.6{letter}"
    )
    when = "now" if dealt == 4 else "after the round"
    option = Option((ReplacesCard(5, when),), (rule,), by_default=book == "cpp")
    words = ("boxed cards are not named in the text",) if book == "cpp" else ()
    return Cell(name, INCIDENT, table, steps, Expect((option,), words), (), facts)


# --- Count ----------------------------------------------------------------------------------------

ONE_EXTRA: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.irregularities.16a",),
    "cpp": ("wfp.irregularities.10",),
    "wfp": ("wfp.irregularities.10", "wfp.irregularities.18"),
    "home": ("home.irregularities.8",),
    "rpl": ("rpl.irregularities.11", "rpl.holdemrules.3"),
}
WRONG_COUNT: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.misdeals.1e",),
    "cpp": ("wfp.misdeals.1e",),
    "wfp": ("wfp.misdeals.1e",),
    "home": ("home.misdeals.1d",),
    "rpl": ("rpl.misdeals.1e",),
}
CPP_COUNT = "a wrong number of cards is not named in the text"


def _one_extra(book: Book, seat: int, acts: int) -> Cell:
    """All hands are complete, then one card more goes to a seat; nobody has seen it."""
    table = Table(book)
    deal = DealsHands((DealError("extra", seat=seat),))
    steps: tuple[Step, ...] = (deal, *first_acts(table, acts), FloorIsTold("wrong count", seat))
    where = "first seat" if seat == table.deal_order[0] else "another seat"
    name = f"{INCIDENT}/{book}/one extra card, {where}/after {acts} acts"
    expect = ruling_on_extra(table, seat, acts)
    later: tuple[Later, ...] = ()
    if acts == 0 and isinstance(expect.options[0].effects[0], BurnIs):
        flop = definite(NextStreet("flop", 0, (2, 3, 4)), rules=ONE_EXTRA[book], by_default=book == "cpp")
        later = (Later((ruled(expect), *limps(table)), flop),)
    return Cell(name, INCIDENT, table, steps, expect, later, COUNTED)


def ruling_on_extra(table: Table, seat: int, acts: int) -> Expect:
    """The extra card is the first burn; after one act it may be a misdeal; after the deadline the hand is dead."""
    book = table.book
    default = book == "cpp"
    burn = Option((BurnIs("flop", (1,)), HandLives(seat)), ONE_EXTRA[book], by_default=default)
    misdeal = Option((Misdeal(),), WRONG_COUNT[book], by_default=default)
    silence = (CPP_COUNT,) if default else ()
    if acts >= (1 if book == "home" else 2):
        return misdeal_or_not(book, WRONG_COUNT[book], acts, wrong_hand=seat, words=silence)
    if acts == 1:
        words = ("'before the first round of betting' against no deadline for the first player's extra card",)
        if book == "ccp":
            words = ("the rule on an extra card names no deadline",)
        return Expect((burn, misdeal), (*silence, *words))
    if book == "ccp" and seat != table.deal_order[0]:
        return Expect((misdeal, burn), ("only 'the first player' is named; any other wrong count is a misdeal",))
    return Expect((burn,), silence)


def _last_hand_short(book: Book, acts: int) -> Cell:
    """The last card of the deal was forgotten: the button's hand has one card, and the top card is the one due."""
    table = Table(book)
    seat = table.deal_order[-1]
    steps: tuple[Step, ...] = (
        DealsHands((DealError("short", seat=seat),)),
        *first_acts(table, acts),
        FloorIsTold("wrong count", seat),
    )
    name = f"{INCIDENT}/{book}/last hand one card short/after {acts} acts"
    default = book == "cpp"
    silence = (CPP_COUNT,) if default else ()
    if acts == 0:
        expect = Expect((Option((CompletesHand(seat),), WRONG_COUNT[book], by_default=default),), silence)
        return Cell(name, INCIDENT, table, steps, expect, (), COUNTED)
    late = misdeal_or_not(book, WRONG_COUNT[book], acts, wrong_hand=seat, words=silence)
    completed = Option((NoMisdeal(), CompletesHand(seat)), WRONG_COUNT[book], by_default=default)
    words = ("'the top card may be dealt' has no deadline of its own",)
    options = (*late.options, completed)
    return Cell(name, INCIDENT, table, steps, Expect(options, (*late.open_words, *words)), (), COUNTED)
