"""A camera without markers that was moved is noticed by the felt itself; whatever else moves is no knock."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from table_core.messages import Zone
from vision.geometry.felt import Felt
from vision.geometry.pixels import Image
from vision.synthetic.felt import Cover, LyingCard, Renderer, Scene, SceneLight
from vision.synthetic.felt.table import bare_cloth
from vision.watching.felt_moved import LOOK_EVERY_MS, UNSEEN_LOOKS, StillWatch

FELT = Felt.for_seats(6)
EMPTY = Scene(FELT)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(FELT)


class Room:
    """A table under a camera that hangs where it is pushed."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self.watch = StillWatch(FELT)
        self._looks = 0

    def shows(
        self, scene: Scene = EMPTY, right: float = 0, down: float = 0, turn: float = 0, looks: int = 3
    ) -> None:
        """Look some times at a scene, the camera pushed by mm and turned by degrees."""
        for _ in range(looks):
            self._looks += 1
            image = self._renderer.render(replace(scene, seed=self._looks)).image
            self.sees(pushed(image, right, down, turn))

    def sees(self, image: Image) -> None:
        self._looks += 1
        assert self.watch.look(image, self._looks * LOOK_EVERY_MS) is None


def pushed(image: Image, right: float, down: float, turn: float) -> Image:
    if not (right or down or turn):
        return image
    height, width = image.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
    move[:, 2] += np.array((right, down)) * FELT.px_per_mm
    return np.asarray(cv2.warpAffine(image, move, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


@pytest.fixture
def room(renderer: Renderer) -> Room:
    room = Room(renderer)
    room.shows()
    assert (room.watch.trouble, room.watch.lost) == ("", False)
    return room


@pytest.mark.parametrize(("right", "down", "turn"), [(25, 0, 0), (-14, 18, 0), (40, 25, 1.0), (0, 0, 2.5)])
def test_a_pushed_camera_is_noticed_and_its_zones_mean_nothing(
    room: Room, right: float, down: float, turn: float
) -> None:
    room.shows(right=right, down=down, turn=turn)
    assert room.watch.lost
    assert "was moved by about" in room.watch.trouble


def test_how_far_is_said(room: Room) -> None:
    room.shows(right=24, down=18)
    assert "about 30 mm" in room.watch.trouble


def test_a_little_is_said_and_the_table_goes_on(room: Room) -> None:
    room.shows(right=9)
    assert "no longer fit well" in room.watch.trouble
    assert not room.watch.lost


def test_put_back_all_is_well(room: Room) -> None:
    room.shows(right=30)
    assert room.watch.lost
    room.shows(right=2, down=1)
    assert (room.watch.trouble, room.watch.lost) == ("", False)


def test_while_it_swings_nothing_is_said(room: Room) -> None:
    for right in (20, 60, 30, 80):
        room.shows(right=right, looks=1)
    assert room.watch.trouble == ""


def test_cards_hands_and_lamps_are_no_knock(room: Room) -> None:
    chance = np.random.default_rng(4)
    for light in (
        SceneLight(level=0.4, noise=6.0),
        SceneLight(gradient=0.4, towards_deg=210.0),
        SceneLight(warmth=0.9),
    ):
        for hands in (0, 4):
            thrown = (
                LyingCard(None, float(chance.uniform(250, 1750)), float(chance.uniform(200, 900)), 30.0)
                for _ in range(10)
            )
            hidden = tuple((Zone.cards(seat), Cover.HAND) for seat in range(1, 1 + hands))
            room.shows(replace(EMPTY, cards=tuple(thrown), covered=hidden, light=light), looks=2)
            assert (room.watch.trouble, room.watch.lost) == ("", False)


def test_a_whole_muck_that_is_pushed_is_no_knock(room: Room) -> None:
    """Forty cards move together as one, and the felt stands still."""
    chance = np.random.default_rng(5)
    at = [(float(x), float(y)) for x, y in chance.uniform((500, 300), (1400, 800), (40, 2))]
    for moved in (0.0, 35.0):
        cards = tuple(LyingCard("9h", x + moved, y, 20.0) for x, y in at)
        room.shows(replace(EMPTY, cards=cards))
        assert not room.watch.lost
        assert room.watch.trouble == ""


def test_a_felt_that_shows_nothing_is_said() -> None:
    """Nobody can tell whether a camera above bare cloth stands still."""
    watch = StillWatch(FELT)
    bare = np.full((*FELT.size_px[::-1], 3), (62, 96, 22), np.int16)
    cv2.setRNGSeed(1)
    for look in range(UNSEEN_LOOKS + 2):
        noise = cv2.randn(np.empty_like(bare), (0, 0, 0), (2, 2, 2))
        watch.look(np.asarray(bare + noise, np.uint8), look * LOOK_EVERY_MS)
    assert "nobody can tell whether the camera stands still" in watch.trouble
    assert not watch.lost


def test_a_lens_that_was_covered_at_the_start_teaches_nothing(renderer: Renderer) -> None:
    room = Room(renderer)
    room.shows(replace(EMPTY, lens_covered=True))
    room.shows()
    assert (room.watch.trouble, room.watch.lost) == ("", False)
    room.shows(right=30)
    assert room.watch.lost


def test_a_picture_of_another_size_is_another_picture(room: Room, renderer: Renderer) -> None:
    taller = cv2.resize(renderer.render(EMPTY).image, (1280, 960))
    for _ in range(3):
        room.sees(np.asarray(taller, np.uint8))
    assert (room.watch.trouble, room.watch.lost) == ("", False)


def test_a_covered_felt_is_said_after_a_minute_and_only_then(room: Room) -> None:
    cloth = bare_cloth(FELT, (120, 92, 74), seed=3)
    for look in range(UNSEEN_LOOKS):
        assert room.watch.trouble == "", look
        room.sees(cloth)
    assert "nobody can tell" in room.watch.trouble
    room.shows()
    assert room.watch.trouble == ""
