"""The memory of a simulated device that loses nothing when it is switched off."""

from __future__ import annotations

from firmware_bridge.frames import Frame
from firmware_bridge.report_log import NoLog


class KeptReports(NoLog):
    """What `report_log.ReportLog` does, without a memory chip and without end."""

    keeps = True

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], Frame] = {}

    def load(self) -> list[Frame]:
        return list(self._kept.values())

    def keep(self, frame: Frame) -> None:
        self._kept[frame.boot, frame.seq] = frame

    def forget(self, frame: Frame) -> None:
        self._kept.pop((frame.boot, frame.seq), None)
