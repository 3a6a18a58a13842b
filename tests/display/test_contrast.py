"""Text on every surface keeps the contrast that WCAG AA asks for (4.5 to 1), by the colours of the style sheet."""

from __future__ import annotations

import re

import pytest

from display.app import HERE

DARK, LIGHT = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", (HERE / "shared" / sheet).read_text()))
    for sheet in ("base.css", "light.css")
)
GROUNDS = pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
SURFACES = ("ground", "surface", "raised", "sunken", "felt")
OWN = [
    *(("felt-soft", "felt"), ("note-text", "note"), ("stop-text", "stop-ground"), ("info-text", "info-ground")),
    *(("text", "go-ground"), ("text", "key"), ("text", "key-hover")),
]
INKS = ("text", "soft", "go", "wait", "stop", "info", "money")


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_both_grounds_have_the_same_tokens() -> None:
    assert DARK.keys() == LIGHT.keys()


@GROUNDS
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("ink", INKS)
def test_ink_is_readable_on_every_surface(tokens: dict[str, str], ink: str, surface: str) -> None:
    assert contrast(tokens[ink], tokens[surface]) >= 4.5


@GROUNDS
@pytest.mark.parametrize(("ink", "surface"), OWN)
def test_a_surfaces_own_ink_is_readable_on_it(tokens: dict[str, str], ink: str, surface: str) -> None:
    assert contrast(tokens[ink], tokens[surface]) >= 4.5


@GROUNDS
@pytest.mark.parametrize("filled", ["go", "go-hover", "wait", "stop", "info"])
def test_ink_is_readable_on_filled_controls(tokens: dict[str, str], filled: str) -> None:
    assert contrast(tokens["go-ink"], tokens[filled]) >= 4.5
