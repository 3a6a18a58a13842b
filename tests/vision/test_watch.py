"""The watcher over rendered scenes: says what is new, once it lies still, and nothing under a hand."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from table_core.messages import Zone, ZoneReading
from tests.vision.camera.photograph import photograph
from vision.annotate import annotate, jpeg_of
from vision.calibration.table import calibrate_cameras
from vision.cards import CardReader, CardReading, Corners, Parts, Seen
from vision.cards.find import SearchRegion
from vision.cards.seen import Unread
from vision.geometry.felt import Felt
from vision.geometry.hanging import Lens
from vision.geometry.pixels import Image
from vision.synthetic.felt import Cover, LyingCard, Renderer, Scene
from vision.synthetic.felt.covers import lay
from vision.synthetic.felt.hung import HungCamera, Rail
from vision.watching.watched import Condition, Kind
from vision.watching.watcher import Reader, Watcher

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

    def __init__(self, renderer: Renderer, reader: Reader) -> None:
        self._renderer = renderer
        self.watcher = Watcher(FELT, reader)
        self._at = 0

    def shows(self, scene: Scene, frames: int | None = None) -> dict[Zone, ZoneReading]:
        """What is said in so many pictures; in as many as it takes to read everything when no number is given."""
        said: dict[Zone, ZoneReading] = {}
        shown = 0
        while shown < (frames or 4) or (frames is None and self.watcher.reading):
            shown += 1
            self._at += 66
            picture = self._renderer.render(replace(scene, seed=self._at)).image
            said |= {watched.reading.zone: watched.reading for watched in self.watcher.step(picture)}
        return said


@pytest.fixture
def table(renderer: Renderer, reader: CardReader) -> Table:
    table = Table(renderer, reader)
    table.shows(EMPTY)
    return table


def lying(zone: Zone, *cards: str | None) -> tuple[LyingCard, ...]:
    return tuple(LyingCard(card, *FELT.spot(zone, i, len(cards))) for i, card in enumerate(cards))


def test_a_flop_is_read_from_left_to_right(table: Table) -> None:
    said = table.shows(replace(EMPTY, cards=lying(Zone.BOARD, "Ah", "Td", "2c")))
    assert said[Zone.BOARD].cards == ("Ah", "Td", "2c")
    assert set(said) == {Zone.BOARD}


def test_a_tabled_hand_is_read_in_the_order_that_its_player_sees(table: Table) -> None:
    for seat in range(1, 7):
        zone = Zone.cards(seat)
        assert table.shows(replace(EMPTY, cards=lying(zone, "Ks", "7h")))[zone].cards == ("Ks", "7h")


def test_backs_are_counted_and_never_named(table: Table) -> None:
    reading = table.shows(replace(EMPTY, cards=lying(Zone.cards(3), None, None)))[Zone.cards(3)]
    assert (reading.cards, reading.unread, reading.face_down) == ((), 0, 2)
    assert all(box.text == "" for box in table.watcher.watched[Zone.cards(3)].boxes)


def test_a_still_zone_is_read_once(table: Table) -> None:
    scene = replace(EMPTY, cards=lying(Zone.BOARD, "5s", "6s", "7s", "8s", "9s"))
    assert table.shows(scene)[Zone.BOARD].cards == ("5s", "6s", "7s", "8s", "9s")
    assert table.shows(scene) == {}


def test_nothing_is_said_while_cards_move(table: Table) -> None:
    for i in range(6):
        card = LyingCard("Qd", 800 + 30 * i, 516)
        assert table.shows(replace(EMPTY, cards=(card,)), frames=1) == {}


def test_cards_taken_away_leave_an_empty_zone(table: Table) -> None:
    table.shows(replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "Jd", "Jh")))
    assert table.shows(EMPTY)[Zone.BOARD].cards == ()


def test_a_turn_is_added_to_the_flop(table: Table) -> None:
    table.shows(replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h")))
    assert (
        table.shows(replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h", "3s")))[Zone.BOARD].cards[3] == "3s"
    )


def test_under_a_hand_the_last_reading_stands(table: Table) -> None:
    scene = replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h"))
    table.shows(scene)
    for cover in Cover:
        assert Zone.BOARD not in table.shows(replace(scene, covered=((Zone.BOARD, cover),)))
        assert table.watcher.readings[Zone.BOARD].cards == ("Jc", "4d", "9h")
    assert Zone.BOARD not in table.shows(scene), "nothing changed under the hand"


def test_a_covered_lens_is_a_state_that_passes(table: Table) -> None:
    scene = replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h"))
    table.shows(scene)
    assert table.watcher.blocked == ""
    assert table.shows(replace(scene, lens_covered=True)) == {}
    assert table.watcher.blocked
    assert table.shows(scene) == {}
    assert table.watcher.blocked == ""


def test_after_a_restart_everything_is_said_again(table: Table) -> None:
    scene = replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h"))
    table.shows(scene)
    table.watcher.force()
    assert table.shows(scene)[Zone.BOARD].cards == ("Jc", "4d", "9h")


def test_the_button_is_a_thing_in_its_zone(table: Table) -> None:
    for seat in (4, 5):
        table.shows(replace(EMPTY, button=seat))
        assert [zone for zone, watched in table.watcher.watched.items() if watched.thing] == [Zone.button(seat)]


def test_touching_cards_are_told_apart(table: Table) -> None:
    x, y, angle = FELT.spot(Zone.cards(2), 0, 1)
    zone = FELT.zone(Zone.cards(2))
    pair = tuple(LyingCard(card, *zone.at(right, 0), angle) for card, right in (("8h", -31.6), ("8c", 31.6)))
    assert (x, y) == pytest.approx((zone.x, zone.y))
    assert table.shows(replace(EMPTY, cards=pair))[Zone.cards(2)].cards == ("8h", "8c")


def test_burned_cards_are_backs_on_top_of_each_other(table: Table) -> None:
    reading = table.shows(replace(EMPTY, cards=lying(Zone.BURN, None, None, None)))[Zone.BURN]
    assert reading.cards == ()
    assert reading.unread == 0
    assert reading.face_down >= 1


def test_a_picture_of_another_size_is_refused(table: Table) -> None:
    with pytest.raises(ValueError, match="calibrated for 1920 x 1080"):
        table.watcher.step(np.zeros((100, 100, 3), np.uint8))


def test_the_annotated_picture_outlines_what_was_seen(table: Table, renderer: Renderer) -> None:
    scene = replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h") + lying(Zone.cards(1), None, None))
    table.shows(scene)
    boxes = [box for watched in table.watcher.watched.values() for box in watched.boxes]
    assert sorted(box.kind for box in boxes) == [Kind.FACE_DOWN] * 2 + [Kind.READ] * 3
    image = renderer.render(scene).image
    assert (annotate(image, boxes) != image).any()
    assert jpeg_of(annotate(image, boxes), most_bytes=100_000).startswith(b"\xff\xd8")


# --------------------------------------------------------------------- one card, one identity


def numbers(table: Table, zone: Zone) -> dict[str, int]:
    """The identity of each card that is named in a zone."""
    return {box.text: box.identity for box in table.watcher.watched[zone].boxes if box.kind is Kind.READ}


def test_a_card_keeps_its_identity_while_it_lies_there(table: Table) -> None:
    flop = lying(Zone.BOARD, "Jc", "4d", "9h")
    table.shows(replace(EMPTY, cards=flop))
    before = numbers(table, Zone.BOARD)
    assert len(set(before.values())) == 3
    table.shows(replace(EMPTY, cards=flop, covered=((Zone.BOARD, Cover.HAND),)))
    table.shows(replace(EMPTY, cards=flop))
    table.shows(replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h", "3s")))
    after = numbers(table, Zone.BOARD)
    assert {name: after[name] for name in before} == before
    assert after["3s"] not in before.values()


def test_a_card_that_is_pushed_aside_keeps_its_identity(table: Table) -> None:
    x, y, angle = FELT.spot(Zone.BOARD, 2, 5)
    table.shows(replace(EMPTY, cards=(LyingCard("Qd", x, y, angle),)))
    before = numbers(table, Zone.BOARD)["Qd"]
    table.shows(replace(EMPTY, cards=(LyingCard("Qd", x + 60, y + 4, angle + 7),)))
    assert numbers(table, Zone.BOARD)["Qd"] == before


def test_a_card_taken_away_and_dealt_again_is_another(table: Table) -> None:
    scene = replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h"))
    table.shows(scene)
    before = numbers(table, Zone.BOARD)
    table.shows(EMPTY)
    table.shows(scene)
    assert not set(numbers(table, Zone.BOARD).values()) & set(before.values())


@pytest.mark.parametrize(("lay", "other"), [("8h", "9h"), ("2c", "2s"), ("Kd", "Kh"), ("6d", "9d")])
def test_another_card_in_the_very_same_place_is_read_as_itself(table: Table, lay: str, other: str) -> None:
    table.shows(replace(EMPTY, cards=lying(Zone.BOARD, lay)))
    assert table.shows(replace(EMPTY, cards=lying(Zone.BOARD, other)))[Zone.BOARD].cards == (other,)


class Doubter:
    """A reader that sees one face in the middle of the zone, named or not as it is told."""

    def __init__(self, says: str | None) -> None:
        self.says = says

    def read_in_parts(self, crop: Image, region: SearchRegion, px_per_mm: float) -> Parts[Seen]:
        yield from ()
        height, width = crop.shape[:2]
        half = np.array((31.75, 44.45)) * px_per_mm
        low, high = np.array((width, height)) / 2 - half, np.array((width, height)) / 2 + half
        corners: Corners = ((low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1]))
        b, g, r = (float(v) for v in crop[2, 2])
        if self.says is None:
            return Seen(unread=(Unread(corners, "no index that can be read"),), cloth=(b, g, r))
        return Seen(cards=(CardReading(self.says, 0.99, corners),), cloth=(b, g, r))


def middle_card(name: str) -> tuple[LyingCard, ...]:
    zone = FELT.zone(Zone.BOARD)
    return (LyingCard(name, zone.x, zone.y),)


def doubted(renderer: Renderer, says: str | None) -> tuple[Table, Doubter]:
    doubter = Doubter(says)
    return Table(renderer, doubter), doubter


def test_a_card_that_cannot_be_read_any_more_is_still_the_card_it_was(renderer: Renderer) -> None:
    table, doubter = doubted(renderer, "Qs")
    scene = replace(EMPTY, cards=middle_card("Qs"))
    table.shows(scene)
    doubter.says = None
    table.shows(replace(scene, covered=((Zone.BOARD, Cover.CLOTH),)))
    table.shows(scene)
    assert table.watcher.readings[Zone.BOARD].cards == ("Qs",)
    table.shows(replace(EMPTY, cards=middle_card("Kd")))
    reading = table.watcher.readings[Zone.BOARD]
    assert (reading.cards, reading.unread) == ((), 1), "another card lies there, and nobody can read it"


def test_one_card_with_two_names_has_none_until_it_is_moved(renderer: Renderer) -> None:
    table, doubter = doubted(renderer, "Qs")
    scene = replace(EMPTY, cards=middle_card("Qs"))
    table.shows(scene)
    doubter.says = "Qc"
    for _ in range(2):
        table.shows(replace(scene, covered=((Zone.BOARD, Cover.CLOTH),)))
        table.shows(scene)
        reading = table.watcher.readings[Zone.BOARD]
        assert (reading.cards, reading.unread) == ((), 1)
    table.shows(replace(EMPTY, cards=middle_card("9d")))
    doubter.says = "9d"
    table.shows(EMPTY)
    table.shows(replace(EMPTY, cards=middle_card("9d")))
    assert table.watcher.readings[Zone.BOARD].cards == ("9d",)


def thing_over(image: Image, zone: Zone, right: float, down: float, wide: float, high: float) -> Image:
    """Lay something dark over a part of a zone: mm from its middle."""
    over = image.copy()
    corners = [FELT.zone(zone).at(x, y) for x in (right, right + wide) for y in (down, down + high)]
    (left, top), (far, low) = FELT.to_px(corners).min(axis=0), FELT.to_px(corners).max(axis=0)
    over[round(float(top)) : round(float(low)), round(float(left)) : round(float(far))] = (70, 60, 58)
    return over


def test_a_card_half_under_something_keeps_its_name_while_an_index_shows(
    table: Table, renderer: Renderer, reader: CardReader
) -> None:
    """A sleeve lies over the lower two thirds of the flop's last card; nobody who comes now could read it."""
    flop = lying(Zone.BOARD, "Jc", "4d", "9h")
    half = thing_over(renderer.render(replace(EMPTY, cards=flop, seed=5)).image, Zone.BOARD, -36, -14, 72, 66)
    newcomer = Watcher(FELT, reader)
    table.shows(replace(EMPTY, cards=flop))
    for _ in range(6):
        table.watcher.step(half)
        newcomer.step(half)
    assert newcomer.readings[Zone.BOARD].cards == ("Jc", "4d")
    reading = table.watcher.readings[Zone.BOARD]
    assert (reading.cards, reading.unread) == (("Jc", "4d", "9h"), 0)


