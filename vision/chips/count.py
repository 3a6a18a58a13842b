"""How many chips of which colour a plain picture shows: exact, or an honest range.

Chips are taken to lie flat. One that is larger than its neighbours may be a stack: seen from straight above its
height is unknown, and the range has no upper end.
"""

from __future__ import annotations

import collections
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.chips.chipset import ChipKind, ChipSet, worth
from vision.chips.flat import Chip
from vision.chips.lab import Floats
from vision.chips.light import FALLS, FALLS_MUCH, WhiteBalance, fall_of, light_of
from vision.chips.names import WORDS, words_for
from vision.chips.photo import NoScale, PhotoChips, look
from vision.pictures import Image

ONE_COLOUR = 16.0  # Lab units: chips nearer to each other than this are of one kind, where no set is known
WELL_SEEN = 0.9  # of a chip shows: what is commonest on it is its body
WHITE = ("white", None)
UNKNOWN = "unknown"  # a chip of no kind of the set, or a colour without a name


@dataclass
class ColourCount:
    """Chips of one colour. `high` is None where a stack's height is unknown; `at` are their centres in pixels.

    `value` is None where no set is known, and 0 for a bounty chip.
    """

    colour: str
    value: int | None
    low: int = 0
    high: int | None = 0
    at: list[tuple[float, float]] = field(default_factory=list)

    @property
    def exact(self) -> bool:
        return self.low == self.high

    @property
    def count(self) -> int | None:
        """The number, where it is exact."""
        return self.low if self.exact else None

    @property
    def unread(self) -> bool:
        """Whether the range is wider than one chip."""
        return self.high is None or self.high - self.low > 1

    def add(self, at: tuple[float, float], *, sure: bool = True, stack: bool = False) -> None:
        self.low += sure
        self.high = None if stack or self.high is None else self.high + 1
        self.at.append(at)


@dataclass(frozen=True)
class Tag:
    """One disc for a person to look at: what it was taken for, and whether that is sure."""

    x: float
    y: float
    radius: float
    text: str
    sure: bool


@dataclass(frozen=True)
class ChipCount:
    """What a picture shows, the most numerous colour first."""

    counts: tuple[ColourCount, ...] = ()
    tags: tuple[Tag, ...] = ()
    why: str = ""  # what is withheld, and for which reason; empty where every count is exact


def count_chips(image: Image, chips: ChipSet | None = None) -> ChipCount:
    """Count the chips in a picture (BGR) taken from above; with a set by its values, else by colour words."""
    fall = fall_of(image)
    if fall is not None and fall.ratio > FALLS_MUCH:
        return _withheld("the light falls to a quarter from one side to the other: light the table evenly", chips)
    if chips is None and fall is not None and fall.ratio > FALLS:  # a set knows the ground beside each chip
        image = fall.evened(image)
    seen = look(image)
    if seen is None:
        return ChipCount()
    if isinstance(seen, NoScale):
        return _withheld(seen.why, chips)
    both = (*seen.chips, *seen.doubtful)
    if chips is not None:
        return _summed(seen, both, [tuple(map(_key, kinds)) for kinds in chips.name(both, seen.ground)])
    light = light_of(image, seen.gain, seen.ground, [chip.body for chip in seen.chips])
    names = [tuple(_plain(word) for word in words) for words in colour_words(both, light)]
    return _summed(seen, both, names, white_hidden=light.is_white(seen.ground))


def _withheld(why: str, chips: ChipSet | None) -> ChipCount:
    """Any number of every colour."""
    names = [_plain(word) for word in WORDS] if chips is None else [_key(kind) for kind in chips.kinds]
    return ChipCount(tuple(ColourCount(*name, 0, None) for name in names), (), why)


_Name = tuple[str, int | None]  # colour, value


def _key(kind: ChipKind | None) -> _Name:
    return (kind.colour, kind.value) if kind is not None else (UNKNOWN, None)


def _text(name: _Name) -> str:
    colour, value = name
    return colour if value is None else f"{colour} {worth(value)}"


def _plain(word: str) -> _Name:
    return word, None


def _summed(
    seen: PhotoChips, both: Sequence[Chip], names: Sequence[tuple[_Name, ...]], *, white_hidden: bool = False
) -> ChipCount:
    counts: dict[_Name, ColourCount] = {}
    tags = []
    why: list[str] = []
    for i, (chip, said) in enumerate(zip(both, names, strict=True)):
        standing = i < len(seen.chips)
        stack = standing and seen.is_raised(chip)
        for name in said or ((UNKNOWN, None),):
            sure = standing and len(said) <= 1
            counts.setdefault(name, ColourCount(*name)).add(chip.at, sure=sure, stack=stack)
        text = " or ".join(map(_text, said)) or UNKNOWN
        tags.append(Tag(*chip.at, chip.disc.radius, text, standing and len(said) == 1))
        why.append(_why(text, 0 if said == ((UNKNOWN, None),) else len(said), standing=standing, stack=stack))
    if white_hidden:
        counts.setdefault(WHITE, ColourCount(*WHITE)).high = None
        why.append("white: on a table that is nearly as pale not all are seen")
    counted = collections.Counter(filter(None, why))
    reasons = [f"{n} x {reason}" if n > 1 else reason for reason, n in counted.items()]
    return ChipCount(
        tuple(sorted(counts.values(), key=lambda c: (-c.low, c.colour))), tuple(tags), "; ".join(sorted(reasons))
    )


def _why(text: str, colours: int, *, standing: bool, stack: bool) -> str:
    """Why one disc is not counted for sure; empty where it is."""
    reasons = []
    if not standing:
        reasons.append("too little of it shows")
    if stack:
        reasons.append("larger than the others, a stack of unknown height")
    if colours == 0:
        reasons.append("like no chip that is known")
    if colours > 1:
        reasons.append("its colour lies between")
    return f"{text}: {', '.join(reasons)}" if reasons else ""


def colour_words(chips: Sequence[Chip], light: WhiteBalance) -> list[tuple[str, ...]]:
    """Words for each chip under a light; chips of one colour get the same."""
    words: list[tuple[str, ...]] = [()] * len(chips)
    for group in _groups([chip.body for chip in chips]):
        body = np.median([chips[i].body for i in group], axis=0).astype(np.float32)
        said = words_for(body, light)
        for i in group:
            words[i] = tuple(dict.fromkeys((*said, *_edge_words(chips[i], light))))
    return words


def _edge_words(chip: Chip, light: WhiteBalance) -> tuple[str, ...]:
    """What the edge of a chip looks like, that may be its body as well as what is commonest on it."""
    edge = chip.bands[-1]
    if chip.covering is not None:
        return words_for(chip.covering, light)
    if chip.uncovered > WELL_SEEN or np.isnan(edge).any() or np.linalg.norm(edge - chip.body) < ONE_COLOUR:
        return ()
    return words_for(edge, light)


def _groups(bodies: Sequence[Floats]) -> list[list[int]]:
    """Colours that lie near each other, joined step by step while all of a group are."""
    groups = [[i] for i in range(len(bodies))]

    def width(one: list[int], other: list[int]) -> float:
        return max(float(np.linalg.norm(bodies[i] - bodies[j])) for i in one for j in other)

    while len(groups) > 1:
        pairs = [(width(a, b), i, j) for i, a in enumerate(groups) for j, b in enumerate(groups) if i < j]
        least, i, j = min(pairs)
        if least > ONE_COLOUR:
            break
        groups[i] += groups.pop(j)
    return groups
