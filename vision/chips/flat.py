"""Which of the discs in a picture are chips lying flat on one ground, whole or partly under each other.

A disc counts when its rim shows wherever no other chip lies over it, and when something other than the ground
fills it. A disc that has only part of that evidence is *doubtful*: it is neither counted nor forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.chips.discs import COS, RAYS, SIN, Bools, Circle, rays
from vision.chips.lab import DIM_CHANNEL, Floats, Lab, commonest, linear, mixed

WHOLE_RIM, CLEAR, SAME_SIZE, SOLID = 0.88, 9.0, 0.04, 0.7  # least evidence of a disc on any ground, such as a card
MOST_RIM, VERY_CLEAR, IN_THE_OPEN = 0.55, 18.0, 0.7  # least evidence on a card whose print hides part of it
ALIKE_AROUND = 0.4  # least part around such a disc that has the card's colour
LIKE_SIZED = 0.075  # part of the radius by which chips of one set differ, apart from lens and stacks
SURE_RIM, SOME_RIM = 0.68, 0.50  # least part of the uncovered rim that shows: a chip, a possible chip
SURE_OWN, SOME_OWN = 0.19, 0.14  # least part of the whole rim that shows and is no other chip's
LONE_FACING, PILE_FACING, SOME_FACING = 0.44, 0.44, 0.36  # least rim with the ground or a chip directly outside
BESIDE_CHIP = 0.18  # part of the radius: a chip within this of a rim is directly outside
SAME_HUE = 0.7  # factor on the tolerance for another ground, without lightness
DARKEST_SHADOW, EVEN_SHADOW = 0.3, 1.25  # least part of the ground's light; largest ratio between its channels
SHADOW = 0.45  # part of its light that the ground may lose in a shadow
SAME_DISC = 0.16  # part of the radius: closer centres are the same chip, or one exactly on another
ON_RIM = 0.055  # part of the radius: points closer to another rim may belong to that chip
NO_GROUND, FAINT_GROUND = 9.0, 4.0  # least distance from the ground in Lab units, of a clear chip and a faint one
FILLED = 0.66  # least part of a chip that differs from the ground
LEAST_SHOWN = 0.1  # least visible part of a chip that is counted
IN_A_PILE = 0.3  # visible part of a chip up to which its ground is taken from beyond its neighbours
OVER, UNDER, FEWEST_CROSSED = 0.7, 0.4, 4  # visible part of a rim inside another chip: above it, below it; rays
ONE_BODY = 0.24  # least part of a chip in its commonest colour
SECTORS, UNLIKE_BODY, MUCH_OF_IT = 12, 16.0, 0.4  # sectors of a chip; Lab units; part of a covering thing's rim
INSIDE = np.array([0.12, 0.28, 0.42, 0.54, 0.64, 0.74, 0.84, 0.92], np.float32)  # radii of samples inside a chip
BANDS = (slice(0, 3), slice(3, 5), slice(5, 8))  # inlay, middle, edge
BAND_SAMPLES = 14  # least samples in a band
BODY_FROM = 4  # index in `INSIDE` from which the body begins: a label is not the body
AROUND = np.array([1.15, 1.19, 1.23, 1.27, 1.31], np.float32)
CALM = 9.0  # Lab units: largest change of the ground directly outside a rim
COUNTS = np.array([1.0, 0.6, 0.6], np.float32)  # weights of L, a, b in that: compression blurs colours more


@dataclass(frozen=True)
class Chip:
    """A chip that lies there. `bands` are its colours (Lab) at inlay, middle and edge; NaN where hidden."""

    disc: Circle
    bands: Floats  # (3, 3)
    body: Floats  # (3,) its commonest colour
    ground: Floats  # (3,) the colour of what it lies on
    uncovered: float  # the part of it (0 to 1) that shows
    covering: Floats | None = None  # (3,) the colour of something unknown that lies over its rim

    @cached_property
    def at(self) -> tuple[float, float]:
        """The centre: x, y in pixels."""
        return self.disc.x, self.disc.y


@dataclass(frozen=True)
class Flat:
    """Chips that lie flat, and discs that may be chips."""

    chips: tuple[Chip, ...]
    doubtful: tuple[Chip, ...]


def lying_flat(lab: Lab, discs: Sequence[Circle], radius: float, ground: Floats, tolerance: float) -> Flat:
    """The chips among `discs`, of about `radius` pixels, on a ground like `ground` (within `tolerance`, Lab)."""
    right = [d for d in discs if abs(d.radius / radius - 1) < LIKE_SIZED and d.seen >= SOME_OWN]
    looks = looks_at(lab, right)
    looks.sort(key=lambda look: -look.disc.seen * min(look.disc.contrast, 20.0))
    sure: list[DiscLook] = []
    for least in (LONE_FACING, PILE_FACING, PILE_FACING):  # those at the edge of a pile make room for those within
        for look in looks:
            discs_so_far = [other.disc for other in sure]
            if look in sure or look.is_one_of(discs_so_far) or not look.lies_on(ground, tolerance, discs_so_far):
                continue
            if look.stands(discs_so_far, least):
                sure.append(look)
    doubtful = _hardly_seen(sure)
    sure = [look for look in sure if look not in doubtful]
    found = [look.disc for look in sure]
    for look in looks:
        if look in sure or look.is_one_of([*found, *(d.disc for d in doubtful)]):
            continue
        on_it = look.lies_on(ground, tolerance, found) and look.may_stand(found)
        if on_it or look.is_whole(radius, found):
            doubtful.append(look)
    return Flat(
        tuple(look.chip([other for other in found if other is not look.disc]) for look in sure),
        tuple(look.chip(found) for look in doubtful),
    )


def _hardly_seen(looks: Sequence[DiscLook]) -> list[DiscLook]:
    """Those of which next to nothing shows, the least first: a shadow's rim beside a chip is such a one."""
    left, hardly = list(looks), []
    while left:
        shows = [look.uncovered([other.disc for other in left if other is not look]) for look in left]
        if min(shows) >= LEAST_SHOWN:
            break
        hardly.append(left.pop(int(np.argmin(shows))))
    return hardly


