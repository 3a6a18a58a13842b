"""Chips in plain pictures: each is counted once, and what is not sure is a range or left out."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.chips.chip_pictures import (
    BLACK,
    BLUE,
    GREEN,
    GREEN_FELT,
    PURPLE,
    RED,
    WHITE,
    YELLOW,
    in_a_row,
    picture,
)
from vision.chips.count import ColourCount, count_chips
from vision.chips.lab import commonest, mixed, to_lab
from vision.chips.light import WhiteBalance, light_of
from vision.chips.names import words_for
from vision.evaluation.chips import score_chips, scored, verdict
from vision.evaluation.photos import LabelledPhoto, load_labels, shown
from vision.evaluation.sums import Tally
from vision.pictures import Image
from vision.synthetic.chips.art import Design
from vision.synthetic.chips.picture import CHIP_MM, CameraPose, ChipStack, Lighting
from vision.synthetic.felt.faces import face

WOOD, WOOD_DARK, BURNT_OUT = (170, 200, 216), (70, 104, 140), (226, 230, 234)
PHOTOS = Path(__file__).parents[4] / "shared" / "photos"


def counts(image: Image) -> dict[str, tuple[int, int | None]]:
    return {count.colour: (count.low, count.high) for count in count_chips(image).counts}


@pytest.mark.parametrize("chip", [WHITE, RED, BLUE, YELLOW, PURPLE], ids=lambda chip: chip.word)
def test_chips_lying_alone_are_counted_by_colour(chip: Design) -> None:
    image = picture(in_a_row([chip, chip, chip]))
    assert counts(image) == {chip.word: (3, 3)}


def test_black_chips_where_nothing_pale_lies_may_be_grey_and_are_no_other_colour() -> None:
    said = counts(picture(in_a_row([BLACK, BLACK, BLACK])))
    low, high = said["black"]
    assert low <= 3 <= (high or 0)
    assert set(said) <= {"black", "grey"}


def test_each_colour_of_a_mixed_bet_is_counted_apart() -> None:
    image = picture(in_a_row([WHITE, RED, RED, BLUE, BLACK]))
    assert counts(image) == {"red": (2, 2), "white": (1, 1), "blue": (1, 1), "black": (1, 1)}


@pytest.mark.parametrize("apart", [0.55, 0.75, 1.0])
def test_two_chips_of_one_colour_over_each_other_are_two(apart: float) -> None:
    chips = [
        ChipStack(RED, 200, 150),
        ChipStack(RED, 200 + apart * CHIP_MM, 150, turn_deg=20),
        ChipStack(BLUE, 360, 150),
    ]
    assert counts(picture(chips)) == {"red": (2, 2), "blue": (1, 1)}


def test_a_chip_is_located_where_it_lies() -> None:
    (count,) = count_chips(picture([ChipStack(RED, 120, 90), ChipStack(RED, 400, 250)])).counts
    near = sorted(count.at)
    assert near == [pytest.approx((120 * 1.2, 90 * 1.2), abs=2.5), pytest.approx((400 * 1.2, 250 * 1.2), abs=2.5)]


def test_a_faint_chip_on_pale_wood_is_not_overlooked() -> None:
    image = picture(in_a_row([WHITE, RED, BLUE]), cloth=WOOD)
    assert counts(image)["white"] in ((1, 1), (0, 1))


def test_how_many_white_chips_lie_on_a_table_shown_as_white_nobody_says() -> None:
    counted = count_chips(picture(in_a_row([WHITE, RED, BLUE]), cloth=BURNT_OUT))
    assert {count.colour: (count.low, count.high) for count in counted.counts} == {
        "red": (1, 1),
        "blue": (1, 1),
        "white": (0, None),
    }
    assert "white: on a table that is nearly as pale not all are seen" in counted.why


@pytest.mark.parametrize("level", [0.5, 0.8])
def test_nor_on_a_pale_table_in_little_light(level: float) -> None:
    """What a white chip differs by from the table is the same in any light."""
    image = picture(in_a_row([WHITE, WHITE, RED]), cloth=BURNT_OUT, light=Lighting(level=level, gradient=0.0))
    assert counts(image)["white"][1] is None


def test_a_dark_blue_black_on_a_burnt_out_table_may_be_black() -> None:
    """Burnt-out white says that there is much light, and not how much."""
    navy = replace(BLACK, body=(80, 44, 24), second=(240, 242, 242))
    bright = Lighting(level=1.2, gradient=0.0)
    said = counts(picture(in_a_row([navy, RED]), cloth=BURNT_OUT, light=bright))
    low, high = said.get("black", (0, 0))
    assert low <= 1 <= (high or 0)


@pytest.mark.parametrize("deck", ["house", "regular", "jumbo"])
def test_the_pips_of_cards_are_not_counted_as_chips(deck: str) -> None:
    """They are round enough where a lens is a little soft."""
    table = np.full((600, 1000, 3), WOOD, np.uint8)
    for i in range(24):
        x, y = 20 + 120 * (i % 8), 20 + 160 * (i // 8)
        printed = face(("9s", "8s", "7s", "Ts", "6c", "9c")[i % 6], deck)[..., :3]
        table[y : y + 142, x : x + 101] = cv2.resize(printed, (101, 142), interpolation=cv2.INTER_AREA)
    counted = count_chips(np.asarray(cv2.GaussianBlur(table, (0, 0), 0.6), np.uint8))
    assert {(count.low, count.high) for count in counted.counts} == {(0, None)}
    assert "as white and small as a card" in counted.why


def test_cards_and_their_backs_are_no_chips() -> None:
    cards = [(300.0, 90.0, 20.0, True), (390.0, 110.0, 70.0, False), (330.0, 240.0, 5.0, False)]
    image = picture([ChipStack(RED, 90, 90), ChipStack(GREEN, 120, 240)], cards=cards, cloth=WOOD)
    assert counts(image) == {"red": (1, 1), "green": (1, 1)}


def test_a_bare_table_has_no_chips() -> None:
    assert count_chips(picture([])).counts == ()


def test_a_chip_mostly_under_others_is_not_forgotten() -> None:
    """Two thirds of the blue one lie under two red ones: it is counted, or the count of blue is a range."""
    chips = [
        ChipStack(BLUE, 200, 150),
        ChipStack(RED, 186, 150),
        ChipStack(RED, 224, 146),
        ChipStack(BLUE, 380, 150),
    ]
    low, high = counts(picture(chips)).get("blue", (0, 0))
    assert low <= 2 <= (high or 99)


def test_a_stack_that_reaches_up_to_the_camera_has_no_known_height() -> None:
    chips = [
        ChipStack(RED, 60, 60),
        ChipStack(RED, 440, 60),
        ChipStack(RED, 60, 280),
        ChipStack(BLUE, 250, 170, 28),
    ]
    (blue,) = (count for count in count_chips(picture(chips)).counts if count.colour == "blue")
    assert blue.low <= 1
    assert (blue.high, blue.count, blue.unread) == (None, None, True)


def test_where_no_chip_lies_alone_nothing_is_counted_and_it_says_why() -> None:
    counted = count_chips(picture([ChipStack(RED, 200, 150), ChipStack(RED, 224, 150), ChipStack(BLUE, 212, 168)]))
    assert "alone" in counted.why
    assert all((count.low, count.high) == (0, None) for count in counted.counts)
    assert "red" in {count.colour for count in counted.counts}


def test_a_stack_of_unknown_height_says_that_it_is_one() -> None:
    chips = [
        ChipStack(RED, 60, 60),
        ChipStack(RED, 440, 60),
        ChipStack(RED, 60, 280),
        ChipStack(BLUE, 250, 170, 28),
    ]
    assert count_chips(picture(chips)).why == "blue: larger than the others, a stack of unknown height"


def test_where_every_count_is_exact_nothing_is_withheld() -> None:
    assert count_chips(picture(in_a_row([WHITE, RED, BLUE]))).why == ""


@pytest.mark.parametrize("quality", [30, 50, 70])
def test_coarse_coding_lets_colours_run_and_loses_no_chip(quality: int) -> None:
    coded = picture(
        in_a_row([WHITE, RED, BLUE, PURPLE]), camera=CameraPose(foot=(250, 170), noise=3.0, jpeg=quality)
    )
    assert counts(coded) == {"white": (1, 1), "red": (1, 1), "blue": (1, 1), "purple": (1, 1)}


def test_a_lone_white_chip_on_pale_wood_is_seen() -> None:
    said = counts(picture([ChipStack(WHITE, 250, 170)], cloth=WOOD))
    assert said.get("white", (0, 0)) in ((1, 1), (0, 1))


@pytest.mark.parametrize(
    ("hue", "words"),
    [(205, {"green"}), (222, {"green"}), (230, {"green", "blue"}), (242, {"green", "blue"}), (262, {"blue"})],
)
def test_teal_is_green_to_some_and_blue_to_others(hue: float, words: set[str]) -> None:
    turn = math.radians(hue)
    body = np.array([45, 30 * math.cos(turn), 30 * math.sin(turn)], np.float32)
    assert set(words_for(body, WhiteBalance((np.ones(3, np.float32),)))) == words


@pytest.mark.parametrize(("lightness", "words"), [(16, {"black"}), (23, {"black", "green"}), (45, {"green"})])
def test_a_dark_green_chip_may_be_black(lightness: float, words: set[str]) -> None:
    body = np.array([lightness, -15, -8], np.float32)
    assert set(words_for(body, WhiteBalance((np.ones(3, np.float32),)))) == words


def test_a_warm_lamp_makes_white_chips_neither_grey_nor_yellow_where_cards_lie() -> None:
    """Paper tells the lamp's colour: a white chip is no paler than the wood, and white all the same."""
    cards = [(300.0 + 75 * i, 70.0, 3.0 * i, True) for i in range(3)]
    lamp = Lighting(level=0.62, tint=(0.72, 0.89, 1.0), gradient=0.05)
    image = picture(in_a_row([WHITE, RED, WHITE, BLUE, BLACK]), cards=cards, cloth=WOOD, light=lamp)
    assert counts(image) == {"white": (2, 2), "red": (1, 1), "blue": (1, 1), "black": (1, 1)}


