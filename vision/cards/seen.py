"""What the reader says about one look at one place: plain values."""

from __future__ import annotations

from dataclasses import dataclass

Corners = tuple[tuple[float, float], ...]  # four points in pixels, clockwise


@dataclass(frozen=True)
class CardReading:
    """A card read with certainty, such as `Ah`; `confidence` is that of its weaker sign, 0 to 1.

    `indices` are the places (pixels) of the one or two indices that said so.
    """

    card: str
    confidence: float
    corners: Corners
    indices: Corners = ()


@dataclass(frozen=True)
class Unread:
    """Something that may be a face-up card but is not certain, and why; `leaning`: its likeliest name, if any."""

    corners: Corners
    why: str
    leaning: str = ""


@dataclass(frozen=True)
class Joker:
    """A joker: face up, certain, and no card of the game."""

    corners: Corners


@dataclass(frozen=True)
class FaceDown:
    """A back. `cards` is how many lie there on each other at least: as many as their outline shows sides of."""

    corners: Corners
    cards: int = 1


@dataclass(frozen=True)
class Seen:
    """One look. `clutter` is the part of the place (0 to 1) under things that are no cards, such as a hand.

    `cloth` is the colour (blue, green, red) of what lies around: felt, or whatever covers it.
    """

    cards: tuple[CardReading, ...] = ()
    unread: tuple[Unread, ...] = ()
    face_down: tuple[FaceDown, ...] = ()
    clutter: float = 0.0
    cloth: tuple[float, float, float] = (0.0, 0.0, 0.0)
    jokers: tuple[Joker, ...] = ()
