"""How long the station's beats are on their way to a machine."""

from __future__ import annotations

from collections import deque

from table_core.messages import Beat, decode
from tests.simulation.machine import SimulatedHost

MINUTE_US = 60_000_000


class Beats:
    """Beats of `station` that came to the process on `host`."""

    def __init__(self, host: SimulatedHost, station: SimulatedHost) -> None:
        self.newest = 0  # when the newest that came was sent
        self._host = host
        self._station = station
        self._boot = ""
        self._took: deque[tuple[int, int]] = deque()  # arrival and way of each of this boot, in microseconds

    def came(self, topic: str, payload: bytes) -> None:
        if not topic.endswith("/tournament/beat"):
            return
        beat = decode(payload, Beat)
        if beat.boot != self._boot:
            self._boot = beat.boot
            self._took.clear()
        sent, at = self._station.instant(beat.at, beat.boot), max(self._host.world.now, self._host.frozen_until)
        self.newest = max(self.newest, sent)
        self._took.append((at, at - sent))
        while self._took[0][0] < at - MINUTE_US:
            self._took.popleft()

    @property
    def fastest_ms(self) -> float:
        """What the fastest of the last minute took: nobody there can know the station's time better than that."""
        return min((took for _, took in self._took), default=0) / 1_000
