"""How the devices of a table and its machine are: looked at each ten seconds, outside the node, for the node."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from feltwire.runtime.machine import readings
from feltwire.table.table_io import HealthSeen
from firmware_bridge.drivers.interface import DeviceCounts
from table_core.messages import DeviceReadings, Millis

WINDOW_MS = 600_000
ANSWERS_MS = 5_000  # a device that is there has answered the table by then
_COUNTED = ("reports", "resent", "damaged", "lost", "passages", "unread", "bounces")


class HealthWatch:
    """`counts()` are those of every device by its name, None for one that has not answered; `heard()` is when
    others gave their last sign of life."""

    def __init__(
        self,
        data: str,
        counts: Callable[[], Mapping[str, DeviceCounts | None]],
        heard: Callable[[], Mapping[str, Millis]],
        now: Callable[[], Millis],
    ) -> None:
        self._data = data
        self._counts = counts
        self._heard = heard
        self._now = now
        self._windows: dict[str, CountWindow] = {}
        self._began = now()

    def look(self) -> HealthSeen:
        now = self._now()
        devices = [
            self._windows.setdefault(name, CountWindow(name)).seen(counts, now) if counts else DeviceReadings(name)
            for name, counts in self._counts().items()
            if counts or now - self._began >= ANSWERS_MS
        ]
        devices += [DeviceReadings(name, max(0, now - at)) for name, at in self._heard().items()]
        return HealthSeen(readings(self._data), tuple(devices))


class CountWindow:
    """Turns what a device has counted since it started into the counts of the last ten minutes: a shoe that goes
    bad late in the evening shows it."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._boot: int | None = None
        self._seen: deque[tuple[Millis, dict[str, int]]] = deque()

    def seen(self, counts: DeviceCounts, now: Millis) -> DeviceReadings:
        total = {name: value for name in _COUNTED if (value := getattr(counts, name)) is not None}
        if counts.boot != self._boot:  # what it counted before this process looked may be old; later boots are new
            self._seen = deque([(now, total if self._boot is None else {})])
            self._boot = counts.boot
        self._seen.append((now, total))
        while now - self._seen[1][0] >= WINDOW_MS:
            self._seen.popleft()
        before = self._seen[0][1]
        return replace(
            DeviceReadings(
                self._device,
                None if counts.heard_ms is None else max(0, now - counts.heard_ms),
                supply_mv=counts.supply_mv,
                faults=counts.faults,
            ),
            **{name: max(0, value - before.get(name, 0)) for name, value in total.items()},
        )
