"""Wrong amounts: below the minimum, words and chips that differ, short calls, a raise not seen, more chips
behind."""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.books import MIN_BET, MIN_RAISE, min_bet, min_raise_to
from tests.spec.cell import Cell, Expect, Option, for_devices
from tests.spec.effects import CountsAs, TakesChipsBack, TurnGoesTo
from tests.spec.play import up_to
from tests.spec.situation import (
    BOOKS,
    Act,
    Acts,
    Book,
    Deals,
    FloorIsTold,
    Matter,
    PutsChips,
    Step,
    Street,
    Table,
    Tables,
    WithdrawsChips,
)

INCIDENT = "amounts"
FACTS = ("chips put in", "amount declared")

BROUGHT_UP: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.pot.2", "wfp.nolimit.11"),
    "cpp": ("wfp.nolimit.11",),
    "wfp": ("wfp.nolimit.11", "wfp.betting.16a"),
    "home": ("home.betting.12",),
    "rpl": ("rpl.nolimit.12", "rpl.betting.15a"),
}
WITHIN_ROUND: dict[Book, tuple[str, ...]] = {
    "ccp": ("wfp.betting.16a",),
    "cpp": ("wfp.betting.16a",),
    "wfp": ("wfp.betting.16a",),
    "home": ("home.betting.12",),
    "rpl": ("rpl.betting.15a",),
}
WORDS_WIN: dict[Book, tuple[str, ...]] = {
    "ccp": ("wfp.nolimit.7",),
    "cpp": ("wfp.nolimit.7",),
    "wfp": ("wfp.nolimit.7",),
    "home": ("home.suggest.2", "home.betting.5"),
    "rpl": ("rpl.nolimit.8",),
}
SHORT_CALL: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.hand.6",),
    "cpp": ("wfp.nolimit.8",),
    "wfp": ("wfp.nolimit.8", "wfp.betting.9a"),
    "home": ("home.betting.12",),
    "rpl": ("rpl.nolimit.9", "rpl.betting.12a"),
}
MISUNDERSTOOD: dict[Book, tuple[str, ...]] = {
    "wfp": ("wfp.nolimit.9a", "wfp.nolimit.9b", "wfp.nolimit.9c"),
    "rpl": ("rpl.nolimit.10a", "rpl.nolimit.10b", "rpl.nolimit.10c"),
}
UNAWARE: dict[Book, str] = {"wfp": "wfp.betting.9b", "rpl": "rpl.betting.12b"}
SILENT: tuple[Book, ...] = ("ccp", "cpp")
NO_CORRECTION = "a minimum, but no word on a wager below it"


def cells() -> Iterator[Cell]:
    """All cells of wrong amounts."""
    for book in BOOKS:
        for street in ("flop", "turn"):
            yield from for_devices(_below_min_bet(book, street))
            yield from for_devices(_below_min_bet_found_late(book, street))
            for to in (225, 300):
                yield from for_devices(_below_min_raise(book, street, to))
        for chips in (400, 500):
            yield from for_devices(_words_and_chips(book, said=900 - chips, chips=chips))
        yield from for_devices(_short_call(book))
        yield from for_devices(_short_call_at_showdown(book))
        for put in (100, 375, 400):
            yield from for_devices(_misunderstanding(book, put))
        for acted in (False, True):
            yield from for_devices(_unaware_of_raise(book, acted=acted))
        yield from for_devices(_more_behind(book))


def _cell(
    book: Book,
    name: str,
    steps: tuple[Step, ...],
    told: tuple[Matter, int],
    expect: Expect,
    facts: tuple[str, ...] = FACTS,
) -> Cell:
    return Cell(
        f"{INCIDENT}/{book}/{name}", INCIDENT, Table(book), (*steps, FloorIsTold(*told)), expect, (), facts
    )


def counts(seat: int, act: Act, to: int, put: int, rules: tuple[str, ...], by_default: bool = False) -> Option:
    """The chips count as this act; the difference goes back or is owed."""
    effect = CountsAs(seat, act, to, change=max(put - to, 0), owes=max(to - put, 0))
    return Option((effect,), rules, by_default=by_default)


# --- Below the minimum ----------------------------------------------------------------------------


