"""What a tilted camera behind a lens that bends shows of the felt, as if it hung straight above."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from vision.camera.csi import small_of
from vision.camera.jpeg import JpegPixels
from vision.geometry.felt import Felt
from vision.geometry.hanging import OUTSIDE, Calibration, Lens
from vision.geometry.pixels import RawPixels
from vision.geometry.view import CalibratedView, StraightView, Window, shrink_of

CAMERAS = [
    pytest.param((1920, 1080), (-0.11, 0.02), 0.30, id="1080p"),
    pytest.param((3840, 2160), (-0.25, 0.08), 0.35, id="4K, wide"),
    pytest.param((4056, 3040), (-0.30, 0.10), 0.20, id="12 MP, wide"),
    pytest.param((1437, 811), (0.05, 0.0), 0.10, id="of an odd size"),
]


def hung(size: tuple[int, int], bend: tuple[float, float], tilt: float) -> tuple[Felt, Calibration]:
    """A camera 1.75 m above the felt that looks at its middle from the side."""
    focal = size[0] * 0.7
    middle = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    lens = Lens(size, (focal, focal), middle, (*bend, 0.0, 0.0, 0.0))
    felt = Felt.for_seats(9, px_per_mm=round(focal / 1750, 3))
    turn = cv2.Rodrigues(np.array([tilt, 0.05, 0.02]))[0]
    where = np.array([felt.width_mm / 2 + 60, felt.height_mm / 2 - 1750 * np.tan(tilt), -1750.0])
    angles = np.ravel(cv2.Rodrigues(turn)[0])
    shift = -turn @ where
    return felt, Calibration(lens, tuple(map(float, angles)), tuple(map(float, shift)))  # type: ignore[arg-type]


def seen_at(size: tuple[int, int]) -> np.ndarray:
    """A picture whose colours say where a pixel is: blue grows to the right, green downwards."""
    across, down = np.meshgrid(np.linspace(0, 255, size[0]), np.linspace(0, 255, size[1]))
    return np.stack([across, down, np.full_like(across, 90)], axis=-1).astype(np.uint8)


@pytest.mark.parametrize(("size", "bend", "tilt"), CAMERAS)
def test_a_part_of_the_felt_is_cut_where_each_of_its_pixels_is_seen(
    size: tuple[int, int], bend: tuple[float, float], tilt: float
) -> None:
    felt, calibration = hung(size, bend, tilt)
    view, picture = CalibratedView(felt, calibration), seen_at(size)
    width, height = felt.size_px
    for left, top in ((0, 0), (width // 2, height // 3), (width - 200, height - 150)):
        window = Window(left, top, left + 200, top + 150)
        cut = view.cut(picture, window)
        x, y = np.meshgrid(np.arange(left, left + 200), np.arange(top, top + 150))
        where = view.to_picture(np.stack([x, y], axis=-1))
        inside = ((where >= 1) & (where <= np.array(size) - 2)).all(axis=-1)
        told = where / (np.array(size) - 1) * 255
        assert cut.shape == (150, 200, 3)
        assert np.abs(cut[..., :2] - told)[inside].max(initial=0.0) < 1.5
        assert (cut[(where == OUTSIDE).any(axis=-1)] == 0).all()


@pytest.mark.parametrize(("size", "bend", "tilt"), CAMERAS)
def test_the_picture_for_motion_shows_the_whole_felt(
    size: tuple[int, int], bend: tuple[float, float], tilt: float
) -> None:
    felt, calibration = hung(size, bend, tilt)
    view, shrink = CalibratedView(felt, calibration), shrink_of(felt)
    small = view.shrunk(RawPixels(seen_at(size)))
    decoded = view.shrunk(JpegPixels(cv2.imencode(".jpg", seen_at(size))[1].tobytes()))
    x, y = np.meshgrid(np.arange(small.shape[1]), np.arange(small.shape[0]))
    where = view.to_picture((np.stack([x, y], axis=-1) + 0.5) * shrink - 0.5)
    inside = ((where >= 2 * shrink) & (where <= np.array(size) - 1 - 2 * shrink)).all(axis=-1)
    assert inside.mean() > 0.5
    told = where / (np.array(size) - 1) * 255
    for seen, off in ((small, 2.5), (decoded, 3.5)):
        assert np.abs(seen[..., :2] - told)[inside].max() < off


@pytest.mark.parametrize("px_per_mm", [0.7, 0.77, 0.9, 1.0, 1.1, 1.2, 1.35, 1.55, 1.64, 1.86, 2.4])
def test_noise_is_averaged_alike_in_each_pixel_of_the_picture_for_motion(px_per_mm: float) -> None:
    """Where some were made of few of the camera's, courts moved under a webcam's noise at 1.1 and 1.2 px/mm."""
    felt = Felt(150.0, 150.0, px_per_mm, {}, 2)
    view, chance, sensor = StraightView(felt), np.random.default_rng(3), 30.0
    shot = chance.normal(128, sensor, (30, *felt.size_px[::-1], 3)).clip(0, 255).astype(np.uint8)
    small = np.stack([view.shrunk(RawPixels(picture)) for picture in shot]).astype(np.float32)
    most = 1.1 * sensor / shrink_of(felt)
    for others in ((0, 1, 3), (0, 2, 3)):  # each column, each row
        assert small.std(axis=others).max() < most


@pytest.mark.parametrize("reduced", [1, 4], ids=["whole", "decoded at a quarter"])
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1640, 1232), (2560, 1440)])
def test_a_calibrated_camera_averages_noise_alike_all_over_the_table(size: tuple[int, int], reduced: int) -> None:
    felt, calibration = hung(size, (-0.11, 0.02), 0.30)
    view, chance, sensor = CalibratedView(felt, calibration), np.random.default_rng(3), 30.0
    small = np.stack([view.shrunk(_Given(picture, reduced)) for picture in _noise(size, sensor, chance)])
    inside = small.mean(axis=(0, 3)) > 100
    spread = cv2.blur(small.astype(np.float32).var(axis=(0, 3)), (5, 5)) ** 0.5
    assert inside.mean() > 0.5
    assert spread[cv2.erode(inside.astype(np.uint8), np.ones((7, 7))) > 0].max() < 1.1 * sensor / shrink_of(felt)


@pytest.mark.parametrize("size", [(4056, 3040), (4608, 2592), (3280, 2464), (2028, 1520)])
def test_a_pi_cameras_second_stream_is_reduced_as_far_as_motion_needs(size: tuple[int, int]) -> None:
    """A sixth of the picture, as it was at any size, has a third more noise than an eighth: courts moved in dim
    light."""
    felt, calibration = hung(size, (-0.11, 0.02), 0.30)
    view, chance, sensor = CalibratedView(felt, calibration), np.random.default_rng(3), 60.0
    stream = _noise(small_of(size), sensor * small_of(size)[0] / size[0], chance)
    small = np.stack([view.shrunk(_SecondStream(size, picture)) for picture in stream])
    inside = small.mean(axis=(0, 3)) > 100
    spread = cv2.blur(small.astype(np.float32).var(axis=(0, 3)), (5, 5)) ** 0.5
    assert inside.mean() > 0.5
    assert spread[cv2.erode(inside.astype(np.uint8), np.ones((7, 7))) > 0].max() < 1.1 * sensor / shrink_of(felt)


class _SecondStream(RawPixels):
    """What a Pi camera's hardware has reduced."""

    def __init__(self, size: tuple[int, int], small: np.ndarray) -> None:
        super().__init__(small)
        self._whole = size

    @property
    def size(self) -> tuple[int, int]:
        return self._whole


def _noise(size: tuple[int, int], sensor: float, chance: np.random.Generator) -> Iterator[np.ndarray]:
    for _ in range(12):
        yield (128 + sensor * chance.standard_normal((*size[::-1], 3), np.float32)).clip(0, 255).astype(np.uint8)


class _Given(RawPixels):
    """A picture that is had at a part of its size as cheaply, as a JPEG is."""

    def __init__(self, image: np.ndarray, part: int) -> None:
        super().__init__(image)
        self._small = cv2.resize(image, None, fx=1 / part, fy=1 / part, interpolation=cv2.INTER_AREA)

    def reduced(self, least: tuple[int, int]) -> np.ndarray:
        return self._small
