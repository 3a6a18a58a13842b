"""A room's chips as its camera sees them: the file that `feltwire vision enrol` writes, and which chip is which.

    diameter_mm = 39.0
    thickness_mm = 3.3

    [[chip]]
    colour = "red"      # name
    value = 5           # 0 for a bounty chip
    bounty = false

    [[chip.look]]       # one for each picture it was shown in
    ground = [78.1, 4.0, -0.5]                                       # Lab colour of what it lay on
    bands = [[31.1, 40.2, 9.6], [31.0, 40.0, 9.1], [31.2, 39.0, 7.4]]  # inlay, middle, edge

A chip looks different under other light, and so does the felt: colours are compared after the light is taken out
by what the chips lie on (J. von Kries, 1902). Where that is another cloth they are compared as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from table_core.toml_text import read_toml
from vision.chips.flat import Chip
from vision.chips.lab import Floats, from_linear, linear
from vision.file_errors import told_as

DIAMETER_MM, THICKNESS_MM = 39.0, 3.3
MOST_KINDS = 24
BAND_WEIGHTS = np.array([0.25, 0.35, 0.40])  # weights of inlay, middle, edge: inlays shine, edges wear
LIGHTNESS_COUNTS = 0.7  # lightness varies over a table, hue does not
SURE, FOREIGN = 15.0, 24.0  # distance to the nearest kind: at most this to be of it; from the second on of no kind
CLEARLY_NEARER, TIMES_NEARER = 5.0, 0.5  # than the next kind: at least this much, and this part of the distance
SAME_LIGHT = 1.25  # two ways to take the light out fit about equally well
TOO_ALIKE = 7.5  # two kinds nearer than this cannot be told apart
BRIGHTER, TINTED = (0.12, 8.0), (0.3, 3.3)  # how light may differ from that at enrolment, overall and by channel


class ChipSetError(ValueError):
    """A chip set that cannot be used: which file, what is wrong, what to do."""


@dataclass(frozen=True)
class ChipLook:
    """How a chip looked in one picture."""

    ground: Floats  # (3,) Lab
    bands: Floats  # (3, 3) Lab


def worth(value: int) -> str:
    """A chip's value in words."""
    return f"{value:,}" if value else "bounty"


@dataclass(frozen=True, eq=False)
class ChipKind:
    """One chip of the set. A bounty chip is no tournament chip: its value is 0."""

    colour: str
    value: int
    looks: tuple[ChipLook, ...]
    bounty: bool = False

    def __repr__(self) -> str:
        return f"Kind({self.colour!r}, {worth(self.value)})"


@dataclass(frozen=True)
class ChipSet:
    """The chips in play in a room."""

    kinds: tuple[ChipKind, ...]
    diameter_mm: float = DIAMETER_MM
    thickness_mm: float = THICKNESS_MM

    def __post_init__(self) -> None:
        """Raise `ChipSetError` for bad sizes, values or names."""
        if not 1 <= len(self.kinds) <= MOST_KINDS:
            raise ChipSetError(f"{len(self.kinds)} chips: a set has 1 to {MOST_KINDS}")
        if not 20 <= self.diameter_mm <= 80:
            raise ChipSetError(f"diameter_mm is {self.diameter_mm:g}: chips have 20 to 80")
        if not 1 <= self.thickness_mm <= 8:
            raise ChipSetError(f"thickness_mm is {self.thickness_mm:g}: chips have 1 to 8")
        for kind in self.kinds:
            if kind.bounty != (kind.value == 0) or kind.value < 0:
                raise ChipSetError(f"chip {kind.colour!r}: value {kind.value}; only a bounty chip has 0")
        for one, other in combinations(self.kinds, 2):
            if one.colour == other.colour:
                raise ChipSetError(f"two chips are called {one.colour!r}: give each a name of its own")
            if one.value == other.value and not one.bounty:
                raise ChipSetError(f"{one.colour!r} and {other.colour!r} both have the value {one.value}")

    def alike(self) -> list[tuple[ChipKind, ChipKind]]:
        """Pairs that the camera cannot tell apart."""
        return [pair for pair in combinations(self.kinds, 2) if _apart(*pair) < TOO_ALIKE]

    def name(self, chips: Sequence[Chip], ground: Floats) -> list[tuple[ChipKind | None, ...]]:
        """For each chip of one picture the kinds that it may be: one when that is sure. None is a foreign chip.

        `ground`, (3,) Lab, counts for chips around which none shows.
        """
        if not chips:
            return []
        grounds = [ground if np.isnan(chip.ground).any() else chip.ground for chip in chips]
        ways = [
            np.array(
                [[_distance(chip, kind, g) for kind in self.kinds] for chip, g in zip(chips, under, strict=True)]
            )
            for under in (grounds, [None] * len(chips))
        ]
        ways = [way for way in ways if np.isfinite(way).all()]
        fits = [float(np.minimum(way.min(axis=1), FOREIGN).mean()) + 0.5 for way in ways]
        best = ways[int(np.argmin(fits))]
        others = [way for way, fit in zip(ways, fits, strict=True) if fit < SAME_LIGHT * min(fits)]
        said = [self._either(best[i], [way[i] for way in others]) for i in range(len(chips))]
        return [
            (*self.kinds, None) if kinds == (None,) and chip.covering is not None else kinds
            for chip, kinds in zip(chips, said, strict=True)
        ]

    def _either(self, best: Floats, others: Sequence[Floats]) -> tuple[ChipKind | None, ...]:
        """What the best way says, and what others that fit as well say otherwise."""
        said = [self._said(row) for row in (best, *others)]
        return (None,) if said[0] == (None,) else tuple(dict.fromkeys(kind for kinds in said for kind in kinds))

    def _said(self, distances: Floats) -> tuple[ChipKind | None, ...]:
        order = np.argsort(distances)
        nearest = float(distances[order[0]])
        if nearest > FOREIGN:
            return (None,)
        margin = max(CLEARLY_NEARER, TIMES_NEARER * nearest) if nearest < SURE else FOREIGN
        kinds = tuple(self.kinds[i] for i in order if distances[i] - nearest < margin)
        return kinds if nearest < SURE else (*kinds, None)

    def save(self, path: Path) -> None:
        """Write this set as TOML. Raise `ChipSetError` when that cannot be done."""
        chips = [
            {
                "colour": kind.colour,
                "value": kind.value,
                "bounty": kind.bounty,
                "look": [{"ground": _tenths(look.ground), "bands": _tenths(look.bands)} for look in kind.looks],
            }
            for kind in self.kinds
        ]
        sizes = {"diameter_mm": self.diameter_mm, "thickness_mm": self.thickness_mm}
        text = "# A room's chips as its camera sees them; written by `feltwire vision enrol`.\n"
        text += tomli_w.dumps({**sizes, "chip": chips})
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ChipSetError(f"{path}: cannot be written ({error.strerror}); name another file") from error

    @classmethod
    def load(cls, path: Path) -> ChipSet:
        """Read what `save` wrote. Raise `ChipSetError` that names the file and what is wrong with it."""
        with told_as(ChipSetError, path, "chip set", "feltwire vision enrol"):
            data = read_toml(path.read_text(encoding="utf-8"))
            kinds = tuple(_kind_from(chip) for chip in data["chip"])
            return cls(kinds, float(data["diameter_mm"]), float(data["thickness_mm"]))


