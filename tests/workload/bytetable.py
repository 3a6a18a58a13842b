"""A table whose devices speak bytes, in boot time that is told, not waited for.

Keys and cards go through the firmware's own line discipline (`firmware_bridge.device`), the frame codec, the
table's parsers, the node, its tracker and the vault; acknowledgements go back as bytes. Camera readings enter
where the watcher's readings do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from feltwire.config import TableConfig
from feltwire.runtime.node_io import Show
from feltwire.table.node import TableNode
from feltwire.table.table_io import (
    AckFrame,
    CardPassed,
    CommandCame,
    Commit,
    DeviceSaid,
    FrameCame,
    KeyDown,
    ZoneCame,
)
from feltwire.table.vault import Vault
from firmware_bridge import payloads
from firmware_bridge.decks import DeckRegistry, generate
from firmware_bridge.device import Device
from firmware_bridge.frames import ACK, CARD, KEY, Decoder, Frame, encode
from firmware_bridge.keypad import parse_key
from firmware_bridge.shoe import parse_card
from table_core.messages import (
    AnyTableCommand,
    At,
    CardText,
    DeviceState,
    Envelope,
    Key,
    Millis,
    Seat,
    TableView,
    ZoneReading,
)
from table_core.messages import encode as encode_message

FRAME_MS = 10  # a frame is on the wire, in the ledger and acknowledged


class ByteTable:
    """One table. `devices` are those that it has; `now` is its boot time in milliseconds.

    `events` are all envelopes that it recorded, in order; `screen` is what its own dealer screen shows.
    """

    def __init__(self, config: TableConfig, runtime: Path, devices: frozenset[str], decks_seed: int = 1) -> None:
        self.devices = devices
        self.registry = DeckRegistry.parse(generate(decks_seed, decks=2))
        self.vault = Vault(self.registry, config.table, None, runtime)
        self.events: list[Envelope] = []
        self.now = Millis(1_000)
        self.screen: TableView
        self.wires: dict[str, Device] = {}
        self._hosts = {"keypad": Decoder(), "shoe": Decoder()}
        self._wake_at: Millis | None = None
        self._screens = msgspec.json.Decoder(TableView)
        self.node = TableNode(config, self.vault, known=lambda *_: (), stamp=lambda now: At("test", now), boot=7)
        self._take(self.node.open_table(self.now))
        self.screen = self.node.table.view()
        for number, (name, kind) in enumerate((("keypad", payloads.KEYPAD), ("shoe", payloads.SHOE)), start=1):
            if name in devices:
                self.wires[name] = Device(kind, f"{name} 1.0", boot=number, room=1_000)
        for name in ("keypad", "shoe", "camera"):
            self.give(DeviceSaid(name, DeviceState.OK if name in devices else DeviceState.OFF))

    # ------------------------------------------------------------------------------------ what happens

    def press(self, key: Key) -> None:
        """One key of the keypad goes down."""
        self._report("keypad", KEY, payloads.key(key, self.now))

    def card(self, deck: str, card: CardText | None) -> None:
        """A card passes the shoe's reader; None for one whose tag does not answer."""
        if "shoe" in self.devices:
            tag = payloads.NO_TAG if card is None else self.registry.tag_of(deck, card).reveal()
            self._report("shoe", CARD, payloads.card(tag, self.now))

    def see(self, reading: ZoneReading) -> None:
        """The camera's reading of a zone that lies still."""
        if "camera" in self.devices:
            self.give(ZoneCame(reading))

    def command(self, command: AnyTableCommand) -> None:
        self.give(CommandCame(encode_message(command)))

    def advance(self, to: int) -> None:
        """Time passes; the node is woken when it asked to be."""
        while self._wake_at is not None and self._wake_at <= to:
            self.now = max(self.now, self._wake_at)
            self.give(None)
        self.now = Millis(max(self.now, to))

    def give(self, something: Any) -> None:
        effects, self._wake_at = self.node.step(something, self.now)
        self._take(effects)

    # -------------------------------------------------------------------------------------- the wires

    def _report(self, name: str, kind: int, payload: bytes) -> None:
        """The device sends until the frame is acknowledged."""
        device = self.wires[name]
        device.report(kind, payload)
        while device.waiting:
            self.advance(self.now + FRAME_MS)
            for frame in self._hosts[name].feed(device.transmit(self.now)):
                if frame.kind == kind:
                    self.give(FrameCame(name, frame.boot, frame.seq, self._report_of(name, frame)))

    def _report_of(self, name: str, frame: Frame) -> KeyDown | CardPassed:
        return (
            KeyDown(self.now, parse_key(frame)[0])
            if name == "keypad"
            else CardPassed(self.now, parse_card(frame).uid)
        )

    def _take(self, effects: list[Any]) -> None:
        for effect in effects:
            if isinstance(effect, Commit):
                self.events += effect.envelopes
            elif isinstance(effect, AckFrame):
                ack = encode(ACK, effect.boot, effect.seq)
                self.wires[effect.device].receive(ack, self.now)
            elif isinstance(effect, Show) and effect.channel.startswith("table/"):
                self.screen = self._screens.decode(effect.snapshot)

    # -------------------------------------------------------------------------------- what it shows

    def stacks(self) -> dict[Seat, int]:
        """The table's reckoning between hands."""
        return {seat: state.stack for seat, state in self.node.table.seats.items()}
