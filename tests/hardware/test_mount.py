"""Camera and lamps: no card mirrors a lamp, the light is even, cameras take in what they hang for."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from hardware.drawings import mount_picture
from hardware.drawings.mount import MODELS, covers, faults, mount, taken_in

HUNG = mount()


def hung(**whole: Any) -> Any:
    return msgspec.structs.replace(HUNG, whole=msgspec.structs.replace(HUNG.whole, **whole))


def test_nothing_is_at_fault() -> None:
    assert list(faults(HUNG)) == []


@pytest.mark.parametrize(
    ("whole", "says"),
    [
        ({"lamp_at": (1200.0, 1600.0)}, "cards mirror the lamps"),
        ({"lamp_at": (1700.0, 2200.0)}, "cards mirror the lamps"),
        ({"lamp_at": (1500.0, 1300.0)}, "percent of the brightest's light"),
        ({"height": 1300.0}, "Logitech Brio 4K does not take in the table from 1300 mm"),
        ({"camera": "hq-6mm"}, "does not take in the table"),
    ],
)
def test_what_hangs_wrong_is_said(whole: dict[str, Any], says: str) -> None:
    assert any(says in fault for fault in faults(hung(**whole)))


def test_a_flat_card_at_the_edge_mirrors_what_is_at_the_cameras_angle() -> None:
    """With flat cards and a lamp as high as the camera: twice as far out as the card."""
    flat = msgspec.structs.replace(HUNG, warp_deg=0.0)
    assert flat.nearest_lamp(HUNG.whole.height) == pytest.approx(HUNG.table[1])
    across, height = HUNG.whole.lamp_at
    at = HUNG.mirrored_at((across, height))
    assert math.atan(at / HUNG.whole.height) == pytest.approx(math.atan((across - at) / height))
    assert at > HUNG.table[1] / 2


def test_light_falls_with_the_square_of_the_distance() -> None:
    near, far = hung(lamp_at=(0.001, 1000.0)), hung(lamp_at=(0.001, 2000.0))
    assert near.lux(0, 0) == pytest.approx(4 * far.lux(0, 0), rel=1e-3)
    assert near.lux(0, 0) == pytest.approx(2 * HUNG.lamp_lumen / math.pi, rel=1e-3)


def test_a_camera_takes_in_what_its_angle_says() -> None:
    for model in MODELS.values():
        wide, _ = taken_in(model, 1000.0)
        assert wide + 80 == pytest.approx(2 * 1000 * math.tan(math.radians(model.across_deg / 2)))
    brio = MODELS["brio"]
    assert (covers(brio, 1900.0, HUNG), covers(brio, 1400.0, HUNG), covers(brio, 300.0, HUNG)) == (
        "table",
        "board",
        "-",
    )


def test_sensor_and_focal_length_agree_with_the_angle() -> None:
    """Wide lenses bend, so makers' angles differ by a few degrees from those of a straight lens."""
    for name, data in HUNG.lens.items():
        assert abs(data.across_deg - MODELS[name].across_deg) < 4
        pixel_mm = data.sensor[0] / MODELS[name].size_px[0]
        straight = 1900 * pixel_mm / data.focal
        assert straight == pytest.approx(1 / MODELS[name].px_per_mm(1900), rel=0.07)


def test_the_document_and_the_picture_are_those_of_the_data() -> None:
    text = mount_picture.DOCUMENT.read_text("utf-8")
    for name, content in (("heights", mount_picture.heights(HUNG)), ("lenses", mount_picture.lenses(HUNG))):
        assert f"<!-- {name} -->\n{content}<!-- end -->" in text, "python -m hardware.drawings camera"
    assert mount_picture.PICTURE.read_text("utf-8") == mount_picture.picture(HUNG), (
        "python -m hardware.drawings camera"
    )
    height = HUNG.whole.lamp_at[1]
    assert f"which is {HUNG.nearest_lamp(height) / 1000:.2f} m at {height / 1000:.1f} m" in text
    assert f"give {HUNG.lux(0, 0):.0f} lx in the middle" in text
