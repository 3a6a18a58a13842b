"""The dealer's keypad on a Raspberry Pi Pico: a key matrix in, frames out on UART 0 (docs/wire.md).

Wiring: rows on GP2..GP7 (driven), columns on GP8..GP13 (pulled down), a diode at each key from row to column;
GP0 (TX) and GP1 (RX) cross to the Pi's UART or to a USB adapter at 3.3 V, and ground.
"""

import os
import time

from machine import UART, Pin

from firmware_bridge import payloads
from firmware_bridge.debounce import Debouncer
from firmware_bridge.device import Device
from firmware_bridge.frames import KEY, LAMP

FIRMWARE = "feltwire-keypad 1.1"
ROW_PINS = (2, 3, 4, 5, 6, 7)
COLUMN_PINS = (8, 9, 10, 11, 12, 13)
SETTLE_MS = 5
BLINK_MS = 250

# Key codes (docs/wire.md) as the keys lie, row by row.
KEYS = (
    (24, 34, 33, 32, 35, 36),  # new hand, time, floor, undo, button here, away
    (7, 8, 9, 16, 26, 27),  # 7 8 9, fold, tabled, muck
    (4, 5, 6, 17, 28, 29),  # 4 5 6, check or call, award, split
    (1, 2, 3, 18, 13, 37),  # 1 2 3, bet or raise, seat, count
    (0, 10, 11, 19, 38, 39),  # 0 00 000, all-in, out of the hand, old level
    (12, 20, 25, None, None, None),  # clear, street, pot pushed
)


class Ticks:
    """The port's millisecond counter, which wraps, made one that does not."""

    def __init__(self):
        self._last = time.ticks_ms()
        self._now = 0

    def now(self):
        ticks = time.ticks_ms()
        self._now += time.ticks_diff(ticks, self._last)
        self._last = ticks
        return self._now


class Matrix:
    def __init__(self):
        self._rows = [Pin(number, Pin.OUT, value=0) for number in ROW_PINS]
        self._columns = [Pin(number, Pin.IN, Pin.PULL_DOWN) for number in COLUMN_PINS]

    def scan(self):
        """`[(key code, level)]` of every key."""
        levels = []
        for row, codes in zip(self._rows, KEYS):  # noqa: B905  (MicroPython's zip knows no strict)
            row.value(1)
            for column, code in zip(self._columns, codes):  # noqa: B905
                if code is not None:
                    levels.append((code, column.value()))
            row.value(0)
        return levels


class Keypad:
    def __init__(self, uart, matrix, led, clock, boot):
        self._uart = uart
        self._matrix = matrix
        self._led = led
        self._clock = clock
        self._contacts = Debouncer(SETTLE_MS)
        self._device = Device(payloads.KEYPAD, FIRMWARE, boot)
        self._lit = self._blinking = False

    def step(self):
        """One turn: keys, line, lamp."""
        now = self._clock.now()
        for code, level in self._matrix.scan():
            self._report(self._contacts.edge(code, level, now))
        if self._uart.any():
            for frame in self._device.receive(self._uart.read(), now):
                if frame.kind == LAMP:
                    self._light(frame)
        out = self._device.transmit(now)
        if out:
            self._uart.write(out)
        self._led.value(self._lit and not (self._blinking and (now // BLINK_MS) % 2))

    def _report(self, changes):
        for change in changes:
            if change.level:
                self._device.report(KEY, payloads.key(change.pin, change.at_ms), change.at_ms)

    def _light(self, frame):
        try:
            number, red, green, blue, blinking = payloads.read_lamp(frame.payload)
        except ValueError:
            return  # a lamp command that is none lights nothing
        if number == 0:
            self._lit, self._blinking = bool(red or green or blue), blinking


def main():
    uart = UART(0, 115200, tx=Pin(0), rx=Pin(1), rxbuf=1024, txbuf=1024)
    boot = int.from_bytes(os.urandom(4), "little")
    keypad = Keypad(uart, Matrix(), Pin("LED", Pin.OUT), Ticks(), boot)
    while True:
        keypad.step()


if __name__ == "__main__":
    main()
