"""The dealer button: a white disc of 50 to 90 mm is found wherever it lies; what is no button is none."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from feltwire.lab.simroom.felt.camera import view_of
from feltwire.lab.simroom.felt.lights import LIGHTS
from table_core.messages import Zone, ZoneKind
from vision.calibration.light import with_cloths
from vision.calibration.table import calibrate_cameras
from vision.cards import Parts, Seen
from vision.cards.find import SearchRegion
from vision.geometry.felt import Felt
from vision.geometry.pixels import Image
from vision.synthetic.felt import ChipPile, Cover, Disc, LyingCard, Renderer, Scene, SceneLight
from vision.synthetic.felt.covers import lay
from vision.synthetic.felt.table import CLOTHS as WHITE_CLOTH
from vision.synthetic.felt.table import bare_cloth, empty_table
from vision.watching.disc import ButtonDisc, disc_at, pale_spots, printed_discs
from vision.watching.watched import Condition, Kind
from vision.watching.watcher import Watcher

FELT = Felt.for_seats(6)
EMPTY = Scene(FELT)
WHITE = (244, 248, 248)
CLOTHS = {"green": (62, 96, 22), "blue": (130, 70, 24), "red": (36, 30, 130), "grey": (96, 96, 96)}
FINE = 4  # a thing is drawn so many times finer than it is seen


@pytest.fixture(scope="module")
def table() -> Image:
    return Renderer(FELT).render(EMPTY).image


def plain(page: Image, at: tuple[int, int], radius: int) -> None:
    cv2.circle(page, at, radius, WHITE, -1, cv2.LINE_AA)


def lettered(page: Image, at: tuple[int, int], radius: int) -> None:
    plain(page, at, radius)
    cv2.circle(page, at, round(0.86 * radius), (30, 30, 30), max(1, radius // 16), cv2.LINE_AA)
    size, thick = radius / 62, max(1, radius // 11)
    (wide, high), _ = cv2.getTextSize("DEALER", cv2.FONT_HERSHEY_DUPLEX, size, thick)
    where = (at[0] - wide // 2, at[1] + high // 2)
    cv2.putText(page, "DEALER", where, cv2.FONT_HERSHEY_DUPLEX, size, (30, 30, 30), thick, cv2.LINE_AA)


def cup(page: Image, at: tuple[int, int], radius: int) -> None:
    plain(page, at, radius)
    cv2.circle(page, at, round(0.85 * radius), (20, 40, 70), -1, cv2.LINE_AA)


def coloured(page: Image, at: tuple[int, int], radius: int) -> None:
    cv2.circle(page, at, radius, (90, 200, 240), -1, cv2.LINE_AA)


def square(page: Image, at: tuple[int, int], radius: int) -> None:
    corners = cv2.boxPoints((at, (2.0 * radius, 2.0 * radius), 20.0))
    cv2.fillPoly(page, [np.round(corners).astype(np.int32)], WHITE, cv2.LINE_AA)


Draw = Callable[[Image, tuple[int, int], int], None]


def put(image: Image, draw: Draw, x: float, y: float, diameter: float, px_per_mm: float) -> Image:
    """A picture with a thing on it, its middle at x, y (mm)."""
    reach = round((diameter * 0.8 + 8) * px_per_mm)
    left, top = round(x * px_per_mm) - reach, round(y * px_per_mm) - reach
    part = image[top : top + 2 * reach, left : left + 2 * reach]
    fine = np.asarray(cv2.resize(part, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_LINEAR), np.uint8)
    at = (round((x * px_per_mm - left) * FINE), round((y * px_per_mm - top) * FINE))
    draw(fine, at, round(diameter / 2 * px_per_mm * FINE))
    drawn = image.copy()
    small = cv2.resize(fine, part.shape[1::-1], interpolation=cv2.INTER_AREA)
    drawn[top : top + 2 * reach, left : left + 2 * reach] = cv2.GaussianBlur(small, (0, 0), 0.5)
    return drawn


def cloth(colour: str, px_per_mm: float, level: float = 1.0, noise: float = 2.0, seed: int = 1) -> Image:
    side = round(240 * px_per_mm)
    rng = np.random.default_rng(seed)
    bare = np.array(CLOTHS[colour], np.float64) * (1 + rng.normal(0, 0.04, (side, side, 1)))
    return np.clip(bare * level + rng.normal(0, noise, (side, side, 3)), 0, 255).astype(np.uint8)


def found(image: Image, px_per_mm: float) -> list[ButtonDisc]:
    """The buttons of a picture, as a watcher finds them."""
    by = max(1, round(px_per_mm * 6))
    small = cv2.resize(image, (image.shape[1] // by, image.shape[0] // by), interpolation=cv2.INTER_AREA)

    def cut(x: float, y: float, half: float) -> tuple[Image, float]:
        around = round(half * px_per_mm)
        padded = cv2.copyMakeBorder(image, around, around, around, around, cv2.BORDER_REPLICATE)
        column, row = round(x * px_per_mm), round(y * px_per_mm)
        return np.asarray(padded[row : row + 2 * around, column : column + 2 * around], np.uint8), px_per_mm

    spots = pale_spots(np.asarray(small, np.uint8), px_per_mm / by)
    return [disc for spot in spots if (disc := disc_at(*spot, cut)) is not None]


@pytest.mark.parametrize("draw", [plain, lettered])
@pytest.mark.parametrize("colour", CLOTHS)
@pytest.mark.parametrize(("px_per_mm", "diameter"), [(0.8, 50.0), (0.96, 62.0), (1.5, 76.0), (2.6, 90.0)])
def test_a_white_disc_of_a_buttons_size_is_found_where_it_lies(
    draw: Draw, colour: str, px_per_mm: float, diameter: float
) -> None:
    image = put(cloth(colour, px_per_mm), draw, 131.0, 118.0, diameter, px_per_mm)
    (disc,) = found(image, px_per_mm)
    assert math.hypot(disc.x - 131.0, disc.y - 118.0) < 3
    assert disc.diameter == pytest.approx(diameter, abs=3)


def test_in_the_dark_it_is_still_a_button() -> None:
    dim = cv2.convertScaleAbs(put(cloth("green", 0.96), lettered, 120.0, 120.0, 60.0, 0.96), alpha=0.3)
    noisy = np.random.default_rng(3).normal(0, 4, dim.shape)
    assert len(found(np.clip(dim + noisy, 0, 255).astype(np.uint8), 0.96)) == 1


@pytest.mark.parametrize(
    ("draw", "diameter"),
    [(plain, 39.0), (plain, 43.0), (plain, 110.0), (cup, 80.0), (coloured, 60.0), (square, 60.0)],
    ids=["a white chip", "a large chip", "a saucer", "a cup", "a yellow disc", "a square"],
)
@pytest.mark.parametrize("px_per_mm", [0.96, 2.0])
def test_what_is_no_button_is_none(draw: Draw, diameter: float, px_per_mm: float) -> None:
    assert found(put(cloth("green", px_per_mm), draw, 120.0, 120.0, diameter, px_per_mm), px_per_mm) == []


def test_cards_and_chips_are_no_buttons() -> None:
    cards = tuple(LyingCard(c, *FELT.spot(Zone.BOARD, i, 5)) for i, c in enumerate(("Ah", "2d", "3c", "As", "Kd")))
    image = Renderer(FELT).render(replace(EMPTY, cards=cards)).image
    assert found(image, FELT.px_per_mm) == []


# ------------------------------------------------------------------------------ followed over a table


class NoCards:
    """A reader that sees cloth and nothing else."""

    def read_in_parts(self, crop: Image, region: SearchRegion, px_per_mm: float) -> Parts[Seen]:
        yield from ()
        b, g, r = (float(v) for v in crop[2, 2])
        return Seen(cloth=(b, g, r))


def seats_said(watcher: Watcher, image: Image, pictures: int = 5) -> dict[Zone, bool]:
    said = [watched.reading for _ in range(pictures) for watched in watcher.step(image)]
    return {reading.zone: reading.button for reading in said if reading.zone.kind is ZoneKind.BUTTON}


def watching(table: Image) -> Watcher:
    watcher = Watcher(FELT, NoCards())
    assert not any(seats_said(watcher, table).values())
    return watcher


def before(image: Image, seat: int, right: float, down: float, diameter: float = 60.0) -> Image:
    """The button in front of a seat, as far from the middle of its button zone."""
    x, y = FELT.zone(Zone.button(seat)).at(right, down)
    return put(image, lettered, x, y, diameter, FELT.px_per_mm)


@pytest.mark.parametrize(("right", "down", "diameter"), [(0, 0, 50.0), (-6, 8, 76.0), (10, -70, 60.0)])
def test_it_is_told_whose_button_it_is_and_that_it_moved_on(
    table: Image, right: float, down: float, diameter: float
) -> None:
    watcher = watching(table)
    assert seats_said(watcher, before(table, 4, right, down, diameter))[Zone.button(4)]
    (box,) = [box for box in watcher.watched[Zone.button(4)].boxes if box.kind is Kind.BUTTON]
    assert box.text == ""
    moved = seats_said(watcher, before(table, 5, right, down, diameter))
    assert (moved[Zone.button(4)], moved[Zone.button(5)]) == (False, True)
    gone = seats_said(watcher, table)
    assert gone == {Zone.button(5): False}


def test_a_still_button_is_said_once(table: Image) -> None:
    watcher = watching(table)
    image = before(table, 2, 0, 0)
    assert seats_said(watcher, image)[Zone.button(2)]
    assert seats_said(watcher, image) == {}


def test_under_a_hand_the_button_is_where_it_was(table: Image) -> None:
    watcher = watching(table)
    image = before(table, 3, 0, 0)
    seats_said(watcher, image)
    covered = image.copy()
    lay(covered, FELT, FELT.zone(Zone.button(3)), Cover.HAND, 1.0)
    seats_said(watcher, covered)
    assert watcher.readings[Zone.button(3)].button
    seats_said(watcher, image)
    assert watcher.readings[Zone.button(3)].button


def test_of_two_discs_the_one_that_lay_there_is_the_button_and_of_two_new_ones_neither(table: Image) -> None:
    watcher = watching(table)
    one = before(table, 2, 0, 0)
    both = before(one, 5, 0, 0)
    assert not any(seats_said(watcher, both).values())
    seats_said(watcher, table)
    assert seats_said(watcher, one)[Zone.button(2)]
    assert not seats_said(watcher, both).get(Zone.button(5), False)
    assert watcher.readings[Zone.button(2)].button


def test_a_disc_among_the_board_is_nobodys(table: Image) -> None:
    watcher = watching(table)
    board = FELT.zone(Zone.BOARD)
    image = put(table, lettered, board.x, board.y, 60.0, FELT.px_per_mm)
    assert not any(seats_said(watcher, image).values())


def test_after_a_restart_it_is_said_again(table: Image) -> None:
    watcher = watching(table)
    image = before(table, 6, 0, 0)
    seats_said(watcher, image)
    watcher.force()
    assert seats_said(watcher, image)[Zone.button(6)]
    assert watcher.conditions[Zone.button(6)] is Condition.CLEAR


@pytest.mark.parametrize(
    "light", [SceneLight(), SceneLight(level=0.35, noise=6.0), SceneLight(level=1.4), SceneLight(blur_px=1.6)]
)
def test_the_simulated_rooms_button_is_found_in_every_light(light: SceneLight) -> None:
    renderer = Renderer(FELT)
    image = renderer.render(replace(EMPTY, button=4, light=light)).image
    (disc,) = found(image, FELT.px_per_mm)
    zone = FELT.zone(Zone.button(4))
    assert math.hypot(disc.x - zone.x, disc.y - zone.y) < 3


# ------------------------------------------------------------------------------ on a cloth as white as it is

SEATS = (1, 3, 4, 6, 8)


class Table:
    """What a camera from a shop sees of a table with such a cloth, and the watcher that it was calibrated for."""

    def __init__(self, camera: str, cloth: str) -> None:
        self.view = view_of(camera, 9, cloth)
        self.felt = self.view.felt
        empty = self.view.take(Scene(self.felt)).copy()
        done = calibrate_cameras([(empty, self.view.camera.lens)], 9)
        self.done = with_cloths(done, [empty])
        assert self.done.felt.white
        self.watcher = Watcher(self.done.felt, NoCards(), self.done.calibration)

    def whose(self, scene: Scene) -> int | None:
        """Whose button the watcher sees once the scene has lain still."""
        for _ in range(9):
            self.watcher.step(self.view.take(scene))
        lie = [zone.of_seat for zone, reading in self.watcher.readings.items() if reading.button]
        assert len(lie) <= 1
        return lie[0] if lie else None

    def seats_of(self, disc: Disc, light: SceneLight | None = None) -> list[int | None]:
        """Whose it is as it goes round the table."""
        lit = light or SceneLight()
        return [self.whose(Scene(self.felt, button=seat, disc=disc, light=lit)) for seat in SEATS]


@pytest.fixture(scope="module", params=["white", "cream"])
def pale_table(request: pytest.FixtureRequest) -> Table:
    return Table("brio", request.param)


@pytest.mark.parametrize(
    "disc",
    [Disc(50, 4, "DEALER"), Disc(60, 10, "DEALER"), Disc(76, 10, "D", (18, -20)), Disc(90, 20, "", (-12, 20))],
    ids=["small and lettered", "thicker", "over the betting line", "thick and large"],
)
def test_on_white_cloth_it_is_followed_round_the_table(pale_table: Table, disc: Disc) -> None:
    assert pale_table.seats_of(disc) == list(SEATS)
    assert pale_table.whose(Scene(pale_table.felt)) is None


@pytest.mark.parametrize("light", ["bright", "dim", "lamp"])
def test_on_white_cloth_it_is_followed_in_bad_light(pale_table: Table, light: str) -> None:
    lit = LIGHTS[light]
    pale_table.whose(Scene(pale_table.felt, light=lit))
    assert pale_table.seats_of(Disc(76, 8, "DEALER"), lit) == list(SEATS)


def test_on_white_cloth_cards_pale_chips_and_hands_are_no_button(pale_table: Table) -> None:
    felt = pale_table.felt
    places = [zone for zone in felt.zones if zone.kind in (ZoneKind.BUTTON, ZoneKind.BET)]
    spots = [felt.zone(zone).at(19.5 * way, 0) for zone in places for way in (-1, 1)]
    cards = tuple(
        LyingCard(card, *felt.spot(Zone.cards(seat), i, 2))
        for seat in range(1, 10)
        for i, card in enumerate(("As", "2d"))
    )
    pale_table.whose(Scene(felt))
    for colour, count in (("white", 1), ("yellow", 1), ("white", 12)):
        chips = tuple(ChipPile(1, colour, count, *spot) for spot in spots)
        assert pale_table.whose(Scene(felt, cards, chips)) is None
    hands = tuple((Zone.button(seat), Cover.HAND) for seat in range(1, 10, 2))
    assert pale_table.whose(Scene(felt, covered=hands)) is None


def laid(felt: Felt, draw: Draw, diameter: float) -> Image:
    """White cloth with a flat thing printed on it in the place of seat 2's button."""
    cloth_ = bare_cloth(felt, WHITE_CLOTH["white"])
    where = felt.zone(Zone.button(2))
    return put(np.asarray(cloth_, np.uint8), draw, where.x, where.y, diameter, felt.px_per_mm)


