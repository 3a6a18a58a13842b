"""A table in memory whose keypad and shoe speak bytes.

Keys and cards go through the firmware's line discipline (`firmware_bridge.device`), the table's serial link
without its thread, the parsers, the node, its tracker and the vault; acknowledgements go back as bytes. Camera
readings enter where the watcher's readings do.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from feltwire.config import TableConfig
from feltwire.lab.table.memory import MemoryTable
from feltwire.table.table_io import AckFrame, DeviceSaid, FrameCame, ZoneCame
from feltwire.table.vault import Vault
from firmware_bridge import payloads
from firmware_bridge.decks import DeckRegistry, generate
from firmware_bridge.device import Device
from firmware_bridge.frames import CARD, KEY
from firmware_bridge.link import DeviceLink, ReceivedFrame
from firmware_bridge.reports import read_report
from firmware_bridge.sim.kept import KeptReports
from table_core.messages import CardText, DeviceState, Key, Millis, Seat, ZoneReading

FRAME_MS = 10  # a frame is on the wire, in the ledger and acknowledged
KINDS = {"keypad": payloads.KEYPAD, "shoe": payloads.SHOE}


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
    """The link of `device` without its thread: it opens, loses and reads its line when it is told to. `put` takes
    inputs of the node, `now` gives the boot time (ms)."""

    def __init__(self, device: str, put: Callable[[Any], object], now: Callable[[], float]) -> None:
        self.line = Line()

        def came(frame: ReceivedFrame) -> None:
            report = read_report(KINDS[device], frame, lambda device_ms: Millis(int(self.when(device_ms))))
            put(FrameCame(device, frame.boot, frame.seq, report))

        super().__init__(
            device,
            "told",
            expect=KINDS[device],
            on_frame=came,
            on_state=lambda state, detail: _nothing(put(DeviceSaid(device, state, detail))),
            now=now,
        )

    def _prepare(self, baud: int) -> Any:
        return self.line

    def plug(self) -> None:
        self._open()

    def unplug(self) -> None:
        self._close()
        self._tell(DeviceState.CONNECTING, "the line broke; reconnecting")

    def feed(self, data: bytes, now: int) -> None:
        """Bytes of the device arrive at boot time `now` (ms)."""
        self._take(data, now)


class WiredTable(MemoryTable):
    """One table with the `devices` "keypad", "shoe", "camera", or some of them; two decks in `registry`, salts
    from `rng`."""

    def __init__(
        self,
        config: TableConfig,
        runtime: Path,
        devices: frozenset[str],
        decks_seed: int = 1,
        rng: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.devices = devices
        self.registry = DeckRegistry.parse(generate(decks_seed, decks=2))
        self.links = {
            name: StillLink(name, self.give, lambda: float(self.now)) for name in KINDS if name in devices
        }
        self.wires = {name: self._wire(name, number) for number, name in enumerate(self.links, start=1)}
        super().__init__(config, Vault(self.registry, config.table, None, runtime, rng))
        for name in ("keypad", "shoe", "camera"):
            if name in self.links:
                self.plug(name)
            else:
                self.give(DeviceSaid(name, DeviceState.OK if name in devices else DeviceState.NONE))

    def _wire(self, name: str, boot: int) -> Device:
        """The device's end of the line."""
        return Device(KINDS[name], f"{name} 1.0", boot=boot, room=1_000, log=KeptReports())

    # ------------------------------------------------------------------------------------- what happens

    def press(self, key: Key) -> None:
        """One key of the keypad goes down."""
        self._report("keypad", KEY, payloads.key(key, self.now))

    def card(self, deck: str, card: CardText | None) -> None:
        """A card passes the shoe's reader; None for one whose tag does not answer."""
        self.tag(payloads.NO_TAG if card is None else self.registry.tag_of(deck, card).reveal())

    def tag(self, uid: bytes) -> None:
        """A tag passes the shoe's reader, where there is one."""
        if "shoe" in self.devices:
            self._report("shoe", CARD, payloads.card(uid, self.now))

    def see(self, reading: ZoneReading) -> None:
        """The camera's reading of a zone that lies still."""
        if "camera" in self.devices:
            self.give(ZoneCame(reading))

    def plug(self, name: str) -> None:
        """The device's cable is in; what it kept comes."""
        self.links[name].plug()
        self.wires[name].greet()
        self._serve(name)
        self._deliver(name)

    def unplug(self, name: str) -> None:
        """The device's cable is out; it keeps what it has to say."""
        self.links[name].unplug()

    def stacks(self) -> dict[Seat, int]:
        """The table's reckoning between hands."""
        return {seat: state.stack for seat, state in self.node.table.seats.items()}

    # ---------------------------------------------------------------------------------------- the wires

    def _report(self, name: str, kind: int, payload: bytes) -> None:
        self.wires[name].report(kind, payload, self.now)
        self._deliver(name)

    def _deliver(self, name: str) -> None:
        """The device sends until every frame is acknowledged."""
        while self.links[name].line.is_open and self.wires[name].waiting:
            self.advance(self.now + FRAME_MS)
            self._serve(name)

    def _serve(self, name: str) -> None:
        self.links[name].feed(self.wires[name].transmit(self.now), self.now)
        self.wires[name].receive(self.links[name].line.take(), self.now)

    def _perform(self, effect: Any) -> None:
        super()._perform(effect)
        if isinstance(effect, AckFrame):
            self.links[effect.device].ack(effect.boot, effect.seq)


def _nothing(_given: object) -> None:
    """What a link's listener gives back."""
