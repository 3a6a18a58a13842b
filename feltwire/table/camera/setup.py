"""What a table's configuration says of its cameras: their felt, what each is for, chips and deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from feltwire.config import CameraProfile, ConfigError, TableConfig
from table_core.messages import FOR_CHIPS, Zone, ZoneKind
from vision.camera import CameraError
from vision.camera.stream import load_stream
from vision.cards.deck import DeckPrints, DeckPrintsError
from vision.chips.chipset import ChipSet, ChipSetError
from vision.chips.zone import ZoneChipReader
from vision.geometry.felt import Felt, FeltError
from vision.geometry.hanging import Calibration, CalibrationError, load_calibrations
from vision.geometry.sees import part_of, scale_at

PROFILES: Mapping[CameraProfile, frozenset[ZoneKind]] = MappingProxyType(
    {
        CameraProfile.TABLE: frozenset(ZoneKind),
        CameraProfile.BOARD: frozenset({ZoneKind.BOARD, ZoneKind.BURN, ZoneKind.MUCK, ZoneKind.POT}),
        CameraProfile.STACKS: frozenset(FOR_CHIPS),
    }
)
MOST_CAMERAS = 4


@dataclass(frozen=True)
class CameraPlace:
    """One camera of a table: its source, what it is for, the part of the felt that it works on, and how well it
    sees each zone there (pixels to the millimetre)."""

    source: str
    profile: CameraProfile
    felt: Felt
    calibration: Calibration | None
    sees: Mapping[Zone, float]


def places_of(config: TableConfig) -> list[CameraPlace]:
    """The cameras of a table; raise `ConfigError` for a felt file that is none, or lacks a camera."""
    camera = config.camera
    if camera.profile is CameraProfile.STACKS:
        raise ConfigError("camera.profile: a camera for stacks reads no cards; name it in camera.also")
    if len(camera.also) >= MOST_CAMERAS:
        raise ConfigError(f"camera.also: a table has at most {MOST_CAMERAS} cameras")
    named = [(camera.source, camera.profile), *((also.source, also.profile) for also in camera.also)]
    sources = [(source, _profile_of(source, profile)) for source, profile in named]
    felt, calibrations = _felt_of(config)
    if len(sources) > 1 and len(calibrations) != len(sources):
        raise ConfigError(
            f"camera.felt: {camera.felt or 'none'} has {len(calibrations)} cameras, camera and camera.also name "
            f"{len(sources)}: calibrate them together (`feltwire vision calibrate SOURCE SOURCE …`)"
        )
    given = calibrations or (None,)
    whole = len(sources) == 1 and sources[0][1] is CameraProfile.TABLE
    return [
        _place(source, profile, felt, calibration, whole=whole)
        for (source, profile), calibration in zip(sources, given, strict=True)
    ]


def _profile_of(source: str, profile: CameraProfile) -> CameraProfile:
    """A phone's pictures can be seen by everybody in its network: it watches the board alone, unless its file says
    that this is known. Raise `ConfigError` for a file that is none."""
    kind, _, file = source.partition(":")
    if kind != "stream":
        return profile
    try:
        return profile if load_stream(Path(file)).everybody_may_see else CameraProfile.BOARD
    except CameraError as error:
        raise ConfigError(f"camera.source: {error}") from error


def _place(
    source: str, profile: CameraProfile, felt: Felt, calibration: Calibration | None, *, whole: bool
) -> CameraPlace:
    """`whole`: the only camera looks at every zone, seen wholly or not."""
    if calibration is None or whole:
        zones = {zone: felt.px_per_mm for zone in felt.zones if zone.kind in PROFILES[profile]}
    else:
        scales = {zone: scale_at(felt, calibration, zone) for zone in felt.zones if zone.kind in PROFILES[profile]}
        zones = {zone: scale for zone, scale in scales.items() if scale > 0}
    if not zones:
        raise ConfigError(f"camera {source}: no zone of profile {profile!s} lies wholly in its picture")
    if calibration is None or whole:
        return CameraPlace(source, profile, felt, calibration, zones)
    return CameraPlace(source, profile, *part_of(felt, calibration, zones), zones)


def _felt_of(config: TableConfig) -> tuple[Felt, tuple[Calibration, ...]]:
    """The table's zones and where its cameras hang; raise `ConfigError` for a felt file that is none."""
    if not config.camera.felt:
        return Felt.for_seats(config.seat_count), ()
    path = Path(config.camera.felt)
    try:
        return Felt.load(path), load_calibrations(path)
    except (FeltError, CalibrationError) as error:
        raise ConfigError(f"camera.felt: {error}") from error


def deck_of(config: TableConfig) -> DeckPrints | None:
    """The room's own deck; None where none was enrolled. Raise `ConfigError` for a file that is no deck."""
    if not config.camera.deck:
        return None
    try:
        return DeckPrints.load(Path(config.camera.deck))
    except DeckPrintsError as error:
        raise ConfigError(f"camera.deck: {error}") from error


def chips_of(config: TableConfig, felt: Felt) -> ZoneChipReader | None:
    """The room's chips; None where none were enrolled. Raise `ConfigError` for a file that is no chip set."""
    if not config.camera.chips:
        return None
    try:
        known = ChipSet.load(Path(config.camera.chips))
        return ZoneChipReader(known, felt.px_per_mm, spread=config.camera.bets_spread)
    except ChipSetError as error:
        raise ConfigError(f"camera.chips: {error}") from error