@pytest.mark.parametrize("level", [0.35, 0.6, 1.0])
def test_a_dark_blue_black_that_nothing_pale_lies_beside_may_be_black(level: float) -> None:
    """Where the light is not known a picture is looked at as it is, too."""
    navy = replace(BLACK, body=(50, 30, 22), second=(120, 110, 100))
    said = counts(picture(in_a_row([navy, navy, BLUE]), light=Lighting(level=level)))
    low, high = said.get("black", (0, 0))
    assert low <= 2 <= (high or 0)


@pytest.mark.parametrize("px_per_mm", [0.3, 0.38, 0.4])
def test_chips_as_small_as_print_are_withheld(px_per_mm: float) -> None:
    """They were no chips, and nothing said why."""
    counted = count_chips(picture(in_a_row([RED, BLUE, YELLOW, RED]), px_per_mm=px_per_mm))
    assert counted.counts
    assert all(count.unread for count in counted.counts)
    assert "as small as print: take the picture from nearer" in counted.why


@pytest.mark.parametrize("cloth", [GREEN_FELT, WOOD])
@pytest.mark.parametrize("fall", [0.6, -0.6])
def test_under_light_that_falls_to_a_quarter_nothing_is_counted_and_it_says_why(
    cloth: tuple[int, int, int], fall: float
) -> None:
    """White chips were grey there, or not seen."""
    chips = in_a_row([WHITE, RED, BLUE, YELLOW, WHITE, BLACK])
    counted = count_chips(picture(chips, cloth=cloth, light=Lighting(gradient=fall)))
    assert all(count.unread for count in counted.counts)
    assert "light the table evenly" in counted.why


