"""What a picture of a calibrated camera costs, by its size and how it comes: `python -m tests.vision.camera.cost`.

A nine-handed table under a tilted camera behind a lens that bends. A still picture, and the dearest one after ten
faces and six backs moved, each also as a ratio to OpenCV's ArUco detection on the same picture in the same run. It
comes as pixels, as JPEG (a USB camera: its decoding counts), or in two streams (a Pi camera, whose hardware makes
the small one and writes both into its buffers). Memory is what a look needs at most beside what lay there before.
"""

from __future__ import annotations

import ctypes
import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from table_core.messages import Zone
from tests.vision.camera.photograph import photograph
from tests.vision.camera.pi_camera import MappedArray, PiBuffer, PiRequest
from vision.calibration.table import Calibrated, calibrate_cameras
from vision.camera.csi import CsiPixels, small_of
from vision.camera.jpeg import JpegPixels
from vision.cards import CardReader
from vision.geometry.felt import Felt
from vision.geometry.pixels import Pixels, RawPixels
from vision.synthetic.felt import LyingCard, Scene
from vision.synthetic.felt.hung import HungCamera, Image, Rail
from vision.watching.watcher import Watcher

SIZES = {"1080p": (1920, 1080), "4K": (3840, 2160), "12 MP": (4056, 3040)}
BEND = (-0.08, 0.01)
FELT = Felt.for_seats(9)
PLACES = (Zone.BOARD, Zone.cards(2), Zone.cards(5), Zone.cards(7))
FACES = (
    (("Ah", "Td", "2c", "9s", "Qd"), ("Ks", "7h"), ("8c", "8d"), ("5s",)),
    (("3d", "Jc", "As", "6h", "Th"), ("Qc", "9d"), ("4s", "Kh"), ("2d",)),
)
QUALITY = 85  # of a webcam's JPEG


def main() -> None:
    cv2.setNumThreads(1)  # as a table's cameras do
    print("picture comes as      ArUco ms  still ms  ratio  changed ms  ratio  pictures  px/mm  memory MiB")
    for name, size in SIZES.items():
        camera = HungCamera((60.0, 90.0, 1750.0), (1.0, -1.0), 3.0, size[0] * 0.7, BEND, size)
        shown = [photograph(scene(row), camera, Rail(), fine=camera.focal_px / 1750 * 1.6) for row in range(2)]
        done = calibrate_cameras([(shown[0], camera.lens)], 9)
        rng = np.random.default_rng(1)
        pictures = [[noisy(picture, rng) for _ in range(3)] for picture in shown]
        detect = partial(DETECTOR.detectMarkers, shown[0])
        aruco = statistics.median(spent(detect) for _ in range(5))
        for source, coming in COMING.items():
            given = [itertools.cycle([coming(one) for one in row]) for row in pictures]
            measure(f"{name:7} {source:12}", aruco, done, [partial(fetched, row) for row in given])


def fetched(pictures: Iterator[Callable[[], Pixels]]) -> Pixels:
    return next(pictures)()


def measure(name: str, aruco: float, done: Calibrated, shown: list[Callable[[], Pixels]]) -> None:
    watcher = Watcher(done.felt, CardReader(), done.calibration)

    def look(row: int) -> float:
        return spent(lambda: watcher.step(shown[row]()))

    for _ in range(12):
        look(0)
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # the most begins at what there is now
    before = most_mib()
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
    print(
        f"{name} {aruco:9.1f} {still:9.2f} {still / aruco:6.2f} {changed:11.1f} {changed / aruco:6.2f} "
        f"{len(changes[0]):9} {done.felt.px_per_mm:6.2f} {most_mib() - before:10.0f}",
        flush=True,
    )


def in_two_streams(image: Image) -> Callable[[], Pixels]:
    """Each picture has a buffer of its own, which holds it already: hardware costs no processor time."""
    size = (image.shape[1], image.shape[0])
    buffer = PiBuffer(size, small_of(size))
    buffer.fill(image)
    return lambda: CsiPixels(PiRequest(buffer), MappedArray, size, buffer.small)


def as_jpeg(image: Image) -> Callable[[], Pixels]:
    """It is decoded anew each time."""
    body = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
    return lambda: JpegPixels(body)


COMING: dict[str, Callable[[Image], Callable[[], Pixels]]] = {
    "pixels": lambda image: lambda: RawPixels(image),
    "JPEG": as_jpeg,
    "two streams": in_two_streams,
}
DETECTOR = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))


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


def most_mib() -> float:
    """The most memory that this process had."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def spent(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1000


if __name__ == "__main__":
    main()