def ring(page: Image, at: tuple[int, int], radius: int) -> None:
    cv2.circle(page, at, radius, (60, 60, 60), max(1, radius // 6), cv2.LINE_AA)


def seen_on(felt: Felt, printed: Image, button: int | None = None) -> int | None:
    renderer = Renderer(felt, printed)
    watcher = Watcher(felt, NoCards())
    for seed in range(12):
        scene = Scene(felt, button=button, disc=Disc(64, 6, "DEALER"), light=SceneLight(level=0.8), seed=seed)
        watcher.step(renderer.render(scene).image)
    lie = [zone.of_seat for zone, reading in watcher.readings.items() if reading.button]
    return lie[0] if lie else None


ON_WHITE = replace(FELT, white=frozenset(FELT.zones))


@pytest.mark.parametrize(
    ("draw", "diameter"),
    [(plain, 39.0), (plain, 43.0), (plain, 100.0), (cup, 80.0), (coloured, 60.0), (square, 60.0), (ring, 70.0)],
    ids=["a white chip", "a large chip", "a coaster", "a cup", "a yellow disc", "a square", "a printed ring"],
)
def test_on_white_cloth_what_is_no_button_is_none(draw: Draw, diameter: float) -> None:
    assert seen_on(ON_WHITE, laid(FELT, draw, diameter)) is None


@pytest.mark.parametrize("felt", [FELT, ON_WHITE], ids=["green", "white"])
def test_a_round_logo_that_was_there_at_the_calibration_is_no_button(felt: Felt) -> None:
    page = (
        laid(felt, plain, 60.0)
        if felt.white
        else put(empty_table(felt), plain, *FELT.zone(Zone.button(2)).at(0, 0), 60.0, felt.px_per_mm)
    )
    assert seen_on(felt, page) == 2
    empty = Renderer(felt, page).render(Scene(felt, light=SceneLight(level=0.8))).image
    known = replace(felt, discs=tuple(printed_discs(felt, None, empty)))
    assert len(known.discs) == 1
    assert seen_on(known, page) is None
    assert seen_on(known, page, button=5) == 5