@pytest.mark.parametrize("fall", [0.3, -0.3])
def test_chips_are_counted_in_light_that_falls_less(fall: float) -> None:
    said = counts(picture(in_a_row([RED, BLUE, YELLOW]), light=Lighting(gradient=fall)))
    assert said == {"red": (1, 1), "blue": (1, 1), "yellow": (1, 1)}


@pytest.mark.parametrize("turn", [1, -1])
def test_a_red_chip_at_the_light_end_is_not_pink_beside_paper_at_the_dark_end(turn: int) -> None:
    bright = replace(RED, body=(62, 46, 214))
    x = 250 - turn * 180
    cards = [(250 + turn * 205, 70.0 + 95 * i, 5.0 * i, True) for i in range(3)]
    chips = [ChipStack(bright, x, 230), ChipStack(GREEN, x, 90)]
    light = Lighting(gradient=-0.33 * turn)
    image = picture(chips, cards=cards, cloth=(120, 160, 190), light=light)
    assert counts(image) == {"red": (1, 1), "green": (1, 1)}


def test_a_red_table_does_not_make_a_blue_chip_green() -> None:
    """Red that is bright in the cloth and blue that is bright in the chip are no white thing."""
    low, high = counts(picture(in_a_row([replace(BLUE, spots=0)]), cloth=(40, 35, 115))).get("blue", (0, 0))
    assert low <= 1 <= (high or 0)


