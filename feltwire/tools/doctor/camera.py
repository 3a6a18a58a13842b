"""The cameras of a table: their files, and a picture of each."""

from __future__ import annotations

import time
from collections.abc import Iterator

from feltwire.config import TableConfig
from feltwire.table.camera.setup import CameraPlace, chips_of, deck_of, places_of
from feltwire.tools.doctor.findings import Finding, look, refusing, well, wrong
from vision.camera import Camera, CameraError, open_camera
from vision.camera.frame_socket import CameraFrame
from vision.geometry.hanging import CalibrationError

PATIENCE_S = 10.0  # a camera measures the light first
_READ_S = 1.0
MOST_ALIKE = 20  # in two seconds; a dark scene gives some equal JPEGs


def check(config: TableConfig) -> Iterator[Finding]:
    with refusing("camera"):
        places = places_of(config)
        deck_of(config)
        chips = [chips_of(config, place.felt) for place in places]
    if not config.camera.felt:
        do = "Calibrate it: feltwire vision calibrate (docs/camera.md)."
        yield look("camera", "It is not calibrated: the layout of the seats is assumed.", do)
    elif doubt := places[0].felt.doubt:
        what, _, do = doubt.partition("; ")
        yield look("camera", f"{what[0].upper()}{what[1:]}.", f"{do[0].upper()}{do[1:]}.")
    if not any(chips):
        yield look("camera", "It reads no chips.", "feltwire vision enrol, where chips are to be read.")
    for number, place in enumerate(places, 1):
        yield _picture("camera" if len(places) == 1 else f"camera {number}", place)


def _is_frozen(camera: Camera, first: CameraFrame) -> bool:
    """Whether its next pictures are the same to the last bit; no sensor takes such."""
    checksums = [
        frame.pixels.checksum() for frame in (camera.read(_READ_S) for _ in range(MOST_ALIKE)) if frame is not None
    ]
    return len(checksums) == MOST_ALIKE and set(checksums) == {first.pixels.checksum()}


def _picture(part: str, place: CameraPlace) -> Finding:
    try:
        with open_camera(place.source) as camera:
            until = time.monotonic() + PATIENCE_S
            frame = None
            while frame is None and time.monotonic() < until:
                frame = camera.read(_READ_S)
            trouble, refused, gives = camera.trouble, camera.refused, camera.gives
            frozen = frame is not None and not camera.repeats and _is_frozen(camera, frame)
    except CameraError as error:
        what, _, do = str(error).partition("; ")
        return wrong(part, f"{what}.", do or "See docs/camera.md.")
    if frame is None:
        what, _, do = trouble.partition("; ")
        return wrong(part, f"{what or f'{place.source}: no picture comes'}.", do or "Look at its cable.")
    if frozen:
        return wrong(part, f"{place.source}: it repeats one picture.", "Unplug the camera and plug it in again.")
    width, height = frame.pixels.size
    words = f"{place.source}: a picture of {width} by {height}{f', {gives}' if gives else ''}."
    if place.calibration is not None:
        try:
            place.calibration.lens.at_size((width, height))
        except CalibrationError as error:
            return wrong(part, f"{words} {error}.", "Calibrate it again, or correct `source`.")
    if refused:
        return look(
            part, f"{words} Not as asked: {'; '.join(refused)}.", "See docs/camera.md; it works all the same."
        )
    return well(part, words)
