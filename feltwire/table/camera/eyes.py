"""All cameras of a table as one device: each zone is read by the working camera that sees it best.

With one camera its state is the device's. With several the device works while one of them does: a camera that
fails leaves its zones to the others, and of a zone that none of them sees the table is told that nobody sees it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from display.app import Picture
from feltwire.config import CameraProfile, TableConfig
from feltwire.runtime.boottime import boot_millis
from feltwire.table.camera.eye import PICTURE_EVERY_MS, CameraEye
from feltwire.table.camera.setup import chips_of, deck_of, places_of
from feltwire.table.camera.shown import Shown, coded
from feltwire.table.devices.sensed import Sensed
from feltwire.table.table_io import DeviceSaid, EyesLooked, ZoneCame
from table_core.messages import FOR_CHIPS, DeviceState, Millis, Sight, Zone, ZoneReading
from vision.camera import Camera, open_camera
from vision.cards import CardReader
from vision.watching.watched import Condition, WatchedZone

_BLOCKED_S = 2.0  # an arm over half a table is gone by then: its zones stay with that camera so long
_DEVICE = "camera"
LOOKED_EVERY_MS = 100  # it is said so often that a picture was looked at in which nothing is new
CLIP_EVERY_MS = 450  # a new picture at least so often where a clip is kept,
CLIP_WIDTH, CLIP_BYTES = 960, 32 * 1024  # which are many, so smaller ones


class TableEyes:
    """The cameras' threads, their readings into the node, and one picture for the pages."""

    def __init__(
        self,
        config: TableConfig,
        put: Callable[[Any], None],
        sensed: Sensed,
        *,
        open_source: Callable[[str], Camera] = open_camera,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._put = put
        self._sensed = sensed
        self._clock = clock
        reader = CardReader(deck=deck_of(config))
        self._eyes = [
            CameraEye(
                place,
                reader,
                chips_of(config, place.felt),
                self,
                sensed.face_up,
                height_mm=config.camera.height_mm,
                open_source=open_source,
                picture_every_ms=CLIP_EVERY_MS if config.clip_key else PICTURE_EVERY_MS,
            )
            for place in places_of(config)
        ]
        self._lock = threading.Lock()
        self._since: dict[CameraEye, float] = {}  # when each blocked one began to be
        self._owner: dict[Zone, CameraEye] = {}
        self._watched: dict[Zone, WatchedZone] = {}
        self._reported = (DeviceState.CONNECTING, "")
        self._looked = EyesLooked(Millis(0))
        self._shown: dict[CameraEye, Shown | None] = {}  # the newest of each camera
        self._picture_no = 0
        self._picture: Picture | None = None
        self._coding = threading.Lock()

    def start(self) -> None:
        self._put(EyesLooked(boot_millis()))  # from now on the cameras are waited for
        for eye in self._eyes:
            eye.start()

    def stop(self) -> None:
        for eye in self._eyes:
            eye.stop()

    @property
    def watched(self) -> dict[Zone, WatchedZone]:
        """The latest of every zone."""
        return dict(self._watched)

    @property
    def trouble(self) -> str:
        """What is wrong with the cameras; empty while all is well."""
        state, detail = self._reported
        return "" if state is DeviceState.OK else detail or "no picture has come yet"

    def heard(self) -> dict[str, Millis]:
        """When the newest picture of each camera came, where one has."""
        several = len(self._eyes) > 1
        named = {f"{_DEVICE}-{no}" if several else _DEVICE: eye.heard_ms for no, eye in enumerate(self._eyes, 1)}
        return {name: at for name, at in named.items() if at is not None}

    def picture(self, table: str) -> Picture | None:
        """The newest picture of what everybody may see, coded once however many look at it; from any thread.

        A side camera sees under the edge of a lifted card: its picture is nobody's.
        """
        newest = self._newest()
        if not newest:
            return None
        with self._coding:
            if self._picture is None or self._picture.version < self._picture_no:
                self._picture = coded(newest, self._picture_no)
            return self._picture

    def clip_picture(self) -> Picture | None:
        """The same, smaller, for the clip: coded anew with each call; from any thread."""
        version, newest = self._picture_no, self._newest()
        return coded(newest, version, width=CLIP_WIDTH, most_bytes=CLIP_BYTES) if newest else None

    def _newest(self) -> list[Shown]:
        eyes = [eye for eye in self._eyes if eye.place.profile is not CameraProfile.STACKS]
        return [eye.shown for eye in eyes if eye.shown is not None]

    # ------------------------------------------------------------------- from the cameras' threads

    def state(self, eye: CameraEye, state: DeviceState, detail: str) -> None:
        with self._lock:
            if state is not DeviceState.BLOCKED:
                self._since.pop(eye, None)
            else:
                self._since.setdefault(eye, self._clock())
            if len(self._eyes) > 1:
                self._put(DeviceSaid(f"{_DEVICE}-{self._eyes.index(eye) + 1}", state, detail))
            self._share_out()
            self._tell()

    def read(self, eye: CameraEye, fresh: list[WatchedZone]) -> None:
        with self._lock:
            if self._since:
                self._share_out()
            own = [one for one in fresh if self._owner.get(one.reading.zone) is eye]
            self._watched |= {one.reading.zone: one for one in own}
            if own or eye.shown is not self._shown.get(eye):
                self._shown[eye] = eye.shown
                self._picture_no += 1
                self._sensed.zones(own, self._picture_no)
            for one in own:
                self._put(ZoneCame(one.reading))
            self._say_looked()
            self._sensed.sights({zone: Sight(sight) for zone, sight in self._conditions().items()})

    # ---------------------------------------------------------------------- with the lock held

    def _conditions(self) -> dict[Zone, Condition]:
        return {
            zone: condition
            for eye in self._eyes
            for zone, condition in eye.conditions.items()
            if self._owner.get(zone) is eye
        }

    def _say_looked(self) -> None:
        """How far all that work have looked, behind their readings."""
        working = [eye for eye in self._eyes if eye.reported[0] is DeviceState.OK]
        if not working:
            return
        until = min(eye.looked_ms for eye in working)
        unsettled = frozenset(zone for eye in working for zone in eye.unsettled if self._owner.get(zone) is eye)
        last = self._looked
        if unsettled != last.unsettled or until - last.until >= LOOKED_EVERY_MS:
            self._looked = EyesLooked(until, unsettled)
            self._put(self._looked)

    def _share_out(self) -> None:
        """Give each zone to the working camera that sees it best, and say which nobody sees any longer."""
        if len(self._eyes) == 1:
            self._owner = dict.fromkeys(self._eyes[0].place.sees, self._eyes[0])
            return
        working = [eye for eye in self._eyes if self._works(eye)]
        zones = {zone for eye in working for zone in eye.place.sees}
        owner = {
            zone: max((eye for eye in working if zone in eye.place.sees), key=lambda eye: _how_well(eye, zone))
            for zone in zones
        }
        if owner == self._owner:
            return
        lost, self._owner = self._owner.keys() - owner.keys(), owner
        for eye in self._eyes:
            eye.mind(frozenset(zone for zone, its in owner.items() if its is eye))
        for zone in sorted(lost, key=str):
            self._watched.pop(zone, None)
            self._put(ZoneCame(ZoneReading(zone, unseen=True)))

    def _works(self, eye: CameraEye) -> bool:
        state, _ = eye.reported
        if state is DeviceState.BLOCKED and eye in self._owner.values():
            return self._clock() - self._since[eye] < _BLOCKED_S
        return state is DeviceState.OK

    def _tell(self) -> None:
        """The state of all as one: they work where one does."""
        told = [eye.reported for eye in self._eyes]
        working = [said for said in told if said[0] is DeviceState.OK]
        said = working[0] if working else told[0]
        if len(told) > 1:
            faults = [f"camera {no}: {detail}" for no, (_, detail) in enumerate(told, start=1) if detail]
            said = (said[0], "; ".join(faults))
        if said != self._reported:
            self._reported = said
            self._sensed.camera(said[1])
            self._put(DeviceSaid(_DEVICE, *said))


def _how_well(eye: CameraEye, zone: Zone) -> tuple[bool, float]:
    """A camera for stacks sees heights, however coarse; else the finer picture counts."""
    return zone.kind in FOR_CHIPS and eye.place.profile is CameraProfile.STACKS, eye.place.sees[zone]