def test_a_chip_on_a_card_is_not_forgotten() -> None:
    image = picture([ChipStack(RED, 90, 90), ChipStack(BLUE, 300, 170)], cards=[(300.0, 175.0, 0.0, True)])
    low, high = counts(image).get("blue", (0, 0))
    assert low <= 1 <= (high or 0)


def test_a_lone_chip_whose_spots_are_as_dark_as_the_table_is_seen() -> None:
    spotted = replace(YELLOW, second=(40, 58, 82), spots=12, spot_kind="wedge", spot_deg=8.0)
    assert set(counts(picture([ChipStack(spotted, 250, 170)], cloth=(70, 104, 140)))) == {"yellow"}


def test_a_label_in_the_middle_is_not_the_colour_of_a_chip() -> None:
    labelled = replace(BLUE, inlay=0.56, inlay_colour=(240, 242, 242))
    assert counts(picture(in_a_row([labelled, labelled, RED]))) == {"blue": (2, 2), "red": (1, 1)}


@pytest.mark.parametrize("samples", [252, 262, 288])
@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_the_commonest_colour_is_that_of_most_samples_however_they_lie(samples: int, first: int) -> None:
    """Every fourth sample is red, as where rays meet the spots on an edge: most are yellow."""
    red, yellow = (46, 52, 38), (77, 9, 71)
    ring = np.array([red if i % 4 == first else yellow for i in range(samples)], np.float32)
    assert commonest(mixed(ring)[None])[0][0] == pytest.approx(yellow)


def test_white_chips_in_a_dim_picture_are_never_only_grey() -> None:
    dim = picture(in_a_row([WHITE, RED]), light=Lighting(level=0.5, gradient=0.3))
    low, high = counts(dim).get("white", (0, 0))
    assert low <= 1 <= (high or 0)


def test_a_chip_over_one_and_under_another_is_counted() -> None:
    """Its rim shows within the one that it lies over: so that lies under it, and hides nothing of it."""
    labelled = replace(RED, spots=0, ring=0.0, inlay=0.44, inlay_colour=(214, 226, 232))
    chips = [
        ChipStack(labelled, 180, 150),
        ChipStack(replace(PURPLE, spots=12), 203, 152),
        ChipStack(labelled, 223, 154),
    ]
    cards = [(400.0, 270.0, 90.0, True)]
    said = counts(
        picture([*chips, ChipStack(labelled, 216, 188), ChipStack(BLUE, 380, 150)], cards=cards, cloth=WOOD)
    )
    assert said == {"red": (3, 3), "purple": (1, 1), "blue": (1, 1)}


