"""What the table's devices sense, as the page *as it is sensed* shows it, and the camera's thread."""

from __future__ import annotations

import collections
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec.structs import replace as replaced

from display.push import Hub
from feltwire.boottime import boot_millis
from feltwire.config import ConfigError, TableConfig
from feltwire.table_io import DeviceSaid, ZoneCame
from table_core.messages import Chips, DeviceState, SensedLine, SensedView, SensedZone, Sight, encode
from vision.annotate import annotated_jpeg
from vision.calibration import Calibration, CalibrationError, load_calibration
from vision.camera import Camera, CameraError, open_camera
from vision.cards import CardReader
from vision.cards.deck import Deck, DeckError
from vision.chips.chipset import ChipSet, ChipSetError
from vision.chips.zone import ZoneChipReader
from vision.felt import Felt, FeltError
from vision.framewire import Frame
from vision.knocked import MarkerWatch
from vision.stands_still import StillWatch
from vision.view import ViewError
from vision.watch import Watcher, ZoneReading

log = logging.getLogger(__name__)

LINES_KEPT = 24
_READ_TIMEOUT_S = 1.0
_PICTURE_EVERY_MS = 700
_RELOCK_AFTER_MS = 20_000  # of a picture in which nothing can be seen
REOPEN_S = 0.5
_SILENT_READS = 3  # reads without a new frame after which the camera counts as not responding


class Sensed:
    """Collects bytes, readings and what became of them; publishes `sensed/<table>`. Tags are masked already."""

    def __init__(self, hub: Hub, table: str) -> None:
        self._hub = hub
        self._channel = f"sensed/{table}"
        self._lock = threading.Lock()
        self._lines: collections.deque[SensedLine] = collections.deque(maxlen=LINES_KEPT)
        self._zones: dict[str, SensedZone] = {}
        self._sights: dict[str, Sight] = {}
        self._picture_no = 0
        self._camera = ""

    def line(self, device: str, text: str) -> None:
        """Bytes as they arrived, in hex."""
        with self._lock:
            self._lines.append(SensedLine(boot_millis(), device, text, ""))
        self._publish()

    def became(self, device: str, text: str) -> None:
        """What the newest bytes of `device` turned into."""
        with self._lock:
            for place in range(len(self._lines) - 1, -1, -1):
                line = self._lines[place]
                if line.device == device and not line.became:
                    self._lines[place] = SensedLine(line.at_ms, line.device, line.bytes, text)
                    break
            else:
                self._lines.append(SensedLine(boot_millis(), device, "", text))
        self._publish()

    def zones(self, readings: list[ZoneReading], picture_no: int) -> None:
        """What is new, and the number of the picture that shows it."""
        with self._lock:
            self._picture_no = picture_no
            for seen in readings:
                self._zones[seen.zone] = _zone(seen)
        self._publish()

    def sights(self, sights: Mapping[str, Sight]) -> None:
        """How well each zone is seen; said when it differs from before."""
        with self._lock:
            if sights == self._sights:
                return
            self._sights = dict(sights)
        self._publish()

    def camera(self, trouble: str) -> None:
        """What is wrong with the camera; empty when nothing is."""
        with self._lock:
            self._camera = trouble
        self._publish()

    def _publish(self) -> None:
        with self._lock:
            names = {**self._sights, **self._zones}
            zones = [replaced(self._zones.get(name, SensedZone(name)), sight=self._sight(name)) for name in names]
            lying = tuple(zone for zone in zones if zone != SensedZone(zone.zone))
            view = SensedView(self._picture_no, lying, tuple(self._lines), self._camera)
        self._hub.publish(self._channel, encode(view))

    def _sight(self, name: str) -> Sight:
        return self._sights.get(name, Sight.CLEAR)


def _zone(seen: ZoneReading) -> SensedZone:
    chips = Chips(seen.chips_value) if seen.chips_value else None
    return SensedZone(
        seen.zone,
        tuple(seen.cards),
        seen.unread,
        seen.face_down,
        chips=chips,
        thing=seen.thing,
        button=seen.button,
        odd=seen.odd,
    )


