"""A wall clock's process, and what its network brings it."""

from __future__ import annotations

from typing import Any

from feltwire.config import ClockConfig
from feltwire.runtime.node_io import Arrived
from feltwire.wall_clock.process import ClockProcess
from tests.simulation.beats import Beats
from tests.simulation.machine import SimulatedHost


class SimulatedClock(ClockProcess):
    """`feltwire clock`; `beats` are those that come to it."""

    def __init__(self, config: ClockConfig, host: SimulatedHost, beats: Beats) -> None:
        self.beats = beats
        super().__init__(config, host)

    def _connect(self, *given: Any, **more: Any) -> None:
        super()._connect(*given, on_message=self._came, **more)

    def _came(self, topic: str, payload: bytes) -> None:
        self.beats.came(topic, payload)
        self.driver.put(Arrived(topic, payload))
