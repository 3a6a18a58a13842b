"""The edges of the shoe's light barriers, timed in interrupts: they are exact while the reader is busy."""

import time
from array import array

from machine import Pin

_ROOM = 128  # edges; a card makes four


class Beams:
    """Pins that are high while something interrupts their beam. `edges()` gives what came since, in order."""

    def __init__(self, pins):
        self._pins = [Pin(number, Pin.IN) for number in pins]
        self._raw = array("i", [0] * _ROOM)
        self._what = bytearray(_ROOM)
        self._written = 0
        self._read = 0
        self.missed = False  # more edges came than there is room for
        for number, pin in enumerate(self._pins):
            pin.irq(self._handler(number), Pin.IRQ_RISING | Pin.IRQ_FALLING, hard=True)

    def _handler(self, number):
        pins, raw, what = self._pins, self._raw, self._what

        def edge(_pin):  # in an interrupt: nothing here takes memory
            at = self._written % _ROOM
            raw[at] = time.ticks_us()
            what[at] = number << 1 | pins[number].value()
            self._written = self._written + 1 & 0xFFFF

        return edge

    def level(self, number):
        return self._pins[number].value()

    def any(self):
        return self._written != self._read

    def edges(self, clock):
        """`[(beam, level, microseconds)]`."""
        found = []
        if self._written - self._read & 0xFFFF > _ROOM:
            self.missed = True
            self._read = self._written
        clock.us()
        while self._read != self._written:
            at = self._read % _ROOM
            what = self._what[at]
            found.append((what >> 1, what & 1, clock.us_of(self._raw[at])))
            self._read = self._read + 1 & 0xFFFF
        return found
