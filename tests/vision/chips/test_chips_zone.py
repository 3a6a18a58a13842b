"""Chips in a betting zone: a value only where it is sure, and in how many motions they came."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from table_core import messages
from table_core.messages import ZoneReading
from tests.vision.chips.chip_pictures import BLACK, BLUE, PURPLE, RED, WHITE, YELLOW, Zone, in_a_row, picture
from vision.cards import CardReader
from vision.chips.arrivals import MotionCounter
from vision.chips.chipset import ChipSet
from vision.chips.enrol import Given, enrol
from vision.chips.height import Height, Outline, height_of
from vision.chips.zone import ZoneChipReader, ZoneChips
from vision.geometry.felt import Felt
from vision.geometry.sees import lean_at
from vision.synthetic.chips.art import Design
from vision.synthetic.chips.picture import CHIP_MM, CameraPose, ChipStack, Lighting
from vision.synthetic.felt import ChipPile, Renderer, Scene
from vision.watching.watcher import Watcher

SIZE_MM = (150.0, 130.0)
MIDDLE = (75.0, 65.0)
CAMERA_MM = 1600.0
PX_PER_MM = 2.0


@pytest.fixture(scope="module")
def chips() -> ChipSet:
    given = [Given(value) for value in (25, 100, 500, 1_000, 0)]
    return enrol(picture(in_a_row([WHITE, RED, BLUE, BLACK, PURPLE])), given, diameter_mm=CHIP_MM).chips


@pytest.fixture(scope="module")
def reader(chips: ChipSet) -> ZoneChipReader:
    return ZoneChipReader(chips, PX_PER_MM)


def seen(reader: ZoneChipReader, lying: Sequence[ChipStack], *, off_mm: float, **scene: object) -> ZoneChips:
    """What is seen of a zone whose middle lies `off_mm` to the right of the point under the camera."""
    camera = CameraPose(foot=(MIDDLE[0] - off_mm, MIDDLE[1]), height_mm=CAMERA_MM)
    image = picture(lying, size_mm=SIZE_MM, px_per_mm=PX_PER_MM, camera=camera, **scene)  # type: ignore[arg-type]
    zone = Zone(image)
    return reader.read(image, *zone.places, zone.cloth(image), (off_mm / CAMERA_MM, 0.0))


def test_a_chip_far_from_under_the_camera_is_one_chip(reader: ZoneChipReader) -> None:
    looked = seen(reader, [ChipStack(RED, *MIDDLE)], off_mm=900)
    assert (looked.pieces, looked.value, looked.odd) == (1, 100, "")


def test_under_the_camera_a_chip_and_a_stack_look_alike(reader: ZoneChipReader) -> None:
    for count in (1, 5):
        looked = seen(reader, [ChipStack(RED, *MIDDLE, count)], off_mm=0)
        assert (looked.low, looked.high, looked.pieces, looked.value) == (1, None, None, None)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_a_stack_that_leans_has_about_its_height(reader: ZoneChipReader, count: int) -> None:
    looked = seen(reader, [ChipStack(BLUE, *MIDDLE, count)], off_mm=900)
    assert looked.high is not None
    assert looked.low <= count <= looked.high <= looked.low + 2
    assert looked.value in (None, 500 * count)


def test_chips_of_two_values_add_up(reader: ZoneChipReader) -> None:
    looked = seen(reader, [ChipStack(RED, 40, 65), ChipStack(BLUE, 110, 65)], off_mm=900)
    assert (looked.pieces, looked.value) == (2, 600)


def test_of_three_chips_in_a_row_none_is_forgotten(reader: ZoneChipReader) -> None:
    """They touch: the one in the middle alone would look like a stack."""
    row = [ChipStack(chip, 75 + 39.9 * i, 65) for i, chip in ((-1, BLACK), (0, WHITE), (1, BLUE))]
    looked = seen(reader, row, off_mm=900)
    assert looked.low == 3 or looked.high is None
    assert looked.value in (None, 1_525)


def test_where_bets_are_spread_a_disc_is_one_chip(chips: ChipSet) -> None:
    spread = ZoneChipReader(chips, PX_PER_MM, spread=True)
    row = [ChipStack(RED, 50, 65), ChipStack(BLUE, 76, 65, turn_deg=10), ChipStack(BLUE, 118, 65)]
    looked = seen(spread, row, off_mm=200)
    assert (looked.pieces, looked.value) == (3, 1_100)


def test_where_bets_are_spread_a_stack_that_leans_is_still_no_single_chip(chips: ChipSet) -> None:
    spread = ZoneChipReader(chips, PX_PER_MM, spread=True)
    looked = seen(spread, [ChipStack(BLUE, *MIDDLE, 5)], off_mm=900)
    assert looked.pieces in (None, 5)
    assert looked.value in (None, 2_500)


@pytest.mark.parametrize("off_mm", [0, 150, 300, 450, 600])
@pytest.mark.parametrize("count", [2, 3])
def test_a_house_that_says_wrongly_that_bets_are_spread_loses_reads_and_no_money(
    chips: ChipSet, off_mm: float, count: int
) -> None:
    """Nearly under the camera nothing tells a stack from a chip: nothing is said there of either."""
    spread = ZoneChipReader(chips, PX_PER_MM, spread=True)
    looked = seen(spread, [ChipStack(BLUE, *MIDDLE, count)], off_mm=off_mm)
    assert looked.value in (None, 500 * count)
    assert looked.high is None or looked.low <= count <= looked.high


def test_a_pale_chip_on_pale_wood_is_not_passed_over(chips: ChipSet) -> None:
    spread = ZoneChipReader(chips, 1.0, spread=True)
    camera = CameraPose(foot=(MIDDLE[0] - 600, MIDDLE[1]), height_mm=CAMERA_MM, noise=4.0)
    lying = [ChipStack(WHITE, 55, 65), ChipStack(RED, 88, 60)]
    for level in (0.4, 0.5, 0.7):
        dim = Lighting(level=level, gradient=0.05)
        image = picture(lying, size_mm=SIZE_MM, px_per_mm=1.0, camera=camera, cloth=(170, 200, 216), light=dim)
        zone = Zone(image)
        looked = spread.read(image, *zone.places, zone.cloth(image), (600 / CAMERA_MM, 0.0))
        assert looked.value in (None, 125)


def test_the_print_on_a_label_of_the_cloth_s_colour_is_no_second_chip(chips: ChipSet) -> None:
    labelled = replace(BLUE, inlay=0.56, inlay_colour=(62, 96, 22), text="5K")
    spread = ZoneChipReader(chips, PX_PER_MM, spread=True)
    lying = [ChipStack(labelled, 45, 65), ChipStack(RED, 100, 65), ChipStack(RED, 122, 65)]
    assert seen(spread, lying, off_mm=600).low <= 3


@pytest.mark.parametrize("turn", [150.0, 330.0])
def test_a_black_chip_and_its_deep_shadow_are_no_stack(reader: ZoneChipReader, turn: float) -> None:
    deep = Lighting(shadow=(2.2, -1.4), shadow_dark=0.45, gradient=0.3)
    away = (100 * math.cos(math.radians(turn)), 100 * math.sin(math.radians(turn)))
    camera = CameraPose(foot=(MIDDLE[0] - away[0], MIDDLE[1] - away[1]))
    lying = [ChipStack(BLACK, *MIDDLE)]
    image = picture(lying, size_mm=SIZE_MM, px_per_mm=2.0, camera=camera, light=deep, cloth=(70, 104, 140))
    zone = Zone(image)
    looked = reader.read(image, *zone.places, zone.cloth(image), (away[0] / CAMERA_MM, away[1] / CAMERA_MM))
    assert looked.low == 1


@pytest.mark.parametrize("row", [(RED, BLUE), (BLUE, RED), (RED, RED)], ids=["red, blue", "blue, red", "red, red"])
@pytest.mark.parametrize("off_mm", [600.0, -600.0])
def test_two_chips_in_a_row_away_from_the_camera_are_no_stack_of_seventeen(
    chips: ChipSet, row: Sequence[Design], off_mm: float
) -> None:
    lying = [ChipStack(row[0], 60, 65), ChipStack(row[1], 60 + 0.55 * CHIP_MM, 65)]
    camera = CameraPose(foot=(MIDDLE[0] - off_mm, MIDDLE[1]))
    image = picture(lying, size_mm=SIZE_MM, px_per_mm=1.0, camera=camera)
    zone = Zone(image)
    looked = ZoneChipReader(chips, 1.0).read(image, *zone.places, zone.cloth(image), (off_mm / CAMERA_MM, 0.0))
    assert 1 <= looked.low <= 2
    assert looked.value is None


@pytest.mark.parametrize(("fade", "highest"), [(0.0, 3), (0.2, 4), (1.6, 5)])
def test_a_side_that_hardly_stands_out_makes_a_stack_higher_and_not_lower(fade: float, highest: int) -> None:
    """An outline of four yellow chips on brown wood, whose dark sides look like wood."""
    outline = Outline((0, 0), (3.7, 0), 39.6, 3.7, 1.7, 0.25, fade)
    assert height_of(outline, 1.46, 39.6) == Height(2, highest)


@pytest.mark.parametrize("beside", [(), (ChipStack(RED, 40, 65),)], ids=["alone", "beside another"])
def test_a_chip_of_the_cloth_s_own_colour_makes_a_zone_s_value_unknown(
    reader: ZoneChipReader, beside: Sequence[ChipStack]
) -> None:
    green = replace(BLUE, body=(62, 96, 22), inlay_colour=(62, 96, 22), spots=6, spot_deg=6.0, ring=0.0)
    looked = seen(reader, [*beside, ChipStack(green, 110, 65)], off_mm=900)
    assert (looked.high, looked.value) == (None, None)


def test_an_empty_zone_holds_nothing(reader: ZoneChipReader) -> None:
    looked = seen(reader, [], off_mm=500)
    assert (looked.pieces, looked.value, looked.odd) == (0, 0, "")


def test_a_hand_in_the_zone_says_nothing(reader: ZoneChipReader) -> None:
    looked = seen(reader, [], off_mm=500, hands=[(75.0, 65.0, 1.2)])
    assert (looked.pieces, looked.value) == (None, None)


def test_a_bounty_chip_is_odd_and_has_no_value(reader: ZoneChipReader) -> None:
    looked = seen(reader, [ChipStack(PURPLE, *MIDDLE)], off_mm=900)
    assert (looked.pieces, looked.value, looked.odd) == (1, 0, "bounty")


def test_a_chip_of_another_room_is_odd(reader: ZoneChipReader) -> None:
    looked = seen(reader, [ChipStack(YELLOW, *MIDDLE)], off_mm=900)
    assert (looked.value, looked.odd) == (None, "unknown")


def test_two_looks_that_differ_are_not_sure() -> None:
    one, other = ZoneChips(1, 1, 100), ZoneChips(1, 2, None)
    assert one.agreed(other) == ZoneChips(1, 2, None)
    assert one.agreed(one) == one


def test_without_the_camera_s_height_nothing_leans() -> None:
    assert lean_at((900, 500), None, (1000, 500), 0.0) is None
    assert lean_at((900, 500), None, (1000, 500), 1600.0) == (-0.0625, 0.0)


@pytest.mark.parametrize(
    ("length", "error", "height"),
    [(4.1, 0.9, Height(1, 1)), (8.0, 1.5, Height(2, 2)), (8.0, 4.5, Height(1, 3)), (0.5, 1.0, Height(1, 1))],
)
def test_an_outline_s_error_is_the_width_of_the_range(length: float, error: float, height: Height) -> None:
    outline = Outline((0, 0), (length, 0), 40.0, length, error, 0.1)
    assert height_of(outline, 4.0, 40.0) == height


def test_an_outline_too_wide_for_a_chip_says_nothing() -> None:
    outline = Outline((0, 0), (4, 0), 42.0, 4.0, 0.5, 0.1)
    assert height_of(outline, 4.0, 40.0) == Height(1, None)


# ------------------------------------------------------------------------------------------- motions


def told(*looks: ZoneChips) -> list[int]:
    arrivals = MotionCounter()
    return [arrivals.still(look) for look in looks]


NOTHING, ONE, TWO, THREE = ZoneChips(), ZoneChips(1, 1, 100), ZoneChips(2, 2, 200), ZoneChips(3, 3, 300)
HAND = ZoneChips(0, None, None)


def test_chips_put_down_together_are_one_motion() -> None:
    assert told(NOTHING, THREE, THREE) == [0, 1, 1]


def test_chips_put_down_one_after_the_other_are_as_many_motions() -> None:
    assert told(NOTHING, ONE, TWO, THREE) == [0, 1, 2, 3]


def test_change_taken_back_is_no_motion() -> None:
    assert told(THREE, TWO, TWO) == [1, 1, 1]


def test_a_swept_bet_begins_anew() -> None:
    assert told(ONE, TWO, NOTHING, ONE) == [1, 2, 0, 1]


def test_a_resting_hand_is_no_motion() -> None:
    assert told(ONE, HAND, ONE, TWO) == [1, 1, 1, 2]


def test_a_stack_of_unknown_height_is_one_motion() -> None:
    unknown = ZoneChips(1, None, None)
    assert told(NOTHING, unknown, unknown) == [0, 1, 1]


# ------------------------------------------------------------------------------------ on a watched table

FELT = Felt.for_seats(6)
COLOURS = ("white", "red", "blue", "black")


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(FELT)


@pytest.fixture(scope="module")
def watched_chips(renderer: Renderer) -> ChipSet:
    row = tuple(ChipPile(1, colour, 1, 700.0 + 90 * i, 560.0) for i, colour in enumerate(COLOURS))
    given = [Given(value) for value in (25, 100, 500, 1_000)]
    return enrol(renderer.render(Scene(FELT, chips=row)).image, given).chips


def pile(colour: str, right: float) -> ChipPile:
    x, y = FELT.zone(messages.Zone.bet(1)).at(right, 0)
    return ChipPile(100, colour, 1, x, y)


def test_a_watcher_tells_in_how_many_motions_a_bet_came(renderer: Renderer, watched_chips: ChipSet) -> None:
    reader = ZoneChipReader(watched_chips, FELT.px_per_mm)
    watcher = Watcher(FELT, CardReader(), chips=reader, height_mm=CAMERA_MM)
    at = 0
    said: list[ZoneReading] = []

    def show(*piles: ChipPile) -> None:
        nonlocal at
        for _ in range(4):
            at += 66
            image = renderer.render(replace(Scene(FELT), chips=piles, seed=at)).image
            readings = [watched.reading for watched in watcher.step(image)]
            said.extend(reading for reading in readings if reading.zone == messages.Zone.bet(1))

    show()
    show(pile("red", -30))
    show(pile("red", -30), pile("blue", 30))
    show()
    assert [reading.motions for reading in said] == [0, 1, 2, 0]
    assert (said[0].pieces, said[-1].pieces) == (0, 0)
    assert all(reading.chips in (None, math.nan, 0, 100, 600) for reading in said)


def test_without_a_chip_set_nothing_is_said_of_chips(renderer: Renderer) -> None:
    watcher = Watcher(FELT, CardReader())
    pictures = [renderer.render(Scene(FELT, seed=seed)).image for seed in range(4)]
    said = [watched.reading for picture in pictures for watched in watcher.step(picture)]
    assert said
    assert all(r.pieces is None and r.chips is None and not r.motions and not r.odd for r in said)
