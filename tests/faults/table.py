"""The table's process: the real links, vault, node and ledger; time comes in with every message.

    python -m tests.faults.table FOLDER

reads `wire` messages on stdin and answers each on stdout. FOLDER is all that it knows of the disk.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

import firmware_bridge.link as links
from feltwire.config import TableConfig
from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.node_io import Show
from feltwire.table.devices import card_report, key_report
from feltwire.table.node import TableNode
from feltwire.table.table_io import (
    AckFrame,
    CommandCame,
    Commit,
    DeviceSaid,
    ForgetHand,
    FrameCame,
    FrameReport,
    LightSeat,
    ProcessStarted,
    ZoneCame,
)
from feltwire.table.vault import Vault
from firmware_bridge import payloads
from firmware_bridge.decks import DeckRegistry
from firmware_bridge.link import DeviceLink, ReceivedFrame
from table_core.messages import (
    At,
    DeviceState,
    Millis,
    Zone,
    ZoneReading,
)
from tests.faults import wire

LAMP = (0, 160, 80)
BOOT = 7


class Line:
    """The host's end of a serial line, as the link opens it; what it writes is kept for the device."""

    def __init__(self) -> None:
        self.written = bytearray()
        self.is_open = False

    def open(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.is_open = False

    def write(self, data: bytes) -> None:
        self.written += data

    def take(self) -> bytes:
        data = bytes(self.written)
        self.written.clear()
        return data


class StillLink(DeviceLink):
    """The link without its thread: it opens, loses and reads its line when it is told that this happens."""

    def __init__(self, device: str, kind: int, **heard: Any) -> None:
        self.line = Line()
        super().__init__(device, "told", expect=kind, **heard)

    def _prepare(self, baud: int) -> Any:
        return self.line

    def plug(self) -> None:
        self._open()

    def unplug(self) -> None:
        self._close()
        self._tell(DeviceState.CONNECTING, "the line broke; reconnecting")

    def feed(self, data: bytes, now: int) -> None:
        self._take(data, now)


class TableProcess:
    """One table in `folder`; `take` a message, get what it said at once."""

    def __init__(self, folder: Path, opened: wire.Opened) -> None:
        self.now = opened.now
        links.boot_ms = lambda: float(self.now)
        config = msgspec.json.decode(opened.config, type=TableConfig)
        runtime = folder / "runtime"
        runtime.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.ledger = Ledger.open(folder / "table.ledger")
        self.ledger._store.connection.execute("PRAGMA synchronous=OFF")  # no power fails here
        self.ledger.begin_epoch(1)
        self.vault = Vault(DeckRegistry.parse(opened.decks), config.table, None, runtime)
        self.node = TableNode(config, self.vault, known=self.ledger.seen, stamp=_stamp, boot=BOOT)
        self.links = {
            "keypad": self._link("keypad", payloads.KEYPAD, key_report),
            "shoe": self._link("shoe", payloads.SHOE, card_report),
        }
        self._watcher = _watcher(config) if opened.pictures else None
        self._picture: Any = None
        self._camera = DeviceState.CONNECTING
        self._wake_at: Millis | None = None
        self._screen = self._ruling = b""
        self._lit = 0
        self._step(ProcessStarted())

    def take(self, given: wire.AnyGiven) -> wire.Said:
        self._sleep(given.now)
        busy = False
        match given:
            case wire.Bytes():
                self.links[given.device].feed(given.data, given.now)
            case wire.Cable():
                link = self.links[given.device]
                link.plug() if given.plugged else link.unplug()
            case wire.Zone():
                zone, chips = Zone.parse(given.zone), given.chips
                reading = ZoneReading(zone, given.cards, given.unread, given.face_down, chips, given.pieces)
                self._step(ZoneCame(replace(reading, motions=given.motions, button=given.button)))
            case wire.Camera():
                self._say_camera(given.state, given.detail)
            case wire.Picture():
                self._picture = np.frombuffer(given.pixels, np.uint8).reshape(given.height, given.width, 3)
                busy = self._see()
            case wire.Same():
                busy = self._see()
            case wire.Command():
                self._step(CommandCame(given.raw))
            case _:
                pass
        lines = tuple((name, data) for name, link in self.links.items() if (data := link.line.take()))
        screen, self._screen = self._screen, b""
        ruling, self._ruling = self._ruling, b""
        return wire.Said(lines, screen, ruling, busy)

    def close(self) -> None:
        self.ledger.close()

    # --------------------------------------------------------------------------------------- inside

    def _sleep(self, until: int) -> None:
        """Time passes; the node is woken when it asked to be."""
        while self._wake_at is not None and self._wake_at <= until:
            self.now = max(self.now, self._wake_at)
            self._step(None)
        self.now = until

    def _link(self, name: str, kind: int, read: Callable[[ReceivedFrame], FrameReport]) -> StillLink:
        return StillLink(
            name,
            kind,
            on_frame=lambda frame: self._step(FrameCame(frame.device, frame.boot, frame.seq, read(frame))),
            on_state=lambda state, detail: self._step(DeviceSaid(name, state, detail)),
        )

    def _say_camera(self, state: DeviceState, detail: str) -> None:
        if state is not self._camera:
            self._camera = state
            self._step(DeviceSaid("camera", state, detail))

    def _see(self) -> bool:
        """The next frame goes through the watcher; whether it wants more of the same."""
        assert self._watcher is not None
        fresh = self._watcher.step(self._picture)
        blocked = self._watcher.blocked
        self._say_camera(DeviceState.BLOCKED if blocked else DeviceState.OK, blocked)
        for watched in fresh:
            self._step(ZoneCame(watched.reading))
        return True

    def _step(self, given: Any) -> None:
        effects, self._wake_at = self.node.step(given, Millis(self.now))
        for effect in effects:
            self._perform(effect)

    def _perform(self, effect: Any) -> None:
        match effect:
            case Commit():
                self.ledger.commit(
                    entries=effect.entries,
                    observations=effect.observations,
                    sealed=effect.sealed,
                    boxes=effect.boxes,
                    drop_boxes=effect.drop_boxes,
                    notes=effect.notes,
                )
            case ForgetHand():
                self.vault.forget_hand()
            case AckFrame():
                self.links[effect.device].ack(effect.boot, effect.seq)
            case Show() if effect.channel.startswith("ruling/"):
                self._ruling = effect.snapshot
            case Show():
                self._screen = effect.snapshot
            case LightSeat():
                self._light(effect.seat or 0)
            case _:
                pass  # bus messages: this table has no broker

    def _light(self, seat: int) -> None:
        if self._lit:
            self.links["keypad"].lamp(self._lit, (0, 0, 0))
        if seat:
            self.links["keypad"].lamp(seat, LAMP)
        self._lit = seat


def _stamp(now: Millis) -> At:
    return At("faults", now)


def _watcher(config: TableConfig) -> Any:
    from tests.faults.chips import rendered_chips
    from vision.cards import CardReader
    from vision.chips.zone import ZoneChipReader
    from vision.geometry.felt import Felt
    from vision.watching.watcher import Watcher

    felt = Felt.for_seats(config.seat_count)
    return Watcher(felt, CardReader(), chips=ZoneChipReader(rendered_chips(felt), felt.px_per_mm))


def main(argv: list[str]) -> int:
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    opened = wire.receive_given(source)
    if not isinstance(opened, wire.Opened) or len(argv) != 1:
        print("usage: python -m tests.faults.table FOLDER, told by tests.faults.room", file=sys.stderr)
        return 2
    table = TableProcess(Path(argv[0]), opened)
    wire.send(sink, table.take(wire.Time(opened.now)))
    while (given := wire.receive_given(source)) is not None:
        wire.send(sink, table.take(given))
    table.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
