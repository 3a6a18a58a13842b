"""Hands that are folded, fouled, mucked, shown, dropped or turned up outside the normal course.

After the flop with button 1 seat 2 acts first; where a bet is needed seat 2 has bet 200 and seat 3 is next.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Option, definite, for_devices
from tests.spec.devices import DEVICE_SETS, SOME_DEVICES
from tests.spec.effects import BurnIs, Effect, HandLives, KillsHand, PenaltyFor, ReplacesCard
from tests.spec.play import up_to
from tests.spec.situation import (
    BOOKS,
    POSTFLOP,
    Acts,
    Book,
    DealsHands,
    DiscardsForward,
    FloorIsTold,
    HandInMuck,
    ShowsCard,
    Step,
    Street,
    Table,
    TakesCardsBack,
    ThrowsIntoHand,
    TurnsUpOther,
)

INCIDENT = "dead hand"

CAUSES_ACTION: dict[Book, str] = {
    "ccp": "ccp.deadhands.1b",
    "cpp": "cpp.misdeals.8b",
    "wfp": "wfp.deadhands.1b",
    "home": "home.deadhands.1b",
    "rpl": "rpl.deadhands.1b",
}
FOLD_IS_DEAD: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.deadhands.1a", "ccp.deadhands.2b"),
    "cpp": ("cpp.misdeals.8a", "cpp.misdeals.9"),
    "wfp": ("wfp.deadhands.1a",),
    "home": ("home.deadhands.1a", "home.deadhands.1b"),
    "rpl": ("rpl.deadhands.1a",),
}
RETRIEVED: dict[Book, str] = {"ccp": "ccp.deadhands.3", "wfp": "wfp.deadhands.2", "rpl": "rpl.deadhands.2"}
MUCKED_IS_DEAD: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.deadhands.3",),
    "cpp": ("cpp.misdeals.4", "cpp.misdeals.8c", "cpp.misdeals.11"),
    "wfp": ("wfp.deadhands.2",),
    "home": ("home.deadhands.3",),
    "rpl": ("rpl.deal.5",),
}
NO_REDRESS: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.irregularities.2",),
    "cpp": ("cpp.misdeals.4", "cpp.misdeals.11"),
    "wfp": ("wfp.irregularities.2",),
    "home": ("home.irregularities.2",),
    "rpl": ("rpl.irregularities.2",),
}
MANAGEMENT = "a clearly identifiable hand 'may be retrieved' at the discretion of management"


def cells() -> Iterator[Cell]:
    """All cells on hands that may be dead; on turn and river at tables with keys and with all devices only."""
    for book in BOOKS:
        for street in POSTFLOP:
            sets = DEVICE_SETS if street == "flop" else SOME_DEVICES
            for cell in _on_street(book, street):
                yield from for_devices(cell, sets)
        yield from for_devices(_flashed_after_the_deal(book))


def _on_street(book: Book, street: Street) -> Iterator[Cell]:
    for acted in (False, True):
        yield _forward_discard(book, street, acted=acted)
    for identifiable in (True, False):
        for misinformed in (False, True):
            yield _mucked_by_holder(book, street, identifiable=identifiable, misinformed=misinformed)
        for protected in (False, True):
            yield _mucked_by_dealer(book, street, identifiable=identifiable, protected=protected)
    for face_up in (False, True):
        yield _thrown_into_hand(book, street, face_up=face_up)
    yield _turned_up_by_other(book, street)
    for misinformed in (False, True):
        yield _taken_back(book, street, misinformed=misinformed)
    yield _shown_deliberately(book, street)
    yield _dropped(book, street)


def _cell(book: Book, name: str, steps: tuple[Step, ...], expect: Expect, facts: tuple[str, ...]) -> Cell:
    return Cell(f"{INCIDENT}/{book}/{name}", INCIDENT, Table(book), steps, expect, (), facts)


def facing_bet(table: Table, street: Street) -> tuple[Step, ...]:
    """Seat 2, first to act on the street, has bet 200, and seat 3 is to act."""
    return (*up_to(table, street), Acts(2, "bet", 200))


def _forward_discard(book: Book, street: Street, *, acted: bool) -> Cell:
    """Seat 2 could check and throws its hand forward; then seat 3 checks, or the floor is told before that."""
    after = (Acts(3, "check"),) if acted else ()
    steps = (*up_to(Table(book), street), DiscardsForward(2), *after, FloorIsTold("dead hand", 2))
    name = f"{street}/forward discard without a bet/{'a player has acted behind' if acted else 'at once'}"
    facts = ("forward discard",)
    if book == "ccp":
        rules = ("ccp.deadhands.2b", *(("ccp.deadhands.1b",) if acted else ()))
        return _cell(book, name, steps, definite(KillsHand(2), rules=rules), facts)
    if book == "home" or acted:
        return _cell(book, name, steps, definite(KillsHand(2), rules=(CAUSES_ACTION[book],)), facts)
    options = (
        Option((HandLives(2),), (CAUSES_ACTION[book],), "nobody has acted behind yet"),
        Option((KillsHand(2),), (CAUSES_ACTION[book],), "the discard was meant as a fold in turn"),
    )
    words = ("dead when 'causing another player to act behind'; not said before that",)
    return _cell(book, name, steps, Expect(options, words), facts)


def _mucked_by_holder(book: Book, street: Street, *, identifiable: bool, misinformed: bool) -> Cell:
    """Seat 3 throws its hand into the muck while facing a bet, and wants it back."""
    error = HandInMuck(3, "holder", identifiable=identifiable, misinformed=misinformed)
    steps = (*facing_bet(Table(book), street), error, FloorIsTold("hand in muck", 3))
    name = f"{street}/own hand into the muck/{_words(identifiable=identifiable, misinformed=misinformed)}"
    facts = ("cards touched the muck", "cards are identifiable", "holder was misinformed")
    return _cell(
        book, name, steps, ruling_on_muck(book, 3, identifiable=identifiable, misinformed=misinformed), facts
    )


def ruling_on_muck(book: Book, seat: int, *, identifiable: bool, misinformed: bool) -> Expect:
    """Dead; two books let management retrieve an identifiable hand, a third only after false information."""
    dead = Option((KillsHand(seat),), MUCKED_IS_DEAD[book])
    retrievable = identifiable and (book in ("ccp", "wfp") or (book == "rpl" and misinformed))
    if not retrievable:
        words = ("'can not be retrieved' against 'may be retrieved'",) if book == "rpl" and identifiable else ()
        return Expect((dead,), words)
    lives = Option((HandLives(seat),), (RETRIEVED[book],), "in the best interest of the game")
    if misinformed:
        return Expect((lives, dead), (MANAGEMENT, "'an extra effort' after incorrect information"))
    return Expect((dead, lives), (MANAGEMENT,))


def _mucked_by_dealer(book: Book, street: Street, *, identifiable: bool, protected: bool) -> Cell:
    """The dealer takes the hand of seat 3 while it faces a bet."""
    error = HandInMuck(3, "dealer", identifiable=identifiable, protected=protected)
    steps = (*facing_bet(Table(book), street), error, FloorIsTold("hand in muck", 3))
    guard = "protected" if protected else "unprotected"
    name = f"{street}/dealer mucks a hand/{guard}, {_words(identifiable=identifiable)}"
    facts = ("cards touched the muck", "cards are identifiable", "hand was protected")
    dead = Option((KillsHand(3),), MUCKED_IS_DEAD[book] if protected else NO_REDRESS[book])
    if book == "cpp":
        return _cell(book, name, steps, Expect((dead,)), facts)
    if protected:
        words: tuple[str, ...] = ("no redress 'if you fail to protect your hand'; this one was protected",)
        lives = Option((HandLives(3),), NO_REDRESS[book], "the hand is identifiable")
        options = (lives, dead) if identifiable else (dead,)
        return _cell(book, name, steps, Expect(options, words), facts)
    if identifiable and book in ("ccp", "wfp"):
        lives = Option((HandLives(3),), (RETRIEVED[book],), "in the best interest of the game")
        return _cell(book, name, steps, Expect((dead, lives), ("'no redress' against " + MANAGEMENT,)), facts)
    return _cell(book, name, steps, Expect((dead,)), facts)


def _thrown_into_hand(book: Book, street: Street, *, face_up: bool) -> Cell:
    """Seat 3 folds to the bet and its cards land among those of seat 4."""
    steps = (*facing_bet(Table(book), street), ThrowsIntoHand(3, 4, face_up), FloorIsTold("dead hand", 4))
    name = f"{street}/cards thrown into another hand/{'face up' if face_up else 'face down'}"
    rules = {
        "ccp": ("ccp.deadhands.4",),
        "cpp": ("cpp.misdeals.8d",),
        "wfp": ("wfp.deadhands.3",),
        "home": ("home.deadhands.2",),
        "rpl": ("rpl.deadhands.3",),
    }[book]
    effects: tuple[Effect, ...] = (KillsHand(3), KillsHand(4) if book == "cpp" else HandLives(4))
    words = () if book == "cpp" else ("the thrown cards are dead; the other hand is not mentioned",)
    return _cell(book, name, steps, Expect((Option(effects, rules),), words), ("cards thrown into a hand",))


def _turned_up_by_other(book: Book, street: Street) -> Cell:
    """Seat 2 purposely turns up the hand of seat 4, while seat 3 faces the bet."""
    steps = (*facing_bet(Table(book), street), TurnsUpOther(2, 4), FloorIsTold("dead hand", 4))
    name = f"{street}/hand turned up by another player"
    facts = ("hand turned up by another", "act was deliberate")
    if book == "home":
        option = Option((KillsHand(4),), ("home.deadhands.4", "home.procedures.4b"))
        return _cell(book, name, steps, Expect((option,), (), (PenaltyFor(2),)), facts)
    rules: tuple[str, ...] = {
        "ccp": ("ccp.etiquette.5",),
        "wfp": ("wfp.infractions.4m",),
        "rpl": ("rpl.procedures.3",),
    }.get(book, ("wfp.infractions.4m",))
    option = Option((HandLives(4),), rules, by_default=book == "cpp")
    words = ("only conduct: whether the hand stays live is not said",)
    return _cell(book, name, steps, Expect((option,), words, (PenaltyFor(2),)), facts)


def _taken_back(book: Book, street: Street, *, misinformed: bool) -> Cell:
    """Seat 3 folded to the bet, seat 4 has called, and seat 3 takes its cards back from the felt."""
    table = Table(book)
    steps = (
        *facing_bet(table, street),
        Acts(3, "fold"),
        Acts(4, "call", 200),
        TakesCardsBack(3, misinformed),
        FloorIsTold("dead hand", 3),
    )
    name = f"{street}/cards of a folded player come back/{_words(misinformed=misinformed)}"
    dead = Option((KillsHand(3),), FOLD_IS_DEAD[book])
    facts = ("acts and their order", "holder was misinformed")
    if misinformed and book in RETRIEVED:
        lives = Option((HandLives(3),), (RETRIEVED[book],), "folded on false information")
        return _cell(
            book, name, steps, Expect((lives, dead), ("'an extra effort' after incorrect information",)), facts
        )
    return _cell(book, name, steps, Expect((dead,)), facts)


def _shown_deliberately(book: Book, street: Street) -> Cell:
    """Seat 3 shows a card of its live hand on purpose, five players in the pot."""
    steps = (*facing_bet(Table(book), street), ShowsCard(3, "deliberate"), FloorIsTold("shown card", 3))
    facts = ("act was deliberate", "card was exposed")
    rules = {
        "ccp": ("ccp.irregularities.3", "ccp.etiquette.5"),
        "cpp": ("wfp.procedures.18",),
        "wfp": ("wfp.procedures.18",),
        "home": ("home.etiquette.5",),
        "rpl": ("rpl.tournaments.21",),
    }[book]
    words = () if book in ("wfp", "rpl") else ("whether the shown hand stays live is not said",)
    option = Option((HandLives(3),), rules, by_default=book == "cpp")
    return _cell(
        book, f"{street}/shows a card on purpose", steps, Expect((option,), words, (PenaltyFor(3),)), facts
    )


def _flashed_after_the_deal(book: Book) -> Cell:
    """The holder in seat 1 flashes one of its cards while picking them up, before anybody has acted."""
    steps = (DealsHands(), ShowsCard(1, "flashed"), FloorIsTold("shown card", 1))
    facts = ("card was exposed", "who exposed the card")
    plays = {
        "ccp": ("ccp.irregularities.12b",),
        "wfp": ("wfp.irregularities.11b",),
        "rpl": ("rpl.irregularities.12b",),
    }.get(book, ("wfp.irregularities.11b",))
    lives = Option((HandLives(1),), plays, by_default=book in ("cpp", "home"))
    name = "player flashes an own card"
    if book == "cpp":
        effects = (ReplacesCard(1, "after the deal"), BurnIs("flop", ("exposed",)))
        words: tuple[str, ...] = ("'exposed, or seen by someone at the table': whether the holder's doing counts",)
        return _cell(book, name, steps, Expect((Option(effects, ("cpp.misdeals.2",)), lives), words), facts)
    words = ("only cards exposed 'by the dealer' are named",) if book == "home" else ()
    return _cell(book, name, steps, Expect((lives,), words), facts)


def _dropped(book: Book, street: Street) -> Cell:
    """Seat 3 drops a card on the floor while it faces the bet."""
    steps = (*facing_bet(Table(book), street), ShowsCard(3, "dropped"), FloorIsTold("shown card", 3))
    rules = {
        "ccp": ("ccp.irregularities.14",),
        "wfp": ("wfp.irregularities.13",),
        "home": ("home.irregularities.9",),
        "rpl": ("rpl.irregularities.14",),
    }.get(book, ("wfp.irregularities.13",))
    words = ("a dropped card is not named",) if book == "cpp" else ()
    option = Option((HandLives(3),), rules, by_default=book == "cpp")
    return _cell(
        book, f"{street}/drops a card on the floor", steps, Expect((option,), words), ("card was exposed",)
    )


def _words(*, identifiable: bool | None = None, misinformed: bool | None = None) -> str:
    parts = []
    if identifiable is not None:
        parts.append("identifiable" if identifiable else "not identifiable")
    if misinformed is not None:
        parts.append("told something false" if misinformed else "not misled")
    return ", ".join(parts)
