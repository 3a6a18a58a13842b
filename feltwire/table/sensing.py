"""The camera's thread: pictures in, readings for the table out, and a picture of what everybody may see."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from display.app import Picture
from feltwire.config import ConfigError, TableConfig
from feltwire.runtime.boottime import at, boot_millis
from feltwire.runtime.concealed import where
from feltwire.table.face_up import FaceUp
from feltwire.table.sensed import Sensed
from feltwire.table.table_io import DeviceSaid, ZoneCame
from table_core.messages import MOST_JPEG, DeviceState, Sight, Zone
from vision.annotate import annotated_jpeg
from vision.camera import Camera, CameraError, open_camera
from vision.camera.frame_socket import CameraFrame
from vision.cards import CardReader
from vision.cards.deck import DeckPrints, DeckPrintsError
from vision.chips.chipset import ChipSet, ChipSetError
from vision.chips.zone import ZoneChipReader
from vision.geometry.felt import Felt, FeltError
from vision.geometry.hanging import Calibration, CalibrationError, load_calibration
from vision.geometry.view import ViewError
from vision.masked import Image, Outline, masked
from vision.watching.felt_moved import StillWatch
from vision.watching.markers_moved import MarkerWatch
from vision.watching.watched import Annotation, Kind, WatchedZone, is_for_things
from vision.watching.watcher import Watcher

log = logging.getLogger(__name__)

_READ_TIMEOUT_S = 1.0
_PICTURE_EVERY_MS = 700
_RELOCK_AFTER_MS = 20_000  # of a picture in which nothing can be seen
REOPEN_S = 0.5
_COVER_MM = 14.0  # around a zone in which cards lie: they do not lie exactly in it
_SILENT_READS = 3  # reads without a new frame after which the camera counts as not responding


def _felt_of(config: TableConfig) -> tuple[Felt, Calibration | None]:
    """The table's zones and where its camera hangs; raise `ConfigError` for a felt file that is none."""
    if not config.camera.felt:
        return Felt.for_seats(config.seat_count), None
    path = Path(config.camera.felt)
    try:
        return Felt.load(path), load_calibration(path)
    except (FeltError, CalibrationError) as error:
        raise ConfigError(f"camera.felt: {error}") from error


def _deck_of(config: TableConfig) -> DeckPrints | None:
    """The room's own deck; None where none was enrolled. Raise `ConfigError` for a file that is no deck."""
    if not config.camera.deck:
        return None
    try:
        return DeckPrints.load(Path(config.camera.deck))
    except DeckPrintsError as error:
        raise ConfigError(f"camera.deck: {error}") from error


def _chips_of(config: TableConfig, felt: Felt) -> ZoneChipReader | None:
    """The room's chips; None where none were enrolled. Raise `ConfigError` for a file that is no chip set."""
    if not config.camera.chips:
        return None
    try:
        known = ChipSet.load(Path(config.camera.chips))
        return ZoneChipReader(known, felt.px_per_mm, spread=config.camera.bets_spread)
    except ChipSetError as error:
        raise ConfigError(f"camera.chips: {error}") from error


@dataclass(frozen=True)
class _Shown:
    """One frame, and what of it may be seen. Coded when the first page asks for it."""

    version: int
    wall: str
    image: Image
    clear: tuple[Outline, ...]
    covered: tuple[Outline, ...]
    boxes: tuple[Annotation, ...]
    px_per_mm: float

    def picture(self) -> Picture:
        image = masked(self.image, self.clear, self.covered, self.px_per_mm)
        return Picture(self.version, annotated_jpeg(image, self.boxes, most_bytes=MOST_JPEG), self.wall)


def _shown(
    version: int, image: Image, watcher: Watcher, watched: Iterable[WatchedZone], face_up: FaceUp
) -> _Shown:
    """The picture of this moment: covered wherever a card may lie that not everybody sees."""
    known = {one.reading.zone: one for one in watched}
    conditions = {} if watcher.blocked else watcher.conditions
    clear = {
        zone
        for zone, condition in conditions.items()
        if zone in known and face_up.may_be_seen(known[zone], condition)
    }
    covered = [zone for zone in watcher.felt.zones if not (is_for_things(zone) or zone in clear)]
    return _Shown(
        version,
        at(boot_millis()).wall,
        image,
        tuple(watcher.outline(zone) for zone in clear),
        tuple(watcher.outline(zone, _COVER_MM) for zone in covered),
        tuple(box if zone in clear else _as_a_back(box) for zone, one in known.items() for box in one.boxes),
        image.shape[1] / watcher.felt.width_mm,
    )


def _as_a_back(box: Annotation) -> Annotation:
    """The outline of something in a zone that is covered, without a word about it."""
    return box if box.kind is Kind.BUTTON else replace(box, kind=Kind.FACE_DOWN, text="")


