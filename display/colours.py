"""Contrast of colours, as WCAG 2.2 counts it (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)."""

from __future__ import annotations

TEXT = 4.5  # contrast of words with their ground, at least
DARK, LIGHT = "#090e0c", "#f3f6f4"  # the grounds of our pages
_INK, _PAPER = "#000000", "#ffffff"  # words on a ground of any colour


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, from 0 (black) to 1 (white)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 (equal) to 21 (black and white)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def words_on(ground: str) -> str:
    """The colour of words on `ground`: black or white, whichever is easier to read.

    >>> words_on("#0e3a29")
    '#ffffff'
    """
    return max((_INK, _PAPER), key=lambda colour: contrast(colour, ground))


def readable(colour: str, ground: str, least: float = TEXT) -> str:
    """`colour`, or its nearest shade that can be read on `ground`: lighter on a dark one, darker on a light one.

    >>> readable("#b00020", "#090e0c")
    '#e0445c'
    """
    towards = 255 if luminance(ground) < 0.18 else 0
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    for step in range(101):
        mixed = [round(part + (towards - part) * step / 100) for part in parts]
        shade = "#" + "".join(f"{part:02x}" for part in mixed)
        if contrast(shade, ground) >= least:
            return shade
    raise ValueError(f"{ground}: no shade can be read on it")
