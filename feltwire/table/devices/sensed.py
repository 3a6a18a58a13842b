"""Data of the page *as it is sensed*: bytes as they came, the events they led to, and the reading of each zone.

No card is named there before it is public (`feltwire.table.devices.face_up`).
"""

from __future__ import annotations

import collections
import threading
from collections.abc import Mapping

from msgspec.structs import replace as replaced

from display.push import Hub
from feltwire.runtime.boottime import boot_millis
from feltwire.runtime.views import Part, Views
from feltwire.table.devices.face_up import FaceUp
from table_core.messages import SensedLine, SensedView, SensedZone, Sight, Zone, ZoneReading, encode
from vision.watching.watched import WatchedZone

SENSED = Part("What is sensed")
FACE_UP = Part("Which cards lie face up")
LINES_KEPT = 24


class Sensed:
    """Collects bytes, readings and events; publishes `sensed/<table>`. Tags are masked before they come here.

    `face_up` receives the table's public view through `table`.
    """

    def __init__(self, hub: Hub, table: str, views: Views | None = None) -> None:
        self._hub = hub
        self._views = views if views is not None else Views()
        self._channel = f"sensed/{table}"
        self._lock = threading.Lock()
        self.face_up = FaceUp()
        self._lines: collections.deque[SensedLine] = collections.deque(maxlen=LINES_KEPT)
        self._watched: dict[Zone, WatchedZone] = {}
        self._sights: dict[Zone, Sight] = {}
        self._picture_no = 0
        self._camera = ""

    def line(self, device: str, text: str) -> None:
        """Bytes as they arrived, in hex."""
        with self._lock:
            self._lines.append(SensedLine(boot_millis(), device, text, ""))
        self._publish()

    def became(self, device: str, text: str) -> None:
        """The text for what the newest bytes of `device` led to."""
        with self._lock:
            for place in range(len(self._lines) - 1, -1, -1):
                line = self._lines[place]
                if line.device == device and not line.became:
                    self._lines[place] = SensedLine(line.at_ms, line.device, line.bytes, text)
                    break
            else:
                self._lines.append(SensedLine(boot_millis(), device, "", text))
        self._publish()

    def zones(self, watched: list[WatchedZone], picture_no: int) -> None:
        """New readings, and the number of the picture that shows them."""
        with self._lock:
            self._picture_no = picture_no
            self._watched |= {one.reading.zone: one for one in watched}
        self._publish()

    def table(self, view: bytes) -> None:
        """The table's newest public view (JSON): hands may have been tabled, or be over."""
        if self._views.show(FACE_UP, lambda: self.face_up.hear(view), lambda _: self.face_up.forget()):
            self._publish()

    def sights(self, sights: Mapping[Zone, Sight]) -> None:
        """How well each zone is seen; published when it changes."""
        with self._lock:
            if sights == self._sights:
                return
            self._sights = dict(sights)
        self._publish()

    def camera(self, trouble: str) -> None:
        """The camera's fault; empty for none."""
        with self._lock:
            self._camera = trouble
        self._publish()

    def _publish(self) -> None:
        self._hub.publish(self._channel, self._views.snapshot(SENSED, self._made))

    def _made(self) -> bytes:
        with self._lock:
            known = {**self._sights, **self._watched}
            zones = [replaced(self._zone(zone), sight=self._sight(zone)) for zone in known]
            filled = tuple(zone for zone in zones if zone != SensedZone(zone.zone))
            return encode(SensedView(self._picture_no, filled, tuple(self._lines), self._camera))

    def _zone(self, zone: Zone) -> SensedZone:
        watched = self._watched.get(zone)
        return SensedZone(zone) if watched is None else _zone(self.face_up.public(watched.reading), watched.thing)

    def _sight(self, zone: Zone) -> Sight:
        return self._sights.get(zone, Sight.CLEAR)


def _zone(seen: ZoneReading, thing: bool) -> SensedZone:
    return SensedZone(
        seen.zone,
        tuple(seen.cards),
        seen.unread,
        seen.face_down,
        chips=seen.chips or None,
        thing=thing,
        button=seen.button,
        odd=seen.odd,
    )
