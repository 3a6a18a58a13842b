"""The watcher over rendered scenes: says what is new, once it lies still, and nothing under a hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.annotate import annotate, annotated_jpeg
from vision.cards import CardReader
from vision.felt import Felt
from vision.render import Cover, LyingCard, Renderer, Scene
from vision.watch import Kind, Watcher, ZoneReading

FELT = Felt.for_seats(6)
EMPTY = Scene(FELT)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(FELT)


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


class Table:
    """A watched table: shows scenes and gathers what is said."""

    def __init__(self, renderer: Renderer, reader: CardReader) -> None:
        self._renderer = renderer
        self.watcher = Watcher(FELT, reader)
        self._at = 0

    def shows(self, scene: Scene, frames: int = 4) -> dict[str, ZoneReading]:
        said: dict[str, ZoneReading] = {}
        for _ in range(frames):
            self._at += 66
            picture = self._renderer.render(replace(scene, seed=self._at)).image
            said |= {reading.zone: reading for reading in self.watcher.step(picture, self._at)}
        return said


@pytest.fixture
def table(renderer: Renderer, reader: CardReader) -> Table:
    table = Table(renderer, reader)
    table.shows(EMPTY)
    return table


def lying(zone: str, *cards: str | None) -> tuple[LyingCard, ...]:
    return tuple(LyingCard(card, *FELT.spot(zone, i, len(cards))) for i, card in enumerate(cards))


def test_a_flop_is_read_from_left_to_right(table: Table) -> None:
    said = table.shows(replace(EMPTY, cards=lying("board", "Ah", "Td", "2c")))
    assert said["board"].cards == ("Ah", "Td", "2c")
    assert set(said) == {"board"}


def test_a_tabled_hand_is_read_in_the_order_that_its_player_sees(table: Table) -> None:
    for seat in range(1, 7):
        zone = f"seat-{seat}-cards"
        assert table.shows(replace(EMPTY, cards=lying(zone, "Ks", "7h")))[zone].cards == ("Ks", "7h")


def test_backs_are_counted_and_never_named(table: Table) -> None:
    reading = table.shows(replace(EMPTY, cards=lying("seat-3-cards", None, None)))["seat-3-cards"]
    assert (reading.cards, reading.unread, reading.face_down) == ((), 0, 2)
    assert all(box.text == "" for box in reading.boxes)


def test_a_still_zone_is_read_once(table: Table) -> None:
    scene = replace(EMPTY, cards=lying("board", "5s", "6s", "7s", "8s", "9s"))
    assert table.shows(scene)["board"].cards == ("5s", "6s", "7s", "8s", "9s")
    assert table.shows(scene) == {}


def test_nothing_is_said_while_cards_move(table: Table) -> None:
    for i in range(6):
        card = LyingCard("Qd", 800 + 30 * i, 516)
        assert table.shows(replace(EMPTY, cards=(card,)), frames=1) == {}


def test_cards_taken_away_leave_an_empty_zone(table: Table) -> None:
    table.shows(replace(EMPTY, cards=lying("board", "Jc", "Jd", "Jh")))
    assert table.shows(EMPTY)["board"].cards == ()


def test_a_turn_is_added_to_the_flop(table: Table) -> None:
    table.shows(replace(EMPTY, cards=lying("board", "Jc", "4d", "9h")))
    assert table.shows(replace(EMPTY, cards=lying("board", "Jc", "4d", "9h", "3s")))["board"].cards[3] == "3s"


def test_under_a_hand_the_last_reading_stands(table: Table) -> None:
    scene = replace(EMPTY, cards=lying("board", "Jc", "4d", "9h"))
    table.shows(scene)
    for cover in Cover:
        assert "board" not in table.shows(replace(scene, covered=(("board", cover),)))
        assert table.watcher.readings["board"].cards == ("Jc", "4d", "9h")
    assert "board" not in table.shows(scene), "nothing changed under the hand"


def test_a_covered_lens_is_a_state_that_passes(table: Table) -> None:
    scene = replace(EMPTY, cards=lying("board", "Jc", "4d", "9h"))
    table.shows(scene)
    assert table.watcher.blocked == ""
    assert table.shows(replace(scene, lens_covered=True)) == {}
    assert table.watcher.blocked
    assert table.shows(scene) == {}
    assert table.watcher.blocked == ""


def test_after_a_restart_everything_is_said_again(table: Table) -> None:
    scene = replace(EMPTY, cards=lying("board", "Jc", "4d", "9h"))
    table.shows(scene)
    table.watcher.force()
    assert table.shows(scene)["board"].cards == ("Jc", "4d", "9h")


def test_the_button_is_a_thing_in_its_zone(table: Table) -> None:
    said = table.shows(replace(EMPTY, button=4))
    assert said["button-4"].thing
    moved = table.shows(replace(EMPTY, button=5))
    assert (moved["button-4"].thing, moved["button-5"].thing) == (False, True)


def test_touching_cards_are_told_apart(table: Table) -> None:
    x, y, angle = FELT.spot("seat-2-cards", 0, 1)
    zone = FELT.zone("seat-2-cards")
    pair = tuple(LyingCard(card, *zone.at(right, 0), angle) for card, right in (("8h", -31.6), ("8c", 31.6)))
    assert (x, y) == pytest.approx((zone.x, zone.y))
    assert table.shows(replace(EMPTY, cards=pair))["seat-2-cards"].cards == ("8h", "8c")


def test_burned_cards_are_backs_on_top_of_each_other(table: Table) -> None:
    reading = table.shows(replace(EMPTY, cards=lying("burn", None, None, None)))["burn"]
    assert reading.cards == ()
    assert reading.unread == 0
    assert reading.face_down >= 1


def test_a_picture_of_another_size_is_refused(table: Table) -> None:
    with pytest.raises(ValueError, match="calibrated for 1920 x 1080"):
        table.watcher.step(np.zeros((100, 100, 3), np.uint8), 0)


def test_the_annotated_picture_outlines_what_was_seen(table: Table, renderer: Renderer) -> None:
    scene = replace(EMPTY, cards=lying("board", "Jc", "4d", "9h") + lying("seat-1-cards", None, None))
    table.shows(scene)
    boxes = [box for reading in table.watcher.readings.values() for box in reading.boxes]
    assert sorted(box.kind for box in boxes) == [Kind.FACE_DOWN] * 2 + [Kind.READ] * 3
    image = renderer.render(scene).image
    assert (annotate(image, boxes) != image).any()
    assert annotated_jpeg(image, boxes).startswith(b"\xff\xd8")