class CameraEye:
    """The camera's thread: newest frame, watcher, readings into the node. Frames are dropped, never queued.

    Nothing that comes out of a camera ends this thread: what cannot be used is said, and the table goes on.
    """

    def __init__(
        self,
        config: TableConfig,
        put: Callable[[Any], None],
        sensed: Sensed,
        *,
        open_source: Callable[[str], Camera] = open_camera,
    ) -> None:
        self._source = config.camera.source
        self._open_source = open_source
        self._put = put
        self._sensed = sensed
        felt, calibration = _felt_of(config)
        self._place = MarkerWatch(calibration) if calibration and calibration.markers else StillWatch(felt)
        chips = _chips_of(config, felt)
        height_mm = config.camera.height_mm
        reader = CardReader(deck=_deck_of(config))
        self._watcher = Watcher(felt, reader, calibration, chips=chips, height_mm=height_mm)
        self._shown: _Shown | None = None
        self._coded: Picture | None = None
        self._coding = threading.Lock()
        self._watched: dict[Zone, WatchedZone] = {}
        self._reported = (DeviceState.CONNECTING, "")
        self._shown_ms = 0
        self._picture_no = 0
        self._dark_since_ms: int | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(timeout=5)

    @property
    def watched(self) -> dict[Zone, WatchedZone]:
        """The latest of every zone."""
        return dict(self._watched)

    def picture(self, table: str) -> Picture | None:
        """The newest picture of what everybody may see, coded once however many look at it; from any thread."""
        shown = self._shown
        if shown is None:
            return None
        with self._coding:
            if self._coded is None or self._coded.version < shown.version:
                self._coded = shown.picture()
            return self._coded

    @property
    def trouble(self) -> str:
        """What is wrong with the camera; empty while all is well."""
        state, detail = self._reported
        return "" if state is DeviceState.OK else detail or "no picture has come yet"

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._watcher.begin_again()
            try:
                with self._open_source(self._source) as camera:
                    self._watch(camera)
            except CameraError as error:
                self._tell(DeviceState.NOT_RESPONDING, str(error))
            except Exception as error:  # noqa: BLE001  (a fault of the reader's must not end this thread)
                log.error("the camera's reader failed: %s", where(error))
                self._tell(DeviceState.NOT_RESPONDING, "the camera's reader failed; the log says where")
            self._stopping.wait(REOPEN_S)

    def _watch(self, camera: Camera) -> None:
        silent = 0
        refused: tuple[str, ...] = ()
        while not self._stopping.is_set():
            frame = camera.read(_READ_TIMEOUT_S)
            if camera.refused != refused:
                refused = camera.refused
                log.warning(
                    "camera %s, %s, not as asked: %s", self._source, camera.gives, "; ".join(refused) or "nothing"
                )
            if frame is None:
                silent += 1
                if silent >= _SILENT_READS or camera.trouble:
                    self._tell(DeviceState.NOT_RESPONDING, camera.trouble or "no pictures come")
                continue
            silent = 0
            self._see(frame)
            self._mind_the_light(camera, frame.taken_ms)

    def _see(self, frame: CameraFrame) -> None:
        self._mind_its_place(frame)
        if self._place.lost:
            self._shown = None  # where its zones are nobody knows: what to cover neither
            self._tell(DeviceState.BLOCKED, self._place.trouble)
            return
        try:
            fresh = self._watcher.step(frame.image)
        except ViewError as error:
            self._shown = None
            self._tell(DeviceState.BLOCKED, str(error))
            return
        note = self._place.trouble
        blocked = self._watcher.blocked
        self._tell(DeviceState.BLOCKED if blocked else DeviceState.OK, blocked or note)
        self._watched |= {one.reading.zone: one for one in fresh}
        if fresh or frame.taken_ms - self._shown_ms >= _PICTURE_EVERY_MS:  # before anybody hears of a reading
            self._show(frame, fresh)
        for one in fresh:
            self._put(ZoneCame(one.reading))
        self._sensed.sights({zone: Sight(sight) for zone, sight in self._watcher.conditions.items()})

    def _show(self, frame: CameraFrame, fresh: list[WatchedZone]) -> None:
        self._shown_ms = frame.taken_ms
        self._picture_no += 1
        face_up, known = self._sensed.face_up, self._watched.values()
        self._shown = _shown(self._picture_no, frame.image, self._watcher, known, face_up)
        self._sensed.zones(fresh, self._picture_no)

    def _mind_its_place(self, frame: CameraFrame) -> None:
        """Notice a camera that was moved, and follow it where markers tell how."""
        moved = self._place.look(frame.image, frame.taken_ms)
        if moved is not None:
            log.warning("%s", self._place.trouble)
            self._watcher.recalibrate(moved)

    def _mind_the_light(self, camera: Camera, now_ms: int) -> None:
        """A camera that was locked in other light sees nothing for a while: let it measure the room again."""
        if not self._watcher.no_light:
            self._dark_since_ms = None
        elif self._dark_since_ms is None:
            self._dark_since_ms = now_ms
        elif now_ms - self._dark_since_ms >= _RELOCK_AFTER_MS:
            self._dark_since_ms = now_ms
            camera.relock()

    def _tell(self, state: DeviceState, detail: str) -> None:
        if (state, detail) != self._reported:
            self._reported = (state, detail)
            self._sensed.camera(detail)
            self._put(DeviceSaid("camera", state, detail))
