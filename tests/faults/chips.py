"""The chips of the rendered room, as a camera is taught them: one of each in a row."""

from __future__ import annotations

from feltwire.lab.simroom.felt.scene import CHIP_SET
from vision.chips.chipset import ChipSet
from vision.chips.enrol import Given, enrol
from vision.geometry.felt import Felt
from vision.synthetic.felt.renderer import Renderer
from vision.synthetic.felt.scene import ChipPile, Scene

APART_MM = 90.0


def rendered_chips(felt: Felt) -> ChipSet:
    """Taught by one rendered picture of `felt`."""
    y, middle = felt.height_mm / 2, felt.width_mm / 2 - APART_MM * (len(CHIP_SET) - 1) / 2
    row = tuple(
        ChipPile(value, colour, 1, middle + APART_MM * at, y) for at, (value, colour) in enumerate(CHIP_SET)
    )
    picture = Renderer(felt).render(Scene(felt, chips=row)).image
    return enrol(picture, [Given(value) for value, _ in CHIP_SET]).chips