def _below_min_bet(book: Book, street: Street) -> Cell:
    """A bet of 75 with blinds of 50 and 100: brought up to 100, legal in the home book on the flop."""
    steps = (*up_to(Table(book), street), PutsChips(2, ((50, 25),), "bet", 75))
    least = min_bet(book, street, 50, 100)
    name = f"bet of 75 on the {street}"
    if least <= 75:
        expect = Expect((counts(2, "bet", 75, 75, MIN_BET[book]),))
    else:
        option = counts(2, "bet", least, 75, (*MIN_BET[book], *BROUGHT_UP[book]), by_default=book in SILENT)
        expect = Expect((option,), (NO_CORRECTION,) if book in SILENT else ())
    return _cell(book, name, steps, ("below minimum", 2), expect)


def _below_min_bet_found_late(book: Book, street: Street) -> Cell:
    """The bet of 75 was called by one seat, the others folded, and the next street is dealt."""
    following: Street = "turn" if street == "flop" else "river"
    steps = (
        *up_to(Table(book), street),
        PutsChips(2, ((50, 25),), "bet", 75),
        Acts(3, "call", 75),
        Acts(4, "fold"),
        Acts(5, "fold"),
        Acts(1, "fold"),
        Deals(following),
    )
    option = counts(2, "bet", 75, 75, WITHIN_ROUND[book], by_default=book in SILENT)
    words: tuple[str, ...] = ()
    if book in SILENT:
        words = (NO_CORRECTION,)
    elif book in ("wfp", "rpl"):
        words = ("'must be increased to the proper size' in the no-limit section has no deadline",)
    return _cell(
        book,
        f"bet of 75 on the {street}, found on the {following}",
        steps,
        ("below minimum", 2),
        Expect((option,), words),
    )


def _below_min_raise(book: Book, street: Street, to: int) -> Cell:
    """Seat 2 bet 200, seat 3 says "raise to 225" or "raise to 300"."""
    chips = (200, 25) if to == 225 else (200, 100)
    steps = (*up_to(Table(book), street), Acts(2, "bet", 200), PutsChips(3, (chips,), "raise", to))
    least = min_raise_to(book, street, 200, 200, 50, 100)
    name = f"raise to {to} over 200 on the {street}"
    if to >= least:
        return _cell(
            book, name, steps, ("below minimum", 3), Expect((counts(3, "raise", to, to, MIN_RAISE[book]),))
        )
    option = counts(3, "raise", least, to, (*MIN_RAISE[book], *BROUGHT_UP[book]), by_default=book in SILENT)
    words = (NO_CORRECTION,) if book in SILENT else ()
    return _cell(book, name, steps, ("below minimum", 3), Expect((option,), words))


# --- Words and chips ------------------------------------------------------------------------------


