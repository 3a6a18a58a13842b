"""The table's camera names the cards that are laid on the board's place."""

from __future__ import annotations

from collections.abc import Callable

from feltwire.config import TableConfig
from feltwire.errors import UsageError
from feltwire.table.camera.eye import PICTURE_EVERY_MS, CameraEye
from feltwire.table.camera.setup import deck_of, places_of
from feltwire.table.devices.face_up import FaceUp
from table_core.messages import CardText, DeviceState, Zone, ZoneKind
from vision.camera import open_camera
from vision.cards import CardReader
from vision.watching.watched import WatchedZone

_BOARD = Zone(ZoneKind.BOARD)


class NamingCamera:
    """`shown(cards, unread)` and `trouble(why)` are called from the camera's thread. Raise `UsageError` for a
    table without a camera over the board."""

    def __init__(
        self,
        config: TableConfig,
        shown: Callable[[tuple[CardText, ...], int], None],
        trouble: Callable[[str], None],
    ) -> None:
        if not config.camera.source:
            raise UsageError("this table has no camera: name the order of the deck with --order")
        self._shown, self._trouble = shown, trouble
        seeing = [place for place in places_of(config) if _BOARD in place.sees]
        if not seeing:
            raise UsageError("no camera of this table sees the board: name the order of the deck with --order")
        self._eye = CameraEye(
            max(seeing, key=lambda place: place.sees[_BOARD]),
            CardReader(deck=deck_of(config)),
            None,
            self,
            FaceUp(),
            height_mm=config.camera.height_mm,
            open_source=open_camera,
            picture_every_ms=PICTURE_EVERY_MS,
        )
        self._eye.mind(frozenset({_BOARD}))

    def start(self) -> None:
        self._eye.start()

    def stop(self) -> None:
        self._eye.stop()

    def state(self, eye: CameraEye, state: DeviceState, detail: str) -> None:
        if state is not DeviceState.OK:
            self._trouble(detail)

    def read(self, eye: CameraEye, fresh: list[WatchedZone]) -> None:
        for one in fresh:
            if one.reading.zone == _BOARD:
                self._shown(tuple(one.reading.cards), one.reading.unread)
