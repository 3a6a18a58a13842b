"""What ink an index is printed in, and which suits are printed so: a suit and its ink must fit."""

from __future__ import annotations

from vision.cards.index import Index

INKS = {"red": "dh", "black": "cs", "blue": "ds", "green": "c", "yellow": "d"}  # four-colour decks differ
RED, RANK_RED = 0.34, 0.12  # least excess of red over the other channels in red print: suit, rank
LEAST_RED = 0.12  # from which a suit may be dark red in a dim picture, or black beside red print
BLUE, GREEN, YELLOW = 0.24, 0.24, 0.30
NO_COLOUR, RANK_NO_COLOUR = 0.30, 0.32  # black print has less of any colour than this


def ink_of(index: Index) -> str | None:
    """The ink of an index as its suit shows it; empty where it may be dark red or black; None where it is
    no ink, or its rank's thinner strokes have another."""
    blue, green, red = index.suit.colours
    rank_blue, rank_green, rank_red = index.rank.colours
    if min(green, red) - blue >= YELLOW:
        return "yellow"
    if red - max(blue, green) >= RED:
        return "red" if rank_red - max(rank_blue, rank_green) >= RANK_RED else None
    if blue - max(green, red) >= BLUE:
        return "blue" if rank_blue >= rank_red else None
    if green - max(blue, red) >= GREEN:
        return "green" if rank_green >= rank_red else None
    if max(blue, green, red) - min(blue, green, red) > NO_COLOUR:
        return None
    if rank_red - max(rank_blue, rank_green) > RANK_NO_COLOUR:
        return None
    return "" if red - max(blue, green) >= LEAST_RED else "black"


def may_be_printed(card: str, ink: str | None) -> bool:
    """Whether a card may be printed in an ink; one that is not known contradicts no suit."""
    return ink == "" or (ink is not None and card[1] in INKS[ink])
