"""What a picture of a calibrated camera costs, by its size: `python -m tests.vision.camera.cost`.

A nine-handed table under a tilted camera behind a lens that bends. A still picture, and the dearest one after ten
faces and six backs moved, each as a ratio to OpenCV's ArUco detection on the same picture in the same run.
"""

from __future__ import annotations

import itertools
import resource
import statistics
import time
from collections.abc import Callable

import cv2
import numpy as np

from table_core.messages import Zone
from tests.vision.camera.hung_camera import HungCamera, Image, Rail, photograph
from vision.calibration.table import calibrate_cameras
from vision.cards import CardReader
from vision.geometry.felt import Felt
from vision.geometry.hanging import Lens
from vision.synthetic.felt import LyingCard, Scene
from vision.watching.watcher import Watcher

SIZES = {"1080p": (1920, 1080), "4K": (3840, 2160), "12 MP": (4056, 3040)}
BEND = (-0.08, 0.01)
FELT = Felt.for_seats(9)
PLACES = (Zone.BOARD, Zone.cards(2), Zone.cards(5), Zone.cards(7))
FACES = (
    (("Ah", "Td", "2c", "9s", "Qd"), ("Ks", "7h"), ("8c", "8d"), ("5s",)),
    (("3d", "Jc", "As", "6h", "Th"), ("Qc", "9d"), ("4s", "Kh"), ("2d",)),
)


def main() -> None:
    print("picture  ArUco ms  still ms  ratio  changed ms  ratio  pictures  px/mm  memory MiB")
    for name, size in SIZES.items():
        measure(name, size)


def measure(name: str, size: tuple[int, int]) -> None:
    focal = size[0] * 0.7
    camera = HungCamera((60.0, 90.0, 1750.0), (1.0, -1.0), 3.0, focal, BEND, size)
    middle = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    lens = Lens(size, (focal, focal), middle, (*BEND, 0.0, 0.0, 0.0))
    shown = [photograph(scene(row), camera, Rail(), fine=focal / 1750 * 1.6) for row in range(2)]
    done = calibrate_cameras([(shown[0], lens)], 9)
    rng = np.random.default_rng(1)
    scenes = [itertools.cycle([noisy(picture, rng) for _ in range(3)]) for picture in shown]
    watcher = Watcher(done.felt, CardReader(), done.calibration)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))

    def look(row: int) -> float:
        return spent(lambda: watcher.step(next(scenes[row])))

    for _ in range(12):
        look(0)
    aruco = statistics.median(spent(lambda: detector.detectMarkers(shown[0])) for _ in range(5))
    changes = []
    for row in (1, 0, 1, 0):
        costs = [look(row), look(row)]
        while watcher.reading:
            costs.append(look(row))
        changes.append(costs)
    changed = statistics.median(max(costs) for costs in changes)
    still = statistics.median(look(0) for _ in range(15))
    named = {zone: watcher.readings[zone].cards for zone in PLACES}
    assert named == dict(zip(PLACES, FACES[0], strict=True)), f"not all cards were read: {named}"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{name:7} {aruco:9.1f} {still:9.1f} {still / aruco:6.2f} {changed:11.1f} {changed / aruco:6.2f} "
        f"{len(changes[0]):9} {done.felt.px_per_mm:6.2f} {memory:11}",
        flush=True,
    )


def scene(row: int) -> Scene:
    """Faces on the board and at three seats, backs at three others; `row` moves the backs by some millimetres."""
    cards = [
        LyingCard(name, *FELT.spot(zone, i, len(names)))
        for zone, names in zip(PLACES, FACES[row], strict=True)
        for i, name in enumerate(names)
    ]
    for seat, i in itertools.product((1, 4, 8), range(2)):
        x, y, turned = FELT.spot(Zone.cards(seat), i, 2)
        cards.append(LyingCard(None, x + 5.0 * row, y, turned))
    return Scene(FELT, tuple(cards), button=3)


def noisy(picture: Image, rng: np.random.Generator) -> Image:
    return np.asarray(cv2.add(picture, rng.integers(0, 3, picture.shape, dtype=np.uint8)), np.uint8)


def spent(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1000


if __name__ == "__main__":
    main()
