"""Teaches the simulated room's chips as a real room does: laid in a row under the camera."""

from __future__ import annotations

import functools
from pathlib import Path

from feltwire.lab.simroom.felt.scene import CHIP_SET
from vision.chips.chipset import ChipSet
from vision.chips.enrol import Given, enrol
from vision.geometry.felt import Felt
from vision.synthetic.felt.renderer import Renderer
from vision.synthetic.felt.scene import ChipPile, Scene

APART_MM = 70.0
SEED = 5


def enrol_chips(path: Path, seat_count: int) -> None:
    """Write the chip set that a camera above a table of so many seats learns from one chip of each value."""
    _chips_learned(seat_count).save(path)


@functools.cache
def _chips_learned(seat_count: int) -> ChipSet:
    """The same for every table of a room, and a second of work."""
    felt = Felt.for_seats(seat_count)
    lowest_first = CHIP_SET[::-1]
    left = felt.width_mm / 2 - APART_MM * (len(lowest_first) - 1) / 2
    row = tuple(
        ChipPile(value, colour, 1, left + APART_MM * place, felt.height_mm / 2)
        for place, (value, colour) in enumerate(lowest_first)
    )
    picture = Renderer(felt).render(Scene(felt, chips=row, seed=SEED)).image
    return enrol(picture, [Given(value) for value, _ in lowest_first]).chips