def _words_and_chips(book: Book, *, said: int, chips: int) -> Cell:
    """Seat 2 says "bet 400" and puts 500 in, or says 500 and puts 400 in: the words count."""
    motion = (100,) * (chips // 100)
    steps = (*up_to(Table(book), "flop"), PutsChips(2, (motion,), "bet", said))
    option = counts(2, "bet", said, chips, WORDS_WIN[book], by_default=book in SILENT)
    words = ("players should declare; chips that differ are not named",) if book in SILENT else ()
    return _cell(book, f"says {said}, puts {chips} in", steps, ("amount", 2), Expect((option,), words))


# --- Calls ----------------------------------------------------------------------------------------


def _short_call(book: Book) -> Cell:
    """Seat 2 bets 500, seat 3 says call and puts 400 in; found at once: 100 are owed."""
    steps = (*up_to(Table(book), "flop"), Acts(2, "bet", 500), PutsChips(3, ((100,) * 4,), "call"))
    option = counts(3, "call", 500, 400, SHORT_CALL[book], by_default=book == "cpp")
    words = ("short calls are not named",) if book == "cpp" else ()
    return _cell(book, "call of 500 with 400, in the round", steps, ("short call", 3), Expect((option,), words))


def _short_call_at_showdown(book: Book) -> Cell:
    """The same on the river, last call of the hand; found when the bettor has tabled the better hand."""
    steps = (
        *up_to(Table(book), "river"),
        Acts(2, "bet", 500),
        Acts(3, "fold"),
        Acts(4, "fold"),
        Acts(5, "fold"),
        PutsChips(1, ((100,) * 4,), "call"),
        Tables(2, 1),
    )
    name = "call of 500 with 400, found at the showdown"
    owed = counts(1, "call", 500, 400, SHORT_CALL[book], by_default=book == "cpp")
    if book == "home":
        stands = counts(1, "call", 400, 400, ("home.betting.12",))
        words: tuple[str, ...] = ("'before the betting round has been completed': the call itself was short",)
        return _cell(
            book,
            name,
            steps,
            ("short call", 1),
            Expect((stands, counts(1, "call", 500, 400, ("home.betting.5",))), words),
        )
    words = ("no word on a call found short at the showdown",) if book in SILENT else ()
    return _cell(book, name, steps, ("short call", 1), Expect((owed,), words))


def _misunderstanding(book: Book, put: int) -> Cell:
    """River: seat 2 bets 500; the last seat says call with fewer chips and says that it understood another
    amount."""
    steps = (
        *up_to(Table(book), "river"),
        Acts(2, "bet", 500),
        Acts(3, "fold"),
        Acts(4, "fold"),
        Acts(5, "fold"),
        PutsChips(1, ((100,) if put == 100 else (100, 100, 100, *((50, 25) if put == 375 else (100,))),), "call"),
    )
    facts = (*FACTS, "player knew the amount")
    name = f"call of 500 with {put}, amount misunderstood"
    owed = counts(1, "call", 500, put, SHORT_CALL[book], by_default=book == "cpp")
    if book not in MISUNDERSTOOD:
        words = ("no word on a misunderstood amount",)
        return _cell(book, name, steps, ("misunderstanding", 1), Expect((owed,), words), facts)
    if put * 100 >= 500 * 80:
        option = Option(owed.effects, (*SHORT_CALL[book], MISUNDERSTOOD[book][1]))
        words = ("'a possible rule-of-thumb': eighty percent",)
        return _cell(book, name, steps, ("misunderstanding", 1), Expect((option,), words), facts)
    back = Option((TakesChipsBack(1, put), TurnGoesTo(1)), MISUNDERSTOOD[book], "the misunderstanding is obvious")
    words = ("the caller 'needs some protection', with 'considerable discretion' for the ruling",)
    return _cell(book, name, steps, ("misunderstanding", 1), Expect((back, owed), words), facts)


def _unaware_of_raise(book: Book, *, acted: bool) -> Cell:
    """Seat 2 bets 200, seat 3 raises to 600, seat 4 puts 200 in, not knowing; then it asks, or seat 5 folds
    first."""
    after = (Acts(5, "fold"),) if acted else ()
    steps = (
        *up_to(Table(book), "flop"),
        Acts(2, "bet", 200),
        Acts(3, "raise", 600),
        PutsChips(4, ((100, 100),)),
        *after,
        WithdrawsChips(4),
    )
    name = f"200 put in, unaware of the raise to 600/{'the next seat has acted' if acted else 'at once'}"
    facts = (*FACTS, "player knew of the raise")
    owed = counts(4, "call", 600, 200, SHORT_CALL[book], by_default=book == "cpp")
    if book in UNAWARE and not acted:
        back = Option((TakesChipsBack(4, 200), TurnGoesTo(4)), (UNAWARE[book],))
        return _cell(book, name, steps, ("withdrawal", 4), Expect((back,)), facts)
    if book in UNAWARE:
        option = Option(owed.effects, (UNAWARE[book], *SHORT_CALL[book]))
        return _cell(book, name, steps, ("withdrawal", 4), Expect((option,)), facts)
    words = ("no word on a player unaware of a raise",)
    if book == "home":
        option = Option(owed.effects, ("home.betting.7", "home.betting.12"))
        return _cell(book, name, steps, ("withdrawal", 4), Expect((option,), words), facts)
    back = Option((TakesChipsBack(4, 200), TurnGoesTo(4)), ("wfp.betting.9b",), by_default=True)
    options = (owed,) if acted else (back, owed)
    return _cell(book, name, steps, ("withdrawal", 4), Expect(options, words), facts)


# --- All-in ---------------------------------------------------------------------------------------


def _more_behind(book: Book) -> Cell:
    """Seat 2 says all-in and pushes 5,000; it has 9,900: all of it plays."""
    steps = (*up_to(Table(book), "flop"), PutsChips(2, ((5_000,),), "all-in"))
    rules: dict[Book, tuple[str, ...]] = {
        "ccp": ("wfp.betting.4b",),
        "cpp": ("wfp.betting.4b",),
        "wfp": ("wfp.betting.4b", "wfp.nolimit.7"),
        "home": ("home.betting.5",),
        "rpl": ("rpl.betting.6b", "rpl.nolimit.8"),
    }
    option = counts(2, "all-in", 9_900, 5_000, rules[book], by_default=book in SILENT)
    words = ("an all-in with chips left behind is not named",) if book in SILENT else ()
    return _cell(
        book, "all-in with 4,900 behind", steps, ("more behind", 2), Expect((option,), words), ("chips hidden",)
    )
