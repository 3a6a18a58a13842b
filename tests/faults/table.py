"""The table's process: the real links, vault, node and ledger; time comes in with every message.

    python -m tests.faults.table FOLDER

reads `wire` messages on stdin and answers each on stdout. FOLDER is all that it knows of the disk.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from feltwire.config import TableConfig
from feltwire.lab.table.memory import MemoryTable
from feltwire.lab.table.wired import KINDS, StillLink
from feltwire.ledger.table_ledger import Ledger
from feltwire.table.devices.keypad_lights import KeypadPanel
from feltwire.table.table_io import (
    AckFrame,
    CommandCame,
    Commit,
    DeviceSaid,
    ShowLights,
    ZoneCame,
)
from feltwire.table.vault import Vault
from firmware_bridge.decks import DeckRegistry
from table_core.messages import (
    DeviceState,
    Zone,
    ZoneReading,
)
from tests.faults import wire


class TableProcess(MemoryTable):
    """One table whose ledger lies in `folder`; `take` a message, get what it said at once."""

    def __init__(self, folder: Path, opened: wire.Opened) -> None:
        config = msgspec.json.decode(opened.config, type=TableConfig)
        runtime = folder / "runtime"
        runtime.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.ledger = Ledger.open(folder / "table.ledger")
        self.ledger._store.connection.execute("PRAGMA synchronous=OFF")  # no power fails here
        self.ledger.begin_epoch(1)
        self.links = {name: StillLink(name, self.give, lambda: float(self.now)) for name in KINDS}
        self._watcher = _watcher(config) if opened.pictures else None
        self._picture: Any = None
        self._camera = DeviceState.CONNECTING
        self._panel = KeypadPanel(self.links["keypad"])
        vault = Vault(DeckRegistry.parse(opened.decks), config.table, None, runtime)
        super().__init__(config, vault, now=opened.now, name="faults")

    def take(self, given: wire.AnyGiven) -> wire.Said:
        self.advance(given.now)
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
                self.give(ZoneCame(replace(reading, motions=given.motions, button=given.button)))
            case wire.Camera():
                self._say_camera(given.state, given.detail)
            case wire.Picture():
                self._picture = np.frombuffer(given.pixels, np.uint8).reshape(given.height, given.width, 3)
                busy = self._see()
            case wire.Same():
                busy = self._see()
            case wire.Command():
                self.give(CommandCame(given.raw))
            case _:
                pass
        lines = tuple((name, data) for name, link in self.links.items() if (data := link.line.take()))
        screen, self.screen = self.screen, b""
        ruling, self.ruling_screen = self.ruling_screen, b""
        return wire.Said(lines, screen, ruling, busy)

    def close(self) -> None:
        self.ledger.close()

    # --------------------------------------------------------------------------------------- inside

    def _say_camera(self, state: DeviceState, detail: str) -> None:
        if state is not self._camera:
            self._camera = state
            self.give(DeviceSaid("camera", state, detail))

    def _see(self) -> bool:
        """The next frame goes through the watcher; whether it wants more of the same."""
        assert self._watcher is not None
        fresh = self._watcher.step(self._picture)
        blocked = self._watcher.blocked
        self._say_camera(DeviceState.BLOCKED if blocked else DeviceState.OK, blocked)
        for watched in fresh:
            self.give(ZoneCame(watched.reading))
        return True

    def _known(self, device: str, boot: int) -> frozenset[int]:
        return frozenset(self.ledger.seen(device, boot))

    def _commit(self, commit: Commit) -> None:
        self.ledger.commit(
            entries=commit.entries,
            observations=commit.observations,
            sealed=commit.sealed,
            boxes=commit.boxes,
            drop_boxes=commit.drop_boxes,
            notes=commit.notes,
        )

    def _perform(self, effect: Any) -> None:
        super()._perform(effect)
        if isinstance(effect, AckFrame):
            self.links[effect.device].ack(effect.boot, effect.seq)
        elif isinstance(effect, ShowLights):
            self._panel.show(effect.lights)


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
