"""Rule ids by book for the duties that most incidents share, and the defaults where a book is silent."""

from __future__ import annotations

from tests.spec.situation import Book, Street

AUTHORITY: dict[Book, tuple[str, ...]] = {"ccp": ("ccp.commissioner.3",), "cpp": ("cpp.td.1", "cpp.td.2")}
"""Who decides in the two books that have no rule on acts out of turn."""

SKIPPED_MAY_ACT: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.hand.5",),
    "cpp": ("wfp.button.6",),
    "wfp": ("wfp.betting.8",),
    "home": ("home.betting.11",),
    "rpl": ("rpl.betting.10",),
}
"""A seat that was passed over keeps its turn."""

OUT_OF_TURN_IS_IMPROPER: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.etiquette.3",),
    "cpp": (),
    "wfp": ("wfp.infractions.4a",),
    "home": ("home.etiquette.1",),
    "rpl": ("rpl.housebetting.8",),
}

MIN_BET: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.pot.1a",),
    "cpp": ("wfp.nolimit.2a",),
    "wfp": ("wfp.nolimit.2a",),
    "home": ("home.betting.4",),
    "rpl": ("rpl.nolimit.2",),
}

MIN_RAISE: dict[Book, tuple[str, ...]] = {
    "ccp": ("ccp.pot.1b",),
    "cpp": ("wfp.nolimit.3a",),
    "wfp": ("wfp.nolimit.3a", "wfp.betting.3"),
    "home": ("home.betting.4", "home.how.3b"),
    "rpl": ("rpl.nolimit.3a",),
}


def min_bet(book: Book, street: Street, small_blind: int, big_blind: int) -> int:
    """The smallest opening bet: the big blind, in the home book the small blind before the turn."""
    return small_blind if book == "home" and street in ("preflop", "flop") else big_blind


def min_raise_to(book: Book, street: Street, facing: int, last_size: int, small_blind: int, big_blind: int) -> int:
    """The smallest total of a raise over a bet of `facing` whose last full bet or raise was `last_size`.

    >>> [min_raise_to(book, "flop", 200, 200, 50, 100) for book in ("ccp", "wfp", "home")]
    [300, 400, 250]
    """
    if book == "ccp":
        return facing + big_blind
    if book == "home":
        return facing + min_bet(book, street, small_blind, big_blind)
    return facing + max(last_size, big_blind)
