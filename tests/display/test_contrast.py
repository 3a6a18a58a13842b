"""Text on every surface keeps the contrast that WCAG AA asks for (4.5 to 1), by the colours of the style sheet."""

from __future__ import annotations

import re

import pytest

from display.app import HERE

CSS = (HERE / "shared" / "base.css").read_text()
TOKENS = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", CSS))
SURFACES = ("ground", "surface", "raised")
INKS = ("text", "soft", "accent", "amber", "red", "blue", "violet")


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("ink", INKS)
def test_ink_is_readable_on_every_surface(ink: str, surface: str) -> None:
    assert contrast(TOKENS[ink], TOKENS[surface]) >= 4.5


@pytest.mark.parametrize("filled", ["accent", "amber"])
def test_dark_ink_is_readable_on_filled_controls(filled: str) -> None:
    assert contrast(TOKENS["accent-ink"], TOKENS[filled]) >= 4.5
