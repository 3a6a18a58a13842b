"""Looks at pictures of an empty table as an installer left it, and says what to change.

The markers on the rail are of known black and white with straight edges, so they tell how light the picture is,
how even the light, how sharp the lens and how noisy the sensor. Pictures in a row tell whether the light flickers,
and whether the camera is frozen.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.calibration.light import LEAST_PX, Light, light_of, print_hides, with_cloths
from vision.calibration.table import CARDS_LIE, Calibrated, SeenZone, calibrate_cameras, seen_zones
from vision.cards.find import SearchRegion
from vision.cards.white_cloth import BURNT as BURNT_CLOTH
from vision.geometry.felt import Cloth
from vision.geometry.hanging import Calibration, CalibrationError, Lens
from vision.geometry.pixels import RawPixels
from vision.geometry.view import view_of
from vision.watching.sight import BURNT, GLARING
from vision.watching.watcher import MOVED
from vision.watching.zone_region import zone_region

Image = NDArray[np.uint8]

STANDARD, JUMBO = 1.2, 0.5  # px/mm that cards with an index of that size need
DARK_PICTURE, BRIGHT_PICTURE = 40.0, 215.0  # grey levels of a whole picture without markers
DARK, BURNT_WHITE = 110.0, 250.0  # grey levels of the markers' white paper
LEAST_CONTRAST = 60.0  # grey levels between the markers' white and black
UNEVEN = 2.2  # times as bright: a lamp at one side
SOFT_MM, SOFT_PX = 0.55, 1.1  # blur (standard deviation) of a marker's edges; a sharp lens has 0.5 to 0.8 px
NOISY = 0.055  # the sensor's noise by the light of white paper
BRIGHTER = 2.0  # times the felt of its zone: a lamp that mirrors in it
RESTLESS = 0.02  # part of the pairs of pictures in which an empty table seems to move


@dataclass(frozen=True)
class Shot:
    """What one camera gave: pictures in a row (BGR, of one size; at least one), and its lens."""

    pictures: Sequence[Image]
    lens: Lens


@dataclass(frozen=True)
class Finding:
    """Something to change: what it is about (a zone, `camera 2`), what was seen there, and what to do."""

    about: str
    seen: str
    do: str = ""  # where `seen` does not say it


def check_table(
    shots: Sequence[Shot],
    seats: int,
    *,
    marker_mm: float,
    rail_mm: float,
    needed: float = STANDARD,
    board_only: bool = False,
) -> tuple[Calibrated | None, list[Finding]]:
    """The table, where its markers tell where it is, and everything that should be changed."""
    found = [one for no, shot in enumerate(shots, start=1) for one in _frozen(f"camera {no}", shot)]
    try:
        pictures = [(shot.pictures[0], shot.lens) for shot in shots]
        done = calibrate_cameras(pictures, seats, marker_mm=marker_mm, rail_mm=rail_mm, board_only=board_only)
    except CalibrationError as error:
        found.append(Finding("table", str(error)))
        found += [one for no, shot in enumerate(shots, start=1) for one in _without_markers(no, shot.pictures[0])]
        return None, found
    for no, (shot, camera, markers) in enumerate(zip(shots, done.cameras, done.found, strict=True), start=1):
        about, picture = f"camera {no}", shot.pictures[0]
        lights = [light_of(picture, quad) for quad in markers.values()]
        scale = camera.px_per_mm(done.felt.width_mm / 2, done.felt.height_mm / 2)
        found += [*_of_light(about, lights), *_of_lens(about, picture, lights, scale)]
        found += _flicker(about, shot, done, camera)
    done = with_cloths(done, [shot.pictures[0] for shot in shots])
    for seen in seen_zones(done):
        found += _of_zone(seen, max(needed, LEAST_PX) if seen.zone in done.felt.white else needed)
        if seen.camera:
            picture, camera = shots[seen.camera - 1].pictures[0], done.cameras[seen.camera - 1]
            window, region = zone_region(done.felt, seen.zone)
            crop = view_of(done.felt, camera, (picture.shape[1], picture.shape[0])).cut(
                picture, window, keep=False
            )
            found += _glare(seen.zone, crop, region, done.felt.px_per_mm)
            if seen.zone in done.felt.white:
                hidden = print_hides(done.felt, camera, picture, seen.zone)
                found += _of_white(seen.zone, done.felt.cloths[seen.zone], hidden=hidden)
    return done, found


def _without_markers(number: int, picture: Image) -> Iterator[Finding]:
    """What can be said of a picture in which nobody knows where the table is."""
    about, mean = f"camera {number}", float(cv2.mean(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))[0])
    if mean < DARK_PICTURE:
        yield Finding(about, f"dark: {mean:.0f} of 255 on average", "more light, or a longer exposure")
    if mean > BRIGHT_PICTURE:
        yield Finding(about, f"burnt out: {mean:.0f} of 255 on average", "a shorter exposure (exposure=)")


def _of_light(about: str, lights: Sequence[Light]) -> Iterator[Finding]:
    whites = [light.white for light in lights]
    white, contrast = float(np.median(whites)), float(np.median([light.white - light.black for light in lights]))
    if white < DARK:
        seen = f"dark: the markers' paper is {white:.0f} of 255"
        yield Finding(about, seen, "more light over the table, or a longer exposure (exposure=)")
    elif white > BURNT_WHITE:
        yield Finding(about, "burnt out: the markers' paper has no grey left", "a shorter exposure (exposure=)")
    elif contrast < LEAST_CONTRAST:
        seen = f"pale: ink and paper of the markers are {contrast:.0f} of 255 apart"
        yield Finding(about, seen, "clean the lens, keep lamps out of its sight, print the markers in black")
    times = max(whites) / max(1.0, min(whites))
    if times > UNEVEN:
        seen = f"uneven light: {times:.1f} times as bright at one marker as at another"
        yield Finding(about, seen, "a second lamp at the dark side, or a larger one above the middle")


def _of_lens(about: str, picture: Image, lights: Sequence[Light], px_per_mm: float) -> Iterator[Finding]:
    blur_px = float(np.median([light.blur_px for light in lights]))
    if blur_px > SOFT_PX and blur_px / px_per_mm > SOFT_MM:
        seen = f"not sharp: a black edge is {2 * blur_px / px_per_mm:.1f} mm wide"
        yield Finding(about, seen, "focus on the felt, hold the focus (focus=), clean the lens")
    noise = noise_of(picture) / max(1.0, float(np.median([light.white for light in lights])))
    if noise > NOISY:
        seen = f"noisy: {noise:.0%} of the light of paper"
        yield Finding(about, seen, "more light over the table: the sensor is amplified")


def _of_zone(seen: SeenZone, needed: float) -> Iterator[Finding]:
    about = str(seen.zone)
    if not seen.camera:
        yield Finding(about, "not wholly in any picture", "turn the camera, hang it higher, or take a wider lens")
    elif seen.zone.kind in CARDS_LIE and seen.px_per_mm < needed:
        factor = needed / max(0.01, seen.px_per_mm)
        yield Finding(
            about,
            f"too coarse: {seen.px_per_mm:.2f} px/mm of {needed:g} ({seen.verdict})",
            f"pictures {factor:.1f} times as wide, a camera {factor:.1f} times as near (two then share the table),"
            " or cards with a jumbo index",
        )


def _of_white(zone: Zone, cloth: Cloth, *, hidden: bool) -> Iterator[Finding]:
    """Paper on a white cloth is seen by the tenth that it is brighter."""
    if min(cloth) > BURNT_CLOTH:
        yield Finding(
            str(zone),
            f"burnt out: the white cloth is {min(cloth)} of 255, and a card no brighter",
            "a shorter exposure (exposure=)",
        )
    if hidden:
        yield Finding(
            str(zone),
            "print there is taken for a thing, or along its rim for a sleeve over it",
            "move the zone in the felt file until its edges lie beside the print; a shadow: move what throws it",
        )


def _glare(zone: Zone, crop: Image, region: SearchRegion, px_per_mm: float) -> Iterator[Finding]:
    """Where the empty felt is far brighter than most of it, or burnt out, a lamp mirrors in it."""
    least = crop.min(axis=2)[region.inside > 0]
    if not len(least):
        return
    smooth = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 3.0 * px_per_mm)
    light = smooth[region.inside > 0].astype(np.float64)
    burnt = float((least >= BURNT).mean()) > GLARING
    if burnt or float(np.percentile(light, 99)) > BRIGHTER * max(24.0, float(np.median(light))):
        yield Finding(
            str(zone),
            "glare: a lamp mirrors there",
            "move the lamp or the camera aside, or put a diffuser before the lamp: on glossy cards it is worse",
        )


def _flicker(about: str, shot: Shot, done: Calibrated, camera: Calibration) -> Iterator[Finding]:
    """An empty table that seems to move: lamps that flicker, a lens that hunts for focus, a stand that shakes."""
    first = shot.pictures[0]
    view = view_of(done.felt, camera, (first.shape[1], first.shape[0]))
    small = [view.shrunk(RawPixels(picture)) for picture in shot.pictures]
    moving = [bool((cv2.absdiff(one, other) > MOVED).any()) for one, other in itertools.pairwise(small)]
    if moving and sum(moving) > RESTLESS * len(moving):
        yield Finding(
            about,
            f"restless: the empty table seems to move in {sum(moving)} of {len(moving)} pictures",
            "hold exposure and focus; where lamps flicker expose for 10 or 20 ms (60 Hz: 8.3 or 16.7); more light",
        )


def _frozen(about: str, shot: Shot) -> Iterator[Finding]:
    """Pictures that are the same to the last bit; no sensor takes such."""
    if len(shot.pictures) > 1 and len({RawPixels(picture).checksum() for picture in shot.pictures}) == 1:
        yield Finding(
            about, "frozen: it repeats one picture", "unplug it and plug it in; where it is dark, more light"
        )


def noise_of(picture: Image) -> float:
    """The sensor's noise in grey levels (standard deviation), from what no edge explains (Immerkær 1996)."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    rest = np.abs(cv2.filter2D(grey, cv2.CV_32F, kernel))
    return float(np.median(rest)) / 0.6745 / 6.0