@dataclass(frozen=True, eq=False)
class DiscLook:
    """The colours of one disc inside and around: what tells whether it is a chip."""

    disc: Circle
    inside: Floats  # (RAYS, len(INSIDE), 3)
    around: Floats  # (RAYS, len(AROUND), 3)

    def is_one_of(self, others: Sequence[Circle]) -> bool:
        """Whether its centre is that of another: the same chip, or one squarely on another."""
        x, y = self.disc.x, self.disc.y
        return any(np.hypot(x - o.x, y - o.y) < SAME_DISC * o.radius for o in others)

    def lies_on(self, ground: Floats, tolerance: float, others: Sequence[Circle]) -> bool:
        """Whether what shows around it, apart from other chips, may be the ground.

        `ground` is (3,) Lab, `tolerance` in Lab units; discs are in pixels.
        """
        if _is_ground(self.surroundings, ground, tolerance):
            return True
        if self.uncovered([other for other in others if not self._lies_over(other)]) <= IN_A_PILE:
            return False
        beside = self.ground(others)
        return beside is not None and _is_ground(beside, ground, tolerance)

    def stands(self, others: Sequence[Circle], least: float) -> bool:
        """Whether everything that nothing lies over says that this is a chip."""
        rim, own, facing = self.evidence(others)
        return rim >= SURE_RIM and own >= SURE_OWN and facing >= least and self.filled(others)

    def is_whole(self, radius: float, others: Sequence[Circle]) -> bool:
        """Whether it is so clearly a disc of a chip's size that it may be one on a card or a rail."""
        disc = self.disc
        if abs(disc.radius / radius - 1) >= SAME_SIZE or disc.seen < MOST_RIM or disc.contrast < CLEAR:
            return False
        body, solid = commonest(self.inside.reshape(1, -1, 3))
        clear = disc.seen >= WHOLE_RIM
        most = disc.contrast >= VERY_CLEAR and self.uncovered(others) > IN_THE_OPEN
        if most and not clear:  # a bare part of a card is as white beyond the print around it
            most = float((np.linalg.norm(self.around - body[0], axis=2) < UNLIKE_BODY).mean()) < ALIKE_AROUND
        return (clear or most) and float(solid[0]) >= SOLID and self.filled(())

    def may_stand(self, others: Sequence[Circle]) -> bool:
        rim, own, facing = self.evidence(others)
        return rim >= SOME_RIM and own >= SOME_OWN and facing >= SOME_FACING and self.filled(others)

    def _lies_over(self, other: Circle) -> bool:
        """Whether its rim shows within another chip, and that one's not within it."""
        mine, theirs = _shows_within(self.disc, other), _shows_within(other, self.disc)
        return mine is not None and theirs is not None and mine >= OVER and theirs <= UNDER

    def evidence(self, others: Sequence[Circle]) -> tuple[float, float, float]:
        """How much of the rim shows where no other chip lies over it; how much of a whole rim is no other chip's
        rim; and how much of it shows with the ground, or another chip, right outside."""
        x, y = self.disc.x + self.disc.radius * COS, self.disc.y + self.disc.radius * SIN
        free, own = np.ones(RAYS, np.bool_), self.disc.rim.copy()
        facing = self._ground_side.copy()
        for other in others:
            apart = np.hypot(x - other.x, y - other.y) / other.radius - 1
            free &= apart > ON_RIM
            own &= np.abs(apart) > ON_RIM
            facing |= apart < BESIDE_CHIP
        shows = float((self.disc.rim & free).sum()) / max(1, int(free.sum()))
        return shows, float(own.mean()), float((self.disc.rim & facing).mean())

    @cached_property
    def _ground_side(self) -> Bools:
        """In which directions the ground, or its shadowed part, lies right outside the rim."""
        here = self.surroundings
        calm = np.linalg.norm(np.ptp(self.around, axis=1) * COUNTS, axis=1) < CALM
        off = self.around.mean(axis=1) - here
        hue = np.hypot(off[:, 1], off[:, 2])
        lit = np.abs(off[:, 0]) < NO_GROUND
        shadow = (off[:, 0] < 0) & (off[:, 0] > -SHADOW * max(1.0, float(here[0])))
        return np.asarray(calm & (hue < NO_GROUND) & (lit | shadow), np.bool_)

    def filled(self, others: Sequence[Circle]) -> bool:
        """Whether it is filled with something else than the ground, much of it of one colour."""
        free = self._free(INSIDE, others)
        here = self.ground(others)
        if free.sum() < BAND_SAMPLES:
            return False
        colours = self.inside[free]
        body, share = commonest(colours[None])
        edge, edge_share = commonest(self._outer(free)[None])  # around a label of another colour
        if here is not None:
            off = float(np.linalg.norm(body[0] - here))
            if np.linalg.norm(edge[0] - here) < FAINT_GROUND or _is_shadow(body[0], here):
                return False
            apart = max(FAINT_GROUND, min(NO_GROUND, 0.5 * off))
            if float((np.linalg.norm(colours - here, axis=1) > apart).mean()) < FILLED:
                return False
        return max(float(share[0]), float(edge_share[0])) > ONE_BODY

    def _outer(self, free: Bools) -> Floats:
        """Samples (n, 3) of what shows of it around a label; of all that shows where that is little."""
        outer = free.copy()
        outer[:, :BODY_FROM] = False
        shown = outer if outer.sum() >= BAND_SAMPLES else free
        return self.inside[shown] if shown.any() else self.inside.reshape(-1, 3)

    def chip(self, others: Sequence[Circle]) -> Chip:
        free = self._free(INSIDE, others)
        shown, covering = self._covered(free)
        bands = np.full((3, 3), np.nan, np.float32)
        for i, band in enumerate(BANDS):
            colours = self.inside[:, band][shown[:, band]]
            if len(colours) >= BAND_SAMPLES:
                bands[i] = np.median(colours, axis=0)
        ground = self.ground(others)
        if ground is None:
            ground = np.full(3, np.nan, np.float32)
        body = commonest(mixed(self._outer(shown))[None])[0][0]
        return Chip(self.disc, bands, body, ground, float(free.mean()), covering)

    def _covered(self, free: Bools) -> tuple[Bools, Floats | None]:
        """The samples that are surely its own, and the colour of what hides its rim, where that looks different.

        A chip that was not found may lie over it: there its rim does not show.
        """
        rim = self.disc.rim.reshape(SECTORS, -1).mean(axis=1) > 0.5
        bare = ~rim & (free.reshape(SECTORS, -1).mean(axis=1) > 0.5)
        hidden = np.repeat(bare & (np.roll(bare, 1) | np.roll(bare, -1)), RAYS // SECTORS)[:, None] & free
        own = free & ~hidden
        if hidden.sum() < BAND_SAMPLES or own.sum() < BAND_SAMPLES:
            return free, None
        over, share = commonest(self._outer(hidden)[None])
        unlike = np.linalg.norm(over[0] - commonest(self._outer(own)[None])[0][0]) > UNLIKE_BODY
        return (own, np.asarray(over[0], np.float32)) if unlike and share[0] > MUCH_OF_IT else (free, None)

    def uncovered(self, others: Sequence[Circle]) -> float:
        """The part (0 to 1) of it over which no other chip lies or may lie."""
        return float(self._free(INSIDE, others).mean())

    @cached_property
    def surroundings(self) -> Floats:
        """The commonest colour around the disc, chips or not: (3,) Lab."""
        colour: Floats = commonest(self.around.reshape(1, -1, 3))[0][0]
        return colour

    def ground(self, others: Sequence[Circle]) -> Floats | None:
        """The commonest colour around the disc where no other chip lies; None where chips lie all around.

        The colour is (3,) Lab; discs are in pixels.
        """
        free = self._free(AROUND, others)
        if free.sum() < BAND_SAMPLES:
            return None
        colour: Floats = commonest(self.around[free][None])[0][0]
        return colour

    def _free(self, radii: Floats, others: Sequence[Circle]) -> Bools:
        """Which samples at `radii` no other chip covers or may cover."""
        x = self.disc.x + self.disc.radius * COS[:, None] * radii
        y = self.disc.y + self.disc.radius * SIN[:, None] * radii
        free = np.ones(x.shape, np.bool_)
        for other in others:
            free &= ~other.holds(x, y, 1.06)
        return free


def _shows_within(disc: Circle, other: Circle) -> float | None:
    """The part (0 to 1) of a disc's rim within another that shows; None where hardly any runs there."""
    x, y = disc.x + disc.radius * COS, disc.y + disc.radius * SIN
    crossed = other.holds(x, y, 1 - ON_RIM)
    return float(disc.rim[crossed].mean()) if crossed.sum() >= FEWEST_CROSSED else None


def _is_ground(here: Floats, ground: Floats, tolerance: float) -> bool:
    off = here - ground
    return bool(np.linalg.norm(off) < tolerance and float(np.hypot(off[1], off[2])) < SAME_HUE * tolerance)


def _is_shadow(body: Floats, ground: Floats) -> bool:
    """Whether a colour is the ground's own, only darker."""
    light = linear(ground)
    left = (linear(body) / np.maximum(light, 1e-4))[light > DIM_CHANNEL * light.max()]
    if left.size < 2:
        return False
    return bool(left.max() < 1 and left.min() > DARKEST_SHADOW and left.max() < EVEN_SHADOW * left.min())


def looks_at(lab: Lab, discs: Sequence[Circle]) -> list[DiscLook]:
    """Sample the Lab colours of each disc and its surroundings.

    `lab` is (height, width, 3); discs are in its pixels.
    """
    if not discs:
        return []
    inside, around = rays(lab, discs, INSIDE), rays(lab, discs, AROUND)
    return [DiscLook(disc, inside[i], around[i]) for i, disc in enumerate(discs)]
