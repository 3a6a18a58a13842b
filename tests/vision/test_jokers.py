"""A joker is named as one or stays unread; it is never read as a card, and no card is ever read as a joker."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from table_core.messages import Zone
from vision.cards import CardReader, CardReading, Corners, Joker, Parts, Seen
from vision.cards.find import SearchRegion
from vision.cards.seen import Unread
from vision.geometry.felt import Felt
from vision.geometry.pixels import Image
from vision.synthetic.felt import LyingCard, Renderer, Scene, SceneLight
from vision.synthetic.felt.faces import DECKS, HEIGHT, WIDTH, face
from vision.synthetic.felt.jokers import JOKERS, joker
from vision.watching.watched import Kind, WatchedZone
from vision.watching.watcher import Watcher

FELT = Felt.for_seats(6)
EMPTY = Scene(FELT)


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(FELT)


def read(watcher: Watcher, renderer: Renderer, scene: Scene) -> dict[Zone, WatchedZone]:
    for seed in itertools.count():
        watcher.step(renderer.render(replace(scene, seed=seed)).image)
        if seed >= 4 and not watcher.reading:
            return watcher.watched
    raise AssertionError


def lying(zone: Zone, *cards: str) -> tuple[LyingCard, ...]:
    return tuple(LyingCard(card, *FELT.spot(zone, i, len(cards))) for i, card in enumerate(cards))


@pytest.mark.parametrize("light", [SceneLight(level=0.4, noise=5.0), SceneLight(blur_px=1.3)])
def test_a_joker_is_never_a_card(reader: CardReader, renderer: Renderer, light: SceneLight) -> None:
    hands = [lying(Zone.cards(seat), JOKERS[seat % 3], "7h") for seat in range(1, 7)]
    cards = (*lying(Zone.BOARD, *JOKERS, "Ks"), *(card for hand in hands for card in hand))
    readings = read(Watcher(FELT, reader), renderer, replace(EMPTY, cards=cards, light=light))
    assert set(readings[Zone.BOARD].reading.cards) <= {"Ks"}
    for seat in range(1, 7):
        assert set(readings[Zone.cards(seat)].reading.cards) <= {"7h"}


@pytest.mark.parametrize("kind", ["joker", "joker star"])
def test_a_joker_in_a_hand_is_said(reader: CardReader, renderer: Renderer, kind: str) -> None:
    """It counts as a face that is not read: no card of the game is named for it."""
    hand = replace(EMPTY, cards=lying(Zone.cards(3), kind, "7h"))
    watched = read(Watcher(FELT, reader), renderer, hand)[Zone.cards(3)]
    assert (watched.reading.cards, watched.reading.unread, watched.reading.odd) == (("7h",), 1, "joker")
    assert [box.text for box in watched.boxes if box.kind is Kind.JOKER] == ["joker"]


def seen_alone(reader: CardReader, sprite: Image, px_per_mm: float) -> object:
    """What the reader makes of one card on green cloth."""
    size = (round(WIDTH * px_per_mm), round(HEIGHT * px_per_mm))
    small = cv2.resize(sprite, size, interpolation=cv2.INTER_AREA).astype(np.float64)
    card = small[..., :3] * small[..., 3:] / 255 + np.array((62, 96, 22)) * (1 - small[..., 3:] / 255)
    crop = cv2.copyMakeBorder(card.astype(np.uint8), 12, 12, 12, 12, cv2.BORDER_REPLICATE)
    x, y = 11.5, 11.5
    quad = np.array([(x, y), (x + size[0], y), (x + size[0], y + size[1]), (x, y + size[1])], np.float32)
    return reader.look(np.asarray(cv2.GaussianBlur(crop, (0, 0), 0.4), np.uint8), quad)


@pytest.mark.parametrize("kind", ["joker", "joker star"])
@pytest.mark.parametrize("px_per_mm", [1.0, 1.5, 2.2, 3.0])
def test_a_joker_with_a_star_is_known(reader: CardReader, kind: str, px_per_mm: float) -> None:
    assert isinstance(seen_alone(reader, joker(kind), px_per_mm), Joker)


@pytest.mark.parametrize("kind", JOKERS)
@pytest.mark.parametrize("px_per_mm", [0.8, 1.0, 1.5, 2.2, 3.0])
def test_a_joker_has_no_name(reader: CardReader, kind: str, px_per_mm: float) -> None:
    assert isinstance(seen_alone(reader, joker(kind), px_per_mm), Joker | Unread)


@pytest.mark.parametrize("deck", DECKS)
def test_no_card_of_a_deck_is_a_joker(reader: CardReader, deck: str) -> None:
    for rank in "A8JQ":
        for suit in "cdhs":
            assert not isinstance(seen_alone(reader, face(rank + suit, deck), 1.2), Joker), rank + suit


class Wavering:
    """A reader that calls one place a joker and, on another look, a king."""

    def __init__(self) -> None:
        self._looks: dict[int, int] = {}  # at each region

    def read_in_parts(self, crop: Image, region: SearchRegion, px_per_mm: float) -> Parts[Seen]:
        yield from ()
        half = np.array((31.75, 44.45)) * px_per_mm
        (x, y), (w, h) = np.array(crop.shape[1::-1]) / 2, half
        corners: Corners = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
        b, g, r = (float(v) for v in crop[2, 2])
        looks = self._looks[id(region)] = self._looks.get(id(region), 0) + 1
        if looks % 2:
            return Seen(jokers=(Joker(corners),), cloth=(b, g, r))
        return Seen(cards=(CardReading("Kd", 0.99, corners),), cloth=(b, g, r))


def test_a_joker_that_is_also_named_is_neither(renderer: Renderer) -> None:
    watched = read(Watcher(FELT, Wavering()), renderer, EMPTY)[Zone.BOARD]
    assert (watched.reading.cards, watched.reading.unread, watched.reading.odd) == ((), 1, "")
