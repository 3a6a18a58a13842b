"""Contrast, and the shade that would do; the values of WCAG's own examples."""

from __future__ import annotations

import pytest

from display.colours import DARK, LIGHT, TEXT, contrast, readable, words_on
from display.look import look_css
from table_core.messages import RoomLook

COLOURS = [
    f"#{r:02x}{g:02x}{b:02x}" for r in range(0, 256, 51) for g in range(0, 256, 51) for b in range(0, 256, 51)
]


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21),
        ("#777777", "#ffffff", 4.48),
        ("#ffffff", "#ffffff", 1),
        ("#ff0000", "#ffffff", 4.0),
    ],
)
def test_the_contrast_of_known_pairs(one: str, other: str, ratio: float) -> None:
    assert round(contrast(one, other), 2) == pytest.approx(ratio, abs=0.01)


def test_words_can_be_read_on_every_colour() -> None:
    assert min(contrast(words_on(colour), colour) for colour in COLOURS) >= TEXT


@pytest.mark.parametrize("ground", [DARK, LIGHT])
def test_every_colour_has_a_shade_that_can_be_read(ground: str) -> None:
    assert min(contrast(readable(colour, ground), ground) for colour in COLOURS) >= TEXT
    assert readable(words_on(ground), ground) == words_on(ground), "what can be read stays as it is"


def test_the_style_sheet_has_nothing_but_colours() -> None:
    css = look_css(RoomLook(event="</style>;}*{color:red}"))
    assert css.count("{") == css.count("}") == 1
    assert "red" not in css
