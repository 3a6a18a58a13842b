"""Plain photos: no felt, no zones, no calibration. Named cards are right; what cannot be read is reported."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import cv2
import numpy as np
import pytest

from feltwire.cli import main
from vision.cards.candidates import Candidate, agreed, seen_of, undoubted
from vision.cards.classifiers import CLASSIFIERS_DIFFER
from vision.cards.inked import inked_corners
from vision.cards.paper import in_white_light, papers
from vision.cards.photo import READ_SIDE, PhotoReader
from vision.cards.seen import CardReading, Seen, Unread
from vision.geometry.felt import DEFAULT_PX_PER_MM, Felt
from vision.synthetic.felt import LyingCard, Renderer, Scene
from vision.synthetic.felt.table import bare_cloth

FELT = Felt(820.0, 520.0, DEFAULT_PX_PER_MM, {}, 6)  # a part of a table
CLOTH = (62, 96, 22)
BOARD = ("Ah", "Tc", "7d", "2s", "Kd")


@pytest.fixture(scope="module")
def photo() -> np.ndarray:
    lying = tuple(LyingCard(card, 110 + 150 * i, 190, 12 * i) for i, card in enumerate(BOARD))
    backs = (LyingCard(None, 230, 420, 5),)
    return shot(*lying, *backs)


def shot(*lying: LyingCard) -> np.ndarray:
    return Renderer(FELT, bare_cloth(FELT, CLOTH)).render(Scene(FELT, lying)).image


@pytest.fixture
def folder(tmp_path: Path, photo: np.ndarray) -> Path:
    cv2.imwrite(str(tmp_path / "board.png"), photo)
    labels = {"images": [{"file": "board.png", "cards": [{"card": c.upper()} for c in BOARD], "tags": ["felt"]}]}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    return tmp_path


@pytest.mark.parametrize("scale", [0.7, 1.0, 1.6])
def test_the_size_of_a_card_is_found_in_the_photo_itself(photo: np.ndarray, scale: float) -> None:
    shot = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    seen = PhotoReader().read(np.asarray(shot, np.uint8))
    assert {card.card for card in seen.cards} == set(BOARD)
    ace = next(card for card in seen.cards if card.card == "Ah")
    at = np.mean(ace.corners, axis=0) / scale
    assert np.linalg.norm(at - FELT.to_px((110, 190))) < 6


@pytest.mark.parametrize(
    "lamp", [(1.0, 0.92, 0.74), (0.62, 0.86, 1.0), (0.8, 1.0, 0.8)], ids=["blue", "yellow", "green"]
)
def test_paper_stands_out_of_pale_wood_under_any_lamp_as_under_a_white_one(
    lamp: tuple[float, float, float],
) -> None:
    """By its least channel: wood reflects little blue, which a blue lamp hides."""
    table = np.full((300, 400, 3), (150, 185, 215), np.uint8)
    table[100:180, 60:118] = 240

    def stands_out(image: np.ndarray) -> float:
        return float(image[140, 90].min()) / float(image[20, 20].min())

    tinted = np.asarray(table * np.array(lamp), np.uint8)
    assert stands_out(in_white_light(tinted)) == pytest.approx(stands_out(table), rel=0.05)
    assert in_white_light(table) is table


@pytest.mark.parametrize(("table", "card", "edge"), [(236, 208, 190), (200, 208, 178), (120, 118, 100)])
def test_a_card_is_found_by_its_edge_on_a_table_no_darker_than_it(table: int, card: int, edge: int) -> None:
    image = np.full((360, 480, 3), table, np.uint8)
    corners = cv2.boxPoints(((240.0, 180.0), (127.0, 178.0), 14.0))
    cv2.fillPoly(image, [np.round(corners).astype(np.int32)], (card,) * 3)
    cv2.polylines(image, [np.round(corners).astype(np.int32)], True, (edge,) * 3, 1, cv2.LINE_AA)
    quads = [paper.quad for paper in papers(image) if paper.quad is not None]
    assert quads
    assert min(float(np.abs(quad.mean(axis=0) - (240, 180)).max()) for quad in quads) < 2
    assert min(abs(float(cv2.contourArea(quad)) / (127 * 178) - 1) for quad in quads) < 0.05


def test_an_index_is_found_beside_a_floor_with_thousands_of_dark_marks() -> None:
    """Parquet: each mark is larger than a rank, and they outnumber it."""
    floor = np.full((1000, 1400, 3), (90, 140, 180), np.uint8)
    for y in range(6, 1000, 30):
        for x in range(6, 1400, 22):
            floor[y : y + 22, x : x + 14] = (30, 50, 70)
    floor[300:480, 500:630] = 240
    floor[308:326, 508:518] = floor[332:344, 507:519] = 20  # a rank and its suit, at 2 px/mm
    corners = inked_corners(floor, 2.0)
    assert any(np.hypot(*(corner.at - (500, 300))) < 6 and corner.down[1] > 0.99 for corner in corners)


def test_a_picture_without_paper_is_left_as_it_is() -> None:
    """What is palest there is orange felt."""
    felt = np.full((200, 300, 3), (60, 120, 200), np.uint8)
    assert in_white_light(felt) is felt


def test_a_pile_is_told_by_the_corners_that_show() -> None:
    heap = LyingCard("Qs", 230, 190, 8), LyingCard("4h", 252, 198, -8), LyingCard("8c", 430, 190, 0)
    named = {card.card for card in PhotoReader().read(shot(*heap)).cards}
    assert {"Qs", "8c"} <= named <= {"Qs", "4h", "8c"}


@pytest.mark.slow("24 megapixels are rendered and read at two sizes")
def test_a_picture_of_24_megapixels_says_the_same_and_fits_in_memory() -> None:
    lying = tuple(LyingCard(card, 420 + 150 * i, 420, 12 * i) for i, card in enumerate(BOARD[:3]))
    felt = Felt.for_seats(6)
    small = Renderer(felt).render(Scene(felt, lying)).image
    larger = 3.27 / felt.px_per_mm
    photo = np.asarray(cv2.resize(small, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert 24_000_000 <= photo.shape[0] * photo.shape[1] <= 25_000_000
    tracemalloc.start()
    seen = PhotoReader().read(photo)
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert {card.card for card in seen.cards} == set(BOARD[:3])
    assert np.linalg.norm(np.mean(seen.cards[0].corners, axis=0)) > READ_SIDE / 2  # pixels of the whole picture
    assert photo.nbytes / 20 < most_bytes < 8 * photo.nbytes


def reading(card: str, x: float, y: float) -> CardReading:
    """A card lying upright with its top left corner there, ten pixels to the millimetre."""
    corners = ((x, y), (x + 635, y), (x + 635, y + 889), (x, y + 889))
    return CardReading(card, 0.9999, corners, ((x + 60, y + 130),))


def test_what_a_finer_look_contradicts_is_withheld() -> None:
    one = Seen((reading("3h", 0, 0), reading("Ks", 900, 0), reading("7d", 1800, 0)), (), ())
    other = Seen((reading("5h", 8, 6), reading("Ks", 905, 2), reading("7d", 0, 2000)), (), ())
    for seen in (agreed(one, other), agreed(other, one)):
        assert [card.card for card in seen.cards] == ["Ks"]
        assert {thing.why for thing in seen.unread} == {"looks at it differ"}
        assert len(seen.unread) == 2


@pytest.mark.parametrize(("px_per_mm", "told"), [(1.0, []), (2.0, ["Tc"])], ids=["coarse", "fine"])
def test_in_a_coarse_picture_one_look_that_differs_withholds_the_others(px_per_mm: float, told: list[str]) -> None:
    """A ten whose suit is six pixels tall: in three looks both classifiers said clubs, in one they differed."""
    here = reading("Tc", 100, 100).corners
    place = tuple((x * px_per_mm / 10, y * px_per_mm / 10) for x, y in here)
    quad = np.asarray(place, np.float32)
    looks = [
        Candidate(quad, CardReading("Tc", 0.9999, place)),
        Candidate(quad + 1, Unread(place, CLASSIFIERS_DIFFER)),
    ]
    cards, doubted = undoubted(looks)
    assert [card.card for card in cards] == told
    assert len(doubted) == 1 - len(told)


def by_one_index(card: str, *indices: tuple[int, int]) -> list[Candidate]:
    """Cards of which one index was seen each, upright or turned round, ten pixels to the millimetre."""
    looks = []
    for x, y in indices:
        way = 1 if y < 450 else -1  # the lower indices of a card are upside down
        corners = ((x - 60 * way, y - 130 * way), (x + 575 * way, y - 130 * way), (x + 575 * way, y + 759 * way),
                   (x - 60 * way, y + 759 * way))  # fmt: skip
        looks.append(Candidate(np.asarray(corners, np.float32), CardReading(card, 0.9999, corners, ((x, y),))))
    return looks


def test_a_card_with_an_index_in_each_corner_is_one_card() -> None:
    """Those at its top right and bottom left seem to be of cards beside it."""
    seen = seen_of(by_one_index("8s", (60, 130), (575, 130), (575, 759), (60, 759)), 10.0, 1.0)
    assert ([card.card for card in seen.cards], seen.unread) == (["8s"], ())


def test_the_same_card_at_two_places_is_withheld() -> None:
    seen = seen_of(by_one_index("8s", (60, 130), (1960, 130)), 10.0, 1.0)
    assert (seen.cards, len(seen.unread)) == ((), 2)


def test_two_whole_cards_side_by_side_with_one_name_are_withheld() -> None:
    looks = []
    for x in (0, 650):
        one = reading("8s", x, 0)
        both = (*one.indices, (x + 575.0, 759.0))
        card = CardReading("8s", 0.9999, one.corners, both)
        looks.append(Candidate(np.asarray(one.corners, np.float32), card))
    assert not seen_of(looks, 10.0, 1.0).cards


def test_the_look_that_names_more_is_told() -> None:
    some = Seen((reading("3h", 0, 0),), (), ())
    more = Seen((reading("3h", 2, 1), reading("Ks", 900, 0)), (), ())
    assert agreed(some, more) == agreed(more, some) == more


@pytest.mark.parametrize("seed", range(4))
def test_where_no_card_lies_none_is_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    photo = cv2.resize(
        rng.integers(0, 255, (40, 60, 3), dtype=np.uint8), (900, 600), interpolation=cv2.INTER_CUBIC
    )
    assert PhotoReader().read(np.asarray(photo, np.uint8)).cards == ()


def test_cards_prints_one_object_a_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vision", "cards", str(folder / "board.png"), "--json", "--annotate", str(folder / "seen")]) == 0
    line = json.loads(capsys.readouterr().out)
    assert set(line) == {"image", "cards", "unread", "face_down", "ms"}
    assert {card["card"] for card in line["cards"]} == set(BOARD)
    assert all(len(card["corners"]) == 4 and 0 <= card["confidence"] <= 1 for card in line["cards"])
    assert line["face_down"] == 1
    assert cv2.imread(str(folder / "seen" / "board.jpg")) is not None


def test_a_bad_file_is_named_and_the_others_are_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.jpg").write_bytes(b"no picture")
    assert main(["vision", "cards", str(folder / "bad.jpg"), str(folder / "board.png"), "--json"]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert "bad.jpg" in err


def test_a_folder_without_pictures_is_called_wrongly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("two pair")
    assert main(["vision", "cards", str(tmp_path)]) == 2
    assert "no pictures" in capsys.readouterr().err


def test_score_counts_and_draws_what_failed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = folder / "failures.png"
    assert main(["vision", "score", str(folder), "--json", "--sheet", str(sheet)]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (sums,) = [line["tags"] for line in printed if line.keys() == {"tags"}]
    assert sums["all"]["cards"] == sums["felt"]["cards"] == len(BOARD)
    assert (sums["all"]["read"], sums["all"]["wrong"]) == (len(BOARD), 0)
    assert cv2.imread(str(sheet)) is not None


def test_a_wrong_name_fails_the_score(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "labels.json"
    path.write_text(path.read_text().replace('"AH"', '"AS"'))
    assert main(["vision", "score", str(folder), "--json"]) == 1
    assert json.loads(capsys.readouterr().out.splitlines()[0])["wrong"] == ["Ah"]


@pytest.mark.parametrize(
    "labels",
    [
        b"",
        b"{}",
        b'{"images": [{"file": "x.png", "cards": [{"card": "11H"}]}]}',
        b'{"images": [{"file": "\xff.png", "cards": []}]}',  # of another encoding
    ],
)
def test_labels_that_cannot_be_used_are_named(
    tmp_path: Path, labels: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "labels.json").write_bytes(labels)
    assert main(["vision", "score", str(tmp_path)]) == 2
    assert "labels.json" in capsys.readouterr().err