@pytest.mark.parametrize("spots", ["dot", "wedge", "diamond"])
@pytest.mark.parametrize("beside", [0.0, 0.8], ids=["alone", "under another"])
def test_a_chip_of_the_cloth_s_own_colour_is_not_forgotten(spots: str, beside: float) -> None:
    """Nothing of it stands out but a ring of spots: so many may lie there, and nobody says that none does."""
    teal = replace(GREEN, body=(110, 100, 30), inlay_colour=(110, 100, 30), spot_kind=spots, ring=0.0)
    over = [ChipStack(RED, 330 + beside * CHIP_MM, 170)] if beside else []
    image = picture([ChipStack(teal, 330, 170), *over, ChipStack(RED, 90, 90)], cloth=(110, 100, 30))
    said = counts(image)
    assert said["red"] == (1 + len(over), 1 + len(over))
    assert any(low <= 1 <= (high or 0) for word, (low, high) in said.items() if word in ("green", "blue"))


def test_print_on_the_cloth_is_no_ring_of_spots() -> None:
    """Letters, suits and fibres are spots as well: they lie in rows, or anyhow."""
    image = picture([ChipStack(RED, 90, 90), ChipStack(BLUE, 90, 250)])
    for i in range(40):
        centre = (260 + 23 * (i % 8), 90 + 40 * (i // 8))
        cv2.circle(image, centre, 3, (235, 238, 238), -1, cv2.LINE_AA)
    assert counts(image) == {"red": (1, 1), "blue": (1, 1)}


def test_a_chip_on_a_card_whose_print_meets_its_rim_is_not_forgotten() -> None:
    image = picture([ChipStack(BLUE, 90, 90), ChipStack(RED, 300, 170)], cards=[(300.0, 175.0, 0.0, True)])
    for turn in (20, 140, 260):  # hearts of the chip's own colour that stick out from under it
        at = (
            round((300 + 20 * math.cos(math.radians(turn))) * 1.2),
            round((170 + 20 * math.sin(math.radians(turn))) * 1.2),
        )
        cv2.circle(image, at, 8, RED.body, -1, cv2.LINE_AA)
    low, high = counts(image).get("red", (0, 0))
    assert low <= 1 <= (high or 0)


def test_a_plain_back_is_no_paper_where_a_white_chip_is_whiter() -> None:
    """Taken for paper under a bluish lamp a pale blue back would make purple red: a white chip has more of red."""
    image = picture([], cloth=WOOD_DARK)
    cv2.rectangle(image, (360, 60), (500, 250), (222, 172, 150), -1)
    ground, white, red = (to_lab(np.array([[bgr]], np.uint8))[0, 0] for bgr in (WOOD_DARK, WHITE.body, RED.body))
    assert light_of(image, 1.0, ground, [red]).paper
    assert not light_of(image, 1.0, ground, [red, white]).paper


@pytest.mark.parametrize(("width", "height"), [(64, 48), (3000, 40)])
def test_pictures_of_odd_sizes_are_looked_at(width: int, height: int) -> None:
    assert count_chips(np.full((height, width, 3), 90, np.uint8)).counts == ()


# ---------------------------------------------------------------------------------------------- scores


@pytest.mark.parametrize(
    ("low", "high", "truth", "said"),
    [
        (2, 2, 2, "exact"),
        (2, 3, 3, "range"),
        (1, 3, 2, "unread"),
        (1, None, 7, "unread"),
        (2, 2, 3, "wrong"),
        (0, 1, 2, "wrong"),
        (3, None, 2, "wrong"),
    ],
)
def test_a_count_is_exact_a_range_unread_or_wrong(low: int, high: int | None, truth: int, said: str) -> None:
    assert verdict(ColourCount("red", None, low, high), truth) == said


def test_a_colour_that_is_not_there_is_wrong() -> None:
    photo = LabelledPhoto("a.jpg", [], chips={"R": 1, "G": 0})
    counted = count_chips(picture(in_a_row([RED, BLUE])))
    assert scored(photo, counted, 1.0).verdicts == {"red": "exact", "green": "exact", "blue": "wrong"}


def test_a_folder_is_scored_by_tag(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), picture(in_a_row([RED, RED, WHITE])))
    images = [
        {"file": "a.png", "cards": [], "tags": ["felt"], "chips": {"R": 2, "W": 1, "K": 0}},
        {"file": "b.png", "cards": [], "tags": ["felt"], "chips": None},
    ]
    (tmp_path / "labels.json").write_text(json.dumps({"images": images}))
    rows = score_chips(tmp_path, load_labels(tmp_path), None, lambda _: None).rows()
    assert {tag: (row["photos"], row["exact"], row["wrong"]) for tag, row in rows.items()} == {
        "all": (1, 3, 0),
        "felt": (1, 3, 0),
    }


FIRST_PHOTOS = {f"iapr-{name}.jpg" for name in ("train_01", "train_03", "train_08", "train_19", "kings", "chips")}


@functools.cache
def _real(first: bool) -> Tally:
    photos = [photo for photo in load_labels(PHOTOS) if (photo.file in FIRST_PHOTOS) is first]
    return score_chips(PHOTOS, photos, None, lambda _: None)["all"]


@pytest.mark.shared
def test_pips_in_a_worse_copy_of_a_photo_of_cards_are_not_counted() -> None:
    """Burnt out, the cards are one white ground, and 78 pips on them were black chips of 7.6 pixels."""
    (photo,) = (photo for photo in load_labels(PHOTOS) if photo.file == "iapr-spades_suits.jpg")
    ((worse, image),) = shown(PHOTOS, [photo], copies=1, seed=1)
    assert worse.tags == ["harsh", "coarse", "noisy"]
    counted = count_chips(image)
    assert sum(count.low for count in counted.counts) == 0
    assert "as small as print" in counted.why


@pytest.mark.shared
def test_hearts_of_cards_seen_aslant_are_not_counted() -> None:
    """Most of what is as large as these few round ones is none for sure: that is not the size of a chip."""
    names = {"wild52-IMG_20220316_144511", "wild52-IMG_20220316_144644", "wild52-IMG_20220316_144750"}
    photos = [photo for photo in load_labels(PHOTOS) if photo.file.split("_jpg")[0] in names]
    counted = [count_chips(image) for _, image in shown(PHOTOS, photos, copies=0, seed=1)]
    assert len(counted) == 3
    assert all(count.unread for each in counted for count in each.counts)
    assert all("most of what may be chips is none for sure" in each.why for each in counted)


@pytest.mark.shared
@pytest.mark.slow("it counts the chips of sixteen worse copies")
def test_no_colour_of_a_worse_copy_of_a_real_photo_is_counted_wrong() -> None:
    cells = score_chips(PHOTOS, load_labels(PHOTOS), None, lambda _: None, copies=1, seed=8)["all"]
    assert (cells["photos"], cells["wrong"]) == (16, 0)


@pytest.mark.shared
@pytest.mark.slow("it counts the chips of sixteen photos")
def test_no_colour_of_a_real_photo_is_counted_wrong() -> None:
    assert _real(first=True)["cells"] + _real(first=False)["cells"] == 80
    assert _real(first=True)["wrong"] == _real(first=False)["wrong"] == 0
    assert _real(first=True)["unread"] <= 0.05 * _real(first=True)["cells"]


@pytest.mark.shared
@pytest.mark.xfail(strict=True, reason="of 50 cells 18 are withheld, ten of them where only cards lie")
def test_few_colours_of_the_photos_that_came_later_are_withheld() -> None:
    cells = _real(first=False)
    assert cells["unread"] <= 0.05 * cells["cells"]