@pytest.mark.parametrize("right", [-110, -60, 0, 60, 110])
def test_a_hand_beside_two_backs_is_no_third_card(table: Table, renderer: Renderer, right: int) -> None:
    """Wherever fingers come to lie at the player's edge of the zone: two backs, or nothing new is said."""
    scene = replace(EMPTY, cards=lying(Zone.cards(4), None, None))
    table.shows(scene)
    zone = FELT.zone(Zone.cards(4))
    for down in (60, 85, 110, 135):
        picture = renderer.render(replace(scene, seed=down)).image
        x, y = zone.at(right, down)
        lay(picture, FELT, replace(zone, x=x, y=y, angle_deg=zone.angle_deg + right / 4), Cover.HAND, 1.0)
        for _ in range(5):
            table.watcher.step(picture)
        reading = table.watcher.readings[Zone.cards(4)]
        assert (reading.cards, reading.unread, reading.face_down) == ((), 0, 2)


def test_a_card_that_two_places_claim_has_no_name(renderer: Renderer) -> None:
    """A deck has each card once: of two places one at least was misread, and nobody knows which."""

    class Twins:
        def read_in_parts(self, crop: Image, region: SearchRegion, px_per_mm: float) -> Parts[Seen]:
            yield from ()

            def at(right: float) -> Corners:
                x, y = crop.shape[1] / 2 + right * px_per_mm, crop.shape[0] / 2
                w, h = 31.75 * px_per_mm, 44.45 * px_per_mm
                return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))

            b, g, r = (float(v) for v in crop[2, 2])
            readings = (
                CardReading("7s", 0.99, at(-80)),
                CardReading("7s", 0.99, at(80)),
                CardReading("Kd", 0.99, at(0)),
            )
            return Seen(cards=readings, cloth=(b, g, r))

    table = Table(renderer, Twins())
    table.shows(EMPTY)
    reading = table.watcher.readings[Zone.BOARD]
    assert (reading.cards, reading.unread) == (("Kd",), 2)


