"""Values that a book may have and that nobody can tell from its own, because of what else it says.

A proof does not try them: no test at a door could notice. Each has its reason, and holds only while the book says
what the reason rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from table_core.parameters import MinRaise, ShortAllIn
from table_core.rulebook import Rulebook
from table_core.tournament.policies import InitialButton, SuitsInDraws


class NoDifference(NamedTuple):
    """`value` of `parameter` is no different where `rests_on` holds for the book."""

    parameter: str
    value: Any
    rests_on: Callable[[Rulebook], bool]
    why: str


def _any_exposed_card_is_a_misdeal(book: Rulebook) -> bool:
    count = book.policies.misdeal_exposed_count
    return count is not None and count.value == 1


def _any_extra_card_is_a_misdeal(book: Rulebook) -> bool:
    count = book.policies.misdeal_extra_card_count
    return count is not None and count.value == 1


def _draws_no_cards(book: Rulebook) -> bool:
    by_cards = book.tournament.balance_by_cards
    seat_one = book.tournament.initial_button.value is InitialButton.SEAT_ONE
    return seat_one and (by_cards is None or not by_cards.value)


_KNOWN = (
    NoDifference(
        "short_all_in",
        ShortAllIn.LAST_BET,
        lambda book: book.rules.min_raise.value is MinRaise.LAST_FULL_RAISE,
        "the smallest raise of the book is the last bet or raise",
    ),
    NoDifference(
        "misdeal_first_cards_exposed",
        1,
        _any_exposed_card_is_a_misdeal,
        "any exposed card is a misdeal, and so is the first",
    ),
    NoDifference(
        "extra_card",
        "burn_if_first_player",
        _any_extra_card_is_a_misdeal,
        "an extra card is a misdeal whoever has it; afterwards it is the burn under either",
    ),
    NoDifference(
        "final_table_size",
        9,
        lambda book: book.tournament.seats_per_table is not None and book.tournament.seats_per_table.value < 9,
        "no table of the book has nine seats",
    ),
    NoDifference(
        "seats_per_table",
        11,
        lambda book: book.rules.max_seats.value < 11,
        "no table of the book has eleven seats",
    ),
    NoDifference("suits_in_draws", SuitsInDraws.EQUAL, _draws_no_cards, "the book has no cards drawn"),
)


def no_difference(parameter: str, value: Any, books: Iterable[Rulebook]) -> str:
    """Why none of these books is different with this value of the parameter; empty where one is."""
    for known in _KNOWN:
        if (known.parameter, known.value) == (parameter, value) and all(map(known.rests_on, books)):
            return known.why
    return ""
