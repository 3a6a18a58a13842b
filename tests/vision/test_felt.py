"""The geometry of a table: zones do not overlap, places survive a file, pixels and millimetres agree."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from table_core.messages import Zone
from vision.geometry.felt import CARD_MM, Felt, FeltError, Rect

EVERY_SIZE = range(2, 12)
SIZES = "width_mm=1\nheight_mm=1\npx_per_mm=1\nseats=2\n"


@pytest.mark.parametrize("seats", EVERY_SIZE)
def test_every_table_size_has_its_zones_and_none_overlap(seats: int) -> None:
    felt = Felt.for_seats(seats)  # refuses overlaps itself
    names = set(felt.zones)
    assert {Zone.BOARD, Zone.BURN, Zone.MUCK, Zone.POT} <= names
    for seat in range(1, seats + 1):
        assert {Zone.cards(seat), Zone.bet(seat), Zone.button(seat)} <= names
    assert Zone.cards(seats + 1) not in names


@pytest.mark.parametrize("seats", EVERY_SIZE)
def test_every_zone_lies_in_the_picture(seats: int) -> None:
    felt = Felt.for_seats(seats)
    for zone in felt.zones.values():
        for x, y in zone.corners:
            assert 0 <= x <= felt.width_mm
            assert 0 <= y <= felt.height_mm


@pytest.mark.parametrize("seats", EVERY_SIZE)
def test_cards_laid_on_spots_lie_inside_their_zone(seats: int) -> None:
    felt = Felt.for_seats(seats)
    rows = [(Zone.BOARD, 5), (Zone.BURN, 3), (Zone.MUCK, 8), *((Zone.cards(s), 2) for s in range(1, seats + 1))]
    for name, of in rows:
        zone = felt.zone(name)
        for index in range(of):
            card = Rect(*felt.spot(name, index, of)[:2], *CARD_MM, zone.angle_deg)
            assert all(zone.contains(x, y) for x, y in card.corners), name


def test_the_board_is_laid_from_left_to_right() -> None:
    felt = Felt.for_seats(9)
    xs = [felt.spot(Zone.BOARD, slot, 5)[0] for slot in range(5)]
    assert xs == sorted(xs)
    assert min(b - a for a, b in itertools.pairwise(xs)) > CARD_MM[0]


def test_seats_count_clockwise_from_the_dealers_left() -> None:
    felt = Felt.for_seats(9)
    first, last = felt.zone(Zone.cards(1)), felt.zone(Zone.cards(9))
    assert first.x < felt.width_mm / 2 < last.x
    assert first.y > felt.height_mm / 2
    assert felt.zone(Zone.cards(3)).x < felt.zone(Zone.cards(7)).x


def test_a_zone_turned_round_reads_from_the_players_left() -> None:
    zone = Rect(100, 100, 160, 110, 180)
    x, y = zone.at(30, 0)
    assert (x, y) == pytest.approx((70, 100))
    assert zone.within(x, y) == pytest.approx((30, 0))


def test_pixels_and_millimetres_are_each_others_inverse() -> None:
    felt = Felt.for_seats(6)
    points = np.array([[0.0, 0.0], [1000.0, 562.5], [1999.0, 1124.0]])
    assert felt.to_mm(felt.to_px(points)) == pytest.approx(points, abs=0.01)
    assert felt.size_px == (1920, 1080)


def test_a_felt_survives_its_file(tmp_path: Path) -> None:
    felt = Felt.for_seats(10)
    felt.save(tmp_path / "felt.toml")
    back = Felt.load(tmp_path / "felt.toml")
    assert back.seats == 10
    assert back.size_px == felt.size_px
    assert list(back.zones) == list(felt.zones)
    for one, other in zip(felt.zones.values(), back.zones.values(), strict=True):
        assert one.corners == pytest.approx(np.array(other.corners), abs=0.01)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("width_mm = 10", "missing"),
        ("not toml", "felt.toml"),
        (f'{SIZES}[[zone]]\nname="pot"\nrect_mm=[1]', "felt.toml"),
        (f'{SIZES}[[zone]]\nname="seat-4-pot"\nrect_mm=[1, 1, 1, 1, 0]', "no zone 'seat-4-pot'"),
        (SIZES + '[[zone]]\nname="pot"\nrect_mm=[1, 1, 1, 1, 0]\n' * 2, "'pot' is given twice"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "felt.toml"
    path.write_text(text)
    with pytest.raises(FeltError, match=says):
        Felt.load(path)


def test_overlapping_zones_are_refused_by_name() -> None:
    overlapping = {Zone.BOARD: Rect(100, 100, 50, 50), Zone.POT: Rect(120, 120, 50, 50, 45)}
    with pytest.raises(FeltError, match="'board' and 'pot' overlap"):
        Felt(500, 500, 1.0, overlapping, 2)


def test_a_table_has_two_to_eleven_seats() -> None:
    for seats in (1, 12):
        with pytest.raises(FeltError, match="2 to 11"):
            Felt.for_seats(seats)