# ---------------------------------------------------------------------- what a zone is like


def test_a_hand_is_a_condition_of_its_zone_alone(table: Table) -> None:
    scene = replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h"))
    table.shows(scene)
    assert set(table.watcher.conditions.values()) == {Condition.CLEAR}
    table.shows(replace(scene, covered=((Zone.BOARD, Cover.HAND),)))
    assert table.watcher.conditions[Zone.BOARD] is Condition.HIDDEN
    assert table.watcher.conditions[Zone.cards(4)] is Condition.CLEAR
    table.shows(scene)
    assert table.watcher.conditions[Zone.BOARD] is Condition.CLEAR


def test_a_card_in_the_air_is_motion(table: Table) -> None:
    for i in range(3):
        table.shows(replace(EMPTY, cards=(LyingCard("Qd", 800 + 30 * i, 516),)), frames=1)
    assert table.watcher.conditions[Zone.BOARD] is Condition.MOVING


def test_glare_and_blur_say_why_cards_are_unread(table: Table, renderer: Renderer) -> None:
    flop = renderer.render(replace(EMPTY, cards=lying(Zone.BOARD, "Jc", "4d", "9h"))).image
    for why, picture in (
        (Condition.BLURRED, cv2.GaussianBlur(flop, (0, 0), 3.2)),
        (Condition.GLARE, cv2.convertScaleAbs(cv2.GaussianBlur(flop, (0, 0), 3.2), alpha=1.6)),
    ):
        for _ in range(2):
            table.watcher.step(np.asarray(picture, np.uint8))
        while table.watcher.reading:
            table.watcher.step(np.asarray(picture, np.uint8))
        assert table.watcher.readings[Zone.BOARD].unread > 0
        assert table.watcher.conditions[Zone.BOARD] is why


