"""Chips without the words, words without the chips: string bets, oversized chips, silent stacks.

Seat 2 has bet 200 and seat 3 is to act, unless a cell says otherwise.  Smallest raises over 200: to 300 in the CCP
book, in the home book to 250 on the flop and to 300 later, to 400 in the others.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.books import MIN_RAISE, min_raise_to
from tests.spec.cell import Cell, Expect, Option, for_devices
from tests.spec.devices import DEVICE_SETS, SOME_DEVICES
from tests.spec.effects import CountsAs
from tests.spec.play import up_to
from tests.spec.situation import BOOKS, POSTFLOP, Act, Acts, Book, FloorIsTold, PutsChips, Step, Street, Table

INCIDENT = "chips and words"
FACTS = ("number of motions", "words before the chips", "chips put in")
BET = 200
SEAT = 3

STRING: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.actions.5",),
    "cpp": ("cpp.intentions.4",),
    "wfp": ("wfp.betting.14a", "wfp.procedures.19"),
    "home": ("home.betting.6", "home.suggest.3"),
    "rpl": ("rpl.betting.13a",),
}
ONE_CHIP_CALLS: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.actions.4",),
    "cpp": ("cpp.intentions.2",),
    "wfp": ("wfp.nolimit.10", "wfp.betting.15"),
    "home": ("wfp.nolimit.10",),
    "rpl": ("rpl.nolimit.11", "rpl.betting.14"),
}
ONE_CHIP_OPENS: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.actions.3",),
    "cpp": ("cpp.intentions.2",),
    "wfp": ("wfp.nolimit.10",),
    "home": ("wfp.nolimit.10",),
    "rpl": ("rpl.nolimit.11",),
}
HALF_BET: dict[Book, str] = {"wfp": "wfp.betting.14b", "rpl": "rpl.betting.13b"}
HOME_WORDS = "'verbal declarations ... are the only way action can be made'"
STACKS: dict[int, tuple[int, ...]] = {
    200: (100, 100),
    250: (100, 100, 25, 25),
    300: (100, 100, 100),
    600: (200, 200, 200),
}


def cells() -> Iterator[Cell]:
    """All cells of chips that do not say by themselves what the player means."""
    for book in BOOKS:
        for street in POSTFLOP:
            sets = DEVICE_SETS if street == "flop" else SOME_DEVICES
            for cell in (
                _string_bet_from_call(book, street),
                _string_bet_from_raise(book, street),
                _call_and_raise(book, street),
                _raise_in_two_motions(book, street),
                _one_chip(book, street),
                _one_chip_opens(book, street),
                *(_silent_stack(book, street, total) for total in STACKS),
            ):
                yield from for_devices(cell, sets)
        yield from for_devices(_one_chip_before_the_flop(book))


def facing_bet(table: Table, street: Street) -> tuple[Step, ...]:
    """Seat 2, first to act on the street, has bet 200, and seat 3 is to act."""
    return (*up_to(table, street), Acts(2, "bet", BET))


def counts(
    act: Act, to: int, put: int, rules: tuple[str, ...], when: str = "", by_default: bool = False, seat: int = SEAT
) -> Option:
    """The chips count as this act: what is too much goes back, what is missing is owed."""
    effect = CountsAs(seat, act, to, change=max(put - to, 0), owes=max(to - put, 0))
    return Option((effect,), rules, when, by_default)


def least_raise(book: Book, street: Street) -> int:
    """The smallest total of a raise over the bet of 200."""
    return min_raise_to(book, street, BET, BET, 50, 100)


def _cell(
    book: Book, street: Street, what: str, chips: PutsChips, expect: Expect, steps: tuple[Step, ...] | None = None
) -> Cell:
    table = Table(book)
    before = facing_bet(table, street) if steps is None else steps
    matter = "string bet" if len(chips.motions) > 1 or chips.said == "call and raise" else "silent chips"
    told = FloorIsTold(matter, chips.seat)  # type: ignore[arg-type]
    return Cell(f"{INCIDENT}/{book}/{street}/{what}", INCIDENT, table, (*before, chips, told), expect, (), FACTS)


# --- String bets ----------------------------------------------------------------------------------


def _string_bet_from_call(book: Book, street: Street) -> Cell:
    """Silent: 200, then 400 more.  Only the first motion stands."""
    chips = PutsChips(SEAT, ((100, 100), (100, 100, 100, 100)))
    words = ("string bets are 'not allowed'; what stands instead is not said",)
    expect = Expect((counts("call", BET, 600, STRING[book]),), words)
    return _cell(book, street, "string bet, the call first", chips, expect)


def _string_bet_from_raise(book: Book, street: Street) -> Cell:
    """Silent: 400 in one motion, then 200 more.  The first motion alone is a raise to 400."""
    chips = PutsChips(SEAT, ((100, 100, 100, 100), (100, 100)))
    words: tuple[str, ...] = ("string bets are 'not allowed'; what stands instead is not said",)
    raised = counts("raise", 400, 600, STRING[book] + ((HALF_BET[book],) if book in HALF_BET else ()))
    if book == "home":
        called = counts("call", BET, 600, ("home.betting.6",), "no raise was declared")
        return _cell(
            book, street, "string bet, a raise first", chips, Expect((called, raised), (*words, HOME_WORDS))
        )
    return _cell(book, street, "string bet, a raise first", chips, Expect((raised,), words))


def _call_and_raise(book: Book, street: Street) -> Cell:
    """ "I call and raise to 600": the first word binds."""
    chips = PutsChips(SEAT, ((200, 200, 200),), "call and raise", 600)
    rules: dict[Book, tuple[str, ...]] = {
        "ccp": ("ccp.actions.5",),
        "cpp": ("wfp.betting.5",),
        "wfp": ("wfp.betting.5", "wfp.betting.14a"),
        "home": ("home.betting.6",),
        "rpl": ("rpl.betting.7", "rpl.betting.13a"),
    }
    words = () if book == "home" else ("a call announced together with a raise is not named",)
    expect = Expect((counts("call", BET, 600, rules[book], by_default=book == "cpp"),), words)
    return _cell(book, street, "'call and raise'", chips, expect)


def _raise_in_two_motions(book: Book, street: Street) -> Cell:
    """ "Raise" without an amount, then 200 and 400 more in a second motion."""
    chips = PutsChips(SEAT, ((100, 100), (100, 100, 100, 100)), "raise")
    name = "'raise' without an amount, two motions"
    if book == "rpl":
        return _cell(book, street, name, chips, Expect((counts("raise", 600, 600, ("rpl.nolimit.6",)),)))
    least = counts(
        "raise", least_raise(book, street), 600, (*STRING[book], *MIN_RAISE[book]), by_default=book == "cpp"
    )
    if book == "wfp":
        least = counts("raise", 400, 600, ("wfp.nolimit.5", "wfp.betting.5", "wfp.nolimit.3a"))
        words = ("an amount or 'a single motion'; what stands instead is not said",)
        return _cell(book, street, name, chips, Expect((least,), words))
    called = counts("call", BET, 600, STRING[book], "the first motion alone counts")
    words = ("a raise was declared, but the chips came as a string bet",)
    return _cell(book, street, name, chips, Expect((least, called), words))


# --- One chip -------------------------------------------------------------------------------------


def _one_chip(book: Book, street: Street) -> Cell:
    """A silent 500 chip facing 200 is a call, 300 change."""
    expect = Expect(
        (counts("call", BET, 500, ONE_CHIP_CALLS[book], by_default=book == "home"),), _home_words(book)
    )
    return _cell(book, street, "one silent 500 chip facing 200", PutsChips(SEAT, ((500,),)), expect)


def _one_chip_before_the_flop(book: Book) -> Cell:
    """A silent 500 chip facing the big blind of 100 is a call, 400 change."""
    option = counts("call", 100, 500, ONE_CHIP_CALLS[book], by_default=book == "home", seat=4)
    chips = PutsChips(4, ((500,),))
    return _cell(
        book, "preflop", "one silent 500 chip facing the blind", chips, Expect((option,), _home_words(book)), ()
    )


def _one_chip_opens(book: Book, street: Street) -> Cell:
    """A silent 500 chip with no bet open is a bet of 500."""
    option = counts("bet", 500, 500, ONE_CHIP_OPENS[book], by_default=book == "home", seat=2)
    words = ("'an assumed call', though nothing is open to call",) if book == "cpp" else _home_words(book)
    steps = up_to(Table(book), street)
    return _cell(
        book,
        street,
        "one silent 500 chip with no bet open",
        PutsChips(2, ((500,),)),
        Expect((option,), words),
        steps,
    )


def _home_words(book: Book) -> tuple[str, ...]:
    return (HOME_WORDS,) if book == "home" else ()


# --- Several chips --------------------------------------------------------------------------------


def _silent_stack(book: Book, street: Street, total: int) -> Cell:
    """Several chips in one motion, silent, facing 200."""
    return _cell(
        book,
        street,
        f"silent chips for {total} facing 200",
        PutsChips(SEAT, (STACKS[total],)),
        _stack(book, street, total),
    )


def _stack(book: Book, street: Street, total: int) -> Expect:
    call = counts("call", BET, total, ())
    match book:
        case "wfp" | "rpl":
            rules = (HALF_BET[book],)
            if total * 2 < BET * 3:
                return Expect((Option(call.effects, rules),))
            return Expect((counts("raise", max(total, 400), total, rules),))
        case "cpp":
            rules = ("cpp.intentions.3",)
            if total == BET:
                return Expect(
                    (Option(call.effects, rules),), ("'an assumed raise for the total', which only calls",)
                )
            if total >= least_raise(book, street):
                return Expect((counts("raise", total, total, rules),))
            full = counts("raise", 400, total, (*rules, "wfp.nolimit.11"), "brought up to the least raise", True)
            called = Option(call.effects, ("wfp.betting.14b",), "less than half a bet more", True)
            words = ("'an assumed raise for the total amount' that is no legal raise",)
            return Expect((full, called) if total * 2 >= BET * 3 else (called, full), words)
        case "home":
            if total == BET:
                return Expect((Option(call.effects, ("home.betting.7",)),), (HOME_WORDS,))
            to = max(total, least_raise("home", street))
            called = Option(call.effects, ("home.betting.6", "home.suggest.2"), "no raise was declared")
            raised = counts("raise", to, total, ("home.betting.7",), "the player says that a raise was declared")
            return Expect((called, raised), (HOME_WORDS,))
        case _:
            if total == BET:
                return Expect((Option(call.effects, ("ccp.hand.6",)),))
            words = ("only a single silent chip is named",)
            to = max(total, least_raise("ccp", street))
            raised = counts("raise", to, total, ("ccp.pot.1b", "wfp.betting.14b"), by_default=True)
            called = Option(call.effects, ("wfp.betting.14b",), by_default=True)
            if total * 2 < BET * 3:
                return Expect((called, raised), words)
            return Expect((raised,) if total >= 2 * BET else (raised, called), words)
