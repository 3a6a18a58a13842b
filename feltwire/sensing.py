"""What the table's devices sense, as the page *as it is sensed* shows it, and the camera's thread."""

from __future__ import annotations

import collections
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from display.push import Hub
from feltwire.boottime import boot_millis
from feltwire.config import TableConfig
from feltwire.table_io import DeviceSaid, ZoneCame
from table_core.messages import Chips, DeviceState, SensedLine, SensedView, SensedZone, encode
from vision.annotate import annotated_jpeg
from vision.camera import Camera, CameraError, open_camera
from vision.cards import CardReader
from vision.felt import Felt
from vision.framewire import Frame
from vision.watch import Watcher, ZoneReading

log = logging.getLogger(__name__)

LINES_KEPT = 24
_READ_TIMEOUT_S = 1.0
_PICTURE_EVERY_MS = 700
_SILENT_READS = 3  # reads without a new frame after which the camera counts as not responding


class Sensed:
    """Collects bytes, readings and what became of them; publishes `sensed/<table>`. Tags are masked already."""

    def __init__(self, hub: Hub, table: str) -> None:
        self._hub = hub
        self._channel = f"sensed/{table}"
        self._lock = threading.Lock()
        self._lines: collections.deque[SensedLine] = collections.deque(maxlen=LINES_KEPT)
        self._zones: dict[str, SensedZone] = {}
        self._picture_no = 0

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
        with self._lock:
            self._picture_no = picture_no
            for seen in readings:
                self._zones[seen.zone] = SensedZone(seen.zone, tuple(seen.cards), seen.unread, seen.face_down)
        self._publish()

    def _publish(self) -> None:
        with self._lock:
            lying = tuple(zone for zone in self._zones.values() if zone.cards or zone.unread or zone.face_down)
            view = SensedView(self._picture_no, lying, tuple(self._lines))
        self._hub.publish(self._channel, encode(view))


class CameraEye:
    """The camera's thread: newest frame, watcher, readings into the node. Frames are dropped, never queued."""

    def __init__(self, config: TableConfig, put: Callable[[Any], None], sensed: Sensed) -> None:
        self._source = config.camera.source
        self._put = put
        self._sensed = sensed
        felt = Felt.load(Path(config.camera.felt)) if config.camera.felt else Felt.for_seats(config.seat_count)
        self._watcher = Watcher(felt, CardReader())
        self._frame: Frame | None = None
        self._readings: dict[str, ZoneReading] = {}
        self._state = DeviceState.CONNECTING
        self._shown_ms = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(timeout=5)

    def picture(self, table: str) -> bytes | None:
        """The newest frame with what the reader saw in it, as JPEG."""
        frame = self._frame
        if frame is None:
            return None
        boxes = [box for seen in list(self._readings.values()) for box in seen.boxes]
        return annotated_jpeg(frame.image, boxes)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                with open_camera(self._source) as camera:
                    self._watch(camera)
            except CameraError as error:
                self._tell(DeviceState.NOT_RESPONDING, str(error))
                self._stopping.wait(0.5)

    def _watch(self, camera: Camera) -> None:
        silent = 0
        while not self._stopping.is_set():
            frame = camera.read(_READ_TIMEOUT_S)
            if frame is None:
                silent += 1
                if silent >= _SILENT_READS or camera.trouble:
                    self._tell(DeviceState.NOT_RESPONDING, camera.trouble or "no pictures come")
                continue
            silent = 0
            self._see(frame)

    def _see(self, frame: Frame) -> None:
        readings = self._watcher.step(frame.image, frame.taken_ms)
        self._frame = frame
        self._tell(DeviceState.BLOCKED if self._watcher.blocked else DeviceState.OK, self._watcher.blocked)
        for seen in readings:
            self._readings[seen.zone] = seen
            chips = None if seen.chips_value is None else Chips(seen.chips_value)
            self._put(ZoneCame(seen.zone, seen.cards, seen.unread, seen.face_down, chips))
        if readings or frame.taken_ms - self._shown_ms >= _PICTURE_EVERY_MS:
            self._shown_ms = frame.taken_ms
            self._sensed.zones(readings, frame.number)

    def _tell(self, state: DeviceState, detail: str) -> None:
        if state is not self._state:
            self._state = state
            self._put(DeviceSaid("camera", state, detail))
