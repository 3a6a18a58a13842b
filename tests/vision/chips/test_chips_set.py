"""A room's chips are taught by a picture of one of each, and known again under other light."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.chips.chip_pictures import (
    BLACK,
    BLUE,
    PURPLE,
    PX_PER_MM,
    RED,
    WHITE,
    YELLOW,
    design,
    in_a_row,
    picture,
)  # fmt: skip
from vision.chips.chipset import ChipKind, ChipLook, ChipSet, ChipSetError
from vision.chips.count import count_chips
from vision.chips.discs import Circle
from vision.chips.enrol import EnrolError, Given, chips_given, enrol, joined
from vision.chips.flat import Chip
from vision.chips.lab import Floats
from vision.synthetic.chips.picture import ChipStack, Lighting

ROOM = [WHITE, RED, BLUE, BLACK, PURPLE]
GIVEN = [Given(value) for value in (25, 100, 500, 1_000)] + [Given(0)]


@pytest.fixture(scope="module")
def chips() -> ChipSet:
    return enrol(picture(in_a_row(ROOM)), GIVEN).chips


def values(chips: ChipSet, image: object) -> dict[int | None, tuple[int, int | None]]:
    return {c.value: (c.low, c.high) for c in count_chips(image, chips).counts}  # type: ignore[arg-type]


def test_values_go_from_left_to_right(chips: ChipSet) -> None:
    named = [(kind.colour, kind.value) for kind in chips.kinds]
    assert named == [("white", 25), ("red", 100), ("blue", 500), ("black", 1_000), ("purple", 0)]
    assert [kind.colour for kind in chips.kinds if kind.bounty] == ["purple"]


def test_values_may_be_given_by_colour() -> None:
    given = chips_given("black=1000,white=25,red=100,blue=500,purple=bounty")
    chips = enrol(picture(in_a_row(ROOM)), given).chips
    assert {kind.colour: kind.value for kind in chips.kinds} == {
        "black": 1_000, "white": 25, "red": 100, "blue": 500, "purple": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    "light",
    [
        Lighting(),
        Lighting(level=0.45),
        Lighting(level=1.1),
        Lighting(tint=(0.7, 0.9, 1.0)),
        Lighting(level=0.8, tint=(1.0, 0.92, 0.8)),
        Lighting(gradient=0.3),
    ],
    ids=["same", "dim", "bright", "warm", "cool", "uneven"],
)
def test_chips_are_known_again_under_other_light(chips: ChipSet, light: Lighting) -> None:
    laid = [RED, WHITE, RED, BLACK, BLUE]
    image = picture(in_a_row(laid), light=light, seed=9)
    assert values(chips, image) == {100: (2, 2), 25: (1, 1), 1_000: (1, 1), 500: (1, 1)}


def test_a_chip_of_another_room_gets_no_value(chips: ChipSet) -> None:
    counted = count_chips(picture(in_a_row([YELLOW, RED])), chips)
    assert {(c.colour, c.value, c.low) for c in counted.counts} == {("unknown", None, 1), ("red", 100, 1)}


@pytest.mark.parametrize(
    ("off", "said"),
    [(4.0, ["red"]), (14.0, ["red"]), (16.0, ["red", None]), (23.0, ["red", None]), (26.0, [None])],
)
def test_a_chip_that_is_not_quite_like_one_of_the_set_may_be_of_another_room(off: float, said: list[str]) -> None:
    ground = np.array([40, 0, 0], np.float32)

    def look(hue: float) -> Floats:
        return np.tile(np.array([50, hue, 0], np.float32), (3, 1))

    red, green = (
        ChipKind(colour, value, (ChipLook(ground, look(hue)),))
        for colour, value, hue in (("red", 5, 40.0), ("green", 25, -60.0))
    )
    chip = Chip(Circle(0, 0, 20, np.ones(72, np.bool_), 20), look(40 + off), look(40 + off)[0], ground, 1.0)
    (kinds,) = ChipSet((red, green)).name([chip], ground)
    assert [kind and kind.colour for kind in kinds] == said


def test_what_lies_over_a_chip_does_not_change_what_it_is(chips: ChipSet) -> None:
    """A thing that nobody knows lies over a third of it: its own colours are those of the rest."""
    image = picture(in_a_row([RED, WHITE, PURPLE, BLUE]), light=Lighting(level=0.8))
    x, y = round(210 * PX_PER_MM), round(170 * PX_PER_MM)
    cv2.ellipse(image, (x - 16, y), (19, 30), 0, 0, 360, (30, 30, 30), -1, cv2.LINE_AA)
    said = values(chips, image)
    low, high = said.get(0, (0, 0))
    assert low <= 1 <= (high or 0)
    assert said.get(None, (0, 0))[0] == 0


def test_a_bounty_chip_is_a_class_of_its_own(chips: ChipSet) -> None:
    assert values(chips, picture(in_a_row([PURPLE, RED]))) == {0: (1, 1), 100: (1, 1)}


def test_a_set_is_the_same_after_saving(chips: ChipSet, tmp_path: Path) -> None:
    chips.save(tmp_path / "chips.toml")
    again = ChipSet.load(tmp_path / "chips.toml")
    assert [(k.colour, k.value, k.bounty, len(k.looks)) for k in again.kinds] == [
        (k.colour, k.value, k.bounty, len(k.looks)) for k in chips.kinds
    ]
    image = picture(in_a_row([RED, BLUE, RED]), seed=4)
    assert values(again, image) == values(chips, image) == {100: (2, 2), 500: (1, 1)}


def test_several_pictures_teach_several_lights(chips: ChipSet) -> None:
    evening = enrol(picture(in_a_row(ROOM), light=Lighting(level=0.5, tint=(0.6, 0.85, 1))), GIVEN).chips
    assert [len(kind.looks) for kind in joined([chips, evening]).kinds] == [2] * len(ROOM)


# ---------------------------------------------------------------------------------------------- refusals


def test_one_chip_too_few_is_said() -> None:
    with pytest.raises(EnrolError, match="5 chips are named, 4 are seen") as refused:
        enrol(picture(in_a_row(ROOM[:4])), GIVEN)
    assert len(refused.value.tags) == 4  # a person sees what was found


def test_chips_above_each_other_have_no_order() -> None:
    with pytest.raises(EnrolError, match="in a row"):
        enrol(picture([ChipStack(RED, 200, 90), ChipStack(BLUE, 202, 230)]), GIVEN[:2])


def test_an_empty_table_teaches_nothing() -> None:
    with pytest.raises(EnrolError, match="no chip is seen"):
        enrol(picture([]), GIVEN)


def test_two_chips_that_look_the_same_are_refused() -> None:
    twins = [design("red", (40, 34, 186)), design("red", (41, 34, 185))]
    with pytest.raises(EnrolError, match="look the same"):
        enrol(picture(in_a_row(twins)), GIVEN[:2])


def test_a_colour_that_nothing_has_is_refused() -> None:
    with pytest.raises(EnrolError, match="0 chips look green"):
        enrol(picture(in_a_row([RED, BLUE])), chips_given("red=5,green=25"))


@pytest.mark.parametrize("text", ["", "red", "red=", "=5", "5,red=10", "-5", "0", "red=1.5"])
def test_a_list_of_chips_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ChipSetError):
        chips_given(text)


LOOK = "[[chip.look]]\nground = [50, 0, 0]\nbands = [[1, 2, 3], [1, 2, 3], [1, 2, 3]]\n"
HEAD = "diameter_mm = 39\nthickness_mm = 3.3\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("not toml", "chips.toml"),
        (HEAD, "'chip' is missing"),
        (HEAD + "[[chip]]\ncolour = 'red'\nvalue = 5\nbounty = false\n", "'look' is missing"),
        (HEAD + "[[chip]]\ncolour = 'red'\nvalue = 'five'\nbounty = false\n" + LOOK, "whole number"),
        (HEAD + "[[chip]]\ncolour = 'red'\nvalue = 0\nbounty = false\n" + LOOK, "only a bounty chip has 0"),
        (
            HEAD + "[[chip]]\ncolour = 'red'\nvalue = 5\nbounty = false\n" + LOOK.replace("[1, 2, 3]]", "[1]]"),
            "bands",
        ),
        (HEAD.replace("39", "390") + "[[chip]]\ncolour = 'red'\nvalue = 5\nbounty = false\n" + LOOK, "20 to 80"),
        (HEAD + 2 * ("[[chip]]\ncolour = 'red'\nvalue = 5\nbounty = false\n" + LOOK), "two chips are called"),
    ],
)
def test_a_file_that_is_no_chip_set_is_named_with_what_is_wrong(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "chips.toml"
    path.write_text(text)
    with pytest.raises(ChipSetError, match=why) as refused:
        ChipSet.load(path)
    assert str(path) in str(refused.value)


def test_a_missing_file_says_what_writes_one(tmp_path: Path) -> None:
    with pytest.raises(ChipSetError, match="enrol"):
        ChipSet.load(tmp_path / "none.toml")