def _kind_from(chip: dict[str, object]) -> ChipKind:
    looks = chip["look"]
    value, bounty, colour = chip["value"], chip["bounty"], chip["colour"]
    if not isinstance(value, int) or not isinstance(bounty, bool) or not isinstance(colour, str) or not colour:
        raise ChipSetError("a chip needs a colour (text), a value (whole number) and bounty (true or false)")
    if not isinstance(looks, list) or not looks:
        raise ChipSetError(f"chip {colour!r} has no [[chip.look]]: enrol the chips again")
    return ChipKind(colour, value, tuple(_look_from(colour, look) for look in looks), bounty)


def _look_from(colour: str, look: dict[str, object]) -> ChipLook:
    try:
        ground, bands = np.array(look["ground"], np.float32), np.array(look["bands"], np.float32)
    except ValueError:
        ground, bands = np.empty(0, np.float32), np.empty(0, np.float32)
    numbers = ground.shape == (3,) and bands.shape == (3, 3)
    if not numbers or not (np.isfinite(ground).all() and np.isfinite(bands).all()):
        raise ChipSetError(f"chip {colour!r}: a look has a ground of 3 numbers and 3 bands of 3 numbers")
    return ChipLook(ground, bands)


def _tenths(colours: Floats) -> Any:
    """Lists of numbers with one decimal: more than an enrolment repeats."""
    return np.round(colours.astype(np.float64), 1).tolist()


def _distance(chip: Chip, kind: ChipKind, ground: Floats | None) -> float:
    """How unlike a kind a chip looks (about Lab units); infinite when the light cannot be taken out that way."""
    return min(_unlike(chip.bands, _relit(look, ground)) for look in kind.looks)


def _relit(look: ChipLook, ground: Floats | None) -> Floats | None:
    """How the chip would look where the ground has this colour; as it was when `ground` is None."""
    if ground is None:
        return look.bands
    change = np.maximum(linear(ground), 1e-3) / np.maximum(linear(look.ground), 1e-3)
    even = float(np.exp(np.log(change).mean()))
    tint = change / even
    if not BRIGHTER[0] < even < BRIGHTER[1] or tint.min() < TINTED[0] or tint.max() > TINTED[1]:
        return None
    return from_linear((linear(look.bands) * change).astype(np.float32))


def _unlike(bands: Floats, others: Floats | None) -> float:
    if others is None:
        return float("inf")
    off = (bands - others) * np.array([LIGHTNESS_COUNTS, 1, 1], np.float32)
    apart = np.linalg.norm(off, axis=1)
    seen = np.isfinite(apart)
    if not seen.any():
        return SURE  # fully covered: may be of any kind
    weights = BAND_WEIGHTS[seen]
    return float((apart[seen] * weights).sum() / weights.sum())


def _apart(one: ChipKind, other: ChipKind) -> float:
    return min(_unlike(mine.bands, theirs.bands) for mine in one.looks for theirs in other.looks)
