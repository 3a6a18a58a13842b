"""One camera of a table, in a thread of its own: pictures in, readings of the zones that it minds out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Protocol

import cv2

from feltwire.runtime.boottime import boot_millis
from feltwire.table.camera.setup import CameraPlace
from feltwire.table.camera.shown import Shown, shown
from feltwire.table.devices.face_up import FaceUp
from supervised.thread import SupervisedThread, where
from table_core.messages import DeviceState, Millis, Zone
from vision.camera import Camera, CameraError
from vision.camera.errors import DamagedPicture
from vision.camera.frame_socket import CameraFrame
from vision.cards import CardReader
from vision.chips.zone import ZoneChipReader
from vision.geometry.view import ViewError
from vision.watching.felt_moved import StillWatch
from vision.watching.frozen import FrozenWatch
from vision.watching.markers_moved import MarkerWatch
from vision.watching.watched import Condition, WatchedZone
from vision.watching.watcher import Watcher

log = logging.getLogger(__name__)

_READ_TIMEOUT_S = 1.0
PICTURE_EVERY_MS = 700
_RELOCK_AFTER_MS = 20_000  # of a picture in which nothing can be seen
REOPEN_S = 0.5
_SILENT_READS = 3  # reads without a new frame after which the camera counts as not responding


class Hears(Protocol):
    """Whoever hears a camera; called from its thread."""

    def state(self, eye: CameraEye, state: DeviceState, detail: str) -> None:
        """The camera's state has changed."""

    def read(self, eye: CameraEye, fresh: list[WatchedZone]) -> None:
        """A picture was looked at; `fresh` are the zones of which something new is read."""


class CameraEye:
    """Newest frame, watcher, readings. Frames are dropped, never queued.

    Nothing that comes out of a camera ends this thread: what cannot be used is said, and the table goes on.
    """

    def __init__(
        self,
        place: CameraPlace,
        reader: CardReader,
        chips: ZoneChipReader | None,
        hears: Hears,
        face_up: FaceUp,
        *,
        height_mm: float,
        open_source: Callable[[str], Camera],
        picture_every_ms: int = PICTURE_EVERY_MS,
    ) -> None:
        self.place = place
        cv2.setNumThreads(1)  # two wait for each other, busily: half as much time again, and no faster
        self._open_source = open_source
        self._hears = hears
        self._face_up = face_up
        self._stands = (
            MarkerWatch(place.calibration)
            if place.calibration is not None and place.calibration.markers
            else StillWatch(place.felt, place.calibration)
        )
        self._watcher = Watcher(place.felt, reader, place.calibration, chips=chips, height_mm=height_mm)
        self._frozen = FrozenWatch()  # outlives the opened camera: it may be frozen still when it is opened again
        self._minds: frozenset[Zone] = frozenset(place.sees)
        self._watched: dict[Zone, WatchedZone] = {}
        self._picture_every_ms = picture_every_ms
        self._shown_ms = 0
        self._dark_since_ms: int | None = None
        self._stopping = threading.Event()
        self._thread = SupervisedThread(
            self._run, f"camera {place.source}", stopping=self._stopping, failed=self._reader_failed
        )
        self.heard_ms: Millis | None = None  # boot time of its newest picture
        self.looked_ms = Millis(0)  # boot time when the newest picture was taken that was looked at
        self.reported = (DeviceState.CONNECTING, "")
        self.shown: Shown | None = None  # what of its newest picture everybody may see; None: nothing

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(5)

    def mind(self, zones: frozenset[Zone]) -> None:
        """Look at these zones from the next picture on; from any thread. One that is new is read anew and said."""
        self._minds = zones

    @property
    def unsettled(self) -> frozenset[Zone]:
        """Zones in which something moves, or of which the next pictures will say more."""
        return self._watcher.unsettled

    @property
    def conditions(self) -> Mapping[Zone, Condition]:
        """How well each zone that it minds can be seen now."""
        return self._watcher.conditions

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._watcher.begin_again()
            try:
                with self._open_source(self.place.source) as camera:
                    self._watch(camera)
            except CameraError as error:
                self._tell(DeviceState.NOT_RESPONDING, str(error))
            except Exception as error:  # noqa: BLE001  (a fault of the reader's must not end this thread)
                log.error("the camera's reader failed: %s", where(error))
                self._reader_failed()
            self._stopping.wait(REOPEN_S)

    def _watch(self, camera: Camera) -> None:
        silent = 0
        refused: tuple[str, ...] = ()
        while not self._stopping.is_set():
            frame = camera.read(_READ_TIMEOUT_S)
            if camera.refused != refused:
                refused = camera.refused
                said = "; ".join(refused) or "nothing"
                log.warning("camera %s, %s, not as asked: %s", self.place.source, camera.gives, said)
            if frame is None:
                silent += 1
                if silent >= _SILENT_READS or camera.trouble:
                    self._tell(DeviceState.NOT_RESPONDING, camera.trouble or "no pictures come")
                continue
            self.heard_ms = boot_millis()
            if not camera.repeats and self._frozen.look(frame.pixels, self.heard_ms):
                self.shown = None
                raise CameraError(self._frozen.trouble)  # some cameras come back when they are opened again
            try:
                self._see(frame)
            except DamagedPicture as error:
                silent += 1
                if silent >= _SILENT_READS:
                    self._tell(DeviceState.NOT_RESPONDING, str(error))
                continue
            silent = 0
            self._mind_the_light(camera, frame.taken_ms)

    def _see(self, frame: CameraFrame) -> None:
        self._mind_its_place(frame)
        if self._stands.lost:
            self.shown = None  # where its zones are nobody knows: what to cover neither
            self._tell(DeviceState.BLOCKED, self._stands.trouble)
            return
        self._watcher.mind(self._minds)
        try:
            fresh = self._watcher.step(frame.pixels)
        except ViewError as error:
            self.shown = None
            self._tell(DeviceState.BLOCKED, str(error))
            return
        self.looked_ms = Millis(frame.taken_ms)
        blocked = self._watcher.blocked
        self._tell(
            DeviceState.BLOCKED if blocked else DeviceState.OK,
            blocked or self._stands.trouble or self.place.felt.doubt,
        )
        self._watched = {zone: one for zone, one in self._watched.items() if zone in self._watcher.conditions} | {
            one.reading.zone: one for one in fresh
        }
        if fresh or frame.taken_ms - self._shown_ms >= self._picture_every_ms:  # before anybody hears of a reading
            self._show(frame)
        self._hears.read(self, fresh)

    def _show(self, frame: CameraFrame) -> None:
        self._shown_ms = frame.taken_ms
        self.shown = shown(frame.pixels, self._watcher, self._watched.values(), self._face_up)

    def _mind_its_place(self, frame: CameraFrame) -> None:
        """Notice a camera that was moved, and follow it where markers tell how."""
        moved = self._stands.look(frame.pixels, frame.taken_ms)
        if moved is not None:
            log.warning("%s", self._stands.trouble)
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

    def _reader_failed(self) -> None:
        self.shown = None
        self._tell(DeviceState.NOT_RESPONDING, "the camera's reader failed; the log says where")

    def _tell(self, state: DeviceState, detail: str) -> None:
        if (state, detail) != self.reported:
            self.reported = (state, detail)
            self._hears.state(self, state, detail)