def _felt_of(config: TableConfig) -> tuple[Felt, Calibration | None]:
    """The table's zones and where its camera hangs; raise `ConfigError` for a felt file that is none."""
    if not config.camera.felt:
        return Felt.for_seats(config.seat_count), None
    path = Path(config.camera.felt)
    try:
        return Felt.load(path), load_calibration(path)
    except (FeltError, CalibrationError) as error:
        raise ConfigError(f"camera.felt: {error}") from error


def _deck_of(config: TableConfig) -> Deck | None:
    """The room's own deck; None where none was enrolled. Raise `ConfigError` for a file that is no deck."""
    if not config.camera.deck:
        return None
    try:
        return Deck.load(Path(config.camera.deck))
    except DeckError as error:
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
        self._frame: Frame | None = None
        self._readings: dict[str, ZoneReading] = {}
        self._told = (DeviceState.CONNECTING, "")
        self._shown_ms = 0
        self._dark_since_ms: int | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(timeout=5)

    @property
    def readings(self) -> dict[str, ZoneReading]:
        """The latest reading of every zone."""
        return dict(self._readings)

    def picture(self, table: str) -> bytes | None:
        """The newest frame with what the reader saw in it, as JPEG."""
        frame = self._frame
        if frame is None:
            return None
        boxes = [box for seen in self.readings.values() for box in seen.boxes]
        return annotated_jpeg(frame.image, boxes)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._watcher.begin_again()
            try:
                with self._open_source(self._source) as camera:
                    self._watch(camera)
            except CameraError as error:
                self._tell(DeviceState.NOT_RESPONDING, str(error))
            except Exception as error:  # a fault of the reader's must not end this thread
                log.error("the camera's reader failed: %s", type(error).__name__, exc_info=error)
                self._tell(DeviceState.NOT_RESPONDING, "the camera's reader failed; the log says where")
            self._stopping.wait(REOPEN_S)

    def _watch(self, camera: Camera) -> None:
        silent = 0
        refused: tuple[str, ...] = ()
        while not self._stopping.is_set():
            frame = camera.read(_READ_TIMEOUT_S)
            if camera.refused != refused:
                refused = camera.refused
                log.warning("camera %s does not hold still: %s", self._source, "; ".join(refused) or "nothing")
            if frame is None:
                silent += 1
                if silent >= _SILENT_READS or camera.trouble:
                    self._tell(DeviceState.NOT_RESPONDING, camera.trouble or "no pictures come")
                continue
            silent = 0
            self._see(frame)
            self._mind_the_light(camera, frame.taken_ms)

    def _see(self, frame: Frame) -> None:
        self._frame = frame
        self._mind_its_place(frame)
        if self._place.lost:
            self._tell(DeviceState.BLOCKED, self._place.trouble)
            return
        try:
            readings = self._watcher.step(frame.image, frame.taken_ms)
        except ViewError as error:
            self._tell(DeviceState.BLOCKED, str(error))
            return
        note = self._place.trouble
        blocked = self._watcher.blocked
        self._tell(DeviceState.BLOCKED if blocked else DeviceState.OK, blocked or note)
        for seen in readings:
            self._readings[seen.zone] = seen
            chips = None if seen.chips_value is None else Chips(seen.chips_value)
            said = ZoneCame(seen.zone, seen.cards, seen.unread, seen.face_down, chips)
            self._put(replace(said, pieces=seen.pieces, motions=seen.motions, odd=seen.odd, button=seen.button))
        if readings or frame.taken_ms - self._shown_ms >= _PICTURE_EVERY_MS:
            self._shown_ms = frame.taken_ms
            self._sensed.zones(readings, frame.number)
        self._sensed.sights({zone: Sight(sight) for zone, sight in self._watcher.conditions.items()})

    def _mind_its_place(self, frame: Frame) -> None:
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
        if (state, detail) != self._told:
            self._told = (state, detail)
            self._sensed.camera(detail)
            self._put(DeviceSaid("camera", state, detail))
