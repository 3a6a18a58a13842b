"""Teaches a room's chips: a picture of one chip of each value, and which is which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from vision.chips.chipset import DIAMETER_MM, THICKNESS_MM, ChipKind, ChipLook, ChipSet, ChipSetError, worth
from vision.chips.count import Tag, colour_words
from vision.chips.flat import Chip
from vision.chips.light import light_of
from vision.chips.photo import PhotoChips, look
from vision.pictures import Image

BOUNTY = "bounty"
IN_A_ROW = 0.5  # of a radius: chips nearer to each other from left to right have no order


@dataclass(frozen=True)
class Given:
    """A chip as the room names it: a value (0: bounty), and its colour's name where that was said."""

    value: int
    colour: str = ""


def chips_given(text: str) -> tuple[Given, ...]:
    """Read `white=1,red=5,pink=bounty`, or `1,5,25` for chips lying in that order from left to right.

    Raise `ChipSetError` for a text that is not of this form.

    >>> chips_given("white=1,red=5,pink=bounty")[2]
    Given(value=0, colour='pink')
    """
    chips = []
    for part in text.split(","):
        colour, equals, value = part.strip().rpartition("=")
        if equals and not colour.strip():
            raise ChipSetError(f"{part.strip()!r}: a colour is missing before the =")
        if value.strip().lower() == BOUNTY:
            chips.append(Given(0, colour.strip()))
            continue
        try:
            worth = int(value.strip().replace("_", ""))
        except ValueError:
            raise ChipSetError(
                f"{part.strip()!r} is no chip: write red=5, or 5 for chips in order from left to right"
            ) from None
        if worth <= 0:
            raise ChipSetError(f"{part.strip()!r}: a value is above 0 (or the word {BOUNTY})")
        chips.append(Given(worth, colour.strip()))
    if len({bool(chip.colour) for chip in chips}) > 1:
        raise ChipSetError(f"{text!r}: name the colour of every chip or of none")
    return tuple(chips)


def check_given(given: Sequence[Given], diameter_mm: float, thickness_mm: float) -> None:
    """Raise `ChipSetError` for chips that cannot be one set, before any picture is looked at."""
    kinds = [
        ChipKind(each.colour or f"chip {i}", each.value, (), each.value == 0) for i, each in enumerate(given, 1)
    ]
    ChipSet(tuple(kinds), diameter_mm, thickness_mm)


@dataclass(frozen=True)
class Enrolled:
    """What was learnt from a picture, and what a person should see of it."""

    chips: ChipSet
    tags: tuple[Tag, ...]


class EnrolError(ChipSetError):
    """A picture that teaches nothing; `tags` show what was found in it."""

    def __init__(self, why: str, tags: tuple[Tag, ...] = ()) -> None:
        super().__init__(why)
        self.tags = tags


def enrol(
    image: Image,
    given: Sequence[Given],
    *,
    diameter_mm: float = DIAMETER_MM,
    thickness_mm: float = THICKNESS_MM,
) -> Enrolled:
    """Learn the chips in a picture (BGR, from above). Raise `EnrolError` when they are not those given."""
    seen = look(image)
    if not isinstance(seen, PhotoChips):
        raise EnrolError("no chip is seen: lay one of each value flat on the felt, apart from each other")
    both = (*seen.chips, *seen.doubtful)
    words = colour_words(both, light_of(image, seen.gain, seen.ground, [chip.body for chip in seen.chips]))
    tags = tuple(
        Tag(*chip.at, chip.disc.radius, " or ".join(said) or "no word", i < len(seen.chips))
        for i, (chip, said) in enumerate(zip(both, words, strict=True))
    )
    if len(seen.chips) != len(given) or seen.doubtful:
        some = f" and {len(seen.doubtful)} that may be" if seen.doubtful else ""
        raise EnrolError(f"{len(given)} chips are named, {len(seen.chips)} are seen{some}: lay them apart", tags)
    if any(chip.uncovered < 1 for chip in seen.chips):
        raise EnrolError("chips lie over each other: lay them apart", tags)
    if given[0].colour:
        pairs = _by_colour(seen.chips, words, given, tags)
    else:
        pairs = _from_left(seen.chips, words, given, tags)
    kinds = tuple(
        ChipKind(colour, value, (ChipLook(chip.ground, chip.bands),), value == 0) for chip, value, colour in pairs
    )
    chips = ChipSet(kinds, diameter_mm, thickness_mm)
    for one, other in chips.alike():
        raise EnrolError(f"{one.colour} and {other.colour} look the same under this light: more light", tags)
    named = tuple(
        Tag(*chip.at, chip.disc.radius, f"{colour} {worth(value)}", True) for chip, value, colour in pairs
    )
    return Enrolled(chips, named)


def joined(sets: Sequence[ChipSet]) -> ChipSet:
    """The same chips taught by several pictures, as under day and evening light.

    Raise `ChipSetError` where a chip is not in every picture.
    """
    first = sets[0]
    kinds = []
    for kind in first.kinds:
        same = [
            other
            for each in sets
            for other in each.kinds
            if other.value == kind.value and other.bounty == kind.bounty
        ]
        if len(same) != len(sets):
            raise ChipSetError(f"the chip {kind.colour!r} is not in every picture")
        kinds.append(replace(kind, looks=tuple(look for other in same for look in other.looks)))
    return ChipSet(tuple(kinds), first.diameter_mm, first.thickness_mm)


_Pair = tuple[Chip, int, str]


def _by_colour(
    chips: Sequence[Chip], words: Sequence[tuple[str, ...]], given: Sequence[Given], tags: tuple[Tag, ...]
) -> list[_Pair]:
    pairs = []
    for each in given:
        fits = [chip for chip, said in zip(chips, words, strict=True) if each.colour.lower() in said]
        if len(fits) != 1:
            seen = ", ".join(" or ".join(said) or "no word" for said in words)
            raise EnrolError(
                f"{len(fits)} chips look {each.colour}; seen: {seen}. Lay them in a row and give the values"
                " from left to right",
                tags,
            )
        pairs.append((fits[0], each.value, each.colour))
    if len({id(chip) for chip, _, _ in pairs}) < len(pairs):
        raise EnrolError("two names fit one chip: lay them in a row and give the values from left to right", tags)
    return pairs


def _from_left(
    chips: Sequence[Chip], words: Sequence[tuple[str, ...]], given: Sequence[Given], tags: tuple[Tag, ...]
) -> list[_Pair]:
    order = sorted(range(len(chips)), key=lambda i: chips[i].disc.x)
    for left, right in pairwise(order):
        if chips[right].disc.x - chips[left].disc.x < IN_A_ROW * chips[left].disc.radius:
            raise EnrolError("chips lie above each other: lay them in a row, or name their colours", tags)
    pairs: list[_Pair] = []
    for i, each in zip(order, given, strict=True):
        word = words[i][0] if words[i] else "plain"
        taken = {colour for _, _, colour in pairs}
        name = next(n for n in (word, *(f"{word} {k}" for k in range(2, 99))) if n not in taken)
        pairs.append((chips[i], each.value, name))
    return pairs
