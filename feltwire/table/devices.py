"""The keypad and the shoe under a table: serial lines, their frames as inputs of the node, the keypad's lamps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from feltwire.config import SerialDevice, TableConfig
from feltwire.table.sensed import Sensed
from feltwire.table.table_io import (
    AckFrame,
    CardPassed,
    DeviceSaid,
    FrameCame,
    FrameReport,
    FramesLost,
    KeyDown,
    Unreadable,
)
from firmware_bridge import payloads
from firmware_bridge.keypad import PayloadError, parse_key
from firmware_bridge.link import DeviceLink, ReceivedFrame
from firmware_bridge.shoe import parse_card
from table_core.messages import DeviceState, Millis, Seat

_SEAT_COLOUR = (0, 160, 80)
_DARK = (0, 0, 0)


class TableDevices:
    """`put` enqueues inputs of the node, from any thread; `sensed` shows the bytes as they come."""

    def __init__(self, config: TableConfig, sensed: Sensed, put: Callable[[Any], None]) -> None:
        self._sensed = sensed
        self._put = put
        self._lit: Seat | None = None
        self._links: dict[str, DeviceLink] = {}
        self._add("keypad", config.keypad, payloads.KEYPAD, key_report)
        self._add("shoe", config.shoe, payloads.SHOE, card_report)

    def _add(
        self, name: str, device: SerialDevice, kind: int, read: Callable[[ReceivedFrame], FrameReport]
    ) -> None:
        """Without a port the table has no such device."""
        if not device.port:
            return

        def came(frame: ReceivedFrame) -> None:
            self._put(FrameCame(frame.device, frame.boot, frame.seq, read(frame)))

        self._links[name] = DeviceLink(
            name,
            device.port,
            expect=kind,
            baud=device.baud,
            on_frame=came,
            on_state=lambda state, detail: self._put(DeviceSaid(name, state, detail)),
            on_bytes=lambda text: self._sensed.line(name, text),
            on_lost=lambda count: self._put(FramesLost(name, count)),
        )

    def start(self) -> None:
        for name in ("keypad", "shoe"):
            if name not in self._links:
                self._put(DeviceSaid(name, DeviceState.OFF))
        for link in self._links.values():
            link.start()

    def stop(self) -> None:
        for link in self._links.values():
            link.stop()

    def acknowledge(self, frame: AckFrame) -> None:
        self._links[frame.device].ack(frame.boot, frame.seq)

    def firmware(self) -> dict[str, str]:
        """The firmware of each device that has sent HELLO."""
        return {name: link.hello.firmware for name, link in self._links.items() if link.hello is not None}

    def light(self, seat: Seat | None) -> None:
        """Light the keypad's lamp of the seat to act; None: no lamp."""
        keypad = self._links.get("keypad")
        if keypad is None:
            return
        if self._lit is not None:
            keypad.lamp(self._lit, _DARK)
        if seat is not None:
            keypad.lamp(seat, _SEAT_COLOUR)
        self._lit = seat


def key_report(frame: ReceivedFrame) -> KeyDown | Unreadable:
    """What a frame of the keypad says."""
    try:
        key, device_ms = parse_key(frame)
    except PayloadError as error:
        return Unreadable(str(error))
    return KeyDown(Millis(int(frame.received_ms)), key, device_ms)


def card_report(frame: ReceivedFrame) -> CardPassed | Unreadable:
    """What a frame of the shoe says; the tag stays opaque."""
    try:
        uid = parse_card(frame).uid
    except PayloadError as error:
        return Unreadable(str(error))
    return CardPassed(Millis(int(frame.received_ms)), uid)
