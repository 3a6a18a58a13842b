"""Registries of several tables: written, merged, put in use; how worn a deck is; the order of a new deck."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.decks import CARDS, Deck, DeckError, DeckRegistry, generate, wear
from firmware_bridge.decks.file import merged, text_of, using, with_deck
from firmware_bridge.decks.order import NEW_DECK, cards_of
from firmware_bridge.decks.wear import Worn
from table_core.messages import CardText

HERE, THERE = DeckRegistry.parse(generate(1)), DeckRegistry.parse(generate(2))
RED, BLUE = HERE.decks.values()
GREEN = Deck("green", THERE.decks["red"].cards, "green", {"02": Worn(40, 900, {CardText("Ah"): 3})})


def test_what_is_written_is_read_again() -> None:
    registry = using(with_deck(HERE, GREEN), ["green", "blue"])
    again = DeckRegistry.parse(text_of(registry))
    assert again.decks == registry.decks
    assert again.in_use == ("green", "blue")
    assert DeckRegistry.parse(generate(1)).in_use == ("red", "blue"), "all of them, where it is not set"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('in_use = ["pink"]\n', "in_use: 'pink'; name decks of this file: red, blue"),
        ("in_use = 3\n", "in_use: no list"),
    ],
)
def test_decks_in_use_that_there_are_not_are_named(lines: str, says: str) -> None:
    with pytest.raises(DeckError, match=says):
        DeckRegistry.parse(lines + generate(1))


@pytest.mark.parametrize(
    ("line", "says"),
    [("back = 3", "deck 'red': back: write a colour"), ("worn = {01 = {hand = 1}}", "deck 'red': worn: .*hand")],
)
def test_what_is_said_of_a_deck_is_checked(line: str, says: str) -> None:
    with pytest.raises(DeckError, match=says):
        DeckRegistry.parse(generate(1).replace('name = "red"', f'name = "red"\n{line}'))


def test_decks_of_two_tables_are_merged_and_a_table_counts_once() -> None:
    moved = Deck("red", RED.cards, "red", {"01": Worn(10), "02": Worn(5)})
    later = Deck("red", RED.cards, "red", {"01": Worn(12), "03": Worn(1)})
    both = merged(merged(HERE, [moved, GREEN]), [later])
    assert both.deck_names == ("red", "blue", "green")
    assert {table: worn.hands for table, worn in both.decks["red"].worn.items()} == {"01": 12, "02": 5, "03": 1}
    assert merged(both, [later, moved, GREEN]).decks == both.decks, "the same again changes nothing"


def test_two_decks_of_one_name_or_one_card_in_two_decks_are_refused() -> None:
    with pytest.raises(DeckError, match="deck 'red' is another one in each file"):
        merged(HERE, [Deck("red", GREEN.cards, "red")])
    mixed = Deck("mixed", {**GREEN.cards, CardText("Ah"): BLUE.cards[CardText("2c")]}, "red")
    with pytest.raises(DeckError, match="decks 'mixed' and 'blue' have 1 cards in common"):
        with_deck(HERE, mixed)
    with pytest.raises(DeckError, match="there is no deck 'pink'; there are red, blue"):
        using(HERE, ["pink"])


def test_hands_and_what_everybody_saw_of_their_cards_are_counted() -> None:
    ace, two = CardText("Ah"), CardText("2c")
    worn = Worn().after(23, [ace, two], []).after(25, [ace], [ace])
    assert worn == Worn(2, 48, {ace: 2, two: 1}, {ace: 1})
    assert wear.total({"01": worn, "02": worn}) == Worn(4, 96, {ace: 4, two: 2}, {ace: 2})


def test_the_order_of_a_new_deck_is_that_of_its_maker() -> None:
    cards = cards_of(NEW_DECK)
    assert (cards[0], cards[12], cards[13], cards[26], cards[39], cards[51]) == (
        "As",
        "Ks",
        "Ad",
        "Kc",
        "Kh",
        "Ah",
    )
    assert sorted(cards) == sorted(CARDS)


@given(st.permutations(CARDS))
def test_any_order_may_be_given_card_by_card(cards: list[CardText]) -> None:
    assert list(cards_of(" ".join(cards))) == cards


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ("As-Ks Ad-Kd Kc-Ac", "lacks 2h, 3h, 4h; write runs that make a whole deck"),
        (NEW_DECK + " Ah", "has Ah twice"),
        ("As-Kd", "'As-Kd' is no run of one suit"),
        ("A-K", "'A-K' is no run of one suit"),
        ("", "lacks 2c, 3c, 4c"),
    ],
)
def test_what_is_no_order_is_said(order: str, says: str) -> None:
    with pytest.raises(DeckError, match=says):
        cards_of(order)