# ------------------------------------------------------------------- other pictures of the same table


def test_a_smaller_picture_of_the_same_shape_will_do(table: Table, renderer: Renderer) -> None:
    scene = replace(EMPTY, cards=lying(Zone.cards(2), None, None))
    half = cv2.resize(renderer.render(scene).image, (1280, 720), interpolation=cv2.INTER_AREA)
    said = [watched for _ in range(4) for watched in table.watcher.step(np.asarray(half, np.uint8))]
    assert [(watched.reading.zone, watched.reading.face_down) for watched in said] == [(Zone.cards(2), 2)]
    corners = np.array(said[0].boxes[0].corners)
    assert (corners >= 0).all()
    assert (corners < (1280, 720)).all()


@pytest.mark.slow("two pictures are drawn through a lens that bends, a calibrated felt is found and read")
def test_cards_are_read_through_a_camera_that_hangs_askew(reader: CardReader) -> None:
    """A tilted camera behind a lens that bends, calibrated by its markers, reads board and hands upright."""
    lens = Lens((1920, 1080), (1300.0, 1300.0), (959.5, 539.5), (-0.10, 0.02, 0.0, 0.0, 0.0))
    camera = HungCamera((60.0, 140.0, 1450.0), roll_deg=3.0, focal_px=1300.0, bend=(-0.10, 0.02))
    done = calibrate_cameras([(photograph(EMPTY, camera, Rail()), lens)], 6)
    watcher = Watcher(done.felt, reader, done.calibration)
    cards = lying(Zone.BOARD, "Ah", "Td", "2c", "9s", "Kd") + lying(Zone.cards(3), "Ks", "7h")
    picture = photograph(replace(EMPTY, cards=cards), camera, Rail())
    for _ in range(2):
        watcher.step(picture)
    while watcher.reading:
        watcher.step(picture)
    assert watcher.readings[Zone.BOARD].cards == ("Ah", "Td", "2c", "9s", "Kd")
    assert watcher.readings[Zone.cards(3)].cards == ("Ks", "7h")
    ace = np.mean(watcher.watched[Zone.BOARD].boxes[0].corners, axis=0)
    x, y = done.calibration.to_felt(ace)
    assert (x, y) == pytest.approx(FELT.spot(Zone.BOARD, 0, 5)[:2], abs=25)


def burned(count: int) -> Scene:
    spots = [FELT.spot(Zone.BURN, index, count) for index in range(count)]
    return replace(EMPTY, cards=tuple(LyingCard(None, *spot) for spot in spots))


def test_a_burn_on_a_burn_is_a_motion_among_them_where_no_card_more_can_be_counted(table: Table) -> None:
    first = table.shows(burned(1))[Zone.BURN]
    second = table.shows(burned(2))[Zone.BURN]
    assert (first.face_down, first.motions) == (1, 1)
    assert second.motions == 2
    assert table.shows(replace(burned(2), button=4)).get(Zone.BURN) is None
    assert table.shows(EMPTY)[Zone.BURN].motions == 0
