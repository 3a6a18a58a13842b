"""How far the camera has looked.

A slow machine is behind with its pictures. What is waited for from the camera is waited for on the camera's clock,
which stands still while it does not look.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from table_core.messages import Zone
from table_core.tracker import waits
from table_core.tracker.kept import Millis
from table_core.tracker.memory.slice import Slice


class Look(Slice):
    """`until`: every picture taken up to then was looked at; None where no camera says so. `settled`: of each zone
    in which something moves, or which is not read to its end, when that began. `lost`: the camera does not work;
    it may be back at once, or stay away. In no note: a process that starts has not looked yet."""

    until: Millis | None = None
    settled: Mapping[Zone, Millis] = {}
    lost: bool = False

    def looked(self, until: Millis, unsettled: Collection[Zone]) -> None:
        before = until if self.until is None else self.until
        self.settled = {zone: self.settled.get(zone, before) for zone in unsettled}
        self.until, self.lost = until, False

    def is_lost(self) -> None:
        """The camera does not work."""
        self.lost = True

    def time(self, now: Millis, zone: Zone | None = None) -> Millis:
        """The camera's clock, for `zone` where one is given: behind `now` by as much as the camera is, and by no
        more than people wait."""
        until = self._until(zone)
        if until is None or (self.lost and now >= until + waits.CAMERA_LATE_MS):
            return now
        return Millis(max(min(now, until), now - waits.CAMERA_LATE_MS))

    def latest(self, due: Millis, zone: Zone | None = None) -> Millis:
        """When the camera's clock is at `due`, though it looked at nothing more."""
        until = self._until(zone)
        if until is None or until >= due:
            return due
        return Millis(max(due, until + waits.CAMERA_LATE_MS) if self.lost else due + waits.CAMERA_LATE_MS)

    def _until(self, zone: Zone | None) -> Millis | None:
        return self.until if zone is None else self.settled.get(zone, self.until)
