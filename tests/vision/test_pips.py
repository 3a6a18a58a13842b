"""Pips say a card's suit where its index is too small to be told from another."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from tests.vision.test_cards import whole
from vision.cards import CardReader
from vision.cards.classifiers import Classifiers
from vision.cards.index import flatten, paper_of
from vision.cards.pips import NUMBERS, RIVALS, pips_of, pips_say
from vision.cards.seen import Seen
from vision.cards.signs import Signs
from vision.geometry.felt import Felt
from vision.synthetic.felt import LyingCard, Rendered, Renderer, Scene
from vision.synthetic.felt.faces import DECKS
from vision.synthetic.felt.table import CLOTHS, bare_cloth

COARSE = 0.77  # px/mm of a table of 2.4 m in a picture of 1920 pixels
SIDE_MM = 130.0
NUMBERED = [rank + suit for rank in NUMBERS for suit in "cdhs"]


@functools.cache
def lying(card: str, deck: str, px_per_mm: float) -> Rendered:
    felt = Felt(SIDE_MM, SIDE_MM, px_per_mm, {}, 2)
    scene = Scene(felt, (LyingCard(card, SIDE_MM / 2, SIDE_MM / 2, 17.0),), deck=deck)
    return Renderer(felt, bare_cloth(felt, CLOTHS["green"])).render(scene)


def flat_card(card: str, deck: str, px_per_mm: float) -> np.ndarray:
    shot = lying(card, deck, px_per_mm)
    return flatten(shot.image, np.array(shot.labels[0].corners, np.float32))


def seen(card: str, deck: str) -> Seen:
    image = lying(card, deck, COARSE).image
    return CardReader().read(image, whole(image), COARSE)


@pytest.mark.parametrize("deck", [deck for deck in DECKS if deck != "jumbo"])
def test_pips_tell_a_suit_from_the_other_of_its_colour(deck: str) -> None:
    """The suit of a standard index is five pixels tall here; pips of the jumbo deck touch each other."""
    networks = Signs.load().suit
    said = {}
    for card in NUMBERED:
        flat = flat_card(card, deck, COARSE)
        pips = pips_of(flat, paper_of(flat))
        said[card] = pips_say(pips, card, networks), pips_say(pips, card[0] + RIVALS[card[1]], networks)
    assert not [card for card, (its, other) in said.items() if its is False or other is True]
    assert sum(its is True and other is False for its, other in said.values()) >= 34


@pytest.mark.parametrize("deck", ["regular", "slab"])
def test_a_standard_index_is_read_at_0_77_pixels_to_the_millimetre_where_pips_say_its_suit(deck: str) -> None:
    named = {card: [one.card for one in seen(card, deck).cards] for card in NUMBERED}
    assert all(names in ([], [card]) for card, names in named.items())
    assert sum(names == [card] for card, names in named.items()) >= 30


@pytest.mark.parametrize("deck", ["regular", "slab"])
def test_a_black_court_is_not_read_there_and_a_red_one_is(deck: str) -> None:
    """Courts have no pips; clubs and spades look alike in so few pixels, hearts and diamonds do not."""
    courts = [rank + suit for rank in "JQK" for suit in "cdhs"]
    named = {card: [one.card for one in seen(card, deck).cards] for card in courts}
    assert not [card for card in named if card[1] in "cs" and named[card]]
    red = {card: names for card, names in named.items() if card[1] in "dh"}
    assert all(names in ([], [card]) for card, names in red.items())
    assert sum(names == [card] for card, names in red.items()) >= 3


@pytest.mark.parametrize(("number", "court"), [("8h", "Jh"), ("4s", "Ks"), ("2d", "Qd")])
def test_a_number_on_a_card_without_pips_is_withheld(number: str, court: str) -> None:
    """The B of a German jack looks like an 8."""
    flat, card = flat_card(court, "regular", 2.0), flat_card(number, "regular", 2.0)
    assert pips_of(card, paper_of(card))
    for index in (np.s_[:70, :34], np.s_[-70:, -34:]):
        flat[index] = card[index]
    verdict = Classifiers().face(flat, paper_of(flat), True, 2.0)
    assert (verdict.card, verdict.why) == (None, "a number without pips")
